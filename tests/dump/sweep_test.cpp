// Damaged dumps: every sample of tests/golden/dumps, and every dump that support/made_dumps.py
// makes, cut at every byte, and with every bit turned over that is not in the middle of a run of
// equal bytes. Each opens and reads, or says why not with an error of dumps, after few reads of
// few bytes whatever the damage. How many of the kept samples' damages open is golden. Under
// sanitizers, which take twenty times as long, every 23rd place.
#include "../support/golden_text.h"
#include "../support/sanitized.h"

#include <slabscope/dump/container.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace slabscope;

namespace {

constexpr std::uint64_t read_bytes = 1 << 12;  // at each end of a region
constexpr std::size_t regions_read = 8;
constexpr std::size_t step = tests::is_sanitized ? 23 : 1;
// The samples' own sizes are below 80 KB.
constexpr std::uint64_t max_inflate = std::uint64_t{1} << 18;

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path root(SLABSCOPE_TESTS_DIR "/golden/dumps");
  for (const auto& each : std::filesystem::recursive_directory_iterator(root))
    if (each.is_regular_file() && each.path().parent_path() != root) found.push_back(each.path());
  // Written there by the build.
  for (const auto& each : std::filesystem::directory_iterator(SLABSCOPE_MADE_DUMPS_DIR))
    found.push_back(each.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::byte> contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// Counts what is read of a file: damage must not make a reader go over it again and again.
class CountedAccess final : public RandomAccess {
 public:
  explicit CountedAccess(std::span<const std::byte> bytes) : inside_(bytes) {}
  std::uint64_t size() const override { return inside_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    SLABSCOPE_TRY_ASSIGN(count, inside_.read_at(offset, into));
    read_ += count;
    ++calls_;
    return count;
  }
  [[nodiscard]] std::uint64_t read() const noexcept { return read_; }
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }

 private:
  MemoryAccess inside_;
  std::uint64_t read_ = 0;
  std::uint64_t calls_ = 0;
};

bool is_of_dumps(ErrorCode code) {
  constexpr std::array codes = {
      ErrorCode::bad_container, ErrorCode::unsupported_container, ErrorCode::limit_exceeded,
      ErrorCode::type_mismatch, ErrorCode::ambiguous_address,     ErrorCode::syntax,
      ErrorCode::duplicate_key, ErrorCode::unknown_key,           ErrorCode::missing_key,
      ErrorCode::wrong_type,    ErrorCode::out_of_range};
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

void check_error(const Error& failed) {
  const std::string line = to_line(failed, "dump");
  CAPTURE(line);
  REQUIRE(is_of_dumps(failed.code));
  REQUIRE_FALSE(failed.message.empty());
  REQUIRE(line.find('\n') == std::string::npos);
}

// Both ends of a region's bytes.
void read_region(Container& container, std::size_t index) {
  const auto bytes = container.open(index);
  if (!bytes) return check_error(bytes.error());
  std::array<std::byte, read_bytes> into;
  const std::uint64_t size = container.regions()[index].bytes;
  for (const std::uint64_t at : {std::uint64_t{0}, size < read_bytes ? 0 : size - read_bytes}) {
    const auto count = (*bytes)->read_at(at, into);
    if (!count) return check_error(count.error());
    REQUIRE(*count <= into.size());
  }
}

// Did it open?
bool check_dump(std::span<const std::byte> bytes, std::optional<std::string_view> kind) {
  const auto file = std::make_shared<CountedAccess>(bytes);
  ContainerHints hints;
  hints.limits.max_inflate = max_inflate;
  hints.unit = 4;
  const auto opened = open_container(file, kind, hints);
  if (!opened) {
    check_error(opened.error());
  } else {
    const std::size_t count = (*opened)->regions().size();
    for (std::size_t index = 0; index < std::min(count, regions_read); ++index)
      read_region(**opened, index);
  }
  CAPTURE(file->read());
  REQUIRE(file->read() <= 64 * bytes.size() + (std::uint64_t{1} << 20));
  REQUIRE(file->calls() <= 16 * bytes.size() + 4096);
  return opened.has_value();
}

std::vector<std::optional<std::string_view>> kinds_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name == "xxd_plain.txt") return {"xxd-p"};
  if (name == "xxd_e_little_endian_words.txt") return {"xxd-e"};
  return {std::nullopt};
}

// Bytes in the middle of a long run of equal ones are payload: what a header is has few of them.
std::vector<bool> in_runs(std::span<const std::byte> bytes) {
  constexpr std::size_t around = 24;
  std::vector<bool> inside(bytes.size());
  for (std::size_t begin = 0; begin < bytes.size();) {
    std::size_t end = begin + 1;
    while (end < bytes.size() && bytes[end] == bytes[begin]) ++end;
    for (std::size_t at = begin + around; at + around < end; ++at) inside[at] = true;
    begin = end;
  }
  return inside;
}

// Of the samples in golden/, but what zlib and zstd inflate: their versions may differ in what they
// take of damage.
class Opened {
 public:
  void count(const std::filesystem::path& path, bool has_opened) {
    const std::filesystem::path root(SLABSCOPE_TESTS_DIR "/golden/dumps");
    const std::string name = path.lexically_relative(root).generic_string();
    const bool is_inflated =
        name.ends_with(".gz") || name.ends_with(".zst") || name.ends_with(".npz");
    if (!name.starts_with("..") && !is_inflated) number_[name] += has_opened ? 1U : 0U;
  }
  void check(const std::string& golden) const {
    if (tests::is_sanitized) return;
    std::string text;
    for (const auto& [name, number] : number_) text += std::to_string(number) + " " + name + "\n";
    tests::check_golden(golden, text);
  }

 private:
  std::map<std::string, std::uint64_t> number_;
};

TEST_CASE("a dump that is cut at any byte opens and reads, or says why not") {
  Opened opened;
  for (const auto& path : samples()) {
    CAPTURE(path.filename().string());
    const std::vector<std::byte> bytes = contents(path);
    for (const auto& kind : kinds_of(path))
      for (std::size_t cut = 0; cut < bytes.size(); cut += step) {
        CAPTURE(cut);
        // On the heap and exactly as long, so that a byte outside is seen.
        const std::vector<std::byte> exact(bytes.begin(),
                                           bytes.begin() + static_cast<std::ptrdiff_t>(cut));
        opened.count(path, check_dump(exact, kind));
      }
  }
  opened.check("sweep_dumps_cut.txt");
}

TEST_CASE("a dump with any bit turned over opens and reads, or says why not") {
  Opened opened;
  for (const auto& path : samples()) {
    CAPTURE(path.filename().string());
    std::vector<std::byte> bytes = contents(path);
    const std::vector<bool> is_inside = in_runs(bytes);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      if (is_inside[at]) continue;
      for (unsigned bit = 0; bit < 8; ++bit) {
        CAPTURE(at);
        CAPTURE(bit);
        bytes[at] ^= std::byte{1} << bit;
        for (const auto& kind : kinds_of(path)) opened.count(path, check_dump(bytes, kind));
        bytes[at] ^= std::byte{1} << bit;
      }
    }
  }
  opened.check("sweep_dumps_bits.txt");
}

}  // namespace
