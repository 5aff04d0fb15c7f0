#include "memory_host.h"

#include "limits.h"
#include "property.h"

#include <algorithm>
#include <cstring>

namespace slabscope::fuzz {
namespace {

// Keeps its own copy: the file may be replaced while it is read.
class HeldSource final : public Source {
 public:
  HeldSource(std::string bytes, std::size_t pace, bool can_seek)
      : bytes_(std::move(bytes)), pace_(pace), can_seek_(can_seek) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t count = std::min({into.size(), pace_, bytes_.size() - at_});
    if (count != 0) std::memcpy(into.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    return can_seek_ ? std::optional<std::uint64_t>(bytes_.size() - at_) : std::nullopt;
  }

 private:
  std::string bytes_;
  std::size_t pace_;
  bool can_seek_;
  std::size_t at_ = 0;
};

// The same for any place.
class HeldFile final : public RandomAccess {
 public:
  HeldFile(std::string bytes, std::size_t pace) : bytes_(std::move(bytes)), pace_(pace) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (offset >= bytes_.size()) return 0;
    const std::size_t count = std::min({into.size(), pace_, bytes_.size() - offset});
    if (count != 0) std::memcpy(into.data(), bytes_.data() + offset, count);
    return count;
  }

 private:
  std::string bytes_;
  std::size_t pace_;
};

Failure failed(ErrorCode code, std::string message, const std::string& path) {
  Error made = error(code, std::move(message));
  made.file = path;
  return fail(std::move(made));
}

}  // namespace

class MemoryHost::Output final : public app::OutputFile {
 public:
  Output(MemoryHost& host, std::string path) : host_(host), path_(std::move(path)) {}

  Result<void> write(std::span<const std::byte> bytes) override {
    std::string& to = path_ == "-" ? host_.output_ : bytes_;
    if (bytes.size() > max_output_bytes - to.size()) {
      host_.is_full_ = true;
      return failed(ErrorCode::write_failed, "the disk is full", path_);
    }
    to.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  }
  Result<void> commit() override {
    if (path_ != "-") host_.files_[path_] = std::move(bytes_);
    return {};
  }

 private:
  MemoryHost& host_;
  std::string path_;
  std::string bytes_;
};

class MemoryHost::Patch final : public app::PatchFile {
 public:
  explicit Patch(std::string& bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  Result<void> write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    require(offset <= bytes_.size() && bytes.size() <= bytes_.size() - offset,
            "a file that is written in place keeps its size");
    if (!bytes.empty()) std::memcpy(bytes_.data() + offset, bytes.data(), bytes.size());
    return {};
  }
  Result<void> commit() override { return {}; }

 private:
  std::string& bytes_;
};

Result<std::unique_ptr<Source>> MemoryHost::open(const std::string& path) {
  last_opened_ = path;
  const auto found = files_.find(path);
  if (found == files_.end() && path != "-")
    return failed(ErrorCode::open_failed, "there is no such file", path);
  const std::string bytes = found == files_.end() ? std::string() : found->second;
  return std::make_unique<HeldSource>(bytes, pace_, path != "-");
}

Result<DumpFile> MemoryHost::open_dump(const std::string& path) {
  DumpFile made;
  if (const auto found = files_.find(path); found != files_.end() && path != "-") {
    last_opened_ = path;
    made.access = std::make_shared<HeldFile>(found->second, pace_);
    return made;
  }
  SLABSCOPE_TRY_ASSIGN(stream, open(path));
  made.stream = std::move(stream);
  return made;
}

Result<std::unique_ptr<app::OutputFile>> MemoryHost::create(const std::string& path, app::Content) {
  if (path.empty()) return failed(ErrorCode::open_failed, "a file's name is not empty", path);
  return std::make_unique<Output>(*this, path);
}

Result<std::unique_ptr<app::PatchFile>> MemoryHost::open_in_place(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end() || path == "-")
    return failed(ErrorCode::open_failed, "there is no such file", path);
  return std::make_unique<Patch>(found->second);
}

void MemoryHost::tell(app::Severity severity, const Error& what) {
  const auto named = files_.find(what.file);
  check_error(what, named == files_.end() ? std::string_view() : named->second,
              named == files_.end() ? std::string_view("\n") : std::string_view(what.file));
  if (severity == app::Severity::error) errors_.push_back(what);
}

void MemoryHost::note(const std::string& text) {
  require(text.find('\n') == std::string::npos, "a note is one line", [&] { return text; });
}

}  // namespace slabscope::fuzz
