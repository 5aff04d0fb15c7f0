// Sources: memory, and what is built on any source.
#include <slabscope/base/stream.h>

#include "../support/paced_source.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

std::string read_some(Source& source, std::size_t most) {
  std::vector<char> into(most);
  const auto count = source.read(std::as_writable_bytes(std::span(into)));
  REQUIRE(count.has_value());
  return {into.data(), *count};
}

TEST_CASE("MemorySource reads from front to back") {
  MemorySource source(std::string_view("abcdef"));
  CHECK((source.remaining() == 6));
  CHECK(read_some(source, 0).empty());
  CHECK(read_some(source, 2) == "ab");
  CHECK((source.remaining() == 4));
  CHECK((source.skip(1) == 1));
  CHECK(read_some(source, 1) == "d");
  CHECK((source.skip(0) == 0));
  CHECK((source.skip(~std::uint64_t{0}) == 2));
  CHECK((source.remaining() == 0));
  CHECK((source.skip(1) == 0));
  CHECK(read_some(source, 5).empty());
}

TEST_CASE("MemorySource of no bytes") {
  MemorySource source(std::span<const std::byte>{});
  CHECK((source.remaining() == 0));
  CHECK(read_some(source, 3).empty());
  CHECK((source.skip(3) == 0));
}

TEST_CASE("read_fully and skip work whatever a source delivers at a time") {
  std::string text;
  for (int index = 0; index < 50000; ++index) text += static_cast<char>('a' + index % 26);
  for (const std::size_t pace : tests::paces) {
    CAPTURE(pace);
    tests::PacedSource source(text, pace);
    std::vector<char> into(10000);
    CHECK((read_fully(source, std::as_writable_bytes(std::span(into))) == 10000));
    CHECK(std::string(into.data(), into.size()) == text.substr(0, 10000));
    CHECK((source.skip(20000) == 20000));
    CHECK((read_fully(source, std::as_writable_bytes(std::span(into))) == 10000));
    CHECK(std::string(into.data(), into.size()) == text.substr(30000, 10000));
    CHECK((source.skip(~std::uint64_t{0}) == 10000));
    CHECK((source.skip(1) == 0));
    CHECK((read_fully(source, std::as_writable_bytes(std::span(into))) == 0));
  }
}

TEST_CASE("a source's size is unknown unless it says so") {
  tests::PacedSource source("abc", 1);
  CHECK_FALSE(source.remaining().has_value());
}

TEST_CASE("a source that fails is heard") {
  std::vector<char> into(10);
  tests::PacedSource reading("abcdef", 2, 4);
  const auto read = read_fully(reading, std::as_writable_bytes(std::span(into)));
  REQUIRE_FALSE(read.has_value());
  CHECK((read.error().code == ErrorCode::read_failed));
  tests::PacedSource skipping("abcdef", 2, 4);
  const auto skipped = skipping.skip(6);
  REQUIRE_FALSE(skipped.has_value());
  CHECK((skipped.error().code == ErrorCode::read_failed));
}

}  // namespace
}  // namespace slabscope
