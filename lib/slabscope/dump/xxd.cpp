// `xxd` with any -c, -g, -u, -o, -s and -a; `xxd -e` and `xxd -p`, which look like other texts, by
// name alone.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>
#include <slabscope/dump/text_prose.h>

#include <algorithm>

namespace slabscope {
namespace {

constexpr std::size_t max_row_bytes = 256;  // of xxd -c

// What is behind the numbers: two blanks or more, where the row is short, and the characters.
Result<void> take_characters(const LineCursor& cursor, const TextRow& row,
                             std::string_view instead) {
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
  return check_characters(row, cursor, rest, instead);
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
Result<void> parse_forward(std::string_view line, unsigned /*unit*/, TextRow& row) {
  LineCursor cursor{line, quote_bytes(line)};
  SLABSCOPE_TRY_ASSIGN(is_row, take_offset(cursor, row));
  if (!is_row) return {};
  for (;;) {
    const std::size_t digits = cursor.hex_digits();
    if (digits == 0 || digits % 2 != 0 || row.bytes.size() + digits / 2 > max_row_bytes)
      return cursor.fault("this is no group of bytes of xxd", "pairs of digits, up to 256");
    for (std::size_t index = 0; index < digits; index += 2)
      row.bytes.push_back(static_cast<std::byte>(cursor.take_hex(2)));
    if (cursor.peek() != ' ' || cursor.rest().substr(0, 2) == "  " || cursor.rest() == " ") break;
    ++cursor.at;
  }
  return take_characters(cursor, row, "; xxd -e writes such rows: --container xxd-e");
}

// Numbers of one width with one blank between; the last may be shorter, with blanks before it.
Result<void> parse_words(std::string_view line, unsigned /*unit*/, TextRow& row) {
  LineCursor cursor{line, quote_bytes(line)};
  SLABSCOPE_TRY_ASSIGN(is_row, take_offset(cursor, row));
  if (!is_row) return {};
  const std::size_t before = cursor.take_blanks();
  const std::size_t width = before + cursor.hex_digits();  // of every number
  for (bool is_more = true; is_more;) {
    const std::size_t digits = cursor.hex_digits();
    if (digits == 0 || digits % 2 != 0 || width > 16 ||
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
  return take_characters(cursor, row, "; without -e xxd writes such rows: --container xxd");
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

// The place of a row that xxd and xxd -e write of different bytes, in a text that both may have
// written: groups of 4 or 8 bytes, and no character at the right that tells.
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
    const std::string_view numbers =
        line->text.substr(std::min(line->text.find(':'), line->text.size()));
    const bool is_wide = leading_hex_digits(numbers.substr(
                             std::min(numbers.find_first_not_of(": "), numbers.size()))) >= 8;
    if (!found && is_wide && forward.bytes != words.bytes) found = line;
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
