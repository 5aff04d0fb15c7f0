#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <algorithm>
#include <iterator>

namespace slabscope {
namespace {

std::string_view poison(unsigned byte) {
  switch (byte) {
    case 0x00: return ": nothing was written here";
    case 0xAA: return ": memory poisoned by an allocator or a test";
    case 0xCD: return ": uninitialised heap of a debug runtime";
    case 0xEE: return ": poison that tests put into buffers";
    case 0xFF: return ": all ones, a memset to -1";
    default: return "";
  }
}

void check(const Batch& batch, Reporter& report) {
  const auto bytes = batch.view().bytes();
  if (bytes.size() < 2) return;
  const auto differs = [&](std::byte each) { return each != bytes.front(); };
  if (std::any_of(bytes.begin(), bytes.end(), differs)) return;
  const auto byte = std::to_integer<unsigned>(bytes.front());
  constexpr std::string_view digits = "0123456789ABCDEF";
  const std::string shown{'0', 'x', digits[byte >> 4U], digits[byte & 15U]};
  Finding& found = report.slab("all " + std::to_string(bytes.size()) + " B are " + shown +
                               std::string(poison(byte)));
  found.offset = 0;
  found.bytes = bytes.size();
  found.value = shown;
}

Result<void> put(FaultSlab& slab) {
  constexpr unsigned usual[] = {0x00, 0xAA, 0xCD, 0xEE, 0xFF};
  if (slab.bytes().size() < 2) return impossible("the slab has fewer than two bytes");
  const auto byte = slab.random().one_in(2) ? usual[slab.random().between(0, std::size(usual) - 1)]
                                            : slab.random().between(0, 255);
  std::fill(slab.bytes().begin(), slab.bytes().end(), static_cast<std::byte>(byte));
  slab.give_all();
  return {};
}

}  // namespace

extern const Rule uniform_bytes;
const Rule uniform_bytes{
    .id = "uniform-bytes",
    .severity = FindingSeverity::note,
    .fires_when = "the whole slab is one repeated byte",
    .explanation =
        "Nobody uploaded this slab, or it is not where it was looked for. All that the other rules "
        "say of it follows from that.",
    .implies = everything,
    .check = check,
    .fault = {.put = put}};

}  // namespace slabscope
