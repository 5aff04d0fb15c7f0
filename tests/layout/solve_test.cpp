// One unset parameter from the bytes of a slab, against trying every value.
#include <slabscope/layout/catalog.h>
#include <slabscope/layout/resolve_dump.h>
#include <slabscope/layout/solve.h>

#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::described;
using tests::given;

// The value that is taken of the solution.
Result<std::uint64_t> solved_value(const DescriptionPtr& description, const Assignments& params,
                                   RowNumbers rows, const std::string& param, std::uint64_t bytes) {
  return solve_param(description, params, rows, param, bytes).map([](const SolvedParam& solved) {
    return solved.last;
  });
}

// What a layout is at one value of the parameter; nothing where there is no such slab.
struct Figures {
  std::uint64_t size = 0;
  std::vector<std::uint64_t> offsets{};
};
using FiguresAt = std::function<std::optional<Figures>(std::uint64_t)>;

struct Solution {
  std::uint64_t last;
  std::vector<std::uint64_t> offsets;
};

// All values up to `most`, by size. Values of the same offsets and size are one solution, and the
// largest stands for them.
std::map<std::uint64_t, std::vector<Solution>> tried(const FiguresAt& figures_at,
                                                     std::uint64_t most) {
  std::map<std::uint64_t, std::vector<Solution>> solutions;
  for (std::uint64_t value = 0; value <= most; ++value) {
    const auto figures = figures_at(value);
    if (!figures) continue;
    auto& found = solutions[figures->size];
    const auto same = std::find_if(found.begin(), found.end(), [&](const Solution& each) {
      return each.offsets == figures->offsets;
    });
    if (same == found.end())
      found.push_back({value, figures->offsets});
    else
      same->last = value;
  }
  return solutions;
}

struct Sizes {
  std::uint64_t first, last;
};

std::string outcome(const Result<std::uint64_t>& solved) {
  if (solved) return std::to_string(*solved);
  return std::string(info(solved.error().code).name);
}

// Solves for every size in `sizes` and compares. `most` is large enough that every value beyond it
// has a larger size.
void check_all_sizes(const DescriptionPtr& description, const Assignments& params,
                     const std::string& param, const FiguresAt& figures_at, std::uint64_t most,
                     Sizes sizes) {
  const auto solutions = tried(figures_at, most);
  for (std::uint64_t bytes = sizes.first; bytes <= sizes.last; ++bytes) {
    const auto solved = solved_value(description, params, {}, param, bytes);
    CAPTURE(bytes);
    const auto found = solutions.find(bytes);
    if (found != solutions.end() && found->second.size() == 1) {
      REQUIRE(outcome(solved) == std::to_string(found->second.front().last));
      continue;
    }
    REQUIRE(outcome(solved) == "param_unsolved");
    const std::string& message = solved.error().message;
    CAPTURE(message);
    if (found == solutions.end()) continue;
    std::string listed;
    for (std::size_t index = 0; index < std::min<std::size_t>(found->second.size(), 8); ++index)
      listed += (index == 0 ? "" : ", ") + std::to_string(found->second[index].last);
    REQUIRE(message.find(listed) != std::string::npos);
  }
}

std::uint64_t up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// ---- The built-in layouts, by the sizes that their descriptions promise

TEST_CASE("mtp: entries") {
  check_all_sizes(*builtin_layout("mtp"), {}, "entries",
                  [](std::uint64_t entries) { return Figures{256 + 4 * entries}; }, 100,
                  {240, 400});
}

Figures batch_at(std::uint64_t rows, std::uint64_t max_blocks) {
  const std::uint64_t slot = up(4 * rows, 8);
  const std::uint64_t seq_len = slot + 8 * rows;
  const std::uint64_t table = up(seq_len + 4 * rows, 16);
  return {table + 4 * rows * max_blocks, {slot, seq_len, table}};
}

TEST_CASE("mtp_batch: rows, and max_blocks") {
  const DescriptionPtr batch = *builtin_layout("mtp_batch");
  for (const std::uint64_t max_blocks : {0U, 1U, 2U, 5U, 100U}) {
    CAPTURE(max_blocks);
    check_all_sizes(batch, given({{"max_blocks", max_blocks}}), "rows",
                    [&](std::uint64_t rows) { return batch_at(rows, max_blocks); }, 100, {0, 120});
  }
  for (const std::uint64_t rows : {1U, 2U, 3U, 8U}) {
    CAPTURE(rows);
    check_all_sizes(batch, given({{"rows", rows}}), "max_blocks",
                    [&](std::uint64_t max_blocks) { return batch_at(rows, max_blocks); }, 200,
                    {0, 120});
  }
}

Figures decode_at(std::uint64_t batch, std::uint64_t max_blocks) {
  const std::uint64_t rows = std::max<std::uint64_t>(32, batch);
  return {24 * rows + 4 * rows * max_blocks, {4 * rows, 8 * rows, 16 * rows, 24 * rows}};
}

TEST_CASE("decode: max_batch_size, and max_blocks") {
  const DescriptionPtr decode = *builtin_layout("decode");
  for (const std::uint64_t max_blocks : {0U, 1U, 4U}) {
    CAPTURE(max_blocks);
    const std::uint64_t least = 32 * (24 + 4 * max_blocks);
    check_all_sizes(decode, given({{"max_blocks", max_blocks}}), "max_batch_size",
                    [&](std::uint64_t batch) { return decode_at(batch, max_blocks); }, 100,
                    {least - 10, least + 100});
  }
  check_all_sizes(decode, given({{"max_batch_size", 40}}), "max_blocks",
                  [](std::uint64_t max_blocks) { return decode_at(40, max_blocks); }, 40,
                  {900, 1300});
}

TEST_CASE("the example of the formats: 1280 bytes of decode with max_blocks 4") {
  const auto dump = resolve_dump(*builtin_layout("decode"), given({{"max_blocks", 4}}), {}, 1280);
  REQUIRE(dump.has_value());
  CHECK(find(dump->layout.params, "max_batch_size")->value == 32);
  CHECK(dump->layout.capacity == 32);
  CHECK(dump->layout.row_count == 32);
  CHECK(dump->layout.padded_rows == 32);
  CHECK(dump->layout.size == 1280);
  CHECK(dump->note.find("max_batch_size = 32") != std::string::npos);
}

// ---- Layouts that are hard to solve

// A size on one field of bytes: offsets do not move.
FiguresAt size_of(std::function<std::optional<std::uint64_t>(std::uint64_t)> size) {
  return [size = std::move(size)](std::uint64_t n) -> std::optional<Figures> {
    const auto bytes = size(n);
    return bytes ? std::optional(Figures{*bytes}) : std::nullopt;
  };
}

struct Row {
  std::string_view what;
  std::string_view param;  // the members of n
  std::string_view shape;
  std::function<std::optional<std::uint64_t>(std::uint64_t)> size;
  std::uint64_t most;
  Sizes sizes;
};

TEST_CASE("every size of layouts that are hard to solve") {
  const auto least = [](std::uint64_t left, std::uint64_t right) { return std::min(left, right); };
  const Row rows[] = {
      {"straight", "", "n", [](auto n) { return n; }, 80, {0, 80}},
      {"three times", "", "3*n", [](auto n) { return 3 * n; }, 80, {0, 80}},
      {"an offset", "", "7 + n", [](auto n) { return 7 + n; }, 80, {0, 80}},
      {"a square", "", "n*n", [](auto n) { return n * n; }, 20, {0, 100}},
      {"a step of ceil_div",
       "",
       "ceil_div(n, 4)",
       [](auto n) { return (n + 3) / 4; },
       200,
       {0, 40}},
      {"a step of division", "", "n / 3", [](auto n) { return n / 3; }, 200, {0, 40}},
      {"a step of align_up", "", "align_up(n, 16)", [](auto n) { return up(n, 16); }, 200, {0, 80}},
      {"a floor",
       "",
       "max(n, 5)",
       [](auto n) { return std::max<std::uint64_t>(n, 5); },
       60,
       {0, 40}},
      {"rungs",
       "",
       "rung(n, 2, 4, 8, 16)",
       [](auto n) {
         return n <= 2 ? 2 : n <= 4 ? 4 : n <= 8 ? 8 : n <= 16 ? 16 : n;
       },
       60,
       {0, 40}},
      {"rungs out of order",
       "",
       "rung(n, 16, 3, 8)",
       [](auto n) {
         return n <= 3 ? 3 : n <= 8 ? 8 : n <= 16 ? 16 : n;
       },
       60,
       {0, 40}},
      {"falling to nothing",
       "",
       "10 - n",
       [](auto n) { return n <= 10 ? std::optional(10 - n) : std::nullopt; },
       60,
       {0, 20}},
      {"falling, then rising",
       "",
       "max(n, 20) - min(n, 20)",
       [](auto n) { return n > 20 ? n - 20 : 20 - n; },
       100,
       {0, 40}},
      {"falling, twice",
       "",
       "max(30, n) - min(n, 30) + n",
       [](auto n) { return n > 30 ? 2 * n - 30 : std::uint64_t{30}; },
       100,
       {0, 60}},
      {"a remainder and a quotient",
       "",
       "n % 4 + n / 4 * 4",
       [](auto n) { return n; },
       100,
       {0, 60}},
      {"a minimum",
       R"("min": 10)",
       "n",
       [](auto n) { return n >= 10 ? std::optional(n) : std::nullopt; },
       60,
       {0, 40}},
      {"a maximum",
       R"("max": 10)",
       "n",
       [](auto n) { return n <= 10 ? std::optional(n) : std::nullopt; },
       60,
       {0, 40}},
      {"a plateau that a maximum ends",
       R"("max": 100)",
       "min(n, 50)",
       [=](auto n) { return n <= 100 ? std::optional(least(n, 50)) : std::nullopt; },
       200,
       {0, 60}},
      {"a plateau that a minimum begins",
       R"("min": 20, "max": 100)",
       "min(n, 50)",
       [=](auto n) { return n >= 20 && n <= 100 ? std::optional(least(n, 50)) : std::nullopt; },
       200,
       {0, 60}},
      {"all values are one",
       R"("max": 7)",
       "9",
       [](auto n) { return n <= 7 ? std::optional<std::uint64_t>(9) : std::nullopt; },
       60,
       {0, 20}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const DescriptionPtr description =
        described(tests::one_field("\"n\": {" + std::string(row.param) + "}", row.shape));
    check_all_sizes(description, {}, "n", size_of(row.size), row.most, row.sizes);
  }
}

TEST_CASE("the largest value that fits into a region") {
  struct Fit {
    std::string_view what;
    std::string_view param;
    std::string_view shape;
    std::function<std::optional<std::uint64_t>(std::uint64_t)> size;
  };
  const auto least = [](std::uint64_t left, std::uint64_t right) { return std::min(left, right); };
  const Fit rows[] = {
      {"straight", "", "3*n + 5", [](auto n) { return 3 * n + 5; }},
      {"steps", "", "align_up(n, 16)", [](auto n) { return up(n, 16); }},
      {"falling, then rising", "", "max(n, 20) - min(n, 20)",
       [](auto n) { return n > 20 ? n - 20 : 20 - n; }},
      {"a square", "", "n*n", [](auto n) { return n * n; }},
      {"falling to nothing", "", "10 - n",
       [](auto n) { return n <= 10 ? std::optional(10 - n) : std::nullopt; }},
      {"a minimum", R"("min": 10)", "n",
       [](auto n) { return n >= 10 ? std::optional(n) : std::nullopt; }},
      {"a maximum", R"("max": 10)", "n",
       [](auto n) { return n <= 10 ? std::optional(n) : std::nullopt; }},
      {"a plateau that a maximum ends", R"("max": 100)", "min(n, 50)",
       [=](auto n) { return n <= 100 ? std::optional(least(n, 50)) : std::nullopt; }},
      {"up and down", "", "n + n % 7", [](auto n) { return n + n % 7; }},
  };
  for (const Fit& row : rows) {
    CAPTURE(row.what);
    const DescriptionPtr description =
        described(tests::one_field("\"n\": {" + std::string(row.param) + "}", row.shape));
    for (std::uint64_t bytes = 0; bytes <= 60; ++bytes) {
      std::string expected = "region_exceeded";
      for (std::uint64_t n = 0; n <= 150; ++n) {
        const auto size = row.size(n);
        if (size && *size <= bytes) expected = std::to_string(n);
      }
      CAPTURE(bytes);
      REQUIRE(outcome(fit_param(description, {}, {}, "n", bytes)) == expected);
    }
  }
  CHECK(outcome(fit_param(described(tests::one_field("\"n\": {}", "min(n, 9)")), {}, {}, "n", 9)) ==
        "param_unsolved");
  CHECK(outcome(fit_param(*builtin_layout("mtp"), {}, {}, "entries", 2048)) == "448");
  CHECK(outcome(fit_param(*builtin_layout("mtp"), {}, {}, "entries", 255)) == "region_exceeded");
  CHECK(outcome(fit_param(*builtin_layout("decode"), given({{"max_blocks", 4}}), {},
                          "max_batch_size", 1319)) == "32");
}

TEST_CASE("single sizes") {
  struct Single {
    std::string_view what;
    std::string_view shape;
    std::uint64_t bytes;
    std::string_view solved;  // or the code
    std::string_view said{};  // in the message
  };
  const Single rows[] = {
      {"a remainder has no largest value", "n % 8", 3, "param_unsolved"},
      {"a remainder that cannot be", "n % 8", 8, "param_unsolved", "no value"},
      {"a plateau without an end", "min(n, 50)", 50, "param_unsolved", "50"},
      {"below that plateau", "min(n, 50)", 49, "49"},
      {"above that plateau", "min(n, 50)", 51, "param_unsolved", "no value"},
      {"nothing to solve", "4", 4, "param_unsolved"},
      {"twelve by a difference", "12 / (max(n, 3) - min(n, 3))", 12, "4"},
      {"six by a difference", "12 / (max(n, 3) - min(n, 3))", 6, "5"},
      {"two by a difference", "12 / (max(n, 3) - min(n, 3))", 2, "9"},
      {"three by a difference", "12 / (max(n, 3) - min(n, 3))", 3, "7"},
      {"two values far apart", "max(n, 1000000) - min(n, 1000000)", 5, "1000005"},
      {"the largest size", "n", 9223372036854775807U, "9223372036854775807"},
      {"past the largest size", "n", 9223372036854775808U, "param_unsolved"},
      {"2^64-1 bytes", "n", ~std::uint64_t{0}, "param_unsolved"},
      {"a large value", "n / 1000000000", 5, "5999999999"},
      {"a large multiple", "n * 1000000007", 7000000049U, "7"},
      {"next to a large multiple", "n * 1000000007", 7000000050U, "param_unsolved",
       "7000000049 B at 7, 8000000056 B at 8"},
      {"no bytes", "n", 0, "0"},
      {"an overflow on the way", "n * n * n * n * n", 243, "3"},
  };
  for (const Single& row : rows) {
    CAPTURE(row.what);
    const auto solved =
        solved_value(described(tests::one_field("\"n\": {}", row.shape)), {}, {}, "n", row.bytes);
    CHECK(outcome(solved) == row.solved);
    if (!solved) {
      CAPTURE(solved.error().message);
      CHECK(solved.error().message.find(row.said) != std::string::npos);
      CHECK(solved.error().message.find("-D n=N") != std::string::npos);
    }
  }
}

TEST_CASE("no value: the nearest sizes are told") {
  struct Near {
    std::string_view what;
    std::string_view param;
    std::string_view shape;
    std::uint64_t bytes;
    std::string_view nearest;
  };
  const Near rows[] = {
      {"between two squares", "", "n*n", 50, "49 B at 7, 64 B at 8"},
      {"above the largest", R"("max": 10)", "3*n", 50, "30 B at 10"},
      {"below the least", R"("min": 10)", "3*n", 7, "30 B at 10"},
      {"above a minimum", R"("min": 4)", "2*n", 11, "10 B at 5, 12 B at 6"},
      {"between a minimum and a maximum", R"("min": 4, "max": 9)", "2*n", 11,
       "10 B at 5, 12 B at 6"},
      {"between two steps", "", "4 * ceil_div(n, 4)", 6, "4 B at 4, 8 B at 5"},
  };
  for (const Near& row : rows) {
    CAPTURE(row.what);
    const auto solved = solved_value(
        described(tests::one_field("\"n\": {" + std::string(row.param) + "}", row.shape)), {}, {},
        "n", row.bytes);
    REQUIRE(outcome(solved) == "param_unsolved");
    CAPTURE(solved.error().message);
    CHECK(solved.error().message.find(row.nearest) != std::string::npos);
  }
  const auto decode = solved_value(*builtin_layout("decode"), given({{"max_blocks", 4}}), {},
                                   "max_batch_size", 1300);
  REQUIRE(outcome(decode) == "param_unsolved");
  CHECK(decode.error().message.find("1280 B at 32, 1320 B at 33") != std::string::npos);
}

TEST_CASE("offsets tell values apart, and values of the same offsets are one") {
  // The size is the same for n = 0..64; fields overlap beyond.
  const DescriptionPtr room = described(R"({"name": "t", "params": {"n": {}}, "fields": [
      {"name": "a", "type": "u8", "shape": ["n"]},
      {"name": "b", "type": "u8", "shape": [8], "offset": 64}]})");
  CHECK(outcome(solved_value(room, {}, {}, "n", 72)) == "64");
  // The size is the same for n = 0..8, but `b` moves.
  const DescriptionPtr moving = described(R"({"name": "t", "params": {"n": {"max": 8}}, "fields": [
      {"name": "a", "type": "u8", "shape": ["n"]},
      {"name": "b", "type": "u8", "shape": ["8 - n"]}]})");
  const auto several = solved_value(moving, {}, {}, "n", 8);
  REQUIRE(outcome(several) == "param_unsolved");
  CHECK(several.error().message.find("0, 1, 2, 3, 4, 5, 6, 7") != std::string::npos);
}

TEST_CASE("every size of layouts whose offsets tell values apart") {
  // Two fields of bytes: the second one's offset is the first one's size.
  struct Two {
    std::string_view what;
    std::string_view first, second;
    std::function<std::uint64_t(std::uint64_t)> first_bytes, second_bytes;
  };
  const Two rows[] = {
      {"a remainder and a quotient", "n % 3", "n / 3", [](auto n) { return n % 3; },
       [](auto n) { return n / 3; }},
      {"one falls as the other rises", "max(40, n) - n", "n",
       [](auto n) { return n > 40 ? 0 : 40 - n; }, [](auto n) { return n; }},
      {"steps of different width", "ceil_div(n, 3)", "n / 4 + 1",
       [](auto n) { return (n + 2) / 3; }, [](auto n) { return n / 4 + 1; }},
      {"there and back", "n % 2", "n / 4 + 1 - n % 2", [](auto n) { return n % 2; },
       [](auto n) { return n / 4 + 1 - n % 2; }},
  };
  for (const Two& row : rows) {
    CAPTURE(row.what);
    const DescriptionPtr description = described(
        R"({"name": "two", "params": {"n": {}}, "fields": [
            {"name": "f", "type": "u8", "shape": [")" +
        std::string(row.first) + R"("]}, {"name": "g", "type": "u8", "shape": [")" +
        std::string(row.second) + R"("]}]})");
    check_all_sizes(
        description, {}, "n",
        [&](std::uint64_t n) {
          return Figures{row.first_bytes(n) + row.second_bytes(n), {row.first_bytes(n)}};
        },
        200, {0, 45});
  }
}

TEST_CASE("a plateau that another parameter's maximum ends") {
  const DescriptionPtr description = described(R"-({"name": "t",
      "params": {"n": {}, "k": {"value": "n", "max": 30}},
      "fields": [{"name": "a", "type": "u8", "shape": ["min(n, 20)"]}]})-");
  CHECK(outcome(solved_value(description, {}, {}, "n", 20)) == "30");
  CHECK(outcome(solved_value(description, {}, {}, "n", 19)) == "19");
}

TEST_CASE("a parameter of a pad alone: the bytes tell nothing of it") {
  const DescriptionPtr description = tests::described(
      R"({"name": "p", "params": {"rows": {}, "k": {}, "padded_rows": {"default": "rows"}},
          "row_param": "rows",
          "fields": [{"name": "a", "type": "u8", "shape": ["rows"], "pad": "k * 2"}]})");
  const Result<SolvedParam> solved =
      solve_param(description, tests::given({{"rows", 4}}), {1, 1}, "k", 4);
  REQUIRE_FALSE(solved.has_value());
  CHECK(solved.error().code == ErrorCode::param_unsolved);
  CHECK(solved.error().message.find("every value from 0 on") != std::string::npos);
}

TEST_CASE("rows that would not fit are no solution") {
  const DescriptionPtr decode = *builtin_layout("decode");
  // 40 padded rows need a capacity of 40: 32 rows of capacity have the right size but no room.
  const auto padded = given({{"max_blocks", 4}, {"padded_rows", 40}, {"block_size", 16}});
  CHECK(outcome(solved_value(decode, padded, {2, 2}, "max_batch_size", 1280)) == "param_unsolved");
  CHECK(outcome(solved_value(decode, padded, {2, 2}, "max_batch_size", 40 * 40)) == "40");
}

TEST_CASE("a mistake that no value could mend is told as itself") {
  const DescriptionPtr description = described(R"({"name": "t", "params": {
      "n": {}, "k": {"max": 4, "default": 1}, "d": {"value": "n"}},
      "fields": [{"name": "a", "type": "u8", "shape": ["n", "k"]}]})");
  CHECK(outcome(solved_value(description, given({{"m", 1}}), {}, "n", 8)) == "unknown_param");
  CHECK(outcome(solved_value(description, given({{"d", 1}}), {}, "n", 8)) == "derived_param");
}

TEST_CASE("a given parameter that is out of its range is told as itself") {
  const DescriptionPtr description = described(R"({"name": "t", "params": {
      "n": {}, "k": {"max": 4, "default": 1}},
      "fields": [{"name": "a", "type": "u8", "shape": ["n", "k"]}]})");
  CHECK(outcome(solved_value(description, given({{"k", 5}}), {}, "n", 10)) == "param_range");
}

TEST_CASE("a circle of parameters is told as itself") {
  const DescriptionPtr description = described(R"({"name": "t", "params": {
      "n": {}, "a": {"value": "b"}, "b": {"value": "a"}},
      "fields": [{"name": "f", "type": "u8", "shape": ["n"]}]})");
  CHECK(outcome(solved_value(description, {}, {}, "n", 10)) == "param_cycle");
}

// ---- resolve_dump

TEST_CASE("what a dump's layout needs") {
  struct Need {
    std::string_view layout;
    Assignments given;
    std::optional<std::uint64_t> live;
    std::string_view missing;  // names in the message, empty when solved
  };
  const Need rows[] = {
      {"mtp_batch", {}, {}, "rows, max_blocks"},
      {"mtp_batch", given({{"rows", 2}}), {}, ""},
      {"decode", {}, {}, "max_batch_size, max_blocks"},
      {"decode", given({{"max_blocks", 4}}), {}, ""},
      {"decode", {}, 3, ""},
      {"mtp", {}, {}, ""},
  };
  for (const Need& row : rows) {
    CAPTURE(row.layout);
    const DescriptionPtr description = *builtin_layout(row.layout);
    CHECK(needs_window(*description, row.given, row.live.has_value()) == row.missing.empty());
    const auto dump = resolve_dump(description, row.given, row.live, 1280);
    const auto blind = resolve_dump(description, row.given, row.live, std::nullopt);
    CHECK((blind.error().code == ErrorCode::param_missing));
    if (row.missing.empty()) {
      CHECK(dump.has_value());
      continue;
    }
    REQUIRE_FALSE(dump.has_value());
    CHECK((dump.error().code == ErrorCode::param_missing));
    CHECK(dump.error().message.find(row.missing) != std::string::npos);
  }
}

TEST_CASE("without live rows all rows of capacity count; with them the first ones") {
  const DescriptionPtr decode = *builtin_layout("decode");
  const auto all = resolve_dump(decode, given({{"max_batch_size", 4}, {"max_blocks", 1}}), {}, {});
  REQUIRE(all.has_value());
  CHECK(all->note.empty());
  CHECK(all->layout.capacity == 32);
  CHECK(all->layout.row_count == 32);
  CHECK(all->layout.padded_rows == 32);
  CHECK(find(all->layout.params, "max_batch_size")->value == 32);

  const auto live = resolve_dump(decode, given({{"max_batch_size", 40}, {"max_blocks", 1}}), 3, {});
  REQUIRE(live.has_value());
  CHECK(live->layout.capacity == 40);
  CHECK(live->layout.row_count == 3);
  CHECK(live->layout.live_rows == 3);
  CHECK(find(live->layout.params, "max_batch_size")->value == 40);

  const auto batch =
      resolve_dump(*builtin_layout("mtp_batch"), given({{"rows", 5}, {"max_blocks", 1}}), 2, {});
  REQUIRE(batch.has_value());
  CHECK(batch->layout.capacity == 5);
  CHECK(batch->layout.row_count == 2);

  const auto too_many =
      resolve_dump(*builtin_layout("mtp_batch"), given({{"rows", 5}, {"max_blocks", 1}}), 6, {});
  REQUIRE_FALSE(too_many.has_value());
  CHECK((too_many.error().code == ErrorCode::row_count));
}

TEST_CASE("rows of capacity do not move a byte") {
  // `extra` follows the row count: with all rows of capacity it would change the layout.
  const DescriptionPtr description = described(R"({"name": "t",
      "params": {"rows": {}, "extra": {"default": "row_count"}}, "row_param": "rows",
      "fields": [{"name": "a", "type": "u8", "shape": ["rows"]},
                 {"name": "b", "type": "u8", "shape": ["extra"]}]})");
  const auto dump = resolve_dump(description, given({{"rows", 8}, {"extra", 3}}), {}, {});
  REQUIRE(dump.has_value());
  CHECK(dump->layout.size == 11);
  CHECK(dump->layout.row_count == 8);
  // Unset, it is one that follows the rows: it counts as unset and is solved.
  const auto solved = resolve_dump(description, given({{"rows", 8}}), {}, 11);
  REQUIRE(solved.has_value());
  CHECK(find(solved->layout.params, "extra")->value == 3);
}

TEST_CASE("a solved layout is exactly as long as the window") {
  for (std::uint64_t bytes = 0; bytes < 3000; bytes += 44) {
    for (const std::string_view name : builtin_layout_names()) {
      const DescriptionPtr description = *builtin_layout(name);
      for (const ParamDescription& given_one : description->params) {
        const Assignments params = given({{given_one.name, 3}});
        const auto dump =
            resolve_dump(description, name == "mtp" ? Assignments{} : params, {}, bytes);
        if (dump) {
          if (!dump->note.empty()) CHECK(dump->layout.size == bytes);
        } else {
          CHECK((dump.error().code == ErrorCode::param_unsolved ||
                 dump.error().code == ErrorCode::param_missing ||
                 dump.error().code == ErrorCode::derived_param));
        }
        if (name == "mtp") break;
      }
    }
  }
}

}  // namespace
}  // namespace slabscope
