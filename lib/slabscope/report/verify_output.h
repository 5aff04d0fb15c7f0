// What a round trip found, as a table for people or as JSON (schemas/verify_report.schema.json).
#pragma once

#include <slabscope/device/verify_report.h>

#include <string>

namespace slabscope {

// `with_timings`: also how long everything took, and at what rates.
std::string verify_text(const VerifyReport& report, bool with_timings);

std::string verify_json(const VerifyReport& report);

}  // namespace slabscope
