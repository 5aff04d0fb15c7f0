// Which device --device asks for. The only place that knows whether CUDA was built in.
#pragma once

#include <slabscope/base/error.h>
#include <slabscope/device/operations.h>

#include <memory>
#include <string>
#include <string_view>

namespace slabscope::app {

// "auto", "cuda", "cuda:N" or "host". "auto" is CUDA: it never turns into host by itself. Errors:
// usage, out_of_range, no_device (built without CUDA).
[[nodiscard]] Result<std::unique_ptr<DeviceOperations>> choose_device(const std::string& text);

// What an error says when there is no device.
inline constexpr std::string_view host_hint =
    "; --device host runs the same kernels on host threads";

// How --help tells what there is in this build.
[[nodiscard]] std::string device_help();

}  // namespace slabscope::app
