#include "device_choice.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/device/cuda_operations.h>
#include <slabscope/device/host_operations.h>

#include <limits>

namespace slabscope::app {
namespace {

#ifdef SLABSCOPE_HAS_CUDA
constexpr bool has_cuda = true;
std::unique_ptr<DeviceOperations> cuda(int device) { return make_cuda_operations(device); }
#else
constexpr bool has_cuda = false;
std::unique_ptr<DeviceOperations> cuda(int /*device*/) { return nullptr; }
#endif

Failure refused(ErrorCode code, std::string message, const std::string& text, std::string allowed) {
  Error made = error(code, std::move(message)).with(printable(text, 40), std::move(allowed));
  made.pointer = "--device";
  return fail(std::move(made));
}

}  // namespace

Result<std::unique_ptr<DeviceOperations>> choose_device(const std::string& text) {
  if (text == "host") return std::make_unique<HostOperations>();
  constexpr std::string_view numbered = "cuda:";
  int device = 0;
  if (text.starts_with(numbered)) {
    const IntegerText number = parse_integer(std::string_view(text).substr(numbered.size()));
    if (number.fault == IntegerTextFault::not_an_integer)
      return refused(ErrorCode::usage, "this is the number of no device", text, "cuda:N");
    if (number.fault != IntegerTextFault::none || number.value < 0 ||
        number.value > std::numeric_limits<int>::max())
      return refused(ErrorCode::out_of_range, "no device has this number", text,
                     "cuda:0..cuda:" + std::to_string(std::numeric_limits<int>::max()));
    device = static_cast<int>(number.value);
  } else if (text != "auto" && text != "cuda") {
    return refused(ErrorCode::usage, "unknown device", text, "auto, cuda, cuda:N, host");
  }
  if (!has_cuda)
    return fail(ErrorCode::no_device,
                "there is no device to run on: this slabscope was built without CUDA" +
                    std::string(host_hint));
  return cuda(device);
}

std::string device_help() {
  return has_cuda ? "auto (CUDA), cuda, cuda:N, or host: host threads, no GPU"
                  : "host: host threads, no GPU (this build has no CUDA)";
}

}  // namespace slabscope::app
