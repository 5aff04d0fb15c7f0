// What a check found: where in which slab, what stands there, and what should.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

enum class FindingSeverity : std::uint8_t { error, warning, note };
[[nodiscard]] std::string_view name(FindingSeverity severity) noexcept;

struct Finding {
  std::string_view rule;
  FindingSeverity severity = FindingSeverity::error;
  std::uint64_t slab = 0;               // number of the document or stride
  std::optional<std::uint64_t> row;     // none: of the slab as a whole
  std::string_view field;               // empty: of no field
  std::optional<std::uint64_t> index;   // of an element of the row's list
  std::optional<std::uint64_t> offset;  // bytes from the slab's start
  std::uint64_t bytes = 0;              // from there on
  std::string value;                    // what stands there, empty: nothing to show
  std::string expected;
  std::string message;
  std::optional<std::size_t> consequence_of;  // index into the slab's findings

  // Another row that has a part in it: a finding there may be its cause, or its consequence.
  std::optional<std::uint64_t> other_row;
};

using Findings = std::vector<Finding>;

}  // namespace slabscope
