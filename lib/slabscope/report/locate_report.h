// Which slab, field, row and index a byte belongs to, for people and as JSON.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/layout/owner.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// Slabs in a space of their own: an arena's, or one alone at 0.
struct LocatableSlab {
  std::string name;  // empty: it is alone
  const Layout* layout = nullptr;
  std::uint64_t begin = 0;
};

class Locator {
 public:
  // `slabs` are in order of begin. `base`: the address of offset 0, where positions are addresses.
  Locator(std::vector<LocatableSlab> slabs, std::optional<std::uint64_t> base)
      : slabs_(std::move(slabs)), base_(base) {}

  // A position: an offset, or an address.
  void add(std::uint64_t position) { positions_.push_back(position); }
  // Is each of them in a slab?
  [[nodiscard]] bool all_inside() const;

  [[nodiscard]] std::string text() const;
  // `arena`: its name, empty for a slab alone.
  [[nodiscard]] std::string json(const std::string& arena) const;

 private:
  struct Place {
    const LocatableSlab* slab = nullptr;
    std::uint64_t offset = 0;  // in the slab
    Owner owner;
  };
  // The slabs that a byte is not in, and how far it is from them: past 64 bits at the far ends.
  struct Neighbours {
    const LocatableSlab* before = nullptr;  // ends nearest before the byte
    int128 behind_its_end = 0;              // bytes from its last one; 1 is the next one
    const LocatableSlab* after = nullptr;   // begins nearest after the byte
    int128 before_its_begin = 0;
  };
  [[nodiscard]] int128 offset(std::uint64_t position) const noexcept {
    return int128{position} - base_.value_or(0);
  }
  [[nodiscard]] std::vector<Place> places(int128 offset) const;
  [[nodiscard]] Neighbours neighbours(int128 offset) const;
  [[nodiscard]] std::string position_text(std::uint64_t position) const;

  std::vector<LocatableSlab> slabs_;
  std::optional<std::uint64_t> base_;
  std::vector<std::uint64_t> positions_;
};

}  // namespace slabscope
