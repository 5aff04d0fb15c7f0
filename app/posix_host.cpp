#include "posix_host.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/dump/file_source.h>
#include <slabscope/report/error_json.h>
#include <slabscope/text/json_text.h>

#include <fcntl.h>
#include <poll.h>
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

// The descriptor that a path is another name of: what it leads to must not be replaced like a file,
// or what was written to it before is lost.
std::optional<int> descriptor_named_by(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const IntegerText number = parse_integer(path.substr(folder.size()));
    if (number.fault == IntegerTextFault::none && number.value >= 0 && number.value < 1 << 20)
      return static_cast<int>(number.value);
  }
  return std::nullopt;
}

// The file that is being written, removed when a signal ends the program.
volatile sig_atomic_t unfinished_is_set = 0;
std::array<char, PATH_MAX> unfinished_path;

void end_by(int signal) {
  remove_unfinished_output();
  ::signal(signal, SIG_DFL);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, signal);
  ::sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
  ::raise(signal);
}

Result<void> write_all(const Descriptor& to, std::span<const std::byte> bytes,
                       const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(to.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && wait_until_ready(to.number(), POLLOUT)) continue;
    if (count < 0 && errno == EPIPE) end_by(SIGPIPE);
    if (count < 0) return failed(ErrorCode::write_failed, "cannot write", path);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> close_written(Descriptor& written, const std::string& path) {
  if (written.close() || errno == EINTR) return {};
  return failed(ErrorCode::write_failed, "cannot write", path);
}

// Standard output, a device or a FIFO: written as it comes.
class DirectOutput final : public OutputFile {
 public:
  DirectOutput(Descriptor to, std::string path) : to_(std::move(to)), path_(std::move(path)) {}
  Result<void> write(std::span<const std::byte> bytes) override {
    return write_all(to_, bytes, path_);
  }
  Result<void> commit() override { return close_written(to_, path_); }
  bool is_terminal() const override { return ::isatty(to_.number()) != 0; }

 private:
  Descriptor to_;
  std::string path_;
};

// A regular file: written beside its place and renamed when complete.
class ReplacingOutput final : public OutputFile {
 public:
  // `shown` is the path as the user gave it, `target` the one with symbolic links followed.
  ReplacingOutput(std::string shown, std::string target)
      : shown_(std::move(shown)), target_(std::move(target)), beside_(target_ + ".XXXXXX") {}
  ~ReplacingOutput() override {
    if (is_there_) ::unlink(beside_.c_str());
    unfinished_is_set = 0;
  }

  Result<void> open(mode_t mode) {
    if (beside_.size() >= unfinished_path.size()) {
      errno = ENAMETOOLONG;
      return failed(ErrorCode::open_failed, "cannot create", shown_);
    }
    to_ = Descriptor(::mkostemp(beside_.data(), O_CLOEXEC));
    if (!to_.is_open()) return failed(ErrorCode::open_failed, "cannot create", shown_);
    is_there_ = true;
    unfinished_path[beside_.copy(unfinished_path.data(), beside_.size())] = '\0';
    unfinished_is_set = 1;
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU})
      if (::signal(each, end_by) == SIG_IGN) ::signal(each, SIG_IGN);
    if (::fchmod(to_.number(), mode) != 0)
      return failed(ErrorCode::open_failed, "cannot set the mode", shown_);
    return {};
  }
  Result<void> write(std::span<const std::byte> bytes) override {
    return write_all(to_, bytes, shown_);
  }
  Result<void> commit() override {
    SLABSCOPE_TRY(close_written(to_, shown_));
    if (::rename(beside_.c_str(), target_.c_str()) != 0)
      return failed(ErrorCode::write_failed, "cannot put the finished file in place", shown_);
    is_there_ = false;
    return {};
  }

 private:
  Descriptor to_;
  std::string shown_;
  std::string target_;
  std::string beside_;
  bool is_there_ = false;
};

Result<std::unique_ptr<OutputFile>> replace(const std::string& shown, std::string target,
                                            mode_t mode) {
  auto made = std::make_unique<ReplacingOutput>(shown, std::move(target));
  SLABSCOPE_TRY(made->open(mode));
  return made;
}

class InPlaceFile final : public PatchFile {
 public:
  InPlaceFile(Descriptor to, std::string path, std::uint64_t size)
      : to_(std::move(to)), path_(std::move(path)), size_(size) {}
  std::uint64_t size() const override { return size_; }
  Result<void> write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (::lseek(to_.number(), static_cast<off_t>(offset), SEEK_SET) < 0)
      return failed(ErrorCode::write_failed, "cannot seek", path_);
    return write_all(to_, bytes, path_);
  }
  Result<void> commit() override { return close_written(to_, path_); }

 private:
  Descriptor to_;
  std::string path_;
  std::uint64_t size_;
};

// Where a chain of symbolic links that ends nowhere would end; empty when it goes round.
std::string end_of_links(std::string path) {
  constexpr int most_links = 40;  // as the system follows
  for (int count = 0; count < most_links; ++count) {
    std::array<char, PATH_MAX> link;
    const ssize_t length = ::readlink(path.c_str(), link.data(), link.size());
    if (length < 0) return path;
    std::string next(link.data(), static_cast<std::size_t>(length));
    const auto slash = path.rfind('/');
    if (!next.starts_with('/') && slash != std::string::npos)
      next.insert(0, path.substr(0, slash + 1));
    path = std::move(next);
  }
  return {};
}

Result<Descriptor> open_input(const std::string& path) {
  if (path.empty()) return no_name();
  if (path != "-") return open_for_reading(path);
  if (::isatty(STDIN_FILENO) != 0)
    return fail(ErrorCode::usage, "there is no input: name a file, or pipe something in");
  Descriptor descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!descriptor.is_open())
    return failed(ErrorCode::open_failed, "cannot read standard input", "-");
  return descriptor;
}

std::string_view word(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

void say(const std::string& line) {
  const std::string whole = line + "\n";
  // Nothing can be done when standard error is gone.
  if (::write(STDERR_FILENO, whole.data(), whole.size()) < 0) return;
}

}  // namespace

void remove_unfinished_output() noexcept {
  if (unfinished_is_set != 0) ::unlink(unfinished_path.data());
}

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Opened the wrong way round, so that using it fails as it would have.
    const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
  // A closed pipe ends us where output is written, as SIGPIPE would; a message that nobody reads
  // does not. A file that may not grow is an error like a full disk.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

Result<std::unique_ptr<Source>> PosixHost::open(const std::string& path) {
  SLABSCOPE_TRY_ASSIGN(descriptor, open_input(path));
  return FileSource::adopt(std::move(descriptor), path);
}

Result<DumpFile> PosixHost::open_dump(const std::string& path) {
  SLABSCOPE_TRY_ASSIGN(descriptor, open_input(path));
  return FileAccess::adopt(std::move(descriptor), path);
}

Result<std::unique_ptr<OutputFile>> PosixHost::create(const std::string& path, Content content) {
  if (path.empty()) return no_name();
  if (const auto named = descriptor_named_by(path)) {
    writes_to_terminal_ = content != Content::report && ::isatty(*named) != 0;
    if (content == Content::binary && ::isatty(*named) != 0)
      return fail(ErrorCode::usage,
                  "a slab is binary and standard output is a terminal: name a file with -o, or "
                  "pipe it on");
    if (*named == STDOUT_FILENO)
      return std::make_unique<DirectOutput>(Descriptor(STDOUT_FILENO), "stdout");
    Descriptor copy(::fcntl(*named, F_DUPFD_CLOEXEC, 3));
    if (!copy.is_open()) return failed(ErrorCode::open_failed, "cannot write", path);
    return std::make_unique<DirectOutput>(std::move(copy), path);
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return failed(ErrorCode::open_failed, "cannot create", path);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return replace(path, end_of_links(path), 0666 & ~mask);
  }
  if (S_ISREG(status.st_mode)) {
    // What may not be written must not be replaced either.
    if (::access(path.c_str(), W_OK) != 0)
      return failed(ErrorCode::open_failed, "cannot write", path);
    std::array<char, PATH_MAX> real;
    if (::realpath(path.c_str(), real.data()) == nullptr)
      return failed(ErrorCode::open_failed, "cannot create", path);
    return replace(path, real.data(), status.st_mode & 07777);
  }
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!descriptor.is_open()) return failed(ErrorCode::open_failed, "cannot write", path);
  if (content == Content::binary && ::isatty(descriptor.number()) != 0)
    return fail(ErrorCode::usage, "a slab is binary and '" + printable(path) + "' is a terminal");
  return std::make_unique<DirectOutput>(std::move(descriptor), path);
}

Result<std::unique_ptr<PatchFile>> PosixHost::open_in_place(const std::string& path) {
  if (path.empty()) return no_name();
  // A FIFO must not make us wait for its other end; O_NONBLOCK does nothing to regular files.
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  const bool is_open = descriptor.is_open() && ::fstat(descriptor.number(), &status) == 0;
  if (!is_open && errno != ENXIO) return failed(ErrorCode::open_failed, "cannot write", path);
  if (!is_open || !S_ISREG(status.st_mode)) {
    Error made = error(ErrorCode::open_failed, "only a regular file can be written in place");
    made.file = path;
    return fail(std::move(made));
  }
  return std::make_unique<InPlaceFile>(std::move(descriptor), path,
                                       static_cast<std::uint64_t>(status.st_size));
}

void PosixHost::tell(Severity severity, const Error& what) {
  progress({});
  say(json_messages_ ? to_json(what, word(severity)) : to_line(what, "slabscope", word(severity)));
}

void PosixHost::note(const std::string& text) {
  progress({});
  say(json_messages_ ? "{\"note\": {\"message\": " + json_string(text) + "}}"
                     : "slabscope: note: " + text);
}

void PosixHost::progress(const std::string& text) {
  if (text.empty() && !shows_progress_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!text.empty() && now < next_progress_) return;
  if (json_messages_ || writes_to_terminal_ || ::isatty(STDERR_FILENO) == 0) return;
  next_progress_ = now + progress_interval;
  shows_progress_ = !text.empty();
  const std::string line = "\r\x1b[K" + (text.empty() ? text : "slabscope: " + text);
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nothing depends on it
}

}  // namespace slabscope::app
