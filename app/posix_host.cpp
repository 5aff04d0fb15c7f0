#include "posix_host.h"

#include <slabscope/dump/file_source.h>
#include <slabscope/report/error_json.h>
#include <slabscope/text/json_text.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

namespace slabscope::app {
namespace {

Failure failed(ErrorCode code, const std::string& what, const std::string& path) {
  Error made = error(code, what + ": " + system_message());
  made.file = path;
  return fail(std::move(made));
}

Failure no_name() {
  return fail(ErrorCode::open_failed, "cannot open '': a file's name is not empty");
}

// Under its other names standard output must not be replaced like a file, or what was written to
// it before is lost.
bool is_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

Result<void> write_all(int descriptor, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 &&
        errno == EPIPE) {  // SIGPIPE was blocked or ignored by who started us: end as it would have
      ::signal(SIGPIPE, SIG_DFL);
      ::raise(SIGPIPE);
    }
    if (count < 0) return failed(ErrorCode::write_failed, "cannot write", path);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

// Standard output, a device or a FIFO: written as it comes.
class DirectOutput final : public OutputFile {
 public:
  DirectOutput(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  ~DirectOutput() override {
    if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
  }
  Result<void> write(std::span<const std::byte> bytes) override {
    return write_all(descriptor_, bytes, path_);
  }
  Result<void> commit() override {
    if (::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR) return {};
    return failed(ErrorCode::write_failed, "cannot write", path_);
  }

 private:
  int descriptor_;
  std::string path_;
};

// The file that is being written, removed when a signal ends the program.
volatile sig_atomic_t unfinished_is_set = 0;
std::array<char, PATH_MAX> unfinished_path;

void remove_unfinished(int signal) {
  if (unfinished_is_set != 0) ::unlink(unfinished_path.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// A regular file: written beside its place and renamed when complete.
class ReplacingOutput final : public OutputFile {
 public:
  static Result<std::unique_ptr<OutputFile>> create(const std::string& shown,
                                                    const std::string& target, mode_t mode) {
    std::string beside = target + ".XXXXXX";
    if (beside.size() >= unfinished_path.size()) {
      errno = ENAMETOOLONG;
      return failed(ErrorCode::open_failed, "cannot create", shown);
    }
    const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
    if (descriptor < 0) return failed(ErrorCode::open_failed, "cannot create", shown);
    beside.copy(unfinished_path.data(), beside.size());
    unfinished_path[beside.size()] = '\0';
    unfinished_is_set = 1;
    for (const int each : {SIGINT, SIGTERM, SIGHUP})
      if (::signal(each, remove_unfinished) == SIG_IGN) ::signal(each, SIG_IGN);
    std::unique_ptr<ReplacingOutput> made(new ReplacingOutput(descriptor, shown, target, beside));
    if (::fchmod(descriptor, mode) != 0)
      return failed(ErrorCode::open_failed, "cannot set the mode", shown);
    return std::unique_ptr<OutputFile>(std::move(made));
  }
  ~ReplacingOutput() override {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(beside_.c_str());
    unfinished_is_set = 0;
  }
  Result<void> write(std::span<const std::byte> bytes) override {
    return write_all(descriptor_, bytes, shown_);
  }
  Result<void> commit() override {
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
      return failed(ErrorCode::write_failed, "cannot write", shown_);
    if (::rename(beside_.c_str(), target_.c_str()) != 0)
      return failed(ErrorCode::write_failed, "cannot put the finished file in place", shown_);
    renamed_ = true;
    return {};
  }

 private:
  ReplacingOutput(int descriptor, std::string shown, std::string target, std::string beside)
      : descriptor_(descriptor),
        shown_(std::move(shown)),
        target_(std::move(target)),
        beside_(std::move(beside)) {}

  int descriptor_;
  std::string shown_;   // as the user gave it
  std::string target_;  // with symbolic links followed
  std::string beside_;
  bool renamed_ = false;
};

class InPlaceFile final : public PatchFile {
 public:
  InPlaceFile(int descriptor, std::string path, std::uint64_t size)
      : descriptor_(descriptor), path_(std::move(path)), size_(size) {}
  ~InPlaceFile() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  std::uint64_t size() const override { return size_; }
  Result<void> write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0)
      return failed(ErrorCode::write_failed, "cannot seek", path_);
    return write_all(descriptor_, bytes, path_);
  }
  Result<void> commit() override {
    if (::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR) return {};
    return failed(ErrorCode::write_failed, "cannot write", path_);
  }

 private:
  int descriptor_;
  std::string path_;
  std::uint64_t size_;
};

std::string_view word(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

void say(const std::string& line) {
  const std::string whole = line + "\n";
  // Nothing can be done when standard error is gone.
  if (::write(STDERR_FILENO, whole.data(), whole.size()) < 0) return;
}

}  // namespace

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Opened the wrong way round, so that using it fails as it would have.
    const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
  ::signal(SIGPIPE, SIG_DFL);
}

Result<std::unique_ptr<Source>> PosixHost::open(const std::string& path) {
  if (path.empty()) return no_name();
  if (path != "-") return FileSource::open(path);
  if (::isatty(STDIN_FILENO) != 0)
    return fail(ErrorCode::usage, "there is no input: name a file, or pipe something in");
  const int descriptor = ::dup(STDIN_FILENO);
  if (descriptor < 0) return failed(ErrorCode::open_failed, "cannot read standard input", "-");
  return FileSource::adopt(descriptor, "-");
}

Result<std::unique_ptr<OutputFile>> PosixHost::create(const std::string& path, Content content) {
  if (path.empty()) return no_name();
  if (is_standard_output(path)) {
    if (content == Content::binary && ::isatty(STDOUT_FILENO) != 0)
      return fail(
          ErrorCode::usage,
          "a slab is binary and standard output is a terminal: name a file with -o, or pipe it on");
    return std::unique_ptr<OutputFile>(new DirectOutput(STDOUT_FILENO, "stdout"));
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return failed(ErrorCode::open_failed, "cannot create", path);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    // A symbolic link to nothing: the file is made where it points to.
    std::array<char, PATH_MAX> link;
    const ssize_t length = ::readlink(path.c_str(), link.data(), link.size());
    std::string target = path;
    if (length > 0) {
      target.assign(link.data(), static_cast<std::size_t>(length));
      const auto slash = path.rfind('/');
      if (!target.starts_with('/') && slash != std::string::npos)
        target = path.substr(0, slash + 1) + target;
    }
    return ReplacingOutput::create(path, target, 0666 & ~mask);
  }
  if (S_ISREG(status.st_mode)) {
    // What may not be written must not be replaced either.
    if (::access(path.c_str(), W_OK) != 0)
      return failed(ErrorCode::open_failed, "cannot write", path);
    char* const real = ::realpath(path.c_str(), nullptr);
    if (real == nullptr) return failed(ErrorCode::open_failed, "cannot create", path);
    const std::string target = real;
    std::free(real);
    return ReplacingOutput::create(path, target, status.st_mode & 07777);
  }
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(ErrorCode::open_failed, "cannot write", path);
  if (content == Content::binary && ::isatty(descriptor) != 0) {
    ::close(descriptor);
    return fail(ErrorCode::usage, "a slab is binary and '" + printable(path) + "' is a terminal");
  }
  return std::unique_ptr<OutputFile>(new DirectOutput(descriptor, path));
}

Result<std::unique_ptr<PatchFile>> PosixHost::open_in_place(const std::string& path) {
  if (path.empty()) return no_name();
  struct stat status {};
  // Not by opening it: that would wait for the other end of a FIFO.
  const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const int descriptor = is_special ? -1 : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (is_special) {
    Error made = error(ErrorCode::open_failed, "only a regular file can be written in place");
    made.file = path;
    return fail(std::move(made));
  }
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
    return failed(ErrorCode::open_failed, "cannot write", path);
  return std::unique_ptr<PatchFile>(
      new InPlaceFile(descriptor, path, static_cast<std::uint64_t>(status.st_size)));
}

void PosixHost::tell(Severity severity, const Error& what) {
  say(json_messages_ ? to_json(what, word(severity)) : to_line(what, "slabscope", word(severity)));
}

void PosixHost::note(const std::string& text) {
  say(json_messages_ ? "{\"note\": {\"message\": " + json_string(text) + "}}"
                     : "slabscope: note: " + text);
}

}  // namespace slabscope::app
