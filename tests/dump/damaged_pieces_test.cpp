// A damaged compressed file: the same bytes and the same error, however the file arrives and in
// whatever pieces it is read.
#include "../support/dump_bytes.h"
#include "../support/pseudo_random.h"

#include <zlib.h>
#include <zstd.h>

#include <doctest/doctest.h>

#include <string>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

// What is read in pieces, and how it ends.
std::string outcome(const std::string& file, std::string_view kind, std::size_t pace,
                    std::size_t piece) {
  const auto opened = open_container(std::make_shared<OwnedAccess>(file, pace), kind, {});
  if (!opened) return to_line(opened.error(), "");
  const auto bytes = (*opened)->open(0);
  if (!bytes) return to_line(bytes.error(), "");
  std::string read;
  std::string part(piece, '\0');
  for (;;) {
    const auto count =
        (*bytes)->read_at(read.size(), std::as_writable_bytes(std::span(part.data(), piece)));
    if (!count) return read + "|" + to_line(count.error(), "");
    if (*count == 0) return read + "|";
    read.append(part, 0, *count);
  }
}

// What zlib makes of a gzip file, or of the beginning of one, in one go.
std::string inflated(std::string file) {
  std::string made(std::size_t{1} << 17, '\0');
  z_stream stream{};
  REQUIRE(::inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(file.data());
  stream.avail_in = static_cast<uInt>(file.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  ::inflate(&stream, Z_SYNC_FLUSH);
  made.resize(stream.total_out);
  ::inflateEnd(&stream);
  return made;
}

std::string gzip_of(std::string plain) {
  std::string made(plain.size() + 1000, '\0');
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  made.resize(stream.total_out);
  ::deflateEnd(&stream);
  return made;
}

std::string compressed(std::string_view kind) {
  PseudoRandom random(77);
  std::string plain;
  while (plain.size() < 6000) plain += static_cast<char>(0x80U + random.below(9));
  if (kind == "gzip") return gzip_of(plain);
  std::string made(plain.size() + 1000, '\0');
  made.resize(::ZSTD_compress(made.data(), made.size(), plain.data(), plain.size(), 1));
  return made;
}

}  // namespace

TEST_CASE("a damaged compressed file is the same in whatever pieces it comes and is read") {
  PseudoRandom random(78);
  for (const std::string_view kind : {"gzip", "zstd"}) {
    const std::string whole = compressed(kind);
    for (int round = 0; round < 60; ++round) {
      std::string damaged = whole;
      damaged[random.below(damaged.size())] ^= static_cast<char>(1U << random.below(8));
      if (round % 5 == 0) damaged.resize(random.below(damaged.size()) + 4);
      CAPTURE(round);
      const std::string at_once = outcome(damaged, kind, 1U << 20, 1U << 16);
      CHECK(outcome(damaged, kind, 1, 1U << 16) == at_once);
      CHECK(outcome(damaged, kind, 16, 7) == at_once);
    }
  }
}

TEST_CASE("a wrong checksum at the end is told as that in whatever pieces the file comes") {
  const std::string whole = compressed("gzip");
  constexpr std::size_t trailer_bytes = 8;
  for (std::size_t back = 1; back <= trailer_bytes; ++back) {
    std::string damaged = whole;
    damaged[damaged.size() - back] ^= 1;
    CAPTURE(back);
    const std::string at_once = outcome(damaged, "gzip", 1U << 20, 1U << 16);
    CHECK(at_once.find("damaged gzip data: incorrect") != std::string::npos);
    CHECK(outcome(damaged, "gzip", 1, 1U << 16) == at_once);
  }
}

TEST_CASE(
    "a wrong checksum a little behind what is read is met in whatever pieces the file comes") {
  for (const std::size_t size : {4095U, 65535U, 65537U, 67327U, 69631U, 69632U, 69633U, 135168U}) {
    std::string damaged = gzip_of(std::string(size, '\0'));
    damaged[damaged.size() - 8] ^= 1;
    CAPTURE(size);
    const std::string at_once = outcome(damaged, "gzip", 1U << 20, 1U << 12);
    for (const std::size_t pace : {1U, 8U, 93U})
      CHECK(outcome(damaged, "gzip", pace, 1U << 12) == at_once);
  }
}

TEST_CASE(
    "a wrong checksum behind more than may come out is not met, in whatever pieces it comes") {
  std::string damaged = gzip_of(std::string(135560, '\0'));
  damaged[damaged.size() - 8] ^= 1;
  ContainerHints hints;
  hints.limits.max_inflate = std::uint64_t{1} << 17;
  std::byte first{1};
  for (const std::size_t pace : {std::size_t{1}, std::size_t{93}, std::size_t{1} << 20}) {
    CAPTURE(pace);
    const auto opened = open_container(std::make_shared<OwnedAccess>(damaged, pace), "gzip", hints);
    REQUIRE(opened.has_value());
    const auto bytes = (*opened)->open(0);
    REQUIRE(bytes.has_value());
    CHECK((*bytes)->size() == hints.limits.max_inflate);
    CHECK((*bytes)->read_at(0, std::span(&first, 1)).has_value());
    const auto behind = (*bytes)->read_at(hints.limits.max_inflate, std::span(&first, 1));
    REQUIRE_FALSE(behind.has_value());
    CHECK(behind.error().code == ErrorCode::limit_exceeded);
  }
}

TEST_CASE("of a gzip file that is cut all comes out that its bytes tell, in whatever pieces") {
  // The last match of many bytes is begun when the file ends.
  std::string plain(70000, '\x81');
  for (std::size_t at = 0; at < plain.size(); at += 700) plain[at] = '\x82';
  const std::string whole = gzip_of(plain);
  for (std::size_t cut = 20; cut < whole.size(); ++cut) {
    const std::string damaged = whole.substr(0, cut);
    CAPTURE(cut);
    const std::string at_once = outcome(damaged, "gzip", 1U << 20, 1U << 16);
    const std::string told = inflated(damaged);
    if (!told.empty()) CHECK(at_once.starts_with(told + "|"));
    CHECK(outcome(damaged, "gzip", 1U << 20, 7) == at_once);
    CHECK(outcome(damaged, "gzip", 1, 1U << 16) == at_once);
  }
}

TEST_CASE("the first two bytes of what is no zstd are refused at the same place") {
  const std::string two("\0\0", 2);
  CHECK(outcome(two, "zstd", 1, 64) == outcome(two, "zstd", 2, 64));
}
