// Property: an expression has the value that a second evaluator gives it, as a count and as a
// value, or both find the same fault at the same operator; what one cannot parse, the other cannot,
// and the error points into the text. Input: a line of text, then numbers for the names a, b, c,
// row_count and live_rows.
#include "support/fuzzed_input.h"
#include "support/property.h"
#include "support/reference_expression.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/scope.h>

#include <array>

namespace {

using namespace slabscope;

constexpr std::array<std::string_view, 5> names = {"a", "b", "c", "row_count", "live_rows"};

template <class T>
void compare(const Result<T>& got, const fuzz::ReferenceValue& wanted, std::string_view text) {
  if (!got) fuzz::check_error(got.error(), text, "text");
  const std::string fault(got ? "" : info(got.error().code).name);
  const bool same =
      got ? *got == static_cast<T>(wanted.value) : got.error().place.column == wanted.position + 1;
  fuzz::require(same && fault == wanted.fault, "value or fault are those of a second evaluator",
                [&] { return std::string(text) + ": " + to_text(wanted.value) + wanted.fault; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\n'));
  fuzz::FuzzedInput numbers(data + text.size(), size - text.size());
  (void)numbers.byte();  // the end of the line
  const auto parsed = Expression::parse(text, {"text", {1, 1}, "/x", true});
  const auto used = fuzz::names_in_reference(text);
  fuzz::require(parsed.has_value() == used.has_value(), "both parsers take the same texts");
  if (!parsed) return fuzz::check_error(parsed.error(), text, "text"), 0;
  for (const std::string& each : *used)
    if (std::find(names.begin(), names.end(), each) == names.end()) return 0;
  Description description;
  for (const std::string_view each : {"a", "b", "c"}) description.params.emplace_back().name = each;
  std::array<std::uint64_t, names.size()> values{};
  for (std::uint64_t& each : values) each = numbers.number();
  Scope scope(description, values[3], values[4]);
  for (std::size_t index = 0; index < 3; ++index) scope.set(index, values[index]);
  const auto value_of = [&](std::string_view name) -> fuzz::ReferenceValue {
    const auto* const at = std::find(names.begin(), names.end(), name);
    return {values[static_cast<std::size_t>(at - names.begin())]};
  };
  const auto reference = [&](fuzz::ReferenceDomain domain) {
    return fuzz::evaluate_reference(text, domain, value_of).value();
  };
  compare(scope.count(*parsed), reference(fuzz::ReferenceDomain::counts), text);
  compare(scope.value(*parsed), reference(fuzz::ReferenceDomain::values), text);
  return 0;
}
