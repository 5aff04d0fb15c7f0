// What a round trip found, as text and as JSON. The CUDA device here is made up.
#include <slabscope/report/verify_output.h>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace slabscope::tests {
namespace {

VerifyReport made_up() {
  VerifyReport report;
  report.device = {"cuda", "Example GPU", "9.0", "13.0", "12.8"};
  report.slabs = 2;
  report.bytes = 96;
  report.elements = {{"position", 4}, {"slot", 4}};
  return report;
}

TEST_CASE("a device that was used is named") {
  CHECK(verify_text(made_up(), false) ==
        "device    Example GPU, compute capability 9.0, driver 13.0, runtime 12.8\n"
        "slabs     2, 96 B\n"
        "elements  position 4, slot 4\n"
        "\n"
        "ok: read and packed as the layout says (on Example GPU)\n");
  const auto json = nlohmann::json::parse(verify_json(made_up()));
  CHECK(json["device"] == nlohmann::json{{"kind", "cuda"},
                                         {"name", "Example GPU"},
                                         {"compute_capability", "9.0"},
                                         {"driver", "13.0"},
                                         {"runtime", "12.8"}});
  CHECK(json["ok"] == true);
}

TEST_CASE("host threads are never taken for a GPU") {
  VerifyReport report = made_up();
  report.device = {"host", "host threads", {}, {}, {}};
  CHECK(verify_text(report, false).find("no GPU was used") != std::string::npos);
  CHECK(verify_text(report, false).find("(on host threads, not on a GPU)") != std::string::npos);
  report.mismatch_count = 1;
  CHECK(verify_text(report, false).find("(on host threads, not on a GPU)") != std::string::npos);
  const auto json = nlohmann::json::parse(verify_json(report));
  CHECK(json["device"] == nlohmann::json{{"kind", "host"}, {"name", "host threads"}});
}

TEST_CASE("mismatches that are not kept are counted") {
  VerifyReport report = made_up();
  report.mismatches = {{1, "slot", 0, {}, 8, -1, 254, "read"},
                       {1, "(red zone)", {}, {}, -1, 238, 0, "pack"}};
  report.mismatch_count = 12;
  CHECK(verify_text(report, false) ==
        "device    Example GPU, compute capability 9.0, driver 13.0, runtime 12.8\n"
        "slabs     2, 96 B\n"
        "elements  position 4, slot 4\n"
        "\n"
        "slab  field       row  index  offset  host  device  found by\n"
        "   1  slot          0              8    -1     254  read\n"
        "   1  (red zone)                  -1   238       0  pack\n"
        "and 10 more\n"
        "\n"
        "12 mismatches (on Example GPU)\n");
  const auto json = nlohmann::json::parse(verify_json(report));
  CHECK(json["ok"] == false);
  CHECK(json["mismatch_count"] == 12);
  CHECK(json["mismatches"][0] == nlohmann::json{{"slab", 1},
                                                {"field", "slot"},
                                                {"row", 0},
                                                {"offset", 8},
                                                {"host", -1},
                                                {"device", 254}});
  CHECK(json["mismatches"][1] ==
        nlohmann::json{
            {"slab", 1}, {"field", "(red zone)"}, {"offset", -1}, {"host", 238}, {"device", 0}});
}

TEST_CASE("nothing verified") {
  VerifyReport report = made_up();
  report.slabs = 0;
  report.elements.clear();
  const std::string text = verify_text(report, false);
  CHECK(text.find("elements  none\n") != std::string::npos);
  CHECK(text.ends_with("nothing was verified: there was no element to read\n"));
}

TEST_CASE("rates of what was timed") {
  VerifyReport report = made_up();
  report.timings.upload = {2'000'000, 0.001};
  report.timings.read = {1000, 0};
  const std::string text = verify_text(report, true);
  CHECK(text.find("timing         bytes     ms   GB/s\n"
                  "upload       2000000  1.000  2.000\n"
                  "kernel read     1000  0.000      -\n") != std::string::npos);
  CHECK(text.find("plain") == std::string::npos);
  const auto json = nlohmann::json::parse(verify_json(report));
  CHECK(json["timings"] == nlohmann::json{{"upload", {{"bytes", 2000000}, {"seconds", 0.001}}},
                                          {"read", {{"bytes", 1000}, {"seconds", 0.0}}}});
}

}  // namespace
}  // namespace slabscope::tests
