// Texts that are not read, and what to do instead; the last of them is any text at all, which is
// memory only when someone says so.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_lines.h>
#include <slabscope/dump/text_row.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace slabscope {
namespace {

using First = std::span<const std::byte>;
using OpenedContainer = Result<std::unique_ptr<Container>>;

Failure refused(std::string message) {
  return fail(ErrorCode::unsupported_container, std::move(message));
}

// `mark`, then nothing but digits to the end of the line, at least `digits` of them.
bool is_record(First first, std::string_view mark, std::size_t digits) noexcept {
  const std::string_view line = first_text_line(first);
  return line.substr(0, mark.size()) == mark &&
         leading_hex_digits(line.substr(mark.size())) >= digits &&
         leading_hex_digits(line.substr(mark.size())) == line.size() - mark.size();
}

bool is_ihex(First first, std::uint64_t /*size*/) noexcept { return is_record(first, ":", 10); }
OpenedContainer refuse_ihex(std::shared_ptr<RandomAccess> /*file*/,
                            const ContainerHints& /*hints*/) {
  return refused(
      "Intel HEX is not read, and it cannot hold addresses of a device; make raw memory of it with "
      "objcopy -I ihex -O binary FILE OUT, or take gdb's dump binary memory, and give --base");
}

bool is_srec(First first, std::uint64_t /*size*/) noexcept {
  const std::string_view line = first_text_line(first);
  return line.size() > 1 && line[1] >= '0' && line[1] <= '9' && is_record(first, "S", 9);
}
OpenedContainer refuse_srec(std::shared_ptr<RandomAccess> /*file*/,
                            const ContainerHints& /*hints*/) {
  return refused(
      "S-records are not read: their addresses have 32 bits, and gdb drops the high ones of a "
      "device's; make raw memory of them with objcopy -I srec -O binary FILE OUT, or take gdb's "
      "dump binary memory, and give --base");
}

bool is_symbolsrec(First first, std::uint64_t /*size*/) noexcept {
  return first_text_line(first).substr(0, 3) == "$$ ";
}
OpenedContainer refuse_symbolsrec(std::shared_ptr<RandomAccess> /*file*/,
                                  const ContainerHints& /*hints*/) {
  return refused(
      "S-records with symbols are not read; make raw memory of them with objcopy -I symbolsrec -O "
      "binary FILE OUT, and give --base");
}

bool is_tekhex(First first, std::uint64_t /*size*/) noexcept { return is_record(first, "%", 6); }
OpenedContainer refuse_tekhex(std::shared_ptr<RandomAccess> /*file*/,
                              const ContainerHints& /*hints*/) {
  return refused(
      "Tektronix HEX is not read: gdb drops the high bits of a device's addresses and fills up the "
      "last record; make raw memory of it with objcopy -I tekhex -O binary FILE OUT, or take gdb's "
      "dump binary memory, and give --base");
}

bool is_xxd_include(First first, std::uint64_t /*size*/) noexcept {
  const std::string_view line = first_text_line(first);
  return line.substr(0, 14) == "unsigned char " && line.find("[] = {") != std::string_view::npos;
}
OpenedContainer refuse_xxd_include(std::shared_ptr<RandomAccess> /*file*/,
                                   const ContainerHints& /*hints*/) {
  return refused(
      "C source of xxd -i is not read; make raw memory of it with "
      "grep '^  0x' FILE | grep -o '0x..' | cut -c3- | xxd -r -p > OUT");
}

// "0000000 000007 000000"
bool is_octal(First first, std::uint64_t /*size*/) noexcept {
  LineCursor cursor{first_text_line(first)};
  const std::size_t end = std::min(cursor.line.find(' '), cursor.line.size());
  std::string_view number = cursor.line.substr(std::min(end + 1, cursor.line.size()));
  number = number.substr(0, number.find(' '));
  const auto is_octal_number = [](std::string_view text) {
    return text.find_first_not_of("01234567") == std::string_view::npos;
  };
  return end >= 6 && is_octal_number(cursor.line.substr(0, end)) && is_octal_number(number) &&
         (number.size() == 3 || number.size() == 6 || number.size() == 11 || number.size() == 22);
}
OpenedContainer refuse_octal(std::shared_ptr<RandomAccess> /*file*/,
                             const ContainerHints& /*hints*/) {
  return refused(
      "octal numbers of od are not read; take the text with hexdump -C or xxd, or with od -Ax -tx1 "
      "and --unit 1");
}

// Texts that begin like no memory.
constexpr std::array sure_kinds = {&hexdump_kind, &xxd_kind,       &gdb_x_kind,
                                   &octal_kind,   &hex_words_kind, &ihex_kind,
                                   &srec_kind,    &tekhex_kind,    &xxd_include_kind};

// Rows in which nothing but numbers stands, and rows in which more does.
constexpr std::array rows_of_numbers = {&hex_words_kind, &octal_kind};
constexpr std::array rows_with_marks = {&hexdump_kind, &xxd_kind, &gdb_x_kind};

// Is any line, of ASCII, such a row?
bool has_row(First first, std::span<const ContainerKind* const> kinds) noexcept {
  std::string_view rest(reinterpret_cast<const char*>(first.data()), first.size());
  while (!rest.empty()) {
    const std::string_view line = take_text_line(rest);
    const First bytes = std::as_bytes(std::span(line));
    const auto is_row = [&](const ContainerKind* each) {
      return each->recognises(bytes, line.size());
    };
    if (is_ascii_text(line) && std::ranges::any_of(kinds, is_row)) return true;
  }
  return false;
}

// Memory of 16-bit numbers is UTF-16 only where it says what a tool writes, or behind a mark all is
// text.
bool is_utf16(First first, bool is_big_endian) noexcept {
  constexpr std::size_t enough = 16;
  const Utf16Text text(first, is_big_endian);
  const First narrow = text.narrow();
  if (text.has_mark && text.size >= enough && is_text(narrow)) return true;
  const auto recognises = [&](const ContainerKind* each) {
    return each->recognises(narrow, narrow.size());
  };
  return std::ranges::any_of(sure_kinds, recognises) ||
         (!has_zero(narrow) && has_row(narrow, rows_of_numbers));
}

// Text in a coding of one byte a character, nearly all of it ASCII.
bool is_latin(First first) noexcept {
  constexpr std::size_t fewest = 16;  // characters to one that is not ASCII
  const auto others = std::count_if(first.begin(), first.end(),
                                    [](std::byte each) { return each >= std::byte{0x80}; });
  return is_text(first) && static_cast<std::size_t>(others) <= first.size() / fewest;
}

// Memory of a slab has zeros; what begins with a page of letters is a text. So are rows among
// zeros, as an editor or a full disk leaves them behind a log: nobody knows which of the two is
// meant.
bool is_any_text(First first, std::uint64_t /*size*/) noexcept {
  if (first.empty()) return false;
  return is_utf8_text(first, first.size() >= container_magic_bytes) || is_utf16(first, false) ||
         is_utf16(first, true) || is_latin(first) ||
         has_row(first, has_zero(first) ? std::span<const ContainerKind* const>(rows_with_marks)
                                        : std::span<const ContainerKind* const>(rows_of_numbers));
}
OpenedContainer refuse_utf16(First first, bool is_big_endian) {
  const std::string coding = Utf16Text(first, is_big_endian).has_mark ? "UTF-16"
                             : is_big_endian                          ? "UTF-16BE"
                                                                      : "UTF-16LE";
  return refused(
      "this is text in UTF-16, as PowerShell's > writes it, not memory: make it UTF-8 with iconv "
      "-f " +
      coding + " -t UTF-8 FILE > OUT, or give --container raw if it is memory");
}
bool is_digits_alone(First first) noexcept {
  const std::string_view text =
      without_utf8_mark({reinterpret_cast<const char*>(first.data()), first.size()});
  return std::all_of(text.begin(), text.end(), [](char character) {
    return character == '\n' || character == '\r' || leading_hex_digits({&character, 1}) == 1;
  });
}
OpenedContainer refuse_text(std::shared_ptr<RandomAccess> file, const ContainerHints& /*hints*/) {
  std::array<std::byte, container_magic_bytes> first;
  WindowSource source(std::move(file), 0, first.size());
  SLABSCOPE_TRY_ASSIGN(count, read_fully(source, first));
  if (count != 0 && is_digits_alone(std::span(first).first(count)))
    return refused(
        "this looks like text of xxd -p, not like memory: give --container xxd-p, or --container "
        "raw if it is memory");
  for (const bool is_big_endian : {false, true})
    if (is_utf16(std::span(first).first(count), is_big_endian))
      return refuse_utf16(std::span(first).first(count), is_big_endian);
  if (has_zero(std::span(first).first(count)))
    return refused(
        "rows of a text dump stand here among bytes that no text has: keep only the rows, as the "
        "tool printed them, or give --container raw if it is memory");
  const std::string_view text(reinterpret_cast<const char*>(first.data()), count);
  if (text.find("\xc2\xa0") != std::string_view::npos)
    return refused(
        "this looks like text with non-breaking spaces, as browsers make them, not like memory: "
        "make them blanks (sed 's/\\xc2\\xa0/ /g') and keep only the rows, or give --container raw "
        "if it is memory");
  // A console's log says other things first.
  if (count == first.size())
    return refused(
        "the first 4 KiB look like text, not like memory, and like no text that is read: give "
        "--container gdb-x if lines of gdb's x/ stand further down, hexdump or xxd if it is "
        "theirs, "
        "or raw if it is memory");
  return refused(
      "this looks like text, not like memory, and like no text that is read (hexdump -C, xxd, "
      "gdb's x/): keep only the rows, as the tool printed them, or give --container raw if it is "
      "memory");
}

}  // namespace

constinit const ContainerKind ihex_kind = {"ihex", "refused", is_ihex, refuse_ihex};
constinit const ContainerKind srec_kind = {"srec", "refused", is_srec, refuse_srec};
constinit const ContainerKind symbolsrec_kind = {"symbolsrec", "refused", is_symbolsrec,
                                                 refuse_symbolsrec};
constinit const ContainerKind tekhex_kind = {"tekhex", "refused", is_tekhex, refuse_tekhex};
constinit const ContainerKind xxd_include_kind = {"xxd-i", "refused", is_xxd_include,
                                                  refuse_xxd_include};
constinit const ContainerKind octal_kind = {"octal", "refused", is_octal, refuse_octal};
constinit const ContainerKind text_kind = {"text", "refused", is_any_text, refuse_text};

}  // namespace slabscope
