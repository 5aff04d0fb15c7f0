#include "region_type.h"

#include <algorithm>

namespace slabscope::app {
namespace {

Failure mismatch(const RegionType& type, std::string message, std::string got,
                 std::string allowed) {
  return fail(error(ErrorCode::type_mismatch, "the dump holds " + printable(type.name, 40) + ", " +
                                                  std::move(message) +
                                                  "; --reinterpret takes the bytes all the same")
                  .with(std::move(got), std::move(allowed)));
}

std::string described(const ResolvedField& field) {
  return field.name() + " " + std::string(name(field.type()));
}

}  // namespace

Result<void> check_region_type(const RegionType& type, const Layout& layout, std::uint64_t offset,
                               std::uint64_t stride) {
  if (type.bytes <= 1) return {};
  if (!type.element)
    return mismatch(type, "which no field of a layout is", {}, joined(element_type_names));
  const std::uint64_t width = element_bytes(*type.element);
  const std::string widths = std::to_string(width) + " B a number";
  const auto is_there = [](const ResolvedField& each) { return each.bytes != 0; };
  bool is_any_as_wide = std::none_of(layout.fields.begin(), layout.fields.end(), is_there);
  for (const ResolvedField& each : layout.fields) {
    if (!is_there(each)) continue;
    const std::uint64_t bytes = each.element_bytes();
    if (bytes < width)
      return mismatch(type, "and a field of the layout is narrower", described(each), widths);
    if (bytes != width && type.is_big_endian)
      return mismatch(type, "big-endian, and a field of the layout is wider", described(each),
                      widths);
    is_any_as_wide = is_any_as_wide || bytes == width;
  }
  if (!is_any_as_wide)
    return mismatch(type, "and all fields of the layout are wider",
                    described(*std::find_if(layout.fields.begin(), layout.fields.end(), is_there)),
                    widths);
  if (offset % width != 0)
    return mismatch(type, "and the slab begins inside a number", "offset " + std::to_string(offset),
                    "multiples of " + std::to_string(width));
  if (stride % width != 0)
    return mismatch(type, "and the next slab begins inside a number",
                    "stride " + std::to_string(stride), "multiples of " + std::to_string(width));
  return {};
}

}  // namespace slabscope::app
