// The call for an engine's own tests. The host's memory stands for the device's.
#include <slabscope/device/verify_at.h>

#include "../support/device_doubles.h"
#include "../support/round_trips.h"

#include <doctest/doctest.h>

#include <cstring>

namespace slabscope::tests {
namespace {

struct EngineSlab {
  alignas(256) std::byte bytes[64] = {};
  Bytes packed_by_host;

  EngineSlab() {
    const auto document = read_document(two_rows);
    REQUIRE(document.has_value());
    packed_by_host = packed(*document);
    REQUIRE(packed_by_host.size() == 48);
    std::memcpy(bytes, packed_by_host.data(), 48);
  }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(bytes); }
};

const Assignments params = {{"rows", 2, {}}, {"max_blocks", 2, {}}};

TEST_CASE("what stands there is what the host packed") {
  const EngineSlab slab;
  HostOperations device;
  const auto report =
      verify_at(device, slab.address(), builtin("mtp_batch"), params, slab.packed_by_host);
  CHECK(outcome(report) == "ok");
  CHECK(report->slabs == 1);
  CHECK(report->bytes == 48);
  CHECK(outcome(verify_at(device, slab.address(), builtin("mtp_batch"), params)) == "ok");
  CHECK(std::memcmp(slab.bytes, slab.packed_by_host.data(), 48) == 0);
}

TEST_CASE("what differs is told, and nothing is written to it") {
  EngineSlab slab;
  slab.bytes[44] = std::byte{6};  // block_table[1] of row 1
  HostOperations device;
  CHECK(outcome(verify_at(device, slab.address(), builtin("mtp_batch"), params,
                          slab.packed_by_host)) == "0 block_table[1] row 1 at 44: 5 -> 6 (read)\n");
  CHECK(slab.bytes[44] == std::byte{6});
  // Taken as it is, it is consistent.
  CHECK(outcome(verify_at(device, slab.address(), builtin("mtp_batch"), params)) == "ok");
}

TEST_CASE("addresses that no slab may have") {
  const EngineSlab slab;
  TestDevice device;
  const auto code = [&](std::uint64_t address, std::span<const std::byte> bytes) {
    const std::string text =
        outcome(verify_at(device, address, builtin("mtp_batch"), params, bytes));
    return text.substr(0, text.find(':'));
  };
  for (const std::span<const std::byte> bytes :
       {std::span<const std::byte>(), std::span<const std::byte>(slab.packed_by_host)}) {
    CHECK(code(slab.address() + 4, bytes) == "misaligned");
    CHECK(code(0, bytes) == "out_of_range");
    CHECK(code(~std::uint64_t{0} - 7, bytes) == "out_of_range");
  }
  CHECK(code(slab.address(), std::span(slab.packed_by_host).first(40)) == "short_dump");
  CHECK(device.launches == 0);
}

TEST_CASE("parameters that the layout does not have") {
  HostOperations device;
  CHECK(outcome(verify_at(device, 0x1000, builtin("mtp_batch"),
                          {{"rows", 2, {}}, {"max_blocks", 2, {}}, {"nothing", 1, {}}}))
            .starts_with("unknown_param: "));
  CHECK(outcome(verify_at(device, 0x1000, builtin("mtp_batch"), {{"rows", 2, {}}}))
            .starts_with("param_missing: "));
}

}  // namespace
}  // namespace slabscope::tests
