// What gen makes is coherent, for every built-in layout, at many parameters and seeds: computed
// here again from what the roles mean (the KV index of a row is seq_len - 1, and the slot is where
// the table says that this index lies).
#include <slabscope/layout/catalog.h>
#include <slabscope/slab/generate.h>
#include <slabscope/slab/pack.h>
#include <slabscope/slab/view.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::given;

struct Case {
  std::string_view layout;
  std::uint64_t rows, block_size, num_blocks, max_blocks;
  bool share_prefix;
};

class Slab {
 public:
  explicit Slab(const GeneratedRows& generated) : layout_(generated.layout) {
    const RowsViewOf rows(generated.rows);
    auto packed = pack(layout_, rows.view());
    REQUIRE(packed.has_value());
    bytes_ = std::move(*packed);
  }
  [[nodiscard]] int128 at(std::string_view role, std::uint64_t row, std::uint64_t index = 0) const {
    const ResolvedField* const field = layout_.find_role(role);
    REQUIRE(field != nullptr);
    const auto view = SlabView::of(layout_, bytes_.bytes());
    return view->element(*field, row, index);
  }
  [[nodiscard]] std::uint64_t table_entries() const {
    return layout_.find_role("block_table")->item_elements;
  }
  [[nodiscard]] std::string text() const {
    const auto bytes = bytes_.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  const Layout& layout_;
  Buffer bytes_;
};

Assignments params_of(const Case& each) {
  Assignments params = given({{"block_size", each.block_size}, {"num_blocks", each.num_blocks}});
  if (each.max_blocks != 0)
    for (Assignment& more :
         given({{each.layout == "mtp" ? "entries" : "max_blocks", each.max_blocks}}))
      params.push_back(more);
  return params;
}

// The owner of each block; rows may share full blocks that neither of them writes.
struct Owner {
  std::uint64_t row, column;
};

void check_coherent(const Case& each, const GeneratedRows& generated) {
  const Layout& layout = generated.layout;
  const Slab slab(generated);
  const std::string_view position = each.layout == "decode" ? "kv_position" : "position";
  std::map<int128, Owner> owners;
  std::size_t wrong = 0;
  const auto check = [&](bool holds) { wrong += holds ? 0U : 1U; };
  REQUIRE(layout.live_rows == each.rows);
  for (std::uint64_t row = 0; row < each.rows; ++row) {
    const int128 seq_len = slab.at("seq_len", row);
    REQUIRE(seq_len >= 1);
    const auto kv_index = static_cast<std::uint64_t>(seq_len - 1);
    check(slab.at(position, row) == int128{kv_index});
    const std::uint64_t last = kv_index / each.block_size;
    REQUIRE(last < slab.table_entries());
    const int128 block = slab.at("block_table", row, last);
    check(slab.at("slot", row) == block * each.block_size + kv_index % each.block_size);
    for (std::uint64_t column = 0; column < slab.table_entries(); ++column) {
      const int128 entry = slab.at("block_table", row, column);
      if (column > last) {  // the fill: dummy_block of decode, 0 of the others
        check(entry == 0);
        continue;
      }
      check(entry >= 0 && entry < int128{each.num_blocks});
      if (each.layout == "decode") check(entry != 0);  // dummy_block
      const auto [owner, is_new] = owners.try_emplace(entry, Owner{row, column});
      const bool is_full = column < last;
      if (!is_new) check(each.share_prefix && owner->second.column == column && is_full);
      if (!is_new)
        check(column < static_cast<std::uint64_t>(slab.at("seq_len", owner->second.row) - 1) /
                           each.block_size);
    }
  }
  CHECK(wrong == 0);
}

void check_padding(const GeneratedRows& generated) {
  const Layout& layout = generated.layout;
  const Slab slab(generated);
  for (std::uint64_t row = layout.live_rows; row < layout.padded_rows; ++row) {
    CHECK((slab.at("kv_position", row) == 0));
    CHECK((slab.at("seq_slot", row) == -1));
    CHECK((slab.at("slot", row) == 0));  // dummy_block 0
    CHECK((slab.at("seq_len", row) == 1));
    for (std::uint64_t entry = 0; entry < slab.table_entries(); ++entry)
      CHECK((slab.at("block_table", row, entry) == 0));
  }
}

TEST_CASE("rows are coherent") {
  constexpr std::string_view layouts[] = {"mtp", "mtp_batch", "decode"};
  tests::PseudoRandom random(11);
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Case each{random.pick(layouts), random.below(40), 1 + random.below(64), 0,
              random.below(10),     random.one_in(2)};
    if (each.layout == "mtp") each.rows = 1;
    if (each.layout == "decode" && each.rows == 0) each.rows = 1;
    each.num_blocks = each.rows + 1 + random.below(200);
    INFO("layout ", each.layout, " rows ", each.rows, " block_size ", each.block_size,
         " num_blocks ", each.num_blocks, " max_blocks ", each.max_blocks, " seed ", seed);
    const DescriptionPtr description = *builtin_layout(each.layout);
    PseudoRandom first(seed);
    const GenerateOptions options{each.rows, each.share_prefix};
    const auto generated = generate_rows(description, params_of(each), options, first);
    INFO("error: ", tests::shown_error(generated), generated ? "" : generated.error().message);
    REQUIRE(generated.has_value());
    check_coherent(each, *generated);
    if (each.layout == "decode") check_padding(*generated);
    // The same seed, the same bytes.
    PseudoRandom second(seed);
    const auto again = generate_rows(description, params_of(each), options, second);
    REQUIRE(again.has_value());
    CHECK(Slab(*generated).text() == Slab(*again).text());
  }
}

TEST_CASE("some rows share a prefix when they may, and none otherwise") {
  const DescriptionPtr description = *builtin_layout("mtp_batch");
  for (const bool may_share : {false, true}) {
    std::size_t shared = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      PseudoRandom random(seed);
      const auto generated = generate_rows(
          description, given({{"block_size", 16}, {"num_blocks", 500}, {"max_blocks", 8}}),
          {8, may_share}, random);
      REQUIRE(generated.has_value());
      const Slab slab(*generated);
      std::set<int128> seen;
      for (std::uint64_t row = 0; row < 8; ++row)
        for (std::uint64_t column = 0; column <= (slab.at("seq_len", row) - 1) / 16; ++column)
          shared += seen.insert(slab.at("block_table", row, column)).second ? 0U : 1U;
    }
    CHECK((shared != 0) == may_share);
  }
}

TEST_CASE("tables take no more together than they may") {
  std::uint64_t longest = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PseudoRandom random(seed);
    GenerateOptions options;
    options.rows = 16;
    options.most_table_bytes = 16 * 50 * 4;
    const auto made = generate_rows(
        *builtin_layout("mtp_batch"),
        given({{"block_size", 4}, {"num_blocks", 100000}, {"max_blocks", 1000}}), options, random);
    REQUIRE(made.has_value());
    const Slab slab(*made);
    for (std::uint64_t row = 0; row < 16; ++row)
      longest = std::max(longest, static_cast<std::uint64_t>(slab.at("seq_len", row) + 3) / 4);
  }
  CHECK(longest <= 50);
  CHECK(longest > 40);
}

TEST_CASE("rows that need more blocks than there are") {
  struct Row {
    std::string_view layout;
    std::uint64_t rows, num_blocks;
    std::string_view error;
  };
  const Row rows[] = {
      {"mtp_batch", 5, 5, "no error"},
      {"mtp_batch", 6, 5, "pool_exhausted"},
      {"decode", 5, 6, "no error"},  // the dummy block is nobody's
      {"decode", 5, 5, "pool_exhausted"},
      {"mtp", 1, 1, "no error"},
      {"mtp_batch", 1, 0, "param_range"},
      {"mtp_batch", max_generated_rows + 1, ~std::uint64_t{0}, "limit_exceeded"},
  };
  for (const Row& row : rows) {
    INFO("layout ", row.layout, " rows ", row.rows, " num_blocks ", row.num_blocks);
    PseudoRandom random(3);
    const auto made = generate_rows(*builtin_layout(row.layout),
                                    given({{"block_size", 4}, {"num_blocks", row.num_blocks}}),
                                    {row.rows, false}, random);
    CHECK((made ? "no error" : info(made.error().code).name) == row.error);
  }
}

TEST_CASE("layouts of one's own, with roles or without") {
  struct Row {
    std::string_view what;
    std::string_view layout;
    Assignments params;
    std::string_view outcome;
  };
  const Assignments pool = given({{"block_size", 4}, {"num_blocks", 9}});
  const Row rows[] = {
      {"no role at all",
       R"({"name": "t", "params": {"rows": {}, "m": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"]},
                    {"name": "b", "type": "u8", "shape": ["rows"], "fill": 7},
                    {"name": "c", "type": "u8", "shape": ["rows", 2, "m"]},
                    {"name": "d", "type": "u8", "shape": []},
                    {"name": "e", "type": "u8", "shape": [], "fill": 7},
                    {"name": "f", "type": "u8", "shape": [5], "fill": 7}]})",
       {},
       "13 B"},
      {"a slot without a table",
       R"({"name": "t", "params": {"rows": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "i64", "shape": ["rows"], "role": "slot"},
                    {"name": "b", "type": "i32", "shape": ["rows"], "role": "seq_len"}]})",
       {},
       "36 B"},
      {"a table of one entry", R"({"name": "t", "params": {"rows": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"], "role": "block_table"}]})",
       pool, "3 B"},
      {"roles of shapes that do not go with them",
       R"({"name": "t", "params": {"rows": {}, "m": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows", 2, "m"], "role": "block_table"},
                    {"name": "b", "type": "u8", "shape": ["rows", 2], "role": "position"},
                    {"name": "c", "type": "u8", "shape": ["rows", 2, 2], "role": "seq_len"}]})",
       {},
       "18 B"},
      {"ids that the table cannot hold",
       R"({"name": "t", "params": {"rows": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"], "role": "slot"},
                    {"name": "b", "type": "u8", "shape": ["rows"], "role": "block_table"}]})",
       given({{"block_size", 1U << 20U}, {"num_blocks", 1U << 20U}}), "out_of_range"},
      {"a table of no entries",
       R"({"name": "t", "params": {"rows": {}, "m": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows", "m"], "role": "block_table"}]})",
       given({{"block_size", 4}, {"num_blocks", 9}, {"m", 0}}), "param_range"},
      {"a pool that the layout fixes",
       R"({"name": "t", "params": {"rows": {},
           "block_size": {"value": "4"}, "num_blocks": {"default": "9"}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows", 1], "role": "block_table"}]})",
       {},
       "3 B"},
      {"a pool that is not known",
       R"({"name": "t", "params": {"rows": {}, "k": {},
           "block_size": {"value": "k"}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows", 1], "role": "block_table"}]})",
       {},
       "param_missing"},
      {"rows that cannot be set",
       R"({"name": "t", "params": {"rows": {"value": "2"}},
         "row_param": "rows", "fields": [{"name": "a", "type": "u8", "shape": ["rows"]}]})",
       {},
       "row_count"},
      {"rows that are set", R"({"name": "t", "params": {"rows": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"]}]})",
       given({{"rows", 5}}), "5 B"},
      {"overlapping fields",
       R"({"name": "t", "params": {"rows": {}}, "row_param": "rows",
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"]},
                    {"name": "b", "type": "u8", "shape": ["rows"], "offset": 0}]})",
       {},
       "field_overlap"},
      {"too many padding rows for the capacity",
       R"({"name": "t", "row_param": "rows", "params": {"rows": {"default": "row_count"},
           "padded_rows": {"default": "row_count"}},
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"]}]})",
       {},
       "3 B"},
      {"padding rows up to the next graph",
       R"({"name": "t", "row_param": "rows",
           "params": {"rows": {"default": "200"}, "padded_rows": {"default": "row_count"}},
         "fields": [{"name": "a", "type": "u8", "shape": ["rows"]}]})",
       {},
       "200 B"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    PseudoRandom random(3);
    const auto made = generate_rows(tests::described(row.layout), row.params, {3, false}, random);
    const std::string outcome = made ? std::to_string(Slab(*made).text().size()) + " B"
                                     : std::string(info(made.error().code).name);
    CHECK(outcome == row.outcome);
  }
}

TEST_CASE("batches are padded to the next CUDA graph, above the largest not at all") {
  struct Row {
    std::uint64_t rows, padded;
  };
  for (const Row& row :
       {Row{1, 2}, Row{2, 2}, Row{3, 4}, Row{9, 12}, Row{97, 128}, Row{128, 128}, Row{129, 129}}) {
    CAPTURE(row.rows);
    PseudoRandom random(3);
    const auto made =
        generate_rows(*builtin_layout("decode"),
                      given({{"block_size", 4}, {"num_blocks", 1000}, {"max_batch_size", 200}}),
                      {row.rows, false}, random);
    REQUIRE(made.has_value());
    CHECK(made->layout.padded_rows == row.padded);
  }
}

TEST_CASE("the generator's numbers are those of splitmix64") {
  // From the reference implementation by Sebastiano Vigna at seed 1234567.
  PseudoRandom random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
        16408922859458223821U})
    CHECK(random.next() == expected);
  for (int draw = 0; draw < 1000; ++draw) {
    const std::uint64_t value = random.between(7, 9);
    CHECK(value >= 7);
    CHECK(value <= 9);
  }
  CHECK(random.between(5, 5) == 5);
  (void)random.between(0, ~std::uint64_t{0});
}

}  // namespace
}  // namespace slabscope
