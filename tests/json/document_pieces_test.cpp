// A stream of documents in pieces: nothing is lost or moved, every piece but the first begins at a
// '{' that begins a line, and what no piece holds is left for one reader.
#include <slabscope/json/document_pieces.h>

#include "../support/paced_source.h"
#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace slabscope {
namespace {

std::string text_of(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

std::string read_all(Source& source, std::string& failure) {
  std::string text;
  std::byte some[100];
  for (;;) {
    const auto count = source.read(some);
    if (!count) failure = count.error().message;
    if (!count || *count == 0) return text;
    text.append(reinterpret_cast<const char*>(some), *count);
  }
}

struct Pieces {
  std::vector<std::string> pieces;
  std::string rest;  // what is no piece
  std::string failure;
};

Pieces pieces_of(std::string_view text, std::size_t step, std::size_t pace,
                 std::optional<std::size_t> fails_at = std::nullopt) {
  tests::PacedSource source(text, pace, fails_at);
  DocumentPieces pieces(source, step);
  Pieces all;
  Buffer piece;
  while (pieces.next(piece)) all.pieces.push_back(text_of(piece));
  CHECK(!pieces.next(piece));
  RestOfPieces rest({}, pieces);
  all.rest = read_all(rest, all.failure);
  return all;
}

TEST_CASE("where pieces are cut") {
  struct Row {
    std::string_view what;
    std::string_view text;
    std::size_t step;
    std::vector<std::string> pieces;
    std::string rest;
  };
  const Row rows[] = {
      {"nothing", "", 4, {}, ""},
      {"blanks", "  \n\n", 2, {}, "  \n\n"},
      {"one", "{1}", 10, {"{1}"}, ""},
      {"one, as many bytes as a step", "{1}\n", 4, {"{1}\n"}, ""},
      {"a line each", "{1}\n{2}\n{3}\n", 5, {"{1}\n", "{2}\n", "{3}\n"}, ""},
      {"several a step", "{1}\n{2}\n{3}\n{4}", 9, {"{1}\n{2}\n", "{3}\n{4}"}, ""},
      {"over several lines", "{\n1}\n{\n2}\n", 7, {"{\n1}\n", "{\n2}\n"}, ""},
      {"several on one line", "{1} {2}\n{3}", 9, {"{1} {2}\n", "{3}"}, ""},
      {"blanks before the first", "\n {1}\n{2}", 7, {"\n {1}\n", "{2}"}, ""},
      {"blank lines between", "{1}\n\n{2}", 7, {"{1}\n\n", "{2}"}, ""},
      {"an array", "[{1},\n{2}]", 7, {}, "[{1},\n{2}]"},
      {"no document", "12\n{1}", 4, {}, "12\n{1}"},
      {"too long without a cut",
       "{12345678901234567890}\n{1}",
       2,
       {},
       "{12345678901234567890}\n{1}"},
      {"too long behind a cut",
       "{}\n{3456789012345678901}\n{1}",
       2,
       {"{}\n"},
       "{3456789012345678901}\n{1}"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::size_t pace : tests::paces) {
      const Pieces read = pieces_of(row.text, row.step, pace);
      CHECK(read.pieces == row.pieces);
      CHECK(read.rest == row.rest);
      CHECK(read.failure == "");
    }
  }
}

TEST_CASE("pieces and rest together are the text, whatever it is and wherever reading fails") {
  tests::PseudoRandom random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text = random.one_in(8) ? "" : "{";
    for (std::uint64_t left = random.below(60); left != 0; --left)
      text += "{}\n\n ,"[random.below(6)];
    const std::size_t step = 1 + random.below(20);
    const bool fails = random.one_in(2);
    const std::size_t fails_at = random.below(text.size() + 1);
    CAPTURE(text);
    CAPTURE(step);
    const Pieces read = pieces_of(text, step, random.pick(tests::paces),
                                  fails ? std::optional(fails_at) : std::nullopt);
    std::string whole;
    for (const std::string& each : read.pieces) {
      CHECK(!each.empty());
      CHECK((whole.empty() || (whole.ends_with('\n') && each.starts_with('{'))));
      whole += each;
    }
    CHECK(whole + read.rest == text.substr(0, fails ? fails_at : text.npos));
    CHECK(read.failure == (fails ? "the source fails here" : ""));
  }
}

TEST_CASE("pieces that were given out can be read again, before the rest") {
  tests::PacedSource source("{1}\n{2}\n{3}\n{4}\n", tests::all_at_once);
  DocumentPieces pieces(source, 5);
  std::vector<Buffer> again(2);
  REQUIRE(pieces.next(again[0]));
  REQUIRE(pieces.next(again[1]));
  RestOfPieces rest(std::move(again), pieces);
  std::string failure;
  CHECK(read_all(rest, failure) == "{1}\n{2}\n{3}\n{4}\n");
  CHECK(failure == "");
}

}  // namespace
}  // namespace slabscope
