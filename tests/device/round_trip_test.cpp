// The round trip on host threads: goldens, all layouts at many widths, any bytes; and everything
// that can differ is found, with its place. Offsets here are those of the layouts' documentation.
#include "../support/round_trips.h"

#include "../support/device_doubles.h"
#include "../support/golden.h"
#include "../support/pseudo_random.h"

#include <slabscope/device/device_batch.h>
#include <slabscope/device/host_operations.h>
#include <slabscope/layout/catalog.h>

#include <doctest/doctest.h>

#include <cstring>
#include <map>

namespace slabscope::tests {
namespace {

constexpr std::uint64_t row_counts[] = {1, 2, 3, 5, 16, 32, 128};

Bytes random_bytes(PseudoRandom& random, std::uint64_t count) {
  Bytes bytes(count);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random.bits());
  return bytes;
}

Layout built_in(std::string_view name, std::uint64_t rows, std::uint64_t blocks) {
  if (name == "mtp") return resolved(builtin(name), Params{{"entries", rows * blocks}}, {1, {}});
  if (name == "mtp_batch")
    return resolved(builtin(name), Params{{"rows", rows}, {"max_blocks", blocks}}, {rows, {}});
  return resolved(builtin(name),
                  Params{{"max_batch_size", rows}, {"max_blocks", blocks}, {"padded_rows", rows}},
                  {rows, {}});
}

// A byte of memory that is written by hand.
std::byte& byte_at(std::uint64_t address) {
  return *reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}
void flip(std::uint64_t address) { byte_at(address) ^= std::byte{0xFF}; }

// Of two rows with max_blocks 2: position 0, slot 8, seq_len 24, block_table 32, 48 B.
std::string outcome_of_two_rows(TestDevice& device, const VerifyOptions& options = {}) {
  return outcome(verified(device, two_rows, options));
}

TEST_CASE("every golden slab is what is read and packed") {
  HostOperations device;
  RoundTrip trip(device, {});
  REQUIRE(trip.open().has_value());
  std::uint64_t slabs = 0;
  std::uint64_t bytes = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab) continue;
    INFO(golden.id);
    const auto document = read_document(golden.document);
    REQUIRE(document.has_value());
    const RowsViewOf rows(document->rows);
    // The engine's own bytes, and the rows that it made them of.
    REQUIRE(trip.add({std::make_shared<const Layout>(document->layout), *golden.slab, &rows.view(),
                      &document->residue})
                .has_value());
    ++slabs;
    bytes += golden.slab->size();
  }
  const auto report = trip.finish();
  REQUIRE(report.has_value());
  CHECK_MESSAGE(report->ok(), text_of(report->mismatches));
  CHECK(report->slabs == slabs);
  CHECK(report->bytes == bytes);
  CHECK(slabs > 150);
}

TEST_CASE("any bytes of every built-in layout, at many widths") {
  PseudoRandom random(31);
  for (const std::string_view name : builtin_layout_names()) {
    for (const std::uint64_t rows : row_counts) {
      for (const std::uint64_t blocks : {0U, 1U, 3U, 257U}) {
        INFO(name, ", ", rows, " rows of ", blocks);
        const Layout layout = built_in(name, rows, blocks);
        HostOperations device;
        CHECK(outcome(verified(device, layout, random_bytes(random, layout.size))) == "ok");
      }
    }
  }
}

TEST_CASE("elements are counted by field") {
  HostOperations device;
  const auto report = verified(device, std::string(two_rows) + "\n" + std::string(two_rows));
  REQUIRE(report.has_value());
  CHECK(report->ok());
  CHECK(report->slabs == 2);
  CHECK(report->bytes == 96);
  const std::map<std::string, std::uint64_t> elements(report->elements.begin(),
                                                      report->elements.end());
  CHECK(elements == std::map<std::string, std::uint64_t>{
                        {"position", 4}, {"slot", 4}, {"seq_len", 4}, {"block_table", 8}});
  CHECK(report->device.kind == "host");
}

TEST_CASE("layouts of one's own: every type, nested lists, gaps, fields that are no row's") {
  const DescriptionPtr description = description_of(R"({
    "name": "own", "row_param": "rows", "align": 32,
    "params": {"rows": {}, "depth": {}, "padded_rows": {"default": "rows"}},
    "fields": [
      {"name": "a", "type": "u8",  "shape": ["rows"], "pad": 7},
      {"name": "b", "type": "i64", "shape": []},
      {"name": "c", "type": "i8",  "shape": ["rows", 3]},
      {"name": "d", "type": "u16", "shape": ["rows", 2, "depth"], "fill": 9},
      {"name": "e", "type": "i16", "shape": [5]},
      {"name": "f", "type": "u64", "shape": ["rows"], "align": 16, "pad": [1, 2]},
      {"name": "g", "type": "i32", "shape": ["rows", "depth"]},
      {"name": "h", "type": "u32", "shape": [0]}]})");
  PseudoRandom random(32);
  for (const std::uint64_t rows : row_counts) {
    for (const std::uint64_t depth : {0U, 1U, 4U}) {
      INFO(rows, " rows, depth ", depth);
      const Layout layout = resolved(description, Params{{"rows", rows}, {"depth", depth}});
      HostOperations device;
      for (const std::uint64_t base_offset : {0U, 32U, 96U}) {
        VerifyOptions options;
        options.base_offset = base_offset;
        CHECK(outcome(verified(device, layout, random_bytes(random, layout.size), options)) ==
              "ok");
      }
    }
  }
}

TEST_CASE("short lists, padding rows, unused rows and residue") {
  HostOperations device;
  CHECK(outcome(verified(device, R"({"layout": "decode",
      "params": {"max_blocks": 3, "padded_rows": 5, "dummy_block": 9, "block_size": 16},
      "rows": [{"position": 16, "slot": 65, "seq_len": 17, "block_table": [3, 4]},
               {"position": 0, "seq_slot": 2, "slot": -1, "seq_len": 1, "block_table": []}],
      "residue": [{"offset": 130, "hex": "0102"}, {"offset": 641, "hex": "ff"},
                  {"offset": 767, "hex": "010203"}]})")) == "ok");
}

TEST_CASE("what the host packed to another place is found") {
  // seq_len and position of row 0 changed places: the rows tell, the bytes alone would not.
  const auto document = read_document(two_rows);
  REQUIRE(document.has_value());
  Bytes slab = packed(*document);
  std::swap(slab[0], slab[24]);
  const RowsViewOf rows(document->rows);
  HostOperations device;
  RoundTrip trip(device, {});
  REQUIRE(trip.open().has_value());
  REQUIRE(trip.add({std::make_shared<const Layout>(document->layout), slab, &rows.view(), nullptr})
              .has_value());
  CHECK(outcome(trip.finish()) ==
        "0 position row 0 at 0: 7 -> 8 (read)\n"
        "0 seq_len row 0 at 24: 8 -> 7 (read)\n");
}

TEST_CASE("a byte that is flipped on the device is found where it is") {
  const auto injected = [](std::string field, std::uint64_t element) {
    TestDevice device;
    VerifyOptions options;
    options.inject = Injection{std::move(field), element};
    return outcome_of_two_rows(device, options);
  };
  // The lowest byte of each becomes its complement: 7 is 0x07, 0xF8 is 248.
  CHECK(injected("position", 0) == "0 position row 0 at 0: 7 -> 248 (read)\n");
  CHECK(injected("slot", 1) == "0 slot row 1 at 16: 81 -> 174 (read)\n");
  CHECK(injected("seq_len", 1) == "0 seq_len row 1 at 28: 18 -> 237 (read)\n");
  CHECK(injected("block_table", 3) == "0 block_table[1] row 1 at 44: 5 -> 250 (read)\n");
  CHECK(injected("block_table", 4).starts_with("out_of_range: "));
  CHECK(injected("block_table", ~std::uint64_t{0}).starts_with("out_of_range: "));
  CHECK(injected("nothing", 0).starts_with("unknown_name: "));
}

TEST_CASE("what a kernel does wrong is found where it is") {
  using Tamper = void (*)(const KernelArguments&);
  struct Case {
    const char* what;
    Tamper after_read;
    Tamper after_pack;
    const char* expected;
  };
  const Case cases[] = {
      {"a result is wrong", [](const auto& at) { flip(at.results.address); }, nullptr,
       "0 position row 0 at 0: 7 -> 248 (read)\n"},
      {"reading writes to the slab", [](const auto& at) { flip(at.slabs.address + 24); }, nullptr,
       "0 seq_len row 0 at 24: 8 -> 247 (upload)\n"},
      {"packing writes something else", nullptr,
       [](const auto& at) { flip(at.packed.address + 8); },
       "0 slot row 0 at 8: 55 -> 200 (pack)\n"},
      {"packing writes behind the slab", nullptr,
       [](const auto& at) { byte_at(at.packed.address + 48) = std::byte{0}; },
       "0 (red zone) at 48: 238 -> 0 (pack)\n"},
      {"packing writes at the end of the red zone", nullptr,
       [](const auto& at) { byte_at(at.packed.address + 48 + 255) = std::byte{1}; },
       "0 (red zone) at 303: 238 -> 1 (pack)\n"},
      {"packing writes in front of the slab", nullptr,
       [](const auto& at) { byte_at(at.packed.address - 1) = std::byte{2}; },
       "0 (red zone) at -1: 238 -> 2 (pack)\n"},
      {"reading writes behind the slab",
       [](const auto& at) { byte_at(at.slabs.address + 48) = std::byte{3}; }, nullptr,
       "0 (red zone) at 48: 238 -> 3 (upload)\n"},
      {"the view's count is wrong",
       [](const auto& at) { reinterpret_cast<DeviceView*>(at.views_read.address)->num_seqs = 7; },
       nullptr, "0 view.num_seqs at 0: 2 -> 7 (view)\n"},
      {"the view points elsewhere",
       [](const auto& at) { reinterpret_cast<DeviceView*>(at.views_read.address)->slot += 8; },
       nullptr, "0 view.slot at 0: 8 -> 16 (view)\n"},
  };
  for (const Case& each : cases) {
    INFO(each.what);
    TestDevice device;
    device.after_read = each.after_read;
    device.after_pack = each.after_pack;
    CHECK(outcome_of_two_rows(device) == each.expected);
  }
}

TEST_CASE("gaps: zero where the layout says so, else not touched") {
  TestDevice device;
  // mtp: position [0, 4), gap [4, 8).
  device.after_pack = [](const auto& at) { byte_at(at.packed.address + 5) = std::byte{1}; };
  CHECK(outcome(verified(device, built_in("mtp", 1, 2), Bytes(264))) ==
        "0 (gap) at 5: 0 -> 1 (pack)\n");
  // decode of 32 rows: gap [640, 768), of any content. The poison is 0xCD at first.
  device.after_pack = [](const auto& at) { byte_at(at.packed.address + 641) = std::byte{0x11}; };
  CHECK(outcome(verified(device, built_in("decode", 1, 1), Bytes(896))) ==
        "0 (gap) at 641: 205 -> 17 (pack)\n");
  device.after_pack = nullptr;
  device.after_read = [](const auto& at) { byte_at(at.slabs.address + 700) = std::byte{0x22}; };
  CHECK(outcome(verified(device, built_in("decode", 1, 1), Bytes(896))) ==
        "0 (gap) at 700: 0 -> 34 (upload)\n");
}

// Whatever the right value is, in one of two passes it differs from the poison.
TEST_CASE("what was not done is found, though a byte equal the poison") {
  const Layout layout = built_in("mtp_batch", 2, 2);  // 2 + 2 + 2 + 4 elements
  for (const unsigned value : {0U, 0xCDU, 0x32U, 0xEEU}) {
    const Bytes slab(48, static_cast<std::byte>(value));
    for (bool TestDevice::*const skipped : {&TestDevice::skip_read, &TestDevice::skip_pack,
                                            &TestDevice::skip_upload, &TestDevice::skip_download}) {
      TestDevice device;
      device.*skipped = true;
      const auto report = verified(device, layout, slab);
      REQUIRE(report.has_value());
      INFO("value ", value, ", ", text_of(report->mismatches));
      CHECK(report->mismatch_count >= 10);
      CHECK_FALSE(report->ok());
    }
  }
}

TEST_CASE("an element is told once, all are counted, some are kept") {
  TestDevice device;
  device.skip_read = true;
  VerifyOptions options;
  options.kept_mismatches = 3;
  options.repeat = 4;
  const auto report = verified(device, two_rows, options);
  REQUIRE(report.has_value());
  CHECK(report->mismatches.size() == 3);
  // Ten elements; of the view 7 addresses, moe_row_adapter and 2 counts.
  CHECK(report->mismatch_count == 20);
}

TEST_CASE("slabs go together: one memory, one upload and one launch of each kernel a pass") {
  std::string many;
  for (int document = 0; document < 1000; ++document) many += std::string(two_rows) + "\n";
  TestDevice device;
  const auto report = verified(device, many);
  CHECK(outcome(report) == "ok");
  CHECK(report->slabs == 1000);
  CHECK(device.allocations == 1);
  CHECK(device.uploads == 2);
  CHECK(device.launches == 4);
  CHECK(device.live.empty());

  TestDevice in_batches;
  VerifyOptions options;
  options.batch_slabs = 300;
  std::vector<std::uint64_t> progress;
  options.progress = [&](std::uint64_t slabs, std::uint64_t times) {
    CHECK(times == 1);
    progress.push_back(slabs);
  };
  in_batches.after_pack = [&](const auto& at) {
    // A slab of 48 B and its red zone take 512 B; the last batch has the slabs 900 to 999.
    if (progress.size() == 3) flip(at.packed.address + 99 * 512 + 24);
  };
  CHECK(outcome(verified(in_batches, many, options)) ==
        "999 seq_len row 0 at 24: 8 -> 247 (pack)\n");
  CHECK(progress == std::vector<std::uint64_t>{300, 600, 900, 1000});
  CHECK(in_batches.launches == 16);
  CHECK(in_batches.live.empty());
}

TEST_CASE("a batch that is repeated tells each time") {
  TestDevice device;
  VerifyOptions options;
  options.repeat = 3;
  std::vector<std::uint64_t> progress;
  options.progress = [&](std::uint64_t slabs, std::uint64_t times) {
    CHECK(slabs == 1);
    progress.push_back(times);
  };
  CHECK(outcome(verified(device, two_rows, options)) == "ok");
  CHECK(progress == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(device.launches == 12);
}

TEST_CASE("a base that the layout's alignment does not allow is refused before any launch") {
  for (std::uint64_t base_offset = 0; base_offset < 20; ++base_offset) {
    INFO("base offset ", base_offset);
    TestDevice device;
    VerifyOptions options;
    options.base_offset = base_offset;
    const std::string got = outcome_of_two_rows(device, options);
    if (base_offset % 8 == 0) {
      CHECK(got == "ok");
    } else {
      CHECK(got.starts_with("misaligned: "));
      CHECK(device.launches == 0);
    }
  }
  TestDevice device;
  VerifyOptions options;
  options.base_offset = (std::uint64_t{1} << 22U) + 8;
  CHECK(outcome_of_two_rows(device, options).starts_with("out_of_range: "));
}

TEST_CASE("nothing verified is no success") {
  TestDevice unused;
  VerifyOptions options;
  for (const std::uint64_t repeat : {std::uint64_t{0}, std::uint64_t{1} << 63U}) {
    options.repeat = repeat;
    CHECK(outcome_of_two_rows(unused, options).starts_with("out_of_range: "));
  }
  HostOperations device;
  RoundTrip trip(device, {});
  REQUIRE(trip.open().has_value());
  const auto report = trip.finish();
  REQUIRE(report.has_value());
  CHECK_FALSE(report->ok());
}

TEST_CASE("slabs without bytes") {
  HostOperations device;
  // Nothing was read, so nothing was shown; beside others they are no harm.
  const auto empty = verified(device, built_in("mtp_batch", 0, 0), {});
  REQUIRE(empty.has_value());
  CHECK(empty->mismatch_count == 0);
  CHECK_FALSE(empty->ok());
  CHECK(outcome(verified(device, R"({"layout": "mtp_batch", "rows": []})"
                                 "\n" +
                                     std::string(two_rows))) == "ok");
}

TEST_CASE("a layout that does not hold together is refused on the host") {
  const Layout good = built_in("mtp_batch", 2, 2);
  const Bytes slab(64);
  const auto refused = [&](const auto& change) {
    Layout layout = good;
    change(layout);
    TestDevice device;
    const std::string got = outcome(verified(device, layout, slab));
    CHECK(device.launches == 0);
    return got.substr(0, got.find(':'));
  };
  const std::uint64_t huge = std::uint64_t{1} << 63U;
  CHECK(refused([](Layout& it) { it.align = 3; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.align = std::uint64_t{1} << 40U; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.align = 4; }) == "misaligned");
  CHECK(refused([](Layout& it) { it.size = 56; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.tiles[1].offset = 4; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.tiles[3].bytes = 32; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.tiles[0].field = 4; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields[1].offset = 16; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields[1].items = 3; }) == "out_of_range");
  CHECK(refused([&](Layout& it) { it.fields[1].items = huge; }) == "out_of_range");
  CHECK(refused([&](Layout& it) { it.fields[3].item_elements = huge; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields[3].bytes = 1024; }) == "out_of_range");
  // A field whose bytes belong to a gap, wherever it says that it is.
  CHECK(refused([](Layout& it) { it.tiles[3].field = Tile::gap; }) == "out_of_range");
  CHECK(refused([&](Layout& it) {
          it.tiles[3].field = Tile::gap;
          it.fields[3].offset = huge;
        }) == "out_of_range");
  CHECK(refused([](Layout& it) {
          it.tiles[2].field = 0;  // position a second time
          it.fields[2].bytes = 0;
        }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields.clear(); }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields.pop_back(); }) == "out_of_range");
  CHECK(refused([](Layout& it) { std::swap(it.fields[0], it.fields[2]); }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.fields[1].shape.clear(); }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.capacity = 3; }) == "out_of_range");
  CHECK(refused([](Layout& it) { it.row_count = 3; }) == "row_count");
  CHECK(refused([](Layout& it) { it.padded_rows = 3; }) == "padded_rows");
  TestDevice device;
  CHECK(outcome(verified(device, good, std::span(slab).first(47))).starts_with("short_dump: "));
}

TEST_CASE("slabs stand on the device as their layout is aligned, beyond the red zone too") {
  auto document = read_document(two_rows);
  REQUIRE(document.has_value());
  const Bytes slab = packed(*document);
  for (const std::uint64_t align : {8U, 512U, 4096U, 65536U}) {
    CAPTURE(align);
    document->layout.align = align;
    TestDevice device;
    int looked_at = 0;
    device.after_read = [&](const KernelArguments& at) {
      CHECK(at.slabs.address % align == 0);
      ++looked_at;
    };
    device.after_pack = [&](const KernelArguments& at) {
      CHECK(at.packed.address % align == 0);
      ++looked_at;
    };
    CHECK(outcome(verified(device, document->layout, slab)) == "ok");
    CHECK(looked_at >= 2);
  }
}

TEST_CASE("the alignment of a batch is that of its own slabs") {
  auto document = read_document(two_rows);
  REQUIRE(document.has_value());
  const Bytes slab = packed(*document);
  const auto plain = std::make_shared<const Layout>(document->layout);
  document->layout.align = 4096;
  const auto coarse = std::make_shared<const Layout>(document->layout);
  DeviceBatch batch;
  CHECK(batch.align() == slab_spacing);
  REQUIRE(batch.add({plain, slab, nullptr, nullptr}, 0));
  CHECK(batch.align() == slab_spacing);
  REQUIRE(batch.add({coarse, slab, nullptr, nullptr}, 1));
  CHECK(batch.align() == 4096);
  CHECK(batch.slabs()[1].offset % 4096 == 0);
  batch.clear();
  REQUIRE(batch.add({plain, slab, nullptr, nullptr}, 2));
  CHECK(batch.align() == slab_spacing);
  CHECK(batch.slabs().size() == 1);
}

}  // namespace
}  // namespace slabscope::tests
