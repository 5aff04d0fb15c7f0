#include <slabscope/device/round_trip.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace slabscope {
namespace {

constexpr std::array poisons = {std::byte{0xCD}, std::byte{0x32}};
static_assert((poisons[0] ^ poisons[1]) == std::byte{0xFF});

// Of what is in memory, which does not wrap.
std::uint64_t align_up(std::uint64_t value, std::uint64_t unit) {
  return *checked_align_up(value, unit);
}

void fill(std::byte* to, std::byte value, std::uint64_t bytes) {
  if (bytes != 0) std::memset(to, std::to_integer<int>(value), bytes);
}

void copy(std::byte* to, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

MemorySpan moved(const MemorySpan& place, std::uint64_t base) {
  return {base + place.address, place.bytes};
}

Failure bad_base(std::uint64_t base, const Layout& layout) {
  return fail(
      error(ErrorCode::misaligned, "the base is no multiple of the alignment that the layout '" +
                                       layout.description->name + "' requires")
          .with(std::to_string(base), "multiples of " + std::to_string(layout.align)));
}

}  // namespace

Result<void> check_most_base_offset(std::uint64_t base_offset) {
  if (base_offset <= max_base_offset) return {};
  return fail(error(ErrorCode::out_of_range, "the base offset is larger than any that is tried")
                  .with(std::to_string(base_offset), "up to " + std::to_string(max_base_offset)));
}

Result<void> check_repeat(std::uint64_t repeat) {
  if (repeat != 0 && repeat <= max_repeat) return {};
  return fail(error(ErrorCode::out_of_range, "everything is done once or more, up to a limit")
                  .with(std::to_string(repeat), "1.." + std::to_string(max_repeat)));
}

Result<void> RoundTrip::open() {
  SLABSCOPE_TRY(check_most_base_offset(options_.base_offset));
  SLABSCOPE_TRY(check_repeat(options_.repeat));
  return outcome_of(device_.open(report_.device), {});
}

Result<void> RoundTrip::check_injection(const Layout& layout) const {
  if (!options_.inject || report_.slabs != 0) return {};
  const ResolvedField* const field = layout.find_field(options_.inject->field);
  if (field == nullptr)
    return fail(
        error(ErrorCode::unknown_name,
              "the layout '" + layout.description->name + "' has no such field")
            .with(printable(options_.inject->field, 80), layout.description->field_names()));
  const std::uint64_t elements = field->bytes / field->element_bytes();
  if (options_.inject->element < elements) return {};
  return fail(
      error(ErrorCode::out_of_range,
            "the field '" + field->name() + "' of the first slab has no such element")
          .with(std::to_string(options_.inject->element),
                elements == 0 ? "none: it is empty" : "0.." + std::to_string(elements - 1)));
}

Result<void> RoundTrip::take(const SlabInput& input) {
  SLABSCOPE_TRY(batch_.add(input, report_.slabs));
  SLABSCOPE_TRY(check_injection(*input.layout));
  ++report_.slabs;
  report_.bytes += input.layout->size;
  for (const ResolvedField& field : input.layout->fields) {
    auto known = std::find_if(report_.elements.begin(), report_.elements.end(),
                              [&](const auto& each) { return each.first == field.name(); });
    if (known == report_.elements.end()) known = report_.elements.insert(known, {field.name(), 0});
    known->second += field.bytes / field.element_bytes();
  }
  return {};
}

Result<void> RoundTrip::check_base_offset(const Layout& layout) const {
  if (options_.base_offset % std::max<std::uint64_t>(layout.align, 1) == 0) return {};
  return bad_base(options_.base_offset, layout);
}

Result<void> RoundTrip::add(const SlabInput& input) {
  SLABSCOPE_TRY(check_base_offset(*input.layout));
  const bool is_full = batch_.slabs().size() >= options_.batch_slabs ||
                       batch_.image_bytes() + input.layout->size > options_.batch_bytes;
  if (is_full && !batch_.slabs().empty()) SLABSCOPE_TRY(run_batch({}));
  return take(input);
}

Result<void> RoundTrip::check_address(std::uint64_t address, const Layout& layout) {
  if (address % std::max<std::uint64_t>(layout.align, 1) != 0) return bad_base(address, layout);
  if (address != 0 && checked_add(address, layout.size)) return {};
  return fail(error(ErrorCode::out_of_range, "there is no slab at this address")
                  .with(std::to_string(address), {}));
}

Result<void> RoundTrip::add_at(std::uint64_t address, const SlabInput& input) {
  SLABSCOPE_TRY(check_address(address, *input.layout));
  if (!batch_.slabs().empty()) SLABSCOPE_TRY(run_batch({}));
  SLABSCOPE_TRY(take(input));
  return run_batch(address);
}

Result<VerifyReport> RoundTrip::finish() {
  if (!batch_.slabs().empty()) SLABSCOPE_TRY(run_batch({}));
  SLABSCOPE_TRY(memory_.give_up());
  SLABSCOPE_TRY(staging_.give_up());
  return std::move(report_);
}

// No sum here can wrap: all of it is a few times what is in memory.
RoundTrip::Places RoundTrip::place(const DeviceBatch::Tables& tables, bool with_slabs) const {
  Places places;
  const std::uint64_t unit = batch_.align();
  places.lead = align_up(red_zone_bytes, unit);
  const auto next = [&](std::uint64_t bytes, std::uint64_t align, std::uint64_t offset) {
    const std::uint64_t address = align_up(places.bytes, align) + offset;
    places.bytes = address + bytes;
    return MemorySpan{address, bytes};
  };
  const std::uint64_t views = batch_.view_count() * sizeof(DeviceView);
  const std::uint64_t image = places.lead + batch_.image_bytes() + red_zone_bytes;
  places.runs = next(tables.runs.size() * sizeof(FieldRun), slab_spacing, 0);
  places.views = next(views, slab_spacing, 0);
  places.columns = next(batch_.columns().size(), slab_spacing, 0);
  places.slabs = next(with_slabs ? image : 0, unit, options_.base_offset);
  places.packed = next(image, unit, options_.base_offset);
  places.upload_end = places.bytes;
  places.results = next(batch_.columns().size(), slab_spacing, 0);
  places.views_read = next(views, slab_spacing, 0);
  return places;
}

void RoundTrip::stage_images(const Places& places, std::byte poison) const {
  std::byte* const slabs = staging_.start() + places.slabs.address;
  std::byte* const packed = staging_.start() + places.packed.address;
  fill(slabs, red_zone_byte, places.slabs.bytes);
  fill(packed, red_zone_byte, places.packed.bytes);
  for (const DeviceSlab& each : batch_.slabs()) {
    const std::uint64_t at = places.lead + each.offset;
    if (places.slabs.bytes != 0) copy(slabs + at, batch_.bytes_of(each).data(), each.layout->size);
    fill(packed + at, poison, each.layout->size);
  }
}

Result<RoundTrip::Placed> RoundTrip::prepare(const DeviceBatch::Tables& tables,
                                             std::optional<std::uint64_t> slabs_at) {
  Placed made;
  made.places = place(tables, !slabs_at);
  const Places& places = made.places;
  SLABSCOPE_TRY(memory_.reserve(device_, places.bytes + batch_.align()));
  SLABSCOPE_TRY(staging_.reserve(device_, places.bytes));
  made.base = align_up(memory_.start(), batch_.align());
  made.slabs_address = slabs_at.value_or(made.base + places.slabs.address + places.lead);
  made.inject = options_.inject && !slabs_at && batch_.slabs().front().number == 0;
  SLABSCOPE_TRY_ASSIGN(views, batch_.views(made.slabs_address));
  made.views = std::move(views);
  if (slabs_at) made.callers_slab.emplace(batch_.image_bytes());

  KernelArguments& arguments = made.arguments;
  arguments.runs = moved(places.runs, made.base);
  arguments.views = moved(places.views, made.base);
  arguments.columns = moved(places.columns, made.base);
  arguments.slabs = {made.slabs_address, batch_.image_bytes()};
  arguments.packed = {made.base + places.packed.address + places.lead, batch_.image_bytes()};
  arguments.results = moved(places.results, made.base);
  arguments.views_read = moved(places.views_read, made.base);
  arguments.run_count = tables.runs.size();
  arguments.view_count = made.views.size();
  arguments.field_elements = tables.field_elements;
  arguments.all_elements = tables.all_elements;

  std::byte* const staging = staging_.start();
  fill(staging, std::byte{0}, places.upload_end);
  copy(staging + places.runs.address, tables.runs.data(), places.runs.bytes);
  copy(staging + places.views.address, made.views.data(), places.views.bytes);
  copy(staging + places.columns.address, batch_.columns().data(), places.columns.bytes);
  return made;
}

Result<void> RoundTrip::run_batch(std::optional<std::uint64_t> slabs_at) {
  if (failed_) return fail(*failed_);
  Result<void> outcome = run_passes(slabs_at);
  if (!outcome) failed_ = outcome.error();
  return outcome;
}

Result<void> RoundTrip::run_passes(std::optional<std::uint64_t> slabs_at) {
  const DeviceBatch::Tables tables = batch_.tables();
  SLABSCOPE_TRY_ASSIGN(placed, prepare(tables, slabs_at));
  Comparison comparison(batch_, tables, options_.kept_mismatches, report_);
  for (std::uint64_t times = 1; times <= options_.repeat; ++times) {
    for (const std::byte poison : poisons) SLABSCOPE_TRY(run_pass(placed, poison, comparison));
    if (options_.progress) options_.progress(report_.slabs, times);
  }
  if (options_.time_plain_copies) SLABSCOPE_TRY(time_plain_copies(placed.places, placed.base));
  batch_.clear();
  return {};
}

Result<void> RoundTrip::run_pass(Placed& placed, std::byte poison, Comparison& comparison) {
  const Places& places = placed.places;
  std::byte* const staging = staging_.start();
  const std::uint64_t back_from = places.slabs.address;
  const std::uint64_t back_bytes = places.bytes - back_from;
  stage_images(places, poison);
  SLABSCOPE_TRY(poison_memory(placed.base + back_from, poison, back_bytes));
  SLABSCOPE_TRY(timed(report_.timings.upload, places.upload_end,
                      [&] { return device_.upload(placed.base, staging, places.upload_end); }));
  if (placed.inject) SLABSCOPE_TRY(inject(placed.slabs_address));
  SLABSCOPE_TRY(launch(placed.arguments));
  // What does not come back must not look as if it had.
  fill(staging + back_from, ~poison, back_bytes);
  SLABSCOPE_TRY(timed(report_.timings.download, back_bytes, [&] {
    return device_.download(staging + back_from, placed.base + back_from, back_bytes);
  }));
  if (!placed.views.empty())
    std::memcpy(placed.views.data(), staging + places.views_read.address, places.views_read.bytes);
  SLABSCOPE_TRY(download_callers(placed));
  const auto part = [&](const MemorySpan& place) {
    return std::span<const std::byte>(staging + place.address, place.bytes);
  };
  const bool is_callers = placed.callers_slab.has_value();
  comparison.compare({is_callers ? std::as_const(*placed.callers_slab).bytes() : part(places.slabs),
                      part(places.packed), places.lead, is_callers, part(places.results),
                      placed.views, placed.slabs_address, poison});
  return {};
}

Result<void> RoundTrip::download_callers(Placed& placed) {
  if (!placed.callers_slab || placed.callers_slab->size() == 0) return {};
  const std::uint64_t bytes = placed.callers_slab->size();
  return outcome_of(device_.download(placed.callers_slab->data(), placed.slabs_address, bytes),
                    bytes_text(bytes));
}

// Done when it returns, so that no other step waits for it and is blamed for its errors or time.
Result<void> RoundTrip::poison_memory(std::uint64_t address, std::byte poison,
                                      std::uint64_t bytes) {
  SLABSCOPE_TRY(outcome_of(device_.fill(address, std::to_integer<unsigned char>(poison), bytes),
                           bytes_text(bytes)));
  return outcome_of(device_.synchronize(), bytes_text(bytes));
}

Result<void> RoundTrip::launch(const KernelArguments& arguments) {
  const std::uint64_t bytes = batch_.slab_bytes();
  const auto then_wait = [&](DeviceStatus started) {
    return started.is_done() ? device_.synchronize() : std::move(started);
  };
  SLABSCOPE_TRY(timed(report_.timings.read, bytes,
                      [&] { return then_wait(device_.launch_read(arguments)); }));
  return timed(report_.timings.pack, bytes,
               [&] { return then_wait(device_.launch_pack(arguments)); });
}

Result<void> RoundTrip::inject(std::uint64_t slabs_address) {
  const DeviceSlab& slab = batch_.slabs().front();
  const ResolvedField& field = *slab.layout->find_field(options_.inject->field);
  const std::uint64_t offset = field.offset + options_.inject->element * field.element_bytes();
  const std::byte flipped = ~batch_.bytes_of(slab)[offset];
  return outcome_of(device_.upload(slabs_address + slab.offset + offset, &flipped, 1),
                    bytes_text(1));
}

// As often as in the passes, and behind them: between memory that has been touched.
Result<void> RoundTrip::time_plain_copies(const Places& places, std::uint64_t base) {
  Buffer ordinary(std::max(places.upload_end, places.bytes - places.slabs.address));
  fill(ordinary.data(), std::byte{0}, ordinary.size());
  const std::uint64_t back_bytes = places.bytes - places.slabs.address;
  for (std::uint64_t pass = 0; pass < options_.repeat * poisons.size(); ++pass) {
    SLABSCOPE_TRY(timed(report_.timings.plain_upload, places.upload_end,
                        [&] { return device_.upload(base, ordinary.data(), places.upload_end); }));
    SLABSCOPE_TRY(timed(report_.timings.plain_download, back_bytes, [&] {
      return device_.download(ordinary.data(), base + places.slabs.address, back_bytes);
    }));
  }
  return {};
}

Result<void> RoundTrip::timed(Rate& rate, std::uint64_t bytes,
                              const std::function<DeviceStatus()>& operation) {
  const auto begin = std::chrono::steady_clock::now();
  const DeviceStatus status = operation();
  SLABSCOPE_TRY(outcome_of(status, bytes_text(bytes)));
  rate.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rate.bytes += bytes;
  return {};
}

}  // namespace slabscope
