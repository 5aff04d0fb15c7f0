#include <slabscope/report/hex_dump.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/owner.h>
#include <slabscope/report/columns.h>

#include <algorithm>

namespace slabscope {
namespace {

constexpr std::size_t terminal_width = 80;
constexpr std::size_t offset_width = 8;
constexpr std::size_t type_width = 4;  // of the heading
constexpr std::size_t column_gap = 2;
constexpr std::size_t widest_owner_column = 40;  // longer texts push the rest of their line
constexpr std::string_view behind_name = "(behind the slab)";

std::size_t hex_width(std::uint64_t bytes, bool has_blanks) {
  return bytes == 0 ? 0 : has_blanks ? 3 * bytes - 1 : 2 * bytes;
}

// Characters of the widest value of a field.
std::size_t widest_value(const ResolvedField& field, std::span<const std::byte> bytes) {
  int128 least = 0;
  int128 most = 0;
  for (std::uint64_t at = 0; at < bytes.size(); at += field.element_bytes()) {
    const int128 value = load_element(field.type(), bytes.data() + at);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return std::max(to_text(least).size(), to_text(most).size());
}

bool is_repeated(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [&](std::byte each) { return each == bytes.front(); });
}

}  // namespace

void HexDump::put_slab(std::uint64_t number, std::uint64_t offset,
                       std::span<const std::byte> slab) {
  slab_offset_ = offset;
  measure(slab);
  put_heading(number);
  for (const Tile& tile : layout_.tiles) {
    const std::span<const std::byte> bytes = slab.subspan(tile.offset, tile.bytes);
    if (!tile.is_gap()) {
      put_field(layout_.fields[tile.field], bytes);
      continue;
    }
    begin_unowned(gap_name, tile.offset);
    put_unowned(bytes);
    end_unowned();
  }
  begin_unowned(behind_name, layout_.size);
}

void HexDump::put_behind(std::span<const std::byte> bytes) { put_unowned(bytes); }

void HexDump::end_slab() { end_unowned(); }

void HexDump::measure(std::span<const std::byte> slab) {
  constexpr std::string_view value_heading = "value";
  constexpr std::string_view owner_heading = "element";
  std::uint64_t widest_element = 0;
  value_width_ = value_heading.size();
  for (const ResolvedField& field : layout_.fields) {
    if (field.bytes == 0) continue;
    widest_element = std::max(widest_element, field.element_bytes());
    value_width_ =
        std::max(value_width_, widest_value(field, slab.subspan(field.offset, field.bytes)));
  }
  owner_width_ = std::clamp(longest_text(layout_), owner_heading.size(), widest_owner_column);
  constexpr std::string_view address_heading = "address";
  const std::uint64_t last = layout_.size - std::min<std::uint64_t>(layout_.size, 1);
  if (style_.base)
    address_width_ =
        std::max(address_heading.size(), hex_text(*style_.base + slab_offset_ + last).size());
  const std::size_t before =
      offset_width + column_gap + (style_.base ? address_width_ + column_gap : 0);
  const std::size_t behind =
      column_gap + type_width + column_gap + owner_width_ + column_gap + value_width_;
  // Blanks between bytes where there is room for them.
  has_blanks_ =
      before + hex_width(widest_element, true) + behind <= terminal_width &&
      before + hex_width(bytes_a_line, true) + column_gap + behind_name.size() <= terminal_width;
  bytes_width_ = std::max<std::size_t>(5, hex_width(widest_element, has_blanks_));
}

void HexDump::put_heading(std::uint64_t number) {
  text_.put("slab " + std::to_string(number) + " (" + layout_.description->name + ", " +
            std::to_string(layout_.size) + " B at " + std::to_string(slab_offset_) + "):\n" +
            at_right("offset", offset_width) +
            (style_.base ? "  " + at_left("address", address_width_) : "") + "  " +
            at_left("bytes", bytes_width_) + "  type  " + at_left("element", owner_width_) + "  " +
            at_right("value", value_width_) + "\n");
}

void HexDump::put_field(const ResolvedField& field, std::span<const std::byte> bytes) {
  const std::uint64_t width = field.element_bytes();
  elements_ = {&field, 0, 0, {}};
  for (std::uint64_t number = 0; number * width < bytes.size() && !text_.failed(); ++number) {
    const std::span<const std::byte> element = bytes.subspan(number * width, width);
    if (elements_.count == 0 ||
        !std::equal(element.begin(), element.end(), elements_.bytes.begin())) {
      end_elements();
      elements_ = {&field, number, 0, element};
    }
    ++elements_.count;
  }
  end_elements();
}

void HexDump::end_elements() {
  const std::uint64_t count = std::exchange(elements_.count, 0);
  if (style_.folds && count >= fewest_folded)
    return put_element(elements_.first, std::to_string(count) + " elements, " +
                                            std::to_string(count * elements_.bytes.size()) + " B");
  for (std::uint64_t index = 0; index < count && !text_.failed(); ++index)
    put_element(elements_.first + index, hex(elements_.bytes));
}

// `bytes`: what stands in their column.
void HexDump::put_element(std::uint64_t number, const std::string& bytes) {
  const ResolvedField& field = *elements_.field;
  const Owner owner = owner_at(field, number / field.item_elements, number % field.item_elements);
  text_.put(place(owner.offset) + at_left(bytes, bytes_width_) + "  " +
            at_left(std::string(name(field.type())), type_width) + "  " +
            at_left(to_text(owner), owner_width_) + "  " +
            at_right(to_text(load_element(field.type(), elements_.bytes.data())), value_width_) +
            "\n");
}

void HexDump::begin_unowned(std::string_view label, std::uint64_t at) {
  unowned_ = {};
  unowned_.label = label;
  unowned_.at = at;
}

void HexDump::put_unowned(std::span<const std::byte> bytes) {
  while (!bytes.empty() && !text_.failed()) {
    const std::size_t count = std::min(bytes.size(), bytes_a_line - unowned_.line_bytes);
    std::copy_n(bytes.begin(), count, unowned_.line.begin() + unowned_.line_bytes);
    unowned_.line_bytes += count;
    bytes = bytes.subspan(count);
    if (unowned_.line_bytes == bytes_a_line) end_line();
  }
}

// The line goes to the repeated ones before it, or is written.
void HexDump::end_line() {
  const std::span<const std::byte> line =
      std::span<const std::byte>(unowned_.line).first(std::exchange(unowned_.line_bytes, 0));
  const bool repeats = style_.folds && is_repeated(line);
  if (!repeats || (unowned_.repeated_bytes != 0 && unowned_.repeated != line.front()))
    end_repeated();
  if (repeats) {
    unowned_.repeated = line.front();
    unowned_.repeated_bytes += line.size();
    return;
  }
  put_unowned_line(unowned_.at, line);
  unowned_.at += line.size();
}

void HexDump::end_repeated() {
  std::uint64_t rest = std::exchange(unowned_.repeated_bytes, 0);
  if (rest >= fewest_folded * bytes_a_line) {
    text_.put(place(unowned_.at) + std::to_string(rest) + " B of " +
              hex(std::span(&unowned_.repeated, 1)) + "  " + std::string(unowned_.label) + "\n");
    unowned_.at += rest;
    return;
  }
  std::array<std::byte, bytes_a_line> line;
  line.fill(unowned_.repeated);
  for (std::size_t count = 0; rest != 0; rest -= count, unowned_.at += count) {
    count = std::min<std::uint64_t>(rest, line.size());
    put_unowned_line(unowned_.at, std::span<const std::byte>(line).first(count));
  }
}

void HexDump::end_unowned() {
  if (unowned_.line_bytes != 0) end_line();
  end_repeated();
}

void HexDump::put_unowned_line(std::uint64_t at, std::span<const std::byte> bytes) {
  text_.put(place(at) + at_left(hex(bytes), bytes_width_) + "  " + std::string(unowned_.label) +
            "\n");
}

// The columns in front of the bytes.
std::string HexDump::place(std::uint64_t at) const {
  std::string text = at_right(std::to_string(at), offset_width) + "  ";
  if (style_.base)
    text += at_left(hex_text(*style_.base + slab_offset_ + at), address_width_) + "  ";
  return text;
}

std::string HexDump::hex(std::span<const std::byte> bytes) const {
  std::string text;
  for (const std::byte each : bytes) {
    if (has_blanks_ && !text.empty()) text += ' ';
    text += "0123456789abcdef"[std::to_integer<unsigned>(each) >> 4U];
    text += "0123456789abcdef"[std::to_integer<unsigned>(each) & 15U];
  }
  return text;
}

}  // namespace slabscope
