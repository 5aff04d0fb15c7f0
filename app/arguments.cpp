#include "arguments.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/catalog.h>
#include <slabscope/layout/description_reader.h>

namespace slabscope::app {
namespace {

Error bad_number(const std::string& option, const std::string& text, IntegerTextFault fault,
                 std::string_view allowed) {
  Error made = error(ErrorCode::bad_number, fault == IntegerTextFault::beyond_64_bits
                                                ? "the number is beyond 64 bits"
                                                : "this is no number");
  made.pointer = option;
  return std::move(made).with("'" + printable(text, 60) + "'", std::string(allowed));
}

Result<std::optional<std::uint64_t>> parse(const NumberOption& number,
                                           IntegerText (*parse_text)(std::string_view) noexcept,
                                           std::string_view allowed) {
  if (!number.text) return std::nullopt;
  IntegerText parsed = parse_text(*number.text);
  if (parsed.fault == IntegerTextFault::none && parsed.value < 0)
    parsed.fault = IntegerTextFault::not_an_integer;
  if (parsed.fault != IntegerTextFault::none)
    return fail(bad_number(number.option, *number.text, parsed.fault, allowed));
  return static_cast<std::uint64_t>(parsed.value);
}

}  // namespace

Result<std::optional<std::uint64_t>> parse_size(const NumberOption& number) {
  return parse(number, slabscope::parse_size, "a size such as 4096, 0x1000, 4KiB, 1MiB");
}

Result<std::optional<std::uint64_t>> parse_count(const NumberOption& number) {
  return parse(number, parse_integer, "an integer from 0, decimal or 0x..");
}

Result<Assignments> parse_params(const std::vector<std::string>& texts) {
  Assignments params;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      Error made = error(ErrorCode::usage, "a parameter is set with -D name=value")
                       .with("'" + printable(text, 60) + "'", {});
      return fail(std::move(made));
    }
    const std::string name = text.substr(0, equals);
    const std::string option = "-D " + name;
    SLABSCOPE_TRY_ASSIGN(value, parse({option, text.substr(equals + 1)}, parse_integer,
                                      "an integer from 0, decimal or 0x.."));
    assign(params, {name, *value, {{}, {}, option, true}});
  }
  return params;
}

Result<DescriptionPtr> load_layout(const std::string& name_or_path, Host& host) {
  if (name_or_path != "-" && name_or_path.find('/') == std::string::npos &&
      !name_or_path.ends_with(".json")) {
    Result<DescriptionPtr> found = builtin_layout(name_or_path);
    if (!found) found.error().pointer = "--layout";
    return found;
  }
  SLABSCOPE_TRY_ASSIGN(source, host.open(name_or_path));
  return read_description(*source, name_or_path);
}

}  // namespace slabscope::app
