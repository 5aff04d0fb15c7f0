// What a command may touch outside the library: files, the two standard streams, messages. One
// implementation for the real system; tests and fuzzers bring their own.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/dump/file_access.h>

#include <cstdint>
#include <memory>
#include <string>

namespace slabscope::app {

// Output that appears only when it is complete: dropped without commit(), a file is as it was
// before.
class OutputFile : public Sink {
 public:
  [[nodiscard]] virtual Result<void> commit() = 0;
  // Does a person read it as it comes?
  [[nodiscard]] virtual bool is_terminal() const { return false; }
};

// A file that is written in place.
class PatchFile {
 public:
  PatchFile() = default;
  PatchFile(const PatchFile&) = delete;
  PatchFile& operator=(const PatchFile&) = delete;
  virtual ~PatchFile() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;  // bytes
  [[nodiscard]] virtual Result<void> write_at(std::uint64_t offset,
                                              std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual Result<void> commit() = 0;
};

// `report`: a text that is written when the work is done, and does not stand in the way of
// progress.
enum class Content : std::uint8_t { text, report, binary };
enum class Severity : std::uint8_t { error, warning, note };

class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  // "-" is standard input.
  [[nodiscard]] virtual Result<std::unique_ptr<Source>> open(const std::string& path) = 0;
  // The same for a dump, which is read at any place where that is possible.
  [[nodiscard]] virtual Result<DumpFile> open_dump(const std::string& path) = 0;
  // "-" is standard output; binary content on a terminal is refused (usage).
  [[nodiscard]] virtual Result<std::unique_ptr<OutputFile>> create(const std::string& path,
                                                                   Content content) = 0;
  // A regular file that is there.
  [[nodiscard]] virtual Result<std::unique_ptr<PatchFile>> open_in_place(
      const std::string& path) = 0;
  // Messages as JSON lines instead of text.
  virtual void set_json_messages(bool json) noexcept = 0;
  // Tells the user on standard error; never fails.
  virtual void tell(Severity severity, const Error& what) = 0;
  virtual void note(const std::string& text) = 0;
  // How far a long run is, in place of what it said before; empty: nothing more. Only where
  // somebody watches.
  virtual void progress(const std::string& /*text*/) {}
};

}  // namespace slabscope::app
