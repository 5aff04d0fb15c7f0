// Bytes at any place, windows of them, and the plainest of containers.
#include <slabscope/dump/container.h>
#include <slabscope/dump/file_access.h>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace slabscope;

namespace {

std::shared_ptr<RandomAccess> memory(std::string_view text) {
  return std::make_shared<MemoryAccess>(std::as_bytes(std::span(text)));
}

std::string text_of(Source& source) {
  std::array<std::byte, 64> bytes;
  const auto count = read_fully(source, bytes);
  REQUIRE(count);
  return std::string(reinterpret_cast<const char*>(bytes.data()), *count);
}

}  // namespace

TEST_CASE("a window ends where its length or the bytes do") {
  const auto bytes = memory("0123456789");
  struct {
    std::uint64_t offset, length;
    std::string_view seen;
  } const cases[] = {{0, 10, "0123456789"}, {3, 4, "3456"}, {8, 5, "89"},
                     {10, 1, ""},           {11, 1, ""},    {~std::uint64_t{0}, 2, ""}};
  for (const auto& each : cases) {
    CAPTURE(each.offset);
    WindowSource window(bytes, each.offset, each.length);
    CHECK(window.remaining() == each.seen.size());
    CHECK(text_of(window) == each.seen);
    CHECK(window.remaining() == 0);
  }
}

TEST_CASE("what is passed over in a window is not read") {
  WindowSource window(memory("0123456789"), 2, 6);
  CHECK(window.skip(4) == 4);
  CHECK(text_of(window) == "67");
  CHECK(window.skip(1) == 0);
}

TEST_CASE("bytes that end too early say how many there were and what they belong to") {
  std::array<std::byte, 4> bytes;
  const auto read = read_exactly_at(*memory("0123456789"), 8, bytes, "the table");
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ErrorCode::bad_container);
  CHECK(read.error().message == "the file ends inside the table");
  CHECK(read.error().offset == 8);
  CHECK(read.error().got == "2 B");
  CHECK(read.error().allowed == "4 B");
}

TEST_CASE("regions of one name have numbers, and none has the name of another") {
  const auto names = [](std::vector<std::string_view> each) {
    std::vector<Region> regions;
    for (const std::string_view name : each) regions.emplace_back().name = name;
    return region_names(regions);
  };
  using Names = std::vector<std::string>;
  CHECK(names({}) == Names{});
  CHECK(names({"", "a", "b"}) == Names{"", "a", "b"});
  CHECK(names({"a", "b", "a", "a"}) == Names{"a#1", "b", "a#2", "a#3"});
  CHECK(names({"a", "a", "a#2", ""}) == Names{"a#1", "a#3", "a#2", ""});
  CHECK(names({"", "a#1", "", "a#1", "a", "a"}) ==
        Names{"#1", "a#1#1", "#2", "a#1#2", "a#2", "a#3"});
}

TEST_CASE("bytes of no known container are raw, at the base that is given") {
  ContainerHints hints;
  hints.base = 0x7f32a0000000;
  const auto opened = open_container(memory("\x07\x01"), {}, hints);
  REQUIRE(opened);
  CHECK((*opened)->name() == "raw");
  REQUIRE((*opened)->regions().size() == 1);
  CHECK((*opened)->regions()[0].bytes == 2);
  CHECK((*opened)->regions()[0].address == 0x7f32a0000000);
}

TEST_CASE("a container that does not exist is refused with those that do") {
  const auto opened = open_container(memory(""), "tar", {});
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::unknown_container);
  CHECK(opened.error().got == "tar");
  CHECK(opened.error().allowed.find("raw") != std::string::npos);
}

TEST_CASE("no region gives bytes at its end, or into nothing") {
  for (const char* const name :
       {"raw/slab.bin", "numpy/slab_u8.npy", "numpy/parts_deflated.npz", "numpy/parts_stored.npz",
        "numpy/arena_i32_2d_fortran.npy", "torch/slab_u8.pt", "safetensors/parts.safetensors",
        "cuda/full.nvcudmp", "amd/gpucore.4242", "compressed/arena.bin.gz",
        "compressed/arena.bin.zst", "text/xxd.txt", "text/hexdump_C.txt"}) {
    CAPTURE(std::string(name));
    auto file = FileAccess::open(std::string(SLABSCOPE_TESTS_DIR) + "/golden/dumps/" + name);
    REQUIRE(file.has_value());
    REQUIRE(file->access != nullptr);
    const auto opened = open_container(file->access, {}, {});
    REQUIRE(opened.has_value());
    for (std::size_t region = 0; region < (*opened)->regions().size(); ++region) {
      const auto bytes = (*opened)->open(region);
      REQUIRE(bytes.has_value());
      std::array<std::byte, 4> into{};
      const std::uint64_t end = (*bytes)->size();
      CHECK(*(*bytes)->read_at(end, into) == 0);
      CHECK(*(*bytes)->read_at(~std::uint64_t{0}, into) == 0);
      CHECK(*(*bytes)->read_at(0, {}) == 0);
      if (end != 0) CHECK(*(*bytes)->read_at(end - 1, into) == 1);
    }
  }
}
