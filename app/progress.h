// How far a long run is: what has been read of its input.
#pragma once

#include "host.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace slabscope::app {

// "120 of 512 MiB, 48 MiB/s, 8 s left": `total` and what follows from it where that is known.
std::string progress_text(std::uint64_t bytes, std::optional<std::uint64_t> total,
                          std::chrono::duration<double> elapsed);

// `source`, telling the host what was read of it, once that takes longer than a second; nothing
// more when it is let go. The host must outlive it.
std::unique_ptr<Source> watched(std::unique_ptr<Source> source, Host& host);

}  // namespace slabscope::app
