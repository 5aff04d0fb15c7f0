// What a round trip found: data alone; report/verify_output.h writes it.
#pragma once

#include <slabscope/base/checked.h>
#include <slabscope/device/operations.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slabscope {

// An element, or a byte of a gap or red zone, or a member of the engine's view, that is not what
// the host has.
struct Mismatch {
  std::uint64_t slab = 0;  // number of the document or stride
  std::string field;       // or "(gap)", "(red zone)", "view.slot"
  std::optional<std::uint64_t> row;
  std::optional<std::uint64_t> index;  // of the row's list
  int128 offset = 0;                   // bytes from the slab's start; before it below 0
  int128 host = 0;
  int128 device = 0;            // of a view's address: from the slab's start
  std::string_view found_by{};  // "read", "pack", "upload" or "view"
};

struct Rate {
  std::uint64_t bytes = 0;
  double seconds = 0;
};

// Of all passes together.
struct VerifyTimings {
  Rate upload;
  Rate read;  // the kernels; bytes of the slabs
  Rate pack;
  Rate download;
  Rate plain_upload;  // of the same bytes, from memory that is no staging; only when asked for
  Rate plain_download;
};

struct VerifyReport {
  DeviceDescription device;
  std::uint64_t slabs = 0;
  std::uint64_t bytes = 0;                                      // of the slabs
  std::vector<std::pair<std::string, std::uint64_t>> elements;  // by field: how many were read
  std::vector<Mismatch> mismatches;                             // the first ones
  std::uint64_t mismatch_count = 0;                             // all of them
  VerifyTimings timings;

  // Having read nothing is no success.
  [[nodiscard]] bool ok() const noexcept {
    const auto has_some = [](const auto& field) { return field.second != 0; };
    return mismatch_count == 0 && std::any_of(elements.begin(), elements.end(), has_some);
  }
};

}  // namespace slabscope
