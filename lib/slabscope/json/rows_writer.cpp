#include <slabscope/json/rows_writer.h>

#include <slabscope/base/integer_text.h>

#include <slabscope/slab/pack.h>
#include <slabscope/slab/residue.h>

#include <string>
#include <utility>
#include <vector>

namespace slabscope {
namespace {

class DocumentWriter {
 public:
  DocumentWriter(const SlabView& slab, const RowsStyle& style, TextWriter& text)
      : slab_(slab),
        layout_(slab.layout()),
        style_(style),
        text_(text),
        comma_(style.one_line ? "," : ", "),
        colon_(style.one_line ? ":" : ": ") {
    for (const ResolvedField& field : layout_.fields)
      heads_.push_back(json_string(field.name()) + std::string(colon_));
  }

  void write(const std::optional<SlabSource>& source) {
    text_.put("{");
    key("layout");
    text_.put(json_string(layout_.description->name));
    params();
    count("region_bytes", style_.region_bytes);
    if (layout_.live_rows != layout_.row_count) count("live_rows", layout_.live_rows);
    rows();
    fields();
    if (!style_.residue) {
      next_member("partial");
      text_.put("true");
    }
    if (source) where(*source);
    if (style_.residue) residue();
    text_.put("}");
  }

 private:
  void key(std::string_view name) {
    text_.put(json_string(name));
    text_.put(colon_);
  }
  void next_member(std::string_view name) {
    text_.put(style_.one_line ? "," : ",\n ");
    key(name);
  }

  void params() {
    text_.put(comma_);
    key("params");
    text_.put("{");
    bool first = true;
    const auto put = [&](const Assignment& each) {
      if (!std::exchange(first, false)) text_.put(comma_);
      key(each.name);
      text_.put(int128{each.value});
    };
    for (const Assignment& each : layout_.params)
      if (!layout_.description->find_param(each.name)->value &&
          (style_.defaults || find(layout_.given, each.name) != nullptr))
        put(each);
    for (const Assignment& each : layout_.carried) put(each);
    text_.put("}");
  }

  void count(std::string_view name, std::optional<std::uint64_t> value) {
    if (!value) return;
    text_.put(comma_);
    key(name);
    text_.put(int128{*value});
  }

  void rows() {
    next_member("rows");
    text_.put("[");
    for (std::uint64_t row = 0; row < layout_.row_count && !text_.failed(); ++row) {
      if (row != 0) text_.put(",");
      if (!style_.one_line) text_.put("\n  ");
      object(row, true);
    }
    text_.put("]");
  }

  void fields() {
    if (!layout_.description->row_param) return;
    bool any = false;
    for (const ResolvedField& each : layout_.fields) any = any || !each.description->per_row;
    if (!any) return;
    next_member("fields");
    object(0, false);
  }

  // The fields of one row, or those that are no row's.
  void object(std::uint64_t item, bool of_rows) {
    text_.put("{");
    bool first = true;
    for (const ResolvedField& field : layout_.fields) {
      if (layout_.description->row_param && field.description->per_row != of_rows) continue;
      if (!std::exchange(first, false)) text_.put(comma_);
      text_.put(heads_[field_index(field)]);
      value(field, item, 0, 0, field.item_elements);
    }
    text_.put("}");
  }

  // The value at `level` of the item's shape that begins at `element` and has `elements`.
  void value(const ResolvedField& field, std::uint64_t item, std::size_t level,
             std::uint64_t element, std::uint64_t elements) {
    const std::span<const std::uint64_t> shape = field.item_shape();
    if (level == shape.size()) return text_.put(slab_.element(field, item, element));
    text_.put("[");
    const std::uint64_t each = elements == 0 ? 0 : elements / shape[level];
    // A field without elements has no lists worth writing, whatever its other dimensions are.
    const std::uint64_t count = each == 0 ? 0 : kept(field, item, element, elements, each);
    if (level + 1 == shape.size()) {
      text_.put_numbers(field.type(), elements_of(field, item, element, count), comma_);
      return text_.put("]");
    }
    for (std::uint64_t index = 0; index < count && !text_.failed(); ++index) {
      if (index != 0) text_.put(comma_);
      value(field, item, level + 1, element + index * each, each);
    }
    text_.put("]");
  }

  // Entries of a list that are written.
  [[nodiscard]] std::uint64_t kept(const ResolvedField& field, std::uint64_t item,
                                   std::uint64_t element, std::uint64_t elements,
                                   std::uint64_t each) const {
    if (style_.lengths != nullptr && field.item_shape().size() == 1)
      return style_.lengths->columns[field_index(field)].counts[0][item];
    if (!style_.trim) return elements / each;
    const std::uint64_t rest = elements - trailing_fill(field, item, element, elements);
    return (rest + each - 1) / each;
  }

  // How many of the elements at the end equal the field's fill.
  [[nodiscard]] std::uint64_t trailing_fill(const ResolvedField& field, std::uint64_t item,
                                            std::uint64_t element, std::uint64_t elements) const {
    const std::span<const std::byte> bytes = elements_of(field, item, element, elements);
    return visit_type(field.type(), [&](auto zero) {
      const auto fill = static_cast<decltype(zero)>(*field.fill);
      std::uint64_t rest = elements;
      while (rest != 0 &&
             load_little_endian<decltype(zero)>(bytes.data() + (rest - 1) * sizeof fill) == fill)
        --rest;
      return elements - rest;
    });
  }

  [[nodiscard]] std::span<const std::byte> elements_of(const ResolvedField& field,
                                                       std::uint64_t item, std::uint64_t element,
                                                       std::uint64_t count) const {
    return slab_.item(field, item)
        .subspan(element * field.element_bytes(), count * field.element_bytes());
  }

  [[nodiscard]] std::size_t field_index(const ResolvedField& field) const {
    return static_cast<std::size_t>(&field - layout_.fields.data());
  }

  void where(const SlabSource& source) {
    next_member("source");
    text_.put("{");
    bool first = true;
    const auto member = [&](std::string_view name) {
      if (!std::exchange(first, false)) text_.put(comma_);
      key(name);
    };
    const auto put_text = [&](std::string_view name, const std::string& what) {
      if (what.empty()) return;
      member(name);
      text_.put(json_string(what));
    };
    put_text("file", source.file);
    put_text("container", source.container);
    put_text("region", source.region);
    put_text("slab", source.slab);
    const auto put_number = [&](std::string_view name, std::uint64_t number) {
      member(name);
      text_.put(int128{number});
    };
    if (source.offset) put_number("offset", *source.offset);
    if (source.file_offset) put_number("file_offset", *source.file_offset);
    if (source.address) put_text("address", hex_text(*source.address));
    put_number("bytes", source.bytes);
    text_.put("}");
  }

  void residue() {
    bool any = false;
    find_residue(layout_, slab_.bytes(),
                 [&](std::uint64_t offset, std::span<const std::byte> bytes) {
                   if (text_.failed()) return;
                   if (any) text_.put(comma_);
                   if (!any) {
                     next_member("residue");
                     text_.put("[");
                   }
                   any = true;
                   text_.put("{");
                   key("offset");
                   text_.put(int128{offset});
                   text_.put(comma_);
                   key("hex");
                   text_.put("\"");
                   text_.put_hex(bytes);
                   text_.put("\"}");
                 });
    if (any) text_.put("]");
  }

  const SlabView& slab_;
  const Layout& layout_;
  const RowsStyle& style_;
  TextWriter& text_;
  std::string_view comma_;
  std::string_view colon_;
  std::vector<std::string> heads_;  // of members: the fields' names and the colon
};

}  // namespace

Result<void> write_rows(const SlabView& slab, const std::optional<SlabSource>& source,
                        const RowsStyle& style, TextWriter& text) {
  if (style.trim) {
    for (const ResolvedField& field : slab.layout().fields)
      if (!field.fill) return fail(field.fill.error());
  }
  if (style.residue) SLABSCOPE_TRY(check_pads(slab.layout()));
  DocumentWriter(slab, style, text).write(source);
  return {};
}

}  // namespace slabscope
