// A host without a system: files and standard streams in memory, read in pieces of a chosen size. A
// file that is written appears when it is committed; the disk is full at max_output_bytes.
#pragma once

#include <app/host.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace slabscope::fuzz {

class MemoryHost final : public app::Host {
 public:
  using Files = std::map<std::string, std::string>;  // "-": standard input

  // At most `pace` bytes a read.
  MemoryHost(Files files, std::size_t pace) : files_(std::move(files)), pace_(pace) {}

  Result<std::unique_ptr<Source>> open(const std::string& path) override;
  Result<DumpFile> open_dump(const std::string& path) override;
  Result<std::unique_ptr<app::OutputFile>> create(const std::string& path,
                                                  app::Content content) override;
  Result<std::unique_ptr<app::PatchFile>> open_in_place(const std::string& path) override;
  void set_json_messages(bool json) noexcept override { json_messages_ = json; }
  void tell(app::Severity severity, const Error& what) override;
  void note(const std::string& text) override;

  [[nodiscard]] const Files& files() const noexcept { return files_; }
  [[nodiscard]] const std::string& standard_output() const noexcept { return output_; }
  [[nodiscard]] const std::vector<Error>& errors() const noexcept { return errors_; }
  [[nodiscard]] const std::string& last_opened() const noexcept { return last_opened_; }
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }

 private:
  class Output;
  class Patch;

  Files files_;
  std::size_t pace_;
  std::string output_;
  std::vector<Error> errors_;
  std::string last_opened_;
  bool json_messages_ = false;
  bool is_full_ = false;
};

}  // namespace slabscope::fuzz
