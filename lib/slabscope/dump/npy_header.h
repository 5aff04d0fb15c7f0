// The header of a .npy file: a literal of Python, read strictly and never evaluated. Knows nothing
// of the array's bytes.
#pragma once

#include <slabscope/dump/container.h>

namespace slabscope {

struct NpyField;

// What an array's elements are: a number, bytes or text of some width, or a record of fields.
struct NpyType {
  std::string name;                    // "<i4"; "record" where there are fields
  std::optional<ElementType> element;  // if it is one that a field of a layout can have
  std::uint64_t bytes = 0;
  std::uint64_t swap_bytes = 1;  // of each big-endian number in it
  std::vector<NpyField> fields;
};

struct NpyField {
  std::string name;
  NpyType type;
  std::vector<std::uint64_t> shape;  // of a field that is an array itself
  std::uint64_t offset = 0;          // in the record, bytes
};

struct NpyHeader {
  NpyType type;
  bool is_fortran = false;
  std::vector<std::uint64_t> shape;
};

inline constexpr std::size_t max_npy_header_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_npy_dimensions = 64;  // numpy's own limit

// Reads the text of a header, which begins at `offset` of the file. Errors: bad_container,
// unsupported_container (arrays of objects), limit_exceeded.
[[nodiscard]] Result<NpyHeader> read_npy_header(std::string_view text, std::uint64_t offset,
                                                const ContainerLimits& limits);

}  // namespace slabscope
