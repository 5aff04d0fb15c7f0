// The host that is the real system.
#pragma once

#include "host.h"

#include <chrono>

namespace slabscope::app {

// To be called first in main: a closed standard stream must not become the next file that is
// opened, and a closed pipe ends the program silently as it does other tools.
void prepare_standard_streams();

// For an end that destroys nothing: the file that was being written is removed. Safe in a signal
// handler.
void remove_unfinished_output() noexcept;

class PosixHost final : public Host {
 public:
  Result<std::unique_ptr<Source>> open(const std::string& path) override;
  Result<DumpFile> open_dump(const std::string& path) override;
  Result<std::unique_ptr<OutputFile>> create(const std::string& path, Content content) override;
  Result<std::unique_ptr<PatchFile>> open_in_place(const std::string& path) override;
  void set_json_messages(bool json) noexcept override { json_messages_ = json; }
  void tell(Severity severity, const Error& what) override;
  void note(const std::string& text) override;
  void progress(const std::string& text) override;

 private:
  static constexpr std::chrono::milliseconds progress_interval{200};
  bool json_messages_ = false;
  bool shows_progress_ = false;
  bool writes_to_terminal_ = false;  // where a line of progress would stand in what is written
  // A run that ends before shows nothing, and no time goes into showing what nobody can read.
  std::chrono::steady_clock::time_point next_progress_ =
      std::chrono::steady_clock::now() + progress_interval;
};

}  // namespace slabscope::app
