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
    {"xxd", "00000000: 4142  AB\nwords\n00000002: 43  C\n"},
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
    {"gdb-x", "0x11111111111111111:\t0x41\n"},
    {"gdb-x", "0x1000 <table:\t0x41\n"},
    {"gdb-x", "0x1000:\t-9223372036854775809\n"},
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

TEST_CASE("a line of more numbers than any tool writes is refused") {
  std::string text = "0x1000:";
  for (int number = 0; number < 100; ++number) text += "\t0x41";
  text += "\n";
  const auto opened = open_container(
      std::make_shared<MemoryAccess>(std::as_bytes(std::span(std::string_view(text)))), "gdb-x",
      {});
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().code == ErrorCode::bad_container);
}

TEST_CASE("a text of more regions than are allowed is refused") {
  constexpr std::string_view text = "@0\n41\n@100\n42\n@200\n43\n";
  const auto file = std::make_shared<MemoryAccess>(std::as_bytes(std::span(text)));
  ContainerHints hints;
  hints.limits.max_regions = 3;
  CHECK(open_container(file, "verilog", hints).has_value());
  hints.limits.max_regions = 2;
  const auto opened = open_container(file, "verilog", hints);
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().code == ErrorCode::limit_exceeded);
}

// A file that somebody writes to while it is read.
TEST_CASE("a text that changes behind its index is refused where it is read again") {
  constexpr std::string_view rows =
      "00000000: 4142 4344  ABCD\n"
      "00000004: 4546 4748  EFGH\n";
  for (const std::string_view now : {"00000000: words and more\n00000004: 4546 4748  EFGH\n",
                                     "*                        \n00000004: 4546 4748  EFGH\n",
                                     "00000000: 41         A   \n00000004: 4546 4748  EFGH\n"}) {
    CAPTURE(std::string(now));
    std::string text(rows);
    const auto file =
        std::make_shared<MemoryAccess>(std::as_bytes(std::span(text.data(), text.size())));
    auto opened = open_container(file, "xxd", {});
    REQUIRE(opened.has_value());
    const auto bytes = (*opened)->open(0);
    REQUIRE(bytes.has_value());
    text.replace(0, now.size(), now);
    std::array<std::byte, 8> read{};
    const auto count = (*bytes)->read_at(0, read);
    CHECK_FALSE(count.has_value());
  }
}
