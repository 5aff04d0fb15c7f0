// Columns in memory to a decode slab: slabscope's packer beside a copy of as many bytes, a copy by
// hand and element-wise packers, and what it costs to resolve a built-in layout. Processor time,
// runs in turn; prints a line of JSON for each way.
#include <slabscope/slab/builtin.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// reference/packers.rs; `out` may be null.
struct RustColumns {
  const std::uint32_t* position;
  const std::int32_t* seq_slot;
  const std::int64_t* slot;
  const std::int32_t* seq_len;
  const std::int32_t* tables;
  std::size_t rows;
  std::size_t max_blocks;
};
#ifdef SLABSCOPE_BENCH_RUST
extern "C" void rust_pack_decode(const RustColumns& columns, std::uint8_t* out);
#endif

namespace slabscope {
namespace {

using Bytes = std::vector<std::byte>;

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "memory_bench: %s\n", why.c_str());
  std::exit(1);
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Nothing that `bytes` hold may be assumed to be unused.
void keep(const void* bytes) { asm volatile("" : : "r"(bytes) : "memory"); }

// A full batch: every row of capacity is live and every table is as long as it may be.
struct Batch {
  Batch(std::size_t rows, std::size_t blocks)
      : row_count(rows), max_blocks(blocks), tables(rows * blocks) {
    for (std::size_t row = 0; row < rows; ++row) {
      position.push_back(static_cast<std::uint32_t>(row * 16 + 3));
      seq_slot.push_back(static_cast<std::int32_t>(row) - 1);
      slot.push_back(static_cast<std::int64_t>(row) * 4099 - 1);
      seq_len.push_back(static_cast<std::int32_t>(row * 16 + 4));
    }
    for (std::size_t index = 0; index < tables.size(); ++index)
      tables[index] = static_cast<std::int32_t>(index * 2654435761U % 65521U);
    for (std::size_t row = 0; row < rows; ++row)
      spans.push_back(std::span(tables).subspan(row * blocks, blocks));
  }
  [[nodiscard]] DecodeColumns columns() const {
    return {.position = position,
            .seq_slot = seq_slot,
            .slot = slot,
            .seq_len = seq_len,
            .block_table = spans,
            .max_batch_size = row_count,
            .max_blocks = max_blocks};
  }
  [[nodiscard]] RustColumns rust_columns() const {
    return {position.data(), seq_slot.data(), slot.data(), seq_len.data(),
            tables.data(),   row_count,       max_blocks};
  }

  std::size_t row_count;
  std::size_t max_blocks;
  std::vector<std::uint32_t> position;
  std::vector<std::int32_t> seq_slot;
  std::vector<std::int64_t> slot;
  std::vector<std::int32_t> seq_len;
  std::vector<std::int32_t> tables;
  std::vector<std::span<const std::int32_t>> spans;
};

// Where the fields of a decode slab of `rows` (32 or more) begin.
struct Offsets {
  explicit Offsets(std::size_t rows)
      : seq_slot(4 * rows), slot(8 * rows), seq_len(16 * rows), gap(20 * rows), table(24 * rows) {}
  std::size_t seq_slot;
  std::size_t slot;
  std::size_t seq_len;
  std::size_t gap;
  std::size_t table;
};

// Columns and rows copied whole, zeros only where nothing else stands.
void pack_by_hand(const Batch& batch, Bytes& slab) {
  const std::size_t rows = batch.row_count;
  const Offsets at(rows);
  std::memcpy(slab.data(), batch.position.data(), 4 * rows);
  std::memcpy(slab.data() + at.seq_slot, batch.seq_slot.data(), 4 * rows);
  std::memcpy(slab.data() + at.slot, batch.slot.data(), 8 * rows);
  std::memcpy(slab.data() + at.seq_len, batch.seq_len.data(), 4 * rows);
  std::memset(slab.data() + at.gap, 0, 4 * rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<const std::int32_t> table = batch.spans[row];
    std::memcpy(slab.data() + at.table + 4 * row * batch.max_blocks, table.data(),
                table.size_bytes());
  }
}

template <class T>
void put(Bytes& slab, std::size_t offset, T value) {
  std::memcpy(slab.data() + offset, &value, sizeof value);
}

// A zeroed vector, then an element at a time.
Bytes pack_zeroed(const Batch& batch) {
  const Offsets at(batch.row_count);
  Bytes slab(at.table + 4 * batch.row_count * batch.max_blocks);
  for (std::size_t row = 0; row < batch.row_count; ++row) {
    put(slab, 4 * row, batch.position[row]);
    put(slab, at.seq_slot + 4 * row, batch.seq_slot[row]);
    put(slab, at.slot + 8 * row, batch.slot[row]);
    put(slab, at.seq_len + 4 * row, batch.seq_len[row]);
    std::size_t here = at.table + 4 * row * batch.max_blocks;
    for (const std::int32_t block : batch.spans[row]) {
      put(slab, here, block);
      here += 4;
    }
  }
  return slab;
}

template <class T>
void append(Bytes& slab, T value) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte)
    slab.push_back(
        static_cast<std::byte>(static_cast<std::make_unsigned_t<T>>(value) >> (8 * byte)));
}

// What one writes first: every byte appended to a vector.
Bytes pack_naively(const Batch& batch) {
  Bytes slab;
  for (const std::uint32_t each : batch.position) append(slab, each);
  for (const std::int32_t each : batch.seq_slot) append(slab, each);
  for (const std::int64_t each : batch.slot) append(slab, each);
  for (const std::int32_t each : batch.seq_len) append(slab, each);
  slab.resize(slab.size() + 4 * batch.row_count);
  for (const std::span<const std::int32_t> table : batch.spans)
    for (const std::int32_t each : table) append(slab, each);
  return slab;
}

struct Way {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};  // of one call, a round each
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure(const std::string& shape, std::vector<Way>& ways, int rounds, double seconds) {
  std::vector<std::size_t> calls;
  for (Way& way : ways) {
    const double begin = now();
    std::size_t count = 0;
    do {
      way.run();
      ++count;
    } while (now() - begin < seconds);
    calls.push_back(count);
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t index = 0; index < ways.size(); ++index) {
      const double begin = now();
      for (std::size_t call = 0; call < calls[index]; ++call) ways[index].run();
      ways[index].seconds.push_back((now() - begin) / static_cast<double>(calls[index]));
    }
  }
  for (const Way& way : ways)
    std::printf("{\"shape\": \"%s\", \"way\": \"%s\", \"ns\": %.1f}\n", shape.c_str(),
                way.name.c_str(), median(way.seconds) * 1e9);
}

void check_same(const std::string& name, const Bytes& slab, const Bytes& ours) {
  if (slab != ours) stop(name + " gives other bytes than slabscope");
}

void measure_packing(std::size_t rows, std::size_t blocks, int rounds, double seconds) {
  const Batch batch(rows, blocks);
  const DecodeColumns columns = batch.columns();
  BuiltinPacker packer;
  if (!packer.prepare(columns)) stop("the batch cannot be packed");
  Bytes ours(packer.layout().size);
  if (!packer.pack_into(ours, columns)) stop("the batch cannot be packed");
  Bytes by_hand(ours.size());
  pack_by_hand(batch, by_hand);
  check_same("copying rows", by_hand, ours);
  check_same("the zeroed vector", pack_zeroed(batch), ours);
  check_same("the naive packer", pack_naively(batch), ours);
  const Bytes source = ours;
  Bytes slab(ours.size());
  std::vector<Way> ways = {
      {"memcpy",
       [&] { std::memcpy(slab.data(), source.data(), source.size()), keep(slab.data()); }},
      {"slabscope",
       [&] {
         if (!packer.pack_into(slab, columns)) stop("the batch cannot be packed");
         keep(slab.data());
       }},
      {"copying rows", [&] { pack_by_hand(batch, slab), keep(slab.data()); }},
      {"zeroed vector, C++", [&] { keep(pack_zeroed(batch).data()); }},
      {"naive, C++", [&] { keep(pack_naively(batch).data()); }}};
#ifdef SLABSCOPE_BENCH_RUST
  const RustColumns rust = batch.rust_columns();
  rust_pack_decode(rust, reinterpret_cast<std::uint8_t*>(slab.data()));
  check_same("the packer in Rust", slab, ours);
  ways.push_back({"zeroed vector, Rust", [&] { rust_pack_decode(rust, nullptr); }});
#endif
  measure(std::to_string(rows) + " x " + std::to_string(blocks), ways, rounds, seconds);
}

// Every call has other tables than the one before, so that the layout is resolved again.
void measure_resolving(int rounds, double seconds) {
  const Batch narrow(32, 8);
  const Batch wide(32, 9);
  BuiltinPacker packer;
  bool is_wide = false;
  const auto next = [&]() -> const Batch& { return (is_wide = !is_wide) ? wide : narrow; };
  std::vector<Way> ways = {
      {"mtp",
       [&, blocks = std::array<std::uint32_t, 9>{}] {
         const std::size_t count = (is_wide = !is_wide) ? 9 : 8;
         if (!packer.prepare(MtpRow{.block_table = std::span(blocks).first(count)}))
           stop("mtp is not resolved");
       }},
      {"mtp_batch",
       [&, blocks = std::vector<std::span<const std::uint32_t>>(32)] {
         const Batch& batch = next();
         if (!packer.prepare(MtpBatchColumns{batch.position, batch.slot, batch.seq_len, blocks,
                                             batch.max_blocks}))
           stop("mtp_batch is not resolved");
       }},
      {"decode", [&] {
         if (!packer.prepare(next().columns())) stop("decode is not resolved");
       }}};
  measure("resolve", ways, rounds, seconds);
}

}  // namespace
}  // namespace slabscope

int main(int argc, char**) {
  const bool is_smoke = argc > 1;
  const int rounds = is_smoke ? 1 : 41;
  const double seconds = is_smoke ? 1e-5 : 4e-3;
  slabscope::measure_packing(128, 2048, rounds, seconds);
  slabscope::measure_packing(32, 257, rounds, seconds);
  slabscope::measure_resolving(rounds, seconds);
}
