// Files, pipes and what else can be read, as sources of bytes.
#include <slabscope/dump/descriptor.h>
#include <slabscope/dump/file_source.h>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace slabscope {
namespace {

namespace fs = std::filesystem;

// A folder of its own that is gone at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "slabscope-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  fs::path path_;
};

std::unique_ptr<Source> opened(const std::string& path) {
  auto source = FileSource::open(path);
  REQUIRE(source.has_value());
  return *std::move(source);
}

std::string rest_of(Source& source) {
  std::string text;
  std::vector<char> into(1000);
  for (;;) {
    const auto count = source.read(std::as_writable_bytes(std::span(into)));
    REQUIRE(count.has_value());
    if (*count == 0) return text;
    text.append(into.data(), *count);
  }
}

// Where standard input was closed, the next file that is opened has its number.
TEST_CASE("descriptor 0 is open, until it is closed") {
  const int kept = ::dup(STDIN_FILENO);
  (void)::close(STDIN_FILENO);
  {
    Descriptor lowest(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    REQUIRE(lowest.number() == 0);
    CHECK(lowest.is_open());
    CHECK(lowest.close());
    CHECK_FALSE(lowest.is_open());
    CHECK_FALSE(Descriptor().is_open());
  }
  if (kept < 0) return;
  CHECK(::dup2(kept, STDIN_FILENO) == STDIN_FILENO);
  (void)::close(kept);
}

TEST_CASE("a file is read from front to back, and skipped") {
  const Folder folder;
  std::string text;
  for (int index = 0; index < 10000; ++index) text += static_cast<char>('a' + index % 26);
  const auto source = opened(folder.file("a.bin", text));
  CHECK((source->remaining() == 10000));
  std::vector<char> into(10);
  CHECK((source->read(std::as_writable_bytes(std::span(into))) == 10));
  CHECK(std::string(into.data(), 10) == text.substr(0, 10));
  CHECK((source->remaining() == 9990));
  CHECK((source->skip(5000) == 5000));
  CHECK((source->remaining() == 4990));
  CHECK((source->skip(0) == 0));
  CHECK(rest_of(*source) == text.substr(5010));
  CHECK((source->remaining() == 0));
  CHECK((source->skip(1) == 0));
}

TEST_CASE("no more is skipped than there is") {
  const Folder folder;
  for (const std::uint64_t bytes :
       {std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    CAPTURE(bytes);
    const auto source = opened(folder.file("a.bin", "01234"));
    CHECK((source->skip(bytes) == 5));
    CHECK(rest_of(*source).empty());
  }
}

TEST_CASE("an empty file") {
  const Folder folder;
  const auto source = opened(folder.file("empty", ""));
  CHECK(rest_of(*source).empty());
  CHECK((source->skip(10) == 0));
}

TEST_CASE("what cannot be opened") {
  const Folder folder;
  struct Row {
    std::string_view what;
    std::string path;
    std::string_view message;
  };
  const Row rows[] = {
      {"nothing there", folder.path("none"), "No such file or directory"},
      {"a folder", folder.path(""), "Is a directory"},
      {"a path through a file", folder.file("file", "x") + "/x", "Not a directory"},
      {"an empty path", "", "No such file or directory"},
      {"a name that is too long", folder.path(std::string(300, 'x')), "File name too long"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto source = FileSource::open(row.path);
    REQUIRE_FALSE(source.has_value());
    CHECK((source.error().code == ErrorCode::open_failed));
    CHECK(source.error().file == row.path);
    CHECK(source.error().message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("a descriptor that is a folder, or none") {
  const Folder folder;
  const int directory = ::open(folder.path("").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(directory >= 0);
  const auto adopted = FileSource::adopt(Descriptor(directory), "-");
  REQUIRE_FALSE(adopted.has_value());
  CHECK((adopted.error().code == ErrorCode::open_failed));
  CHECK(adopted.error().file == "-");
  CHECK(::fcntl(directory, F_GETFD) == -1);  // it was taken over, and closed
  const auto closed = FileSource::adopt(Descriptor(), "-");
  REQUIRE_FALSE(closed.has_value());
  CHECK((closed.error().code == ErrorCode::open_failed));
}

TEST_CASE("a file that is open in the middle") {
  const Folder folder;
  const int descriptor = ::open(folder.file("a.bin", "0123456789").c_str(), O_RDONLY);
  REQUIRE(descriptor >= 0);
  REQUIRE(::lseek(descriptor, 4, SEEK_SET) == 4);
  auto source = FileSource::adopt(Descriptor(descriptor), "-");
  REQUIRE(source.has_value());
  CHECK(((*source)->remaining() == 6));
  CHECK(((*source)->skip(2) == 2));
  CHECK(rest_of(**source) == "6789");
}

TEST_CASE("a file that is open behind its end") {
  const Folder folder;
  const int descriptor = ::open(folder.file("a.bin", "0123").c_str(), O_RDONLY);
  REQUIRE(::lseek(descriptor, 40, SEEK_SET) == 40);
  auto source = FileSource::adopt(Descriptor(descriptor), "-");
  REQUIRE(source.has_value());
  CHECK(((*source)->remaining() == 0));
  CHECK(((*source)->skip(2) == 0));
  CHECK(rest_of(**source).empty());
}

TEST_CASE("a pipe is read as it comes, and skipped by reading") {
  for (const int flags : {0, O_NONBLOCK}) {
    CAPTURE(flags);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::fcntl(ends[0], F_SETFL, flags) == 0);
    auto source = FileSource::adopt(Descriptor(ends[0]), "-");
    REQUIRE(source.has_value());
    CHECK_FALSE((*source)->remaining().has_value());
    std::string text;
    for (int index = 0; index < 200000; ++index) text += static_cast<char>(index * 13);
    std::thread writer([&] {
      // Begins late and goes on in parts, so that a reader has to wait.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::size_t written = 0;
      while (written < text.size()) {
        const std::size_t part = std::min<std::size_t>(70001, text.size() - written);
        const ssize_t count = ::write(ends[1], text.data() + written, part);
        if (count <= 0) break;
        written += static_cast<std::size_t>(count);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      ::close(ends[1]);
    });
    CHECK(((*source)->skip(100000) == 100000));
    CHECK(rest_of(**source) == text.substr(100000));
    CHECK(((*source)->skip(1) == 0));
    writer.join();
  }
}

TEST_CASE("a file whose size is not told") {
  const auto source = opened("/proc/self/status");
  CHECK_FALSE(source->remaining().has_value());
  CHECK((source->skip(3) == 3));
  CHECK(rest_of(*source).find("Pid:") != std::string::npos);
}

TEST_CASE("a device") {
  const auto source = opened("/dev/zero");
  CHECK_FALSE(source->remaining().has_value());
  CHECK((source->skip(100000) == 100000));
  CHECK(opened("/dev/null")->skip(10) == 0U);
}

TEST_CASE("a sparse file of many gigabytes is passed over at once") {
  const Folder folder;
  const std::string path = folder.file("sparse", "begin");
  constexpr std::uint64_t size = std::uint64_t{64} << 30U;
  if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) return;  // no room for its map
  {
    std::fstream tail(path, std::ios::binary | std::ios::in | std::ios::out);
    tail.seekp(static_cast<std::streamoff>(size - 3));
    tail << "end";
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto source = opened(path);
  CHECK((source->remaining() == size));
  CHECK((source->skip(size - 3) == size - 3));
  CHECK((source->remaining() == 3));
  CHECK(rest_of(*source) == "end");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
}

TEST_CASE("a file that shrinks ends where it now ends") {
  const Folder folder;
  const std::string path = folder.file("a.bin", std::string(1000, 'x'));
  const auto source = opened(path);
  std::vector<char> into(100);
  CHECK((source->read(std::as_writable_bytes(std::span(into))) == 100));
  REQUIRE(::truncate(path.c_str(), 150) == 0);
  CHECK(rest_of(*source).size() == 50);
}

TEST_CASE("a descriptor that cannot be read is told when it is read") {
  const Folder folder;
  const int descriptor = ::open(folder.file("a.bin", "0123").c_str(), O_WRONLY);
  REQUIRE(descriptor >= 0);
  auto source = FileSource::adopt(Descriptor(descriptor), "a.bin");
  REQUIRE(source.has_value());
  std::vector<char> into(10);
  const auto read = (*source)->read(std::as_writable_bytes(std::span(into)));
  REQUIRE_FALSE(read.has_value());
  CHECK((read.error().code == ErrorCode::read_failed));
  CHECK(read.error().file == "a.bin");
  CHECK(read.error().message.find("Bad file descriptor") != std::string::npos);
}

}  // namespace
}  // namespace slabscope
