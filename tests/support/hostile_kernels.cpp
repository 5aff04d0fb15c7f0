#include "hostile_kernels.h"

#include <slabscope/device/kernels.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace slabscope::tests {
namespace {

class InputReader {
 public:
  explicit InputReader(std::span<const std::byte> input) : rest_(input) {}
  // 0 at the end.
  std::uint64_t byte() {
    if (rest_.empty()) return 0;
    const auto first = std::to_integer<std::uint64_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return first;
  }
  // Small ones, any ones, and those next to where 64 bits end.
  std::uint64_t number() {
    const std::uint64_t kind = byte();
    if (kind < 128) return byte();
    std::uint64_t value = 0;
    for (int count = 0; count < 8; ++count) value = value << 8U | byte();
    return kind < 192 ? value : ~std::uint64_t{0} - value % 64;
  }
  [[nodiscard]] bool is_empty() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

// Memory in an allocation of its own, so that AddressSanitizer sees its end.
class Memory {
 public:
  explicit Memory(std::uint64_t bytes)
      : memory_(std::malloc(std::max<std::uint64_t>(bytes, 1)), std::free), bytes_(bytes) {
    if (memory_ != nullptr && bytes != 0) std::memset(memory_.get(), 0x5A, bytes);
  }
  [[nodiscard]] MemorySpan span() const {
    return {reinterpret_cast<std::uint64_t>(memory_.get()), memory_ == nullptr ? 0 : bytes_};
  }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_.get()); }

 private:
  std::unique_ptr<void, void (*)(void*)> memory_;
  std::uint64_t bytes_;
};

// A part of a larger memory: nothing around it may change.
class Guarded {
 public:
  explicit Guarded(std::uint64_t bytes) : memory_(bytes + 2 * guard), bytes_(bytes) {}
  [[nodiscard]] MemorySpan span() const { return {memory_.span().address + guard, bytes_}; }
  [[nodiscard]] bool is_intact() const {
    const auto is_untouched = [](std::byte each) { return each == std::byte{0x5A}; };
    return std::all_of(memory_.data(), memory_.data() + guard, is_untouched) &&
           std::all_of(memory_.data() + guard + bytes_, memory_.data() + 2 * guard + bytes_,
                       is_untouched);
  }

 private:
  static constexpr std::uint64_t guard = 64;
  Memory memory_;
  std::uint64_t bytes_;
};

}  // namespace

bool kernels_keep_to_their_memory(std::span<const std::byte> input) {
  constexpr std::uint64_t most_elements = 4096;
  InputReader reader(input);
  const Memory columns(reader.byte());
  const Memory slabs(reader.byte());
  const Guarded packed(reader.byte());
  const Guarded results(reader.byte());
  const std::uint64_t views_bytes = reader.byte();
  const Memory views(views_bytes);
  const Guarded views_read(reader.byte());
  const std::uint64_t threads = 1 + reader.byte() % 5;

  std::vector<FieldRun> runs;
  std::uint64_t next = 0;
  while (!reader.is_empty() && runs.size() < 64) {
    FieldRun run;
    // Mostly in order, as the bodies need them to find anything; sometimes not.
    run.first = reader.byte() % 8 == 0 ? reader.number() : next;
    run.elements = reader.number();
    run.offset = reader.number();
    run.row_elements = reader.number();
    run.row_stride = reader.number();
    run.column = reader.number();
    run.view = reader.number();
    run.kind = static_cast<ElementKind>(reader.byte() % 10);
    run.member = static_cast<ViewMember>(reader.byte() % 7);
    next = run.first + std::min<std::uint64_t>(run.elements, 64);
    runs.push_back(run);
  }
  const std::uint64_t near_slabs = slabs.span().address;
  for (std::uint64_t at = 0; at + 8 <= views_bytes; at += 8) {
    // Addresses in and around the slabs, or any.
    const std::uint64_t address = near_slabs + (reader.byte() % 64 < 60 ? at * 4 - 16 : ~at);
    std::memcpy(views.data() + at, &address, sizeof address);
  }
  KernelArguments given;
  given.runs = {reinterpret_cast<std::uint64_t>(runs.data()), runs.size() * sizeof(FieldRun)};
  given.views = views.span();
  given.columns = columns.span();
  given.slabs = slabs.span();
  given.packed = packed.span();
  given.results = results.span();
  given.views_read = views_read.span();
  given.run_count = runs.size();
  given.view_count = views_bytes / 8;
  given.field_elements = std::min(next, most_elements);
  given.all_elements = most_elements;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    read_elements(given, thread, threads);
    pack_elements(given, thread, threads);
  }
  return packed.is_intact() && results.is_intact() && views_read.is_intact();
}

}  // namespace slabscope::tests
