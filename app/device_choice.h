// Which device --device asks for. The only place that knows whether CUDA was built in.
#pragma once

#include <slabscope/base/error.h>
#include <slabscope/device/operations.h>

#include <memory>
#include <string>

namespace slabscope::app {

// "auto", "cuda", "cuda:N" or "host". "auto" is CUDA: it never turns into host by itself. Errors:
// usage, out_of_range, no_device (built without CUDA).
[[nodiscard]] Result<std::unique_ptr<DeviceOperations>> choose_device(const std::string& text);

// How --help tells what there is in this build.
[[nodiscard]] std::string device_help();

}  // namespace slabscope::app
