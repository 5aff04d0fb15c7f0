#include "slab_case.h"

#include "fuzzed_input.h"
#include "limits.h"
#include "property.h"

#include <algorithm>

namespace slabscope::fuzz {
namespace {

static_assert(header_none - header_boundary < std::size(boundaries));

std::optional<std::uint64_t> header_number(std::uint8_t byte) {
  if (byte == header_none) return std::nullopt;
  return byte < header_boundary ? byte : boundaries[byte - header_boundary];
}

}  // namespace

std::optional<SlabCase> read_slab_case(std::span<const std::uint8_t> bytes) {
  FuzzedInput input(bytes.data(), bytes.size());
  SlabCase made;
  made.origin = &layouts()[input.below(layouts().size())];
  const std::optional<std::uint64_t> live = header_number(input.byte());
  ReferenceParams params;
  for (const std::string& name : made.origin->settable)
    if (const auto value = header_number(input.byte())) params.emplace_back(name, *value);
  // How far the region goes past the slab's end; above 0x7F, how far it ends before it.
  const std::uint8_t region = input.byte();
  const std::uint8_t rows_in_group = input.byte();
  made.header_bytes = bytes.size() - input.rest().size();

  const std::size_t window = input.rest().size();
  auto resolved = resolve_dump(made.origin->description, assignments(params), live, window);
  if (!resolved) {
    check_error(resolved.error(), {}, {});
    return std::nullopt;
  }
  made.layout = std::move(resolved->layout);
  require(resolved->note.empty() || made.layout.size == window,
          "a parameter that is solved gives a slab of all the bytes");
  if (!check_size(made.layout, max_slab_bytes, {})) return std::nullopt;
  const std::uint64_t size = made.layout.size;
  if (region != header_none)
    made.region_bytes =
        region < 0x80 ? size + region : size - std::min<std::uint64_t>(size, region - 0x7FU);
  if (rows_in_group != header_none)
    for (std::uint64_t row = 0; row < made.layout.live_rows; ++row)
      made.groups.push_back(static_cast<std::int64_t>(row / (rows_in_group + 1U)));
  const auto rest = input.rest();
  made.slab.resize(made.layout.size);
  made.slab.shrink_to_fit();
  std::copy_n(rest.begin(), std::min(rest.size(), made.slab.size()), made.slab.begin());
  return made;
}

}  // namespace slabscope::fuzz
