// A file, pipe or device as a source of bytes. Regular files seek over what is passed over.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/dump/descriptor.h>

#include <memory>
#include <string>

namespace slabscope {

class FileSource final : public Source {
 public:
  // Opens `path` for reading; a directory is refused. Error: open_failed.
  static Result<std::unique_ptr<Source>> open(const std::string& path);
  // Takes over an open descriptor; `name` is shown in errors. Error: open_failed.
  static Result<std::unique_ptr<Source>> adopt(Descriptor descriptor, std::string name);

  // Error: read_failed. Interrupted calls are repeated.
  Result<std::size_t> read(std::span<std::byte> into) override;
  Result<std::uint64_t> skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> remaining() const override;

 private:
  FileSource(Descriptor descriptor, std::string name, std::optional<std::uint64_t> size)
      : descriptor_(std::move(descriptor)), name_(std::move(name)), size_(size) {}

  Descriptor descriptor_;
  std::string name_;
  std::optional<std::uint64_t> size_;  // of a regular file that can seek
  std::uint64_t position_ = 0;         // counted from where reading began
};

// Error: open_failed.
Result<Descriptor> open_for_reading(const std::string& path);

// Waits until a descriptor that does not block can be read (POLLIN) or written (POLLOUT).
bool wait_until_ready(int descriptor, short events);

// "No such file or directory" for the present errno.
std::string system_message();

}  // namespace slabscope
