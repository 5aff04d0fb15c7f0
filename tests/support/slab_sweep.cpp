#include "slab_sweep.h"

#include "documents.h"

#include <slabscope/layout/owner.h>
#include <slabscope/layout/resolve_dump.h>
#include <slabscope/slab/view.h>

#include <doctest/doctest.h>

namespace slabscope::tests {

std::vector<GoldenSlab> golden_slabs(std::size_t most_bytes) {
  std::vector<GoldenSlab> made;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab || golden.slab->size() > most_bytes) continue;
    Params params = golden.params;
    if (golden.layout == "mtp") params["entries"] = (golden.slab->size() - 256) / 4;
    if (golden.layout == "mtp_batch") params["rows"] = golden.rows.size();
    if (golden.layout == "decode") params.erase("padded_rows");
    auto resolved =
        resolve_dump(builtin(golden.layout), given(params), std::nullopt, golden.slab->size());
    REQUIRE(resolved.has_value());
    made.push_back({std::move(resolved->layout), *golden.slab});
  }
  REQUIRE(made.size() > 20);
  return made;
}

std::vector<int128> elements(const Layout& layout, std::span<const std::byte> slab) {
  const auto view = SlabView::of(layout, slab);
  REQUIRE(view.has_value());
  std::vector<int128> made;
  for (const ResolvedField& field : layout.fields)
    for (std::uint64_t item = 0; item < field.items; ++item)
      for (std::uint64_t element = 0; element < field.item_elements; ++element)
        made.push_back(view->element(field, item, element));
  return made;
}

namespace {

// Where the element of an owner stands in elements().
std::size_t number_of(const Layout& layout, const Owner& owner) {
  std::uint64_t number = 0;
  for (const ResolvedField& field : layout.fields) {
    if (&field == owner.field) return number + owner.item * field.item_elements + owner.element;
    number += field.items * field.item_elements;
  }
  FAIL("no field of the layout");
  return 0;
}

}  // namespace

void sweep_slab_bits(const GoldenSlab& golden, std::size_t step) {
  const std::vector<int128> whole = elements(golden.layout, golden.slab);
  for (std::size_t bit = 0; bit < 8 * golden.slab.size(); bit += step) {
    CAPTURE(bit);
    Bytes changed = golden.slab;
    changed[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto owner = owner_of(golden.layout, bit / 8);
    REQUIRE(owner.has_value());
    std::vector<int128> expected = whole;
    if (!owner->is_gap()) {
      const std::uint64_t within = 8 * (bit / 8 - owner->offset) + bit % 8;
      int128& element = expected[number_of(golden.layout, *owner)];
      // The sign bit of a signed element counts below zero.
      const int128 weight = int128{1} << within;
      const bool is_sign = is_signed(owner->field->type()) && within == 8 * owner->bytes - 1;
      const bool was_set = (static_cast<unsigned>(golden.slab[bit / 8]) >> (bit % 8) & 1U) != 0;
      element += (was_set != is_sign) ? -weight : weight;
    }
    CHECK(elements(golden.layout, changed) == expected);
    const auto document = read_document(decoded(golden.layout, changed, RowsStyle{}));
    REQUIRE(document.has_value());
    CHECK(streamed(*document) == changed);
  }
}

}  // namespace slabscope::tests
