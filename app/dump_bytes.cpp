#include "dump_bytes.h"

#include "meant_region.h"
#include "progress.h"
#include "region_type.h"

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace slabscope::app {
namespace {

constexpr std::string_view raw_name = "raw";

// Raw bytes of a pipe, which are read once and from front to back.
class RawStream final : public Container {
 public:
  explicit RawStream(std::optional<std::uint64_t> base)
      : region_{{}, "raw", base, unknown_bytes, 0, {}} {}
  std::string_view name() const noexcept override { return raw_name; }
  std::span<const Region> regions() const noexcept override { return {&region_, 1}; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t /*region*/) override {
    return fail(ErrorCode::read_failed, "a pipe is read from front to back");
  }

 private:
  Region region_;
};

// What fails to be read is told with the dump's name.
class NamedSource final : public Source {
 public:
  NamedSource(std::unique_ptr<Source> source, std::string path)
      : source_(std::move(source)), path_(std::move(path)) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    return named(source_->read(into));
  }
  Result<std::uint64_t> skip(std::uint64_t bytes) override { return named(source_->skip(bytes)); }
  std::optional<std::uint64_t> remaining() const override { return source_->remaining(); }

 private:
  template <class T>
  Result<T> named(Result<T> outcome) const {
    if (!outcome && outcome.error().file.empty()) outcome.error().file = path_;
    return outcome;
  }

  std::unique_ptr<Source> source_;
  std::string path_;
};

Result<ContainerHints> container_hints(const RegionOptions& options) {
  ContainerHints hints;
  SLABSCOPE_TRY_ASSIGN(base, parse_count(options.base));
  SLABSCOPE_TRY_ASSIGN(unit, parse_count(options.unit));
  SLABSCOPE_TRY_ASSIGN(max_inflate, parse_size(options.max_inflate));
  hints.base = base;
  if (unit && *unit != 1 && *unit != 2 && *unit != 4 && *unit != 8) {
    Error made = error(ErrorCode::out_of_range, "numbers in text are of 1, 2, 4 or 8 bytes");
    made.pointer = options.unit.option;
    return fail(std::move(made).with(std::to_string(*unit), "1, 2, 4, 8"));
  }
  if (unit) hints.unit = static_cast<unsigned>(*unit);
  if (max_inflate) hints.limits.max_inflate = *max_inflate;
  return hints;
}

Error in_file(Error failed, const std::string& path) {
  if (failed.code == ErrorCode::unknown_container) failed.pointer = "--container";
  // What an option says is in no file; a place in the file is.
  if (failed.file.empty() && !failed.pointer.starts_with("--")) failed.file = path;
  return failed;
}

// All of a pipe that begins with `first`, in memory.
Result<std::shared_ptr<RandomAccess>> hold(Source& source, std::string_view kind) {
  Buffer held;
  for (;;) {
    constexpr std::size_t step = std::size_t{1} << 20;
    const std::size_t before = held.size();
    std::byte* const room = held.extend(step);
    SLABSCOPE_TRY_ASSIGN(count, source.read(std::span(room, step)));
    held.resize_uninitialised(before + count);
    if (count == 0) return std::make_shared<HeldAccess>(std::move(held));
    if (held.size() > max_held_pipe)
      return fail(error(ErrorCode::limit_exceeded, "a pipe of the container '" + std::string(kind) +
                                                       "' is held in memory, and this one is "
                                                       "longer: save it to a file; "
                                                       "--container raw if it is memory")
                      .with({}, "up to " + std::to_string(max_held_pipe) + " B"));
  }
}

bool has_addresses(const Container& container) {
  const auto regions = container.regions();
  return std::any_of(regions.begin(), regions.end(),
                     [](const Region& each) { return each.address.has_value(); });
}

// Are there several regions with types, as where each field of a slab is a tensor?
bool has_tensors(const Container& container) {
  const auto regions = container.regions();
  return std::count_if(regions.begin(), regions.end(),
                       [](const Region& each) { return each.type && !each.must_be_named; }) > 1;
}

// The region that is meant, or nothing where an address says it.
Result<std::optional<std::size_t>> choose_region(const RegionOptions& options,
                                                 const Container& container) {
  if (options.region && options.tensor)
    return fail(ErrorCode::usage, "--region and --tensor both name a region");
  const bool is_typed = options.tensor.has_value();
  const std::optional<std::string>& name = is_typed ? options.tensor : options.region;
  Result<std::size_t> meant = meant_region(container, name, is_typed);
  if (meant) return *meant;
  Error failed = std::move(meant).error();
  if (name) {
    failed.pointer = is_typed ? "--tensor" : "--region";
    return fail(std::move(failed));
  }
  if (options.address.text && (!options.base.text || has_addresses(container))) return std::nullopt;
  if (!container.regions().empty()) failed.message += ": name one with --region, or give --address";
  if (!container.remark().empty()) failed.message += ": " + std::string(container.remark());
  if (options.offers_tensors && has_tensors(container))
    failed.message += "; --tensors makes one slab of those that are its fields";
  failed.file = options.dump;
  return fail(std::move(failed));
}

// What --base says of a region whose container leaves it open.
Result<std::optional<RegionBase>> region_base(const RegionOptions& options,
                                              const Container& container,
                                              std::optional<std::size_t> region) {
  SLABSCOPE_TRY_ASSIGN(base, stated_base(options, container));
  if (!base) return std::nullopt;
  if (!region || container.regions()[*region].address) return std::nullopt;
  if (container.regions()[*region].is_reordered) {
    const bool is_named = options.region || options.tensor;
    if (!is_named && options.address.text && has_addresses(container)) return std::nullopt;
    Error made =
        error(ErrorCode::usage,
              "the elements of '" + printable(container.regions()[*region].name, 60) +
                  "' do not lie in memory in the order in which they are read (Fortran "
                  "order, strides or big-endian), so they have no addresses from a base on");
    made.pointer = options.base.option;
    return fail(std::move(made).with(hex_text(*base), {}));
  }
  return RegionBase{*region, *base};
}

// A pipe whose first bytes, or --container, say that it is more than raw bytes is held in memory;
// other dumps are as they were.
Result<DumpFile> hold_pipe(const RegionOptions& options, Host& host, DumpFile file) {
  if (file.stream == nullptr) return file;
  if (options.shows_progress) file.stream = watched(std::move(file.stream), host);
  std::string kind = options.container.value_or("");
  if (!options.container) {
    Buffer first(container_magic_bytes);
    SLABSCOPE_TRY_ASSIGN(count, read_fully(*file.stream, first.bytes()));
    first.resize_uninitialised(count);
    kind = recognise(std::as_const(first).bytes(), unknown_bytes).name;
    file.stream = std::make_unique<PeekedSource>(std::move(file.stream), std::move(first));
  }
  if (kind == raw_name) return file;
  SLABSCOPE_TRY_ASSIGN(held, hold(*file.stream, printable(kind, 40)));
  return DumpFile{std::move(held), nullptr};
}

bool is_known_by_few_bytes(RandomAccess& file) {
  const auto kind = recognise(file);
  return kind && (*kind)->is_known_by_few_bytes;
}

Result<Dump> open_file(const RegionOptions& options, const ContainerHints& hints, Host& host,
                       DumpFile file) {
  SLABSCOPE_TRY_ASSIGN(held, hold_pipe(options, host, std::move(file)));
  if (held.stream != nullptr) {
    auto raw = std::make_shared<RawStream>(hints.base);
    return Dump{std::move(held), std::move(raw)};
  }
  auto container = open_container(held.access, options.container, hints);
  if (container) return Dump{{}, *std::move(container)};
  Error failed = std::move(container).error();
  const bool may_be_memory =
      failed.code == ErrorCode::bad_container || failed.code == ErrorCode::limit_exceeded;
  if (may_be_memory && options.takes_container && !options.container &&
      is_known_by_few_bytes(*held.access))
    failed.message +=
        std::string(failed.message.ends_with('?') ? " " : "; ") + "--container raw if it is memory";
  return fail(std::move(failed));
}

}  // namespace

Result<std::optional<std::uint64_t>> stated_base(const RegionOptions& options,
                                                 const Container& container) {
  SLABSCOPE_TRY_ASSIGN(base, parse_count(options.base));
  if (!base || !container.says_addresses()) return base;
  Error made = error(ErrorCode::usage, "the dump says its addresses itself");
  made.pointer = options.base.option;
  return fail(std::move(made).with(hex_text(*base), {}));
}

Result<Dump> open_dump(const RegionOptions& options, Host& host, Dump dump) {
  if (dump.container != nullptr) return dump;
  SLABSCOPE_TRY_ASSIGN(hints, container_hints(options));
  if (!dump.file.is_open()) {
    SLABSCOPE_TRY_ASSIGN(file, host.open_dump(options.dump));
    dump.file = std::move(file);
  }
  auto opened = open_file(options, hints, host, std::move(dump.file));
  if (opened) return opened;
  return fail(in_file(std::move(opened).error(), options.dump));
}

Result<DumpBytes> DumpBytes::open(const RegionOptions& options, Host& host, Dump given) {
  SLABSCOPE_TRY_ASSIGN(address, parse_count(options.address));
  SLABSCOPE_TRY_ASSIGN(dump, open_dump(options, host, std::move(given)));
  SLABSCOPE_TRY_ASSIGN(region, choose_region(options, *dump.container));
  SLABSCOPE_TRY_ASSIGN(base, region_base(options, *dump.container, region));
  DumpBytes made(options.dump, dump.container, AddressSpace(dump.container, base));
  if (address) {
    const bool is_one_region = options.region || options.tensor;
    Result<RegionPlace> place =
        made.space_.find(*address, is_one_region ? region : std::optional<std::size_t>());
    if (!place) {
      Error failed = std::move(place).error();
      failed.file = options.dump;
      if (!base && !has_addresses(*dump.container) && dump.container->regions().size() == 1)
        failed.message += "; --base gives that of its first byte";
      return fail(std::move(failed));
    }
    made.region_ = place->region;
    made.begin_ = place->offset;
    if (!is_one_region && dump.file.stream == nullptr) made.run_ = made.space_.run(place->region);
  } else {
    made.region_ = *region;
  }
  if (const std::string_view passed = dump.container->passed_over(); !passed.empty())
    host.note(options.note_prefix + std::string(passed));
  if (dump.file.stream != nullptr) {
    made.source_ = std::move(dump.file.stream);
    return made;
  }
  std::shared_ptr<RandomAccess> bytes = made.run_;
  if (bytes == nullptr) {
    auto opened = dump.container->open(made.region_);
    if (!opened) return fail(in_file(std::move(opened).error(), options.dump));
    bytes = *std::move(opened);
  }
  made.source_ = std::make_unique<NamedSource>(
      std::make_unique<WindowSource>(std::move(bytes), 0, unknown_bytes), options.dump);
  if (options.shows_progress) made.source_ = watched(std::move(made.source_), host);
  return made;
}

RegionPlace DumpBytes::locate(std::uint64_t offset) const noexcept {
  return run_ != nullptr ? run_->locate(offset) : RegionPlace{region_, offset};
}

Result<void> DumpBytes::check_types(const Layout& layout, std::uint64_t offset,
                                    std::uint64_t stride, std::uint64_t bytes) const {
  if (run_ == nullptr) {
    if (!region(region_).type) return {};
    Result<void> fits = check_region_type(*region(region_).type, layout, offset, stride);
    return fits ? Result<void>() : fail(at(std::move(fits).error(), offset));
  }
  // To know where the run ends may cost all that comes out of a compressed file.
  const auto regions = container_->regions();
  if (std::ranges::none_of(regions, [](const Region& each) { return each.type.has_value(); }))
    return {};
  // All regions in which there are bytes of the slabs.
  const std::uint64_t start = *space_.address(region_);
  const std::uint64_t begin = start + offset;
  const std::uint64_t end = begin + std::min(bytes, run_->end() - std::min(begin, run_->end()));
  for (std::size_t index = 0; index < regions.size(); ++index) {
    const Region& each = regions[index];
    const auto address = space_.address(index);
    if (!each.type || !address || *address >= end) continue;
    if (begin >= *address && begin - *address >= each.bytes) continue;
    const std::uint64_t first = std::max(begin, *address);  // byte in the region
    Result<void> fits = check_region_type(
        *each.type, layout, std::max(begin, *address) - std::min(begin, *address), stride);
    if (!fits) return fail(at(std::move(fits).error(), first - start));
  }
  return {};
}

std::optional<std::uint64_t> DumpBytes::address(std::uint64_t offset) const noexcept {
  const auto begin = space_.address(region_);
  return begin ? checked_add(*begin, offset) : std::nullopt;
}

std::optional<std::uint64_t> DumpBytes::file_offset(std::uint64_t offset) const noexcept {
  const RegionPlace place = locate(offset);
  const auto& begin = region(place.region).file_offset;
  return begin ? checked_add(*begin, place.offset) : std::nullopt;
}

SlabSource DumpBytes::place(std::uint64_t offset, std::uint64_t bytes,
                            std::string_view slab) const {
  const RegionPlace place = locate(offset);
  const std::string& in = name(place.region);
  SlabSource made;
  made.file = path_;
  made.container = container_->name();
  made.region = in.empty() ? slab : in;
  if (!in.empty()) made.slab = slab;
  made.offset = place.offset;
  if (made.container != raw_name) made.file_offset = file_offset(offset);
  made.address = address(offset);
  made.bytes = bytes;
  return made;
}

std::string DumpBytes::whole() const {
  const std::string& in = name(region_);
  return in.empty() ? "the dump" : "region '" + printable(in) + "'";
}

Error DumpBytes::at(Error failed, std::uint64_t offset) const {
  if (!failed.file.empty()) return failed;
  failed.file = path_;
  const RegionPlace place = locate(offset);
  const std::string& in = name(place.region);
  failed.offset = file_offset(offset);
  if (failed.offset) return failed;
  failed.message += " (at " + hex_text(place.offset) + " of ";
  failed.message += in.empty() ? "what comes out of it)" : "'" + printable(in) + "')";
  return failed;
}

Error DumpBytes::ends_early(std::string message, std::uint64_t offset, std::uint64_t need,
                            std::uint64_t have) const {
  Error made = error(ErrorCode::short_dump, std::move(message));
  if (run_ != nullptr) made.code = ErrorCode::address_outside;
  made.message += ": needs " + std::to_string(need) + " B, have " + std::to_string(have) + " B";
  const std::uint64_t end = run_ != nullptr ? run_->size() : 0;
  const std::size_t last = end != 0 ? run_->locate(end - 1).region : region_;
  if (const std::uint64_t missing = region(last).missing; missing != 0) {
    made.message += "; the file lacks the last " + counted(missing, "byte") + " of the region";
    if (run_ != nullptr) made.message += ", from " + hex_text(run_->end()) + " on";
  } else if (run_ != nullptr) {
    const auto next = run_->next();
    made.message += "; no region holds " + hex_text(run_->end()) +
                    (next ? ".." + hex_text(next->begin) : " and what is behind it");
  }
  return at(std::move(made), offset);
}

}  // namespace slabscope::app
