#include <slabscope/device/comparison.h>

#include <slabscope/layout/owner.h>

#include <algorithm>
#include <cstring>

namespace slabscope {
namespace {

bool same(std::span<const std::byte> left, std::span<const std::byte> right) {
  return left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0;
}

constexpr std::string_view red_zone_name = "(red zone)";

}  // namespace

void Comparison::compare(const ReadBack& back) {
  compare_results(back.results);
  compare_views(back);
  compare_slabs(back);
  if (!back.slabs_are_callers) compare_red_zones(back.slabs, back.lead, "upload");
  compare_packed(back);
  compare_gaps(back);
  compare_red_zones(back.packed, back.lead, "pack");
}

void Comparison::tell(Mismatch found) {
  ++report_.mismatch_count;
  if (report_.mismatches.size() < kept_) report_.mismatches.push_back(std::move(found));
}

std::span<const std::byte> Comparison::expected_bytes(std::size_t run) const {
  const Tile& tile = tables_.owners[run].tile;
  return batch_.bytes_of(slab_of(run)).subspan(tile.offset, tile.bytes);
}

void Comparison::compare_elements(std::size_t run, std::span<const std::byte> expected,
                                  std::span<const std::byte> got, std::string_view found_by) {
  if (same(expected, got)) return;
  const DeviceSlab& slab = slab_of(run);
  const ResolvedField& field = slab.layout->fields[tables_.owners[run].tile.field];
  const std::uint64_t width = field.element_bytes();
  for (std::uint64_t each = 0; each < tables_.runs[run].elements; ++each) {
    const std::span<const std::byte> ours = expected.subspan(each * width, width);
    const std::span<const std::byte> theirs = got.subspan(each * width, width);
    if (same(ours, theirs) || told_[tables_.runs[run].first + each]) continue;
    told_[tables_.runs[run].first + each] = true;
    const Owner owner = owner_at(field, each / field.item_elements, each % field.item_elements);
    Mismatch found;
    found.slab = slab.number;
    found.field = field.name();
    found.row = row_of(*slab.layout, owner);
    if (!field.item_shape().empty()) found.index = owner.element;
    found.offset = owner.offset;
    found.host = load_element(field.type(), ours.data());
    found.device = load_element(field.type(), theirs.data());
    found.found_by = found_by;
    tell(std::move(found));
  }
}

void Comparison::compare_results(std::span<const std::byte> results) {
  for (std::size_t run = 0; run < tables_.field_runs; ++run) {
    const std::uint64_t column = tables_.runs[run].column;
    const std::uint64_t bytes = tables_.owners[run].tile.bytes;
    compare_elements(run, batch_.columns().subspan(column, bytes), results.subspan(column, bytes),
                     "read");
  }
}

void Comparison::compare_views(const ReadBack& back) {
  for (const DeviceSlab& slab : batch_.slabs()) {
    if (!slab.view) continue;
    const DeviceView& got = back.views[*slab.view];
    const DeviceView expected = expected_view_offsets(*slab.layout);
    const std::uint64_t base = back.slabs_address + slab.offset;
    const auto member = [&](std::string_view name, int128 host, int128 device) {
      std::string shown = "view." + std::string(name);
      if (host == device || !others_told_.emplace(slab.number, shown, 0).second) return;
      tell({slab.number, std::move(shown), {}, {}, 0, host, device, "view"});
    };
    const auto address = [&](std::string_view name, std::uint64_t offset, std::uint64_t device) {
      member(name, offset, int128{device} - base);
    };
    address("positions", expected.positions, got.positions);
    address("positions_h", expected.positions_h, got.positions_h);
    address("positions_w", expected.positions_w, got.positions_w);
    address("slot", expected.slot, got.slot);
    address("seq_len", expected.seq_len, got.seq_len);
    address("block_table", expected.block_table, got.block_table);
    if (expected.seq_slot != 0)
      address("seq_slot", expected.seq_slot, got.seq_slot);
    else
      member("seq_slot", 0, got.seq_slot);
    member("moe_row_adapter", 0, got.moe_row_adapter);
    member("max_blocks_per_seq", expected.max_blocks_per_seq, got.max_blocks_per_seq);
    member("num_seqs", expected.num_seqs, got.num_seqs);
  }
}

// Nothing that reads may have changed what was read.
void Comparison::compare_slabs(const ReadBack& back) {
  const std::uint64_t lead = back.slabs_are_callers ? 0 : back.lead;
  for (std::size_t run = 0; run < tables_.field_runs; ++run)
    compare_elements(
        run, expected_bytes(run),
        back.slabs.subspan(lead + tables_.runs[run].offset, tables_.owners[run].tile.bytes),
        "upload");
}

void Comparison::compare_packed(const ReadBack& back) {
  for (std::size_t run = 0; run < tables_.field_runs; ++run)
    compare_elements(
        run, expected_bytes(run),
        back.packed.subspan(back.lead + tables_.runs[run].offset, tables_.owners[run].tile.bytes),
        "pack");
}

// One mismatch a gap is enough.
void Comparison::compare_gap(const DeviceSlab& slab, const Tile& gap,
                             std::span<const std::byte> got, std::byte expected,
                             std::string_view found_by) {
  const auto wrong =
      std::find_if(got.begin(), got.end(), [&](std::byte each) { return each != expected; });
  if (wrong == got.end()) return;
  const auto offset = gap.offset + static_cast<std::uint64_t>(wrong - got.begin());
  if (!others_told_.emplace(slab.number, gap_name, static_cast<std::int64_t>(gap.offset)).second)
    return;
  tell({slab.number,
        std::string(gap_name),
        {},
        {},
        offset,
        std::to_integer<int>(expected),
        std::to_integer<int>(*wrong),
        found_by});
}

void Comparison::compare_slab_gap(const DeviceSlab& slab, const Tile& gap,
                                  std::span<const std::byte> got) {
  const auto expected = batch_.bytes_of(slab).subspan(gap.offset, gap.bytes);
  const auto wrong = std::mismatch(expected.begin(), expected.end(), got.begin());
  if (wrong.first == expected.end()) return;
  const auto from = static_cast<std::uint64_t>(wrong.first - expected.begin());
  compare_gap(slab, {gap.offset + from, gap.bytes - from, Tile::gap}, got.subspan(from),
              *wrong.first, "upload");
}

// Packing sets a gap to zero where the layout says so, and elsewhere leaves it alone. What was
// uploaded is there as it was; a caller need not have uploaded gaps of any content.
void Comparison::compare_gaps(const ReadBack& back) {
  for (const DeviceSlab& slab : batch_.slabs()) {
    const bool are_zero = slab.layout->description->gaps_are_zero;
    for (const Tile& tile : slab.layout->tiles) {
      if (!tile.is_gap()) continue;
      const std::uint64_t at = slab.offset + tile.offset;
      compare_gap(slab, tile, back.packed.subspan(back.lead + at, tile.bytes),
                  are_zero ? std::byte{0} : back.poison, "pack");
      if (!back.slabs_are_callers)
        compare_slab_gap(slab, tile, back.slabs.subspan(back.lead + at, tile.bytes));
      else if (are_zero)
        compare_slab_gap(slab, tile, back.slabs.subspan(at, tile.bytes));
    }
  }
}

void Comparison::compare_zone(const DeviceSlab& slab, std::span<const std::byte> zone,
                              int128 offset, std::string_view found_by) {
  const auto wrong =
      std::find_if(zone.begin(), zone.end(), [](std::byte each) { return each != red_zone_byte; });
  if (wrong == zone.end()) return;
  const int128 at = offset + (wrong - zone.begin());
  if (!others_told_.emplace(slab.number, red_zone_name, static_cast<std::int64_t>(at)).second)
    return;
  tell({slab.number,
        std::string(red_zone_name),
        {},
        {},
        at,
        std::to_integer<int>(red_zone_byte),
        std::to_integer<int>(*wrong),
        found_by});
}

// In front of the first slab, and from the end of each to the next.
void Comparison::compare_red_zones(std::span<const std::byte> image, std::uint64_t lead,
                                   std::string_view found_by) {
  const std::span<const DeviceSlab> slabs = batch_.slabs();
  if (slabs.empty()) return;
  compare_zone(slabs.front(), image.first(lead), -int128{lead}, found_by);
  for (std::size_t index = 0; index < slabs.size(); ++index) {
    const std::uint64_t begin = lead + slabs[index].offset + slabs[index].layout->size;
    const std::uint64_t end =
        index + 1 < slabs.size() ? lead + slabs[index + 1].offset : image.size();
    compare_zone(slabs[index], image.subspan(begin, end - begin), slabs[index].layout->size,
                 found_by);
  }
}

}  // namespace slabscope
