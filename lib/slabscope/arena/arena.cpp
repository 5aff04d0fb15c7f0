#include <slabscope/arena/arena.h>

#include <slabscope/layout/outline.h>

#include <algorithm>
#include <numeric>

namespace slabscope {

std::optional<std::uint64_t> Arena::room(const ArenaSlab& slab) const noexcept {
  std::optional<std::uint64_t> most = slab.region_bytes;
  if (bytes) {
    const std::uint64_t to_end = *bytes > slab.offset ? *bytes - slab.offset : 0;
    most = std::min(most.value_or(to_end), to_end);
  }
  return most;
}

namespace {

// Does a parameter that is meant for every slab go to this one?
bool takes(const Description& layout, std::string_view name) {
  return layout.takes(name) && (name != "padded_rows" || layout.has_padding_rows());
}

std::string slab_names(const Arena& arena) {
  std::vector<std::string_view> names;
  for (const ArenaSlab& each : arena.slabs) names.emplace_back(each.name);
  return joined(names);
}

Error unknown_here(const Assignment& param, std::string message, std::string allowed) {
  Error made = error(ErrorCode::unknown_param, std::move(message));
  made.pointer = param.origin.pointer;
  return std::move(made).with(printable(param.name, 80), std::move(allowed));
}

Result<void> set_param(Arena& arena, const Assignment& param) {
  const auto dot = param.name.find('.');
  if (dot != std::string::npos) {
    const std::string slab = param.name.substr(0, dot);
    const auto found = std::find_if(arena.slabs.begin(), arena.slabs.end(),
                                    [&](const ArenaSlab& each) { return each.name == slab; });
    if (found == arena.slabs.end())
      return fail(unknown_here(param, "the arena has no slab of this name", slab_names(arena)));
    assign(found->params, {param.name.substr(dot + 1), param.value, param.origin});
    return {};
  }
  bool is_taken = false;
  for (ArenaSlab& each : arena.slabs) {
    if (!takes(*each.layout, param.name)) continue;
    assign(each.params, param);
    is_taken = true;
  }
  if (is_taken) return {};
  return fail(unknown_here(param, "no layout of the arena's slabs has such a parameter",
                           "parameters of " + slab_names(arena)));
}

}  // namespace

Result<void> set_params(Arena& arena, const Assignments& params) {
  for (const Assignment& each : params) SLABSCOPE_TRY(set_param(arena, each));
  return {};
}

Result<void> set_live_rows(Arena& arena, std::uint64_t live_rows) {
  bool has_rows = false;
  for (ArenaSlab& each : arena.slabs) {
    if (!each.layout->row_param) continue;
    each.live_rows = live_rows;
    has_rows = true;
  }
  if (has_rows) return {};
  return fail(error(ErrorCode::live_rows, "no layout of the arena's slabs has rows")
                  .with(std::to_string(live_rows), {}));
}

namespace {

struct Shared {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;
};

// Ranges of slabs at `left_at` and `right_at`, by offset, none of one slab overlapping another.
Shared shared_bytes(const std::vector<ByteRange>& left, std::uint64_t left_at,
                    const std::vector<ByteRange>& right, std::uint64_t right_at) {
  Shared shared;
  for (auto one = left.begin(), other = right.begin(); one != left.end() && other != right.end();) {
    const std::uint64_t begin = std::max(one->begin + left_at, other->begin + right_at);
    const std::uint64_t end = std::min(one->end + left_at, other->end + right_at);
    if (begin < end) {
      if (shared.bytes == 0) shared.first = begin;
      shared.bytes += end - begin;
      shared.end = end;
    }
    if (one->end + left_at < other->end + right_at)
      ++one;
    else
      ++other;
  }
  return shared;
}

// Slabs that are not laid out, or empty, overlap nothing.
std::vector<SlabOverlap> find_overlaps(const std::vector<PlacedSlab>& slabs) {
  std::vector<std::size_t> order;
  for (std::size_t index = 0; index < slabs.size(); ++index)
    if (slabs[index].layout && slabs[index].layout->size != 0) order.push_back(index);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return slabs[left].begin() < slabs[right].begin();
  });
  std::vector<std::vector<ByteRange>> uploaded(slabs.size());
  for (const std::size_t index : order) uploaded[index] = uploaded_ranges(*slabs[index].layout);
  std::vector<SlabOverlap> overlaps;
  for (auto first = order.begin(); first != order.end(); ++first)
    for (auto second = first + 1; second != order.end(); ++second) {
      const PlacedSlab& left = slabs[*first];
      const PlacedSlab& right = slabs[*second];
      if (right.begin() >= left.end()) break;
      Shared shared =
          shared_bytes(uploaded[*first], left.begin(), uploaded[*second], right.begin());
      const bool is_uploaded = shared.bytes != 0;
      const std::uint64_t end = std::min(left.end(), right.end());
      if (!is_uploaded) shared = {right.begin(), end, end - right.begin()};
      overlaps.push_back({*first, *second, shared.first, shared.end, shared.bytes, is_uploaded,
                          left.slab->phase == right.slab->phase});
    }
  return overlaps;
}

// Of each parameter that helps.
std::vector<AvoidingParam> avoid(const std::vector<PlacedSlab>& slabs, const SlabOverlap& overlap) {
  const PlacedSlab& first = slabs[overlap.first];
  const PlacedSlab& second = slabs[overlap.second];
  const std::uint64_t room = second.begin() - first.begin();
  const std::vector<ByteRange> uploaded = uploaded_ranges(*second.layout);
  const Layout& layout = *first.layout;
  Assignments tried = layout.given;
  // How many rows are uploaded may be changed where nobody has said it.
  if (layout.description->has_padding_rows() && find(tried, "padded_rows") == nullptr)
    tried.push_back({"padded_rows", layout.padded_rows, {}});
  const RowNumbers rows{first.slab->live_rows, first.slab->live_rows};
  std::vector<AvoidingParam> avoiding;
  for (std::size_t index = 0; index < std::min(tried.size(), max_tried_params); ++index) {
    const Assignment& param = tried[index];
    // Is this value small enough? Those below the smallest that the layout takes are.
    const auto fits = [&](std::uint64_t value, bool otherwise) {
      Assignments changed = layout.given;
      assign(changed, {param.name, value, param.origin});
      const Result<Layout> made = resolve(layout.description, changed, rows);
      if (!made) return otherwise;
      if (!overlap.is_uploaded) return made->size <= room;
      if (param.name != "padded_rows") return uploaded_end(*made) <= room;
      return shared_bytes(uploaded_ranges(*made), first.begin(), uploaded, second.begin()).bytes ==
             0;
    };
    std::uint64_t low = 0;
    std::uint64_t high = param.value;  // too large
    while (low < high) {
      const std::uint64_t middle = std::midpoint(low, high);
      if (fits(middle, true))
        low = middle + 1;
      else
        high = middle;
    }
    if (high != 0 && fits(high - 1, false) && !fits(high, true))
      avoiding.push_back({param.name, high - 1});
  }
  return avoiding;
}

}  // namespace

Result<PlacedArena> place_arena(Arena arena) {
  PlacedArena placed(std::move(arena));
  for (const ArenaSlab& each : placed.arena.slabs) {
    const auto of_slab = [&](Error failed) {
      failed.message = "slab '" + each.name + "': " + failed.message;
      return fail(std::move(failed));
    };
    PlacedSlab made{&each, {}, {}};
    const RowNumbers rows{each.live_rows, each.live_rows};
    Result<Outline> known = outline(each.layout, each.params, rows.row_count);
    if (!known) return of_slab(std::move(known).error());
    made.unset = std::move(known->unset);
    if (made.unset.empty()) {
      Result<Layout> layout = resolve(each.layout, each.params, rows);
      if (!layout) return of_slab(std::move(layout).error());
      // Where nobody says how many rows are in use, those that are uploaded are.
      if (!each.live_rows)
        layout->row_count = layout->live_rows = std::min(layout->row_count, layout->padded_rows);
      Result<void> checked = check_rows(*layout);
      if (!checked) return of_slab(std::move(checked).error());
      const auto end = checked_add(each.offset, layout->size);
      if (!end || *end > max_slab_size) {
        Error too_far =
            error(ErrorCode::size_overflow, "the slab ends past 2^63 bytes")
                .with(std::to_string(each.offset) + " + " + std::to_string(layout->size),
                      "up to " + std::to_string(max_slab_size));
        too_far.file = each.origin.file;
        return of_slab(std::move(too_far).at(each.origin.place, each.origin.pointer));
      }
      made.layout = *std::move(layout);
    }
    placed.slabs.push_back(std::move(made));
  }
  placed.overlaps = find_overlaps(placed.slabs);
  for (std::size_t index = 0; index < std::min(placed.overlaps.size(), max_avoided_overlaps);
       ++index)
    placed.overlaps[index].avoided_by = avoid(placed.slabs, placed.overlaps[index]);
  return placed;
}

bool PlacedArena::is_past_room(const PlacedSlab& slab) const noexcept {
  if (!slab.layout) return false;
  const std::optional<std::uint64_t>& region = slab.slab->region_bytes;
  return (region && slab.layout->size > *region) || (arena.bytes && slab.end() > *arena.bytes);
}

bool PlacedArena::is_sound() const noexcept {
  return std::none_of(overlaps.begin(), overlaps.end(),
                      [](const SlabOverlap& each) { return each.is_error(); }) &&
         std::none_of(slabs.begin(), slabs.end(), [this](const PlacedSlab& each) {
           return is_past_room(each) || each.is_misaligned();
         });
}

std::vector<ByteRange> PlacedArena::gaps() const {
  std::vector<ByteRange> gaps;
  std::uint64_t end = 0;  // of what stands before
  bool is_known = true;
  const auto add_gap = [&](std::uint64_t begin) {
    const std::uint64_t behind = std::min(begin, arena.bytes.value_or(begin));
    if (is_known && behind > end) gaps.push_back({end, behind});
  };
  for (const PlacedSlab& each : slabs) {
    add_gap(each.begin());
    end = std::max(end, each.layout ? each.end() : each.begin());
    is_known = is_known && each.layout.has_value();
  }
  if (arena.bytes) add_gap(*arena.bytes);
  return gaps;
}

std::string overlap_text(const PlacedArena& placed, const SlabOverlap& overlap) {
  const ArenaSlab& first = *placed.slabs[overlap.first].slab;
  const ArenaSlab& second = *placed.slabs[overlap.second].slab;
  std::string text = "slabs '" + first.name + "' and '" + second.name + "' share " +
                     std::to_string(overlap.bytes) + " B ";
  if (overlap.end - overlap.offset == overlap.bytes)
    text += "from +" + std::to_string(overlap.offset) + " of the arena on";
  else  // rows of different fields, one here and one there
    text += "between +" + std::to_string(overlap.offset) + " and +" + std::to_string(overlap.end) +
            " of the arena";
  if (!overlap.is_one_phase)
    text += ", in different phases ('" + first.phase + "', '" + second.phase + "')";
  if (!overlap.is_uploaded) text += ", none of which is uploaded for both";
  std::string avoided;
  for (const AvoidingParam& each : overlap.avoided_by)
    avoided +=
        (avoided.empty() ? "" : ", or ") + each.name + " at most " + std::to_string(each.largest);
  if (!avoided.empty()) text += "; they would not with " + avoided + " in '" + first.name + "'";
  return text;
}

}  // namespace slabscope
