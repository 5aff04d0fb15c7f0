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
