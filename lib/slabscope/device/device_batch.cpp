#include <slabscope/device/device_batch.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/slab/view_on_device.h>

#include <algorithm>
#include <cstring>

namespace slabscope {
namespace {

Failure no_such_layout(const Layout& layout, const std::string& what) {
  return fail(ErrorCode::out_of_range,
              "the layout '" + layout.description->name + "' does not hold together: " + what);
}

// Kernels are given numbers from here: a layout that was made by hand may say anything.
Result<void> check_field(const Layout& layout, std::size_t index) {
  const ResolvedField& field = layout.fields[index];
  if (field.description != &layout.description->fields[index] ||
      field.shape.size() != field.description->shape.size())
    return no_such_layout(layout, "field " + std::to_string(index) + " is not what it describes");
  if (field.items != (field.description->per_row ? layout.capacity : 1))
    return no_such_layout(layout, "the field '" + field.name() + "' is not of all its rows");
  const auto elements = checked_multiply(field.items, field.item_elements);
  const auto bytes = elements ? checked_multiply(*elements, field.element_bytes()) : std::nullopt;
  if (bytes != field.bytes || !contains(layout.size, field.offset, field.bytes))
    return no_such_layout(layout, "the field '" + field.name() + "' is not in the slab");
  if (field.offset % field.element_bytes() != 0 || layout.align % field.element_bytes() != 0)
    return fail(misaligned_error(*field.description, field.offset));
  return {};
}

Result<void> check_tiles(const Layout& layout) {
  const std::string what = "its bytes do not have one owner each";
  std::vector<bool> has_tile(layout.fields.size());
  std::uint64_t next = 0;
  for (const Tile& tile : layout.tiles) {
    if (tile.offset != next || tile.bytes == 0 || !contains(layout.size, tile.offset, tile.bytes))
      return no_such_layout(layout, what);
    next += tile.bytes;
    if (tile.is_gap()) continue;
    if (tile.field >= layout.fields.size() || has_tile[tile.field])
      return no_such_layout(layout, what);
    const ResolvedField& field = layout.fields[tile.field];
    if (field.offset != tile.offset || field.bytes != tile.bytes)
      return no_such_layout(layout, "the field '" + field.name() + "' is not where its bytes are");
    has_tile[tile.field] = true;
  }
  if (next != layout.size) return no_such_layout(layout, what);
  for (std::size_t index = 0; index < layout.fields.size(); ++index)
    if (layout.fields[index].bytes != 0 && !has_tile[index]) return no_such_layout(layout, what);
  return {};
}

Result<void> check_layout(const Layout& layout) {
  if (layout.align == 0 || (layout.align & (layout.align - 1)) != 0)
    return no_such_layout(layout, "its alignment is " + std::to_string(layout.align));
  if (layout.align > max_slab_align)
    return fail(error(ErrorCode::out_of_range, "the layout '" + layout.description->name +
                                                   "' requires an alignment that is not tried")
                    .with(std::to_string(layout.align), "up to " + std::to_string(max_slab_align)));
  if (layout.fields.size() != layout.description->fields.size())
    return no_such_layout(layout, "it has other fields than it describes");
  SLABSCOPE_TRY(check_rows(layout));
  for (std::size_t index = 0; index < layout.fields.size(); ++index)
    SLABSCOPE_TRY(check_field(layout, index));
  return check_tiles(layout);
}

ViewMember member_of(const std::string& role) {
  if (role == "position" || role == "kv_position") return ViewMember::position;
  if (role == "slot") return ViewMember::slot;
  if (role == "seq_len") return ViewMember::seq_len;
  if (role == "seq_slot") return ViewMember::seq_slot;
  if (role == "block_table") return ViewMember::block_table;
  return ViewMember::none;
}

}  // namespace

bool has_engine_view(const Layout& layout) {
  const Description& description = *layout.description;
  if (description.file != "builtin:" + description.name) return false;
  const auto has = [&](std::string_view param) { return find(layout.params, param) != nullptr; };
  if (description.name == "mtp") return has("entries");
  if (description.name == "mtp_batch") return has("rows");
  return description.name == "decode" && has("padded_rows") && has("max_blocks");
}

Result<DeviceView> engine_view(const Layout& layout, std::uint64_t base) {
  const std::string& name = layout.description->name;
  if (name == "mtp_batch") return mtp_batch_view(layout, base);
  if (name == "decode") return decode_view(layout, base, true);
  const std::uint64_t entries = find(layout.params, "entries")->value;
  if (!fits(ElementType::u32, entries))
    return fail(error(ErrorCode::out_of_range, "a kernel takes 32-bit counts of blocks")
                    .with(std::to_string(entries), "up to " + to_text(maximum(ElementType::u32))));
  return mtp_view(layout, base, static_cast<std::uint32_t>(entries));
}

DeviceView expected_view_offsets(const Layout& layout) {
  const auto offset = [&](std::string_view field) { return layout.find_field(field)->offset; };
  const auto param = [&](std::string_view name) {
    return static_cast<std::uint32_t>(find(layout.params, name)->value);
  };
  DeviceView view;
  view.positions = view.positions_h = view.positions_w = offset("position");
  view.slot = offset("slot");
  view.seq_len = offset("seq_len");
  view.block_table = offset("block_table");
  const std::string& name = layout.description->name;
  if (name == "decode") {
    view.seq_slot = offset("seq_slot");
    view.num_seqs = param("padded_rows");
    view.max_blocks_per_seq = param("max_blocks");
  } else if (name == "mtp_batch") {
    view.num_seqs = param("rows");
  } else {
    view.num_seqs = 1;
    view.max_blocks_per_seq = param("entries");
  }
  return view;
}

Result<void> DeviceBatch::add(const SlabInput& input, std::uint64_t number) {
  const Layout& layout = *input.layout;
  SLABSCOPE_TRY(check_layout(layout));
  SLABSCOPE_TRY_ASSIGN(view, SlabView::of(layout, input.bytes));
  DeviceSlab slab{input.layout, number, 0, stored_.size(), {}};
  if (!slabs_.empty())
    slab.offset =
        *checked_align_up(image_bytes_ + red_zone_bytes, std::max(slab_spacing, layout.align));
  if (has_engine_view(layout)) {
    SLABSCOPE_TRY(engine_view(layout, 0));
    slab.view = view_count_++;
  }
  const ColumnPlaces places = column_places(layout);
  const std::uint64_t columns_at = columns_.size();
  const std::span<std::byte> columns(columns_.extend(places.bytes), places.bytes);
  std::fill(columns.begin(), columns.end(), std::byte{0});
  if (input.rows != nullptr)
    columns_of_rows(view, *input.rows, input.residue, places, columns);
  else
    columns_of_slab(view, places, columns);
  stored_.append(view.bytes());

  for (const Tile& tile : layout.tiles) {
    Run made;
    made.owner = {slabs_.size(), tile};
    made.run.offset = slab.offset + tile.offset;
    if (tile.is_gap()) {
      if (!layout.description->gaps_are_zero) continue;
      made.run.first = gap_elements_;
      made.run.elements = tile.bytes;
      made.run.kind = ElementKind::zero_byte;
      gap_elements_ += tile.bytes;
      gaps_.push_back(made);
      continue;
    }
    const ResolvedField& field = layout.fields[tile.field];
    made.run.first = field_elements_;
    made.run.elements = field.items * field.item_elements;
    made.run.row_elements = field.item_elements;
    made.run.row_stride = field.item_bytes();
    made.run.column = columns_at + places.offsets[tile.field];
    made.run.kind = static_cast<ElementKind>(field.type());
    if (slab.view) {
      made.run.view = *slab.view;
      made.run.member = member_of(field.description->role);
    }
    field_elements_ += made.run.elements;
    fields_.push_back(made);
  }
  image_bytes_ = slab.offset + layout.size;
  align_ = std::max(align_, layout.align);
  slabs_.push_back(std::move(slab));
  return {};
}

void DeviceBatch::clear() {
  slabs_.clear();
  fields_.clear();
  gaps_.clear();
  stored_.clear();
  columns_.clear();
  image_bytes_ = field_elements_ = gap_elements_ = 0;
  align_ = slab_spacing;
  view_count_ = 0;
}

DeviceBatch::Tables DeviceBatch::tables() const {
  Tables made;
  made.field_runs = fields_.size();
  made.field_elements = field_elements_;
  made.all_elements = field_elements_ + gap_elements_;
  made.runs.reserve(fields_.size() + gaps_.size());
  made.owners.reserve(fields_.size() + gaps_.size());
  for (const Run& each : fields_) {
    made.runs.push_back(each.run);
    made.owners.push_back(each.owner);
  }
  for (const Run& each : gaps_) {
    made.runs.push_back(each.run);
    made.runs.back().first += field_elements_;
    made.owners.push_back(each.owner);
  }
  return made;
}

Result<std::vector<DeviceView>> DeviceBatch::views(std::uint64_t address) const {
  std::vector<DeviceView> made;
  made.reserve(view_count_);
  for (const DeviceSlab& each : slabs_) {
    if (!each.view) continue;
    SLABSCOPE_TRY_ASSIGN(view, engine_view(*each.layout, address + each.offset));
    made.push_back(view);
  }
  return made;
}

}  // namespace slabscope
