// `xxd` with any -c, -g, -u, -o, -s and -a; `xxd -e` and `xxd -p`, which look like other texts, by
// name alone.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>
#include <slabscope/dump/text_prose.h>

#include <algorithm>
#include <bit>

namespace slabscope {
namespace {

constexpr std::size_t max_row_bytes = 256;  // of xxd -c

// Passes over the numbers of a row.
using TakeNumbers = Result<void> (*)(LineCursor& cursor, TextRow& row);

// What is behind the numbers: two blanks or more, where the row is short, and the characters.
Result<std::string_view> take_characters(const LineCursor& cursor, const TextRow& row) {
  if (row.bytes.empty()) return cursor.fault("this row has no bytes");
  std::string_view rest = cursor.rest();
  const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
  if (rest.size() > row.bytes.size() + 2) {
    const std::size_t padding = rest.size() - row.bytes.size();
    if (padding > blanks)
      return cursor.fault("the characters at the right are not as many as the bytes",
                          std::to_string(row.bytes.size()));
    rest.remove_prefix(padding);
  } else {
    if (blanks < std::min<std::size_t>(rest.size(), 2))
      return cursor.fault("this is no number of a row of xxd", "hexadecimal digits");
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 2));
  }
  return rest;
}

// Groups of eight binary digits, and no more characters than groups?
bool are_binary(std::string_view groups, std::string_view characters) noexcept {
  constexpr std::size_t group = 9;  // and the blank behind it
  for (std::size_t at = 0; at < groups.size(); at += group) {
    const std::string_view digits = groups.substr(at, group - 1);
    if (digits.size() != group - 1 || digits.find_first_not_of("01") != std::string_view::npos)
      return false;
  }
  const std::size_t begin = characters.find_first_not_of(' ');
  return begin != std::string_view::npos &&
         characters.find_last_not_of(' ') - begin < (groups.size() + 1) / group;
}

// "00000040: ", or what a line is that has none.
Result<bool> take_offset(LineCursor& cursor, TextRow& row) {
  row = {};
  const std::size_t digits = cursor.hex_digits();
  if (digits == 0) {
    const bool is_star = cursor.take("*");
    (void)cursor.take_blanks();
    if (!cursor.is_at_end()) return cursor.fault("this is no row of xxd: keep only whole rows");
    row.kind = is_star ? TextRowKind::repeat : TextRowKind::other;
    return false;
  }
  if (digits < 8 || digits > 16)
    return cursor.fault("this is no offset of xxd: keep only whole rows", "8 to 16 digits");
  row.address = cursor.take_hex(digits);
  row.kind = TextRowKind::bytes;
  if (!cursor.take(": ")) return cursor.fault("this is no row of xxd", "a colon behind the offset");
  return true;
}

// Groups of bytes with one blank between.
Result<void> take_groups(LineCursor& cursor, TextRow& row) {
  for (;;) {
    const std::size_t digits = cursor.hex_digits();
    if (digits == 0 || digits % 2 != 0 || row.bytes.size() + digits / 2 > max_row_bytes)
      return cursor.fault("this is no group of bytes of xxd", "pairs of digits, up to 256");
    for (std::size_t index = 0; index < digits; index += 2)
      row.bytes.push_back(static_cast<std::byte>(cursor.take_hex(2)));
    if (cursor.peek() != ' ' || cursor.rest().substr(0, 2) == "  " || cursor.rest() == " ")
      return {};
    ++cursor.at;
  }
}

// Numbers of one width with one blank between; the last may be shorter, with blanks before it.
Result<void> take_words(LineCursor& cursor, TextRow& row) {
  const std::size_t before = cursor.take_blanks();
  const std::size_t width = before + cursor.hex_digits();  // of every number
  for (bool is_more = true; is_more;) {
    const std::size_t digits = cursor.hex_digits();
    if (digits == 0 || digits % 2 != 0 || width > 16 || !std::has_single_bit(width) ||
        row.bytes.size() + digits / 2 > max_row_bytes)
      return cursor.fault("this is no number of a row of xxd -e", "2, 4, 8 or 16 digits");
    append_little_endian(row.bytes, cursor.take_hex(digits), digits / 2);
    LineCursor next = cursor;
    const std::size_t blanks = next.take_blanks();
    const bool ends_in_column = blanks + next.hex_digits() == width + 1;
    (void)next.take_hex(std::min<std::size_t>(next.hex_digits(), 16));
    is_more = digits == width && ends_in_column &&
              (blanks == 1 || (blanks > 2 && next.rest().substr(0, 2) == "  "));
    if (is_more) (void)cursor.take_blanks();
  }
  return {};
}

// Do the numbers from `cursor` on, taken so, agree with the characters?
bool agrees(LineCursor cursor, TakeNumbers take) {
  TextRow row;
  if (!take(cursor, row)) return false;
  const auto characters = take_characters(cursor, row);
  return characters && check_characters(row, cursor, *characters, "");
}

// The numbers and characters of a row, from behind its offset. Where they do not agree, and the
// numbers of `other` would, the error tells of `instead`.
Result<void> take_row(LineCursor cursor, TextRow& row, TakeNumbers take, TakeNumbers other,
                      std::string_view instead) {
  const LineCursor begin = cursor;
  SLABSCOPE_TRY(take(cursor, row));
  SLABSCOPE_TRY_ASSIGN(characters, take_characters(cursor, row));
  if (check_characters(row, cursor, characters, "")) return {};
  if (are_binary(begin.line.substr(begin.at, cursor.at - begin.at), characters))
    return cursor.fault("xxd -b writes such rows, which are not read: take the text without -b");
  if (agrees(begin, other)) return check_characters(row, cursor, characters, instead);
  if (characters.size() < row.bytes.size() ||
      characters.find_first_not_of(' ') == std::string_view::npos)
    return cursor.fault("the characters at the right are missing: keep whole rows",
                        std::to_string(row.bytes.size()) + " of them");
  return check_characters(row, cursor, characters,
                          "; if xxd -E wrote them, xxd -r makes raw memory of the text");
}

// "00000000: 0700 0000  ...."
Result<void> parse_forward(std::string_view line, unsigned /*unit*/, TextRow& row) {
  LineCursor cursor{line, quote_bytes(line)};
  SLABSCOPE_TRY_ASSIGN(is_row, take_offset(cursor, row));
  if (!is_row) return {};
  return take_row(cursor, row, take_groups, take_words,
                  "; xxd -e writes such rows: --container xxd-e");
}

// "00000000: 00000007  ...."
Result<void> parse_words(std::string_view line, unsigned /*unit*/, TextRow& row) {
  LineCursor cursor{line, quote_bytes(line)};
  SLABSCOPE_TRY_ASSIGN(is_row, take_offset(cursor, row));
  if (!is_row) return {};
  return take_row(cursor, row, take_words, take_groups,
                  "; without -e xxd writes such rows: --container xxd");
}

// Nothing but bytes.
Result<void> parse_plain(std::string_view line, unsigned /*unit*/, TextRow& row) {
  row = {};
  LineCursor cursor{line};
  (void)cursor.take_blanks();
  const std::size_t digits = cursor.hex_digits();
  if (digits % 2 != 0) return cursor.fault("this is no row of pairs of digits");
  row.bytes.reserve(digits / 2);
  for (std::size_t index = 0; index < digits; index += 2)
    row.bytes.push_back(static_cast<std::byte>(cursor.take_hex(2)));
  (void)cursor.take_blanks();
  if (!cursor.is_at_end()) return cursor.fault("this is no row of pairs of digits");
  row.kind = digits == 0 ? TextRowKind::other : TextRowKind::bytes;
  return {};
}

// "00000000: 0700"
bool is_row(std::string_view line) noexcept {
  const std::size_t digits = leading_hex_digits(line);
  if (digits < 8 || digits > 16 || line.substr(digits, 2) != ": ") return false;
  const std::string_view rest = line.substr(digits + 2);
  return leading_hex_digits(rest.substr(std::min(rest.find_first_not_of(' '), rest.size()))) >= 2;
}

bool recognises(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return shows_rows(first, is_row);
}

bool recognises_nothing(std::span<const std::byte> /*first*/, std::uint64_t /*size*/) noexcept {
  return false;
}

// Are all groups of two bytes, as xxd without -e writes them, numbers that fit the first: "0700"?
bool are_small(std::span<const std::byte> bytes) noexcept {
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2)
    if (bytes[at + 1] != std::byte{0} && bytes[at + 1] != bytes[at]) return false;
  return true;
}

// Digits of the first group of a row.
std::size_t group_digits(std::string_view line) noexcept {
  const std::string_view behind = line.substr(std::min(line.find(':'), line.size()));
  return leading_hex_digits(behind.substr(std::min(behind.find_first_not_of(": "), behind.size())));
}

// The place of a row that xxd and xxd -e write of different bytes, in a text that both may have
// written: no character at the right tells. Groups of two bytes are what xxd alone writes, and tell
// where all numbers are small: else all would be multiples of 256.
Result<std::optional<TextLine>> find_ambiguous(const std::shared_ptr<RandomAccess>& file) {
  TextLines lines(file);
  std::optional<TextLine> found;
  TextRow forward;
  TextRow words;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(line, lines.next());
    if (!line) return found;
    if (is_prose(line->text)) continue;
    if (!parse_forward(line->text, 0, forward) || !parse_words(line->text, 0, words))
      return std::optional<TextLine>();
    const bool is_told = group_digits(line->text) <= 4 && are_small(forward.bytes);
    if (!found && !is_told && forward.bytes != words.bytes) found = line;
  }
}

Result<std::unique_ptr<Container>> open_forward(std::shared_ptr<RandomAccess> file,
                                                const ContainerHints& hints) {
  if (!hints.is_kind_given) {
    SLABSCOPE_TRY_ASSIGN(ambiguous, find_ambiguous(file));
    if (ambiguous)
      return fail(
          error(ErrorCode::unsupported_container,
                "xxd -e writes such rows of words, and xxd of bytes, and no character at the "
                "right tells which they are: --container xxd-e, or --container xxd")
              .at({ambiguous->number, 1}, {}));
  }
  TextFormat format{xxd_kind, parse_forward};
  format.repeats_zeros_only = true;
  format.other_bases = {10};  // xxd -d
  format.hole_advice = " (offsets are read as hexadecimal, not as xxd -d writes them)";
  format.may_have_prose = true;
  return open_text(format, std::move(file), hints);
}

Result<std::unique_ptr<Container>> open_words(std::shared_ptr<RandomAccess> file,
                                              const ContainerHints& hints) {
  TextFormat format{xxd_words_kind, parse_words};
  format.repeats_zeros_only = true;
  format.may_have_prose = true;
  return open_text(format, std::move(file), hints);
}

Result<std::unique_ptr<Container>> open_plain(std::shared_ptr<RandomAccess> file,
                                              const ContainerHints& hints) {
  TextFormat format{xxd_plain_kind, parse_plain};
  format.has_addresses = false;
  return open_text(format, std::move(file), hints);
}

}  // namespace

constinit const ContainerKind xxd_kind = {"xxd", "text of xxd", recognises, open_forward};
constinit const ContainerKind xxd_words_kind = {"xxd-e", "text of xxd -e (only by its name)",
                                                recognises_nothing, open_words};
constinit const ContainerKind xxd_plain_kind = {
    "xxd-p", "digits alone, as xxd -p writes them (only by its name)", recognises_nothing,
    open_plain};

}  // namespace slabscope
