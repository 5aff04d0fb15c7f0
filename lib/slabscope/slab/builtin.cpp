#include <slabscope/slab/builtin.h>

#include <slabscope/layout/catalog.h>

#include <algorithm>
#include <array>

namespace slabscope {
namespace {

constexpr ListCountsView one_each[] = {{1, {}}};
constexpr ListCountsView none_each[] = {{0, {}}};

template <class T>
ColumnView scalars(std::span<const T> values) {
  return {std::as_bytes(values), one_each, nullptr, nullptr};
}

template <class T>
std::span<const std::byte> table_at(const void* tables, std::uint64_t row) {
  return std::as_bytes(static_cast<const std::span<const T>*>(tables)[row]);
}

// The lengths of tables that lie apart. Only a ragged batch needs memory.
template <class T>
ListCountsView count_tables(std::span<const std::span<const T>> tables,
                            std::vector<std::uint64_t>& lengths) {
  if (tables.empty()) return {};
  const auto same = [&](std::span<const T> table) { return table.size() == tables[0].size(); };
  if (std::all_of(tables.begin(), tables.end(), same)) return {tables[0].size(), {}};
  lengths.resize(tables.size());
  std::transform(tables.begin(), tables.end(), lengths.begin(),
                 [](std::span<const T> table) { return table.size(); });
  return {0, lengths};
}

Failure row_counts_differ(std::string subject,
                          std::initializer_list<std::pair<std::string_view, std::size_t>> columns) {
  std::string counts;
  for (const auto& [name, rows] : columns)
    counts += (counts.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(rows);
  return fail(error(ErrorCode::row_counts_differ, std::move(subject) + ": row counts differ")
                  .with(std::move(counts), {}));
}

template <class Rows>
Result<Buffer> pack_alone(const Rows& rows, std::uint64_t region_bytes) {
  BuiltinPacker packer;
  SLABSCOPE_TRY(packer.prepare(rows, region_bytes));
  SLABSCOPE_TRY(check_size(packer.layout(), default_max_slab_bytes, region_bytes));
  Buffer slab(packer.layout().size);
  SLABSCOPE_TRY(packer.pack_into(slab.bytes(), rows, region_bytes));
  return slab;
}

}  // namespace

Result<void> BuiltinPacker::use(std::string_view name, std::uint64_t row_count,
                                std::span<const Param> params,
                                std::optional<std::uint64_t> region_bytes) {
  const bool same_layout = layout_.description != nullptr && layout_.description->name == name;
  if (same_layout && layout_.row_count == row_count &&
      std::equal(params.begin(), params.end(), used_values_.begin(), used_values_.end(),
                 [](const Param& param, std::uint64_t value) { return param.value == value; }))
    return {};
  DescriptionPtr description = layout_.description;
  if (!same_layout) {
    SLABSCOPE_TRY_ASSIGN(read, builtin_layout(name));
    description = std::move(read);
  }
  Assignments given;
  given.reserve(params.size());
  for (const Param& each : params) given.push_back({std::string(each.name), each.value, {}});
  SLABSCOPE_TRY_ASSIGN(resolved, resolve(description, given, {row_count, {}}, region_bytes));
  layout_ = std::move(resolved);
  table_lengths_.reserve(row_count);
  used_values_.clear();
  for (const Param& each : params) used_values_.push_back(each.value);
  return {};
}

Result<void> BuiltinPacker::prepare(const MtpRow& row, std::optional<std::uint64_t> region_bytes) {
  return use("mtp", 1, std::array{Param{"entries", row.block_table.size()}}, region_bytes);
}

Result<void> BuiltinPacker::prepare(const MtpBatchColumns& columns,
                                    std::optional<std::uint64_t> region_bytes) {
  const std::size_t rows = columns.position.size();
  if (columns.slot.size() != rows || columns.seq_len.size() != rows ||
      columns.block_table.size() != rows)
    return row_counts_differ("MTP batch metadata", {{"position", rows},
                                                    {"slot", columns.slot.size()},
                                                    {"seq_len", columns.seq_len.size()},
                                                    {"block_table", columns.block_table.size()}});
  return use("mtp_batch", rows,
             std::array{Param{"rows", rows}, Param{"max_blocks", columns.max_blocks}},
             region_bytes);
}

Result<void> BuiltinPacker::prepare(const DecodeColumns& columns,
                                    std::optional<std::uint64_t> region_bytes) {
  const std::size_t rows = columns.position.size();
  const std::size_t seq_slots = columns.seq_slot.empty() ? rows : columns.seq_slot.size();
  if (columns.slot.size() != rows || columns.seq_len.size() != rows ||
      columns.block_table.size() != rows || seq_slots != rows)
    return row_counts_differ("decode metadata", {{"position", rows},
                                                 {"seq_slot", seq_slots},
                                                 {"slot", columns.slot.size()},
                                                 {"seq_len", columns.seq_len.size()},
                                                 {"block_table", columns.block_table.size()}});
  const std::array params = {
      Param{"max_batch_size", columns.max_batch_size}, Param{"max_blocks", columns.max_blocks},
      Param{"padded_rows", columns.padded_rows == 0 ? rows : columns.padded_rows},
      Param{"dummy_block", columns.dummy_block},
      Param{"block_size", columns.block_size.value_or(0)}};
  return use("decode", rows, std::span(params).first(columns.block_size ? 5 : 4), region_bytes);
}

Result<std::size_t> BuiltinPacker::pack_into(std::span<std::byte> region, const MtpRow& row,
                                             std::optional<std::uint64_t> region_bytes) {
  SLABSCOPE_TRY(prepare(row, region_bytes.value_or(region.size())));
  const ListCountsView entries[] = {{row.block_table.size(), {}}};
  const ColumnView columns[] = {scalars(std::span(&row.position, 1)),
                                scalars(std::span(&row.slot, 1)),
                                scalars(std::span(&row.seq_len, 1)),
                                {std::as_bytes(row.block_table), entries, nullptr, nullptr}};
  return slabscope::pack_into(region, layout_, {1, columns}, region_bytes);
}

Result<std::size_t> BuiltinPacker::pack_into(std::span<std::byte> region,
                                             const MtpBatchColumns& rows,
                                             std::optional<std::uint64_t> region_bytes) {
  SLABSCOPE_TRY(prepare(rows, region_bytes.value_or(region.size())));
  const ListCountsView entries[] = {count_tables(rows.block_table, table_lengths_)};
  const ColumnView columns[] = {scalars(rows.position),
                                scalars(rows.slot),
                                scalars(rows.seq_len),
                                {{}, entries, table_at<std::uint32_t>, rows.block_table.data()}};
  return slabscope::pack_into(region, layout_, {rows.position.size(), columns}, region_bytes);
}

Result<std::size_t> BuiltinPacker::pack_into(std::span<std::byte> region, const DecodeColumns& rows,
                                             std::optional<std::uint64_t> region_bytes) {
  SLABSCOPE_TRY(prepare(rows, region_bytes.value_or(region.size())));
  const ListCountsView entries[] = {count_tables(rows.block_table, table_lengths_)};
  const ColumnView seq_slot =
      rows.seq_slot.empty() ? ColumnView{{}, none_each, nullptr, nullptr} : scalars(rows.seq_slot);
  const ColumnView columns[] = {scalars(rows.position),
                                seq_slot,
                                scalars(rows.slot),
                                scalars(rows.seq_len),
                                {{}, entries, table_at<std::int32_t>, rows.block_table.data()}};
  return slabscope::pack_into(region, layout_, {rows.position.size(), columns}, region_bytes);
}

Result<Buffer> pack_mtp(const MtpRow& row, std::uint64_t region_bytes) {
  return pack_alone(row, region_bytes);
}
Result<Buffer> pack_mtp_batch(const MtpBatchColumns& columns, std::uint64_t region_bytes) {
  return pack_alone(columns, region_bytes);
}
Result<Buffer> pack_decode(const DecodeColumns& columns, std::uint64_t region_bytes) {
  return pack_alone(columns, region_bytes);
}

}  // namespace slabscope
