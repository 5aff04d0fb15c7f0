#include <slabscope/dump/file_source.h>

#include <fcntl.h>
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

Result<std::unique_ptr<Source>> FileSource::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(ErrorCode::open_failed, "cannot open", path);
  return adopt(descriptor, path);
}

Result<std::unique_ptr<Source>> FileSource::adopt(int descriptor, std::string name) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    auto outcome = failed(ErrorCode::open_failed, "cannot open", name);
    ::close(descriptor);
    return outcome;
  }
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    auto outcome = failed(ErrorCode::open_failed, "cannot open", name);
    ::close(descriptor);
    return outcome;
  }
  std::optional<std::uint64_t> size;
  // Files of /proc say that they are empty; their size is not known.
  const off_t here = ::lseek(descriptor, 0, SEEK_CUR);
  if (S_ISREG(status.st_mode) && status.st_size > 0 && here >= 0)
    size = static_cast<std::uint64_t>(status.st_size > here ? status.st_size - here : 0);
  return std::unique_ptr<Source>(new FileSource(descriptor, std::move(name), size));
}

FileSource::~FileSource() { ::close(descriptor_); }

Result<std::size_t> FileSource::read(std::span<std::byte> into) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (;;) {
    const ssize_t count = ::read(descriptor_, into.data(), std::min(into.size(), most));
    if (count >= 0) {
      position_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) return failed(ErrorCode::read_failed, "cannot read", name_);
  }
}

Result<std::uint64_t> FileSource::skip(std::uint64_t bytes) {
  if (!size_) return Source::skip(bytes);
  const std::uint64_t count = std::min(bytes, *remaining());
  if (::lseek(descriptor_, static_cast<off_t>(count), SEEK_CUR) < 0)
    return failed(ErrorCode::read_failed, "cannot seek", name_);
  position_ += count;
  return count;
}

std::optional<std::uint64_t> FileSource::remaining() const {
  if (!size_) return std::nullopt;
  return *size_ > position_ ? *size_ - position_ : 0;
}

}  // namespace slabscope
