#include <slabscope/device/host_operations.h>

#include <slabscope/base/checked.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <thread>
#include <vector>

namespace slabscope {
namespace {

using KernelBody = void (*)(const KernelArguments&, std::uint64_t thread, std::uint64_t threads);

constexpr std::uint64_t memory_alignment = 256;

// NOLINTNEXTLINE(performance-no-int-to-ptr): an address of ours.
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// Its failure is not that of a device, but of this machine.
void* take(std::uint64_t bytes) {
  const auto whole = checked_align_up(bytes, memory_alignment);
  void* const memory = whole ? std::aligned_alloc(memory_alignment, *whole) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// At least two, so that no thread has all elements.
unsigned thread_count() { return std::clamp(std::thread::hardware_concurrency(), 2U, 8U); }

// False where there is no thread to be had, or no memory for one.
bool start(std::vector<std::thread>& threads, KernelBody body, const KernelArguments& arguments,
           unsigned number, unsigned count) {
  try {
    threads.emplace_back(body, std::cref(arguments), number, count);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void launch(KernelBody body, const KernelArguments& arguments) {
  const unsigned count = thread_count();
  std::vector<std::thread> threads;
  threads.reserve(count);
  unsigned started = 1;
  while (started < count && start(threads, body, arguments, started, count)) ++started;
  body(arguments, 0, count);
  for (unsigned number = started; number < count; ++number) body(arguments, number, count);
  for (std::thread& each : threads) each.join();
}

}  // namespace

DeviceStatus HostOperations::open(DeviceDescription& description) {
  if constexpr (std::endian::native != std::endian::little)
    return {ENODEV, "open", "slabs are little-endian and this machine is not", true};
  description = {"host", "host threads", {}, {}, {}};
  return {};
}

DeviceStatus HostOperations::allocate(std::uint64_t bytes, std::uint64_t& address) {
  address = reinterpret_cast<std::uint64_t>(take(bytes));
  return {};
}

DeviceStatus HostOperations::release(std::uint64_t address) {
  std::free(pointer_to(address));
  return {};
}

DeviceStatus HostOperations::allocate_staging(std::uint64_t bytes, void*& memory) {
  memory = take(bytes);
  return {};
}

DeviceStatus HostOperations::release_staging(void* memory) {
  std::free(memory);
  return {};
}

DeviceStatus HostOperations::fill(std::uint64_t address, unsigned char value, std::uint64_t bytes) {
  std::memset(pointer_to(address), value, bytes);
  return {};
}

DeviceStatus HostOperations::upload(std::uint64_t to, const void* from, std::uint64_t bytes) {
  std::memcpy(pointer_to(to), from, bytes);
  return {};
}

DeviceStatus HostOperations::download(void* to, std::uint64_t from, std::uint64_t bytes) {
  std::memcpy(to, pointer_to(from), bytes);
  return {};
}

DeviceStatus HostOperations::launch_read(const KernelArguments& arguments) {
  launch(read_elements, arguments);
  return {};
}

DeviceStatus HostOperations::launch_pack(const KernelArguments& arguments) {
  launch(pack_elements, arguments);
  return {};
}

DeviceStatus HostOperations::synchronize() { return {}; }

}  // namespace slabscope
