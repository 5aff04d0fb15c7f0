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
  };
  for (const auto& each : cases) {
    CAPTURE(each.text);
    const auto opened = open_text_dump(each.text);
    if (!opened) FAIL(to_line(opened.error(), "text"));
    CHECK((*opened)->name() == each.kind);
    CHECK((*opened)->remark() == each.remark);
    REQUIRE((*opened)->regions().size() == 1);
    CHECK((*opened)->regions()[0].address == 0);
    CHECK(text_dump_bytes(**opened, 0, 2) == "ABC");
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
       {"eins, zwei, drei, f\xfcnf\n", "Ger\xe4t 0\n0000000 0007 0000\n", "\a\n0000000 000007\n"}) {
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

}  // namespace
