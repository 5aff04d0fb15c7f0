// What comes out of compressed files: at any place, within limits, and as containers again.
#include <slabscope/dump/inflated_access.h>

#include "../support/dump_bytes.h"
#include "../support/pseudo_random.h"
#include "../support/zip_bytes.h"

#include <zlib.h>
#include <zstd.h>

#include <functional>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

// Bytes that compress, whose place can be told from them, and that are no text.
std::string plain(std::size_t count) {
  std::string text;
  while (text.size() < count) text += std::to_string(text.size()) + "\x01";
  text.resize(count);
  return text;
}

// Bytes that do not compress, and are no text.
std::string noise(std::size_t count) {
  PseudoRandom random(7);
  std::string text(count, '\x01');
  for (std::size_t at = 1; at < count; ++at) text[at] = static_cast<char>(random.below(256));
  return text;
}

std::string gzip_at(const std::string& bytes, int level) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, bytes.size()) + 100, '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}
std::string gzip(const std::string& bytes) { return gzip_at(bytes, 6); }
std::string gzip_stored(const std::string& bytes) { return gzip_at(bytes, 0); }

std::string zstd(const std::string& bytes) {
  std::string out(::ZSTD_compressBound(bytes.size()), '\0');
  out.resize(::ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

std::string zstd_with_checksum(const std::string& bytes) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(::ZSTD_createCCtx(),
                                                                        &::ZSTD_freeCCtx);
  ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(::ZSTD_compressBound(bytes.size()), '\0');
  out.resize(::ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size()));
  return out;
}

struct Kind {
  const char* name;
  std::string (*compress)(const std::string&);
};
constexpr Kind kinds[] = {{"gzip", gzip}, {"zstd", zstd}};

std::shared_ptr<RandomAccess> inside(const std::string& file, const ContainerHints& hints = {}) {
  auto container = opened(file, hints);
  REQUIRE_MESSAGE(container, (container ? "" : container.error().message));
  return *(*container)->open(0);
}

std::string piece(RandomAccess& from, std::uint64_t offset, std::size_t count) {
  std::string text(count, '\0');
  const auto read = read_exactly_at(from, offset, std::as_writable_bytes(std::span(text)), "it");
  return read ? text : std::string(info(read.error().code).name) + ": " + read.error().message;
}

}  // namespace

TEST_CASE("bytes come out at any place, forward and back, of one part or several") {
  // Longer than what is kept, so that going back begins again.
  const std::string text = plain(20 << 20);
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    const std::string parts = kind.compress(text.substr(0, 7)) + kind.compress("") +
                              kind.compress(text.substr(7, 5000000)) +
                              kind.compress(text.substr(5000007));
    const auto bytes = inside(parts);
    CHECK_FALSE(bytes->known_size());
    CHECK(piece(*bytes, 19 << 20, 50) == text.substr(19 << 20, 50));
    CHECK(piece(*bytes, 3, 50) == text.substr(3, 50));
    CHECK(bytes->size() == text.size());
    CHECK(bytes->known_size() == text.size());
    PseudoRandom random(3);
    for (int count = 0; count < 6; ++count) {
      const std::uint64_t at = random.below(text.size() - 1000);
      CHECK((piece(*bytes, at, 1000) == text.substr(at, 1000)));
    }
    std::byte behind{};
    CHECK(*bytes->read_at(text.size(), {&behind, 1}) == 0);
  }
}

TEST_CASE("a container that comes out is opened as what it is") {
  for (const Kind& kind : kinds) {
    auto container =
        *opened(kind.compress(kind.compress("\x01"
                                            "emory")));
    CHECK(container->name() == std::string(kind.name) + "/" + kind.name + "/raw");
    CHECK_FALSE(container->regions()[0].file_offset);
    CHECK((*opened(kind.compress(plain(100000))))->regions()[0].bytes == unknown_bytes);
    CHECK(piece(**container->open(0), 0, 6) ==
          "\x01"
          "emory");
    const auto deep =
        opened(kind.compress(kind.compress(kind.compress("\x01"
                                                         "emory"))));
    REQUIRE_FALSE(deep);
    CHECK(deep.error().code == ErrorCode::limit_exceeded);
    ContainerHints once;
    once.inner_kind = "raw";
    const auto outer = opened(kind.compress(kind.compress("\x01"
                                                          "emory")),
                              once);
    CHECK((*outer)->name() == std::string(kind.name) + "/raw");
  }
}

TEST_CASE("a file that is cut at any place is told as that, and what is before is read") {
  const std::string text = plain(3000);
  for (const Kind& kind : kinds) {
    const std::string file = kind.compress(text);
    for (std::size_t size = 4; size < file.size(); ++size) {
      CAPTURE(size);
      const auto container = opened(file.substr(0, size));
      if (!container) {
        CHECK(container.error().code == ErrorCode::bad_container);
        CHECK(container.error().message.find("truncated") == 0);
        CHECK(container.error().offset == size);
        continue;
      }
      const auto bytes = *(*container)->open(0);
      const std::string all = piece(*bytes, 0, text.size() + 1);
      CHECK(all.find("bad_container: truncated") == 0);
      CHECK_FALSE(bytes->known_size());
      const std::uint64_t there = bytes->size();
      CHECK(piece(*bytes, 0, there) == text.substr(0, there));
    }
  }
}

TEST_CASE("a flipped bit is found or harmless: never other bytes without an error at the end") {
  const std::string text = plain(600);
  for (const Kind& kind : kinds) {
    std::string file = kind.compress(text);
    // zstd's simple form has no checksum: only that reading ends is promised.
    const bool has_checksum = file[0] == '\x1f';
    for (std::size_t bit = 32; bit < 8 * file.size(); ++bit) {
      file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
      if (const auto container = opened(file)) {
        auto bytes = (*container)->open(0);
        if (bytes && has_checksum) {
          std::byte behind{};
          const std::uint64_t size = (*bytes)->size();
          const bool is_sound = (*bytes)->read_at(size, {&behind, 1}).has_value();
          if (is_sound) CHECK(*read_all(**bytes) == text);
        }
      }
      file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
    }
  }
}

TEST_CASE("where a checksum is wrong the last 64 KiB are not given") {
  for (const Kind& kind : {Kind{"gzip", gzip_stored}, Kind{"zstd", zstd_with_checksum}}) {
    CAPTURE(kind.name);
    const auto damaged = [&](const std::string& text, std::size_t at) {
      std::string file = kind.compress(text);
      const std::size_t found = file.find(text.substr(at, 16));
      REQUIRE(found != std::string::npos);
      file[found] = static_cast<char>(file[found] ^ 64);
      return file;
    };
    const bool is_gzip = std::string_view(kind.name) == "gzip";
    const std::string failure = std::string("bad_container: damaged ") +
                                (is_gzip ? "gzip data: incorrect data check"
                                         : "zstd data: Restored data doesn't match checksum");
    // Its first bytes are enough to come near the end: it is not even taken for something else.
    const std::string small = noise(100);
    const auto refused = opened(damaged(small, 50));
    REQUIRE_FALSE(refused);
    CHECK("bad_container: " + refused.error().message == failure);
    CHECK(refused.error().offset);
    CHECK_FALSE(opened(kind.compress(damaged(small, 50))));
    // With this much behind it nothing is known of the checksum, until somebody comes near it.
    const std::string large = noise(400000);
    const auto bytes = inside(damaged(large, 1000));
    CHECK(piece(*bytes, 0, 100) == large.substr(0, 100));
    CHECK(piece(*bytes, 200000, 100) == large.substr(200000, 100));
    CHECK(piece(*bytes, 399000, 100) == failure);
    constexpr std::size_t first_refused = 400000 - 65536;
    CHECK(piece(*bytes, first_refused, 1) == failure);
    CHECK(piece(*bytes, first_refused - 1, 1) == large.substr(first_refused - 1, 1));
    CHECK(piece(*bytes, 0, 100) == large.substr(0, 100));
    CHECK(bytes->size() == large.size());
    // A sound one is read on, at any place.
    const auto sound = inside(kind.compress(large) + kind.compress(small));
    CHECK(piece(*sound, 399000, 1000) == large.substr(399000, 1000));
    CHECK(piece(*sound, 400050, 50) == small.substr(50));
    CHECK(piece(*sound, 0, 100) == large.substr(0, 100));
  }
}

TEST_CASE("a wrong length behind a gzip member is met as a wrong checksum is") {
  std::string file = gzip(noise(100));
  file.back() = '\x01';
  const auto refused = opened(file);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "damaged gzip data: incorrect length check");
}

TEST_CASE("a wrong checksum outside or inside a compressed file in another is met as well") {
  const std::string text = noise(400000);
  const auto spoilt = [](std::string file) {
    file[file.size() - 6] = static_cast<char>(file[file.size() - 6] ^ 1);
    return file;
  };
  const std::string damaged = "bad_container: damaged gzip data: incorrect data check";
  const std::pair<std::string, std::string> cases[] = {
      {gzip(spoilt(gzip(text))), damaged + " (in what comes out of the gzip file)"},
      {spoilt(gzip(gzip(text))), damaged}};
  for (const auto& [file, failure] : cases) {
    const auto bytes = inside(file);
    CHECK(piece(*bytes, 0, 100) == text.substr(0, 100));
    CHECK(piece(*bytes, 399000, 100) == failure);
    CHECK(piece(*bytes, 0, 100) == text.substr(0, 100));
  }
}

TEST_CASE("an offset in what comes out is not told as one in the compressed file") {
  ZipEntry damaged = stored("m", noise(5000));
  damaged.crc ^= 1U;
  for (const Kind& kind : kinds) {
    const auto bytes = inside(kind.compress(zip_of({damaged})));
    std::array<std::byte, 8> some;
    const auto read = bytes->read_at(0, some);
    REQUIRE_FALSE(read);
    CHECK(read.error().offset);
    CHECK(read.error().message.find("the bytes have another checksum") != std::string::npos);
    CHECK(read.error().message.ends_with(" (in what comes out of the " + std::string(kind.name) +
                                         " file)"));
    // The compressed file's own offsets are its own.
    std::string cut = kind.compress(noise(200000));
    cut.resize(cut.size() - 9);
    const auto end = inside(cut)->read_at(199999, some);
    REQUIRE_FALSE(end);
    CHECK(end.error().offset);
    CHECK(end.error().message.find("what comes out") == std::string::npos);
  }
}

TEST_CASE("no more comes out than is allowed, in total and over all beginnings") {
  const std::string zeros(30 << 20, '\0');
  for (const Kind& kind : kinds) {
    ContainerHints hints;
    hints.limits.max_inflate = 20 << 20;
    const auto bytes = inside(kind.compress(zeros), hints);
    CHECK(piece(*bytes, (20 << 20) - 1, 1) == std::string(1, '\0'));
    CHECK(piece(*bytes, 20 << 20, 1) ==
          "limit_exceeded: more comes out of the compressed file than is allowed");
    CHECK(bytes->size() == 20 << 20);
    std::string last;
    int rounds = 0;
    for (; rounds < 100 && last.size() <= 1; ++rounds) {
      last = piece(*bytes, (20 << 20) - 1, 1);
      if (last.size() <= 1) last = piece(*bytes, 0, 1);
    }
    CHECK(rounds < 20);
    CHECK(last.find(
              "limit_exceeded: the compressed file has to be read from its start too often") == 0);
  }
}

TEST_CASE("what stands behind the last member is zeros, or told") {
  const std::string file = gzip(
      "\x01"
      "emory");
  CHECK(inside(file + std::string(512, '\0'))->size() == 6);
  CHECK(piece(*inside(file + "more"), 0, 7) ==
        "bad_container: what is behind the last member of the gzip file is no gzip");
  CHECK(piece(*inside(zstd("\x01"
                           "emory") +
                      "more"),
              0, 7)
            .find("bad_container: damaged zstd data") == 0);
}

TEST_CASE("compressed files that are not read say what to run") {
  struct {
    std::string begin;
    std::string command;
  } const cases[] = {{std::string("\xfd"
                                  "7zXZ\0",
                                  6),
                      "unxz"},
                     {"BZh91AY&SY", "bunzip2"},
                     {"\x04\x22\x4d\x18", "unlz4"},
                     {"\x02\x21\x4c\x18" + le(9 << 20, 4), "unlz4"},
                     {"\x02\x21\x4c\x18" + le(1, 4), "unlz4"}};
  for (const auto& each : cases) {
    const auto refused = opened(each.begin + "rest");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::unsupported_container);
    CHECK(refused.error().message.find("run " + each.command + " ") != std::string::npos);
    CHECK(opened(each.begin.substr(0, 3) + "\x01\x02").value()->name() == "raw");
  }
  for (const std::uint64_t first_block : {0ULL, (9ULL << 20) + 1, 0x40000000ULL})
    CHECK(opened("\x02\x21\x4c\x18" + le(first_block, 4)).value()->name() == "raw");
  CHECK(opened("\x02\x21\x4c\x18\x01").value()->name() == "raw");
}

TEST_CASE("zstd frames that are to be passed over may stand anywhere") {
  const auto passed_over = [](unsigned kind, const std::string& bytes) {
    return le(0x184d2a50 + kind, 4) + le(bytes.size(), 4) + bytes;
  };
  const std::string memory =
      "\x01"
      "emory";
  const std::string frame = zstd(memory);
  for (const std::string& file :
       {passed_over(0, "size") + frame, passed_over(15, "") + passed_over(3, "abc") + frame,
        frame + passed_over(7, "index"),
        passed_over(0, "size") + frame + passed_over(0, "") + frame,
        passed_over(0, std::string(5000, 'x')) + frame}) {
    const auto container = opened(file);
    REQUIRE(container);
    CHECK((*container)->name() == "zstd/raw");
    CHECK(piece(**(*container)->open(0), 0, 6) == memory);
  }
  // Memory that begins with such a number is memory.
  for (const std::string& bytes :
       {passed_over(0, "size"), passed_over(0, "size") + "\x28\xb5\x2f",
        passed_over(0, "size").substr(0, 10), passed_over(0, std::string(5000, 'x')),
        passed_over(0, "size") + "more of it", le(0x184d2a60, 4) + le(0, 4) + frame})
    CHECK(opened(bytes).value()->name() == "raw");
}

TEST_CASE("the window of a zstd frame has a limit") {
  // A block of six bytes as they are; the window is 2^log.
  const auto frame = [](unsigned log) {
    return std::string("\x28\xb5\x2f\xfd\0", 5) + le((log - 10) << 3U, 1) + le(6U << 3U | 1U, 3) +
           "\x01"
           "emory";
  };
  CHECK(piece(*inside(frame(27)), 0, 6) ==
        "\x01"
        "emory");
  const auto large = opened(frame(28));
  REQUIRE_FALSE(large);
  CHECK(large.error().code == ErrorCode::limit_exceeded);
  CHECK(
      large.error().message ==
      "the zstd file was compressed with a window that is too large: run zstd -d --long=31 first");
  CHECK(large.error().allowed == "up to 2^27 B");
  ContainerHints small;
  small.limits.max_window_log = 20;
  CHECK(piece(*inside(frame(20), small), 0, 6) ==
        "\x01"
        "emory");
  CHECK(opened(frame(21), small).error().allowed == "up to 2^20 B");
}

TEST_CASE("of an array that is compressed as much comes out as is asked for") {
  const std::string numbers = plain(20 << 20);
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (20971520,), }\n";
  const std::string npy = "\x93NUMPY\x01" + le(0, 1) + le(header.size(), 2) + header + numbers;
  const std::string transposed = [&] {
    const std::string other = "{'descr': '<u4', 'fortran_order': True, 'shape': (2, 2621440), }\n";
    return "\x93NUMPY\x01" + le(0, 1) + le(other.size(), 2) + other + numbers;
  }();
  const std::string json = R"({"t":{"dtype":"U8","shape":[20971520],"data_offsets":[0,20971520]}})";
  const std::string safetensors = le(json.size(), 8) + json + numbers;
  for (const Kind& kind : kinds) {
    for (const std::string& file : {npy, safetensors, transposed}) {
      ContainerHints hints;
      hints.limits.max_inflate = 1 << 20;
      auto container = opened(kind.compress(file), hints);
      REQUIRE_MESSAGE(container, (container ? "" : container.error().message));
      CHECK((*container)->regions()[0].bytes == 20 << 20);
      const auto bytes = *(*container)->open(0);
      CHECK(bytes->size() == 20 << 20);
      CHECK(piece(*bytes, 0, 4) == numbers.substr(0, 4));
      CHECK(piece(*bytes, 19 << 20, 1) ==
            "limit_exceeded: more comes out of the compressed file than is allowed");
      // Less than the header says is told where it is missing, not before.
      container = opened(kind.compress(file.substr(0, 10 << 20)));
      REQUIRE(container);
      const auto cut = *(*container)->open(0);
      CHECK(piece(*cut, 0, 4) == numbers.substr(0, 4));
      CHECK(piece(*cut, 19 << 20, 1) == "bad_container: the bytes end before the region does");
    }
  }
}
