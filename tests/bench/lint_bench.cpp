// How long lint takes on healthy batches beside a copy of their block tables: medians of
// alternating runs, a line of JSON for each shape. tests/bench/run shows them.
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
#include <utility>
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

// Of one slab.
template <class Work>
double seconds(std::uint64_t rounds, std::uint64_t slabs, Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t each = 0; each < slabs; ++each) work(each);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(rounds * slabs);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// `bytes` of slabs in turn, more than a cache holds or few enough for one.
void measure(const Shape& shape, std::uint64_t bytes, int rounds_of_all) {
  const Sample sample = make(shape);
  const std::uint64_t size = sample.layout.size;
  const std::uint64_t count = std::max<std::uint64_t>(1, bytes / size);
  Buffer slabs(count * size);
  for (std::uint64_t each = 0; each < count; ++each)
    std::memcpy(slabs.data() + each * size, sample.slab.data(), size);
  const RuleSet rules = must(choose_rules({}, {}));
  const ResolvedField& table = *sample.layout.find_role("block_table");
  Buffer copy(count * table.bytes);
  std::memset(copy.data(), 0, copy.size());
  std::uint64_t findings = 0;
  const auto check = [&](std::uint64_t each) {
    const auto slab = std::as_const(slabs).bytes().subspan(each * size, size);
    const Batch batch = must(Batch::of(must(SlabView::of(sample.layout, slab)), BatchSource{}));
    findings += lint(batch, rules).findings.size();
  };
  const auto copy_tables = [&](std::uint64_t each) {
    std::memcpy(copy.data() + each * table.bytes, slabs.data() + each * size + table.offset,
                table.bytes);
    asm volatile("" : : "r"(copy.data()) : "memory");
  };
  const std::uint64_t rounds =
      std::max<std::uint64_t>(1, (std::uint64_t{1} << 23) / (count * size));
  std::vector<double> checked;
  std::vector<double> copied;
  for (int round = 0; round < rounds_of_all; ++round) {
    checked.push_back(seconds(rounds, count, check));
    copied.push_back(seconds(rounds * 4, count, copy_tables));
  }
  if (findings != 0) {
    std::fprintf(stderr, "lint_bench: %llu findings in healthy rows\n",
                 static_cast<unsigned long long>(findings));
    std::exit(1);
  }
  std::printf(
      "{\"shape\": \"%s, %llu rows, %llu blocks, %s\", \"lint_ns\": %.0f, \"copy_ns\": %.0f}\n",
      shape.layout, static_cast<unsigned long long>(shape.rows),
      static_cast<unsigned long long>(shape.max_blocks), count == 1 ? "one slab" : "in a dump",
      median(checked) * 1e9, median(copied) * 1e9);
}

}  // namespace
}  // namespace slabscope

int main(int argc, char**) {
  const bool is_smoke = argc > 1;
  const std::uint64_t dump_bytes = std::uint64_t{is_smoke ? 1U : 256U}
                                   << 20;  // more than caches hold
  for (const slabscope::Shape& each : {slabscope::Shape{"decode", 32, 257},
                                       {"decode", 128, 2048},
                                       {"mtp_batch", 128, 2048},
                                       {"mtp_batch", 1024, 64},
                                       {"mtp", 1, 448, "entries"}})
    for (const std::uint64_t bytes : {dump_bytes, std::uint64_t{0}})
      slabscope::measure(each, bytes, is_smoke ? 1 : 9);
}
