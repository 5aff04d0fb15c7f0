// The device addresses of a dump: which region holds one, and bytes across regions that abut.
#pragma once

#include <slabscope/dump/container.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// How many regions may lie over one address before reading there is refused: their bytes are all
// compared.
inline constexpr std::size_t max_regions_over_address = 16;

// A byte of a container.
struct RegionPlace {
  std::size_t region = 0;
  std::uint64_t offset = 0;  // bytes from the region's start
};

struct RegionBase {
  std::size_t region = 0;
  std::uint64_t address = 0;
};

// Addresses [begin, end) that the file has bytes for.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t region = 0;
};

class AddressRun;

class AddressSpace {
 public:
  // `based`: a region and the address of its first byte, which the container does not say.
  explicit AddressSpace(std::shared_ptr<Container> container,
                        std::optional<RegionBase> based = std::nullopt);

  // Of a region, if it has one.
  [[nodiscard]] std::optional<std::uint64_t> address(std::size_t region) const noexcept;
  // In any region, or in `only` this one. Of a region whose size is not known, what is before the
  // address is read. Errors: address_outside, with the nearest region and the distance; those of
  // these bytes.
  [[nodiscard]] Result<RegionPlace> find(std::uint64_t address,
                                         std::optional<std::size_t> only = std::nullopt) const;
  // Bytes from the start of `region` (which has an address) on, through all regions that abut.
  [[nodiscard]] std::shared_ptr<AddressRun> run(std::size_t region) const;
  // "region '.cudbg.global.1' [0x..,0x..)".
  [[nodiscard]] std::string describe(std::size_t region) const;

 private:
  [[nodiscard]] std::uint64_t bytes(std::size_t region) const;
  [[nodiscard]] std::optional<AddressRange> claimed(std::size_t region) const;
  [[nodiscard]] std::optional<AddressRange> held(std::size_t region) const;
  [[nodiscard]] Result<bool> holds(std::size_t region, std::uint64_t offset) const;
  [[nodiscard]] Error outside(std::uint64_t address, std::optional<std::size_t> only) const;

  std::shared_ptr<Container> container_;
  std::optional<RegionBase> based_;
};

// Where regions lie over each other their bytes must be the same.
class AddressRun final : public RandomAccess {
 public:
  // `open`: the bytes of the first range, where only reading them tells how many they are.
  AddressRun(std::shared_ptr<Container> container, std::vector<AddressRange> ranges,
             const AddressRange& first, std::shared_ptr<RandomAccess> open = nullptr);

  std::uint64_t size() const override;
  std::optional<std::uint64_t> known_size() const override;
  // Errors: ambiguous_address, limit_exceeded (more regions over one address than are compared),
  // and those of the regions' bytes.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

  // The region that holds a byte of the run.
  [[nodiscard]] RegionPlace locate(std::uint64_t offset) const noexcept;
  [[nodiscard]] std::uint64_t end() const { return begin_ + size(); }  // an address
  // Where the next region begins behind the hole that ends the run.
  [[nodiscard]] std::optional<AddressRange> next() const noexcept;

 private:
  struct Active {
    AddressRange range;
    std::shared_ptr<RandomAccess> bytes;
  };
  [[nodiscard]] Result<void> go_to(std::uint64_t address);
  [[nodiscard]] Result<void> compare(std::span<const std::byte> read, std::uint64_t address);
  [[nodiscard]] std::string name(std::size_t region) const;

  std::shared_ptr<Container> container_;
  std::vector<AddressRange> ranges_;  // by their begin
  std::vector<std::uint64_t> reach_;  // of each: the last end of it and those before
  AddressRange first_;
  std::shared_ptr<RandomAccess> open_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t at_ = 0;        // the address up to which regions have been entered
  std::size_t entered_ = 0;     // of ranges_
  std::vector<Active> active_;  // those that hold at_, the first one first
};

}  // namespace slabscope
