#include <slabscope/check/roles.h>

#include <slabscope/base/integer_text.h>

#include <limits>

namespace slabscope {
namespace {

// Error param_range, with the place where the parameter was given.
Failure refused(const Layout& layout, std::string_view param, std::string message,
                std::uint64_t value, std::string allowed) {
  Error made = error(ErrorCode::param_range, std::move(message));
  if (const Assignment* const given = find(layout.given, param)) {
    made.file = given->origin.file;
    made.place = given->origin.place;
    made.pointer = given->origin.pointer;
  }
  return fail(std::move(made).with(std::to_string(value), std::move(allowed)));
}

}  // namespace

std::optional<std::uint64_t> stated_param(const Layout& layout, std::string_view param) {
  const ParamDescription* const declared = layout.description->find_param(param);
  const bool is_derived = declared != nullptr && declared->value;
  const Assignment* const found = find(is_derived ? layout.params : layout.given, param);
  return found != nullptr ? std::optional(found->value) : std::nullopt;
}

Result<std::optional<std::uint64_t>> stated_block_size(const Layout& layout) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::uint64_t> stated = stated_param(layout, "block_size");
  if (!stated || (*stated != 0 && *stated <= most)) return stated;
  return refused(
      layout, "block_size",
      *stated == 0 ? "a block holds at least one token" : "no block holds so many tokens", *stated,
      "1.." + std::to_string(most));
}

Result<void> check_index_bits(const Layout& layout) {
  const std::optional<std::uint64_t> stated = stated_param(layout, "kv_index_bits");
  if (!stated || is_index_width(*stated)) return {};
  return refused(layout, "kv_index_bits", "an index has 31 or 63 bits, one without a sign 32 or 64",
                 *stated, std::string(index_widths));
}

const ResolvedField* find_row_field(const Layout& layout, std::string_view role,
                                    std::size_t dimensions) {
  const ResolvedField* const field = layout.find_role(role);
  const bool fits = field != nullptr && field->item_shape().size() == dimensions &&
                    layout.description->is_of_rows(*field->description);
  return fits ? field : nullptr;
}

std::string slot_text(int128 slot, std::optional<std::uint64_t> block_size) {
  if (slot < 0 || !block_size) return to_text(slot);
  return to_text(slot) + " (block " + to_text(slot / *block_size) + " + " +
         to_text(slot % *block_size) + ")";
}

}  // namespace slabscope
