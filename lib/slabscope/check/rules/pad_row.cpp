#include <slabscope/check/fault_slab.h>
#include <slabscope/check/rule.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace slabscope {
namespace {

// Without an adapter seq_slot is not uploaded, and whether there is one cannot be seen.
bool is_looked_at(const Batch& batch, const ResolvedField& field) {
  return field.description->per_row && field.description->role != "seq_slot" &&
         !batch.pad(field).empty();
}

int128 pad(const Batch& batch, const ResolvedField& field, std::uint64_t index) {
  return batch.pad(field)[std::min<std::size_t>(index, batch.pad(field).size() - 1)];
}

// The first element of a padding row that differs from its pad.
void check_field(const Batch& batch, const ResolvedField& field, std::uint64_t row,
                 Reporter& report) {
  const std::uint64_t first = first_unlike(batch.view(), field, row, batch.pad(field));
  if (first == field.item_elements) return;
  std::uint64_t differing = 0;
  for (std::uint64_t index = first; index < field.item_elements; ++index)
    if (batch.view().element(field, row, index) != pad(batch, field, index)) ++differing;
  std::string message =
      "padding row " + std::to_string(row) + ": " + field.name() + " is not its pad";
  if (differing > 1) message += " (" + counted(differing, "element") + " of it)";
  report.element(row, field, first, to_text(pad(batch, field, first)), std::move(message));
}

void check(const Batch& batch, Reporter& report) {
  for (std::uint64_t row = batch.live_rows(); row < batch.padded_rows(); ++row)
    for (const ResolvedField& field : batch.layout().fields)
      if (is_looked_at(batch, field)) check_field(batch, field, row, report);
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

Result<void> plan(FaultPlan& plan) {
  // What is all zeros points at block 0.
  if (!plan.description().has_padding_rows()) plan.set("dummy_block", 0);
  return plan.choose_padding();
}

// One element of a padding row, or all of them, are what a live row has, or anything.
Result<void> put(FaultSlab& slab) {
  const Batch& batch = slab.batch();
  PseudoRandom& random = slab.random();
  std::vector<const ResolvedField*> fields;
  for (const ResolvedField& field : batch.layout().fields)
    if (is_looked_at(batch, field) && field.item_elements != 0) fields.push_back(&field);
  if (fields.empty() || batch.padded_rows() == batch.live_rows())
    return impossible("no value is due in padding rows");
  const ResolvedField& field = *fields[random.between(0, fields.size() - 1)];
  const std::uint64_t row = random.between(batch.live_rows(), batch.padded_rows() - 1);
  const std::uint64_t first = random.between(0, field.item_elements - 1);
  const std::uint64_t last =
      random.one_in(2) ? first : random.between(first, field.item_elements - 1);
  for (std::uint64_t index = first; index <= last; ++index) {
    const int128 due = pad(batch, field, index);
    const int128 candidates[] = {
        batch.live_rows() == 0 ? due + 2 : batch.view().element(field, slab.a_row(), index),
        due + slab.distance(1000), due - slab.distance(1000), maximum(field.type())};
    std::optional<int128> value;
    for (const int128 each : candidates)
      if (each != due && fits(field.type(), each) && (!value || random.one_in(2))) value = each;
    if (value) slab.set(field, row, index, *value);
  }
  return {};
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
    .params_of = params_of,
    .fault = {.least_rows = 0, .plan = plan, .put = put}};

}  // namespace slabscope
