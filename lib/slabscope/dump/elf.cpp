#include <slabscope/dump/elf.h>

#include <slabscope/base/checked.h>
#include <slabscope/base/little_endian.h>

#include <algorithm>
#include <array>

namespace slabscope {
namespace {

constexpr std::uint64_t header_bytes = 64;
constexpr std::uint64_t section_bytes = 64;
constexpr std::uint64_t segment_bytes = 56;
constexpr std::uint64_t max_text = 256;  // of a name that is shown

std::uint16_t u16(const std::byte* at) { return load_little_endian<std::uint16_t>(at); }
std::uint32_t u32(const std::byte* at) { return load_little_endian<std::uint32_t>(at); }
std::uint64_t u64(const std::byte* at) { return load_little_endian<std::uint64_t>(at); }

ElfSection section_of(const std::byte* row, std::uint64_t index) {
  return {index,         u32(row),      u32(row + 4), u64(row + 16),
          u64(row + 24), u64(row + 32), u64(row + 56)};
}

ElfSegment segment_of(const std::byte* row, std::uint64_t index) {
  return {index, u32(row), u64(row + 8), u64(row + 16), u64(row + 32), u64(row + 40)};
}

}  // namespace

bool ElfFile::recognises(std::span<const std::byte> first) noexcept {
  constexpr std::array magic = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
  return first.size() >= magic.size() && std::equal(magic.begin(), magic.end(), first.begin());
}

std::uint16_t ElfFile::machine(std::span<const std::byte> first) noexcept {
  return first.size() < 20 ? std::uint16_t{0} : u16(first.data() + 18);
}

Result<ElfFile> ElfFile::open(std::shared_ptr<RandomAccess> file, const ContainerLimits& limits) {
  ElfFile made(std::move(file));
  SLABSCOPE_TRY(made.read_header(limits));
  return made;
}

Result<void> ElfFile::read_header(const ContainerLimits& limits) {
  std::array<std::byte, header_bytes> header;
  SLABSCOPE_TRY(read_exactly_at(*file_, 0, header, "the ELF header"));
  const std::byte* const at = header.data();
  if (!recognises(header))
    return fail(error(ErrorCode::bad_container, "this is no ELF file").at_offset(0));
  if (header[4] != std::byte{2} || header[5] != std::byte{1})
    return fail(error(ErrorCode::unsupported_container,
                      "an ELF file of 32 bits or of another byte order is no dump of a GPU")
                    .at_offset(4));
  header_ = {std::to_integer<std::uint8_t>(at[7]), std::to_integer<std::uint8_t>(at[8]),
             u16(at + 16), u16(at + 18)};
  segments_ = {"the program headers", u64(at + 32), u16(at + 56), u16(at + 54)};
  sections_ = {"the section table", u64(at + 40), u16(at + 60), u16(at + 58)};
  std::uint64_t names = u16(at + 62);
  // Numbers that do not fit the header are in the first section.
  constexpr std::uint64_t is_elsewhere = 0xffff;
  const bool is_extended = (sections_.rows == 0 && sections_.offset != 0) ||
                           names == is_elsewhere || segments_.rows == is_elsewhere;
  if (is_extended) {
    const std::uint64_t rows = std::max<std::uint64_t>(sections_.rows, 1);
    SLABSCOPE_TRY(check({sections_.what, sections_.offset, rows, sections_.row_bytes},
                        section_bytes, limits));
    std::array<std::byte, section_bytes> first;
    SLABSCOPE_TRY(read_exactly_at(*file_, sections_.offset, first, sections_.what));
    if (sections_.rows == 0) sections_.rows = u64(first.data() + 32);
    if (names == is_elsewhere) names = u32(first.data() + 40);
    if (segments_.rows == is_elsewhere) segments_.rows = u32(first.data() + 44);
  }
  SLABSCOPE_TRY(check(sections_, section_bytes, limits));
  SLABSCOPE_TRY(check(segments_, segment_bytes, limits));
  if (names >= sections_.rows) return {};
  std::array<std::byte, section_bytes> row;
  SLABSCOPE_TRY(
      read_exactly_at(*file_, sections_.offset + names * sections_.row_bytes, row, sections_.what));
  names_ = section_of(row.data(), names);
  return {};
}

Result<void> ElfFile::check(const Table& table, std::uint64_t least_row,
                            const ContainerLimits& limits) const {
  const std::string what(table.what);
  if (table.rows == 0) return {};
  if (table.row_bytes < least_row)
    return fail(
        error(ErrorCode::bad_container, "the rows of " + what + " are too short")
            .with(std::to_string(table.row_bytes) + " B", std::to_string(least_row) + " B or more")
            .at_offset(0));
  const std::uint64_t size = file_->size();
  const auto bytes = checked_multiply(table.rows, table.row_bytes);
  if (!bytes || !contains(size, table.offset, *bytes))
    return fail(
        error(ErrorCode::bad_container, "truncated: " + what + " of " + counted(table.rows, "row") +
                                            " is not in the file as a whole; was the disk full?")
            .with(std::to_string(size) + " B", "from " + std::to_string(table.offset) + " on " +
                                                   std::to_string(table.rows) + " x " +
                                                   std::to_string(table.row_bytes) + " B")
            .at_offset(table.offset));
  if (table.rows > limits.max_regions)
    return fail(error(ErrorCode::limit_exceeded, what + " is too long")
                    .with(counted(table.rows, "row"), "up to " + std::to_string(limits.max_regions))
                    .at_offset(table.offset));
  return {};
}

Result<void> ElfFile::each_row(const Table& table,
                               const std::function<void(const std::byte*)>& take) const {
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 16;
  const std::uint64_t rows_in_piece =
      std::max<std::uint64_t>(piece_bytes / std::max<std::uint64_t>(table.row_bytes, 1), 1);
  Buffer piece;
  for (std::uint64_t done = 0; done < table.rows;) {
    const std::uint64_t rows = std::min(rows_in_piece, table.rows - done);
    piece.resize_uninitialised(rows * table.row_bytes);
    SLABSCOPE_TRY(
        read_exactly_at(*file_, table.offset + done * table.row_bytes, piece.bytes(), table.what));
    for (std::uint64_t row = 0; row < rows; ++row) take(piece.data() + row * table.row_bytes);
    done += rows;
  }
  return {};
}

Result<void> ElfFile::each_section(const std::function<void(const ElfSection&)>& take) const {
  std::uint64_t index = 0;
  return each_row(sections_, [&](const std::byte* row) { take(section_of(row, index++)); });
}

Result<void> ElfFile::each_segment(const std::function<void(const ElfSegment&)>& take) const {
  std::uint64_t index = 0;
  return each_row(segments_, [&](const std::byte* row) { take(segment_of(row, index++)); });
}

Result<std::string> ElfFile::text(const ElfSection& texts, std::uint64_t offset) const {
  if (offset >= texts.bytes) return std::string();
  std::array<std::byte, max_text> bytes;
  const std::uint64_t most = std::min(max_text, texts.bytes - offset);
  const auto begin = checked_add(texts.offset, offset);
  std::uint64_t held = 0;
  while (begin && held < most) {
    const auto count = file_->read_at(*begin + held, std::span(bytes).subspan(held, most - held));
    if (!count && count.error().code == ErrorCode::read_failed) return fail(count.error());
    if (!count || *count == 0) break;  // the file ends, or is damaged there
    held += *count;
  }
  const auto read = std::span(bytes).first(held);
  const auto end = std::find(read.begin(), read.end(), std::byte{0});
  if (end == read.end()) return std::string();
  return std::string(reinterpret_cast<const char*>(bytes.data()),
                     static_cast<std::size_t>(end - read.begin()));
}

Region ElfFile::region(std::string name, std::string kind, std::uint64_t offset,
                       std::uint64_t bytes) const {
  const std::uint64_t size = file_->size();
  Region made;
  made.name = std::move(name);
  made.kind = std::move(kind);
  made.bytes = std::min(bytes, unknown_bytes - 1);  // it is known, whatever it is
  made.file_offset = offset;
  made.missing = made.bytes - std::min(made.bytes, size - std::min(size, offset));
  return made;
}

}  // namespace slabscope
