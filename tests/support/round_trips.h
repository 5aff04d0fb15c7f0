// Round trips of documents and slabs in one step each.
#pragma once

#include "documents.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/device/round_trip.h>

#include <string>
#include <string_view>

namespace slabscope::tests {

// All documents of `text`, as the command verifies them.
inline Result<VerifyReport> verified(DeviceOperations& device, std::string_view text,
                                     const VerifyOptions& options = {}) {
  SLABSCOPE_TRY_ASSIGN(documents, read_documents(text));
  RoundTrip trip(device, options);
  SLABSCOPE_TRY(trip.open());
  for (RowsDocument& each : documents) {
    const Bytes slab = streamed(each);
    const RowsViewOf rows(each.rows);
    SLABSCOPE_TRY(
        trip.add({std::make_shared<const Layout>(each.layout), slab, &rows.view(), &each.residue}));
  }
  return trip.finish();
}

// Bytes as they are.
inline Result<VerifyReport> verified(DeviceOperations& device, const Layout& layout,
                                     std::span<const std::byte> slab,
                                     const VerifyOptions& options = {}) {
  RoundTrip trip(device, options);
  SLABSCOPE_TRY(trip.open());
  SLABSCOPE_TRY(trip.add({std::make_shared<const Layout>(layout), slab, nullptr, nullptr}));
  return trip.finish();
}

// "seq_len[1] row 0 at 24: 8 -> 247 (pack)", one line each.
inline std::string text_of(const std::vector<Mismatch>& mismatches) {
  std::string text;
  for (const Mismatch& each : mismatches) {
    text += std::to_string(each.slab) + " " + each.field;
    if (each.index) text += "[" + std::to_string(*each.index) + "]";
    if (each.row) text += " row " + std::to_string(*each.row);
    text += " at " + to_text(each.offset) + ": " + to_text(each.host) + " -> " +
            to_text(each.device) + " (" + std::string(each.found_by) + ")\n";
  }
  return text;
}

// The mismatches, or the failure.
inline std::string outcome(const Result<VerifyReport>& report) {
  if (!report) return shown_failure(report.error());
  return report->ok() ? "ok" : text_of(report->mismatches);
}

constexpr std::string_view two_rows =
    R"({"layout": "mtp_batch", "params": {"max_blocks": 2},
        "rows": [{"position": 7,  "slot": 55, "seq_len": 8,  "block_table": [3]},
                 {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}]})";

}  // namespace slabscope::tests
