#include "dump_slabs.h"

#include <slabscope/layout/resolve_dump.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace slabscope::app {
namespace {

// Numbers of rows that do not go together have the option as their place.
Error with_option(Error failed, const DumpOptions& options, const Assignments& params) {
  if (!failed.file.empty() || !failed.pointer.empty()) return failed;
  const Assignment* const padded = find(params, "padded_rows");
  if (failed.code == ErrorCode::row_count && options.live.text)
    failed.pointer = options.live.option;
  if (failed.code == ErrorCode::padded_rows)
    failed.pointer = padded != nullptr ? padded->origin.pointer : options.live.option;
  if (!failed.pointer.empty() && !failed.pointer.starts_with('-')) failed.file = options.dump;
  return failed;
}

// Those that the dump says, and those that are given before them.
Result<Assignments> all_params(const DumpOptions& options) {
  SLABSCOPE_TRY_ASSIGN(given, parse_params(options.params));
  SLABSCOPE_TRY_ASSIGN(padded, parse_count(options.padded));
  Assignments params = options.said ? options.said->params : Assignments();
  for (const Assignment& each : given) assign(params, each);
  if (padded) assign(params, {"padded_rows", *padded, {{}, {}, "--padded", true}});
  return params;
}

Failure other_layout(const DumpOptions& options, const std::string& name) {
  Error made = error(ErrorCode::type_mismatch,
                     "the dump says that it holds another layout; --container raw takes all of it "
                     "as memory");
  made.file = options.dump;
  made.pointer = "--layout";
  return fail(std::move(made).with(printable(name, 60), options.said->layout));
}

}  // namespace

std::optional<std::string> DumpOptions::for_dumps_alone() const {
  for (const NumberOption* const each :
       {&live, &offset, &length, &count, &address, &base, &unit, &max_inflate})
    if (each->text) return each->option;
  for (const auto& [option, text] :
       {std::pair("--region", &region), std::pair("--tensor", &tensor)})
    if (*text) return option;
  return reinterpret ? std::optional<std::string>("--reinterpret") : std::nullopt;
}

Result<void> check_begin(const DumpOptions& options) {
  if (!options.address.text || !options.offset.text) return {};
  return fail(ErrorCode::usage, options.address.option + " says where the first slab begins, and " +
                                    options.offset.option + " is given too");
}

Result<DumpSlabs::Window> DumpSlabs::parse_window(const DumpOptions& options) {
  SLABSCOPE_TRY_ASSIGN(offset, parse_size(options.offset));
  SLABSCOPE_TRY_ASSIGN(length, parse_size(options.length));
  SLABSCOPE_TRY_ASSIGN(stride, parse_size(options.stride));
  SLABSCOPE_TRY_ASSIGN(count, parse_count(options.count));
  SLABSCOPE_TRY_ASSIGN(max_slab_bytes, parse_size(options.max_slab_bytes));
  SLABSCOPE_TRY(check_begin(options));
  for (const auto& [option, value] :
       {std::pair(&options.stride, stride), std::pair(&options.count, count)}) {
    if (value != std::uint64_t{0}) continue;
    Error made = error(ErrorCode::out_of_range, "this must not be zero").with("0", "1 or more");
    made.pointer = option->option;
    return fail(std::move(made));
  }
  return Window{offset.value_or(0), length, stride, count,
                max_slab_bytes.value_or(default_max_slab_bytes)};
}

Result<std::unique_ptr<DumpSlabs>> DumpSlabs::open(const DumpOptions& options, Host& host,
                                                   Dump dump, CutSlabs cut,
                                                   DescriptionPtr description) {
  if (options.layout == "-" && options.dump == "-")
    return fail(ErrorCode::usage, "the layout and the dump cannot both come from standard input");
  SLABSCOPE_TRY_ASSIGN(window, parse_window(options));
  std::unique_ptr<DumpSlabs> slabs(new DumpSlabs(options, window, host, cut));
  SLABSCOPE_TRY(slabs->prepare(std::move(dump), std::move(description)));
  return slabs;
}

// The layout of the options.
Result<DescriptionPtr> DumpSlabs::load() const {
  Result<DescriptionPtr> loaded = load_layout(options_.layout, "--layout", host_);
  if (loaded || !options_.said || options_.layout != options_.said->layout) return loaded;
  Error failed = std::move(loaded).error();
  failed.message = "the dump holds a layout that is not built in: give its file with -l";
  failed.file = options_.dump;
  failed.pointer = "slabscope.layout";
  return fail(std::move(failed));
}

Result<void> DumpSlabs::prepare(Dump dump, DescriptionPtr description) {
  SLABSCOPE_TRY_ASSIGN(params, all_params(options_));
  SLABSCOPE_TRY_ASSIGN(live, parse_count(options_.live));
  if (description == nullptr) {
    SLABSCOPE_TRY_ASSIGN(loaded, load());
    description = std::move(loaded);
  }
  if (options_.said && description->name != options_.said->layout)
    return other_layout(options_, description->name);
  if (const Assignment* const set = find(params, "padded_rows")) padded_rows_ = *set;
  SLABSCOPE_TRY(open_window(std::move(dump)));
  const bool is_unset = needs_window(*description, params, live.has_value());
  if (is_unset) SLABSCOPE_TRY(learn_available());
  if (is_unset && available_ && !window_.stride && window_.count &&
      *available_ % *window_.count != 0)
    return fail(
        at_window(error(ErrorCode::ragged_dump,
                        "the bytes are no " + counted(*window_.count, "slab") + " of one size")
                      .with(std::to_string(*available_) + " B", {})));
  Result<DumpLayout> resolved = resolve_dump(description, params, live, bytes_of_one());
  if (!resolved) return fail(with_option(std::move(resolved).error(), options_, params));
  layout_ = std::move(resolved->layout);
  if (!resolved->note.empty()) host_.note(options_.note_prefix + resolved->note);
  SLABSCOPE_TRY(check_size(layout_, window_.max_slab_bytes, {}));
  if (!options_.reinterpret) SLABSCOPE_TRY(check_types());
  return plan();
}

Result<std::optional<SlabReader::Slab>> DumpSlabs::next_behind(Buffer& into) {
  if (!count_ || number_ < *count_) {
    const std::uint64_t offset = window_.offset + number_ * stride_;
    const std::size_t begin = into.size();
    SLABSCOPE_TRY_ASSIGN(more, read_slab(offset, into));
    if (more) {
      ++number_;
      return Slab{&layout_, offset, std::as_const(into).bytes().subspan(begin)};
    }
  }
  SLABSCOPE_TRY(check_window_end());
  return std::nullopt;
}

Result<void> DumpSlabs::open_window(Dump dump) {
  SLABSCOPE_TRY_ASSIGN(bytes, DumpBytes::open(options_, host_, std::move(dump)));
  bytes_ = std::move(bytes);
  source_ = &bytes_->source();
  if (options_.address.text) window_.offset = bytes_->begin();
  SLABSCOPE_TRY_ASSIGN(skipped, source_->skip(window_.offset));
  if (skipped < window_.offset)
    return short_dump(skipped, "the offset is past the end of " + bytes_->whole(), skipped,
                      window_.offset);
  available_ = source_->remaining();
  if (window_.length) {
    if (!checked_add(window_.offset, *window_.length) ||
        (available_ && *available_ < *window_.length))
      return short_dump(window_.offset, bytes_->whole() + " ends inside the window",
                        available_.value_or(0), *window_.length);
    available_ = window_.length;
  }
  return {};
}

// Of a pipe the bytes are only known by reading them.
Result<void> DumpSlabs::learn_available() {
  if (available_) return {};
  for (;;) {
    constexpr std::size_t step = std::size_t{1} << 20;
    const std::size_t before = held_.size();
    std::byte* const room = held_.extend(step);
    SLABSCOPE_TRY_ASSIGN(count, source_->read(std::span(room, step)));
    held_.resize_uninitialised(before + count);
    if (count == 0) break;
    if (held_.size() > window_.max_slab_bytes)
      return fail(at_window(
          error(ErrorCode::slab_limit,
                "too many bytes to find a parameter from; set it with -D, or give --length")
              .with({}, "up to " + std::to_string(window_.max_slab_bytes) + " B")));
  }
  available_ = held_.size();
  held_source_ = std::make_unique<MemorySource>(std::as_const(held_).bytes());
  source_ = held_source_.get();
  return {};
}

// What an unset parameter is solved from.
std::optional<std::uint64_t> DumpSlabs::bytes_of_one() const {
  if (window_.stride) return window_.stride;
  if (window_.count && available_)
    return *available_ % *window_.count == 0 ? std::optional(*available_ / *window_.count)
                                             : std::nullopt;
  return available_;
}

Result<void> DumpSlabs::check_types() const {
  if (!window_.is_several()) return bytes_->check_types(layout_, window_.offset, 0, layout_.size);
  const std::uint64_t stride = window_.stride.value_or(layout_.size);
  const auto all = window_.count ? checked_multiply(*window_.count, stride) : available_;
  return bytes_->check_types(layout_, window_.offset, stride, all.value_or(unknown_bytes));
}

// How many slabs there are, and how far apart, as far as that is known before reading.
Result<void> DumpSlabs::plan() {
  stride_ = window_.stride.value_or(layout_.size);
  slab_bytes_ = std::min(layout_.size, stride_);
  if (layout_.size > stride_ && cut_ == CutSlabs::refuse) {
    Error made =
        error(ErrorCode::region_exceeded, refusal(*layout_.description, layout_.size, stride_));
    made.pointer = options_.stride.option;
    return fail(std::move(made));
  }
  if (window_.is_several() && stride_ == 0)
    return fail(at_window(
        error(ErrorCode::ragged_dump, "slabs of 0 B cannot be told apart").with("0 B", {})));
  count_ = window_.is_several() ? window_.count : std::optional<std::uint64_t>(1);
  if (!available_) return {};
  if (!count_) {
    if (*available_ % stride_ != 0)
      return ragged(*available_ % stride_, window_.offset + *available_ - *available_ % stride_);
    count_ = *available_ / stride_;
    if (*count_ == 0)
      return short_dump(window_.offset, bytes_->whole() + " holds no slab", 0, stride_);
  }
  // The first slab that is not there as a whole.
  const std::uint64_t whole = *available_ < slab_bytes_ ? 0
                              : stride_ == 0            ? 1
                                                        : (*available_ - slab_bytes_) / stride_ + 1;
  if (window_.length && !window_.is_several() && *available_ > slab_bytes_)
    host_.note(options_.note_prefix + std::to_string(*available_ - slab_bytes_) + " of the " +
               std::to_string(*available_) + " B of " + options_.length.option +
               " are behind the slab");
  if (whole >= *count_ || cut_ == CutSlabs::take) return {};
  const std::uint64_t have = *available_ - std::min(*available_, whole * stride_);
  return window_.length
             ? short_window(window_.offset + whole * stride_, have, slab_bytes_)
             : short_dump(window_.offset + whole * stride_,
                          bytes_->whole() + " ends before the slab does", have, slab_bytes_);
}

// A window that was stated must be there to its end, of a pipe as well as of a file.
Result<void> DumpSlabs::check_window_end() const {
  if (!window_.length || number_ == 0) return {};
  const std::uint64_t read = (number_ - 1) * stride_ + read_ + behind_;
  SLABSCOPE_TRY_ASSIGN(rest, source_->skip(*window_.length - std::min(*window_.length, read)));
  if (read + rest >= *window_.length) return {};
  return short_dump(window_.offset, bytes_->whole() + " ends inside the window", read + rest,
                    *window_.length);
}

// False where the dump ends in it and cut slabs are taken.
Result<bool> DumpSlabs::pass_rest_of_stride(std::uint64_t offset) {
  const std::uint64_t rest = stride_ - slab_bytes_;
  SLABSCOPE_TRY_ASSIGN(skipped, source_->skip(rest - behind_));
  const std::uint64_t passed = std::exchange(behind_, 0) + skipped;
  if (passed == rest) return true;
  if (!count_) return ragged(slab_bytes_ + passed, offset - stride_);
  if (cut_ == CutSlabs::take) return false;
  return short_dump(offset - stride_, bytes_->whole() + " ends inside the stride",
                    slab_bytes_ + passed, stride_);
}

Result<std::size_t> DumpSlabs::read_behind(std::span<std::byte> into) {
  const std::uint64_t slab = (number_ - 1) * stride_;  // its place in the window
  const std::uint64_t begin = slab + read_ + behind_;
  std::uint64_t end = slab + stride_;
  if (!window_.is_several()) end = std::numeric_limits<std::uint64_t>::max();
  if (window_.length && (number_ == count_ || *window_.length < end)) end = *window_.length;
  const std::uint64_t left = end - std::min(begin, end);
  SLABSCOPE_TRY_ASSIGN(
      count, read_fully(*source_, into.first(std::min<std::uint64_t>(left, into.size()))));
  behind_ += count;
  return count;
}

// False at the end of a stream of slabs whose number is not known.
Result<bool> DumpSlabs::read_slab(std::uint64_t offset, Buffer& into) {
  bool is_there = true;
  if (number_ != 0) {
    SLABSCOPE_TRY_ASSIGN(passed, pass_rest_of_stride(offset));
    is_there = passed;
  }
  std::uint64_t wanted = slab_bytes_;
  if (window_.length)
    wanted = std::min(wanted, *window_.length - std::min(*window_.length, number_ * stride_));
  read_ = 0;
  // As much memory as there are bytes, whatever size was asked for.
  while (is_there && read_ < wanted) {
    const auto step = (std::min<std::uint64_t>(wanted - read_, std::uint64_t{1} << 20));
    const std::size_t before = into.size();
    std::byte* const room = into.extend(step);
    SLABSCOPE_TRY_ASSIGN(count, read_fully(*source_, std::span(room, step)));
    into.resize_uninitialised(before + count);
    read_ += count;
    if (count < step) break;
  }
  if (read_ == slab_bytes_) return true;
  if (cut_ == CutSlabs::take && (count_ || number_ == 0)) {
    count_ = number_ + 1;  // and it is the last one
    return true;
  }
  if (count_)
    return short_dump(offset, bytes_->whole() + " ends before the slab does", read_, layout_.size);
  if (read_ == 0 && number_ != 0) return false;
  if (number_ == 0)
    return short_dump(offset, bytes_->whole() + " holds no whole slab", read_, stride_);
  return ragged(read_, offset);
}

Error DumpSlabs::at_window(Error failed) const {
  return bytes_->at(std::move(failed), window_.offset);
}
Failure DumpSlabs::short_window(std::uint64_t offset, std::uint64_t have,
                                std::uint64_t need) const {
  return fail(bytes_->at(
      error(ErrorCode::short_dump, "the window of " + options_.length.option +
                                       " ends before the slab does: needs " + std::to_string(need) +
                                       " B, have " + std::to_string(have) + " B"),
      offset));
}
Failure DumpSlabs::short_dump(std::uint64_t offset, const std::string& message, std::uint64_t have,
                              std::uint64_t need) const {
  return fail(bytes_->ends_early(message, offset, need, have));
}
Failure DumpSlabs::ragged(std::uint64_t rest, std::uint64_t offset) const {
  return fail(
      bytes_->at(error(ErrorCode::ragged_dump, bytes_->whole() + " is no whole number of strides")
                     .with(std::to_string(rest) + " B left over",
                           "multiples of " + std::to_string(stride_) + " B"),
                 offset));
}

}  // namespace slabscope::app
