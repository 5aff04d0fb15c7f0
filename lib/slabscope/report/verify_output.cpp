#include <slabscope/report/verify_output.h>

#include <slabscope/base/error.h>
#include <slabscope/base/integer_text.h>
#include <slabscope/report/table.h>
#include <slabscope/text/json_text.h>

#include <array>
#include <cstdio>

namespace slabscope {
namespace {

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

bool is_host(const VerifyReport& report) { return report.device.kind == "host"; }

// Wherever a result stands, so that nobody takes it for that of a GPU.
std::string where(const VerifyReport& report) {
  return is_host(report) ? "on host threads, not on a GPU" : "on " + report.device.name;
}

std::string device_text(const DeviceDescription& device) {
  if (device.kind == "host") return "host threads: no GPU was used";
  return device.name + ", compute capability " + device.compute_capability + ", driver " +
         device.driver + ", runtime " + device.runtime;
}

void add_lines(std::string& text, const std::string& head, const std::string& line) {
  constexpr std::size_t width = 80;
  std::string before = head + std::string(10 - head.size(), ' ');
  for (const std::string& each : wrap(line, width - before.size())) {
    text += before + each + "\n";
    before.assign(before.size(), ' ');
  }
}

std::string mismatch_table(const VerifyReport& report) {
  Table table({{"slab", Align::right, false},
               {"field", Align::left, false},
               {"row", Align::right, false},
               {"index", Align::right, false},
               {"offset", Align::right, false},
               {"host", Align::right, false},
               {"device", Align::right, false},
               {"found by", Align::left, false}});
  const auto number = [](const std::optional<std::uint64_t>& value) {
    return value ? std::to_string(*value) : std::string();
  };
  for (const Mismatch& each : report.mismatches)
    table.add({std::to_string(each.slab), each.field, number(each.row), number(each.index),
               to_text(each.offset), to_text(each.host), to_text(each.device),
               std::string(each.found_by)});
  std::string text = table.text();
  if (report.mismatch_count > report.mismatches.size())
    text += "and " + std::to_string(report.mismatch_count - report.mismatches.size()) + " more\n";
  return text;
}

struct NamedRate {
  const char* name;
  const char* key;
  const Rate* rate;
};

std::array<NamedRate, 6> rates(const VerifyTimings& timings) {
  return {{{"upload", "upload", &timings.upload},
           {"kernel read", "read", &timings.read},
           {"kernel pack", "pack", &timings.pack},
           {"download", "download", &timings.download},
           {"plain upload", "plain_upload", &timings.plain_upload},
           {"plain download", "plain_download", &timings.plain_download}}};
}

std::string timing_table(const VerifyReport& report) {
  Table table({{"timing", Align::left, false},
               {"bytes", Align::right, false},
               {"ms", Align::right, false},
               {"GB/s", Align::right, false}});
  for (const auto& [name, key, rate] : rates(report.timings)) {
    if (rate->bytes == 0) continue;
    table.add({name, std::to_string(rate->bytes), fixed(rate->seconds * 1e3, 3),
               rate->seconds > 0 ? fixed(static_cast<double>(rate->bytes) / rate->seconds / 1e9, 3)
                                 : std::string("-")});
  }
  return table.text();
}

std::string mismatch_json(const Mismatch& found) {
  std::string text =
      "{\"slab\": " + std::to_string(found.slab) + ", \"field\": " + json_string(found.field);
  if (found.row) text += ", \"row\": " + std::to_string(*found.row);
  if (found.index) text += ", \"index\": " + std::to_string(*found.index);
  return text + ", \"offset\": " + to_text(found.offset) + ", \"host\": " + to_text(found.host) +
         ", \"device\": " + to_text(found.device) + "}";
}

std::string device_json(const DeviceDescription& device) {
  std::string text =
      "{\"kind\": " + json_string(device.kind) + ", \"name\": " + json_string(device.name);
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += std::string(", \"") + key + "\": " + json_string(value);
  };
  add("compute_capability", device.compute_capability);
  add("driver", device.driver);
  add("runtime", device.runtime);
  return text + "}";
}

}  // namespace

std::string verify_text(const VerifyReport& report, bool with_timings) {
  std::string text;
  add_lines(text, "device", device_text(report.device));
  add_lines(text, "slabs",
            std::to_string(report.slabs) + ", " + std::to_string(report.bytes) + " B");
  std::string elements;
  for (const auto& [field, count] : report.elements)
    elements += (elements.empty() ? "" : ", ") + field + " " + std::to_string(count);
  add_lines(text, "elements", elements.empty() ? "none" : elements);
  if (with_timings) text += "\n" + timing_table(report);
  text += "\n";
  if (report.mismatch_count != 0) {
    text += mismatch_table(report) + "\n";
    return text + counted(report.mismatch_count, "mismatch", "mismatches") + " (" + where(report) +
           ")\n";
  }
  if (!report.ok()) return text + "nothing was verified: there was no element to read\n";
  return text + "ok: read and packed as the layout says (" + where(report) + ")\n";
}

std::string verify_json(const VerifyReport& report) {
  std::string text = "{\"device\": " + device_json(report.device) +
                     ",\n \"slabs\": " + std::to_string(report.slabs) +
                     ", \"bytes\": " + std::to_string(report.bytes) + ",\n \"elements\": {";
  std::string separator;
  for (const auto& [field, count] : report.elements)
    text += std::exchange(separator, ", ") + json_string(field) + ": " + std::to_string(count);
  text += "},\n \"mismatches\": [";
  separator = "\n  ";
  for (const Mismatch& each : report.mismatches)
    text += std::exchange(separator, ",\n  ") + mismatch_json(each);
  text += "],\n \"mismatch_count\": " + std::to_string(report.mismatch_count) +
          ", \"ok\": " + (report.ok() ? "true" : "false") + ",\n \"timings\": {";
  separator.clear();
  for (const auto& [name, key, rate] : rates(report.timings)) {
    if (rate->bytes == 0) continue;
    text += std::exchange(separator, ", ") + json_string(key) +
            ": {\"bytes\": " + std::to_string(rate->bytes) +
            ", \"seconds\": " + fixed(rate->seconds, 9) + "}";
  }
  return text + "}}\n";
}

}  // namespace slabscope
