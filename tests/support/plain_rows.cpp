#include "plain_rows.h"

#include <slabscope/base/integer_text.h>

#include <doctest/doctest.h>

#include <cstring>

namespace slabscope::tests {
namespace {

std::vector<int128> values_of(const PlainRow& row, std::string_view field) {
  if (field == "position") return {row.position};
  if (field == "slot") return {row.slot};
  if (field == "seq_len") return {row.seq_len};
  if (field == "seq_slot" && row.seq_slot) return {*row.seq_slot};
  if (field == "block_table") return {row.block_table.begin(), row.block_table.end()};
  REQUIRE(field == "seq_slot");
  return {};
}

}  // namespace

Rows columns_of(const Description& description, std::span<const PlainRow> rows) {
  Rows made(description);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    for (std::size_t field = 0; field < description.fields.size(); ++field) {
      const std::vector<int128> values = values_of(rows[index], description.fields[field].name);
      Rows::Column& column = made.column(field);
      column.counts[0].append(values.size());
      for (const int128 value : values) {
        visit_type(description.fields[field].type, [&](auto zero) {
          const auto element = static_cast<decltype(zero)>(value);
          std::memcpy(column.elements.extend(sizeof element), &element, sizeof element);
        });
      }
    }
    made.add_row();
  }
  return made;
}

std::string document_of(std::string_view layout, const Params& params,
                        std::span<const PlainRow> rows, std::optional<std::uint64_t> region_bytes) {
  std::string text = "{\"layout\": \"" + std::string(layout) + "\", \"params\": {";
  std::string comma;
  for (const auto& [name, value] : params)
    text += std::exchange(comma, ", ") + "\"" + name + "\": " + std::to_string(value);
  text += "}";
  if (region_bytes) text += ", \"region_bytes\": " + std::to_string(*region_bytes);
  text += ", \"rows\": [";
  comma.clear();
  for (const PlainRow& row : rows) {
    text += std::exchange(comma, ", ") + "{\"position\": " + std::to_string(row.position) +
            ", \"slot\": " + std::to_string(row.slot) +
            ", \"seq_len\": " + std::to_string(row.seq_len);
    if (row.seq_slot) text += ", \"seq_slot\": " + std::to_string(*row.seq_slot);
    text += ", \"block_table\": [";
    std::string between;
    for (const std::int64_t block : row.block_table)
      text += std::exchange(between, ", ") + std::to_string(block);
    text += "]}";
  }
  return text + "]}";
}

std::vector<std::int32_t> seq_slots(std::span<const PlainRow> rows) {
  std::vector<std::int32_t> values;
  for (const PlainRow& row : rows) values.push_back(row.seq_slot.value_or(-1));
  return values;
}

}  // namespace slabscope::tests
