#include "arena_slabs.h"

#include <slabscope/arena/arena_reader.h>
#include <slabscope/layout/resolve_dump.h>

#include <algorithm>

namespace slabscope::app {

Result<Arena> load_arena(const std::string& name_or_path, const Assignments& params,
                         const NumberOption& live_rows, Host& host) {
  SLABSCOPE_TRY_ASSIGN(live, parse_count(live_rows));
  Result<Arena> arena = Arena{};
  if (is_path(name_or_path)) {
    SLABSCOPE_TRY_ASSIGN(source, host.open(name_or_path));
    arena = read_arena(*source, name_or_path);
  } else {
    arena = builtin_arena(name_or_path);
    if (!arena && arena.error().pointer.empty()) arena.error().pointer = "--arena";
  }
  if (!arena) return arena;
  for (const ArenaSlab& each : arena->slabs) tell_warnings(*each.layout, host);
  SLABSCOPE_TRY(set_params(*arena, params));
  if (!live) return arena;
  Result<void> set = set_live_rows(*arena, *live);
  if (set) return arena;
  set.error().pointer = live_rows.option;
  return fail(std::move(set).error());
}

Result<std::unique_ptr<ArenaSlabs>> ArenaSlabs::open(const DumpOptions& options, Host& host,
                                                     Dump dump,
                                                     std::optional<std::uint64_t> arena_bytes,
                                                     CutSlabs cut) {
  if (!options.layout.empty())
    return fail(ErrorCode::usage, "--arena names the layouts, and --layout is given too");
  for (const NumberOption* const each : {&options.length, &options.stride, &options.count})
    if (each->text)
      return fail(ErrorCode::usage, each->option +
                                        " is for slabs of one layout, and --arena is "
                                        "given");
  if (*options.arena == "-" && options.dump == "-")
    return fail(ErrorCode::usage, "the arena and the dump cannot both come from standard input");
  SLABSCOPE_TRY(check_begin(options));
  SLABSCOPE_TRY_ASSIGN(params, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(padded, parse_count(options.padded));
  SLABSCOPE_TRY_ASSIGN(offset, parse_size(options.offset));
  if (padded) assign(params, {"padded_rows", *padded, {{}, {}, "--padded", true}});
  SLABSCOPE_TRY_ASSIGN(arena, load_arena(*options.arena, params, options.live, host));
  if (arena_bytes) arena.bytes = arena_bytes;
  SLABSCOPE_TRY_ASSIGN(placed, place_arena(std::move(arena)));
  std::unique_ptr<ArenaSlabs> made(new ArenaSlabs(std::move(placed), cut));
  made->offset_ = offset.value_or(0);
  SLABSCOPE_TRY(made->lay_out(options));
  SLABSCOPE_TRY(made->open_bytes(options, host, std::move(dump)));
  return made;
}

Result<void> ArenaSlabs::lay_out(const DumpOptions& options) {
  SLABSCOPE_TRY_ASSIGN(max_slab_bytes, parse_size(options.max_slab_bytes));
  for (const ArenaSlab& each : placed_.arena.slabs) {
    Result<DumpLayout> resolved =
        resolve_dump(each.layout, each.params, each.live_rows, std::nullopt);
    if (resolved) {
      const Result<void> checked =
          check_size(resolved->layout, max_slab_bytes.value_or(default_max_slab_bytes), {});
      if (!checked) resolved = fail(checked.error());
    }
    if (!resolved) {
      Error failed = std::move(resolved).error();
      failed.message = "slab '" + each.name + "': " + failed.message;
      return fail(std::move(failed));
    }
    layouts_.push_back(std::move(resolved->layout));
  }
  return {};
}

Result<void> ArenaSlabs::open_bytes(const DumpOptions& options, Host& host, Dump dump) {
  SLABSCOPE_TRY_ASSIGN(bytes, DumpBytes::open(options, host, std::move(dump)));
  bytes_ = std::move(bytes);
  if (options.address.text) offset_ = bytes_->begin();
  for (std::size_t number = 0; !options.reinterpret && number < layouts_.size(); ++number)
    SLABSCOPE_TRY(bytes_->check_types(
        layouts_[number], offset_ + placed_.arena.slabs[number].offset, 0, layouts_[number].size));
  SLABSCOPE_TRY_ASSIGN(skipped, bytes_->source().skip(offset_));
  if (skipped == offset_) return {};
  return fail(bytes_->ends_early("the offset is past the end of " + bytes_->whole(), skipped,
                                 offset_, skipped));
}

Result<std::optional<SlabReader::Slab>> ArenaSlabs::next() {
  if (number_ == layouts_.size()) return std::nullopt;
  const ArenaSlab& slab = placed_.arena.slabs[number_];
  const Layout& layout = layouts_[number_++];
  end_ = std::max(end_, slab.offset + layout.size);
  SLABSCOPE_TRY(hold(slab.offset, layout.size));
  const std::span<const std::byte> held = std::as_const(held_).bytes();
  const auto bytes = held.first(std::min<std::uint64_t>(held.size(), layout.size));
  if (bytes.size() < layout.size && cut_ == CutSlabs::refuse) {
    return fail(
        bytes_->ends_early(bytes_->whole() + " ends before the slab '" + slab.name + "' does",
                           offset_ + slab.offset, layout.size, bytes.size()));
  }
  return Slab{&layout, offset_ + slab.offset, bytes, slab.name, placed_.arena.room(slab)};
}

Result<std::size_t> ArenaSlabs::read_behind(std::span<std::byte> into) {
  const std::vector<ArenaSlab>& slabs = placed_.arena.slabs;
  const std::uint64_t begin = end_;
  const std::uint64_t end =
      number_ < slabs.size() ? slabs[number_].offset : placed_.arena.bytes.value_or(max_slab_size);
  const std::uint64_t wanted = std::min<std::uint64_t>(end - std::min(begin, end), into.size());
  if (wanted == 0) return std::size_t{0};
  SLABSCOPE_TRY(hold(begin, wanted));
  const std::span<const std::byte> held = std::as_const(held_).bytes();
  const std::size_t count = std::min<std::size_t>(held.size(), wanted);
  std::copy_n(held.begin(), count, into.begin());
  end_ += count;
  return count;
}

// The bytes from `begin` on, as far as they are there; slabs may overlap.
Result<void> ArenaSlabs::hold(std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t passed = std::min<std::uint64_t>(begin - held_at_, held_.size());
  held_.drop_front(passed);
  held_at_ += passed;
  if (held_.size() == 0) {
    SLABSCOPE_TRY_ASSIGN(skipped, bytes_->source().skip(begin - held_at_));
    const bool is_there = skipped == begin - held_at_;
    held_at_ = begin;
    if (!is_there) return {};
  }
  // As much memory as there are bytes, whatever size was asked for.
  while (held_.size() < bytes) {
    const auto step = std::min<std::uint64_t>(bytes - held_.size(), std::uint64_t{1} << 20);
    const std::size_t before = held_.size();
    std::byte* const room = held_.extend(step);
    SLABSCOPE_TRY_ASSIGN(count, read_fully(bytes_->source(), std::span(room, step)));
    held_.resize_uninitialised(before + count);
    if (count < step) break;
  }
  return {};
}

Result<std::unique_ptr<SlabReader>> open_slabs(const DumpOptions& options, Host& host, Dump dump,
                                               std::optional<std::uint64_t> arena_bytes,
                                               CutSlabs cut) {
  if (options.arena) return ArenaSlabs::open(options, host, std::move(dump), arena_bytes, cut);
  if (options.layout.empty())
    return fail(ErrorCode::usage,
                "bytes do not name their layout: give --layout, or --arena for several");
  return DumpSlabs::open(options, host, std::move(dump), cut);
}

}  // namespace slabscope::app
