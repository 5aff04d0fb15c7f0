// Property: an expression has the value of a second evaluator, as a count and as a value, or the
// same fault at the same operator; what one cannot parse, the other cannot, and errors point into
// the text. Input: a line of text, then numbers for a, b, c, row_count and live_rows.
#include "support/fuzzed_input.h"
#include "support/property.h"
#include "support/reference_expression.h"

#include <slabscope/layout/scope.h>

#include <algorithm>
#include <array>

namespace {

using namespace slabscope;

constexpr std::array<std::string_view, 5> names = {"a", "b", "c", "row_count", "live_rows"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\n'));
  fuzz::FuzzedInput numbers(data + text.size(), size - text.size());
  (void)numbers.byte();  // the end of the line
  const auto parsed = Expression::parse(text, {"text", {1, 1}, "/x", true});
  fuzz::require(parsed.has_value() == fuzz::names_in_reference(text).has_value(),
                "both parsers take the same texts");
  if (!parsed) return fuzz::check_error(parsed.error(), text, "text"), 0;
  // Readers refuse unknown names before anything is evaluated.
  std::size_t unknown = 0;
  parsed->for_each_name([&](std::string_view each, std::size_t) {
    unknown += std::find(names.begin(), names.end(), each) == names.end();
  });
  if (unknown != 0) return 0;
  Description description;
  for (const std::string_view each : {"a", "b", "c"}) description.params.emplace_back().name = each;
  std::array<std::uint64_t, names.size()> values{};
  std::generate(values.begin(), values.end(), [&] { return numbers.number(); });
  Scope scope(description, values[3], values[4]);
  for (std::size_t index = 0; index < 3; ++index) scope.set(index, values[index]);
  const auto value_of = [&](std::string_view name) -> fuzz::ReferenceValue {
    return {values[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                            names.begin())]};
  };
  const auto reference = [&](fuzz::ReferenceDomain domain) {
    return fuzz::evaluate_reference(text, domain, value_of).value();
  };
  fuzz::check_value(scope.count(*parsed), reference(fuzz::ReferenceDomain::counts), text);
  fuzz::check_value(scope.value(*parsed), reference(fuzz::ReferenceDomain::values), text);
  return 0;
}
