// diff finds every element and every run of gap bytes that differs, and nothing else: against
// changes made by hand at offsets that the naive packer knows, and a comparison byte by byte.
#include <slabscope/check/diff.h>

#include "../support/documents.h"
#include "../support/naive_pack.h"
#include "../support/worn_slab.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// What is compared of a change: the element or gap, then the bytes.
struct Found {
  std::string owner;
  std::string before;
  std::string after;
  bool operator==(const Found&) const = default;
};
using FoundByOffset = std::map<std::uint64_t, Found>;

SlabDiff diff_of(const Layout& layout, const DiffRules& rules = {}) {
  auto made = SlabDiff::of(layout, rules);
  INFO((made ? std::string() : shown_failure(made.error())));
  REQUIRE(made.has_value());
  return *made;
}

FoundByOffset found(const SlabDiff& diff, const Bytes& before, const Bytes& after) {
  FoundByOffset changes;
  std::uint64_t end = 0;
  diff.compare(before, after, [&](const Change& change) {
    CHECK(change.offset >= end);  // in order, none twice
    end = change.offset + change.before.size();
    CHECK(change.before.size() == change.after.size());
    changes[change.offset] = {to_text(change.owner), to_hex(change.before), to_hex(change.after)};
  });
  return changes;
}

// A built-in layout, and where its elements stand.
struct Subject {
  std::string name;
  Layout layout;
  NaiveOffsets at;
  std::uint64_t rows = 1;
  std::uint64_t entries = 0;
  std::vector<NaiveOwner> owners;
};

std::vector<Subject> subjects() {
  std::vector<Subject> made;
  for (const std::uint64_t entries : {0U, 1U, 4U}) {
    made.push_back({"mtp", resolved(builtin("mtp"), {{"entries", entries}}), mtp_offsets(entries),
                    1, entries, mtp_owners(entries)});
    for (const std::uint64_t rows : {1U, 2U, 5U})
      made.push_back(
          {"mtp_batch", resolved(builtin("mtp_batch"), {{"rows", rows}, {"max_blocks", entries}}),
           mtp_batch_offsets(rows, entries), rows, entries, mtp_batch_owners(rows, entries)});
    made.push_back({"decode",
                    resolved(builtin("decode"), {{"max_batch_size", 33}, {"max_blocks", entries}}),
                    decode_offsets(33, entries), 33, entries, decode_owners(33, entries)});
  }
  return made;
}

struct Element {
  std::string text;
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
};

// A random element, by the formulas.
Element any_element(const Subject& subject, PseudoRandom& random) {
  const std::uint64_t row = random.below(subject.rows);
  const std::string index = subject.name == "mtp" ? "" : "[" + std::to_string(row) + "]";
  switch (random.below(5)) {
    case 0: return {"slot" + index, subject.at.slot + 8 * row, 8};
    case 1: return {"seq_len" + index, subject.at.seq_len + 4 * row, 4};
    case 2:
      if (subject.at.seq_slot) return {"seq_slot" + index, *subject.at.seq_slot + 4 * row, 4};
      break;
    case 3:
      if (subject.entries != 0) {
        const std::uint64_t column = random.below(subject.entries);
        return {"block_table" + index + "[" + std::to_string(column) + "]",
                subject.at.block_table + 4 * (subject.entries * row + column), 4};
      }
      break;
    default: break;
  }
  return {"position" + index, subject.at.position + 4 * row, 4};
}

TEST_CASE("random changes of elements are found, and nothing else") {
  PseudoRandom random(51);
  for (const Subject& subject : subjects()) {
    const SlabDiff diff = diff_of(subject.layout);
    for (int round = 0; round < 60; ++round) {
      CAPTURE(subject.name);
      const Bytes before = worn(Bytes(subject.layout.size), Wear::all, random);
      Bytes after = before;
      FoundByOffset wanted;
      for (std::uint64_t count = random.below(9); count != 0; --count) {
        const Element element = any_element(subject, random);
        const auto begin = after.begin() + static_cast<std::ptrdiff_t>(element.offset);
        begin[static_cast<std::ptrdiff_t>(random.below(element.bytes))] ^= std::byte{0x40};
        const Bytes old(
            before.begin() + (begin - after.begin()),
            before.begin() + (begin - after.begin()) + static_cast<std::ptrdiff_t>(element.bytes));
        const Bytes changed(begin, begin + static_cast<std::ptrdiff_t>(element.bytes));
        wanted[element.offset] = {element.text, to_hex(old), to_hex(changed)};
        if (old == changed) wanted.erase(element.offset);  // changed back
      }
      CHECK((found(diff, before, after) == wanted));
    }
  }
}

// Of every field the elements that differ, of every gap the longest runs: byte by byte.
FoundByOffset compared_naively(const Subject& subject, const Bytes& before, const Bytes& after) {
  FoundByOffset wanted;
  const auto hex = [](const Bytes& slab, std::uint64_t offset, std::uint64_t bytes) {
    return to_hex(std::span(slab).subspan(offset, bytes));
  };
  for (const NaiveOwner& owner : subject.owners) {
    const bool is_gap = owner.field.empty();
    const std::uint64_t width = owner.field == "slot" ? 8 : is_gap ? 1 : 4;
    std::uint64_t run_end = 0;  // of the run that the last change stands for
    std::uint64_t run_begin = 0;
    for (std::uint64_t at = owner.offset; at < owner.offset + owner.bytes; at += width) {
      if (hex(before, at, width) == hex(after, at, width)) continue;
      if (!is_gap || run_end != at) run_begin = at;
      run_end = at + width;
      wanted[run_begin] = {"", hex(before, run_begin, run_end - run_begin),
                           hex(after, run_begin, run_end - run_begin)};
    }
  }
  return wanted;
}

TEST_CASE("slabs of any bytes, gaps included") {
  PseudoRandom random(52);
  std::size_t changes = 0;
  for (const Subject& subject : subjects()) {
    const SlabDiff diff = diff_of(subject.layout);
    const SlabDiff without_gaps = diff_of(subject.layout, {true, false, {}});
    for (const Wear wear : wears) {
      for (int round = 0; round < 4; ++round) {
        CAPTURE(subject.name);
        const Bytes before = worn(Bytes(subject.layout.size), Wear::all, random);
        const Bytes after = worn(before, wear, random);
        FoundByOffset got = found(diff, before, after);
        std::set<std::uint64_t> in_gaps;
        for (auto& [offset, change] : got) {
          if (change.owner == "(gap)") in_gaps.insert(offset);
          change.owner.clear();
        }
        const FoundByOffset wanted = compared_naively(subject, before, after);
        CHECK((got == wanted));
        changes += got.size();
        FoundByOffset fewer = found(without_gaps, before, after);
        CHECK(fewer.size() == got.size() - in_gaps.size());
        for (const auto& [offset, change] : fewer) CHECK_FALSE(in_gaps.contains(offset));
        CHECK(found(diff, after, after).empty());
      }
    }
  }
  CHECK(changes > 1000);
}

TEST_CASE("a difference far behind equal bytes, and at the edges of what is compared at once") {
  const Layout layout = resolved(builtin("mtp"), {{"entries", 5000}});
  const SlabDiff diff = diff_of(layout);
  const Bytes before(layout.size);
  for (const std::uint64_t entry : {0U, 957U, 959U, 960U, 961U, 1983U, 1984U, 4999U}) {
    Bytes after = before;
    after[256 + 4 * entry + 3] = std::byte{1};
    const FoundByOffset got = found(diff, before, after);
    REQUIRE(got.size() == 1);
    CHECK(got.begin()->second.owner == "block_table[" + std::to_string(entry) + "]");
  }
}

// A layout with one value of each kind, two rows live of three that are uploaded, of four.
constexpr std::string_view four_rows = R"({
  "name": "four", "row_param": "rows",
  "params": {"rows": {"value": "4"}, "padded_rows": {"default": "row_count"}},
  "fields": [
    {"name": "flag", "type": "u8", "shape": []},
    {"name": "len", "type": "i32", "shape": ["rows"], "role": "seq_len"},
    {"name": "table", "type": "i16", "shape": ["rows", 3], "role": "block_table"},
    {"name": "slot", "type": "i64", "shape": ["rows"], "role": "slot"}]})";

struct Slabs {
  Bytes before;
  Bytes after;
};

// The changes as "table[0][2] 0 -> 7" and so on, in order.
std::vector<std::string> messages(const SlabDiff& diff, const Slabs& slabs) {
  std::vector<std::string> texts;
  diff.compare(slabs.before, slabs.after, [&](const Change& change) {
    texts.push_back(to_text(change.owner) + " " + diff.message(change));
  });
  return texts;
}

using Texts = std::vector<std::string>;

// Lengths 4, 5, 1 and 9; with 4 tokens per block that is 1, 2, 1 and 3 entries. Every last entry of
// a table and every slot differs, and both bytes of the gap that the others do not.
Slabs four_slabs() {
  Slabs slabs{Bytes(80), {}};
  const int lengths[] = {4, 5, 1, 9};
  for (std::size_t row = 0; row < 4; ++row)
    slabs.before[4 + 4 * row] = static_cast<std::byte>(lengths[row]);
  slabs.after = slabs.before;
  for (std::size_t row = 0; row < 4; ++row) {
    slabs.after[20 + 6 * row + 4] = std::byte{7};
    slabs.after[48 + 8 * row] = std::byte{9};
  }
  slabs.after[2] = std::byte{0xab};
  slabs.after[3] = std::byte{0xcd};
  return slabs;
}

TEST_CASE("what is stale is told, and left out where that is asked for") {
  const DescriptionPtr four = description_of(four_rows);
  const Layout with_blocks =
      resolved(four, {{"block_size", 4}, {"padded_rows", 3}}, {std::uint64_t{2}, {}});
  REQUIRE(with_blocks.size == 80);
  const Slabs slabs = four_slabs();
  CHECK((messages(diff_of(with_blocks), slabs) ==
         Texts{"(gap) 2 bytes of a gap",
               "table[0][2] 0 (slots 0..3) -> 7 (slots 28..31), past the entries in use",
               "table[1][2] 0 (slots 0..3) -> 7 (slots 28..31), past the entries in use",
               "table[2][2] 0 (slots 0..3) -> 7 (slots 28..31), past the entries in use",
               "table[3][2] 0 (slots 0..3) -> 7 (slots 28..31), in a row that is not uploaded",
               "slot[0] 0 (block 0 + 0) -> 9 (block 2 + 1)",
               "slot[1] 0 (block 0 + 0) -> 9 (block 2 + 1)",
               "slot[2] 0 (block 0 + 0) -> 9 (block 2 + 1)",
               "slot[3] 0 (block 0 + 0) -> 9 (block 2 + 1), in a row that is not uploaded"}));
  CHECK((messages(diff_of(with_blocks, {true, true, {}}), slabs) ==
         Texts{"slot[0] 0 (block 0 + 0) -> 9 (block 2 + 1)",
               "slot[1] 0 (block 0 + 0) -> 9 (block 2 + 1)",
               "slot[2] 0 (block 0 + 0) -> 9 (block 2 + 1)"}));
  CHECK(diff_of(with_blocks).knows_used_entries());

  // Blocks that are reserved ahead are no leftovers: 8 tokens more make 3, 4, 3 entries.
  const Layout ahead =
      resolved(four, {{"block_size", 4}, {"padded_rows", 3}, {"lookahead_tokens", 8}},
               {std::uint64_t{2}, {}});
  CHECK(messages(diff_of(ahead, {true, true, {}}), slabs).size() == 3 + 3);

  // An entry is in use when either slab uses it.
  Slabs grown = slabs;
  grown.after[4] = std::byte{9};
  CHECK((messages(diff_of(with_blocks, {true, true, {}}), grown)[1] ==
         "table[0][2] 0 (slots 0..3) -> 7 (slots 28..31)"));
  std::swap(grown.before, grown.after);
  CHECK((messages(diff_of(with_blocks, {true, true, {}}), grown)[1] ==
         "table[0][2] 7 (slots 28..31) -> 0 (slots 0..3)"));

  // Tokens that fill their blocks to the end use no entry more, and one token more does.
  Slabs full = slabs;
  full.before[4] = full.after[4] = std::byte{8};
  CHECK((messages(diff_of(with_blocks), full)[1] ==
         "table[0][2] 0 (slots 0..3) -> 7 (slots 28..31), past the entries in use"));
  full.before[4] = full.after[4] = std::byte{9};
  CHECK((messages(diff_of(with_blocks), full)[1] ==
         "table[0][2] 0 (slots 0..3) -> 7 (slots 28..31)"));

  // Without tokens a row uses nothing.
  Slabs empty = slabs;
  empty.before[4] = empty.after[4] = std::byte{0};
  empty.after[20] = std::byte{1};
  CHECK((messages(diff_of(with_blocks), empty)[1] ==
         "table[0][0] 0 (slots 0..3) -> 1 (slots 4..7), past the entries in use"));

  // How many rows are uploaded may be said apart from the layout.
  CHECK(messages(diff_of(with_blocks, {true, true, std::uint64_t{1}}), slabs).size() == 1);
  CHECK(messages(diff_of(with_blocks, {true, true, std::uint64_t{4}}), slabs).size() == 1 + 4);
}

TEST_CASE("without block_size no entry is stale, and numbers are only numbers") {
  const Layout layout =
      resolved(description_of(four_rows), {{"padded_rows", 3}}, {std::uint64_t{2}, {}});
  const SlabDiff diff = diff_of(layout, {true, true, {}});
  CHECK_FALSE(diff.knows_used_entries());
  CHECK((messages(diff, four_slabs()) == Texts{"table[0][2] 0 -> 7", "table[1][2] 0 -> 7",
                                               "table[2][2] 0 -> 7", "slot[0] 0 -> 9",
                                               "slot[1] 0 -> 9", "slot[2] 0 -> 9"}));
}

TEST_CASE("values below zero are no slots and no blocks; scalars are no row's") {
  const Layout layout = resolved(description_of(four_rows), {{"block_size", 16}});
  Slabs slabs{Bytes(80), Bytes(80)};
  slabs.after[0] = std::byte{200};
  slabs.after[4] = std::byte{17};
  slabs.after[22] = slabs.after[23] = std::byte{0xff};
  for (std::size_t index = 0; index < 8; ++index) slabs.after[56 + index] = std::byte{0xff};
  CHECK((messages(diff_of(layout), slabs) == Texts{"flag 0 -> 200", "len[0] 0 -> 17",
                                                   "table[0][1] 0 (slots 0..15) -> -1",
                                                   "slot[1] 0 (block 0 + 0) -> -1"}));
}

TEST_CASE("where roles do not tell what is used, nothing is stale") {
  const char* const layouts[] = {
      // A table that is no row's, two fields of a role, and none.
      R"({"name": "x", "row_param": "rows", "params": {"rows": {}}, "fields": [
          {"name": "len", "type": "u8", "shape": ["rows"], "role": "seq_len"},
          {"name": "table", "type": "u8", "shape": [2], "role": "block_table"}]})",
      R"({"name": "x", "row_param": "rows", "params": {"rows": {}}, "fields": [
          {"name": "len", "type": "u8", "shape": ["rows"], "role": "seq_len"},
          {"name": "table", "type": "u8", "shape": ["rows", 2], "role": "block_table"},
          {"name": "other", "type": "u8", "shape": ["rows", 2], "role": "block_table"}]})",
      R"({"name": "x", "row_param": "rows", "params": {"rows": {}}, "fields": [
          {"name": "len", "type": "u8", "shape": ["rows"], "role": "seq_len"},
          {"name": "more", "type": "u8", "shape": ["rows"], "role": "seq_len"},
          {"name": "table", "type": "u8", "shape": ["rows", 2], "role": "block_table"}]})",
      R"({"name": "x", "row_param": "rows", "params": {"rows": {}}, "fields": [
          {"name": "table", "type": "u8", "shape": ["rows", 2], "role": "block_table"}]})"};
  for (const char* const text : layouts) {
    CAPTURE(text);
    const Layout layout =
        resolved(description_of(text), {{"rows", 1}, {"block_size", 4}}, {std::uint64_t{1}, {}});
    const SlabDiff diff = diff_of(layout, {true, true, {}});
    CHECK(diff.knows_used_entries());  // nothing that a parameter could tell
    const Bytes before(layout.size);
    CHECK(found(diff, before, Bytes(layout.size, std::byte{1})).size() == layout.size);
  }
}

TEST_CASE("refusals") {
  const DescriptionPtr four = description_of(four_rows);
  const auto code = [](const Result<SlabDiff>& made) {
    return made ? std::string("none") : std::string(info(made.error().code).name);
  };
  const Layout layout = resolved(four, {});
  CHECK(code(SlabDiff::of(layout, {false, true, std::uint64_t{4}})) == "none");
  const auto refused = SlabDiff::of(layout, {false, true, std::uint64_t{5}});
  CHECK(code(refused) == "padded_rows");
  CHECK(refused.error().got == "5");
  CHECK(refused.error().allowed == "up to 4");
  CHECK(code(SlabDiff::of(resolved(four, {{"block_size", 0}}), {})) == "param_range");
}

}  // namespace
}  // namespace slabscope::tests
