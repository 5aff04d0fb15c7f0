#include <slabscope/dump/npy_type.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>

namespace slabscope {
namespace {

Failure bad_type(std::string_view name, std::string_view why) {
  return fail(
      error(ErrorCode::bad_container, std::string(why))
          .with(printable(name, 40), "|b1 |i1 |u1, <u2 <i4 >u8 <f2 <c8, |S8 <U4 |V8 or alike"));
}

bool is_one_of(std::uint64_t bytes, std::initializer_list<std::uint64_t> widths) {
  return std::ranges::find(widths, bytes) != widths.end();
}

// Is there a number of this kind and width? Text and plain bytes have any width.
bool has_width(char kind, std::uint64_t bytes) {
  switch (kind) {
    case 'b': return bytes == 1;
    case 'i':
    case 'u': return is_one_of(bytes, {1, 2, 4, 8});
    case 'f': return is_one_of(bytes, {2, 4, 8, 12, 16});
    case 'c': return is_one_of(bytes, {8, 16, 24, 32});
    case 'm':
    case 'M': return bytes == 8;
    default: return true;
  }
}

// The bytes of one number in an element: what is turned around when it is big-endian.
std::uint64_t number_bytes(char kind, std::uint64_t bytes) {
  switch (kind) {
    case 'c': return bytes / 2;
    case 'U': return 4;
    case 'S':
    case 'V': return 1;
    default: return bytes;
  }
}

std::optional<ElementType> element_of(char kind, std::uint64_t bytes) {
  if (kind != 'i' && kind != 'u') return std::nullopt;
  return element_type(std::string(1, kind) + std::to_string(8 * bytes));
}

}  // namespace

Result<NpyType> npy_type(std::string_view name) {
  if (name.find('O') == 1)
    return fail(ErrorCode::unsupported_container,
                "the array holds Python objects, whose pickle is not executed; save the numbers "
                "alone, as in np.save(file, np.asarray(array, dtype=np.int32))");
  constexpr std::string_view kinds = "biufcmMSUV";
  if (name.size() < 3 || kinds.find(name[1]) == std::string_view::npos)
    return bad_type(name, "this is no type of numpy");
  const char kind = name[1];
  std::string_view digits = name.substr(2);
  if (kind == 'm' || kind == 'M') {  // the unit: "<M8[ns]"
    const std::size_t unit = std::min(digits.find('['), digits.size());
    if (unit != digits.size() && digits.back() != ']')
      return bad_type(name, "the unit of this type does not end");
    digits = digits.substr(0, unit);
  }
  const IntegerText width = parse_integer(digits);
  if (width.fault != IntegerTextFault::none ||
      digits.find_first_not_of("0123456789") != digits.npos || width.value > int128{UINT32_MAX})
    return bad_type(name, "the width of this type is no number of bytes");
  NpyType made;
  made.name = name;
  made.bytes = static_cast<std::uint64_t>(width.value) * (kind == 'U' ? 4 : 1);
  if (!has_width(kind, made.bytes)) return bad_type(name, "numpy has no type of this width");
  made.element = element_of(kind, made.bytes);
  const std::uint64_t number = number_bytes(kind, made.bytes);
  if (name[0] != '<' && name[0] != '>' && (name[0] != '|' || number != 1))
    return bad_type(name, "the order of this type's bytes is not said");
  if (name[0] == '>') made.swap_bytes = number;
  return made;
}

}  // namespace slabscope
