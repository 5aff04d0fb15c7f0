// Rows among other text, and text that is no row and no memory.
#include <slabscope/dump/container.h>

#include <tests/support/text_dumps.h>

#include <doctest/doctest.h>

#include <string>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

TEST_CASE("rows are read among other text, quoted or indented, and that text is counted") {
  struct {
    std::string_view kind;
    std::string_view text;
    std::string_view remark;
  } const cases[] = {
      {"hexdump", "$ hexdump -C slab.bin\n00000000  41 42  |AB|\n00000002  43  |C|\n00000003\n$\n",
       "2 lines of other text passed over"},
      {"xxd", "12:00:01 add: f\xc3\xbcr dich:\n```\n00000000: 4142  AB\n00000002: 43    C\n```\n",
       "3 lines of other text passed over"},
      {"hexdump", "> it says\n>\n> 00000000  41 42  |AB|\n> 00000002  43  |C|\n>\n> and ends\n",
       "2 lines of other text passed over"},
      {"xxd", "    00000000: 4142  AB\n    00000002: 43    C\n", ""},
      {"xxd", "| 00000000: 4142  AB\n\t00000002: 43    C\n", ""},
      {"gdb-x", "> 0x0:\t0x41\t0x42\n>    0x2:\t0x43\n=> 0x8:\tnop\n   0x9 <f+1>:\t48 89 e5\tmov\n",
       "2 lines of other text passed over"},
      {"xxd",
       "0x7f32a0008000 of 12345678, 0xdeadbeef, id 123e4567-e89b-12d3-a456-426614174000\n"
       "00000000: 4142  AB\n00000002: 43    C\n",
       "1 line of other text passed over"},
      {"hexdump", "Ger\xe4t 0\n00000000  41 42  |AB|\n00000002  43  |C|\n00000003\n",
       "1 line of other text passed over"},
      {"xxd", "\a\xff done\n\x01\x02\x03\n00000000: 4142  AB\n00000002: 43    C\n",
       "2 lines of other text passed over"},
      {"gdb-x", "\a(gdb) x/3xb 0\n\x10x4:\t0\n0x0:\t0x41\t0x42\n0x2:\t0x43\n",
       "2 lines of other text passed over"},
      {"gdb-x", "\a(gdb) x/3db 0\r\n0x0:\t65\t66\r\n0x2:\t67\r\n(gdb) q\r\n",
       "2 lines of other text passed over"},
      {"gdb-x", "> 0x0:\t65\t66\n> 0x2 <f+2>:\t67\n", ""},
      {"xxd",
       "x12345678 42 more\nslurmstepd: job 12345678 on gpu1\nRun of 20261130 at noon, 20261130 "
       "12:00, to 00000004\n"
       "slab is at 7f32a0008000 on device 0\n00000000: 4142  AB\n00000002: 43    C\n",
       "4 lines of other text passed over"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.text);
    ContainerHints hints;
    hints.unit = 1;  // of decimal numbers
    const auto opened = open_text_dump(each.text, hints);
    if (!opened) FAIL(to_line(opened.error(), "text"));
    CHECK((*opened)->name() == each.kind);
    CHECK((*opened)->remark() == each.remark);
    REQUIRE((*opened)->regions().size() == 1);
    CHECK((*opened)->regions()[0].address == 0);
    CHECK(text_dump_bytes(**opened, 0, 2) == "ABC");
  }
}

TEST_CASE("what was a row of a console once is told") {
  const std::string rows = "0x1010:\t0x000007d0\t0x00000000\n";
  struct {
    std::string_view line;
    std::size_t column;  // of the first number
  } const cases[] = {{"00:\t0x00000007\t0x00000009", 5},
                     {"slab+16:\t0x00000007", 10},
                     {"1010:\t0x00000007\t0x00000009 ", 7},
                     {"0X1010:\t0x07", 9},
                     {"\x1b[32m0x1008\x1b[m <slab+8>:\t0x00000007\t0x00000009", 26},
                     {"<slab+8>:\t7\t9", 11},
                     {"1010:\t7\t-9", 7},
                     {"0x00000007", 1},
                     {"> 0x0007 0x0009", 3}};
  for (const auto& each : cases) {
    CAPTURE(each.line);
    for (const std::string& text :
         {rows + std::string(each.line) + "\n", std::string(each.line) + "\n" + rows}) {
      const auto opened = open_text_dump(text);
      REQUIRE_FALSE(opened);
      CHECK(opened.error().message.starts_with("numbers stand here as in a row of x/"));
      CHECK(opened.error().place.column == each.column);
    }
  }
  for (const std::string_view line :
       {"$1 = 0x00000007", "rip: 0x00401136", "at 0x401136:", "12:00:\t7 words", "total:\t7\t9",
        "ab:\t7", "x: 0x123 0x456", "#0  0x00401136 in main ()", "<slab+8>: 7 9"}) {
    CAPTURE(line);
    const auto opened = open_text_dump(rows + std::string(line) + "\n");
    if (!opened) FAIL(to_line(opened.error(), "text"));
    CHECK((*opened)->remark() == "1 line of other text passed over");
  }
}

TEST_CASE("rows that are set in are rows where a number begins, and instructions where none does") {
  const std::string row = "0x10:\t0x41\n";
  for (const std::string_view rest :
       {"7\t9\t<-- here", "100 -x", "1.5\t9", "65 'A'\t66 'B'", "12\t34\tx", "12  34 x", "-5 x"}) {
    CAPTURE(rest);
    const auto opened = open_text_dump(row + "  0x11:\t" + std::string(rest) + "\n");
    REQUIRE_FALSE(opened);
    CHECK(opened.error().place.line == 2);
  }
  for (const std::string_view rest :
       {"48 89 45\tmov", "90\tnop", "c3\tret", "5e  pop", "12 34 x", "mov\t$0x7", "ldp x29"}) {
    CAPTURE(rest);
    const auto opened = open_text_dump(row + "  0x11 <f+1>:\t" + std::string(rest) + "\n");
    if (!opened) FAIL(to_line(opened.error(), "text"));
    CHECK((*opened)->remark() == "1 line of other text passed over");
  }
}

TEST_CASE("a row behind other words is told where its offset stands") {
  struct {
    std::string_view line;
    std::size_t column;
    std::string_view got;
  } const cases[] = {{"slab.txt:00000002: 43  C", 10, "00000002:"},
                     {"> [12:00] 00000002: 43  C", 11, "00000002:"},
                     {"job 12345678 of 00000002 43 44", 17, "00000002"},
                     {"at 00000002:", 4, "00000002:"}};
  for (const auto& each : cases) {
    CAPTURE(each.line);
    const auto opened = open_text_dump("00000000: 4142  AB\n" + std::string(each.line) + "\n");
    REQUIRE_FALSE(opened);
    CHECK(opened.error().message.starts_with("an offset and bytes stand here"));
    CHECK(opened.error().place.line == 2);
    CHECK(opened.error().place.column == each.column);
    CHECK(opened.error().got == each.got);
  }
}

TEST_CASE("rows among zeros are neither read as text nor taken for memory unasked") {
  const std::string zeros(64, '\0');
  for (const std::string_view rows :
       {"00000000: 4142  AB\n", "00000000  41 42  |AB|\n", "0x10:\t0x41\n", "0x10:\t65\r\n"}) {
    for (const std::string& text :
         {zeros + "\n" + std::string(rows), "said\n" + std::string(rows) + zeros}) {
      CAPTURE(text);
      const auto opened = open_text_dump(text);
      REQUIRE_FALSE(opened);
      CHECK(opened.error().code == ErrorCode::unsupported_container);
      CHECK(opened.error().message.starts_with("rows of a text dump stand here among bytes"));
      const auto raw = open_text_dump(text, {}, "raw");
      REQUIRE(raw);
      CHECK((*raw)->regions()[0].bytes == text.size());
    }
    // What begins with a row is text, and its zeros are a line of other text.
    ContainerHints hints;
    hints.unit = 1;
    const auto text = open_text_dump(std::string(rows) + zeros, hints);
    REQUIRE(text);
    CHECK((*text)->name() != "raw");
    CHECK((*text)->remark() == "1 line of other text passed over");
  }
  for (const std::string& memory :
       {std::string("\x01words\n0x10:\t0x41 \x02\n"), zeros + "\n0000000 000007\n",
        zeros + "\n123456 777 x\n", zeros + "words\n"}) {
    const auto opened = open_text_dump(memory);
    REQUIRE(opened);
    CHECK((*opened)->name() == "raw");
  }
}

TEST_CASE("rows of a console before those of another tool are the console's") {
  const auto opened = open_text_dump("p\n0x10:\t0x41\n00000000: 42  B\n");
  REQUIRE(opened);
  CHECK((*opened)->name() == "gdb-x");
  CHECK_FALSE(open_text_dump("p\n00000000: 42  B\n0x10:\t0x41\n", {}, "xxd"));
}

std::string utf16(std::string_view text, bool is_big_endian, bool has_mark) {
  std::string coded = !has_mark ? "" : is_big_endian ? "\xfe\xff" : "\xff\xfe";
  for (const char each : text) {
    if (is_big_endian) coded += '\0';
    coded += each;
    if (!is_big_endian) coded += '\0';
  }
  return coded;
}

TEST_CASE("UTF-16 of what tools write is refused with the coding to convert it from") {
  for (const std::string_view text :
       {"00000000  41 42  |AB|\r\n00000002\r\n", "$ xxd x\r\n\xe4\r\n00000000: 4142  AB\r\n",
        "0x10:\t0x41\r\n", "0000000 4241\r\n", "0000000 000007\r\n",
        "PS C:\\J\xf6rg> od\r\n0000000 000007\r\n", "J\xf6rg> od:\n0000000 0007 0000\r\n",
        ":10000000070000000900000064000000000000007C\r\n"}) {
    CAPTURE(std::string(text));
    const auto says = [&](bool is_big_endian, bool has_mark, const std::string& coding) {
      const auto opened = open_text_dump(utf16(text, is_big_endian, has_mark));
      REQUIRE_FALSE(opened);
      CHECK(opened.error().code == ErrorCode::unsupported_container);
      CHECK(opened.error().message.find("iconv -f " + coding + " -t UTF-8 ") != std::string::npos);
    };
    says(false, true, "UTF-16");
    says(true, true, "UTF-16");
    says(false, false, "UTF-16LE");
    says(true, false, "UTF-16BE");
  }
  CHECK_FALSE(open_text_dump(utf16("4142434445464748\r\n", false, true)));
  CHECK_FALSE(
      open_text_dump(utf16("\xfc\xfc\xfc\xfc\xfc\xfc\xfc\xfc, f\xfcnf, sechs\n", true, true)));
}

TEST_CASE("memory of 16-bit numbers that are letters, too, is memory") {
  for (const std::string& memory :
       {utf16("4142434445464748\n", false, false), utf16("words that are none\n", true, false),
        utf16("ABC", false, true), utf16(std::string(20, '\a'), false, true),
        utf16("@40\n", false, false)}) {
    const auto opened = open_text_dump(memory);
    REQUIRE(opened);
    CHECK((*opened)->name() == "raw");
  }
}

TEST_CASE("text in another coding than UTF-8 that no reader knows is no memory") {
  for (const std::string_view text :
       {"eins, zwei, drei, f\xfcnf\n", "eins, zwei, drei, vier, f\xfcnf \x80 und mehr\n",
        "Ger\xe4t 0\n0000000 0007 0000\n", "\a\n0000000 000007\n"}) {
    CAPTURE(std::string(text));
    const auto opened = open_text_dump(text);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().message.find("looks like text") != std::string::npos);
  }
}

TEST_CASE("a page that ends inside a character is text, and a file that does is memory") {
  std::string text(container_magic_bytes - 1, 'a');
  text += "\xc3";
  CHECK_FALSE(open_text_dump(text + "\xbc rows"));
  CHECK_FALSE(open_text_dump(text + "\xbc"));
  for (const std::string_view memory :
       {"abc\xc3", "\xc3(", "\xc2\x85", "\xed\xa0\x80", "\xaa\xaa"}) {
    const auto opened = open_text_dump(memory);
    REQUIRE(opened);
    CHECK((*opened)->name() == "raw");
  }
}

TEST_CASE("a page of text that ends inside a character is UTF-8 all the same") {
  std::string text = "said\n00000000: 4142  A\xc3\xbc\n";
  text.resize(container_magic_bytes - 1, 'a');
  text += "\xc3\xbc";
  const auto opened = open_text_dump(text);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::bad_container);  // a row of xxd, of other characters
  CHECK(opened.error().place.line == 2);
}

TEST_CASE(
    "offsets with a letter, and neighbours that differ so in base 16 alone, are hexadecimal") {
  const std::string zeros = "00000000: 0000  ..\n*\n";
  const auto bytes_of = [](const std::string& text) -> std::uint64_t {
    const auto opened = open_text_dump(text);
    return opened ? (*opened)->regions()[0].bytes : 0;
  };
  CHECK(bytes_of(zeros + "0000000a: 0000  ..\n") == 12);
  CHECK(bytes_of(zeros + "0000000e: 0000  ..\n00000010: 0000  ..\n") == 18);
  CHECK(bytes_of(zeros + "00000008: 0000  ..\n0000000a: 0000  ..\n") == 12);
  CHECK(bytes_of(zeros + "00000008: 0000  ..\n") == 0);
  CHECK(bytes_of("00000000: 0000  ..\n00000002: 0000  ..\n00000004: 0000  ..\n") == 6);
}

TEST_CASE("rows of one length that follow each other are held as one") {
  std::string text;
  for (unsigned row = 0; row < 100; ++row) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += "000000";
    text += digits[row >> 4U];
    text += digits[row & 15U];
    text += ": 41  A\n";
  }
  ContainerHints hints;
  hints.limits.max_regions = 1;
  const auto one = open_text_dump(text, hints);
  if (!one) FAIL(to_line(one.error(), "text"));
  CHECK(text_dump_bytes(**one, 0, 7) == std::string(100, 'A'));
  const auto two = open_text_dump(text + "00000064: 4141  AA\n", hints);
  REQUIRE_FALSE(two);
  CHECK(two.error().code == ErrorCode::limit_exceeded);
}

}  // namespace
