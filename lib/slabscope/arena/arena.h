// Several slabs at offsets in one scratch buffer: an arena as described, and laid out at
// parameters.
#pragma once

#include <slabscope/layout/layout.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// Far above what engines place in a buffer; every pair of them may overlap.
inline constexpr std::size_t max_arena_slabs = 256;
inline constexpr std::size_t max_arena_bytes = std::size_t{1} << 24;  // of the document

struct ArenaSlab {
  std::string name;
  DescriptionPtr layout;
  Assignments params;
  std::uint64_t offset = 0;                   // bytes from the arena's start
  std::optional<std::uint64_t> region_bytes;  // what the slab may take
  std::string phase;                          // slabs of one phase are live at the same time
  std::optional<std::uint64_t> live_rows;
  Origin origin;
};

struct Arena {
  std::string name;
  std::optional<std::uint64_t> bytes;  // of the whole buffer
  std::vector<ArenaSlab> slabs;        // by offset

  // How far a slab may reach: its region, and the arena's end. None: nobody says.
  [[nodiscard]] std::optional<std::uint64_t> room(const ArenaSlab& slab) const noexcept;
};

// Sets parameters of an arena's slabs. `name` goes to every slab whose layout declares it, and a
// well-known one (but padded_rows) to every slab; `slab.name` to that slab alone. `live_rows` goes
// to slabs whose layout has rows. Errors: unknown_param (no slab takes it), live_rows.
Result<void> set_params(Arena& arena, const Assignments& params,
                        std::optional<std::uint64_t> live_rows);

// Bytes [begin, end).
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What an engine writes of a slab, by offset: its fields, of those with rows the padded ones, and
// gaps where the layout says that they are zero.
std::vector<ByteRange> uploaded_ranges(const Layout& layout);

// A slab in its place.
struct PlacedSlab {
  const ArenaSlab* slab = nullptr;
  std::optional<Layout> layout;    // none: parameters are unset
  std::vector<std::string> unset;  // these

  [[nodiscard]] std::uint64_t begin() const noexcept { return slab->offset; }
  [[nodiscard]] std::uint64_t end() const noexcept { return slab->offset + layout->size; }
};

// Two slabs that share bytes.
struct SlabOverlap {
  std::size_t first = 0;     // index of the one that begins first
  std::size_t second = 0;    // of the other
  std::uint64_t offset = 0;  // of the first shared byte, from the arena's start
  std::uint64_t bytes = 0;   // that are shared
  bool is_uploaded = false;  // they are written for both; else only reserved for rows not uploaded
  bool is_one_phase = false;

  // Does one upload destroy another that is still needed?
  [[nodiscard]] bool is_error() const noexcept { return is_uploaded && is_one_phase; }
};

struct PlacedArena {
  Arena arena;
  std::vector<PlacedSlab> slabs;      // in the arena's order
  std::vector<SlabOverlap> overlaps;  // by the offset of the slab that begins first

  // Does this slab end past its region or the arena?
  [[nodiscard]] bool is_past_room(const PlacedSlab& slab) const noexcept;
  // Does every slab that is laid out fit, and no overlap destroy anything?
  [[nodiscard]] bool is_sound() const noexcept;
  // Bytes of the arena that no slab takes. Behind one that is not laid out nobody knows.
  [[nodiscard]] std::vector<ByteRange> gaps() const;
};

// Lays out every slab. Errors: those of resolve() but param_missing, with the slab's name;
// size_overflow (a slab ends past 2^63).
Result<PlacedArena> place_arena(Arena arena);

// A parameter of the slab that begins first, and the largest value at which it ends before the
// other one begins, all others as they are.
struct AvoidingParam {
  std::string name;
  std::uint64_t largest = 0;
};
// Of each parameter that helps.
std::vector<AvoidingParam> avoid(const PlacedArena& placed, const SlabOverlap& overlap);
// "slabs 'decode' and 'mtp' share 832 B from +49152 on ...", and what would avoid it.
std::string overlap_text(const PlacedArena& placed, const SlabOverlap& overlap);

}  // namespace slabscope
