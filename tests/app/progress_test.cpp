// How far a run is, as a line.
#include <app/progress.h>

#include <doctest/doctest.h>

namespace slabscope::app {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

TEST_CASE("progress as text") {
  struct Row {
    std::uint64_t bytes;
    std::optional<std::uint64_t> total;
    double seconds;
    std::string_view text;
  };
  const Row rows[] = {
      {120 * mib, 512 * mib, 2.5, "120 of 512 MiB, 48 MiB/s, 8 s left"},
      {120 * mib, std::nullopt, 2.5, "120 MiB, 48 MiB/s"},
      {3 * mib / 2, 3 * mib, 1, "1.5 of 3.0 MiB, 1.5 MiB/s, 1 s left"},
      {0, 512 * mib, 1.5, "0.0 of 512 MiB, 0.0 MiB/s"},
      {512 * mib, 512 * mib, 4, "512 of 512 MiB, 128 MiB/s, 0 s left"},
      // More than was there at first: a file that grows.
      {6 * mib, 5 * mib, 2, "6.0 of 5.0 MiB, 3.0 MiB/s"},
      {std::uint64_t{1} << 42, std::uint64_t{1} << 43, 1024,
       "4194304 of 8388608 MiB, 4096 MiB/s, 1024 s left"},
  };
  for (const Row& row : rows)
    CHECK(progress_text(row.bytes, row.total, std::chrono::duration<double>(row.seconds)) ==
          row.text);
}

}  // namespace
}  // namespace slabscope::app
