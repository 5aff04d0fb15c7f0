#include "check_container.h"

#include "fuzzed_input.h"
#include "limits.h"
#include "property.h"

#include <slabscope/dump/container.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slabscope::fuzz {
namespace {

constexpr std::size_t regions_read = 6;
constexpr std::size_t bytes_read = std::size_t{1} << 14;  // from the front of a region
constexpr std::size_t window_bytes = 61;

using Bytes = std::vector<std::byte>;

// The file; delivers at most `pace` bytes a call and counts them.
class PacedAccess final : public RandomAccess {
 public:
  PacedAccess(std::span<const std::byte> bytes, std::size_t pace) : inside_(bytes), pace_(pace) {}
  std::uint64_t size() const override { return inside_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    SLABSCOPE_TRY_ASSIGN(count, inside_.read_at(offset, into.first(std::min(into.size(), pace_))));
    delivered_ += count;
    return count;
  }
  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  MemoryAccess inside_;
  std::size_t pace_;
  std::uint64_t delivered_ = 0;
};

ContainerHints hints_of(std::uint8_t choice) {
  ContainerHints hints;
  hints.limits.max_inflate = std::uint64_t{1} << 17;
  hints.limits.max_regions = 512;
  hints.limits.max_tensors = 256;
  hints.limits.max_name_bytes = std::uint64_t{1} << 13;
  hints.limits.max_dimensions = 512;
  hints.limits.max_header_bytes = std::uint64_t{1} << 16;
  if ((choice & 4U) == 0) hints.unit = 1U << (choice & 3U);
  if ((choice & 8U) != 0) hints.base = (choice & 16U) != 0 ? ~std::uint64_t{100} : 0x7f32a0000000;
  return hints;
}

// Up to `most` bytes from `offset` on, in pieces; how it ended is told as text.
std::string read_into(RandomAccess& from, std::uint64_t offset, std::size_t most, std::size_t piece,
                      Bytes& into) {
  into.clear();
  while (into.size() < most) {
    const std::size_t done = into.size();
    into.resize(std::min(most, done + piece));
    const auto count = from.read_at(offset + done, std::span(into).subspan(done));
    if (!count) {
      into.resize(done);
      check_error(count.error(), {}, "dump");
      return "failed";
    }
    require(*count <= into.size() - done, "no more is read than was asked for");
    into.resize(done + *count);
    if (*count == 0) return "ended";
  }
  return "";
}

void check_claims(const Region& region, RandomAccess& bytes, std::span<const std::byte> file,
                  std::span<const std::byte> front) {
  if (region.bytes != unknown_bytes) {
    require(region.missing <= region.bytes, "no more is missing than there is");
    require(bytes.size() == region.bytes - region.missing, "a region has the bytes that it claims");
  }
  // Claims of addresses may pass 64 bits: AddressSpace looks at them.
  if (!region.file_offset || front.empty()) return;
  require(*region.file_offset <= file.size() && front.size() <= file.size() - *region.file_offset &&
              std::equal(front.begin(), front.end(),
                         file.begin() + static_cast<std::ptrdiff_t>(*region.file_offset)),
          "bytes stand in the file where the region says");
}

void check_region(Container& container, std::size_t index, std::span<const std::byte> file,
                  std::uint8_t choice) {
  const Region& region = container.regions()[index];
  const auto opened = container.open(index);
  if (!opened) return check_error(opened.error(), {}, "dump");
  RandomAccess& bytes = **opened;
  Bytes whole;
  Bytes again;
  const std::string end = read_into(bytes, 0, bytes_read, bytes_read, whole);
  const std::string end_again = read_into(bytes, 0, bytes_read, 1 + choice % window_bytes, again);
  require(end == end_again && whole == again, "the same bytes in any pieces");
  check_claims(region, bytes, file, whole);
  const std::size_t from = whole.empty() ? 0 : choice * 251U % whole.size();
  const std::size_t count = std::min(window_bytes, whole.size() - from);
  (void)read_into(bytes, from, count, count, again);
  require(
      std::equal(again.begin(), again.end(), whole.begin() + static_cast<std::ptrdiff_t>(from)) &&
          again.size() == count,
      "a window holds the bytes that stand there");
  if (end == "failed") return;
  const std::uint64_t size = bytes.size();
  require(size >= whole.size(), "no byte behind the end");
  (void)read_into(bytes, size - std::min<std::uint64_t>(size, window_bytes), window_bytes + 1,
                  window_bytes + 1, again);
  (void)read_into(bytes, size, 1, 1, again);
  require(again.empty(), "nothing at the end");
}

}  // namespace

int check_container(std::optional<std::string_view> kind, std::span<const std::uint8_t> input) {
  if (input.size() < 2 || input.size() > max_input_bytes) return 0;
  const ContainerHints hints = hints_of(input[0]);
  const std::size_t pace = input[1] == 0 ? ~std::size_t{0} : input[1];
  const auto file = std::as_bytes(input.subspan(2));
  const auto access = std::make_shared<PacedAccess>(file, pace);
  const auto opened = open_container(access, kind, hints);
  const auto again =
      open_container(std::make_shared<PacedAccess>(file, ~std::size_t{0}), kind, hints);
  require(opened.has_value() == again.has_value() &&
              (opened || to_line(opened.error(), "") == to_line(again.error(), "")),
          "a container is opened the same however its bytes arrive");
  if (!opened) return check_error(opened.error(), {}, "dump"), 0;
  const auto regions = (*opened)->regions();
  // Members of a zip are regions besides the tensors that are in them.
  require(regions.size() <= hints.limits.max_regions + hints.limits.max_tensors,
          "no more regions than the limit");
  std::uint64_t dimensions = 0;
  for (const Region& each : regions) dimensions += each.shape.size();
  require(dimensions <= hints.limits.max_regions + hints.limits.max_dimensions,
          "no longer shapes than the limit");
  require(access->delivered() <= 64 * file.size() + hints.limits.max_inflate,
          "opening is linear in the file", [&] { return std::to_string(access->delivered()); });
  for (std::size_t index = 0; index < std::min(regions_read, regions.size()); ++index)
    check_region(**opened, index, file, input[0]);
  return 0;
}

}  // namespace slabscope::fuzz
