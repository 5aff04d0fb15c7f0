// Descriptions that are as large and as tangled as the limits allow: an answer at once, with little
// memory, wherever a layout is used.
#include <slabscope/layout/outline.h>
#include <slabscope/layout/resolve_dump.h>
#include <slabscope/layout/solve.h>
#include <slabscope/report/layout_report.h>

#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace slabscope {
namespace {

// Generous: sanitizers are slow. Exponential work would take years.
constexpr double at_once_seconds = 15;

// In processor time, so that a busy machine does not fail the test.
void check_at_once(std::string_view what, const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  CAPTURE(what);
  CAPTURE(seconds);
  CHECK(seconds < at_once_seconds);
}

std::string repeated(std::size_t count, const std::function<std::string(std::size_t)>& entry) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index)
    text += (index == 0 ? "" : ",") + entry(index);
  return text;
}

// Sixty-four parameters, each the sum of the one before with itself.
std::string doubling(std::string_view kind) {
  const std::string params = repeated(max_params - 1, [&](std::size_t index) {
    const std::string before = index == 0 ? "n" : "p" + std::to_string(index - 1);
    return "\"p" + std::to_string(index) + "\": {\"" + std::string(kind) + "\": \"" + before +
           " + " + before + "\"}";
  });
  const std::string last = "p" + std::to_string(max_params - 2);
  return R"({"name": "doubling", "params": {"n": {}, )" + params +
         R"(}, "fields": [{"name": "f", "type": "u8", "shape": [")" + last + R"("]}]})";
}

std::string reversed_doubling() {
  // The last parameter needs all the others, and is declared first.
  const std::string params = repeated(max_params - 1, [&](std::size_t index) {
    const std::size_t here = max_params - 2 - index;
    const std::string before = here == 0 ? "n" : "p" + std::to_string(here - 1);
    return "\"p" + std::to_string(here) + "\": {\"value\": \"max(" + before + ", " + before +
           ") + min(" + before + ", 1) + " + before + "\"}";
  });
  return R"({"name": "reversed", "params": {)" + params +
         R"(, "n": {}}, "fields": [{"name": "f", "type": "u8", "shape": ["p40", "n"]}]})";
}

// Every dimension of `fields` fields is as long as an expression may be.
std::string long_fields(std::size_t fields, const std::string& unit, const std::string& params) {
  std::string expression = unit;
  while (expression.size() + unit.size() + 3 <= max_expression_bytes) expression += " + " + unit;
  const std::string shape =
      repeated(max_dimensions, [&](std::size_t) { return "\"" + expression + "\""; });
  return R"({"name": "long", "params": {)" + params + R"(}, "fields": [)" +
         repeated(fields,
                  [&](std::size_t index) {
                    return R"({"name": "f)" + std::to_string(index) +
                           R"(", "type": "u8", "shape": [)" + shape + "]}";
                  }) +
         "]}";
}

// Sums of all parameters times sums of all parameters, in every dimension of `fields` fields.
std::string products_of_sums(std::size_t fields) {
  std::string sum = "p0";
  for (std::size_t index = 1; index < max_params; ++index) sum += "+p" + std::to_string(index);
  const std::string product = "(" + sum + ")*(" + sum + ")*(" + sum + ")";
  REQUIRE(product.size() <= max_expression_bytes);
  const std::string params = repeated(
      max_params, [](std::size_t index) { return "\"p" + std::to_string(index) + "\": {}"; });
  const std::string shape =
      repeated(max_dimensions, [&](std::size_t) { return "\"" + product + "\""; });
  return R"({"name": "products", "params": {)" + params + R"(}, "fields": [)" +
         repeated(fields,
                  [&](std::size_t index) {
                    return R"({"name": "f)" + std::to_string(index) +
                           R"(", "type": "u8", "shape": [)" + shape + "]}";
                  }) +
         "]}";
}

std::string with_offsets() {
  return R"({"name": "offsets", "params": {"n": {}, "k": {}}, "fields": [)" +
         repeated(max_fields,
                  [&](std::size_t index) {
                    return R"({"name": "f)" + std::to_string(index) +
                           R"(", "type": "u32", "shape": ["n % )" + std::to_string(index + 2) +
                           R"("], "offset": "align_up(k * )" + std::to_string(1000 * (index % 7)) +
                           R"( + n * )" + std::to_string(1 + index * 31 % 17) + ", 4)\"}";
                  }) +
         "]}";
}

void use_everywhere(std::string_view what, const std::string& text,
                    const std::vector<std::string>& params) {
  CAPTURE(what);
  DescriptionPtr description;
  check_at_once("read", [&] { description = tests::described(text); });
  Assignments small;
  Assignments huge;
  Assignments all_but_last;
  for (const std::string& name : params) {
    if (&name != &params.back()) all_but_last.push_back({name, 1, {}});
    small.push_back({name, 1, {}});
    huge.push_back({name, ~std::uint64_t{0}, {}});
  }
  check_at_once("resolve", [&] { (void)resolve(description, small, {}); });
  check_at_once("resolve huge", [&] { (void)resolve(description, huge, {}); });
  check_at_once("resolve nothing", [&] { (void)resolve(description, {}, {}); });
  for (const Assignments& given : {Assignments{}, all_but_last, small}) {
    check_at_once("outline", [&] {
      const auto outlined = outline(description, given);
      if (!outlined) return;
      check_at_once("table", [&] { (void)layout_table(*outlined); });
      check_at_once("json", [&] { (void)layout_json(*outlined); });
    });
  }
  check_at_once("solve",
                [&] { (void)solve_param(description, all_but_last, {}, params.back(), 1000003); });
  check_at_once("dump", [&] { (void)resolve_dump(description, all_but_last, {}, 4096); });
}

TEST_CASE("parameters that double sixty-three times") {
  use_everywhere("values", doubling("value"), {"n"});
  use_everywhere("defaults", doubling("default"), {"n"});
  use_everywhere("declared backwards", reversed_doubling(), {"n"});
  const DescriptionPtr description = tests::described(doubling("value"));
  CHECK(tests::resolved(description, tests::given({{"n", 0}})).size == 0);
  CHECK((resolve(description, tests::given({{"n", 1}}), {}).error().code ==
         ErrorCode::size_overflow));
  CHECK((resolve(description, tests::given({{"n", 2}}), {}).error().code ==
         ErrorCode::arithmetic_overflow));
}

std::vector<std::string> numbered_params() {
  std::vector<std::string> params;
  for (std::size_t index = 0; index < max_params; ++index)
    params.push_back("p" + std::to_string(index));
  return params;
}

TEST_CASE("the longest expressions in all dimensions of a few fields") {
  use_everywhere("sums", long_fields(4, "n", R"("n": {})"), {"n"});
  use_everywhere("rungs", long_fields(4, "rung(n%5,k,3,n)", R"("k": {}, "n": {})"), {"k", "n"});
  use_everywhere("products", products_of_sums(1), numbered_params());
}

TEST_CASE("as many fields as there may be, each at its own offset") {
  use_everywhere("offsets", with_offsets(), {"k", "n"});
}

TEST_CASE("the largest description of all: resolving") {
  const DescriptionPtr description = tests::described(long_fields(max_fields, "n", R"("n": {})"));
  check_at_once("resolve", [&] { (void)resolve(description, tests::given({{"n", 1}}), {}); });
}

TEST_CASE("the largest description of all: solving") {
  const DescriptionPtr description = tests::described(long_fields(max_fields, "n%7", R"("n": {})"));
  check_at_once("solve", [&] { (void)solve_param(description, {}, {}, "n", 1000003); });
}

TEST_CASE("an outline of products of sums") {
  const DescriptionPtr description = tests::described(products_of_sums(8));
  check_at_once("outline", [&] { (void)outline(description, {}); });
}

TEST_CASE("sizes that bisection cannot narrow") {
  for (const std::string_view shape :
       {"(n % 97) * (n % 89) * 2", "align_up(n % 1000, n % 7 + 1) * 2 + 4"}) {
    const DescriptionPtr description = tests::described(tests::one_field("\"n\": {}", shape));
    CAPTURE(shape);
    check_at_once("solve", [&] {
      const auto solved = solve_param(description, {}, {}, "n", 5);
      REQUIRE_FALSE(solved.has_value());
      CHECK((solved.error().code == ErrorCode::param_unsolved));
    });
  }
}

TEST_CASE("a plateau that is never taken") {
  // The size is right for nearly all of 2^64 values, and the fields overlap at every one of them.
  const DescriptionPtr description = tests::described(R"-({"name": "t", "params": {"n": {}},
      "fields": [{"name": "a", "type": "u8", "shape": [8]},
                 {"name": "b", "type": "u8", "shape": ["min(n, 0) + 8"], "offset": 4}]})-");
  check_at_once("solve",
                [&] { CHECK_FALSE(solve_param(description, {}, {}, "n", 12).has_value()); });
}

}  // namespace
}  // namespace slabscope
