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

// mtp_batch of one row: position [0, 4), gap [4, 8), slot [8, 16), seq_len [16, 20), gap [20, 32).
// decode of 32 rows: gap [640, 768), of any content.
TEST_CASE("gaps that the layout says are zero are as the host packed them") {
  HostOperations device;
  alignas(256) std::byte slab[1024] = {};
  const Bytes zeros(1024);
  const auto outcome_of = [&](std::string_view layout, const Assignments& given, std::size_t size) {
    return outcome(verify_at(device, reinterpret_cast<std::uint64_t>(slab), builtin(layout), given,
                             std::span(zeros).first(size)));
  };
  slab[21] = std::byte{7};
  CHECK(outcome_of("mtp_batch", {{"rows", 1, {}}, {"max_blocks", 1, {}}}, 36) ==
        "0 (gap) at 21: 0 -> 7 (upload)\n");
  slab[21] = std::byte{0};
  slab[700] = std::byte{7};
  CHECK(outcome_of("decode", {{"max_batch_size", 1, {}}, {"max_blocks", 1, {}}}, 896) == "ok");
}

TEST_CASE("addresses that no slab may have") {
  const EngineSlab slab;
  TestDevice device;
  const auto code = [&](std::uint64_t address, std::optional<std::span<const std::byte>> bytes) {
    const std::string text =
        outcome(verify_at(device, address, builtin("mtp_batch"), params, bytes));
    return text.substr(0, text.find(':'));
  };
  for (const auto& bytes : {std::optional<std::span<const std::byte>>(),
                            std::optional<std::span<const std::byte>>(slab.packed_by_host)}) {
    CHECK(code(slab.address() + 4, bytes) == "misaligned");
    CHECK(code(0, bytes) == "out_of_range");
    CHECK(code(~std::uint64_t{0} - 7, bytes) == "out_of_range");
  }
  CHECK(device.launches == 0);
}

// A packer that failed leaves nothing, and nothing is not what stands there.
TEST_CASE("bytes of the host that are no slab of this layout") {
  const EngineSlab slab;
  TestDevice device;
  const auto code = [&](std::size_t bytes) {
    const std::string text =
        outcome(verify_at(device, slab.address(), builtin("mtp_batch"), params,
                          std::span<const std::byte>(slab.bytes).first(bytes)));
    return text.substr(0, text.find(':'));
  };
  CHECK(code(0) == "short_dump");
  CHECK(code(40) == "short_dump");
  CHECK(code(47) == "short_dump");
  CHECK(code(49) == "out_of_range");
  CHECK(device.launches == 0);
  CHECK(code(48) == "ok");
}

TEST_CASE("parameters that the layout does not have") {
  HostOperations device;
  CHECK(outcome(verify_at(device, 0x1000, builtin("mtp_batch"),
                          {{"rows", 2, {}}, {"max_blocks", 2, {}}, {"nothing", 1, {}}}))
            .starts_with("unknown_param: "));
  CHECK(outcome(verify_at(device, 0x1000, builtin("mtp_batch"), {{"rows", 2, {}}}))
            .starts_with("param_missing: "));
  // More than a GiB.
  CHECK(outcome(verify_at(device, 0x1000, builtin("mtp_batch"),
                          {{"rows", 1U << 24U, {}}, {"max_blocks", 13, {}}}))
            .starts_with("slab_limit: "));
}

}  // namespace
}  // namespace slabscope::tests
