// Annotated hex: every byte of a slab and of what stands behind it is in exactly one line, with its
// element and value; folded lines stand for exactly the bytes that are there.
#include <slabscope/report/hex_dump.h>

#include "../support/documents.h"
#include "../support/worn_slab.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/owner.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace slabscope::tests {
namespace {

// The lines of one slab at `offset` of its dump, and of `behind` in pieces of at most `piece`
// bytes.
std::string dumped(const Layout& layout, const Bytes& slab, const Bytes& behind,
                   const HexStyle& style, std::uint64_t offset = 0, std::size_t piece = 4096) {
  ByteSink sink;
  TextWriter text(sink);
  HexDump dump(layout, style, text);
  dump.put_slab(7, offset, slab);
  for (std::size_t at = 0; at < behind.size(); at += piece)
    dump.put_behind(std::span(behind).subspan(at, std::min(piece, behind.size() - at)));
  dump.end_slab();
  REQUIRE(text.finish().has_value());
  return {reinterpret_cast<const char*>(sink.bytes.data()), sink.bytes.size()};
}

struct Line {
  std::uint64_t offset = 0;
  std::string address{};  // where there is one
  std::uint64_t elements = 1;
  std::uint64_t bytes = 0;  // of all of them
  std::string hex{};        // of one line that is not folded, or the byte that is repeated
  bool is_folded = false;
  std::string type{};     // or what the bytes are, in parentheses
  std::string element{};  // none of bytes that no field owns
  std::string value{};
};

bool is_type(const std::string& word) { return element_type(word).has_value(); }

// Reads a line by its words alone.
Line read_line(const std::string& text, bool has_address) {
  std::istringstream words(text);
  Line line;
  std::string word;
  words >> line.offset;
  if (has_address) words >> line.address;
  while (words >> word && !is_type(word) && word.front() != '(') line.hex += word;
  line.type = word;
  if (word.front() == '(') {
    std::string rest;
    std::getline(words, rest);
    line.type += rest;
  } else {
    words >> line.element >> line.value;
  }
  const std::size_t elements = line.hex.find("elements,");
  const std::size_t repeated = line.hex.find("Bof");
  line.is_folded = elements != std::string::npos || repeated != std::string::npos;
  if (elements != std::string::npos) {
    line.elements = std::stoull(line.hex);
    line.bytes = std::stoull(line.hex.substr(elements + 9));
    line.hex.clear();
  } else if (repeated != std::string::npos) {
    line.bytes = std::stoull(line.hex);
    line.hex.erase(0, repeated + 3);
  } else {
    line.bytes = line.hex.size() / 2;
  }
  return line;
}

// The bytes that a line stands for.
Bytes bytes_of(const Line& line) {
  if (!line.is_folded) return from_hex(line.hex);
  if (line.element.empty()) return Bytes(line.bytes, from_hex(line.hex).at(0));
  Bytes bytes;
  const bool is_negative = line.value.front() == '-';
  const std::uint64_t magnitude = std::stoull(is_negative ? line.value.substr(1) : line.value);
  const std::uint64_t bits = is_negative ? ~magnitude + 1 : magnitude;
  for (std::uint64_t element = 0; element < line.elements; ++element)
    for (std::uint64_t at = 0; at < line.bytes / line.elements; ++at)
      bytes.push_back(static_cast<std::byte>(bits >> 8 * at));
  return bytes;
}

std::string little_endian_value(std::span<const std::byte> bytes, bool is_signed) {
  int128 value = 0;
  for (std::size_t at = bytes.size(); at-- > 0;)
    value = value * 256 + std::to_integer<int>(bytes[at]);
  if (is_signed && (bytes.back() & std::byte{0x80}) != std::byte{0})
    value -= int128{1} << 8 * bytes.size();
  return to_text(value);
}

void check_line(const Line& line, const Layout& layout, const Bytes& all) {
  if (line.offset >= layout.size) {
    CHECK(line.type == "(behind the slab)");
    return;
  }
  const Owner owner = *owner_of(layout, line.offset);
  if (owner.is_gap()) {
    CHECK(line.type == "(gap)");
    CHECK(line.offset + line.bytes <= owner.offset + owner.bytes);
    CHECK(line.element.empty());
    return;
  }
  const ElementType type = owner.field->type();
  CHECK(line.type == name(type));
  CHECK(line.element == to_text(owner));
  CHECK(line.bytes == line.elements * element_bytes(type));
  CHECK(line.value == little_endian_value(std::span(all).subspan(line.offset, element_bytes(type)),
                                          is_signed(type)));
}

// All that holds for the lines of any slab; how many lines there are.
std::size_t check_dump(const Layout& layout, const Bytes& slab, const Bytes& behind,
                       const HexStyle& style, std::uint64_t offset, std::size_t piece) {
  const std::string text = dumped(layout, slab, behind, style, offset, piece);
  INFO(text);
  Bytes all = slab;
  all.insert(all.end(), behind.begin(), behind.end());
  std::istringstream lines(text);
  std::string each;
  std::getline(lines, each);
  CHECK(each == "slab 7 (" + layout.description->name + ", " + std::to_string(layout.size) +
                    " B at " + std::to_string(offset) + "):");
  std::getline(lines, each);
  Bytes seen;
  std::size_t count = 0;
  for (; std::getline(lines, each); ++count) {
    CHECK_FALSE(each.ends_with(' '));
    const Line line = read_line(each, style.base.has_value());
    CHECK(line.offset == seen.size());
    if (style.base)
      CHECK(std::stoull(line.address, nullptr, 16) == *style.base + offset + line.offset);
    if (line.is_folded) {
      CHECK(style.folds);
      CHECK((line.element.empty() ? line.bytes / 16 : line.elements) >= HexDump::fewest_folded);
    }
    const Bytes bytes = bytes_of(line);
    CHECK(bytes.size() == line.bytes);
    seen.insert(seen.end(), bytes.begin(), bytes.end());
    check_line(line, layout, all);
  }
  CHECK(difference(seen, all) == "no difference");
  return count;
}

// A description of fields with random types, shapes and alignments.
std::string random_description(PseudoRandom& random) {
  std::string text = R"({"name": "any", "row_param": "rows", "params": {"rows": {}}, "fields": [)";
  const std::uint64_t count = 1 + random.below(5);
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto type = static_cast<ElementType>(random.below(8));
    text += (index == 0 ? "" : ", ") + std::string(R"({"name": "f)") + std::to_string(index) +
            R"(", "type": ")" + std::string(name(type)) + R"(", "shape": [)";
    std::string shape = random.one_in(3) ? "" : R"("rows")";
    for (std::uint64_t dimension = random.below(3); dimension != 0; --dimension)
      shape += (shape.empty() ? "" : ", ") + std::to_string(random.below(4));
    text +=
        shape + R"(], "align": )" + std::to_string(element_bytes(type) << random.below(5)) + "}";
  }
  return text + "]}";
}

TEST_CASE("every byte is in one line, at random layouts") {
  PseudoRandom random(61);
  std::size_t lines = 0;
  std::size_t folded_lines = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string description = random_description(random);
    CAPTURE(description);
    const Layout layout = resolved(description_of(description), {{"rows", random.below(6)}});
    // Zeros with some bytes in them, so that there is something to fold.
    const Wear wear = random.pick(wears);
    const Bytes slab = worn(Bytes(layout.size), wear, random);
    const Bytes behind = worn(Bytes(random.below(200)), wear, random);
    const std::uint64_t offset = random.below(5000);
    const std::size_t piece = 1 + random.below(40);
    const std::uint64_t base = random.bits() >> 16U;
    for (const std::optional<std::uint64_t> address : {std::optional<std::uint64_t>(), {base}}) {
      const std::size_t whole = check_dump(layout, slab, behind, {address, false}, offset, piece);
      const std::size_t folded = check_dump(layout, slab, behind, {address, true}, offset, piece);
      CHECK(folded <= whole);
      lines += whole;
      folded_lines += folded;
    }
  }
  CHECK(lines > 10'000);
  CHECK(folded_lines < lines - lines / 5);
}

TEST_CASE("built-in layouts keep to 80 columns") {
  struct {
    const char* layout;
    Params params;
    std::optional<std::uint64_t> base;
  } const table[] = {
      {"mtp", {{"entries", 448}}, {}},
      {"mtp_batch", {{"rows", 128}, {"max_blocks", 257}}, {}},
      {"mtp_batch", {{"rows", 3}, {"max_blocks", 1}}, 0x7f2a40000000},
      {"decode", {{"max_batch_size", 128}, {"max_blocks", 257}}, 0x7f2a40000000},
  };
  for (const auto& [name, params, base] : table) {
    CAPTURE(name);
    const Layout layout = resolved(builtin(name), params);
    Bytes slab(layout.size);
    for (std::size_t at = 0; at < slab.size(); at += 8) slab[at] = std::byte{0x77};
    std::istringstream lines(dumped(layout, slab, Bytes(100), {base, false}));
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  }
}

TEST_CASE("a small slab, line by line") {
  const Layout layout = resolved(description_of(R"({
    "name": "small", "fields": [
      {"name": "kind", "type": "u8", "shape": []},
      {"name": "len", "type": "i16", "shape": [6], "align": 4},
      {"name": "end", "type": "u8", "shape": [0], "offset": 100}]})"),
                                 {});
  Bytes slab(100);
  slab[0] = std::byte{255};
  slab[1] = std::byte{0xaa};
  slab[4] = slab[5] = std::byte{0xff};
  slab[99] = std::byte{1};
  CHECK(dumped(layout, slab, from_hex("00010203"), {{}, true}, 32) ==
        "slab 7 (small, 100 B at 32):\n"
        "  offset  bytes  type  element  value\n"
        "       0  ff     u8    kind       255\n"
        "       1  aa 00 00  (gap)\n"
        "       4  ff ff  i16   len[0]      -1\n"
        "       6  5 elements, 10 B  i16   len[1]       0\n"
        "      16  80 B of 00  (gap)\n"
        "      96  00 00 00 01  (gap)\n"
        "     100  00 01 02 03  (behind the slab)\n");
  CHECK(dumped(layout, slab, {}, {std::uint64_t{0x1000}, false}, 32) ==
        "slab 7 (small, 100 B at 32):\n"
        "  offset  address  bytes  type  element  value\n"
        "       0  0x1020   ff     u8    kind       255\n"
        "       1  0x1021   aa0000  (gap)\n"
        "       4  0x1024   ffff   i16   len[0]      -1\n"
        "       6  0x1026   0000   i16   len[1]       0\n"
        "       8  0x1028   0000   i16   len[2]       0\n"
        "      10  0x102a   0000   i16   len[3]       0\n"
        "      12  0x102c   0000   i16   len[4]       0\n"
        "      14  0x102e   0000   i16   len[5]       0\n"
        "      16  0x1030   00000000000000000000000000000000  (gap)\n"
        "      32  0x1040   00000000000000000000000000000000  (gap)\n"
        "      48  0x1050   00000000000000000000000000000000  (gap)\n"
        "      64  0x1060   00000000000000000000000000000000  (gap)\n"
        "      80  0x1070   00000000000000000000000000000000  (gap)\n"
        "      96  0x1080   00000001  (gap)\n");
}

TEST_CASE("three equal elements and three equal lines stay as they are") {
  const Layout layout = resolved(description_of(R"({
    "name": "x", "fields": [{"name": "a", "type": "u8", "shape": [3]}]})"),
                                 {});
  const std::string text = dumped(layout, Bytes(3), Bytes(63), {{}, true});
  CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 3 + 4);
  const std::string folded = dumped(layout, Bytes(3), Bytes(64), {{}, true});
  CHECK(std::count(folded.begin(), folded.end(), '\n') == 2 + 3 + 1);
  CHECK(folded.ends_with("       3  64 B of 00  (behind the slab)\n"));
}

TEST_CASE("a slab without bytes") {
  const Layout layout = resolved(builtin("mtp_batch"), {{"rows", 0}, {"max_blocks", 1}});
  CHECK(dumped(layout, {}, from_hex("41"), {{}, false}) ==
        "slab 7 (mtp_batch, 0 B at 0):\n"
        "  offset  bytes  type  element  value\n"
        "       0  41     (behind the slab)\n");
}

}  // namespace
}  // namespace slabscope::tests
