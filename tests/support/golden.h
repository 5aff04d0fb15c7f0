// The cases of tests/golden: what the engine's own packers made of rows, byte for byte.
#pragma once

#include "bytes.h"
#include "plain_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slabscope::tests {

struct GoldenRefusal {
  std::uint64_t need_bytes = 0;
  std::uint64_t have_bytes = 0;
};

struct GoldenCase {
  std::string id;
  std::string layout;
  Params params{};                              // as given
  std::string document{};                       // as written; empty: a case of layout alone
  std::vector<PlainRow> rows{};                 // of the document
  std::optional<std::uint64_t> region_bytes{};  // of the document
  std::optional<Bytes> slab{};
  std::optional<GoldenRefusal> refused{};
  std::map<std::string, std::uint64_t> offsets{};  // of fields, where the case has them
  std::optional<std::uint64_t> size{};
  std::optional<std::uint64_t> rows_capacity{};
};

// Read once; fails the test when a file is missing or has another shape.
const std::vector<GoldenCase>& golden_cases();

}  // namespace slabscope::tests
