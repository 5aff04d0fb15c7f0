// pack | decode gives the normalised document: every row of capacity, lists filled to their
// dimension, what was left out given, parameters resolved. Compared as JSON values, read by another
// reader, against documents built from the golden rows.
#include "../support/documents.h"
#include "../support/golden.h"
#include "../support/json_reference.h"
#include "../support/naive_pack.h"

#include <slabscope/layout/resolve_dump.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// Equal as JSON values: the order of members does not count.
bool equal(const JsonReference& left, const JsonReference& right) {
  if (left.kind != right.kind || left.boolean != right.boolean || left.integer != right.integer ||
      left.string != right.string || left.children.size() != right.children.size())
    return false;
  for (std::size_t index = 0; index < left.children.size(); ++index) {
    const bool is_member = left.kind == JsonReference::Kind::object;
    if (is_member && !right.has(left.keys[index])) return false;
    if (!equal(left.children[index], is_member ? right[left.keys[index]] : right.children[index]))
      return false;
  }
  return true;
}

JsonReference value_of(const std::string& text) {
  auto read = read_reference(text);
  INFO(text);
  REQUIRE(read.has_value());
  return std::move(*read);
}

// The member is checked by itself and taken out.
JsonReference without_source(JsonReference document, std::uint64_t slab_bytes) {
  CHECK(equal(document["source"],
              value_of(R"({"file": "dump.bin", "container": "raw", "offset": 0, "bytes": )" +
                       std::to_string(slab_bytes) + "}")));
  const auto at = std::find(document.keys.begin(), document.keys.end(), "source");
  document.children.erase(document.children.begin() + (at - document.keys.begin()));
  document.keys.erase(at);
  return document;
}

PlainRow filled(PlainRow row, std::uint64_t entries, std::int64_t fill) {
  row.block_table.resize(entries, fill);
  return row;
}

// What decoding the slab of a golden document must give.
struct Normalised {
  Params params;
  std::vector<PlainRow> rows;
};

Normalised normalised(const GoldenCase& golden) {
  Normalised made{golden.params, {}};
  if (golden.layout == "mtp") {
    made.params["entries"] = golden.rows[0].block_table.size();
    made.rows = golden.rows;
    return made;
  }
  const std::uint64_t max_blocks = golden.params.at("max_blocks");
  if (golden.layout == "mtp_batch") {
    made.params["rows"] = golden.rows.size();
    for (const PlainRow& row : golden.rows) made.rows.push_back(filled(row, max_blocks, 0));
    return made;
  }
  const std::uint64_t capacity = decode_capacity(golden.params.at("max_batch_size"));
  made.params["max_batch_size"] = capacity;
  made.params["padded_rows"] = capacity;
  const auto dummy = static_cast<std::int64_t>(golden.params.at("dummy_block"));
  const auto block_size = static_cast<std::int64_t>(golden.params.at("block_size"));
  for (PlainRow row : golden.rows) {
    row.seq_slot = row.seq_slot.value_or(-1);
    made.rows.push_back(filled(row, max_blocks, dummy));
  }
  const PlainRow padding{.position = 0, .slot = dummy * block_size, .seq_len = 1, .seq_slot = -1};
  while (made.rows.size() < golden.params.at("padded_rows"))
    made.rows.push_back(filled(padding, max_blocks, dummy));
  while (made.rows.size() < capacity) made.rows.push_back(filled({.seq_slot = 0}, max_blocks, 0));
  return made;
}

std::string decoded_golden(const GoldenCase& golden, const Params& params,
                           std::optional<std::uint64_t> live, const RowsStyle& style) {
  const auto made = resolve_dump(builtin(golden.layout), given(params), live, golden.slab->size());
  INFO((made ? std::string() : shown_failure(made.error())));
  REQUIRE(made.has_value());
  return decoded(made->layout, *golden.slab, style);
}

TEST_CASE("all rows of every golden slab") {
  std::size_t cases = 0;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab) continue;
    ++cases;
    INFO(golden.id);
    const Normalised wanted = normalised(golden);
    const std::string document = document_of(golden.layout, wanted.params, wanted.rows);
    for (const bool one_line : {false, true}) {
      Params params = golden.params;
      if (golden.layout != "decode") params = wanted.params;
      const std::string text = decoded_golden(golden, params, {}, {one_line, false, true});
      const JsonReference got = without_source(value_of(text), golden.slab->size());
      CHECK_MESSAGE(equal(got, value_of(document)), text, "\nnot\n", document);
    }
  }
  CHECK(cases == 192);
}

TEST_CASE("the live rows of every golden slab") {
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab) continue;
    INFO(golden.id);
    Normalised wanted = normalised(golden);
    wanted.rows.resize(golden.rows.size());
    if (golden.layout == "decode") wanted.params = golden.params;
    const std::string text =
        decoded_golden(golden, wanted.params, golden.rows.size(), {true, false, true});
    const std::string document = document_of(golden.layout, wanted.params, wanted.rows);
    // Packing them at these parameters gives the slab, so nothing is left over.
    const JsonReference got = without_source(value_of(text), golden.slab->size());
    CHECK_MESSAGE(equal(got, value_of(document)), text, "\nnot\n", document);
  }
}

TEST_CASE("trimmed lists are the golden's own, where they do not end in fills") {
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab || golden.layout != "decode") continue;
    INFO(golden.id);
    const auto dummy = static_cast<std::int64_t>(golden.params.at("dummy_block"));
    const JsonReference got =
        value_of(decoded_golden(golden, golden.params, golden.rows.size(), {true, true, true}));
    for (std::size_t row = 0; row < golden.rows.size(); ++row) {
      std::vector<std::int64_t> table = golden.rows[row].block_table;
      while (!table.empty() && table.back() == dummy) table.pop_back();
      std::vector<std::int64_t> read;
      for (const JsonReference& each : got["rows"][row]["block_table"].children)
        read.push_back(static_cast<std::int64_t>(each.integer));
      CHECK((read == table));
    }
  }
}

TEST_CASE("padding rows past the live ones are residue when they are not asked for") {
  const std::vector<PlainRow> rows = {{.position = 1, .slot = 2, .seq_len = 3, .block_table = {4}}};
  const NaiveSlab slab = naive_decode(
      rows,
      {.max_batch_size = 0, .max_blocks = 1, .padded_rows = 2, .dummy_block = 5, .block_size = 16});
  const auto made =
      resolve_dump(builtin("decode"), given({{"max_batch_size", 0}, {"max_blocks", 1}}), 1, {});
  REQUIRE(made.has_value());
  // seq_slot of row 1, its slot (80), its seq_len and its table, where zeros were packed.
  CHECK(equal(without_source(value_of(decoded(made->layout, slab.bytes, {})), slab.size),
              value_of(R"({"layout": "decode",
                "params": {"max_batch_size": 0, "max_blocks": 1, "padded_rows": 1, "dummy_block": 0},
                "rows": [{"position": 1, "seq_slot": -1, "slot": 2, "seq_len": 3,
                          "block_table": [4]}],
                "residue": [{"offset": 132, "hex": "ffffffff"}, {"offset": 264, "hex": "50"},
                            {"offset": 516, "hex": "01"}, {"offset": 772, "hex": "05"}]})")));
}

TEST_CASE("where a slab came from: keys that do not apply are left out") {
  const Layout layout = resolved(builtin("mtp"), {{"entries", 0}}, {1, {}});
  const Bytes slab(256);
  const auto source = [&](const SlabSource& from) {
    const auto view = SlabView::of(layout, slab);
    ByteSink sink;
    TextWriter text(sink);
    REQUIRE(write_rows(*view, from, {}, text).has_value());
    REQUIRE(text.finish().has_value());
    return value_of(
        {reinterpret_cast<const char*>(sink.bytes.data()), sink.bytes.size()})["source"];
  };
  CHECK(equal(source({{}, {}, {}, {}, {}, 256}), value_of(R"({"bytes": 256})")));
  CHECK(equal(source({"a\"b.bin", "core", "gpu0", 7, 0x7f00'0000'1000, 256}),
              value_of(R"({"file": "a\"b.bin", "container": "core", "region": "gpu0", "offset": 7,
                           "address": "0x7f0000001000", "bytes": 256})")));
  CHECK(equal(source({{}, {}, {}, {}, 0, 1}), value_of(R"({"address": "0x0", "bytes": 1})")));
}

}  // namespace
}  // namespace slabscope::tests
