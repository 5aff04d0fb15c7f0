// Zips: every form that is read, and what is wrong with those that are not.
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/zip.h>

#include "../support/bytes.h"
#include "../support/pseudo_random.h"
#include "../support/zip_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;

namespace {

// By its name: members may be whatever they are.
Result<std::unique_ptr<Container>> opened_zip(const std::string& file,
                                              const ContainerHints& hints = {}) {
  return open_container(file_of(file), "zip", hints);
}

std::vector<ZipEntry> three() {
  return {stored("a", "first"), packed("dir/b", "the second one"), stored("c", "")};
}

std::string with(std::string file, std::size_t at, const std::string& bytes) {
  return file.replace(at, bytes.size(), bytes);
}

// Of opening, or else of reading all of one member.
std::string message(const std::string& file, const ContainerHints& hints = {}) {
  auto made = opened_zip(file, hints);
  if (!made) return std::string(info(made.error().code).name) + ": " + made.error().message;
  for (std::size_t index = 0; index < (*made)->regions().size(); ++index) {
    auto bytes = (*made)->open(index);
    if (!bytes) return std::string(info(bytes.error().code).name) + ": " + bytes.error().message;
    const auto read = read_all(**bytes);
    if (!read) return std::string(info(read.error().code).name) + ": " + read.error().message;
  }
  return "none";
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("members are regions, stored or deflated, in the order of the file") {
  for (const ZipEnd end : {ZipEnd::plain, ZipEnd::zip64, ZipEnd::zip64_alone})
    for (const std::string& comment :
         {std::string(), std::string("PK\x05\x06 said"), std::string(0xffff, 'x')}) {
      auto made = opened_zip(zip_of(three(), end, comment));
      REQUIRE(made);
      CHECK((*made)->name() == "zip");
      REQUIRE((*made)->regions().size() == 3);
      CHECK(bytes_of(**made, "a") == "first");
      CHECK(region(**made, "a").file_offset == 31);
      CHECK(region(**made, "a").kind == "member");
      CHECK(bytes_of(**made, "dir/b") == "the second one");
      CHECK_FALSE(region(**made, "dir/b").file_offset);
      CHECK(bytes_of(**made, "c").empty());
    }
}

TEST_CASE("a member that is a file of its own is no memory, unless the zip is named") {
  const std::string memory = numbers({7, 9}, 4);
  const std::string gzip = "\x1f\x8b\x08 and so on";
  for (const std::string& member : {gzip, zip_of({stored("a", memory)}), std::string("rows 7\n"),
                                    std::string("0x10:\t0x41\n")}) {
    for (const auto& entry : {stored("m", member), packed("m", member)}) {
      const std::string alone = zip_of({entry});
      const auto refused = open_container(file_of(alone), {}, {});
      REQUIRE_FALSE(refused);
      CHECK(refused.error().code == ErrorCode::unsupported_container);
      CHECK(refused.error().message.find("unzip -p FILE 'm'") != std::string::npos);
      CHECK(bytes_of(**opened_zip(alone), "m") == member);
      const auto among = open_container(file_of(zip_of({stored("a", memory), entry})), {}, {});
      REQUIRE(among);
      CHECK(bytes_of(**among, "a") == memory);
      CHECK_FALSE((*among)->open(1));
    }
  }
  CHECK(open_container(file_of(zip_of({packed("a", memory)})), {}, {}));
}

TEST_CASE("sizes that stand behind the bytes are those of the directory") {
  ZipEntry late = stored("late", "some bytes");
  late.flags = 0x808;
  late.extra = "FB" + le(4, 2) + "ZZZZ";
  auto made = opened_zip(zip_of({late, stored("b", "x")}));
  REQUIRE(made);
  CHECK(bytes_of(**made, "late") == "some bytes");
  CHECK(region(**made, "late").file_offset == 30 + 4 + 8);
}

TEST_CASE("folders are no members, and an empty zip has none") {
  auto made = opened_zip(zip_of({stored("dir/", ""), stored("dir/a", "x")}));
  REQUIRE(made);
  CHECK((*made)->regions().size() == 1);
  made = opened_zip(zip_of({}));
  REQUIRE(made);
  CHECK((*made)->regions().empty());
}

TEST_CASE("deflated bytes are read at any place, and back again") {
  PseudoRandom random(73);
  std::string bytes;
  while (bytes.size() < 40'000'000) bytes += le(random.bits(), 8) + std::string(4000, 'z');
  auto made = opened_zip(zip_of({packed("big", bytes), stored("b", "")}));
  REQUIRE(made);
  auto source = (*made)->open(0);
  REQUIRE(source);
  CHECK((*source)->size() == bytes.size());
  std::string piece(1000, '\0');
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t at = random.below(bytes.size() - piece.size());
    CAPTURE(at);
    REQUIRE(read_exactly_at(**source, at, std::as_writable_bytes(std::span(piece)), "it"));
    CHECK(piece == bytes.substr(at, piece.size()));
  }
  CHECK(read_all(**source, 1 << 20).value() == bytes);
  CHECK((*source)->read_at(bytes.size(), std::as_writable_bytes(std::span(piece))).value() == 0);
}

TEST_CASE("really compressed bytes come out") {
  // zlib.compressobj(9, zlib.DEFLATED, -15) of Python, on 100000 bytes of "ab".
  std::string repeated;
  while (repeated.size() < 100000) repeated += "ab";
  const Bytes small = from_hex(
      "edc2310d00000002a0acda3f84353c18a40100000000000000000000000000000000000000000000000000000000"
      "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "000000000000000000000000000000000000000000004e0d");
  auto made = opened_zip(zip_of({{"ab", text_of(small), repeated.size(), crc_of(repeated), 8}}));
  REQUIRE(made);
  CHECK(bytes_of(**made, "ab") == repeated);
}

TEST_CASE("deflated bytes that are damaged say how") {
  const std::string text = "the bytes that come out of it";
  const ZipEntry good = packed("it", text);
  const auto changed = [&](auto change) {
    ZipEntry bad = good;
    change(bad);
    return message(zip_of({bad}));
  };
  CHECK(changed([](ZipEntry&) {}) == "none");
  CHECK(changed([](ZipEntry& e) { e.crc ^= 1; }) ==
        "bad_container: it: what comes out has another checksum");
  CHECK(changed([](ZipEntry& e) { e.packed[7] ^= 1; }) ==
        "bad_container: it: what comes out has another checksum");
  CHECK(changed([](ZipEntry& e) { e.bytes += 1; }) ==
        "bad_container: it: fewer bytes come out than were said");
  CHECK(changed([](ZipEntry& e) { e.bytes -= 1; }) ==
        "bad_container: it: more bytes come out than were said");
  CHECK(changed([](ZipEntry& e) { e.packed.pop_back(); }) ==
        "bad_container: it: the deflated bytes end too early");
  CHECK(changed([](ZipEntry& e) { e.packed[0] = 7; }) ==
        "bad_container: it: the deflated bytes are damaged");
  CHECK(changed([](ZipEntry& e) { e.packed += 'x'; }) ==
        "bad_container: it: something stands behind the deflated bytes");
  // The last block is not marked as such, and the end is missing.
  CHECK(changed([](ZipEntry& e) { e.packed[0] = 0; }) ==
        "bad_container: it: the deflated bytes end too early");
}

TEST_CASE("where the checksum of deflated bytes is wrong the last 64 KiB are not given") {
  const std::string large(200000, '\x01');
  ZipEntry bad = packed("it", large);
  bad.crc ^= 0xff;
  auto made = opened_zip(zip_of({bad}));
  REQUIRE(made);
  const auto source = *(*made)->open(0);
  std::array<std::byte, 100> piece{};
  CHECK(read_exactly_at(*source, 0, piece, "it"));
  CHECK(read_exactly_at(*source, 100000, piece, "it"));
  constexpr unsigned first_refused = 200000 - 65536;
  for (const unsigned at : {199000U, first_refused, first_refused - 1}) {
    const auto read = read_exactly_at(*source, at, piece, "it");
    REQUIRE_FALSE(read);
    CHECK(read.error().message == "it: what comes out has another checksum");
    CHECK(read.error().got == hex_text(crc_of(large)));
    CHECK(read.error().allowed == hex_text(bad.crc));
    CHECK(read.error().offset == 32);
  }
  CHECK(read_exactly_at(*source, first_refused - 100, piece, "it"));
  CHECK(read_exactly_at(*source, 0, piece, "it"));
  // What else is wrong near the end has a place: what is before it is given.
  ZipEntry cut = packed("it", large);
  cut.packed.resize(cut.packed.size() - 100);
  const auto rest = *(*opened_zip(zip_of({cut})))->open(0);
  CHECK(read_exactly_at(*rest, 199000, piece, "it"));
  CHECK_FALSE(read_exactly_at(*rest, 199850, piece, "it"));
  ZipEntry longer = packed("it", large);
  longer.packed += 'x';
  const auto whole = *(*opened_zip(zip_of({longer})))->open(0);
  CHECK(read_exactly_at(*whole, 199000, piece, "it"));
  CHECK(read_exactly_at(*whole, 199100, piece, "it"));
  CHECK_FALSE(read_exactly_at(*whole, 199900, piece, "it"));
}

TEST_CASE("stored bytes of small members are compared with their checksum when they are read") {
  const auto flipped = [](ZipEntry entry) {
    entry.packed[entry.packed.size() / 2] ^= '\x40';
    return entry;
  };
  const std::string text = numbers({7, 9, 100, 2000}, 4);
  auto made = opened_zip(zip_of({flipped(stored("bad", text)), stored("good", text)}));
  REQUIRE(made);  // it can be listed
  CHECK(bytes_of(**made, "good") == text);
  const auto source = *(*made)->open(0);
  std::byte first{};
  CHECK(*source->read_at(text.size(), {&first, 1}) == 0);
  CHECK(*source->read_at(0, {}) == 0);
  for (int round = 0; round < 2; ++round) {
    const auto read = source->read_at(0, {&first, 1});
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::bad_container);
    CHECK(read.error().message == "bad: the bytes have another checksum");
    CHECK(read.error().got == hex_text(crc_of(flipped(stored("bad", text)).packed)));
    CHECK(read.error().allowed == hex_text(crc_of(text)));
    CHECK(read.error().offset == 33);
  }
  // A zip whose writer made no checksums says 0.
  ZipEntry none = stored("none", text);
  none.crc = 0;
  CHECK(message(zip_of({none})) == "none");
  // Of larger ones only the window that is asked for is read.
  const std::string most(4 << 20, '\x01');
  CHECK(message(zip_of({flipped(stored("a", most))})) ==
        "bad_container: a: the bytes have another checksum");
  CHECK(message(zip_of({flipped(stored("a", most + "x"))})) == "none");
}

TEST_CASE("members are the same in however small pieces the file is given") {
  for (const std::size_t most : {1U, 2U, 3U}) {
    const auto made =
        open_container(std::make_shared<OwnedAccess>(zip_of(three()), most), "zip", {});
    REQUIRE(made);
    CHECK(*read_all(**(*made)->open(0)) == "first");
    CHECK(*read_all(**(*made)->open(1)) == "the second one");
  }
}

TEST_CASE("a file that cannot be read any more is told as that, wherever it is") {
  class Failing final : public RandomAccess {
   public:
    explicit Failing(std::string bytes) : inside_(std::move(bytes)) {}
    std::uint64_t size() const override { return inside_.size(); }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
      if (offset + into.size() <= works_to) return inside_.read_at(offset, into);
      if (offset < works_to) return inside_.read_at(offset, into.first(works_to - offset));
      return fail(ErrorCode::read_failed, "the disk is gone");
    }
    std::uint64_t works_to = ~std::uint64_t{0} / 2;

   private:
    OwnedAccess inside_;
  };
  const std::string file = zip_of({packed("m", std::string(500, 'x'))});
  for (std::uint64_t last = 0; last < 31 + 500; last += 5) {
    const auto access = std::make_shared<Failing>(file);
    const auto made = open_container(access, "zip", {});
    REQUIRE(made);
    const auto bytes = (*made)->open(0);
    REQUIRE(bytes);
    access->works_to = last;
    const auto read = read_all(**bytes);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::read_failed);
  }
}

TEST_CASE("zips that are refused say why") {
  const std::string file = zip_of(three());
  const std::size_t directory = file.find("PK\x01\x02");
  const std::size_t end = file.size() - 22;
  const std::string wide = zip_of(three(), ZipEnd::zip64_alone);
  const std::size_t record = wide.find("PK\x06\x06");
  const std::size_t locator = record + 56;
  const std::size_t wide_entry = wide.find("PK\x01\x02");
  const auto entry = [&](std::size_t at, const std::string& bytes) {
    return with(file, directory + at, bytes);
  };
  struct {
    std::string_view what;
    std::string file;
    std::string_view message;
  } const cases[] = {
      {"cut", file.substr(0, file.size() - 1), "bad_container: the zip has no central directory"},
      {"longer", file + "x", "bad_container: the zip has no central directory"},
      {"short", "PK\x03\x04", "bad_container: the zip has no central directory"},
      {"disk", with(file, end + 4, le(1, 2)), "unsupported_container: the zip is split"},
      {"counts", with(file, end + 8, le(2, 2)), "unsupported_container: the zip is split"},
      {"fewer", with(file, end + 8, le(2, 2) + le(2, 2)),
       "bad_container: the zip's central directory goes on behind its last member"},
      {"more", with(file, end + 8, le(4, 2) + le(4, 2)),
       "bad_container: the zip's central directory is too small"},
      {"many", with(file, end + 8, le(9999, 2) + le(9999, 2)),
       "bad_container: the zip's central directory is too small"},
      {"place", with(file, end + 16, le(directory + 1, 4)),
       "bad_container: the zip's central directory does not end where"},
      {"huge place", with(file, end + 16, le(0xfffffffe, 4)),
       "bad_container: the zip's central directory does not end where"},
      {"entry", entry(0, "PK\x01\x03"), "bad_container: this is no entry"},
      {"name length", entry(28, le(0xffff, 2)), "bad_container: an entry reaches past"},
      {"no name", zip_of({stored("", "x")}), "bad_container: a member has no name"},
      {"zero", zip_of({stored(std::string("a\0b", 3), "x")}),
       "bad_container: a member has no name"},
      {"encrypted", entry(8, le(1, 2)), "unsupported_container: the zip is encrypted"},
      {"strongly", entry(8, le(0x40, 2)), "unsupported_container: the zip is encrypted"},
      {"masked", entry(8, le(0x2000, 2)), "unsupported_container: the zip is encrypted"},
      {"lzma", entry(10, le(14, 2)), "unsupported_container: a member of the zip is compressed"},
      {"other disk", entry(34, le(1, 2)), "unsupported_container: the zip is split"},
      {"stored size", entry(24, le(6, 4)), "bad_container: a: so many bytes cannot come out"},
      {"bomb", zip_of({{"a", "x", 1032 * 2, 0, 8}}), "bad_container: a: so many bytes cannot"},
      {"twice", zip_of({stored("a", "x"), stored("a", "y")}), "bad_container: two members"},
      {"overlap", entry(20, le(6, 4) + le(6, 4)),
       "bad_container: a: the member reaches into what stands behind it"},
      {"same place", with(file, file.find("PK\x01\x02", directory + 1) + 42, le(0, 4)),
       "bad_container: a: the member reaches into what stands behind it"},
      {"past", with(file, file.find("PK\x01\x02", directory + 1) + 42, le(0x7fffffff, 4)),
       "bad_container: dir/b: the member reaches into what stands behind it"},
      {"header", with(file, 0, "PK\x03\x05"), "bad_container: a: there is no header"},
      {"second header", with(file, 35, "xx"), "bad_container: dir/b: there is no header"},
      {"other name", with(file, 30, "A"), "bad_container: a: the member's header contradicts"},
      {"other method", with(file, 8, le(8, 2)),
       "bad_container: a: the member's header contradicts"},
      {"other size", with(file, 18, le(4, 4)), "bad_container: a: the member's header contradicts"},
      {"other bytes", with(file, 22, le(4, 4)),
       "bad_container: a: the member's header contradicts"},
      {"encrypted here", with(file, 6, le(1, 2)),
       "bad_container: a: the member's header contradicts"},
      {"long extra", with(file, 28, le(9, 2)),
       "bad_container: a: the member reaches into what stands behind it"},
      {"locator disk", with(wide, locator + 4, le(1, 4)),
       "unsupported_container: the zip is split"},
      {"locator disks", with(wide, locator + 16, le(2, 4)),
       "unsupported_container: the zip is split"},
      {"locator place", with(wide, locator + 8, le(locator, 8)),
       "bad_container: the zip64 record does not stand"},
      {"locator far", with(wide, locator + 8, le(~std::uint64_t{0}, 8)),
       "bad_container: the zip64 record does not stand"},
      {"record", with(wide, record, "PK\x06\x05"), "bad_container: this is no zip64 record"},
      {"record size", with(wide, record + 4, le(45, 8)), "bad_container: this is no zip64 record"},
      {"record disk", with(wide, record + 16, le(1, 4)), "unsupported_container: the zip is split"},
      {"record counts", with(wide, record + 24, le(2, 8)),
       "unsupported_container: the zip is split"},
      {"record far", with(wide, record + 48, le(std::uint64_t{1} << 63U, 8)),
       "bad_container: the zip's central directory does not end where"},
      {"records differ", with(wide, wide.size() - 22 + 8, le(2, 2) + le(2, 2)),
       "bad_container: the zip's two end records contradict"},
      {"no wide size", with(wide, wide_entry + 46 + 1, le(2, 2)),
       "bad_container: a member's size or place is not said"},
      {"few wide sizes", with(wide, wide_entry + 46 + 1 + 2, le(16, 2)),
       "bad_container: a member's size or place is not said"},
      {"long extra field", with(wide, wide_entry + 46 + 1 + 2, le(25, 2)),
       "bad_container: a member's size or place is not said"},
      {"wide sizes", with(wide, wide_entry + 46 + 1 + 4 + 8, le(~std::uint64_t{0}, 8)),
       "bad_container: a: so many bytes cannot come out"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.what);
    const std::string got = message(each.file);
    CAPTURE(got);
    CHECK(got.starts_with(each.message));
  }
}

TEST_CASE("more than the limits allow is refused before it is read") {
  ContainerHints hints;
  hints.limits.max_inflate = 13;
  CHECK(message(zip_of(three()), hints).starts_with("limit_exceeded: dir/b: too many bytes"));
  hints.limits.max_inflate = 14;
  CHECK(message(zip_of(three()), hints) == "none");
  hints.limits.max_regions = 2;
  CHECK(message(zip_of(three()), hints) == "limit_exceeded: the zip has too many members");
  hints.limits.max_regions = 3;
  hints.limits.max_header_bytes = 100;
  CHECK(message(zip_of(three()), hints) == "limit_exceeded: the zip has too many members");
}

TEST_CASE("a zip that is cut anywhere is refused") {
  const std::string whole = zip_of(three(), ZipEnd::zip64, "comment");
  for (std::size_t length = 4; length < whole.size(); ++length)
    CHECK_FALSE(opened_zip(whole.substr(0, length)));
}

TEST_CASE("a flipped bit in a zip is refused, or leaves members of the sizes that are said") {
  const std::string whole = zip_of(three(), ZipEnd::zip64);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    auto made = opened_zip(flipped);
    if (!made) continue;
    for (std::size_t index = 0; index < (*made)->regions().size(); ++index) {
      auto bytes = (*made)->open(index);
      if (!bytes) continue;
      const auto read = read_all(**bytes);
      if (read) CHECK(read->size() == (*made)->regions()[index].bytes);
    }
  }
}
