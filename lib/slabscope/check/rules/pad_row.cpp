#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>

namespace slabscope {
namespace {

// The first element of a padding row that differs from its pad.
void check_field(const Batch& batch, const ResolvedField& field, std::uint64_t row,
                 Reporter& report) {
  const std::uint64_t first = first_unlike(batch.view(), field, row, batch.pad(field));
  if (first == field.item_elements) return;
  const auto pad = [&](std::uint64_t index) {
    return batch.pad(field)[std::min<std::size_t>(index, batch.pad(field).size() - 1)];
  };
  std::uint64_t differing = 0;
  for (std::uint64_t index = first; index < field.item_elements; ++index)
    if (batch.view().element(field, row, index) != pad(index)) ++differing;
  std::string message =
      "padding row " + std::to_string(row) + ": " + field.name() + " is not its pad";
  if (differing > 1) message += " (" + counted(differing, "element") + " of it)";
  report.element(row, field, first, to_text(pad(first)), std::move(message));
}

void check(const Batch& batch, Reporter& report) {
  for (std::uint64_t row = batch.live_rows(); row < batch.padded_rows(); ++row)
    for (const ResolvedField& field : batch.layout().fields)
      // Without an adapter seq_slot is not uploaded, and whether there is one cannot be seen.
      if (field.description->per_row && field.description->role != "seq_slot" &&
          !batch.pad(field).empty())
        check_field(batch, field, row, report);
}

std::vector<std::string_view> params_of(const Batch& batch) {
  const Description& description = *batch.layout().description;
  std::vector<std::string_view> names;
  for (const FieldDescription& field : description.fields) {
    for (const Expression& each : field.pad) add_params(description, each, names);
    if (field.pad.empty() && field.fill && !field.fill_is_any)
      add_params(description, *field.fill, names);
  }
  return names;
}

constexpr std::string_view implies[] = {"write-alias"};
}  // namespace

extern const Rule pad_row;
const Rule pad_row{
    .id = "pad-row",
    .severity = FindingSeverity::error,
    .fires_when = "a row in [live_rows, padded_rows) differs from the layout's pad values",
    .explanation =
        "Padding rows run through the kernel like live ones. What keeps them harmless is that they "
        "write to the dummy block; any other slot is somebody's.",
    .implies = implies,
    .check = check,
    .params_of = params_of};

}  // namespace slabscope
