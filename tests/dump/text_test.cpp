// Texts of memory: what each tool writes is read back, row by row; what is no such text is refused
// at its line.
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/container.h>

#include <tests/support/text_dumps.h>

#include <doctest/doctest.h>

#include <string>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

constexpr std::string_view hello = "Hello, world of slabs!";  // 22 bytes

struct Shown {
  std::string_view name;
  std::string_view kind;
  std::string_view text;
  std::string bytes;
  std::optional<std::uint64_t> address = 0;
  std::optional<unsigned> unit = {};
};

// Written by hexdump, xxd, od and gdb.
const Shown shown[] = {
    {"hexdump -C", "hexdump",
     "00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 20 6f 66 20  |Hello, world of |\n"
     "00000010  73 6c 61 62 73 21                                 |slabs!|\n"
     "00000016\n",
     std::string(hello)},
    {"hexdump -C of a part, CRLF", "hexdump",
     "00000003  6c 6f 2c 20 77                                    |lo, w|\r\n00000008\r\n", "lo, w",
     3},
    {"hexdump -C that repeats, to an end inside a row", "hexdump",
     "00000000  aa aa aa aa aa aa aa aa  aa aa aa aa aa aa aa aa  "
     "|................|\n*\n00000028\n",
     std::string(40, '\xaa')},
    {"hexdump -C in a Latin locale", "hexdump",
     "00000000  aa e9 41                                          |\xaa\xe9"
     "A|\n00000003\n",
     "\xaa\xe9"
     "A"},
    {"hexdump -C behind a mark of UTF-8", "hexdump",
     "\xef\xbb\xbf"
     "00000000  41 42 43 44  |ABCD|\n00000004  45 46 47 48  |EFGH|\n00000008\n",
     "ABCDEFGH"},
    {"xxd behind a mark of UTF-8", "xxd",
     "\xef\xbb\xbf"
     "00000000: 4142  AB\n00000002: 4344  CD\n",
     "ABCD"},
    {"x/xb behind a mark of UTF-8", "gdb-x",
     "\xef\xbb\xbf"
     "0x10:\t0x41\t0x42\n0x12:\t0x43\n",
     "ABC", 0x10},
    {"xxd", "xxd",
     "00000000: 4865 6c6c 6f2c 2077 6f72 6c64 206f 6620  Hello, world of \n"
     "00000010: 736c 6162 7321                           slabs!\n",
     std::string(hello)},
    {"xxd, blanks at the end cut off", "xxd",
     "00000000: 4865 6c6c 6f2c 2077 6f72 6c64 206f 6620  Hello, world of\n"
     "00000010: 736c 6162 7321                           slabs!",
     std::string(hello)},
    {"xxd -g0", "xxd", "00000000: 414243                            ABC\n", "ABC"},
    {"xxd -g1 -c4", "xxd", "00000000: 41 42 43 44  ABCD\n00000004: 45           E\n", "ABCDE"},
    {"xxd -g5", "xxd", "00000000: 4142434445 4142434445 4142434445 41  ABCDEABCDEABCDEA\n",
     "ABCDEABCDEABCDEA"},
    {"xxd -a", "xxd",
     "00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................\n*\n"
     "00000040: 0000 0000 0000                           ......\n",
     std::string(70, '\0')},
    {"xxd -o -s", "xxd", "7f32a0008000: 4100  A.\n", std::string("A\0", 2), 0x7f32a0008000},
    {"xxd of what looks like digits", "xxd",
     "00000000: 2020 6162 6364 6566 2020 3132 3334 3536    abcdef  123456\n", "  abcdef  123456"},
    {"xxd -e", "xxd-e",
     "00000000: 6c6c6548 77202c6f 646c726f 20666f20  Hello, world of \n"
     "00000010: 62616c73     2173                    slabs!\n",
     std::string(hello)},
    {"xxd -e -g8", "xxd-e", "00000000:       4544434241                   ABCDE\n", "ABCDE"},
    {"xxd -e -g2", "xxd-e", "00000000: 4241 4443 4645   47                      ABCDEFG\n",
     "ABCDEFG"},
    {"xxd -e -g2, one byte", "xxd-e", "00000000:   41                                     A\n",
     "A"},
    {"xxd -p",
     "xxd-p",
     "48656c6c6f2c20776f726c64206f6620736c\n61627321\n\n",
     std::string(hello),
     {}},
    {"od -Ax -tx1z", "words",
     "000000 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 20 6f 66 20  >Hello, world of <\n"
     "000010 73 6c 61 62 73 21                                >slabs!<\n000016\n",
     std::string(hello), 0, 1},
    {"od -Ax -tx4, with zeros that fill up a number", "words", "000000 44434241 00000045\n000005\n",
     "ABCDE", 0, 4},
    {"hexdump -x", "words", "0000000    4241    4443\n0000004\n", "ABCD", 0, 2},
    {"od -Ax -tx8", "words", "000000 4847464544434241\n*\n000020\n",
     "ABCDEFGHABCDEFGHABCDEFGHABCDEFGH", 0, 8},
    {"dump verilog", "verilog", "@00007F32A0008000\r\n48 65 6C\r\n6C 6F \r\n", "Hello",
     0x7f32a0008000},
    {"x/xw", "gdb-x", "0x10:\t0x44434241\t0x48474645\n", "ABCDEFGH", 0x10},
    {"x/xg with a symbol, tabs pasted as blanks", "gdb-x",
     "(gdb) x/2xg p\n0x10 <std::vector<int>::size() const+16>:  0x4847464544434241      "
     "0x0000000000000041\n",
     std::string("ABCDEFGHA\0\0\0\0\0\0\0", 16), 0x10},
    {"rows behind prompts, set in and marked", "gdb-x",
     "(gdb) 0x10 <buf>:\t0x44434241\n(gdb) (cuda-gdb)  0x14:\t0x48474645\n  0x18:\t0x49\n"
     "=> 0x19:\t0x4a\n(gdb) (x) y\n(gdb)\n(ok) z\n(gdb",
     "ABCDEFGHIJ", 0x10},
    {"instructions, a backtrace and values among rows", "gdb-x",
     "0x10:\t0x41\n=> 0x4020 <main+4>:\tmov    %rsp,%rbp\n   0x4023 <main+7>:\tret\n"
     "#0  0x0000555 in main (a=0x10) at a.c:12\n$1 = (void (*)(int)) 0x4020 <ns::f(int)>\n"
     "0x <a: 7\nat 0x4020: none\n0x:7\n",
     "A", 0x10},
    {"x/dw", "gdb-x", "0x10:\t1\t-2\t3\t4\n0x20:\t5\t6\t7\n",
     std::string("\1\0\0\0\xfe\xff\xff\xff\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0\7\0\0\0", 28), 0x10},
    {"x/ug", "gdb-x", "0x10:\t18446744073709551615\t2\n0x20:\t-4294967297\n",
     std::string("\xff\xff\xff\xff\xff\xff\xff\xff\2\0\0\0\0\0\0\0\xff\xff\xff\xff\xfe\xff\xff\xff",
                 24),
     0x10},
    {"x/db", "gdb-x", "0x10:\t1\t2\t3\t4\t5\t6\t7\t-128\n0x18:\t255\t1\t2\t3\t4\n",
     "\1\2\3\4\5\6\7\x80\xff\1\2\3\4", 0x10},
    {"x/dh", "gdb-x", "0x10:\t65\t66\t67\t68\t69\t70\t71\t72\n0x20:\t1\t2\t3\t4\t5\n",
     std::string("A\0B\0C\0D\0E\0F\0G\0H\0\1\0\2\0\3\0\4\0\5\0", 26), 0x10},
    {"a line of decimal numbers", "gdb-x", "0x10:\t1\t2\n", std::string("\1\0\2\0", 4), 0x10, 2},
    {"lines that say a part of it again", "gdb-x",
     "0x0:\t0x44434241\t0x48474645\n0x8:\t0x4c4b4a49\t0x504f4e4d\n"
     "0x4:\t0x48474645\t0x4c4b4a49\n0xc:\t0x504f4e4d\t0x54535251\n",
     "ABCDEFGHIJKLMNOPQRST", 0},
    {"lines that say the same again, in another unit and order", "gdb-x",
     "0x12:\t0x4443\t0x4645\n0x10:\t0x44434241\n0x11:\t0x42\t0x43\n", "ABCDEF", 0x10},
};

TEST_CASE("what tools write is read, whole and in any pieces") {
  for (const Shown& each : shown) {
    CAPTURE(each.name);
    ContainerHints hints;
    hints.unit = each.unit;
    const bool by_name = each.kind == "xxd-e" || each.kind == "xxd-p";
    const auto opened =
        by_name ? open_text_dump(each.text, hints, each.kind) : open_text_dump(each.text, hints);
    if (!opened) FAIL(to_line(opened.error(), "text"));
    CHECK((*opened)->name() == each.kind);
    REQUIRE((*opened)->regions().size() == 1);
    const Region& region = (*opened)->regions()[0];
    CHECK(region.kind == "text");
    CHECK(region.bytes == each.bytes.size());
    CHECK((region.address == each.address));
    CHECK_FALSE(region.file_offset.has_value());
    for (const std::size_t piece : {1U, 3U, 16U, 1000U})
      CHECK(text_dump_bytes(**opened, 0, piece) == each.bytes);
  }
}

TEST_CASE("rows that say thousands of bytes again and go on behind them") {
  std::string bytes(8208, '\0');
  for (std::size_t at = 0; at < bytes.size(); ++at)
    bytes[at] = static_cast<char>(at * 7 + at / 256);
  std::string text;
  const auto show = [&](std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      if (from % 16 == 0) text += "\n" + hex_text(0x7f32a0008000 + from) + ":";
      text += "\t" + hex_text(static_cast<unsigned char>(bytes[from]) + 0x100).replace(2, 1, "");
    }
  };
  show(0, 8192);
  show(16, 8208);
  ContainerHints hints;
  hints.unit = 1;
  const auto opened = open_text_dump(text.substr(1) + "\n", hints);
  if (!opened) FAIL(to_line(opened.error(), "text"));
  REQUIRE((*opened)->regions().size() == 1);
  CHECK(text_dump_bytes(**opened, 0, 5000) == bytes);
  // And in which one byte differs, in the last of the pieces that are compared.
  bytes[8191] = static_cast<char>(bytes[8191] ^ 1);
  show(16, 8208);
  const auto refused = open_text_dump(text.substr(1) + "\n", hints);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::ambiguous_address);
  CHECK(refused.error().message == "the text shows different bytes for 0x7f32a0009fff");
}

TEST_CASE("a base is that of the first byte shown, and not for addresses of gdb") {
  ContainerHints hints;
  hints.base = 0x7f32a0000000;
  const auto cut = open_text_dump("00000040: 41  A\n00000044: 42  B\n", hints);
  REQUIRE(cut);
  CHECK((*cut)->regions()[0].address == 0x7f32a0000000);
  CHECK((*cut)->regions()[1].address == 0x7f32a0000004);
  CHECK((*open_text_dump("41\n", hints, "xxd-p"))->regions()[0].address == 0x7f32a0000000);
  CHECK((*open_text_dump("0x10:\t0x41\n", hints))->regions()[0].address == 0x10);
  CHECK((*open_text_dump("@10\n41\n", hints))->regions()[0].address == 0x10);
  hints.base = ~std::uint64_t{0} - 3;
  CHECK_FALSE(open_text_dump("00000040: 41  A\n00000044: 42  B\n", hints));
}

TEST_CASE("rows that are left out make regions, and lines of other text are counted") {
  const auto cut = open_text_dump("00000000: 4142  AB\n00000002: 4344  CD\n00000010: 4546  EF\n");
  REQUIRE(cut);
  REQUIRE((*cut)->regions().size() == 2);
  CHECK((*cut)->regions()[0].name == "0x0");
  CHECK((*cut)->regions()[1].name == "0x10");
  CHECK(text_dump_bytes(**cut, 0, 100) == "ABCD");
  CHECK(text_dump_bytes(**cut, 1, 100) == "EF");
  const auto console =
      open_text_dump("(gdb) x/2xb p\n0x10:\t0x41\t0x42\n\n(gdb) p n\n$1 = 2\n0x20:\t0x43\n");
  REQUIRE(console);
  CHECK((*console)->remark() == "3 lines of other text passed over");
  CHECK((*console)->passed_over() == (*console)->remark());
  REQUIRE((*console)->regions().size() == 2);
  CHECK(text_dump_bytes(**console, 1, 100) == "C");
}

struct Refused {
  std::string_view name;
  std::string_view text;
  ErrorCode code;
  std::uint64_t line;  // 0: of the whole
  std::uint64_t column;
  std::string_view words;
  std::optional<std::string_view> kind = {};
  std::optional<unsigned> unit = {};
};

constexpr ErrorCode bad = ErrorCode::bad_container;
constexpr ErrorCode unsupported = ErrorCode::unsupported_container;

const Refused refused[] = {
    {"a row that was cut off", "00000000: 4142  AB\n00000002: 43", bad, 2, 13, "characters"},
    {"half a byte", "00000000: 4142  AB\n00000002: 434  C", bad, 2, 11, "group"},
    {"a character that is another", "00000000: 4142  AC\n", bad, 1, 15, "characters"},
    {"decimal offsets",
     "00000000: 41414141414141414141414141414141  AAAAAAAAAAAAAAAA\n"
     "00000016: 41414141414141414141414141414141  AAAAAAAAAAAAAAAA\n",
     bad, 2, 1, "does not follow"},
    {"offsets that go back", "00000010: 41  A\n00000000: 41  A\n", bad, 2, 1, "go back"},
    {"binary digits", "00000000: 01000001 01000010  AB\n", bad, 1, 28, "xxd -b"},
    {"'*' behind rows that are not zero", "00000000: 41  A\n*\n00000002: 41  A\n", bad, 2, 1,
     "zeros"},
    {"'*' before any row", "*\n00000002: 41  A\n", bad, 1, 1, "no row", "xxd"},
    {"'*' twice", "00000000: 00  .\n*\n*\n00000003: 41  A\n", bad, 3, 1, "no row"},
    {"'*' at the end", "00000000: 00  .\n*\n", bad, 2, 1, "how far"},
    {"'*' for no whole number of rows", "00000000: 0000  ..\n*\n00000005: 41  A\n", bad, 3, 1,
     "does not follow"},
    {"'*' between offsets that may be decimal",
     "00000000: 0000  ..\n*\n00000010: 4141  AA\n00000014: 4141  AA\n", unsupported, 3, 1,
     "--container xxd"},
    {"'*' before an end that may be octal",
     "0000000 0000\n*\n0001000\n",
     unsupported,
     3,
     1,
     "--container words",
     {},
     2},
    {"'*' before an offset that may be decimal",
     "0000000 0000\n*\n0000080 0001\n0000082\n",
     unsupported,
     3,
     1,
     "--container words",
     {},
     2},
    {"prose between", "00000000: 41  A\nthat is all\n00000001: 42  B\n", bad, 3, 1,
     "keep only the rows"},
    {"prose before the end", "00000000  41  |A|\nthat is all\n00000001\n", bad, 3, 1,
     "keep only the rows"},
    {"two dumps", "$ xxd a\n00000000: 41  A\n$ xxd b\n00000000: 42  B\n", bad, 4, 1,
     "keep only the rows"},
    {"prose, and a row without its offset", "dump:\n41 42  |AB|\n00000010  43  |C|\n", bad, 2, 1,
     "no offset"},
    {"prose, and a row with half its offset", "dump:\n0000: 4142  AB\n00000010: 43  C\n", bad, 2, 1,
     "no offset"},
    {"prose, and a row of one group that was cut",
     "dump:\n"
     "41424344414243444142434441424344  ABCD\n00000010: 43  C\n",
     bad, 2, 1, "no offset"},
    {"a row cut off below", "00000000: 4142  AB\n0000\n", bad, 2, 1, "no offset"},
    {"prose, and the last byte of a row", "dump:\n42  |AB|\n00000010  43  |C|\n", bad, 2, 1,
     "keep only whole rows"},
    {"rows left out above", "...\n00000010  43  |C|\n", bad, 1, 1, "keep only whole rows"},
    {"prose with numbers", "00000000: 4142  AB\nbytes 41 42\n", bad, 2, 1, "keep only whole rows"},
    {"no end to addresses", "ffffffffffffffff: 41  A\n", bad, 1, 1, "64 bits"},
    {"hexdump without its characters", "00000000  41 42\n", bad, 1, 16, "missing"},
    {"hexdump with too few", "00000000  41 42  |A|\n", bad, 1, 18, "as many"},
    {"hexdump that ends elsewhere", "00000000  41  |A|\n00000002\n", bad, 2, 1, "do not end"},
    {"hexdump that goes on behind its end", "00000000  41  |A|\n00000001\n00000001  42  |B|\n", bad,
     3, 1, "ends the dump"},
    {"17 bytes",
     "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 00  |.................|\n", bad, 1,
     60, "byte"},
    {"words without a unit", "0000000 4241\n0000002\n", unsupported, 0, 0, "--unit"},
    {"words of another unit", "0000000 4241\n0000002\n", bad, 1, 9, "--unit 4", {}, 4},
    {"od's octal offsets",
     "0000000 4241 4443 4241 4443 4241 4443 4241 4443\n0000020 4241\n0000022\n",
     bad,
     2,
     1,
     "od -Ax",
     {},
     2},
    {"a number that zeros do not fill up",
     "000000 00004241\n000001\n",
     bad,
     2,
     1,
     "do not end",
     {},
     4},
    {"verilog of words", "@0\n41424344\n", bad, 2, 1, "data-width"},
    {"verilog that goes back", "@10\n41\n@0\n41\n", bad, 3, 1, "go back"},
    {"bytes before an address", "41\n@10\n41\n", bad, 1, 1, "before any address", "verilog"},
    {"an address and no bytes", "@10\n", bad, 1, 1, "no bytes"},
    {"plain digits, an odd number", "41\n414\n", bad, 2, 1, "pairs", "xxd-p"},
    {"plain digits and more", "41 42\n", bad, 1, 4, "pairs", "xxd-p"},
    {"two values for one address", "0x10:\t0x41\t0x42\n0x11:\t0x43\n", ErrorCode::ambiguous_address,
     0, 0, "0x11"},
    {"memory that gdb could not read", "0x10:\t0x41\n0x11:\tCannot access memory at address 0x11\n",
     bad, 2, 7, "could not read"},
    {"a width that no type has", "0x10:\t0x414\n", bad, 1, 7, "digits"},
    {"two widths in a line", "0x10:\t0x41\t0x4142\n", bad, 1, 12, "width"},
    {"two forms in a line", "0x10:\t0x41\t5\n", bad, 1, 12, "two forms"},
    {"x/s", "0x10:\t\"text\"\n", bad, 1, 7, "number"},
    {"x/f", "0x10:\t1.5\t2.5\n", bad, 1, 7, "number"},
    {"an address alone", "0x10:\t\n", bad, 1, 7, "no number"},
    {"decimal numbers of no known width", "0x10:\t1\t2\t3\n", bad, 1, 1, "decimal"},
    {"decimal numbers of two widths",
     "0x10:\t1\t2\t3\t4\t5\t6\t7\t8\n0x18:\t1\t2\t3\t4\t5\t6\t7\t8\n0x28:\t5\n", bad, 2, 1,
     "decimal"},
    {"decimal numbers that may be others than those before",
     "0x10:\t1\t2\n0x20:\t3\t4\n0x30:\t5\t6\n", bad, 3, 1, "--unit 1"},
    {"few decimal numbers behind words", "0x10:\t1\t2\t3\t4\n0x20:\t3\t4\n", bad, 2, 1, "--unit 1"},
    {"few decimal numbers behind bytes", "0x10:\t1\t2\t3\t4\t5\t6\t7\t8\n0x18:\t3\t4\t5\t6\n", bad,
     2, 1, "--unit 1"},
    {"more decimal numbers than a line has", "0x10:\t1\t2\t3\t4\n0x20:\t1\t2\t3\t4\t5\n", bad, 2, 1,
     "--unit 1"},
    {"a decimal number that was wrapped", "0x10:\t1\t2\t3\t4\n0x20:\t5\t6\t7\t12\n34\n", bad, 3, 1,
     "wrapped"},
    {"a decimal number that was wrapped, with a unit",
     "0x10:\t1\t2\n -3\n",
     bad,
     2,
     1,
     "wrapped",
     {},
     4},
    {"decimal numbers before a prompt", "(gdb) x/4dw p\n0x10:\t1\t2\t3\t4\n(gdb)\n0x20:\t1\n", bad,
     2, 1, "decimal"},
    {"a decimal number that is too large", "0x10:\t1\t2\t3\t4294967296\n0x20:\t1\n", bad, 1, 1,
     "fit"},
    {"a decimal number past --unit", "0x10:\t256\n", bad, 1, 1, "fit", {}, 1},
    {"more than 64 bits", "0x10:\t18446744073709551616\n", bad, 1, 7, "number", {}, 8},
    {"words of xxd -e, or of xxd -g 4",
     "00000000: 00000000 01010101  ........\n"
     "00000008: 00000007 00000017  ........\n",
     unsupported, 2, 1, "--container xxd-e, or"},
    {"words of xxd -e, quoted, among prose", "$ xxd x\n> 00000000: 00000007  ....\n$ \n",
     unsupported, 2, 1, "--container xxd-e, or"},
    {"words of xxd -e -g 8, or of xxd -g 8", "00000000: 0000000900000007  ........\n", unsupported,
     1, 1, "--container xxd-e, or"},
    {"words of xxd -e -g 2, or of xxd -g 2", "00000000: 0007 0000 0009 0000  ........\n",
     unsupported, 1, 1, "--container xxd-e, or"},
    {"words of two bytes that do not fit one", "00000000: 0107 0000 0109 0000  ........\n",
     unsupported, 1, 1, "--container xxd-e, or"},
    {"words of two bytes of both looks", "00000000: 0700 0900  ....\n00000004: 0100 0007  ....\n",
     unsupported, 2, 1, "--container xxd-e, or"},
    {"words of xxd -e -g 2 and more", "00000000: 0700  ..\n00000002: 00000009  ....\n", unsupported,
     2, 1, "--container xxd-e, or"},
    {"words of two bytes of which one fits one", "00000000: 0300 0000 07d0 0000  ........\n",
     unsupported, 1, 1, "--container xxd-e, or"},
    {"xxd without its characters", "00000000: 0700 0900\n", bad, 1, 20, "right are missing"},
    {"xxd without its characters, in a short row", "00000000: 4142  AB\n00000002: 43     \n", bad,
     2, 13, "right are missing"},
    {"xxd without some of its characters", "00000000: 4142 4344  AB\n", bad, 1, 20,
     "right are missing"},
    {"xxd without a character that is a point", "00000000: 4100 4300  A.C\n", bad, 1, 20,
     "right are missing"},
    {"xxd -e without its characters", "00000000: 00000007 00000009\n", bad, 1, 28,
     "right are missing", "xxd-e"},
    {"xxd -b", "00000000: 00000111 00000000  ..\n", bad, 1, 28, "without -b"},
    {"xxd -b of a row that is short", "00000000: 01000001                                    A\n",
     bad, 1, 19, "without -b"},
    {"xxd -b, said to be xxd -e", "00000000: 00000111 00000000  ..\n", bad, 1, 28, "without -b",
     "xxd-e"},
    {"binary digits without characters", "00000000: 00000111 00000000\n", bad, 1, 28,
     "right are missing"},
    {"xxd -E", "00000000: c1c2 0700  AB..\n", bad, 1, 20, "xxd -r makes"},
    {"xxd -E, said to be xxd -e", "00000000: c1c20700  AB..\n", bad, 1, 19, "xxd -r makes",
     "xxd-e"},
    {"xxd, said to be xxd -e", "00000000: 41000000  A...\n", bad, 1, 19, "--container xxd ",
     "xxd-e"},
    {"a row of xxd behind other words", "00000000: 0700  ..\n[12:00] 00000002: 3700  7.\n", bad, 2,
     9, "not as in a row"},
    {"a row of hexdump behind other words", "00000000  36 37  |67|\n> [log] 00000002  37  |7|\n",
     bad, 2, 9, "not as in a row"},
    {"a row behind the name of a file", "00000000: 0700  ..\nx.txt-00000002: 3700  7.\n", bad, 2, 7,
     "not as in a row"},
    {"a row behind a number of its line", "00000000  36 37  |67|\nline:00000002  37  |7|\n", bad, 2,
     6, "not as in a row"},
    {"an offset that ends a line", "00000000  36 37  |67|\nx:00000002\n", bad, 2, 3,
     "not as in a row"},
    {"a row behind other words", "0x10:\t0x41\nbuf at 0x11 <buf+1>:\t0x42\n", bad, 2, 8,
     "before the address"},
    {"decimal numbers behind other words", "0x10:\t0x41\nbuf at 0x11: 7 -1\n", bad, 2, 8,
     "before the address"},
    {"a row whose address is too long", "0x10:\t0x41\n0x11111111111111111: 7\n", bad, 2, 1,
     "not as in a row"},
    {"a row without a blank", "0x10:\t0x41\n0x11:0x42\n", bad, 2, 1, "not as in a row"},
    {"a row with a blank before the colon", "0x10:\t0x41\n0x11 : -1\n", bad, 2, 1,
     "not as in a row"},
    {"a row whose symbol does not end", "0x10:\t0x41\n0x11 <buf:\t0x42\n", bad, 2, 1,
     "not as in a row"},
    {"Intel HEX", ":10000000070000000900000064000000000000007C\n", unsupported, 0, 0,
     "objcopy -I ihex"},
    {"Intel HEX of no byte", ":00000001FF\n", unsupported, 0, 0, "objcopy -I ihex"},
    {"an S-record of no byte", "S9030000FC\n", unsupported, 0, 0, "objcopy -I srec"},
    {"Tektronix of no byte", "%0781010\n", unsupported, 0, 0, "dump binary memory"},
    {"an S-record", "S1130010D007000000000000080000000A000000F3\n", unsupported, 0, 0,
     "objcopy -I srec"},
    {"Tektronix", "%4E6728A00080000700000009000000640000\n", unsupported, 0, 0,
     "dump binary memory"},
    {"octal", "0000000 125252 125252\n", unsupported, 0, 0, "octal"},
    {"C source", "unsigned char a[] = {\n  0x41\n};\n", unsupported, 0, 0, "xxd -r -p"},
    {"digits", "41424344\n", unsupported, 0, 0, "xxd-p"},
    {"any text", "position 7\n", unsupported, 0, 0, "--container raw"},
    {"digits behind a mark of UTF-8",
     "\xef\xbb\xbf"
     "41424344\n",
     unsupported, 0, 0, "xxd-p"},
    {"non-breaking spaces", "00000000\xc2\xa0 41 42\xc2\xa0 |AB|\n00000002\n", unsupported, 0, 0,
     "make them blanks"},
    {"words with an umlaut", "f\xc3\xbcr dich\n", unsupported, 0, 0, "looks like text"},
    {"a character of three bytes and one of four", "\xe2\x82\xac \xf0\x9f\x98\x80\n", unsupported,
     0, 0, "looks like text"},
};

TEST_CASE("words that xxd and xxd -e write are read by their name, or where the text tells") {
  constexpr std::string_view dots = "00000000: 00000007 00000017  ........\n";
  const auto bytes = open_text_dump(dots, {}, "xxd");
  REQUIRE(bytes);
  CHECK(text_dump_bytes(**bytes, 0, 8) == std::string("\0\0\0\7\0\0\0\x17", 8));
  const auto words = open_text_dump(dots, {}, "xxd-e");
  REQUIRE(words);
  CHECK(text_dump_bytes(**words, 0, 8) == std::string("\7\0\0\0\x17\0\0\0", 8));
  for (const std::string_view text :
       {"00000000: 00000000 ffffffff  ........\n", "00000000: 0700 1700  ....\n",
        "00000000: 0700 ffff 0000 17    .......\n", "00000000: 07000000 17        .....\n",
        "00000000: 07000000 17000000  ........\n00000008: 41000000 00000000  A.......\n"}) {
    CAPTURE(std::string(text));
    const auto told = open_text_dump(text);
    REQUIRE(told);
    CHECK((*told)->name() == "xxd");
  }
}

TEST_CASE("a console's log that begins with a page of other lines is read by its name") {
  std::string text;
  while (text.size() < container_magic_bytes) text += "[New Thread 0x7f0000 (LWP 1)]\n";
  text += "0x7f32a0008000:\t0x00000007\t0x00000009\n";
  const auto unnamed = open_text_dump(text);
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().code == unsupported);
  CHECK(unnamed.error().message.find("--container gdb-x") != std::string::npos);
  CHECK(unnamed.error().message.find("4 KiB") != std::string::npos);
  const auto named = open_text_dump(text, {}, "gdb-x");
  REQUIRE(named);
  CHECK(text_dump_bytes(**named, 0, 8) == std::string("\7\0\0\0\11\0\0\0", 8));
}

TEST_CASE("what is no such text is refused, with its place and what to do") {
  for (const Refused& each : refused) {
    CAPTURE(each.name);
    ContainerHints hints;
    hints.unit = each.unit;
    const auto opened = open_text_dump(each.text, hints, each.kind);
    REQUIRE_FALSE(opened);
    const std::string line = to_line(opened.error(), "text");
    CAPTURE(line);
    CHECK(opened.error().code == each.code);
    CHECK(opened.error().place.line == each.line);
    CHECK(opened.error().place.column == each.column);
    CHECK(line.find(each.words) != std::string::npos);
  }
}

TEST_CASE("'*' costs nothing until it is read, and no more than the limit") {
  const std::string_view text =
      "00000000  aa aa aa aa aa aa aa aa  aa aa aa aa aa aa aa aa  |................|\n*\n"
      "ffffffff0\n";
  ContainerHints hints;
  const auto over = open_text_dump(text, hints);
  REQUIRE_FALSE(over);
  CHECK(over.error().code == ErrorCode::limit_exceeded);
  CHECK(over.error().place.line == 3);
  hints.limits.max_inflate = std::uint64_t{1} << 36;
  const auto opened = open_text_dump(text, hints);
  REQUIRE(opened);
  CHECK((*opened)->regions()[0].bytes == 0xffffffff0);
  const auto region = *(*opened)->open(0);
  std::string end(20, '\0');
  REQUIRE(region->read_at(0xffffffff0 - 20, std::as_writable_bytes(std::span(end))).value() == 20);
  CHECK(end == std::string(20, '\xaa'));
}

TEST_CASE("rows of many forms, and lines without end, meet a limit") {
  ContainerHints hints;
  hints.limits.max_regions = 3;
  std::string text;
  for (int row = 0; row < 4; ++row) text += "0x" + std::to_string(row) + "0:\t0x41\n";
  CHECK(open_text_dump(text.substr(0, 36), hints));
  CHECK(open_text_dump(text, hints).error().code == ErrorCode::limit_exceeded);
  const std::string line(std::size_t{1} << 21, '4');
  CHECK(open_text_dump(line, {}, "xxd-p").error().code == ErrorCode::limit_exceeded);
  CHECK(open_text_dump(line.substr(0, 1 << 19), {}, "xxd-p"));
}

// Hands out few bytes a call.
class SlowAccess final : public RandomAccess {
 public:
  explicit SlowAccess(std::string_view text) : inside_(std::as_bytes(std::span(text))) {}
  std::uint64_t size() const override { return inside_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    return inside_.read_at(offset, into.first(std::min<std::size_t>(into.size(), 3)));
  }

 private:
  MemoryAccess inside_;
};

TEST_CASE("what a text looks like does not depend on how its bytes arrive") {
  for (const std::string_view text : {"decent words\n", "41424344\n", "00000000: 41  A\n"}) {
    CAPTURE(text);
    const auto slow = open_container(std::make_shared<SlowAccess>(text), {}, {});
    const auto fast = open_text_dump(text);
    REQUIRE(slow.has_value() == fast.has_value());
    if (!slow) CHECK(slow.error().message == fast.error().message);
  }
}

TEST_CASE("a file that changes while it is read is told") {
  std::string text = "00000000: 4142  AB\n00000002: 4344  CD\n";
  const auto opened = open_text_dump_at(text);
  REQUIRE(opened);
  const auto region = *(*opened)->open(0);
  text.replace(19, 8, "00000003");
  std::string bytes(4, '\0');
  const auto read = region->read_at(0, std::as_writable_bytes(std::span(bytes)));
  REQUIRE_FALSE(read);
  CHECK(read.error().code == bad);
  CHECK(read.error().offset == 19);
}

}  // namespace
