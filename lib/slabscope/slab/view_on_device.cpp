#include <slabscope/slab/view_on_device.h>

#include <limits>

namespace slabscope {
namespace {

std::uint64_t address(const Layout& layout, std::uint64_t base, std::string_view role) {
  const ResolvedField* const field = layout.find_role(role);
  return field == nullptr ? 0 : base + field->offset;
}

Result<DeviceView> view_at(const Layout& layout, std::uint64_t base, std::uint64_t num_seqs,
                           std::uint64_t max_blocks_per_seq) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (base % layout.align != 0)
    return fail(error(ErrorCode::misaligned,
                      "the slab's base address is no multiple of the layout's alignment")
                    .with(std::to_string(base), "multiples of " + std::to_string(layout.align)));
  if (!checked_add(base, layout.size))
    return fail(error(ErrorCode::out_of_range, "the slab ends past the address space")
                    .with(std::to_string(base), {}));
  if (num_seqs > most || max_blocks_per_seq > most)
    return fail(error(ErrorCode::out_of_range, "a kernel takes 32-bit counts of rows and blocks")
                    .with(std::to_string(num_seqs) + " rows, " +
                              std::to_string(max_blocks_per_seq) + " blocks",
                          "up to " + std::to_string(most)));
  DeviceView view;
  view.positions = address(layout, base,
                           layout.find_role("kv_position") != nullptr ? "kv_position" : "position");
  view.positions_h = view.positions;
  view.positions_w = view.positions;
  view.slot = address(layout, base, "slot");
  view.seq_len = address(layout, base, "seq_len");
  view.block_table = address(layout, base, "block_table");
  view.max_blocks_per_seq = static_cast<std::uint32_t>(max_blocks_per_seq);
  view.num_seqs = static_cast<std::uint32_t>(num_seqs);
  return view;
}

}  // namespace

Result<DeviceView> mtp_view(const Layout& layout, std::uint64_t base,
                            std::uint32_t max_blocks_per_seq) {
  return view_at(layout, base, 1, max_blocks_per_seq);
}

Result<DeviceView> mtp_batch_view(const Layout& layout, std::uint64_t base) {
  return view_at(layout, base, layout.capacity, 0);
}

Result<DeviceView> decode_view(const Layout& layout, std::uint64_t base, bool adapter_loaded,
                               std::uint64_t moe_row_adapter) {
  const ResolvedField* const table = layout.find_role("block_table");
  const std::uint64_t max_blocks =
      table == nullptr || table->item_shape().empty() ? 0 : table->item_shape().back();
  SLABSCOPE_TRY_ASSIGN(view, view_at(layout, base, layout.padded_rows, max_blocks));
  if (adapter_loaded) view.seq_slot = address(layout, base, "seq_slot");
  view.moe_row_adapter = moe_row_adapter;
  return view;
}

}  // namespace slabscope
