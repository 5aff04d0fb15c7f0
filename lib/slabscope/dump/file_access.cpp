#include <slabscope/dump/file_access.h>

#include <slabscope/dump/file_source.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace slabscope {

namespace {

bool is_truly_empty(int descriptor) {
  std::byte first{};
  return ::pread(descriptor, &first, 1, 0) == 0;
}

}  // namespace

Result<DumpFile> FileAccess::open(const std::string& path) {
  SLABSCOPE_TRY_ASSIGN(descriptor, open_for_reading(path));
  return adopt(std::move(descriptor), path);
}

Result<DumpFile> FileAccess::adopt(Descriptor descriptor, std::string name) {
  struct stat status {};
  const bool is_known = ::fstat(descriptor.number(), &status) == 0 && S_ISREG(status.st_mode);
  const off_t here = is_known ? ::lseek(descriptor.number(), 0, SEEK_CUR) : off_t{-1};
  DumpFile made;
  // Files of /proc say that they are empty; a byte that is there all the same makes a stream of
  // them.
  const bool is_empty = here == 0 && status.st_size == 0 && is_truly_empty(descriptor.number());
  if (is_empty || (here >= 0 && status.st_size > 0)) {
    const auto begin = static_cast<std::uint64_t>(here);
    const auto end = static_cast<std::uint64_t>(status.st_size);
    made.access.reset(
        new FileAccess(std::move(descriptor), std::move(name), begin, end - std::min(begin, end)));
    return made;
  }
  SLABSCOPE_TRY_ASSIGN(stream, FileSource::adopt(std::move(descriptor), std::move(name)));
  made.stream = std::move(stream);
  return made;
}

Result<std::size_t> FileAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  if (offset >= size_ || into.empty()) return 0;
  const auto wanted = std::min({std::uint64_t{into.size()}, size_ - offset, most});
  for (;;) {
    const ssize_t count =
        ::pread(descriptor_.number(), into.data(), wanted, static_cast<off_t>(begin_ + offset));
    if (count > 0) return static_cast<std::size_t>(count);
    if (count < 0 && errno == EINTR) continue;
    Error made = error(ErrorCode::read_failed,
                       count < 0 ? "cannot read: " + system_message()
                                 : "the file has become shorter since it was opened");
    made.file = name_;
    made.offset = begin_ + offset;
    if (count == 0) made.allowed = std::to_string(begin_ + size_) + " B";
    return fail(std::move(made));
  }
}

}  // namespace slabscope
