// What must hold of the findings on any slab. A further check of slabs (a difference of two, say)
// gets a function of its own here and a call in the target lint.
#pragma once

#include "reference_layout.h"

#include <slabscope/check/lint.h>

#include <cstdint>
#include <optional>
#include <span>

namespace slabscope::fuzz {

struct LintInput {
  const Layout& layout;
  std::span<const std::byte> slab;  // layout.size bytes
  std::optional<std::uint64_t> region_bytes{};
  std::span<const std::int64_t> groups{};
  const RowsView* lists = nullptr;  // of a document
};

// Every finding lies inside the slab and names a row, field and element that are there; what
// follows from another stands behind it; the reports count and print them all; the work is linear.
void check_lint(const LintInput& input);

}  // namespace slabscope::fuzz
