#include <slabscope/device/verify_at.h>

#include <slabscope/device/round_trip.h>
#include <slabscope/layout/resolve_dump.h>

namespace slabscope {

Result<VerifyReport> verify_at(DeviceOperations& device, std::uint64_t device_pointer,
                               const DescriptionPtr& layout, const Assignments& params,
                               std::span<const std::byte> slab) {
  SLABSCOPE_TRY_ASSIGN(resolved, resolve_dump(layout, params, std::nullopt, std::nullopt));
  const auto shared = std::make_shared<const Layout>(std::move(resolved.layout));
  SLABSCOPE_TRY(check_size(*shared, default_max_slab_bytes, {}));
  RoundTrip trip(device, {});
  SLABSCOPE_TRY(trip.open());
  Buffer there;
  if (slab.empty() && shared->size != 0) {
    SLABSCOPE_TRY(trip.check_address(device_pointer, *shared));
    there.resize_uninitialised(shared->size);
    SLABSCOPE_TRY(check(device.download(there.data(), device_pointer, shared->size),
                        bytes_text(shared->size)));
    slab = there.bytes();
  }
  SLABSCOPE_TRY(trip.add_at(device_pointer, {shared, slab, nullptr, nullptr}));
  return trip.finish();
}

}  // namespace slabscope
