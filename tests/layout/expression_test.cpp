// Expressions: what they mean, what is refused, and where a mistake is said to stand.
#include <slabscope/base/integer_text.h>

#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

constexpr std::string_view five_params =
    R"({"name": "t", "params": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}, "fields": []})";
constexpr std::uint64_t most = ~std::uint64_t{0};
constexpr std::uint64_t values[] = {7, 3, 0, most, 100};  // of a, b, c, d, e
// Expressions of these tests stand at line 3, column 10.
const Origin origin{"layout.json", {3, 10}, "/fields/0/offset", true};

// The value, or "code@position".
template <class T>
std::string outcome(const Result<T>& result) {
  if (result) return to_text(int128{*result});
  const Error& failed = result.error();
  CHECK(failed.file == "layout.json");
  CHECK(failed.pointer == "/fields/0/offset");
  CHECK(failed.place.line == 3);
  return std::string(info(failed.code).name) + "@" + std::to_string(failed.place.column - 10);
}

struct Evaluated {
  std::string count;
  std::string value;
};

Evaluated evaluated(std::string_view text) {
  const DescriptionPtr description = tests::described(five_params);
  const Result<Expression> expression = Expression::parse(text, origin);
  if (!expression) return {outcome(expression.map([](const Expression&) { return 0; })), "refused"};
  Scope scope(*description, 11, 5);
  for (std::size_t index = 0; index < 5; ++index) scope.set(index, values[index]);
  return {outcome(scope.count(*expression)), outcome(scope.value(*expression))};
}

struct Row {
  std::string_view text;
  std::string_view count;    // in unsigned 64 bits
  std::string_view value{};  // in signed 128 bits; empty: the same
};

constexpr Row meanings[] = {
    // Literals and names.
    {"0", "0"},
    {"42", "42"},
    {"0x2a", "42"},
    {"0x2A", "42"},
    {"18446744073709551615", "18446744073709551615"},
    {"0xffffffffffffffff", "18446744073709551615"},
    {"a", "7"},
    {"c", "0"},
    {"d", "18446744073709551615"},
    {"row_count", "11"},
    {"live_rows", "5"},
    {"  a  ", "7"},
    {"(a)", "7"},
    {"((((a))))", "7"},
    // Precedence and association.
    {"1+2*3", "7"},
    {"1*2+3", "5"},
    {"(1+2)*3", "9"},
    {"10-2*3", "4"},
    {"10-4-3", "3"},
    {"10-(4-3)", "9"},
    {"10-4+3", "9"},
    {"10+4-3", "11"},
    {"100/10/5", "2"},
    {"100/(10/5)", "50"},
    {"100/10*5", "50"},
    {"100*10/7", "142"},
    {"7%4%2", "1"},
    {"7%(4%3)", "0"},
    {"2*7%4", "2"},
    {"7%4*2", "6"},
    {"9/2%3", "1"},
    {"1+7%4", "4"},
    {"20-7%4", "17"},
    {"a-b", "4"},
    {"a*b+e", "121"},
    {"e-a*b", "79"},
    {"24*a + 4*a*b", "252"},
    // Unary minus binds tighter than any operator.
    {"-a", "negative_size@0", "-7"},
    {"--a", "negative_size@1", "7"},
    {"- - a", "negative_size@2", "7"},
    {"-a+10", "negative_size@0", "3"},
    {"10+-a", "negative_size@3", "3"},
    {"10--a", "negative_size@3", "17"},
    {"-a*-b", "negative_size@0", "21"},
    {"2*-b", "negative_size@2", "-6"},
    {"-2*b-1", "negative_size@0", "-7"},
    {"-c", "0"},
    {"-(b-b)", "0"},
    {"5--c", "5"},
    {"-(a-e)", "negative_size@3", "93"},
    {"-d", "negative_size@0", "-18446744073709551615"},
    {"-9223372036854775808", "negative_size@0", "-9223372036854775808"},
    // Division rounds down.
    {"a/b", "2"},
    {"6/b", "2"},
    {"c/b", "0"},
    {"a%b", "1"},
    {"6%b", "0"},
    {"d/d", "1"},
    {"d%d", "0"},
    {"d/2", "9223372036854775807"},
    // Functions.
    {"min(a,b)", "3"},
    {"min(b,a)", "3"},
    {"max(a,b)", "7"},
    {"max(b , a)", "7"},
    {"min(a,a)", "7"},
    {"max(d,1)", "18446744073709551615"},
    {"min(-a, b)", "negative_size@4", "-7"},
    {"max(-a, -b)", "negative_size@4", "-3"},
    {"ceil_div(a,b)", "3"},
    {"ceil_div(6,b)", "2"},
    {"ceil_div(c,b)", "0"},
    {"ceil_div(1,e)", "1"},
    {"ceil_div(d,2)", "9223372036854775808"},
    {"ceil_div(d,d)", "1"},
    {"align_up(a,b)", "9"},
    {"align_up(6,b)", "6"},
    {"align_up(c,8)", "0"},
    {"align_up(1,8)", "8"},
    {"align_up(8,8)", "8"},
    {"align_up(9,8)", "16"},
    {"align_up(5,3)", "6"},
    {"align_up(d,1)", "18446744073709551615"},
    {"align_up(d,d)", "18446744073709551615"},
    {"align_up(d-7,8)", "18446744073709551608"},
    {"max(32, min(a, ceil_div(e, b)))", "32"},
    {"min(1+2*3, (a-b)*5)", "7"},
    // rung: the least listed value that is not below the first operand, else the first operand.
    {"rung(a, 4, 8, 16)", "8"},
    {"rung(a, 16, 8, 4)", "8"},
    {"rung(a, 8, 4, 16, 9)", "8"},
    {"rung(8, 4, 8, 16)", "8"},
    {"rung(9, 4, 8, 16)", "16"},
    {"rung(16, 4, 8, 16)", "16"},
    {"rung(17, 4, 8, 16)", "17"},
    {"rung(c, 4, 8)", "4"},
    {"rung(c, c)", "0"},
    {"rung(a, b)", "7"},
    {"rung(a, 7)", "7"},
    {"rung(a, 9, 9)", "9"},
    {"rung(e, a, b, e+1, e*2)", "101"},
    {"rung(d, 1)", "18446744073709551615"},
    {"rung(-a, -8, -5)", "negative_size@5", "-5"},
    {"rung(97, 2,4,8,12,16,24,32,48,64,96,128)", "128"},
    {"rung(49, 2,4,8,12,16,24,32,48,64,96,128)", "64"},
    // The ends of the domains.
    {"d+0", "18446744073709551615"},
    {"d+1", "arithmetic_overflow@1", "18446744073709551616"},
    {"1 + d", "arithmetic_overflow@2", "18446744073709551616"},
    {"d+1-1", "arithmetic_overflow@1", "18446744073709551615"},
    {"d*1", "18446744073709551615"},
    {"d*2", "arithmetic_overflow@1", "36893488147419103230"},
    {"d*c", "0"},
    {"4294967296*4294967296", "arithmetic_overflow@10", "18446744073709551616"},
    {"4294967296*4294967295", "18446744069414584320"},
    {"d*d", "arithmetic_overflow@1", "arithmetic_overflow@1"},
    {"9223372036854775807*18446744073709551615", "arithmetic_overflow@19",
     "170141183460469231704017187605319778305"},
    {"b-a", "negative_size@1", "-4"},
    {"c-1", "negative_size@1", "-1"},
    {"2 * (b - a)", "negative_size@7", "-8"},
    {"align_up(d, 2)", "arithmetic_overflow@0", "18446744073709551616"},
    {"align_up(d-6, 8)", "arithmetic_overflow@0", "18446744073709551616"},
    {"2+align_up(d, 2)", "arithmetic_overflow@2", "18446744073709551618"},
    // Division by zero, at the operator or function.
    {"1/c", "division_by_zero@1"},
    {"1%c", "division_by_zero@1"},
    {"c/c", "division_by_zero@1"},
    {"1 + 2/c", "division_by_zero@5"},
    {"ceil_div(1,c)", "division_by_zero@0"},
    {"1+align_up(1,c)", "division_by_zero@2"},
    {"min(1, 1/c)", "division_by_zero@8"},
    // Division takes no negative operand.
    {"(b-a)/2", "negative_size@2", "negative_size@5"},
    {"a/-b", "negative_size@2", "negative_size@1"},
    {"a%(b-a)", "negative_size@4", "negative_size@1"},
    // The leftmost mistake comes first.
    {"(d+1)*(1/c)", "arithmetic_overflow@2", "division_by_zero@8"},
    {"1/c+d*d", "division_by_zero@1"},
};

TEST_CASE("what expressions mean") {
  for (const Row& row : meanings) {
    CAPTURE(row.text);
    const Evaluated found = evaluated(row.text);
    CHECK(found.count == row.count);
    CHECK(found.value == (row.value.empty() ? row.count : row.value));
  }
}

// '@' stands before the offending byte.
constexpr std::string_view mistakes[] = {
    "@",
    "   @",
    "@*2",
    "@+1",
    "@/",
    "@)",
    "@,",
    "@'a'",
    "@\"a\"",
    "@#",
    "@.5",
    "1+@",
    "1 -  @",
    "1*@",
    "1*@*2",
    "1+@+2",
    "2*@+1",
    "-@",
    "--@",
    "-@)",
    "1 @2",
    "a @b",
    "a @1",
    "2@(3)",
    "(a)@(b)",
    "(@)",
    "(1@",
    "(1 @2)",
    "(1@]",
    "((1)@",
    "1@)",
    "a@[0]",
    "a@;",
    "a@,b",
    "a @= 2",
    "a @== 2",
    "a @&& b",
    "a @< 2",
    "a @<< 2",
    "a@^2",
    "a @! b",
    "a @? b : c",
    "a@.b",
    "1@.5",
    "1@,5",
    "a*@*b",
    "a@\tb",
    "a@\nb",
    "a@\xC3\xA9",
    "@\xC3\xA9",
    "a + @\xFF",
    "@0x",
    "@0X10",
    "@0xg",
    "@010",
    "@00",
    "1 + @08",
    "@1_000",
    "@1a",
    "@1e3",
    "@0b1",
    "@18446744073709551616",
    "a + @18446744073709551616",
    "@0x10000000000000000",
    "@99999999999999999999999999999999999999999",
    "@min",
    "@rung + 1",
    "1 + @max * 2",
    "@foo(1)",
    "@a(1)",
    "@a (3)",
    "1 + @Min(1, 2)",
    "@min(1)",
    "@min(1,2,3)",
    "@max(1)",
    "@ceil_div(1)",
    "@align_up(1,2,3)",
    "@rung(1)",
    "min(@)",
    "min(@,1)",
    "min(1,@)",
    "min(1,@,2)",
    "min(1@",
    "min(1,2@",
    "min(1 @2)",
    "min(1@;2)",
    "rung(@)",
    "1 + @min(2) + 3",
};

TEST_CASE("mistakes are told at the offending byte") {
  for (const std::string_view marked : mistakes) {
    CAPTURE(marked);
    const Result<Expression> read = Expression::parse(tests::MarkedText(marked).text, origin);
    REQUIRE_FALSE(read.has_value());
    CHECK(outcome(read.map([](const Expression&) { return 0; })) ==
          "bad_expression@" + std::to_string(marked.find('@')));
    CHECK(to_line(read.error(), "slabscope").find('\n') == std::string::npos);
  }
}

TEST_CASE("a zero byte is no blank") {
  using namespace std::string_view_literals;
  CHECK(evaluated("a\0+b"sv).count == "bad_expression@1");
  CHECK(evaluated("\0"sv).count == "bad_expression@0");
}

TEST_CASE("a message shows the expression, and what came and could have come") {
  const Result<Expression> read = Expression::parse("4 * (rows + ]", origin);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().message.find("4 * (rows + ]") != std::string::npos);
  CHECK(read.error().got == "']'");
  CHECK(to_line(read.error(), "slabscope")
            .starts_with("layout.json:3:22: error[bad_expression]: /fields/0/offset: "));
  const Result<Expression> call = Expression::parse("clamp(1,2)", origin);
  REQUIRE_FALSE(call.has_value());
  CHECK(call.error().allowed == "min, max, ceil_div, align_up, rung");
}

TEST_CASE("in a text with escapes only the text's own place is told") {
  const Origin inexact{"layout.json", {3, 10}, "/fields/0/offset", false};
  const Result<Expression> read = Expression::parse("1 + ]", inexact);
  REQUIRE_FALSE(read.has_value());
  CHECK(tests::shown(read.error().place) == "3:10");
}

std::string times(std::size_t count, std::string_view text) {
  std::string made;
  for (std::size_t index = 0; index < count; ++index) made += text;
  return made;
}

TEST_CASE("limits of length and depth") {
  CHECK(max_expression_bytes == 1024);
  CHECK(max_expression_depth == 64);
  struct Limit {
    std::string_view what;
    std::string text;
    std::string count;
  };
  const Limit rows[] = {
      {"1024 bytes", std::string(1023, ' ') + "7", "7"},
      {"1025 bytes", std::string(1024, ' ') + "7", "limit_exceeded@0"},
      {"a megabyte", std::string(1000000, '1'), "limit_exceeded@0"},
      {"a sum of 512 terms", "1" + times(511, "+1"), "512"},
      {"a product of 512 factors", "1" + times(511, "*1"), "1"},
      {"64 parentheses", times(64, "(") + "7" + times(64, ")"), "7"},
      {"64 signs", times(64, "-") + "c", "0"},
      {"65 signs", times(65, "-") + "c", "limit_exceeded@64"},
      {"64 calls", times(64, "min(9,") + "7" + times(64, ")"), "7"},
      {"100 parentheses one after the other", "(1)" + times(99, "+(1)"), "100"},
      {"a rung of 500 values", "rung(400" + times(500, ",9") + ")", "400"},
  };
  for (const Limit& row : rows) {
    CAPTURE(row.what);
    CHECK(evaluated(row.text).count == row.count);
  }
  for (const std::string& deep :
       {times(65, "(") + "7" + times(65, ")"), times(65, "min(9,") + "7" + times(65, ")"),
        times(22, "(-max(1,") + "c", times(500, "("), times(1024, "-")}) {
    CAPTURE(deep);
    CHECK(evaluated(deep).count.starts_with("limit_exceeded@"));
  }
}

TEST_CASE("the 65th parenthesis is the offending byte") {
  CHECK(evaluated(times(65, "(") + "7" + times(65, ")")).count == "limit_exceeded@64");
}

TEST_CASE("names in an expression, left to right, with their places") {
  const Result<Expression> read = Expression::parse("min(rows, 4*n) - rows % (_x1)", origin);
  REQUIRE(read.has_value());
  std::string found;
  read->for_each_name([&](std::string_view name, std::size_t position) {
    found.append(name).append("@").append(std::to_string(position)).append(" ");
  });
  CHECK(found == "rows@4 n@12 rows@17 _x1@25 ");
}

TEST_CASE("an expression that is one name or one number is known as such") {
  struct Single {
    std::string_view text;
    std::string_view name;
    bool constant;
  };
  const Single rows[] = {
      {"rows", "rows", false},
      {" rows ", "rows", false},
      {"(rows)", "rows", false},
      {"rows+0", "", false},
      {"-rows", "", false},
      {"7", "", true},
      {"0x7", "", true},
      {" 7 ", "", true},
      {"-7", "", false},
      {"3+4", "", false},
      {"rung(rows, 4)", "", false},
  };
  for (const Single& row : rows) {
    CAPTURE(row.text);
    const Result<Expression> read = Expression::parse(row.text, origin);
    REQUIRE(read.has_value());
    CHECK(read->as_name() == row.name);
    CHECK(read->is_constant() == row.constant);
    CHECK(read->text() == row.text);
  }
  const Expression negative = Expression::constant(-5, origin);
  CHECK(negative.is_constant());
  CHECK(negative.text() == "-5");
  const DescriptionPtr description = tests::described(five_params);
  Scope scope(*description, 1, 1);
  CHECK(outcome(scope.value(negative)) == "-5");
  CHECK(outcome(scope.count(negative)) == "negative_size@0");
}

TEST_CASE("names of parameters, fields and layouts") {
  const std::string longest(64, 'a');
  const std::string too_long(65, 'a');
  struct Name {
    std::string_view text;
    bool is_name;
  };
  const Name rows[] = {
      {"a", true},     {"A9_z", true},      {"_", true},    {"_1", true},
      {longest, true}, {too_long, false},   {"", false},    {"1a", false},
      {"a-b", false},  {"a b", false},      {" a", false},  {"a.b", false},
      {"a\n", false},  {"\xC3\xA9", false}, {"a/b", false}, {std::string_view("a\0", 2), false},
  };
  for (const Name& row : rows) {
    CAPTURE(row.text);
    CHECK(is_identifier(row.text) == row.is_name);
  }
  for (const std::string_view name : {"min", "max", "ceil_div", "align_up", "rung"})
    CHECK(is_function_name(name));
  for (const std::string_view name : {"Min", "rungs", "rows", ""})
    CHECK_FALSE(is_function_name(name));
}

}  // namespace
}  // namespace slabscope
