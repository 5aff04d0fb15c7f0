// The bytes of slabs with what they are: a line an element, gaps and what stands behind a slab in
// lines of 16. Every byte is in exactly one line.
#pragma once

#include <slabscope/layout/layout.h>
#include <slabscope/text/json_text.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slabscope {

struct HexStyle {
  std::optional<std::uint64_t> base;  // address of the dump's first byte, in a column of its own
  bool folds = false;                 // equal elements or lines in a row become one line
};

class HexDump {
 public:
  // Fewer equal elements, or lines, are not worth folding.
  static constexpr std::uint64_t fewest_folded = 4;

  // Both must outlive it.
  HexDump(const Layout& layout, const HexStyle& style, TextWriter& text)
      : layout_(layout), style_(style), text_(text) {}

  // The slab that begins `offset` bytes into the dump: `slab` holds layout.size bytes. Offsets in
  // lines count from its first byte.
  void put_slab(std::uint64_t number, std::uint64_t offset, std::span<const std::byte> slab);
  // Bytes that follow it in the dump, in pieces of any size; end_slab() after the last.
  void put_behind(std::span<const std::byte> bytes);
  void end_slab();

 private:
  static constexpr std::size_t bytes_a_line = 16;

  // Equal elements in a row.
  struct ElementRun {
    const ResolvedField* field = nullptr;
    std::uint64_t first = 0;  // number within the field
    std::uint64_t count = 0;
    std::span<const std::byte> bytes = {};  // of one
  };
  // Bytes that no field owns: the line that is being filled, and before it whole lines of one
  // repeated byte.
  struct UnownedRun {
    std::string_view label = {};
    std::uint64_t at = 0;  // where the repeated bytes, or else the line, begin
    std::uint64_t repeated_bytes = 0;
    std::byte repeated{};
    std::array<std::byte, bytes_a_line> line{};
    std::size_t line_bytes = 0;
  };

  void measure(std::span<const std::byte> slab);
  void put_heading(std::uint64_t number);
  void put_field(const ResolvedField& field, std::span<const std::byte> bytes);
  void end_elements();
  void put_element(std::uint64_t number, const std::string& bytes);
  void begin_unowned(std::string_view label, std::uint64_t at);
  void put_unowned(std::span<const std::byte> bytes);
  void end_line();
  void end_repeated();
  void end_unowned();
  void put_unowned_line(std::uint64_t at, std::span<const std::byte> bytes);
  [[nodiscard]] std::string place(std::uint64_t at) const;
  [[nodiscard]] std::string hex(std::span<const std::byte> bytes) const;

  const Layout& layout_;
  HexStyle style_;
  TextWriter& text_;
  std::uint64_t slab_offset_ = 0;
  // Widths of the columns.
  std::size_t address_width_ = 0;
  std::size_t bytes_width_ = 0;
  std::size_t owner_width_ = 0;
  std::size_t value_width_ = 0;
  bool has_blanks_ = true;  // between bytes
  ElementRun elements_;
  UnownedRun unowned_;
};

}  // namespace slabscope
