// The kernel bodies alone: every element once however many threads there are, and tables of any
// content never lead out of the memory that was given.
#include "../support/hostile_kernels.h"
#include "../support/pseudo_random.h"

#include <slabscope/device/kernels.h>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <vector>

namespace slabscope::tests {
namespace {

TEST_CASE("threads take every element once") {
  for (const std::uint64_t elements : {0U, 1U, 2U, 7U, 64U, 1000U}) {
    for (const std::uint64_t threads : {1U, 2U, 3U, 64U, 5000U}) {
      INFO(elements, " elements, ", threads, " threads");
      std::vector<int> taken(elements);
      for (std::uint64_t thread = 0; thread < threads; ++thread)
        stride_over(elements, thread, threads, [&](std::uint64_t element) { ++taken[element]; });
      CHECK(taken == std::vector<int>(elements, 1));
    }
  }
}

TEST_CASE("the last elements of 64 bits end the stride") {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t count = 0;
  stride_over(most, most - 5, 3, [&](std::uint64_t) { ++count; });
  CHECK(count == 2);  // most - 5 and most - 2
  count = 0;
  stride_over(most, most - 1, most, [&](std::uint64_t) { ++count; });
  CHECK(count == 1);
}

TEST_CASE("what is inside and aligned") {
  const MemorySpan memory{0x1000, 20};
  CHECK(holds(memory, 0, 4, 4));
  CHECK_FALSE(holds(memory, 0, 5, 4));
  CHECK(holds(memory, 8, 0, 8));
  CHECK_FALSE(holds(memory, 8, 1, 8));  // 16 to 24
  CHECK_FALSE(holds(memory, 4, 0, 8));  // 0x1004
  CHECK_FALSE(holds(memory, 20, 0, 1));
  CHECK_FALSE(holds(memory, 21, 0, 1));
  CHECK_FALSE(holds(memory, ~std::uint64_t{0}, 0, 1));
  CHECK_FALSE(holds(memory, 0, ~std::uint64_t{0}, 1));
  CHECK(holds_address(memory, 0x1010, 0, 4));
  CHECK_FALSE(holds_address(memory, 0x0FFC, 0, 4));
  CHECK_FALSE(holds_address(memory, 0x1014, 0, 4));
}

TEST_CASE("places do not wrap") {
  FieldRun run;
  run.offset = 16;
  run.row_elements = 3;
  run.row_stride = 12;
  ElementPlace place;
  REQUIRE(find_place(run, 7, place));
  CHECK(place.row == 2);
  CHECK(place.in_row == 1);
  CHECK(place.row_offset == 40);
  run.row_elements = 0;
  CHECK_FALSE(find_place(run, 0, place));
  run.row_elements = 1;
  run.row_stride = std::uint64_t{1} << 62U;
  CHECK(find_place(run, 3, place));
  CHECK_FALSE(find_place(run, 4, place));
}

TEST_CASE("an element belongs to the run that has it, and to none between and behind runs") {
  std::array<FieldRun, 3> runs;
  runs[0].elements = 4;
  runs[1].first = 8;
  runs[1].elements = 2;
  runs[2].first = 10;
  runs[2].elements = 1;
  KernelArguments given;
  given.runs = {reinterpret_cast<std::uintptr_t>(runs.data()), sizeof runs};
  given.run_count = runs.size();
  for (std::uint64_t from = 0; from < runs.size(); ++from) {
    for (std::uint64_t element = runs[from].first; element < 14; ++element) {
      CAPTURE(from);
      CAPTURE(element);
      std::uint64_t at = from;
      FieldRun run;
      const bool is_in_any = element < 4 || (element >= 8 && element < 11);
      REQUIRE(find_run(given, element, at, run) == is_in_any);
      if (!is_in_any) continue;
      CHECK(at == (element < 4 ? 0 : element < 10 ? 1 : 2));
      CHECK(run.first == runs[at].first);
    }
  }
  FieldRun run;
  std::uint64_t behind = runs.size();
  CHECK_FALSE(find_run(given, 0, behind, run));
}

TEST_CASE("tables of any content") {
  PseudoRandom random(33);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> input(random.below(600));
    for (std::byte& each : input) each = static_cast<std::byte>(random.bits());
    INFO("round ", round);
    REQUIRE(kernels_keep_to_their_memory(input));
  }
  CHECK(kernels_keep_to_their_memory({}));
  CHECK(kernels_keep_to_their_memory(std::vector<std::byte>(2000, std::byte{0xFF})));
}

}  // namespace
}  // namespace slabscope::tests
