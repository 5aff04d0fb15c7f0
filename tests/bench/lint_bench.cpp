// How long lint takes on healthy batches beside a copy of their block tables: the ratio of medians
// of alternating runs. cmake --build --preset test --target slabscope_lint_bench
#include <slabscope/check/lint.h>
#include <slabscope/layout/catalog.h>
#include <slabscope/slab/generate.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace slabscope {
namespace {

struct Shape {
  const char* layout;
  std::uint64_t rows;
  std::uint64_t max_blocks;
  const char* entries = "max_blocks";  // the parameter that counts them
};

// A batch, as it lies in a dump.
struct Sample {
  Layout layout;
  Buffer slab;
};

template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "%s\n", to_line(result.error(), "lint_bench").c_str());
  std::exit(1);
}

Sample make(const Shape& shape) {
  Assignments given;
  for (const auto& [name, value] :
       {std::pair("block_size", std::uint64_t{16}), std::pair("num_blocks", std::uint64_t{1} << 18),
        std::pair("dummy_block", std::uint64_t{0}), std::pair(shape.entries, shape.max_blocks)})
    given.push_back({name, value, {}});
  PseudoRandom random(1);
  GeneratedRows made =
      must(generate_rows(must(builtin_layout(shape.layout)), given, {shape.rows, false}, random));
  const RowsViewOf view(made.rows);
  Buffer slab = must(pack(made.layout, view.view()));
  return {std::move(made.layout), std::move(slab)};
}

template <class Work>
double seconds(int times, Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  for (int each = 0; each < times; ++each) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void measure(const Shape& shape) {
  const Sample sample = make(shape);
  const SlabView view = must(SlabView::of(sample.layout, sample.slab.bytes()));
  const RuleSet rules = must(choose_rules({}, {}));
  const ResolvedField& table = *sample.layout.find_role("block_table");
  Buffer copy(table.bytes);
  std::uint64_t findings = 0;
  const auto check = [&] {
    const Batch batch = must(Batch::of(view, BatchSource{}));
    findings += lint(batch, rules).findings.size();
  };
  const auto copy_tables = [&] {
    std::memcpy(copy.data(), sample.slab.data() + table.offset, table.bytes);
    asm volatile("" : : "r"(copy.data()) : "memory");
  };
  const int times = static_cast<int>(std::max<std::uint64_t>(1, (1U << 22) / table.bytes));
  std::vector<double> checked;
  std::vector<double> copied;
  for (int round = 0; round < 15; ++round) {
    checked.push_back(seconds(times, check));
    copied.push_back(seconds(times * 8, copy_tables));
  }
  if (findings != 0) {
    std::fprintf(stderr, "lint_bench: %llu findings in healthy rows\n",
                 static_cast<unsigned long long>(findings));
    std::exit(1);
  }
  std::printf("%-9s  %4llu rows  %5llu blocks  lint %8.2f us  copy %8.2f us  ratio %6.1f\n",
              shape.layout, static_cast<unsigned long long>(shape.rows),
              static_cast<unsigned long long>(shape.max_blocks), median(checked) * 1e6,
              median(copied) * 1e6, median(checked) / median(copied));
}

}  // namespace
}  // namespace slabscope

int main() {
  for (const slabscope::Shape& each : {slabscope::Shape{"decode", 32, 257},
                                       {"decode", 128, 2048},
                                       {"mtp_batch", 128, 2048},
                                       {"mtp_batch", 1024, 64},
                                       {"mtp", 1, 448, "entries"}})
    slabscope::measure(each);
}
