#include <slabscope/check/fault_slab.h>

#include <slabscope/slab/pack.h>

#include <algorithm>

namespace slabscope {
namespace {

// What the document states: whatever has a value and can be set, so that a reader need not know the
// layout's defaults.
Assignments stated(const Layout& layout, std::string_view unsaid) {
  Assignments params;
  for (const Assignment& each : layout.params)
    if (!layout.description->find_param(each.name)->value && each.name != unsaid)
      params.push_back(each);
  params.insert(params.end(), layout.carried.begin(), layout.carried.end());
  return params;
}

}  // namespace

Result<FaultSlab> FaultSlab::of(const FaultPlan& plan, const GeneratedRows& rows,
                                FaultyDocument& document) {
  const RowsViewOf columns(rows.rows);
  SLABSCOPE_TRY_ASSIGN(layout, resolve(rows.layout.description, stated(rows.layout, plan.unsaid),
                                       {rows.layout.row_count, plan.generate.rows}));
  SLABSCOPE_TRY_ASSIGN(packed, pack(layout, columns.view()));
  document.layout = std::move(layout);
  document.slab = std::move(packed);
  document.lengths.resize(document.layout.fields.size());
  for (std::size_t field = 0; field < document.lengths.size(); ++field) {
    if (document.layout.fields[field].item_shape().size() != 1) continue;
    const ListCounts& counts = rows.rows.column(field).counts[0];
    for (std::uint64_t list = 0; list < counts.lists(); ++list)
      document.lengths[field].push_back(counts.is_uniform() ? counts.uniform()
                                                            : counts.each()[list]);
  }
  FaultSlab made(plan.random(), document);
  SLABSCOPE_TRY_ASSIGN(view, SlabView::of(document.layout, document.slab.bytes()));
  made.lists_ = std::make_unique<ListLengths>(document);
  SLABSCOPE_TRY_ASSIGN(batch, Batch::of(view, {0, {}, {}, &made.lists_->view()}));
  made.batch_ = std::move(batch);
  (void)made.batch_->uses();  // listed while the rows are healthy
  made.write_padding();
  return made;
}

// Rows of the document behind the live ones become what padding rows are.
void FaultSlab::write_padding() const {
  const Layout& layout = document_->layout;
  for (const ResolvedField& field : layout.fields) {
    if (!field.description->per_row) continue;
    const std::span<const int128> pad = batch_->pad(field);
    for (std::uint64_t row = layout.live_rows; row < layout.row_count; ++row)
      for (std::uint64_t index = 0; index < field.item_elements; ++index)
        set(field, row, index, pad.empty() ? 0 : pad[std::min<std::size_t>(index, pad.size() - 1)]);
  }
}

std::uint64_t FaultSlab::a_row() const { return random_->between(0, batch_->live_rows() - 1); }

Result<FaultSlab::TwoRows> FaultSlab::two_rows() const {
  for (int draw = 0; draw < 32; ++draw)
    if (const TwoRows rows{a_row(), a_row()}; batch_->group(rows.one) != batch_->group(rows.other))
      return rows;
  return impossible("there are no two live rows of different groups");
}

std::uint64_t FaultSlab::distance(std::uint64_t most) const {
  return random_->one_in(2) ? 1 : random_->between(1, std::max<std::uint64_t>(most, 1));
}

std::optional<std::uint64_t> FaultSlab::free_block(std::uint64_t least) const {
  const std::uint64_t blocks = num_blocks();
  if (least >= blocks) return std::nullopt;
  std::uint64_t block = random_->one_in(2) ? least : random_->between(least, blocks - 1);
  // Of so many in a row one is free.
  for (std::uint64_t left = std::min<std::uint64_t>(blocks - least, batch_->uses().size() + 16);
       left != 0; --left, block = block + 1 == blocks ? least : block + 1)
    if (batch_->uses_of(block).empty() && batch_->is_block(block) &&
        fits(batch_->table()->type(), block))
      return block;
  return std::nullopt;
}

std::optional<int128> FaultSlab::pick(const ResolvedField& field,
                                      std::span<const int128> candidates, int128 but_not) const {
  const std::size_t first = random_->between(0, candidates.size() - 1);
  for (std::size_t index = 0; index < candidates.size(); ++index) {
    const int128 value = candidates[(first + index) % candidates.size()];
    if (value != but_not && fits(field.type(), value) && !batch_->is_null(field, value))
      return value;
  }
  return std::nullopt;
}

std::vector<std::uint64_t>& FaultSlab::lengths(const ResolvedField& field) const {
  return document_->lengths[static_cast<std::size_t>(&field - document_->layout.fields.data())];
}

void FaultSlab::set(const ResolvedField& field, std::uint64_t row, std::uint64_t index,
                    int128 value) const {
  store_element(field.type(), bytes().data() + batch_->offset(field, row, index), value);
  std::vector<std::uint64_t>& lists = lengths(field);
  if (row < lists.size()) lists[row] = std::max(lists[row], index + 1);
}

bool FaultSlab::set_table_length(std::uint64_t row, std::uint64_t length) const {
  const ResolvedField& table = *batch_->table();
  if (!table.fill) return length >= lengths(table)[row];
  for (std::uint64_t index = length; index < lengths(table)[row]; ++index)
    set(table, row, index, *table.fill);
  lengths(table)[row] = length;
  return true;
}

void FaultSlab::give_all() const {
  for (const ResolvedField& field : document_->layout.fields)
    std::fill(lengths(field).begin(), lengths(field).end(), field.item_elements);
}

bool FaultSlab::set_kv_index(std::uint64_t row, std::uint64_t kv_index, bool moves_position) const {
  const ResolvedField& seq_len = *batch_->find("seq_len");
  const ResolvedField* const position = batch_->find("kv_position");
  if (!fits(seq_len.type(), int128{kv_index} + 1)) return false;
  if (position != nullptr && moves_position) {
    if (!fits(position->type(), kv_index)) return false;
    set(*position, row, 0, kv_index);
  }
  set(seq_len, row, 0, int128{kv_index} + 1);
  return true;
}

bool FaultSlab::write_into(std::uint64_t row, int128 block) const {
  const int128 in_block = batch_->kv_index(row) % batch_->block_size();
  const int128 value = block * batch_->block_size() + in_block;
  if (!fits(slot().type(), value)) return false;
  set(slot(), row, 0, value);
  return true;
}

bool FaultSlab::renumber(std::uint64_t block, std::uint64_t number) const {
  if (!fits(batch_->table()->type(), number)) return false;
  for (const BlockUse& use : batch_->uses_of(block)) {
    set(*batch_->table(), use.row, use.column, number);
    if (use.is_written && !write_into(use.row, number)) return false;
  }
  return true;
}

}  // namespace slabscope
