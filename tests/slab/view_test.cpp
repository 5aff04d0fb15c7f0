// SlabView reads every element of any bytes, at any address, and refuses a slab that is cut short.
#include <slabscope/slab/view.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace slabscope::tests {
namespace {

// Bytes in memory of their own, `shift` bytes past an aligned address.
struct Shifted {
  Shifted(std::span<const std::byte> bytes, std::size_t shift)
      : memory(std::make_unique<std::byte[]>(bytes.size() + shift)),
        view(memory.get() + shift, bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), memory.get() + shift);
  }
  std::unique_ptr<std::byte[]> memory;
  std::span<const std::byte> view;
};

void check_elements(const Layout& layout, const NaiveOffsets& at, std::uint64_t entries,
                    PseudoRandom& random) {
  Bytes slab(layout.size);
  for (std::byte& each : slab) each = static_cast<std::byte>(random.bits());
  const auto rows = naive_rows(slab, at, layout.capacity, entries);
  for (const std::size_t shift : {0U, 1U, 7U}) {
    const Shifted shifted(slab, shift);
    const auto view = SlabView::of(layout, shifted.view);
    REQUIRE(view.has_value());
    const auto element = [&](const char* field, std::uint64_t row, std::uint64_t index) {
      return view->element(*layout.find_field(field), row, index);
    };
    std::size_t wrong = 0;
    const auto check = [&](bool ok) { wrong += ok ? 0U : 1U; };
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
      check(element("position", row, 0) == rows[row].position);
      check(element("slot", row, 0) == rows[row].slot);
      check(element("seq_len", row, 0) == rows[row].seq_len);
      if (at.seq_slot) check(element("seq_slot", row, 0) == *rows[row].seq_slot);
      for (std::uint64_t entry = 0; entry < entries; ++entry)
        check(element("block_table", row, entry) == rows[row].block_table[entry]);
      const auto table = view->item(*layout.find_field("block_table"), row);
      const auto begin = at.block_table + 4 * entries * row;
      check(same(table, shifted.view.subspan(begin, 4 * entries)));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("every element of random bytes") {
  PseudoRandom random(41);
  for (const std::uint64_t entries : {0U, 1U, 5U}) {
    check_elements(resolved(builtin("mtp"), {{"entries", entries}}), mtp_offsets(entries), entries,
                   random);
    for (const std::uint64_t rows : {1U, 2U, 3U, 5U, 16U, 33U}) {
      INFO(rows, " rows of ", entries);
      check_elements(resolved(builtin("mtp_batch"), {{"rows", rows}, {"max_blocks", entries}}),
                     mtp_batch_offsets(rows, entries), entries, random);
      check_elements(
          resolved(builtin("decode"), {{"max_batch_size", rows}, {"max_blocks", entries}}),
          decode_offsets(decode_capacity(rows), entries), entries, random);
    }
  }
}

TEST_CASE("a slab that is cut short is refused, a longer one is read") {
  const Layout layout = resolved(builtin("mtp"), {{"entries", 2}});
  const Bytes bytes(layout.size + 5);
  const std::span<const std::byte> all(bytes);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{263}}) {
    const auto view = SlabView::of(layout, all.first(size));
    REQUIRE_FALSE(view.has_value());
    CHECK(view.error().code == ErrorCode::short_dump);
  }
  CHECK(SlabView::of(layout, all.first(264)).has_value());
  const auto longer = SlabView::of(layout, all);
  REQUIRE(longer.has_value());
  CHECK(longer->bytes().size() == 264);
}

}  // namespace
}  // namespace slabscope::tests
