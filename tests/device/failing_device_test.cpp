// A device that fails at its n-th call, for every n: an error with the call and its sizes, and
// nothing is left behind.
#include "../support/device_doubles.h"
#include "../support/round_trips.h"

#include <slabscope/device/verify_at.h>

#include <doctest/doctest.h>

#include <functional>

namespace slabscope::tests {
namespace {

// Calls `run` with a device that fails at its first call, its second, ... until none fails; the
// number of calls. With `stays_broken`, all later calls fail too.
std::uint64_t fail_everywhere(const std::function<Result<VerifyReport>(TestDevice& device)>& run,
                              bool stays_broken) {
  for (std::uint64_t number = 1;; ++number) {
    INFO("call ", number);
    TestDevice device;
    device.fail_at = number;
    device.stays_broken = stays_broken;
    const auto report = run(device);
    CHECK(device.live.empty());
    CHECK_FALSE(device.released_what_was_not_there);
    if (device.calls < number) {
      CHECK(outcome(report) == "ok");
      return device.calls;
    }
    REQUIRE_FALSE(report.has_value());
    CHECK(report.error().code == ErrorCode::device_failed);
    CHECK(info(report.error().code).exit_code == 5);
    CHECK(report.error().message.find(device.names[number - 1]) == 0);
    CHECK(report.error().message.find("injected") != std::string::npos);
    const bool has_sizes = report.error().message.find(" B)") != std::string::npos;
    const std::string& name = device.names[number - 1];
    CHECK(has_sizes == (name != "open" && name != "release" && name != "release_staging"));
  }
}

// Once at each call, and from each call on: the first failure is the one that is told.
std::uint64_t fail_everywhere(const std::function<Result<VerifyReport>(TestDevice& device)>& run) {
  const std::uint64_t calls = fail_everywhere(run, false);
  CHECK(fail_everywhere(run, true) == calls);
  return calls;
}

TEST_CASE("a round trip in one batch") {
  // open, 2 allocations, twice (fill, upload, 2 launches, 3 waits, download), 2 releases.
  CHECK(fail_everywhere([](TestDevice& device) { return verified(device, two_rows); }) == 21);
}

TEST_CASE("a round trip in batches that grow, repeated, timed, with a byte flipped back") {
  const std::string documents = std::string(two_rows) + "\n" +
                                R"({"layout": "mtp", "rows": [{"position": 1, "slot": 2,
                                    "seq_len": 3, "block_table": [1, 2, 3]}]})"
                                "\n" +
                                R"({"layout": "decode", "params": {"max_blocks": 1}, "rows": []})";
  const auto calls = fail_everywhere([&](TestDevice& device) {
    VerifyOptions options;
    options.batch_slabs = 1;
    options.repeat = 2;
    options.time_plain_copies = true;
    return verified(device, documents, options);
  });
  // Three batches that outgrow each other: 2 allocations and 2 releases each, and four passes of 8
  // calls and 2 plain copies; open.
  CHECK(calls == 3 * (4 + 32 + 8) + 1);
}

TEST_CASE("an injected byte takes one call more a pass") {
  TestDevice device;
  VerifyOptions options;
  options.inject = Injection{"slot", 0};
  CHECK(verified(device, two_rows, options).has_value());
  CHECK(device.calls == 23);
  for (std::uint64_t number = 1; number <= 23; ++number) {
    TestDevice failing;
    failing.fail_at = number;
    CHECK_FALSE(verified(failing, two_rows, options).has_value());
    CHECK(failing.live.empty());
  }
}

TEST_CASE("nothing is tried again on a device that has failed") {
  const Layout layout = resolved(builtin("mtp"), Params{{"entries", 2}}, {1, {}});
  const Bytes slab(layout.size);
  TestDevice device;
  device.fail_at = 6;  // open, 2 allocations, fill, wait, upload
  RoundTrip trip(device, {});
  REQUIRE(trip.open().has_value());
  REQUIRE(trip.add({std::make_shared<const Layout>(layout), slab, nullptr, nullptr}).has_value());
  for (int time = 0; time < 2; ++time)
    CHECK(outcome(trip.finish()).starts_with("device_failed: upload"));
  CHECK(device.calls == 6);
}

TEST_CASE("no memory for the host's own part of a call") {
  std::uint64_t number = 0;
  for (bool thrown = true; thrown;) {
    ++number;
    INFO("call ", number);
    TestDevice device;
    device.fail_at = number;
    device.runs_out = device.stays_broken = true;
    try {
      const auto report = verified(device, two_rows);
      CHECK(outcome(report) == "ok");
      thrown = false;
    } catch (const std::bad_alloc&) {
    }
    CHECK(device.live.empty());
    CHECK_FALSE(device.released_what_was_not_there);
  }
  CHECK(number == 22);
}

TEST_CASE("a slab that is there already") {
  alignas(256) std::byte slab[48] = {};
  const auto address = reinterpret_cast<std::uint64_t>(slab);
  const Assignments params = given({{"rows", 2}, {"max_blocks", 2}});
  // As in one batch, and the download of the slab twice, and once more where its bytes are not
  // given.
  CHECK(fail_everywhere([&](TestDevice& device) {
          return verify_at(device, address, builtin("mtp_batch"), params, slab);
        }) == 23);
  CHECK(fail_everywhere([&](TestDevice& device) {
          return verify_at(device, address, builtin("mtp_batch"), params);
        }) == 24);
}

TEST_CASE("no device is told as that") {
  TestDevice device;
  device.no_device = true;
  const auto report = verified(device, two_rows);
  REQUIRE_FALSE(report.has_value());
  CHECK(report.error().code == ErrorCode::no_device);
  CHECK(info(ErrorCode::no_device).exit_code == 5);
  CHECK(device.calls == 0);
}

}  // namespace
}  // namespace slabscope::tests
