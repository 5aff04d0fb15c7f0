// Several slabs at offsets in one scratch buffer: an arena as described, and laid out at
// parameters.
#pragma once

#include <slabscope/layout/uploaded.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
// well-known one (but padded_rows) to every slab; `slab.name` to that slab alone. Error:
// unknown_param (no slab takes it).
Result<void> set_params(Arena& arena, const Assignments& params);
// Says how many rows are in use, to slabs whose layout has rows. Error: live_rows (none has).
Result<void> set_live_rows(Arena& arena, std::uint64_t live_rows);

// A slab in its place.
struct PlacedSlab {
  const ArenaSlab* slab = nullptr;
  std::optional<Layout> layout;    // none: parameters are unset
  std::vector<std::string> unset;  // these

  [[nodiscard]] std::uint64_t begin() const noexcept { return slab->offset; }
  [[nodiscard]] std::uint64_t end() const noexcept { return slab->offset + layout->size; }
  // Does it begin where its layout's first byte may not?
  [[nodiscard]] bool is_misaligned() const noexcept {
    return layout && slab->offset % layout->align != 0;
  }
};

// A parameter of the slab that begins first, and a value up to which the two do not share what they
// share, all other parameters as they are: of padded_rows the largest one; of others, which move
// fields too, the largest at which it ends before the other slab begins.
struct AvoidingParam {
  std::string name;
  std::uint64_t largest = 0;
};

// Two slabs that share bytes.
struct SlabOverlap {
  std::size_t first = 0;     // index of the one that begins first
  std::size_t second = 0;    // of the other
  std::uint64_t offset = 0;  // of the first shared byte, from the arena's start
  std::uint64_t end = 0;     // behind the last one
  std::uint64_t bytes = 0;   // that are shared, between the two
  bool is_uploaded = false;  // they are written for both; else only reserved for rows not uploaded
  bool is_one_phase = false;
  std::vector<AvoidingParam> avoided_by = {};  // of the first max_avoided_overlaps

  // Does one upload destroy another that is still needed?
  [[nodiscard]] bool is_error() const noexcept { return is_uploaded && is_one_phase; }
};

// Overlaps for which what would avoid them is looked for, and parameters of each: far more than
// engines have, and it bounds the time.
inline constexpr std::size_t max_avoided_overlaps = 16;
inline constexpr std::size_t max_tried_params = 8;

struct PlacedArena {
  explicit PlacedArena(Arena described) : arena(std::move(described)) {}
  PlacedArena(PlacedArena&&) = default;  // not copied: its slabs point into its arena
  PlacedArena& operator=(PlacedArena&&) = default;

  Arena arena;
  std::vector<PlacedSlab> slabs;      // in the arena's order
  std::vector<SlabOverlap> overlaps;  // by the offset of the slab that begins first

  // Does this slab end past its region or the arena?
  [[nodiscard]] bool is_past_room(const PlacedSlab& slab) const noexcept;
  // Does every slab that is laid out fit and begin where its layout may, and no overlap destroy
  // anything?
  [[nodiscard]] bool is_sound() const noexcept;
  // Bytes of the arena, before its end or that of its last slab, that no slab takes. Behind one
  // that is not laid out nobody knows.
  [[nodiscard]] std::vector<ByteRange> gaps() const;
};

// Lays out every slab. Slabs without a phase are in one. Errors: those of resolve() but
// param_missing and those of check_rows(), with the slab's name; size_overflow (a slab ends past
// 2^63). Cost: every pair of slabs, and up to 64 times that of resolve() for each parameter that
// may avoid an overlap.
Result<PlacedArena> place_arena(Arena arena);

// "slabs 'decode' and 'mtp' share 832 B from +49152 on ...", and what would avoid it.
std::string overlap_text(const PlacedArena& placed, const SlabOverlap& overlap);

}  // namespace slabscope
