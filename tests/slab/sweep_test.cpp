// Golden slabs with one bit flipped, or cut off: exactly the byte's owner changes, and nothing of a
// slab is read that is not there. Under sanitizers every 7th bit is flipped.
#include "../support/documents.h"
#include "../support/golden.h"
#include "../support/sanitized.h"

#include <slabscope/layout/owner.h>
#include <slabscope/layout/resolve_dump.h>
#include <slabscope/slab/view.h>

#include <doctest/doctest.h>

namespace slabscope::tests {
namespace {

constexpr std::size_t most_bytes = 330;
constexpr std::size_t bit_step = is_sanitized ? 7 : 1;

struct Dump {
  Layout layout;
  Bytes slab;
};

std::vector<Dump> small_dumps() {
  std::vector<Dump> made;
  for (const GoldenCase& golden : golden_cases()) {
    if (!golden.slab || golden.slab->size() > most_bytes || golden.rows.size() > 5) continue;
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

// Every element, in the order of the layout.
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

TEST_CASE("a flipped bit changes the element that owns it and nothing else, and is packed again") {
  for (const Dump& dump : small_dumps()) {
    const std::vector<int128> whole = elements(dump.layout, dump.slab);
    for (std::size_t bit = 0; bit < 8 * dump.slab.size(); bit += bit_step) {
      CAPTURE(bit);
      Bytes changed = dump.slab;
      changed[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      const auto owner = owner_of(dump.layout, bit / 8);
      REQUIRE(owner.has_value());
      std::vector<int128> expected = whole;
      if (!owner->is_gap()) {
        const std::uint64_t within = 8 * (bit / 8 - owner->offset) + bit % 8;
        int128& element = expected[number_of(dump.layout, *owner)];
        // The sign bit of a signed element counts below zero.
        const int128 weight = int128{1} << within;
        const bool is_sign = is_signed(owner->field->type()) && within == 8 * owner->bytes - 1;
        const bool was_set = (static_cast<unsigned>(dump.slab[bit / 8]) >> (bit % 8) & 1U) != 0;
        element += (was_set != is_sign) ? -weight : weight;
      }
      CHECK(elements(dump.layout, changed) == expected);
      const auto document = read_document(decoded(dump.layout, changed, RowsStyle{}));
      REQUIRE(document.has_value());
      CHECK(streamed(*document) == changed);
    }
  }
}

TEST_CASE("a slab that is cut off is refused at every length, and what is behind it is not read") {
  for (const Dump& dump : small_dumps()) {
    for (std::size_t length = 0; length < dump.slab.size(); ++length) {
      CAPTURE(length);
      const Bytes cut(dump.slab.begin(), dump.slab.begin() + static_cast<std::ptrdiff_t>(length));
      const auto view = SlabView::of(dump.layout, cut);
      REQUIRE_FALSE(view.has_value());
      CHECK(view.error().code == ErrorCode::short_dump);
    }
    Bytes longer = dump.slab;
    longer.resize(longer.size() + 7, std::byte{0xAA});
    CHECK(elements(dump.layout, longer) == elements(dump.layout, dump.slab));
  }
}

}  // namespace
}  // namespace slabscope::tests
