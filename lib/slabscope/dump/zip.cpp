#include <slabscope/dump/zip.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/dump/deflated_member.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace slabscope {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t entry_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator_signature = 0x07064b50;
constexpr std::uint64_t local_bytes = 30;
constexpr std::uint64_t entry_bytes = 46;
constexpr std::uint64_t end_bytes = 22;
constexpr std::uint64_t end64_bytes = 56;
constexpr std::uint64_t locator_bytes = 20;
constexpr std::uint64_t max_comment_bytes = 0xffff;
constexpr std::uint32_t in_zip64 = 0xffffffff;  // the figure stands in an extra field
constexpr std::uint64_t most_inflation = 1032;  // bytes that one deflated byte can become

std::uint64_t u16(std::span<const std::byte> bytes, std::size_t at) {
  return load_little_endian<std::uint16_t>(&bytes[at]);
}
std::uint32_t u32(std::span<const std::byte> bytes, std::size_t at) {
  return load_little_endian<std::uint32_t>(&bytes[at]);
}
std::uint64_t u64(std::span<const std::byte> bytes, std::size_t at) {
  return load_little_endian<std::uint64_t>(&bytes[at]);
}
std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Failure bad(std::string message, std::uint64_t offset, std::string got = {},
            std::string allowed = {}) {
  return fail(error(ErrorCode::bad_container, std::move(message))
                  .with(std::move(got), std::move(allowed))
                  .at_offset(offset));
}

Failure unsupported(std::string message, std::uint64_t offset, std::string got = {}) {
  return fail(error(ErrorCode::unsupported_container,
                    std::move(message) + "; unpack it, and pack it again with zip -0")
                  .with(std::move(got), {})
                  .at_offset(offset));
}

// "0x1c2..0x1f0".
std::string hex_range(std::uint64_t begin, std::uint64_t bytes) {
  return hex_text(begin) + ".." + hex_text(checked_add(begin, bytes).value_or(~std::uint64_t{0}));
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t end = 0;  // where the record that tells of it begins
};

// The end record, searched from the back over the comment that may stand behind it.
Result<std::uint64_t> find_end(RandomAccess& file) {
  const std::uint64_t size = file.size();
  const std::uint64_t count = std::min(size, end_bytes + max_comment_bytes);
  std::vector<std::byte> tail(count);
  SLABSCOPE_TRY(read_exactly_at(file, size - count, tail, "the zip's end"));
  for (std::uint64_t at = count >= end_bytes ? count - end_bytes + 1 : 0; at-- > 0;)
    if (u32(tail, at) == end_signature && u16(tail, at + 20) == count - at - end_bytes)
      return size - count + at;
  return bad(
      "the zip has no central directory at its end: the file is cut short, or something "
      "was written behind it",
      size);
}

// Torch writes this record for small files as well.
Result<Directory> read_zip64(RandomAccess& file, const Directory& plain) {
  if (plain.end < locator_bytes) return plain;
  std::array<std::byte, locator_bytes> locator;
  const std::uint64_t locator_offset = plain.end - locator_bytes;
  SLABSCOPE_TRY(read_exactly_at(file, locator_offset, locator, "the zip's end"));
  if (u32(locator, 0) != locator_signature) return plain;
  if (u32(locator, 4) != 0 || u32(locator, 16) != 1)
    return unsupported("the zip is split over several files", locator_offset);
  Directory made;
  made.end = u64(locator, 8);
  std::array<std::byte, end64_bytes> record;
  if (made.end > locator_offset || locator_offset - made.end < end64_bytes)
    return bad("the zip64 record does not stand before its locator", locator_offset,
               std::to_string(made.end));
  SLABSCOPE_TRY(read_exactly_at(file, made.end, record, "the zip64 record"));
  if (u32(record, 0) != end64_signature || u64(record, 4) != locator_offset - made.end - 12)
    return bad("this is no zip64 record, or one of another size", made.end);
  if (u32(record, 16) != 0 || u32(record, 20) != 0 || u64(record, 24) != u64(record, 32))
    return unsupported("the zip is split over several files", made.end);
  made.count = u64(record, 32);
  made.bytes = u64(record, 40);
  made.offset = u64(record, 48);
  const auto differs = [](std::uint64_t in_plain, std::uint64_t in_both, std::uint64_t escape) {
    return in_plain != in_both && in_plain != escape;
  };
  if (differs(plain.count, made.count, 0xffff) || differs(plain.bytes, made.bytes, in_zip64) ||
      differs(plain.offset, made.offset, in_zip64))
    return bad("the zip's two end records contradict each other", plain.end);
  return made;
}

Result<Directory> find_directory(RandomAccess& file, const ContainerLimits& limits) {
  SLABSCOPE_TRY_ASSIGN(end, find_end(file));
  std::array<std::byte, end_bytes> record;
  SLABSCOPE_TRY(read_exactly_at(file, end, record, "the zip's end"));
  if (u16(record, 4) != 0 || u16(record, 6) != 0 || u16(record, 8) != u16(record, 10))
    return unsupported("the zip is split over several files", end);
  SLABSCOPE_TRY_ASSIGN(made,
                       read_zip64(file, {u32(record, 16), u32(record, 12), u16(record, 10), end}));
  if (!contains(made.end, made.offset, made.bytes) || made.offset + made.bytes != made.end)
    return bad("the zip's central directory does not end where its end record begins", made.end,
               hex_range(made.offset, made.bytes));
  if (made.bytes > limits.max_header_bytes || made.count > limits.max_regions)
    return fail(error(ErrorCode::limit_exceeded, "the zip has too many members")
                    .with(std::to_string(made.count) + " in " + std::to_string(made.bytes) + " B",
                          "at most " + std::to_string(limits.max_regions) + " in " +
                              std::to_string(limits.max_header_bytes) + " B")
                    .at_offset(made.end));
  if (made.count > made.bytes / entry_bytes)
    return bad("the zip's central directory is too small for its members", made.end,
               std::to_string(made.count) + " members in " + std::to_string(made.bytes) + " B");
  return made;
}

// Reads the entries of the central directory, one after the other.
class EntryReader {
 public:
  EntryReader(std::span<const std::byte> entries, const Directory& directory)
      : entries_(entries), directory_(directory) {}

  Result<std::vector<ZipMember>> read() {
    for (std::uint64_t index = 0; index < directory_.count; ++index) {
      SLABSCOPE_TRY_ASSIGN(member, entry());
      if (!member.name.ends_with('/') || member.bytes > 0) members_.push_back(std::move(member));
    }
    if (at_ != entries_.size())
      return bad("the zip's central directory goes on behind its last member", offset());
    SLABSCOPE_TRY(place());
    return std::move(members_);
  }

 private:
  std::uint64_t offset() const { return directory_.offset + at_; }

  Result<ZipMember> entry() {
    const auto rest = entries_.subspan(at_);
    if (rest.size() < entry_bytes || u32(rest, 0) != entry_signature)
      return bad("this is no entry of a zip's central directory", offset());
    const std::uint64_t name_bytes = u16(rest, 28);
    const std::uint64_t extra_bytes = u16(rest, 30);
    const std::uint64_t all = entry_bytes + name_bytes + extra_bytes + u16(rest, 32);
    if (all > rest.size())
      return bad("an entry reaches past the zip's central directory", offset());
    ZipMember made;
    made.name = text(rest.subspan(entry_bytes, name_bytes));
    made.crc = u32(rest, 16);
    made.compressed_bytes = u32(rest, 20);
    made.bytes = u32(rest, 24);
    made.header_offset = u32(rest, 42);
    SLABSCOPE_TRY(wide_figures(made, rest.subspan(entry_bytes + name_bytes, extra_bytes)));
    SLABSCOPE_TRY(check(made, u16(rest, 8), u16(rest, 10), u16(rest, 34)));
    at_ += all;
    return made;
  }

  // Figures that did not fit stand in the extra field of zip64, in this order.
  Result<void> wide_figures(ZipMember& member, std::span<const std::byte> extra) const {
    std::vector<std::uint64_t*> wide;
    for (std::uint64_t* const each :
         {&member.bytes, &member.compressed_bytes, &member.header_offset})
      if (*each == in_zip64) wide.push_back(each);
    while (!wide.empty() && extra.size() >= 4) {
      const std::uint64_t id = u16(extra, 0);
      const std::uint64_t bytes = u16(extra, 2);
      if (bytes > extra.size() - 4) break;
      if (id != 1) {
        extra = extra.subspan(4 + bytes);
        continue;
      }
      if (bytes < 8 * wide.size()) break;
      for (std::size_t index = 0; index < wide.size(); ++index)
        *wide[index] = u64(extra, 4 + 8 * index);
      return {};
    }
    if (wide.empty()) return {};
    return bad("a member's size or place is not said", offset(), printable(member.name, 80));
  }

  Result<void> check(ZipMember& member, std::uint64_t flags, std::uint64_t method,
                     std::uint64_t disk) const {
    const std::string shown = printable(member.name, 80);
    if (member.name.empty() || member.name.find('\0') != std::string::npos)
      return bad("a member has no name, or a zero byte in it", offset(), shown);
    if ((flags & 0x2041U) != 0) return unsupported("the zip is encrypted", offset(), shown);
    if (method != 0 && method != 8)
      return unsupported("a member of the zip is compressed in another way than deflated", offset(),
                         shown + " by method " + std::to_string(method));
    if (disk != 0) return unsupported("the zip is split over several files", offset());
    member.is_deflated = method == 8;
    const bool is_possible = member.is_deflated
                                 ? member.bytes / most_inflation <= member.compressed_bytes
                                 : member.bytes == member.compressed_bytes;
    if (is_possible) return {};
    return bad(shown + ": so many bytes cannot come out of so few", offset(),
               std::to_string(member.bytes) + " B out of " +
                   std::to_string(member.compressed_bytes) + " B");
  }

  // In the order of the file; what overlaps would let one byte stand for many.
  Result<void> place() {
    std::ranges::stable_sort(members_, {}, &ZipMember::header_offset);
    std::unordered_set<std::string_view> names;
    for (std::size_t index = 0; index < members_.size(); ++index) {
      ZipMember& member = members_[index];
      const std::string shown = printable(member.name, 80);
      if (!names.insert(member.name).second)
        return bad("two members of the zip have the same name", member.header_offset, shown);
      member.end =
          index + 1 < members_.size() ? members_[index + 1].header_offset : directory_.offset;
      const auto bytes = checked_add(local_bytes + member.name.size(), member.compressed_bytes);
      if (!bytes || !contains(member.end, member.header_offset, *bytes))
        return bad(shown + ": the member reaches into what stands behind it", member.header_offset,
                   hex_range(member.header_offset, bytes.value_or(~std::uint64_t{0})),
                   "up to " + hex_text(member.end));
    }
    return {};
  }

  std::span<const std::byte> entries_;
  const Directory& directory_;
  std::size_t at_ = 0;
  std::vector<ZipMember> members_;
};

}  // namespace

bool is_zip(std::span<const std::byte> first) noexcept {
  if (first.size() < 4) return false;
  const std::uint32_t signature = u32(first, 0);
  return signature == local_signature || signature == end_signature;
}

std::string_view first_zip_name(std::span<const std::byte> first) noexcept {
  if (!is_zip(first) || first.size() < local_bytes || u32(first, 0) != local_signature) return {};
  const auto rest = first.subspan(local_bytes);
  return text(rest.first(std::min<std::size_t>(rest.size(), u16(first, 26))));
}

Result<std::vector<ZipMember>> read_zip(RandomAccess& file, const ContainerLimits& limits) {
  SLABSCOPE_TRY_ASSIGN(directory, find_directory(file, limits));
  std::vector<std::byte> entries(directory.bytes);
  SLABSCOPE_TRY(read_exactly_at(file, directory.offset, entries, "the zip's central directory"));
  return EntryReader(entries, directory).read();
}

Result<std::uint64_t> find_zip_bytes(RandomAccess& file, const ZipMember& member) {
  std::array<std::byte, local_bytes> header;
  SLABSCOPE_TRY(read_exactly_at(file, member.header_offset, header, "a member's header"));
  const std::string shown = printable(member.name, 80);
  if (u32(header, 0) != local_signature)
    return bad(shown + ": there is no header where the directory says", member.header_offset);
  std::string name(u16(header, 26), '\0');
  SLABSCOPE_TRY(read_exactly_at(file, member.header_offset + local_bytes,
                                std::as_writable_bytes(std::span(name)), "a member's header"));
  const std::uint64_t flags = u16(header, 6);
  const auto agrees = [&](std::uint32_t here, std::uint64_t there) {
    return here == there || here == in_zip64 || (here == 0 && (flags & 8U) != 0);
  };
  if (name != member.name || (flags & 1U) != 0 ||
      u16(header, 8) != (member.is_deflated ? 8U : 0U) ||
      !agrees(u32(header, 18), member.compressed_bytes) || !agrees(u32(header, 22), member.bytes))
    return bad(shown + ": the member's header contradicts the directory", member.header_offset);
  const std::uint64_t begin = member.header_offset + local_bytes + name.size() + u16(header, 28);
  if (!contains(member.end, begin, member.compressed_bytes))
    return bad(shown + ": the member reaches into what stands behind it", member.header_offset,
               hex_range(begin, member.compressed_bytes), "up to " + hex_text(member.end));
  return begin;
}

Result<ZipBytes> open_zip_member(std::shared_ptr<RandomAccess> file, const ZipMember& member,
                                 const ContainerLimits& limits, ZipLook look) {
  SLABSCOPE_TRY_ASSIGN(begin, find_zip_bytes(*file, member));
  auto inside = std::make_shared<SliceAccess>(std::move(file), begin, member.compressed_bytes);
  if (!member.is_deflated) return ZipBytes{std::move(inside), begin};
  if (member.bytes > limits.max_inflate)
    return fail(error(ErrorCode::limit_exceeded,
                      printable(member.name, 80) + ": too many bytes would come out")
                    .with(std::to_string(member.bytes) + " B",
                          "at most " + std::to_string(limits.max_inflate) + " B (--max-inflate)")
                    .at_offset(begin));
  return ZipBytes{
      std::make_shared<DeflatedMember>(
          std::move(inside), DeflatedMember::Expected{member.bytes, member.crc, begin, member.name,
                                                      look == ZipLook::ahead}),
      std::nullopt};
}

}  // namespace slabscope
