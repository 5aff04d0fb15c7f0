#include <slabscope/report/diff_report.h>

#include <slabscope/report/columns.h>
#include <slabscope/report/table.h>

#include <algorithm>
#include <string>

namespace slabscope {
namespace {

constexpr std::string_view offset_heading = "offset";
constexpr std::string_view owner_heading = "element";
constexpr std::size_t widest_owner_column = 40;  // longer texts push the rest of their line

}  // namespace

DiffReport::DiffReport(DiffFormat format, const SlabDiff& diff, TextWriter& text)
    : format_(format),
      diff_(diff),
      text_(text),
      offset_width_(std::max(offset_heading.size(), std::to_string(diff.layout().size).size())),
      owner_width_(
          std::clamp(longest_text(diff.layout()), owner_heading.size(), widest_owner_column)),
      counts_(diff.layout().fields.size() + 1) {
  if (format_ == DiffFormat::json)
    text_.put("{\"layout\": " + json_string(diff_.layout().description->name) +
              ",\n \"changes\": [");
}

void DiffReport::begin_slab(std::uint64_t offset_before, std::uint64_t offset_after) {
  ++slabs_;
  slab_has_changed_ = false;
  offset_before_ = offset_before;
  offset_after_ = offset_after;
}

void DiffReport::add(const Change& change) {
  const bool is_first = !std::exchange(slab_has_changed_, true);
  changed_slabs_ += is_first ? 1 : 0;
  if (format_ == DiffFormat::json) {
    put_json(change);
  } else {
    if (is_first)
      text_.put("slab " + std::to_string(slabs_ - 1) + " (" + diff_.layout().description->name +
                ", at " + std::to_string(offset_before_) + " and " + std::to_string(offset_after_) +
                "):\n  " + at_right(std::string(offset_heading), offset_width_) + "  " +
                at_left(std::string(owner_heading), owner_width_) + "  change\n");
    put_table(change);
  }
  ++changes_;
  ++counts_[change.owner.is_gap()
                ? counts_.size() - 1
                : static_cast<std::size_t>(change.owner.field - diff_.layout().fields.data())];
}

void DiffReport::put_table(const Change& change) {
  if (change.owner.is_gap()) return put_gap_lines(change);
  text_.put("  " + at_right(std::to_string(change.offset), offset_width_) + "  " +
            at_left(to_text(change.owner), owner_width_) + "  " + diff_.message(change) + "\n");
}

// As many lines as the bytes take: none is left out.
void DiffReport::put_gap_lines(const Change& change) {
  constexpr std::size_t bytes_a_line = 8;
  for (std::size_t at = 0; at < change.before.size() && !text_.failed(); at += bytes_a_line) {
    const std::size_t count = std::min(bytes_a_line, change.before.size() - at);
    text_.put("  " + at_right(std::to_string(change.offset + at), offset_width_) + "  " +
              at_left(std::string(gap_name), owner_width_) + "  ");
    text_.put_hex(change.before.subspan(at, count));
    text_.put(" -> ");
    text_.put_hex(change.after.subspan(at, count));
    text_.put("\n");
  }
}

void DiffReport::put_json(const Change& change) {
  const Owner& owner = change.owner;
  const auto put = [&](std::string_view key, int128 value) {
    text_.put(key);
    text_.put(value);
  };
  put(changes_ == 0 ? "\n  {\"slab\":" : ",\n  {\"slab\":", int128{slabs_ - 1});
  if (const auto row = row_of(diff_.layout(), owner)) put(",\"row\":", int128{*row});
  if (!owner.is_gap()) text_.put(",\"field\":" + json_string(owner.field->name()));
  if (!owner.is_gap() && !owner.field->item_shape().empty())
    put(",\"index\":", int128{owner.element});
  put(",\"offset\":", int128{change.offset});
  const auto put_bytes = [&](std::string_view key, std::span<const std::byte> bytes) {
    if (!owner.is_gap()) return put(key, load_element(owner.field->type(), bytes.data()));
    text_.put(std::string(key) + "\"");
    text_.put_hex(bytes);
    text_.put("\"");
  };
  put_bytes(",\"old\":", change.before);
  put_bytes(",\"new\":", change.after);
  text_.put(",\"message\":" + json_string(diff_.message(change)) + "}");
}

void DiffReport::finish() {
  if (format_ == DiffFormat::json)
    finish_json();
  else if (changes_ != 0)
    finish_table();
}

template <class Put>
void DiffReport::for_each_count(const Put& put) const {
  const std::vector<ResolvedField>& fields = diff_.layout().fields;
  for (std::size_t index = 0; index < counts_.size(); ++index)
    if (counts_[index] != 0)
      put(index < fields.size() ? std::string_view(fields[index].name()) : gap_name,
          counts_[index]);
}

void DiffReport::finish_table() {
  std::string line = counted(changes_, "change") + " in " + std::to_string(changed_slabs_) +
                     " of " + counted(slabs_, "slab");
  std::string separator = ": ";
  for_each_count([&](std::string_view field, std::uint64_t count) {
    line += std::exchange(separator, ", ") + std::string(field) + " " + std::to_string(count);
  });
  for (const std::string& each : wrap(line, 80)) text_.put(each + "\n");
}

void DiffReport::finish_json() {
  std::string summary;
  for_each_count([&](std::string_view field, std::uint64_t count) {
    summary += (summary.empty() ? "" : ",") + json_string(field) + ":" + std::to_string(count);
  });
  text_.put("],\n \"summary\": {" + summary + "}}\n");
}

}  // namespace slabscope
