// The slabs of an arena in a dump, one after the other by offset.
#pragma once

#include "dump_slabs.h"

#include <slabscope/arena/arena.h>

#include <memory>
#include <string>
#include <vector>

namespace slabscope::app {

// A built-in arena by name, or a file, as load_layout(); with parameters set. Errors: those of
// read_arena(), builtin_arena() and set_params().
Result<Arena> load_arena(const std::string& name_or_path, const Assignments& params,
                         const NumberOption& live_rows, Host& host);

class ArenaSlabs final : public SlabReader {
 public:
  // Lays out the arena of the options and finds its start in the dump. Errors: usage, those of
  // load_arena(), place_arena(), resolve_dump() and DumpBytes::open(), type_mismatch, short_dump.
  static Result<std::unique_ptr<ArenaSlabs>> open(const DumpOptions& options, Host& host, Dump dump,
                                                  std::optional<std::uint64_t> arena_bytes,
                                                  CutSlabs cut);

  [[nodiscard]] const DumpBytes& bytes() const noexcept override { return *bytes_; }
  [[nodiscard]] Result<std::optional<Slab>> next() override;
  [[nodiscard]] Result<std::size_t> read_behind(std::span<std::byte> into) override;
  [[nodiscard]] std::span<const Layout> layouts() const noexcept override { return layouts_; }
  [[nodiscard]] const PlacedArena* arena() const noexcept override { return &placed_; }

 private:
  ArenaSlabs(PlacedArena placed, CutSlabs cut) : placed_(std::move(placed)), cut_(cut) {}
  [[nodiscard]] Result<void> lay_out(const DumpOptions& options);
  [[nodiscard]] Result<void> open_bytes(const DumpOptions& options, Host& host, Dump dump);
  [[nodiscard]] Result<void> hold(std::uint64_t begin, std::uint64_t bytes);

  PlacedArena placed_;  // as it is uploaded
  CutSlabs cut_;
  std::optional<DumpBytes> bytes_;
  std::uint64_t offset_ = 0;     // of the arena in the dump
  std::vector<Layout> layouts_;  // of the rows that are asked for
  std::size_t number_ = 0;       // slabs read
  std::uint64_t end_ = 0;  // of what was read of slabs and behind them, from the arena's start
  Buffer held_;
  std::uint64_t held_at_ = 0;  // where held_ begins, from the arena's start
};

// The slabs that the options name: an arena's, or those of one layout. `arena_bytes`: of the whole
// arena, where the options say so. Errors: usage, those of ArenaSlabs::open() or DumpSlabs::open().
Result<std::unique_ptr<SlabReader>> open_slabs(const DumpOptions& options, Host& host,
                                               Dump dump = {},
                                               std::optional<std::uint64_t> arena_bytes = {},
                                               CutSlabs cut = CutSlabs::refuse);

}  // namespace slabscope::app
