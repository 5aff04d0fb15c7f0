// Verilog memory files, as gdb's `dump verilog` and objcopy -O verilog write them: they keep all 64
// bits of an address.
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/text_image.h>

namespace slabscope {
namespace {

Result<void> parse_row(std::string_view line, unsigned /*unit*/, TextRow& row) {
  row = {};
  LineCursor cursor{line};
  (void)cursor.take_blanks();
  if (cursor.is_at_end()) return {};
  if (cursor.take("@")) {
    const std::size_t digits = cursor.hex_digits();
    if (digits == 0 || digits > 16) return cursor.fault("this is no address", "1 to 16 digits");
    row.address = cursor.take_hex(digits);
    (void)cursor.take_blanks();
    if (!cursor.is_at_end()) return cursor.fault("more stands behind an address");
    row.kind = TextRowKind::address;
    return {};
  }
  do {
    if (cursor.hex_digits() != 2)
      return cursor.fault("this is no byte; wider words are not read",
                          "2 digits (objcopy --verilog-data-width 1)");
    row.bytes.push_back(static_cast<std::byte>(cursor.take_hex(2)));
  } while (cursor.take_blanks() != 0 && !cursor.is_at_end());
  if (!cursor.is_at_end()) return cursor.fault("this is no byte", "2 digits and a blank");
  row.kind = TextRowKind::bytes;
  return {};
}

bool recognises(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  LineCursor cursor{first_text_line(first)};
  if (!cursor.take("@")) return false;
  const std::size_t digits = cursor.hex_digits();
  if (digits == 0 || digits > 16) return false;
  (void)cursor.take_hex(digits);
  (void)cursor.take_blanks();
  return cursor.is_at_end();
}

Result<std::unique_ptr<Container>> open(std::shared_ptr<RandomAccess> file,
                                        const ContainerHints& hints) {
  TextFormat format{verilog_kind, parse_row};
  format.counts_from_base = false;
  return open_text(format, std::move(file), hints);
}

}  // namespace

constinit const ContainerKind verilog_kind = {"verilog", "text of gdb's dump verilog", recognises,
                                              open};

}  // namespace slabscope
