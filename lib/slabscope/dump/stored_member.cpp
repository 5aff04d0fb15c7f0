#include <slabscope/dump/stored_member.h>

#include <slabscope/base/integer_text.h>

#include <zlib.h>

#include <array>

namespace slabscope {

Result<std::size_t> StoredMember::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (!(*is_checked_)[index_] && offset < size() && !into.empty()) SLABSCOPE_TRY(check());
  return bytes_->read_at(offset, into);
}

Result<void> StoredMember::check() {
  std::array<std::byte, std::size_t{1} << 15> piece;
  auto crc = static_cast<std::uint32_t>(::crc32(0, nullptr, 0));
  for (std::uint64_t at = 0; at < size();) {
    SLABSCOPE_TRY_ASSIGN(count, bytes_->read_at(at, piece));
    crc = static_cast<std::uint32_t>(
        ::crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(count)));
    if (count == 0) break;  // the file has become shorter
    at += count;
  }
  if (crc != crc_)
    return fail(
        error(ErrorCode::bad_container, printable(name_) + ": the bytes have another checksum")
            .with(hex_text(crc), hex_text(crc_))
            .at_offset(offset_));
  (*is_checked_)[index_] = true;
  return {};
}

}  // namespace slabscope
