#include <slabscope/base/integer_text.h>
#include <slabscope/dump/self_description.h>

#include <string_view>
#include <utility>

namespace slabscope {
namespace {

constexpr std::string_view prefix = "slabscope.";
constexpr std::string_view param_prefix = "param.";

Failure fault(ErrorCode code, std::string message, const ContainerFact& fact, std::string got = {},
              std::string allowed = {}) {
  return fail(
      error(code, std::move(message)).with(std::move(got), std::move(allowed)).at({}, fact.name));
}

Result<std::uint64_t> number_of(const ContainerFact& fact) {
  const IntegerText parsed = parse_integer(fact.value);
  if (parsed.fault != IntegerTextFault::none || parsed.value < 0)
    return fault(ErrorCode::out_of_range, "this is no count", fact, printable(fact.value, 40),
                 "0 to 18446744073709551615");
  return static_cast<std::uint64_t>(parsed.value);
}

Result<void> set_once(std::optional<std::uint64_t>& into, const ContainerFact& fact) {
  if (into) return fault(ErrorCode::duplicate_key, "the dump says this twice", fact);
  SLABSCOPE_TRY_ASSIGN(value, number_of(fact));
  into = value;
  return {};
}

Result<void> set_param(Assignments& into, const std::string& name, const ContainerFact& fact) {
  if (name.empty()) return fault(ErrorCode::unknown_key, "a parameter without a name", fact);
  if (find(into, name) != nullptr)
    return fault(ErrorCode::duplicate_key, "the dump says this twice", fact);
  SLABSCOPE_TRY_ASSIGN(value, number_of(fact));
  into.push_back({name, value, {{}, {}, fact.name, true}});
  return {};
}

// As slabscope_dump.h writes it. What a dump says never opens a file, nor standard input.
bool is_layout_name(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !text.empty() && text.front() != '-' &&
         text.find_first_not_of(letters) == std::string_view::npos;
}

Result<void> set_fact(SelfDescription& into, const ContainerFact& fact) {
  const std::string_view key = std::string_view(fact.name).substr(prefix.size());
  if (key == "live_rows") return set_once(into.live_rows, fact);
  if (key == "offset") return set_once(into.offset, fact);
  if (key == "base_address") return {};  // of the region, as the container reads it
  if (key.substr(0, param_prefix.size()) == param_prefix)
    return set_param(into.params, std::string(key.substr(param_prefix.size())), fact);
  if (key != "layout")
    return fault(ErrorCode::unknown_key, "the dump says something of itself that is not known",
                 fact, {},
                 "slabscope.layout, slabscope.param.NAME, slabscope.live_rows, slabscope.offset");
  if (!into.layout.empty())
    return fault(ErrorCode::duplicate_key, "the dump says this twice", fact);
  if (!is_layout_name(fact.value))
    return fault(ErrorCode::unknown_layout, "this is no name of a layout", fact,
                 printable(fact.value, 40));
  into.layout = fact.value;
  return {};
}

}  // namespace

Result<std::optional<SelfDescription>> self_description(std::span<const ContainerFact> facts) {
  std::optional<SelfDescription> made;
  for (const ContainerFact& fact : facts) {
    if (std::string_view(fact.name).substr(0, prefix.size()) != prefix) continue;
    if (!made) made.emplace();
    SLABSCOPE_TRY(set_fact(*made, fact));
  }
  if (made && made->layout.empty())
    return fail(error(ErrorCode::missing_key, "the dump names parameters and no layout")
                    .at({}, "slabscope.layout"));
  return made;
}

}  // namespace slabscope
