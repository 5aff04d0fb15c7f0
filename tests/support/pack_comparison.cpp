#include "pack_comparison.h"

#include "documents.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace slabscope::tests {
namespace {

constexpr std::byte canary{0x5E};
constexpr std::uint64_t most_faults = 10;  // a universe of them would hide the first

std::string_view reason(const NaiveSlab& naive, std::uint64_t region_bytes) {
  if (region_bytes < naive.size) return "region_exceeded";
  switch (naive.refusal) {
    case NaiveRefusal::padded_rows: return "padded_rows";
    case NaiveRefusal::list_too_long: return "list_too_long";
    case NaiveRefusal::none: break;
  }
  return "";
}

}  // namespace

Pack pack_columns(const Layout& layout, const RowsViewOf& rows) {
  return [&](std::span<std::byte> region) { return pack_into(region, layout, rows.view()); };
}

Pack pack_document(std::string_view layout, const Params& params,
                   const std::vector<PlainRow>& rows) {
  return [=](std::span<std::byte> region) -> Result<std::size_t> {
    SLABSCOPE_TRY_ASSIGN(document, read_document(document_of(layout, params, rows, region.size())));
    const Bytes slab = packed(document);
    REQUIRE(streamed(document) == slab);
    REQUIRE(slab.size() <= region.size());
    std::copy(slab.begin(), slab.end(), region.begin());
    return slab.size();
  };
}

void PackComparison::check(const NaiveSlab& naive, const Pack& pack,
                           const std::function<std::string()>& what) {
  std::vector<std::uint64_t> regions = {0};
  for (std::uint64_t bytes = naive.size < 2 ? 0 : naive.size - 2; bytes <= naive.size + 2; ++bytes)
    regions.push_back(bytes);
  for (const std::uint64_t bytes : regions) {
    const std::string fault = fault_in(naive, pack, bytes);
    ++cases_;
    if (fault.empty()) continue;
    FAIL_CHECK(what() << " in " << bytes << " B: " << fault);
    if (++faults_ == most_faults) FAIL("more of the kind are not listed");
  }
}

std::string PackComparison::fault_in(const NaiveSlab& naive, const Pack& pack,
                                     std::uint64_t region_bytes) {
  region_.assign(region_bytes, canary);
  const std::string_view wanted = reason(naive, region_bytes);
  const auto size = pack(region_);
  if (!size) {
    if (wanted != info(size.error().code).name)
      return "refused, " + shown_failure(size.error()) + ", not '" + std::string(wanted) + "'";
    return all_are(region_, canary) ? "" : "refused, but something was written";
  }
  if (!wanted.empty()) return "packed, not refused as " + std::string(wanted);
  if (*size != naive.size) return "packed " + std::to_string(*size) + " B";
  const std::span<const std::byte> region(region_);
  if (!same(region.first(*size), naive.bytes)) return difference(region.first(*size), naive.bytes);
  return all_are(region.subspan(*size), canary) ? "" : "something was written behind the slab";
}

}  // namespace slabscope::tests
