// A file as a dump: read at any place where it is a regular file, from front to back where it is a
// pipe, a terminal or a device.
#pragma once

#include <slabscope/dump/descriptor.h>
#include <slabscope/dump/random_access.h>

#include <memory>
#include <string>

namespace slabscope {

// Exactly one of the two.
struct DumpFile {
  std::shared_ptr<RandomAccess> access;
  std::unique_ptr<Source> stream;

  [[nodiscard]] bool is_open() const noexcept { return access != nullptr || stream != nullptr; }
};

class FileAccess final : public RandomAccess {
 public:
  // Opens `path` for reading; a directory is refused. Error: open_failed.
  static Result<DumpFile> open(const std::string& path);
  // Takes over an open descriptor, whose first byte is where it stands; `name` is shown in errors.
  // Error: open_failed.
  static Result<DumpFile> adopt(Descriptor descriptor, std::string name);

  // As it was when the file was opened.
  std::uint64_t size() const override { return size_; }
  // Error: read_failed, also where the file has become shorter. Interrupted calls are repeated.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  FileAccess(Descriptor descriptor, std::string name, std::uint64_t begin, std::uint64_t size)
      : descriptor_(std::move(descriptor)), name_(std::move(name)), begin_(begin), size_(size) {}

  Descriptor descriptor_;
  std::string name_;
  std::uint64_t begin_;  // in the file
  std::uint64_t size_;
};

}  // namespace slabscope
