// Property: columns of the three built-in layouts, packed through the typed entry points into heap
// memory of exactly the region's size, give the bytes of a naive packer; or they are refused where
// it refuses, and nothing is written. Input: numbers and choices.
#include "support/property.h"
#include "support/typed_rows.h"

#include <algorithm>
#include <memory>

namespace {

using namespace slabscope;

template <class Columns>
void check(const Columns& columns, const tests::NaiveSlab& wanted, std::uint64_t room) {
  constexpr std::byte canary{0xA5};
  const std::uint64_t region_bytes = wanted.size + room - std::min<std::uint64_t>(wanted.size, 2);
  const std::unique_ptr<std::byte[]> heap(new std::byte[region_bytes]);
  const std::span<std::byte> region(heap.get(), region_bytes);
  std::fill(region.begin(), region.end(), canary);
  const auto size = BuiltinPacker().pack_into(region, columns);
  const bool fits = wanted.refusal == tests::NaiveRefusal::none && region_bytes >= wanted.size;
  fuzz::require(size.has_value() == fits, "what fits is packed, and nothing else",
                [&] { return size ? "packed" : to_line(size.error(), "pack"); });
  if (!size) fuzz::check_error(size.error(), {}, {});
  const std::span<const std::byte> packed = region.first(size.value_or(0));
  fuzz::require(!fits || tests::same(packed, wanted.bytes), "bytes are those of the naive packer",
                [&] { return tests::difference(packed, wanted.bytes); });
  fuzz::require(tests::all_are(region.subspan(packed.size()), canary), "nothing else is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzedInput input(data, size);
  const std::size_t layout = input.below(3);
  const std::uint64_t entries = input.below(7);
  const std::uint64_t longest = entries + (input.one_in(8) ? 1 : 0);
  const std::uint64_t room = input.below(6);  // at 2 the region is as long as the slab
  const auto rows = fuzz::any_rows(input, layout == 0 ? 1 : 40, longest);
  if (layout == 0 && !rows.empty()) {
    const fuzz::TypedColumns<std::uint32_t> of(rows);
    const MtpRow row{of.position[0], of.slot[0], of.seq_len[0], of.tables.spans()[0]};
    check(row, tests::naive_mtp(rows[0], row.block_table.size()), room);
  } else if (layout == 1) {
    const fuzz::TypedColumns<std::uint32_t> of(rows);
    check(MtpBatchColumns{of.position, of.slot, of.seq_len, of.tables.spans(), entries},
          tests::naive_mtp_batch(rows, entries), room);
  } else if (layout == 2) {
    const fuzz::TypedColumns<std::int32_t> of(rows);
    const tests::NaiveDecode numbers = fuzz::any_decode_numbers(input, entries, rows.size());
    check(fuzz::decode_columns(of, numbers), tests::naive_decode(rows, numbers), room);
  }
  return 0;
}
