// Devices for tests: the host's, with calls counted, failing or tampered with.
#pragma once

#include <slabscope/device/host_operations.h>

#include <cstdint>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace slabscope::tests {

class TestDevice final : public DeviceOperations {
 public:
  std::uint64_t fail_at = 0;  // the number of the call that fails, from 1; 0: none
  bool runs_out = false;      // it throws std::bad_alloc instead
  bool stays_broken = false;  // and so do all after it, as on a device that is lost
  bool no_device = false;     // the first call says so
  std::uint64_t calls = 0;    // so far
  std::vector<std::string> names;
  std::set<std::uint64_t> live;  // addresses of memory of both kinds
  std::uint64_t allocations = 0;
  std::uint64_t launches = 0;
  std::uint64_t uploads = 0;
  bool skip_upload = false;
  bool skip_download = false;
  bool skip_read = false;
  bool skip_pack = false;
  std::function<void(const KernelArguments&)> after_read;
  std::function<void(const KernelArguments&)> after_pack;

  DeviceStatus open(DeviceDescription& description) override {
    if (no_device) return {35, "open", "no driver", true};
    return call("open", [&] { return host_.open(description); });
  }
  DeviceStatus allocate(std::uint64_t bytes, std::uint64_t& address) override {
    return call("allocate", [&] {
      ++allocations;
      DeviceStatus status = host_.allocate(bytes, address);
      if (status.is_done()) live.insert(address);
      return status;
    });
  }
  DeviceStatus release(std::uint64_t address) override {
    forget(address);
    DeviceStatus done = host_.release(address);
    return call("release", [&] { return done; });
  }
  DeviceStatus allocate_staging(std::uint64_t bytes, void*& memory) override {
    return call("allocate_staging", [&] {
      DeviceStatus status = host_.allocate_staging(bytes, memory);
      if (status.is_done()) live.insert(reinterpret_cast<std::uint64_t>(memory));
      return status;
    });
  }
  DeviceStatus release_staging(void* memory) override {
    forget(reinterpret_cast<std::uint64_t>(memory));
    DeviceStatus done = host_.release_staging(memory);
    return call("release_staging", [&] { return done; });
  }
  DeviceStatus fill(std::uint64_t address, unsigned char value, std::uint64_t bytes) override {
    return call("fill", [&] { return host_.fill(address, value, bytes); });
  }
  DeviceStatus upload(std::uint64_t to, const void* from, std::uint64_t bytes) override {
    return call("upload", [&] {
      ++uploads;
      return skip_upload ? DeviceStatus{} : host_.upload(to, from, bytes);
    });
  }
  DeviceStatus download(void* to, std::uint64_t from, std::uint64_t bytes) override {
    return call("download",
                [&] { return skip_download ? DeviceStatus{} : host_.download(to, from, bytes); });
  }
  DeviceStatus launch_read(const KernelArguments& arguments) override {
    return call("launch_read", [&] {
      ++launches;
      DeviceStatus status = skip_read ? DeviceStatus{} : host_.launch_read(arguments);
      if (after_read) after_read(arguments);
      return status;
    });
  }
  DeviceStatus launch_pack(const KernelArguments& arguments) override {
    return call("launch_pack", [&] {
      ++launches;
      DeviceStatus status = skip_pack ? DeviceStatus{} : host_.launch_pack(arguments);
      if (after_pack) after_pack(arguments);
      return status;
    });
  }
  DeviceStatus synchronize() override {
    return call("synchronize", [&] { return host_.synchronize(); });
  }

  bool released_what_was_not_there = false;

 private:
  template <class Operation>
  DeviceStatus call(const char* name, Operation&& operation) {
    ++calls;
    names.emplace_back(name);
    if (calls != fail_at && !(stays_broken && fail_at != 0 && calls > fail_at)) return operation();
    if (runs_out) throw std::bad_alloc();
    return {999, name, "injected"};
  }
  void forget(std::uint64_t address) {
    if (live.erase(address) == 0) released_what_was_not_there = true;
  }

  HostOperations host_;
};

}  // namespace slabscope::tests
