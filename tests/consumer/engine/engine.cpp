// Packs one propose sequence into memory of its own and reads it back as a kernel would.
#include <slabscope/slab/builtin.h>
#include <slabscope/slab/view_on_device.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<std::uint32_t> block_table = {3, 9};
  alignas(8) std::byte region[2048];
  slabscope::BuiltinPacker packer;
  const auto size = packer.pack_into(region, slabscope::MtpRow{23, 9 * 16 + 7, 24, block_table});
  if (!size) {
    std::fprintf(stderr, "%s\n", slabscope::to_line(size.error(), "engine").c_str());
    return 1;
  }
  const auto view =
      slabscope::mtp_view(packer.layout(), reinterpret_cast<std::uintptr_t>(region), 2);
  std::printf("%zu B, slot %lld, block %d\n", *size, static_cast<long long>(slot_at(*view, 0)),
              block_at(*view, 0, 1, 2));
  const auto refused =
      packer.pack_into(std::span(region).first(256), slabscope::MtpRow{0, -1, 1, block_table});
  std::printf("%s\n", refused ? "packed" : slabscope::to_line(refused.error(), "engine").c_str());
  return 0;
}
