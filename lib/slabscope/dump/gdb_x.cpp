// What gdb and cuda-gdb print for `x/`: addresses and numbers, among other lines of a console.
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>
#include <slabscope/dump/text_prose.h>

#include <algorithm>
#include <utility>

namespace slabscope {
namespace {

constexpr std::size_t max_numbers = 64;  // a line of gdb has 8 at most

// "0x7f32a0008000 <sym+off>:\t": the address, if one stands here.
std::optional<std::uint64_t> take_address(LineCursor& cursor) {
  if (!cursor.take("0x")) return std::nullopt;
  const std::size_t digits = cursor.hex_digits();
  if (digits == 0 || digits > 16) return std::nullopt;
  const std::uint64_t address = cursor.take_hex(digits);
  if (cursor.take_blanks() != 0) {
    // Symbols have ">:" inside too: <std::vector<int>::size() const+4>.
    const std::size_t end = std::min(cursor.rest().find(">:\t"), cursor.rest().find(">: "));
    if (cursor.peek() != '<' || end == std::string_view::npos) return std::nullopt;
    cursor.at += end + 1;
  }
  if (!cursor.take(":") || cursor.take_blanks() == 0) return std::nullopt;
  return address;
}

// A prompt before a row, of which scripts on standard input leave several: "(gdb) (cuda-gdb) ".
bool take_prompt(LineCursor& cursor) {
  LineCursor next = cursor;
  if (!next.take("(")) return false;
  const std::size_t end = next.rest().find_first_of(") \t");
  if (end == std::string_view::npos || !next.rest().substr(0, end).ends_with("gdb")) return false;
  next.at += end;
  if (!next.take(")") || next.take_blanks() == 0) return false;
  cursor = next;
  return true;
}

// Numbers and, where they are decimal, nothing else: bytes of instructions stand before words.
bool are_numbers_here(const LineCursor& cursor) {
  const std::string_view rest = cursor.rest();
  return rest.starts_with("0x") ||
         (!rest.empty() && rest.find_first_not_of("0123456789- \t") == std::string_view::npos);
}

bool is_blank(char each) { return each == ' ' || each == '\t'; }

bool is_decimal(std::string_view word) {
  word.remove_prefix(word.starts_with('-') ? 1 : 0);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// Does a number begin here, whatever follows? Behind the address of an instruction stand its name,
// or its bytes: two digits each, one blank between.
bool is_number_here(const LineCursor& cursor) {
  if (are_numbers_here(cursor)) return true;
  LineCursor next = cursor;
  const std::string_view word = next.take_word();
  if (word.empty() || !is_decimal(word.substr(word.starts_with('-') ? 1 : 0, 1))) return false;
  if (!is_decimal(word)) return word.find_first_of(".+") < word.size();  // of x/f
  if (word.size() != 2 || word.starts_with('-')) return true;
  const bool is_wide = next.peek() == '\t' || next.rest().starts_with("  ");
  (void)next.take_blanks();
  const std::string_view second = next.take_word();
  return second.starts_with('\'') || (is_wide && is_decimal(second));  // x/c; numbers in columns
}

// The address of a line that is a row, with quotation marks, prompts and marks before it or not.
// Instructions are indented and marked, too.
std::optional<std::uint64_t> take_row_address(LineCursor& cursor) {
  const std::size_t quoted = quote_bytes(cursor.line);
  cursor.at = quoted;
  while (take_prompt(cursor)) continue;
  const bool is_marked = cursor.take("=>");
  const bool is_set_in = cursor.take_blanks() != 0 || is_marked || quoted != 0;
  const auto address = take_address(cursor);
  return is_set_in && !is_number_here(cursor) ? std::nullopt : address;
}

// Passes over what begins like "0x4020 <buf>: 7", from "0x" on: is it that, whatever else is odd?
bool take_address_of_numbers(LineCursor& cursor) {
  cursor.at += 2;
  const std::size_t digits = cursor.hex_digits();
  cursor.at += digits;
  (void)cursor.take_blanks();
  if (cursor.peek() == '<')
    cursor.at +=
        std::min({cursor.rest().find(":\t"), cursor.rest().find(": "), cursor.rest().size()});
  return digits != 0 && cursor.take(":") &&
         (cursor.take_blanks() != 0 || cursor.rest().starts_with("0x")) && are_numbers_here(cursor);
}

// "0x0007", as x/x prints numbers.
bool is_padded_number(std::string_view word) {
  const std::size_t digits = word.starts_with("0x") ? word.size() - 2 : 0;
  return (digits == 2 || digits == 4 || digits == 8 || digits == 16) &&
         leading_hex_digits(word.substr(2)) == digits;
}

// Where the words begin with which a line ends and which are all numbers; its end, if there are
// none.
std::size_t begin_of_numbers(std::string_view line, bool (*is_number)(std::string_view word)) {
  std::size_t begin = line.size();
  for (std::size_t end = line.size(); end != 0; end = begin) {
    while (end != 0 && is_blank(line[end - 1])) --end;
    std::size_t at = end;
    while (at != 0 && !is_blank(line[at - 1])) --at;
    if (!is_number(line.substr(at, end - at))) break;
    begin = at;
  }
  return begin;
}

// Does a line that is no row end in numbers as one does, where only its address is not there any
// more: "00:\t0x0007", "<slab+8>:\t7\t9", "0x0007 0x0009"?
Result<void> check_cut_row(std::string_view line) {
  for (const auto is_number : {is_padded_number, is_decimal}) {
    const LineCursor numbers{line, begin_of_numbers(line, is_number)};
    if (numbers.is_at_end()) continue;
    std::string_view before = line.substr(0, numbers.at);
    const bool has_tab = before.ends_with('\t');
    before.remove_prefix(std::min(quote_bytes(line), before.size()));
    while (!before.empty() && is_blank(before.back())) before.remove_suffix(1);
    const bool is_one = numbers.rest().find_first_of(" \t") == std::string_view::npos;
    const std::string_view word = before.substr(before.find_last_of(" \t") + 1);
    const bool is_address = word.ends_with(":") && leading_hex_digits(word) + 1 == word.size();
    const bool is_cut = is_number == is_padded_number
                            ? before.empty() || (before.ends_with(':') && (has_tab || !is_one))
                            : has_tab && !is_one && (before.ends_with(">:") || is_address);
    if (is_cut)
      return numbers.fault(
          "numbers stand here as in a row of x/, and no address before them: keep whole rows, or "
          "take out the line");
  }
  return {};
}

// A row among other words of a line must not be passed over.
Result<void> check_other_line(std::string_view line) {
  LineCursor cursor{line};
  while ((cursor.at = std::min(line.find("0x", cursor.at), line.size())) != line.size()) {
    const LineCursor begin = cursor;
    if (take_address_of_numbers(cursor))
      return begin.fault(
          "an address and numbers stand here, but not as in a row of x/: take out the line, or "
          "what is before the address");
  }
  return check_cut_row(line);
}

struct Numbers {
  std::size_t count = 0;
  bool is_decimal = false;
  unsigned narrowest = 1;  // bytes that hold each of the decimal ones
};

unsigned bytes_of(int128 value) noexcept {
  for (const unsigned unit : {1U, 2U, 4U}) {
    const int128 range = int128{1} << (8 * unit);
    if (value >= -range / 2 && value < range) return unit;
  }
  return 8;
}

// A decimal number, as gdb prints it for d or u.
Result<int128> take_decimal(LineCursor& cursor) {
  const std::size_t digits = std::min(cursor.rest().find_first_of(" \t"), cursor.rest().size());
  const IntegerText number = parse_integer(cursor.rest().substr(0, digits));
  if (number.fault != IntegerTextFault::none || number.value < -(int128{1} << 63))
    return cursor.fault("this is no number of x/x, x/d or x/u");
  cursor.at += digits;
  return number.value;
}

Result<std::size_t> take_hexadecimal(LineCursor& cursor, std::vector<std::byte>& bytes) {
  const LineCursor begin = cursor;
  cursor.at += 2;
  const std::size_t digits = cursor.hex_digits();
  if (digits != 2 && digits != 4 && digits != 8 && digits != 16)
    return begin.fault("this is no number of x/x", "2, 4, 8 or 16 digits behind 0x");
  append_little_endian(bytes, cursor.take_hex(digits), digits / 2);
  return digits;
}

// The numbers of a line. Hexadecimal ones are as many bytes as their digits say, decimal ones
// `unit`.
Result<Numbers> take_numbers(LineCursor& cursor, unsigned unit, std::vector<std::byte>& bytes) {
  Numbers numbers;
  std::size_t width = 0;
  for (; !cursor.is_at_end(); ++numbers.count) {
    const LineCursor begin = cursor;
    const bool is_hex = cursor.rest().substr(0, 2) == "0x";
    if (numbers.count == 0) numbers.is_decimal = !is_hex;
    if (is_hex == numbers.is_decimal) return begin.fault("the numbers of a line have two forms");
    if (numbers.count == max_numbers)
      return begin.fault("a line has too many numbers", "up to " + std::to_string(max_numbers));
    if (is_hex) {
      SLABSCOPE_TRY_ASSIGN(digits, take_hexadecimal(cursor, bytes));
      if (width != 0 && digits != width)
        return begin.fault("the numbers of a line differ in width");
      width = digits;
    } else {
      SLABSCOPE_TRY_ASSIGN(value, take_decimal(cursor));
      numbers.narrowest = std::max(numbers.narrowest, bytes_of(value));
      append_little_endian(bytes, static_cast<std::uint64_t>(value), unit);
    }
    if (cursor.take_blanks() == 0 && !cursor.is_at_end())
      return cursor.fault("this is no number of x/x, x/d or x/u");
  }
  if (numbers.count == 0) return cursor.fault("no number stands behind the address");
  return numbers;
}

struct ConsoleLine {
  Numbers numbers;
  TextRow row;
};

Result<ConsoleLine> parse_line(std::string_view line, unsigned unit) {
  ConsoleLine parsed;
  LineCursor cursor{line};
  cursor.at = std::min(line.find("Cannot access memory at address"), line.size());
  if (!cursor.is_at_end())
    return cursor.fault("gdb could not read memory here, so it is not in the dump");
  cursor.at = 0;
  parsed.row.address = take_row_address(cursor);
  if (!parsed.row.address) {
    SLABSCOPE_TRY(check_other_line(line));
    return parsed;
  }
  parsed.row.kind = TextRowKind::bytes;
  SLABSCOPE_TRY_ASSIGN(numbers, take_numbers(cursor, unit, parsed.row.bytes));
  parsed.numbers = numbers;
  return parsed;
}

Result<void> parse_row(std::string_view line, unsigned unit, TextRow& row) {
  SLABSCOPE_TRY_ASSIGN(parsed, parse_line(line, unit));
  row = std::move(parsed.row);
  return {};
}

// gdb prints as many numbers of so many bytes in a full line.
constexpr std::size_t numbers_of_full_line(unsigned unit) noexcept {
  return unit == 8 ? 2 : unit == 4 ? 4 : 8;
}

// Reads a console. A line of decimal numbers waits for the next line, which tells their width.
class ConsoleReader {
 public:
  ConsoleReader(std::shared_ptr<RandomAccess> file, const ContainerHints& hints)
      : unit_(hints.unit), lines_(file), index_(file, parse_row, hints.limits) {}

  Result<TextIndex> read() {
    for (;;) {
      SLABSCOPE_TRY_ASSIGN(line, lines_.next());
      if (!line) break;
      if (auto taken = take(*line); !taken) return at_line(std::move(taken).error(), *line);
    }
    SLABSCOPE_TRY(end_block());
    SLABSCOPE_TRY(index_.settle());
    return std::move(index_);
  }

  std::string remark() const { return other_text_remark(others_); }

 private:
  // A line of decimal numbers whose width is not known yet.
  struct Decimals {
    TextLine line;
    std::uint64_t address = 0;
    Numbers numbers;
    unsigned unit = 0;  // of the line before, where this one goes on from there
  };

  Result<void> take(const TextLine& line) {
    SLABSCOPE_TRY_ASSIGN(parsed, parse_line(line.text, unit_.value_or(8)));
    if (parsed.row.kind != TextRowKind::bytes) {
      if (line.text.find_first_not_of(" \t") == std::string_view::npos) return {};
      if (is_behind_decimals_ && are_numbers_here(LineCursor{line.text}))
        return LineCursor{line.text}.fault(
            "numbers stand here without an address: a row that was wrapped is one line again, or "
            "take out the line");
      is_behind_decimals_ = false;
      ++others_;
      return end_block();
    }
    is_behind_decimals_ = parsed.numbers.is_decimal;
    const Decimals decimals{line, *parsed.row.address, parsed.numbers, 0};
    if (parsed.numbers.is_decimal && !unit_) return go_on(decimals);
    SLABSCOPE_TRY(end_block());
    if (parsed.numbers.is_decimal) return add(decimals, *unit_);
    return index_.add_row(line, decimals.address, parsed.row.bytes.size(), 0);
  }

  // `next` tells the width of the line that waits, and waits itself.
  Result<void> go_on(Decimals next) {
    if (waiting_) {
      next.unit = step_to(next);
      if (next.unit == 0) {
        SLABSCOPE_TRY(end_block());
      } else {
        if (waiting_->unit != 0 && waiting_->unit != next.unit) return unknown_unit();
        SLABSCOPE_TRY(add(*waiting_, next.unit));
      }
    }
    waiting_ = next;
    return {};
  }

  // No line tells the width of the one that waits; the one before may have.
  Result<void> end_block() {
    if (!waiting_) return {};
    const Decimals last = *waiting_;
    if (last.unit == 0 || may_be_another_block(last)) return unknown_unit();
    waiting_.reset();
    return add(last, last.unit);
  }

  // May the line be the first of numbers of 4 or 8 bytes, as slabs have them, that were printed
  // next (x/2dg, then x/2dw)?
  static bool may_be_another_block(const Decimals& line) {
    if (line.numbers.count > numbers_of_full_line(line.unit)) return true;
    const auto may_be = [&](unsigned unit) {
      return unit != line.unit && line.numbers.count <= numbers_of_full_line(unit) &&
             line.numbers.narrowest <= unit;
    };
    return may_be(4) || may_be(8);
  }

  // The bytes of a number of the line that waits, if it is full and `next` goes on behind it.
  unsigned step_to(const Decimals& next) const {
    if (next.address <= waiting_->address) return 0;
    const std::uint64_t bytes = next.address - waiting_->address;
    const std::size_t count = waiting_->numbers.count;
    for (const unsigned unit : {1U, 2U, 4U, 8U})
      if (bytes == unit * count && count == numbers_of_full_line(unit)) return unit;
    return 0;
  }

  Failure unknown_unit() const {
    return at_line(error(ErrorCode::bad_container,
                         "nothing says how many bytes each of these decimal numbers has")
                       .with({}, "--unit 1, 2, 4 or 8"),
                   waiting_->line);
  }

  Result<void> add(const Decimals& decimals, unsigned unit) {
    if (decimals.numbers.narrowest > unit) {
      return at_line(error(ErrorCode::bad_container, "a number does not fit its bytes")
                         .with(counted(decimals.numbers.narrowest, "byte"), counted(unit, "byte")),
                     decimals.line);
    }
    // All that is asked of the line is how long it is and where.
    return index_.add_row(decimals.line, decimals.address, decimals.numbers.count * unit, unit);
  }

  std::optional<unsigned> unit_;
  TextLines lines_;
  TextIndex index_;
  std::optional<Decimals> waiting_;
  bool is_behind_decimals_ = false;
  std::uint64_t others_ = 0;
};

// Where not all is text, a row is ASCII all the same, and has numbers.
bool is_of_console(std::string_view line, bool is_all_text) noexcept {
  if (!is_all_text && !is_ascii_text(line)) return false;
  LineCursor cursor{line};
  return (take_row_address(cursor) && (is_all_text || are_numbers_here(cursor))) ||
         line.find("Cannot access memory at address 0x") != std::string_view::npos;
}

bool recognises(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  if (has_zero(first)) return is_of_console(first_text_line(first), false);
  const bool is_all_text = is_text(first);
  std::string_view rest =
      without_utf8_mark({reinterpret_cast<const char*>(first.data()), first.size()});
  while (!rest.empty())
    if (is_of_console(take_text_line(rest), is_all_text)) return true;
  return false;
}

Result<std::unique_ptr<Container>> open(std::shared_ptr<RandomAccess> file,
                                        const ContainerHints& hints) {
  ConsoleReader reader(std::move(file), hints);
  SLABSCOPE_TRY_ASSIGN(index, reader.read());
  return text_container(gdb_x_kind.name, std::move(index), {}, hints.limits, reader.remark());
}

}  // namespace

constinit const ContainerKind gdb_x_kind = {"gdb-x", "text of gdb's x/, among other lines",
                                            recognises, open};

}  // namespace slabscope
