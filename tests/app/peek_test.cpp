// What is taken for rows documents, and what for a dump.
#include <app/peek.h>

#include <tests/support/paced_source.h>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

using namespace slabscope;
using namespace std::string_view_literals;

namespace {

// From a file and from a stream, which gives all of it afterwards.
bool is_document(std::string_view bytes) {
  Buffer held;
  held.append(std::as_bytes(std::span(bytes)));
  DumpFile file{std::make_shared<HeldAccess>(std::move(held)), nullptr};
  const auto of_file = app::holds_documents(file);
  REQUIRE(of_file);
  for (const std::size_t pace : tests::paces) {
    CAPTURE(pace);
    DumpFile stream{nullptr, std::make_unique<tests::PacedSource>(bytes, pace)};
    const auto of_stream = app::holds_documents(stream);
    REQUIRE(of_stream);
    CHECK(*of_stream == *of_file);
    std::string again(bytes.size() + 1, '\0');
    const auto count = read_fully(*stream.stream, std::as_writable_bytes(std::span(again)));
    REQUIRE(count);
    CHECK(again.substr(0, *count) == bytes);
  }
  return *of_file;
}

}  // namespace

TEST_CASE("documents and what is meant as one") {
  const std::string blanks(10000, ' ');
  for (const std::string& text :
       {std::string(R"({"layout": "mtp", "rows": []})"), std::string("{}"), std::string("[]"),
        std::string("\n [ {\"layout\""), blanks + "{}", std::string("\xEF\xBB\xBF{}"),
        std::string("{'layout': 'mtp'}"), std::string("rows: {\"layout\": \"mtp\"}"),
        std::string("// rows\n{\"layout\": \"mtp\"}")}) {
    CAPTURE(text.substr(0, 40));
    CHECK(is_document(text));
  }
}

TEST_CASE("the bytes of a slab, whatever they begin with") {
  for (const std::string_view bytes :
       {""sv, "\x07\0\0\0\x09\0\0\0"sv, "{\0\0\0\x09\0\0\0"sv, "{\"\0\0\x09\0\0\0"sv,
        "    \x09\0\0\0"sv, "AAAAAAAAAAAAAAAA"sv, "\xEF\xBB\xBF\0"sv}) {
    CAPTURE(bytes);
    CHECK_FALSE(is_document(bytes));
  }
}

TEST_CASE("texts of dumps hold braces, too") {
  for (const std::string_view text :
       {"00000000  7b 00 00 00 09 00 00 00  64 00 00 00 00 00 00 00  |{.......d.......|\n"sv,
        "00000000: 7b00 0000 0900 0000 6400 0000 0000 0000  {.......d.......\n"sv,
        "(cuda-gdb) p/x *p@2\n$1 = {0x7, 0x9}\n0x7f32a0008000:\t0x00000007\t0x00000009\n"sv,
        "unsigned char slab[] = {\n  0x07, 0x00, 0x00, 0x00\n};\n"sv}) {
    CAPTURE(text);
    CHECK_FALSE(is_document(text));
  }
}
