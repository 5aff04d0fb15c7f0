// The bytes of a stored member of a zip: small ones are compared with their checksum when they are
// first read.
#pragma once

#include <slabscope/dump/zip.h>

namespace slabscope {

// Of larger members only what is asked for is read.
inline constexpr std::uint64_t max_checked_member_bytes = std::uint64_t{4} << 20;

class StoredMember final : public RandomAccess {
 public:
  // `opened`: the member's bytes. `is_checked`: of all members of the zip; `index`: of this one.
  StoredMember(ZipBytes opened, const ZipMember& member,
               std::shared_ptr<std::vector<bool>> is_checked, std::size_t index)
      : bytes_(std::move(opened.bytes)),
        name_(member.name),
        offset_(*opened.file_offset),
        crc_(member.crc),
        is_checked_(std::move(is_checked)),
        index_(index) {}

  std::uint64_t size() const override { return bytes_->size(); }
  bool goes_forward() const noexcept override { return bytes_->goes_forward(); }
  // Errors: those of the bytes; bad_container (they are others than were written).
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  [[nodiscard]] Result<void> check();

  std::shared_ptr<RandomAccess> bytes_;
  std::string name_;
  std::uint64_t offset_;  // of the first byte in the file, for errors
  std::uint32_t crc_;
  std::shared_ptr<std::vector<bool>> is_checked_;
  std::size_t index_;
};

}  // namespace slabscope
