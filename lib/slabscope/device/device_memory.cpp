#include <slabscope/device/device_memory.h>

namespace slabscope {

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " B"; }

Result<void> outcome_of(const DeviceStatus& status, const std::string& sizes) {
  if (status.is_done()) return {};
  if (status.no_device)
    return fail(ErrorCode::no_device,
                "there is no device to run on: " + status.call + ": " + status.name);
  return fail(ErrorCode::device_failed,
              status.call + (sizes.empty() ? "" : " (" + sizes + ")") + " failed: " + status.name);
}

}  // namespace slabscope
