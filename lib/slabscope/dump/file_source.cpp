#include <slabscope/dump/file_source.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace slabscope {
namespace {

Failure failed(ErrorCode code, const std::string& what, const std::string& name) {
  Error made = error(code, what + ": " + system_message());
  made.file = name;
  return fail(std::move(made));
}

}  // namespace

std::string system_message() { return std::generic_category().message(errno); }

bool wait_until_ready(int descriptor, short events) {
  pollfd waited{descriptor, events, 0};
  return ::poll(&waited, 1, -1) > 0 || errno == EINTR;
}

Result<Descriptor> open_for_reading(const std::string& path) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.is_open()) return failed(ErrorCode::open_failed, "cannot open", path);
  return descriptor;
}

Result<std::unique_ptr<Source>> FileSource::open(const std::string& path) {
  SLABSCOPE_TRY_ASSIGN(descriptor, open_for_reading(path));
  return adopt(std::move(descriptor), path);
}

Result<std::unique_ptr<Source>> FileSource::adopt(Descriptor descriptor, std::string name) {
  struct stat status {};
  if (::fstat(descriptor.number(), &status) != 0)
    return failed(ErrorCode::open_failed, "cannot open", name);
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return failed(ErrorCode::open_failed, "cannot open", name);
  }
  std::optional<std::uint64_t> size;
  // Files of /proc say that they are empty; their size is not known.
  const off_t here = ::lseek(descriptor.number(), 0, SEEK_CUR);
  if (S_ISREG(status.st_mode) && status.st_size > 0 && here >= 0)
    size = static_cast<std::uint64_t>(status.st_size > here ? status.st_size - here : 0);
  return std::unique_ptr<Source>(new FileSource(std::move(descriptor), std::move(name), size));
}

Result<std::size_t> FileSource::read(std::span<std::byte> into) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (;;) {
    const ssize_t count = ::read(descriptor_.number(), into.data(), std::min(into.size(), most));
    if (count >= 0) {
      position_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (errno == EAGAIN && wait_until_ready(descriptor_.number(), POLLIN)) continue;
    if (errno != EINTR) return failed(ErrorCode::read_failed, "cannot read", name_);
  }
}

Result<std::uint64_t> FileSource::skip(std::uint64_t bytes) {
  if (!size_) return Source::skip(bytes);
  const std::uint64_t count = std::min(bytes, *remaining());
  if (count == 0) return 0;
  if (::lseek(descriptor_.number(), static_cast<off_t>(count), SEEK_CUR) < 0)
    return failed(ErrorCode::read_failed, "cannot seek", name_);
  position_ += count;
  return count;
}

std::optional<std::uint64_t> FileSource::remaining() const {
  if (!size_) return std::nullopt;
  return *size_ > position_ ? *size_ - position_ : 0;
}

}  // namespace slabscope
