// For every rule: 10,000 documents of gen --fault break it, and of the other rules only those that
// it implies. Documents go through their text, as they do between gen and lint; what may fire is
// computed here from the rules' own lists.
#include <slabscope/base/little_endian.h>
#include <slabscope/check/fault.h>
#include <slabscope/check/lint.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/json/rows_writer.h>
#include <slabscope/layout/catalog.h>

#include "../support/layout_text.h"
#include "../support/pseudo_random.h"
#include "../support/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::given;

constexpr std::uint64_t documents = tests::is_sanitized ? 400 : 10000;

// Rows of a group, null entries, padding rows that write nothing, narrow types, gaps.
constexpr std::string_view tree = R"({"name": "tree", "row_param": "rows", "rows_per_group": 2,
  "params": {"rows": {"default": "row_count"}, "m": {"max": 40, "soft_max": 24},
             "padded_rows": {"default": "row_count"}, "block_size": {"max": 32}},
  "fields": [{"name": "len", "type": "u16", "shape": ["rows"], "role": "seq_len", "pad": 1},
             {"name": "bt", "type": "i16", "shape": ["rows", "m"], "align": 16, "fill": -1,
              "null": [-1], "role": "block_table"},
             {"name": "where", "type": "i64", "shape": ["rows"], "align": 32, "null": [-1], "pad": -1,
              "role": "slot"},
             {"name": "at", "type": "u32", "shape": ["rows"], "role": "kv_position"},
             {"name": "mask", "type": "u8", "shape": ["rows", 3], "pad": [1, 2]}]})";
// One unsigned width for all, nothing that means "none", no padding, fields without a row.
constexpr std::string_view flat = R"({"name": "flat", "row_param": "n",
  "params": {"n": {}, "k": {}, "block_size": {"default": 16}, "num_blocks": {"default": 400}},
  "fields": [{"name": "table", "type": "u32", "shape": ["n", "k"], "role": "block_table"},
             {"name": "steps", "type": "u32", "shape": []},
             {"name": "slots", "type": "u32", "shape": ["n"], "role": "slot"},
             {"name": "lens", "type": "u32", "shape": ["n"], "role": "seq_len"}]})";
constexpr std::string_view slots_alone = R"({"name": "slots", "row_param": "n", "params": {"n": {}},
  "fields": [{"name": "s", "type": "i64", "shape": ["n"], "role": "slot", "null": [-1]}]})";

struct Shape {
  std::string_view name;
  DescriptionPtr description;
};
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"mtp", *builtin_layout("mtp")},       {"mtp_batch", *builtin_layout("mtp_batch")},
      {"decode", *builtin_layout("decode")}, {"tree", tests::described(tree)},
      {"flat", tests::described(flat)},      {"slots", tests::described(slots_alone)}};
  return all;
}

// The text of a document, and what lint says of it.
class Checked {
 public:
  explicit Checked(const FaultyDocument& made) {
    const ListLengths lists(made);
    const auto view = SlabView::of(made.layout, made.slab.bytes());
    REQUIRE(view.has_value());
    BufferSink sink(text_);
    TextWriter writer(sink);
    const auto written = write_rows(*view, {},
                                    {.one_line = true,
                                     .defaults = false,
                                     .lengths = &lists.view(),
                                     .region_bytes = made.region_bytes},
                                    writer);
    REQUIRE((written && writer.finish()));
    lint(made);
  }
  [[nodiscard]] std::string_view text() const {
    const auto bytes = text_.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] const Findings& findings() const { return findings_; }

 private:
  void lint(const FaultyDocument& made) {
    MemorySource source(text());
    RowsOptions options;
    options.layout = made.layout.description;
    options.any_region = true;
    RowsReader reader(source, "made", std::move(options));
    auto document = reader.next();
    INFO(text(), document ? "" : document.error().message);
    REQUIRE((document && *document));
    const RowsDocument& read = **document;
    const RowsViewOf rows(read.rows);
    Buffer slab;
    BufferSink sink(slab);
    REQUIRE(write_slab(read.layout, rows.view(), read.residue, sink).has_value());
    CHECK(std::ranges::equal(std::as_const(slab).bytes(), made.slab.bytes()));
    const auto view = SlabView::of(read.layout, std::as_const(slab).bytes());
    const auto batch = Batch::of(*view, {0, read.region_bytes, read.groups, &rows.view()});
    REQUIRE(batch.has_value());
    findings_ = slabscope::lint(*batch, RuleSet(rules().begin(), rules().end())).findings;
    size_ = read.layout.size;
    for (const Finding& each : findings_)
      if (each.offset) CHECK(contains(size_, *each.offset, each.bytes));
  }

  Buffer text_;
  Findings findings_;
  std::uint64_t size_ = 0;
};

bool names(std::span<const std::string_view> list, std::string_view rule) {
  return std::find(list.begin(), list.end(), rule) != list.end();
}

// What is wrong with the findings of a document that breaks `rule`; empty if nothing is.
std::string wrong(const Rule& rule, const Findings& findings) {
  const bool explains = !rule.attaches_to.empty();
  std::size_t fired = 0;
  for (const Finding& each : findings) {
    const std::string name(each.rule);
    const bool is_root = !each.consequence_of;
    if (each.rule == rule.id) {
      fired += is_root || explains ? 1 : 0;
      if (explains && !names(rule.attaches_to, findings[*each.consequence_of].rule))
        return name + " explains nothing";
      continue;
    }
    bool is_implied = names(rule.implies, each.rule) || names(rule.implies, "*");
    for (const std::string_view explained : rule.attaches_to)
      is_implied = is_implied || names(find_rule(explained)->implies, each.rule);
    if (names(rule.attaches_to, each.rule)) continue;
    if (!is_implied) return name + " is not implied";
    if (is_root) return name + " follows from nothing";
  }
  return fired == 0 ? "does not fire" : "";
}

// The layouts in which a rule can be broken; in all others it is refused.
struct Breakable {
  std::string_view rule;
  std::string_view layouts;
};
constexpr Breakable breakable[] = {
    {"region-fit", "mtp mtp_batch decode tree flat slots"},
    {"policy-ceiling", "decode tree"},
    {"uniform-bytes", "mtp mtp_batch decode tree flat slots"},
    {"seq-len-range", "mtp mtp_batch decode tree flat"},
    {"table-coverage", "mtp mtp_batch decode tree flat"},
    {"kv-position", "decode tree"},
    {"pad-row", "mtp_batch decode tree flat slots"},
    {"dummy-in-use", "mtp mtp_batch decode tree flat"},
    {"block-range", "mtp mtp_batch decode tree flat"},
    {"int32-overflow", "mtp mtp_batch decode tree flat"},
    {"same-table", "mtp_batch decode tree flat"},
    {"slot-range", "mtp mtp_batch decode tree flat slots"},
    {"slot-formula", "mtp mtp_batch decode tree flat"},
    {"block-alias", "mtp_batch decode tree flat"},
    {"write-alias", "mtp_batch decode flat"},
    {"tail-fill", "mtp mtp_batch decode tree flat"},
    {"gap-bytes", "mtp mtp_batch tree"},
    {"unit-confusion", "mtp mtp_batch decode tree flat"},
    {"dtype-width", "mtp mtp_batch decode flat"},
};

std::vector<const Shape*> shapes_of(std::string_view layouts, bool are_named) {
  const std::string text = " " + std::string(layouts) + " ";
  std::vector<const Shape*> found;
  for (const Shape& each : shapes())
    if ((text.find(" " + std::string(each.name) + " ") != std::string::npos) == are_named)
      found.push_back(&each);
  return found;
}

// Parameters that a caller might give; none that leave no room for the fault.
Assignments some_params(std::string_view rule, std::string_view layout,
                        tests::PseudoRandom& random) {
  Assignments params;
  const auto maybe = [&](std::string_view name, std::uint64_t value) {
    if (random.one_in(2)) params.push_back({std::string(name), value, {}});
  };
  if (layout == "slots") return params;
  const std::uint64_t blocks = 200 + random.below(400);
  maybe("block_size", std::uint64_t{1} << random.below(6));
  maybe("num_blocks", blocks);
  maybe("lookahead_tokens", random.below(4));
  if (rule != "write-alias") maybe("dummy_block", 1 + random.below(180));
  if (rule != "int32-overflow") {
    maybe("kv_block_stride", 1 + random.below(1U << 20U));
    params.push_back({"kv_index_bits", 63, {}});
  }
  if (rule == "policy-ceiling") return params;
  const std::string_view entries = layout == "mtp"    ? "entries"
                                   : layout == "tree" ? "m"
                                   : layout == "flat" ? "k"
                                                      : "max_blocks";
  maybe(entries, 16 + random.below(9));
  return params;
}

FaultOptions some_options(std::string_view rule, std::string_view layout,
                          tests::PseudoRandom& random) {
  FaultOptions options;
  options.share_prefix = random.one_in(2);
  if (layout == "mtp" || random.one_in(3)) return options;
  const std::uint64_t least = random.below(4);
  // Gaps of an even number of rows may be empty.
  options.rows = {least, std::max<std::uint64_t>(least + random.below(9), 3)};
  if (rule == "gap-bytes") options.rows->most += 2;
  return options;
}

// Which rows are broken, and how often another try was needed.
struct Seen {
  std::uint64_t first = 0, middle = 0, last = 0, alone = 0, spoiled = 0;
  std::set<std::string> texts;

  void add(const Rule& rule, const FaultyDocument& made, const Checked& checked) {
    texts.insert(std::string(checked.text()));
    spoiled += made.spoiled_by.size();
    for (const Finding& each : checked.findings()) {
      if (each.rule != rule.id || !each.row) continue;
      add_row(*each.row, made.layout);
      if (each.other_row) add_row(*each.other_row, made.layout);
    }
  }
  // Of the live rows, or of those of padding.
  void add_row(std::uint64_t row, const Layout& layout) {
    const std::uint64_t live = layout.live_rows;
    const std::uint64_t place = row < live ? row : row - live;
    const std::uint64_t rows = row < live ? live : layout.padded_rows - live;
    ++(rows == 1 ? alone : place == 0 ? first : place + 1 == rows ? last : middle);
  }
};

void check_documents(const Rule& rule, std::string_view layouts) {
  const std::vector<const Shape*> named = shapes_of(layouts, true);
  tests::PseudoRandom choose(42);
  Seen seen;
  for (std::uint64_t number = 0; number < documents; ++number) {
    const Shape& shape = *named[number % named.size()];
    const Assignments params = some_params(rule.id, shape.name, choose);
    const FaultOptions options = some_options(rule.id, shape.name, choose);
    PseudoRandom random(number);
    const auto made = generate_fault(rule, shape.description, params, options, random);
    INFO(rule.id, " ", shape.name, " seed ", number, made ? "" : made.error().message);
    REQUIRE(made.has_value());
    for (const Assignment& each : params)
      CHECK(find(made->layout.given, each.name)->value == each.value);
    const Checked checked(*made);
    const std::string why = wrong(rule, checked.findings());
    CAPTURE(checked.text());
    CHECK(why == "");
    seen.add(rule, *made, checked);
    CHECK(std::ranges::count(made->spoiled_by, rule.id) == 0);  // what was put in was the fault
  }
  CAPTURE(rule.id);
  // Nearly all are right at once: what lint marks wrongly would show here.
  CHECK(seen.spoiled * 20 < documents);
  CHECK(seen.texts.size() * 2 > documents);
  if (seen.first + seen.last + seen.middle == 0) return;
  CHECK(seen.first * 20 > documents);
  CHECK(seen.middle * 20 > documents);
  CHECK(seen.last * 20 > documents);
}

TEST_CASE("a fault breaks its rule, and of the others only those that it implies") {
  const auto are_of_arenas = std::count_if(rules().begin(), rules().end(),
                                           [](const Rule* each) { return each->of_arena; });
  CHECK(std::size(breakable) + static_cast<std::size_t>(are_of_arenas) == rules().size());
  for (const Breakable& each : breakable) {
    CAPTURE(each.rule);
    REQUIRE(find_rule(each.rule) != nullptr);
    check_documents(*find_rule(each.rule), each.layouts);
  }
}

TEST_CASE("what a layout has no room for is refused") {
  for (const Breakable& each : breakable)
    for (const Shape* const shape : shapes_of(each.layouts, false))
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        PseudoRandom random(seed);
        const auto made = generate_fault(*find_rule(each.rule), shape->description, {}, {}, random);
        INFO(each.rule, " ", shape->name);
        CHECK((made ? "made" : info(made.error().code).name) == "fault_impossible");
      }
}

TEST_CASE("the same seed, the same document") {
  for (const Breakable& each : breakable)
    for (const Shape* const shape : shapes_of(each.layouts, true)) {
      std::string texts[2];
      for (std::string& text : texts) {
        PseudoRandom random(7);
        const auto made = generate_fault(*find_rule(each.rule), shape->description, {}, {}, random);
        REQUIRE(made.has_value());
        text = Checked(*made).text();
      }
      CHECK(texts[0] == texts[1]);
    }
}

TEST_CASE("a position that its type cannot hold is left as it was") {
  const DescriptionPtr narrow = tests::described(R"({"name": "narrow", "row_param": "rows",
  "params": {"rows": {}, "m": {}, "block_size": {"default": 256}, "num_blocks": {"default": 64}},
  "fields": [{"name": "len", "type": "i32", "shape": ["rows"], "role": "seq_len"},
             {"name": "bt", "type": "u32", "shape": ["rows", "m"], "role": "block_table"},
             {"name": "at", "type": "u8", "shape": ["rows"], "role": "kv_position"}]})");
  int beyond = 0;
  int cut_off = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    PseudoRandom random(seed);
    const auto made =
        generate_fault(*find_rule("table-coverage"), narrow,
                       given({{"rows", 1}, {"m", 1}, {"block_size", 256}}), {}, random);
    REQUIRE(made.has_value());
    const auto slab = std::as_const(made->slab).bytes();
    const std::uint32_t kv_index = load_little_endian<std::uint32_t>(slab.data()) - 1;
    if (kv_index < 256) continue;
    ++beyond;
    cut_off += std::to_integer<std::uint32_t>(slab[8]) == kv_index % 256 ? 1 : 0;
  }
  CHECK(beyond > 20);
  CHECK(cut_off < 3);  // by chance one in 256 is
}

TEST_CASE("a length that its type cannot hold is not written") {
  // A block holds one token more than the type can count.
  const DescriptionPtr narrow = tests::described(R"({"name": "narrow", "row_param": "rows",
  "params": {"rows": {}, "m": {}, "block_size": {"default": 128}, "num_blocks": {"default": 64}},
  "fields": [{"name": "slot", "type": "i64", "shape": ["rows"], "role": "slot"},
             {"name": "bt", "type": "u32", "shape": ["rows", "m"], "role": "block_table"},
             {"name": "len", "type": "i8", "shape": ["rows"], "role": "seq_len"}]})");
  bool is_longest_seen = false;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    PseudoRandom random(seed);
    const auto made =
        generate_fault(*find_rule("slot-formula"), narrow,
                       given({{"rows", 1}, {"m", 1}, {"block_size", 128}}), {}, random);
    if (!made) continue;  // healthy rows had one token too many
    ++count;
    const auto length = std::to_integer<int>(std::as_const(made->slab).bytes()[12]);
    is_longest_seen = is_longest_seen || length == 127;
    CHECK(std::ranges::find(made->spoiled_by, "seq-len-range") == made->spoiled_by.end());
  }
  CHECK(is_longest_seen);
  CHECK(count > 3800);
}

TEST_CASE("every other slot of the pool may be the wrong one") {
  std::set<std::int64_t> slots;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    PseudoRandom random(seed);
    const auto made =
        generate_fault(*find_rule("slot-formula"), *builtin_layout("mtp"),
                       given({{"num_blocks", 3}, {"block_size", 1}, {"entries", 1}}), {}, random);
    REQUIRE(made.has_value());
    const ResolvedField* const slot = find_row_field(made->layout, "slot", 0);
    REQUIRE(slot != nullptr);
    slots.insert(load_little_endian<std::int64_t>(made->slab.bytes().data() + slot->offset));
  }
  CHECK(slots == std::set<std::int64_t>{0, 1, 2});
}

TEST_CASE("two bytes are the least that can be alike") {
  const DescriptionPtr small = tests::described(R"({"name": "small", "row_param": "n",
  "params": {"n": {}}, "fields": [{"name": "s", "type": "u8", "shape": ["n"]}]})");
  for (const std::uint64_t rows : {1U, 2U, 3U}) {
    PseudoRandom random(4);
    const auto made =
        generate_fault(*find_rule("uniform-bytes"), small, given({{"n", rows}}), {}, random);
    CHECK(made.has_value() == (rows > 1));
  }
}

TEST_CASE("parameters that a caller gives are kept, or the fault is refused") {
  struct Row {
    std::string_view what, rule, layout;
    Assignments params;
    std::string_view outcome;
  };
  const Row rows[] = {
      {"the ceiling", "policy-ceiling", "decode", given({{"max_batch_size", 128}}),
       "fault_impossible"},
      {"above it", "policy-ceiling", "decode", given({{"max_batch_size", 129}}), "made"},
      {"above it, for another rule", "slot-formula", "decode", given({{"max_batch_size", 129}}),
       "fault_impossible"},
      {"indices that fit exactly", "int32-overflow", "mtp",
       given({{"num_blocks", 64}, {"kv_block_stride", 1U << 25U}, {"kv_index_bits", 31}}),
       "fault_impossible"},
      {"one element more", "int32-overflow", "mtp",
       given({{"num_blocks", 64}, {"kv_block_stride", (1U << 25U) + 1}, {"kv_index_bits", 31}}),
       "made"},
      {"one block more", "int32-overflow", "mtp",
       given({{"num_blocks", 65}, {"kv_block_stride", 1U << 25U}, {"kv_index_bits", 31}}), "made"},
      {"a stride that only 31 bits do not hold", "int32-overflow", "mtp",
       given({{"num_blocks", 65}, {"kv_block_stride", 1U << 25U}}), "made"},
      {"a stride that all widths hold", "int32-overflow", "mtp",
       given({{"num_blocks", 65}, {"kv_block_stride", 1}}), "fault_impossible"},
      {"an index of no bits", "int32-overflow", "mtp", given({{"kv_index_bits", 0}}),
       "fault_impossible"},
      {"an index of 64 bits", "int32-overflow", "mtp", given({{"kv_index_bits", 64}}), "made"},
      {"a pool of one block", "int32-overflow", "mtp", given({{"num_blocks", 1}}), "made"},
      {"tables of one entry", "tail-fill", "mtp", given({{"entries", 1}}), "fault_impossible"},
      {"tables of two", "tail-fill", "mtp", given({{"entries", 2}}), "made"},
      {"tables that are reserved", "tail-fill", "mtp",
       given({{"entries", 4}, {"block_size", 16}, {"lookahead_tokens", 64}}), "fault_impossible"},
      {"tables of one entry that are shared", "block-alias", "mtp_batch",
       given({{"max_blocks", 1}}), "fault_impossible"},
      {"no padding", "pad-row", "decode", given({{"padded_rows", 1}}), "fault_impossible"},
      {"no room for padding", "pad-row", "mtp_batch", given({{"rows", 1}}), "fault_impossible"},
      {"room for padding", "pad-row", "mtp_batch", given({{"rows", 2}}), "made"},
      {"a dummy block", "write-alias", "decode", given({{"dummy_block", 9}}), "fault_impossible"},
      {"a dummy block that nobody points at", "write-alias", "mtp_batch",
       given({{"dummy_block", 9}}), "made"},
      {"a dummy block outside of the pool", "dummy-in-use", "mtp",
       given({{"num_blocks", 20}, {"dummy_block", 20}}), "made"},
      {"a dummy block just outside of the pool", "block-range", "mtp",
       given({{"num_blocks", 20}, {"dummy_block", 20}}), "made"},
      {"a pool of nearly all blocks", "block-range", "mtp_batch",
       given({{"num_blocks", 0xffffffffU}, {"block_size", 1}}), "made"},
      {"a pool of one slot", "slot-formula", "mtp", given({{"num_blocks", 1}, {"block_size", 1}}),
       "fault_impossible"},
      {"one token a block", "unit-confusion", "mtp", given({{"block_size", 1}}), "made"},
      {"few entries", "dtype-width", "mtp", given({{"entries", 15}}), "fault_impossible"},
      {"just enough", "dtype-width", "mtp", given({{"entries", 16}}), "made"},
      {"upper words that are the dummy block", "dtype-width", "decode", given({{"dummy_block", 0}}),
       "fault_impossible"},
      {"an unknown parameter", "slot-formula", "mtp", given({{"no_such", 0}}), "unknown_param"},
      {"a pool without blocks", "slot-formula", "mtp", given({{"num_blocks", 0}}), "param_range"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::uint64_t seed : {5U, 6U, 7U, 8U, 9U, 10U}) {
      CAPTURE(seed);
      PseudoRandom random(seed);
      const auto made =
          generate_fault(*find_rule(row.rule), *builtin_layout(row.layout), row.params, {}, random);
      INFO("error: ", made ? "" : made.error().message);
      CHECK((made ? "made" : info(made.error().code).name) == row.outcome);
      if (!made) continue;
      CHECK(wrong(*find_rule(row.rule), Checked(*made).findings()) == "");
      CHECK(std::ranges::count(made->spoiled_by, row.rule) == 0);
    }
  }
}

}  // namespace
}  // namespace slabscope
