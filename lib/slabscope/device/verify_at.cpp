#include <slabscope/device/verify_at.h>

#include <slabscope/device/round_trip.h>
#include <slabscope/layout/resolve_dump.h>

namespace slabscope {

Result<VerifyReport> verify_at(DeviceOperations& device, std::uint64_t device_pointer,
                               const DescriptionPtr& layout, const Assignments& params,
                               std::optional<std::span<const std::byte>> slab) {
  SLABSCOPE_TRY_ASSIGN(resolved, resolve_dump(layout, params, std::nullopt, std::nullopt));
  const auto shared = std::make_shared<const Layout>(std::move(resolved.layout));
  SLABSCOPE_TRY(check_size(*shared, default_max_slab_bytes, {}));
  if (slab && slab->size() > shared->size)
    return fail(
        error(ErrorCode::out_of_range, "more bytes are given than the slab of the layout '" +
                                           shared->description->name + "' has at these parameters")
            .with(std::to_string(slab->size()), std::to_string(shared->size)));
  RoundTrip trip(device, {});
  SLABSCOPE_TRY(trip.open());
  Buffer there;
  if (!slab) {
    SLABSCOPE_TRY(trip.check_address(device_pointer, *shared));
    there.resize_uninitialised(shared->size);
    if (shared->size != 0)
      SLABSCOPE_TRY(outcome_of(device.download(there.data(), device_pointer, shared->size),
                               bytes_text(shared->size)));
    slab = there.bytes();
  }
  SLABSCOPE_TRY(trip.add_at(device_pointer, {shared, *slab, nullptr, nullptr}));
  return trip.finish();
}

}  // namespace slabscope
