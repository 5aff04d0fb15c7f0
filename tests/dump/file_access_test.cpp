// Files as dumps: at any place where that is possible, else a stream.
#include <slabscope/dump/file_access.h>

#include "../support/dump_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

// A file of its own that is gone at the end.
class Scratch {
 public:
  explicit Scratch(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() / "slabscope-test-XXXXXX").string();
    const int made = ::mkstemp(path_.data());
    REQUIRE(made >= 0);
    ::close(made);
    std::ofstream(path_, std::ios::binary) << text;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { ::unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a file is read at any place") {
  const Scratch file("0123456789");
  const auto opened = FileAccess::open(file.path());
  REQUIRE(opened);
  REQUIRE(opened->access != nullptr);
  CHECK(opened->stream == nullptr);
  CHECK(opened->access->size() == 10);
  CHECK(*read_all(*opened->access, 3) == "0123456789");
  std::array<std::byte, 4> bytes{};
  CHECK(*opened->access->read_at(8, bytes) == 2);
  CHECK(bytes[1] == std::byte{'9'});
  CHECK(*opened->access->read_at(10, bytes) == 0);
  CHECK(*opened->access->read_at(~0ULL, bytes) == 0);
  CHECK(*opened->access->read_at(0, {}) == 0);
}

TEST_CASE("a file that somebody has read from begins where it stands") {
  const Scratch file("0123456789");
  for (const off_t begin : {4, 10, 12}) {
    Descriptor descriptor(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(::lseek(descriptor.number(), begin, SEEK_SET) == begin);
    const auto opened = FileAccess::adopt(std::move(descriptor), "-");
    REQUIRE(opened);
    CHECK(*read_all(*opened->access) ==
          std::string("0123456789")
              .substr(std::min<std::size_t>(10, static_cast<std::size_t>(begin))));
  }
}

TEST_CASE("a file that has become shorter is an error with both sizes, a longer one is as it was") {
  const Scratch file("0123456789");
  const auto opened = FileAccess::open(file.path());
  REQUIRE(opened);
  std::ofstream(file.path(), std::ios::app) << "more";
  CHECK(*read_all(*opened->access) == "0123456789");
  REQUIRE(::truncate(file.path().c_str(), 4) == 0);
  std::array<std::byte, 10> bytes{};
  CHECK(*opened->access->read_at(0, bytes) == 4);
  const auto behind = opened->access->read_at(4, bytes);
  REQUIRE_FALSE(behind);
  CHECK(behind.error().code == ErrorCode::read_failed);
  CHECK(behind.error().file == file.path());
  CHECK(behind.error().offset == 4);
  CHECK(behind.error().allowed == "10 B");
}

TEST_CASE("pipes, devices and files that hold more than they say are streams") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "piped", 5) == 5);
  ::close(ends[1]);
  const auto pipe = FileAccess::adopt(Descriptor(ends[0]), "-");
  REQUIRE(pipe);
  CHECK(pipe->access == nullptr);
  std::array<std::byte, 10> bytes{};
  CHECK(*read_fully(*pipe->stream, bytes) == 5);
  for (const char* const path : {"/dev/zero", "/proc/self/status"}) {
    const auto opened = FileAccess::open(path);
    REQUIRE(opened);
    CHECK(opened->stream != nullptr);
    CHECK(*read_fully(*opened->stream, bytes) == bytes.size());
  }
}

TEST_CASE("a file of no bytes is a file") {
  const Scratch empty("");
  const auto opened = FileAccess::open(empty.path());
  REQUIRE(opened);
  REQUIRE(opened->access != nullptr);
  CHECK(opened->access->size() == 0);
  std::byte first{};
  CHECK(*opened->access->read_at(0, {&first, 1}) == 0);
}

TEST_CASE("what cannot be opened says why") {
  CHECK(FileAccess::open("/nowhere/at all").error().code == ErrorCode::open_failed);
  CHECK(FileAccess::open("/tmp").error().code == ErrorCode::open_failed);
}

TEST_CASE("the first bytes of a stream are looked at, and read all the same") {
  for (const std::size_t held : {0U, 4U, 10U}) {
    const std::string text = "0123456789";
    Buffer first;
    first.append(std::as_bytes(std::span(text).first(held)));
    PeekedSource source(std::make_unique<MemorySource>(std::string_view(text).substr(held)),
                        std::move(first));
    CHECK(source.first().size() == held);
    CHECK(source.remaining() == 10);
    CHECK(*source.skip(6) == 6);
    std::array<std::byte, 10> bytes{};
    CHECK(*read_fully(source, bytes) == 4);
    CHECK(bytes[0] == std::byte{'6'});
    CHECK(source.remaining() == 0);
    CHECK(*source.skip(1) == 0);
  }
}

TEST_CASE("a slice ends where it says, or where the bytes do") {
  const auto whole = file_of("0123456789");
  struct {
    std::uint64_t offset, bytes;
    std::string seen;
  } const cases[] = {
      {0, 10, "0123456789"}, {2, 3, "234"}, {8, ~0ULL, "89"}, {10, 1, ""}, {~0ULL, ~0ULL, ""}};
  for (const auto& each : cases)
    CHECK(*read_all(*std::make_shared<SliceAccess>(whole, each.offset, each.bytes)) == each.seen);
  Buffer buffer;
  buffer.append(std::as_bytes(std::span(std::string_view("held"))));
  HeldAccess held(std::move(buffer));
  CHECK(*read_all(held) == "held");
}
