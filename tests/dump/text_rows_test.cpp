// Rows that no tool writes are refused, whichever kind of text they are said to be.
#include <slabscope/dump/container.h>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

using namespace slabscope;

namespace {

struct Refused {
  std::string_view kind;
  std::string_view text;
};

constexpr Refused refused[] = {
    {"xxd", "00000000: \n"},
    {"xxd", "0000: 4142  AB\n"},
    {"xxd", "00000000000000000: 4142  AB\n"},
    {"xxd", "00000000 4142  AB\n"},
    {"xxd", "00000000: 414  AB\n"},
    {"xxd", "00000000: 4142 zz\n"},
    {"xxd", "00000000: 4142  ABCDEF\n"},
    {"xxd", "00000000: 4142  AB\n* 3\n"},
    {"xxd", "00000000: 4142  AB\nwords\n"},
    {"xxd-e", "00000000: 414243444546474849  ABCDEFGHI\n"},
    {"xxd-e", "00000000: 414  AB\n"},
    {"xxd-e", "00000000:\n"},
    {"verilog", "@\n"},
    {"verilog", "@12345678901234567\n41\n"},
    {"verilog", "@10 words\n"},
    {"verilog", "@10\n4\n"},
    {"verilog", "@10\n4142\n"},
    {"verilog", "@10\n41,42\n"},
    {"hexdump", "00000000  4\n"},
    {"hexdump", "000000  41 42  |AB|\n"},
    {"hexdump", "00000000  41 42  |AB\n"},
    {"hexdump", "00000000  41 42  |A|\n"},
    {"gdb-x", "0x1000:\t0x\n"},
    {"gdb-x", "0x1000:\t0x41\t0x4142\n"},
    {"gdb-x", "0x1000: Cannot access memory at address 0x1000\n"},
    {"gdb-x", "Cannot access memory at address 0x1000\n"},
};

}  // namespace

TEST_CASE("a row that its tool does not write is refused at its line, and nothing is read of it") {
  for (const Refused& each : refused) {
    CAPTURE(std::string(each.kind));
    CAPTURE(std::string(each.text));
    const auto file = std::make_shared<MemoryAccess>(std::as_bytes(std::span(each.text)));
    Result<std::unique_ptr<Container>> opened = open_container(file, each.kind, {});
    REQUIRE_FALSE(opened.has_value());
    const Error& failed = opened.error();
    CHECK((failed.code == ErrorCode::bad_container ||
           failed.code == ErrorCode::unsupported_container));
    CHECK_FALSE(failed.message.empty());
    if (failed.offset) CHECK(*failed.offset <= each.text.size());
  }
}
