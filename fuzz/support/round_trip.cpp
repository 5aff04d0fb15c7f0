#include "round_trip.h"

#include "limits.h"
#include "property.h"

#include <slabscope/json/rows_reader.h>
#include <slabscope/slab/pack.h>

#include <tests/support/paced_source.h>

#include <algorithm>
#include <memory>

namespace slabscope::fuzz {
namespace {

using Kind = JsonReference::Kind;

std::string shown(std::span<const std::byte> got, std::span<const std::byte> wanted) {
  return tests::difference(got, wanted);
}

Bytes written(const RowsDocument& document) {
  const RowsViewOf rows(document.rows);
  tests::KeepingSink sink;
  require(write_slab(document.layout, rows.view(), document.residue, sink).has_value(),
          "an accepted document packs");
  const auto bytes = std::as_bytes(std::span(sink.text));
  return {bytes.begin(), bytes.end()};
}

// Into a buffer of exactly the slab's bytes, so that one byte outside is seen.
void check_packed(const RowsDocument& document, const ReferenceDocument& wanted) {
  const RowsViewOf rows(document.rows);
  const std::unique_ptr<std::byte[]> region(new std::byte[document.layout.size]);
  const std::span<std::byte> slab(region.get(), document.layout.size);
  const auto size = pack_into(slab, document.layout, rows.view());
  require(size && *size == wanted.packed.size(), "an accepted document packs");
  require(tests::same(slab, wanted.packed), "packed bytes are those of a second packer",
          [&] { return shown(slab, wanted.packed); });
}

void check_document(const RowsDocument& document, const ReferenceDocument& wanted) {
  check_resolved(document.layout, wanted.layout);
  require(document.groups == wanted.groups && document.region_bytes == wanted.region_bytes,
          "groups and region are those of a second reader");
  check_packed(document, wanted);
  const Bytes slab = written(document);
  require(slab == wanted.slab, "the slab is that of a second reader",
          [&] { return shown(slab, wanted.slab); });
}

// The elements of one row, or of a field that is no row's, as a full list for each dimension.
bool holds_elements(const JsonReference& value, const ReferenceField& field,
                    std::span<const std::byte> slab, std::uint64_t offset, std::uint64_t bytes,
                    std::span<const std::uint64_t> shape) {
  if (shape.empty())
    return value.kind == Kind::integer && value.integer == reference_element(field, slab, offset);
  // A list without elements is written as one list, whatever its other dimensions are.
  const std::uint64_t entries = bytes == 0 ? 0 : shape.front();
  if (value.kind != Kind::array || value.children.size() != entries) return false;
  for (std::uint64_t index = 0; index < entries; ++index)
    if (!holds_elements(value.children[index], field, slab, offset + index * (bytes / entries),
                        bytes / entries, shape.subspan(1)))
      return false;
  return true;
}

void check_holder(const JsonReference& holder, const ReferenceLayout& layout,
                  std::span<const std::byte> slab, std::uint64_t item, bool of_rows) {
  std::size_t members = 0;
  for (const ReferenceField& field : layout.fields) {
    if (layout.is_of_rows(field) != of_rows) continue;
    require(members < holder.keys.size() && holder.keys[members] == field.name,
            "fields are written in order", [&] { return field.name; });
    require(holds_elements(holder.children[members++], field, slab,
                           field.offset + item * field.item_bytes(), field.item_bytes(),
                           field.item_shape()),
            "every element is written as it stands in the slab",
            [&] { return field.name + " of row " + std::to_string(item); });
  }
  require(members == holder.keys.size(), "nothing else is written");
}

// The normalised document of a slab: all parameters, rows and elements, and nothing else.
void check_normalised(const JsonReference& document, const ReferenceLayout& layout,
                      std::span<const std::byte> slab) {
  ReferenceParams params;
  for (const auto& each : layout.params)
    if (!layout.derived.contains(each.first)) params.push_back(each);
  params.insert(params.end(), layout.carried.begin(), layout.carried.end());
  const JsonReference& given = document["params"];
  require(document["layout"].string == layout.name && given.keys.size() == params.size(),
          "a document names its layout and all parameters");
  for (std::size_t index = 0; index < params.size(); ++index)
    require(given.keys[index] == params[index].first &&
                given.children[index].integer == int128{params[index].second},
            "a parameter is written", [&] { return params[index].first; });
  const JsonReference& rows = document["rows"];
  require(rows.children.size() == layout.row_count, "all rows are written");
  for (std::size_t row = 0; row < rows.children.size(); ++row)
    check_holder(rows.children[row], layout, slab, row, true);
  if (document.has("fields")) check_holder(document["fields"], layout, slab, 0, false);
}

// Every byte of the residue is one that packing the rows does not give.
void check_residue(const JsonReference& document, std::span<const std::byte> packed,
                   std::span<const std::byte> slab) {
  if (!document.has("residue")) return;
  for (const JsonReference& run : document["residue"].children) {
    const auto offset = static_cast<std::uint64_t>(run["offset"].integer);
    for (std::uint64_t at = offset; at < offset + run["hex"].string.size() / 2; ++at)
      require(at < slab.size() && packed[at] != slab[at], "residue is what packing does not give",
              [&] { return "byte " + std::to_string(at); });
  }
}

std::string document_of(const Layout& layout, std::span<const std::byte> slab,
                        const RowsStyle& style) {
  const auto view = SlabView::of(layout, slab);
  require(view.has_value(), "a slab of the layout's size is enough");
  tests::KeepingSink sink;
  TextWriter text(sink);
  const SlabSource source{"dump.bin", "raw", {}, 0, {}, layout.size};
  const auto outcome = write_rows(*view, source, style, text);
  require(text.finish().has_value(), "a sink that takes everything is no error");
  return outcome ? sink.text : std::string();
}

RowsOptions options_of(const FuzzLayout* layout) {
  RowsOptions options;
  options.max_slab_bytes = max_slab_bytes;
  if (layout != nullptr) options.layout = layout->description;
  return options;
}

// Reads documents to the end or the first error, each held against the second reader's; what came
// of it, as text.
std::string read_and_check(std::string_view text, std::size_t pace, const FuzzLayout* layout,
                           const ReferenceReading& wanted) {
  tests::PacedSource source(text, pace);
  RowsReader reader(source, "rows.json", options_of(layout));
  for (std::size_t number = 0;; ++number) {
    auto next = reader.next();
    if (!next) {
      check_error(next.error(), text, "rows.json");
      const std::string line = to_line(next.error(), "slabscope");
      require(wanted.is_unknown ||
                  (wanted.is_refused && (wanted.is_cut || number == wanted.documents.size())),
              "what is refused, a second reader refuses too", [&] { return line; });
      return line;
    }
    if (!*next) {
      require(wanted.is_unknown || (!wanted.is_refused && number == wanted.documents.size()),
              "what is accepted, a second reader accepts too");
      return "accepted";
    }
    if (wanted.is_cut || (wanted.is_unknown && number >= wanted.documents.size())) continue;
    require(number < wanted.documents.size(), "what is accepted, a second reader accepts too");
    check_document(**next, wanted.documents[number]);
    if (pace != tests::all_at_once) continue;
    const auto& origin = wanted.documents[number].layout.name;
    for (const FuzzLayout& each : layouts())
      if (each.description->name == origin)
        check_slab(each, (*next)->layout, wanted.documents[number].slab);
  }
}

}  // namespace

void check_rows_text(std::string_view text, const FuzzLayout* layout) {
  const ReferenceReading wanted =
      read_rows_reference(text, {layout == nullptr ? nullptr : &layout->tree, max_slab_bytes});
  const std::string at_once = read_and_check(text, tests::all_at_once, layout, wanted);
  // Byte after byte nothing is read the short way; in pieces it ends at every place.
  for (const std::size_t pace : {std::size_t{1}, 2 + text.size() % 63}) {
    const std::string in_pieces = read_and_check(text, pace, layout, wanted);
    require(at_once == in_pieces, "the outcome is the same however the bytes arrive",
            [&] { return at_once + "\nin pieces: " + in_pieces; });
  }
}

void check_named_rows_text(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (text.starts_with('@') && end != std::string_view::npos)
    for (const FuzzLayout& each : layouts())
      if (each.description->name == text.substr(1, end - 1))
        return check_rows_text(text.substr(end + 1), &each);
  check_rows_text(text);
}

void check_slab(const FuzzLayout& origin, const Layout& layout, std::span<const std::byte> slab) {
  const auto reference = resolve_reference(origin.tree, reference_params(layout.given),
                                           {layout.row_count, layout.live_rows});
  require(reference.has_value(), "what resolves, resolves in a second evaluation");
  check_resolved(layout, *reference);
  for (const RowsStyle& style :
       {RowsStyle{}, RowsStyle{.one_line = true}, RowsStyle{.one_line = true, .trim = true}}) {
    const std::string text = document_of(layout, slab, style);
    if (text.empty()) continue;  // a fill without a value cannot be trimmed
    const auto tree = tests::read_reference(text);
    require(tree.has_value(), "what is written is JSON", [&] { return text; });
    require(!style.one_line || text.find('\n') == std::string::npos, "a document is one line");
    if (!style.trim) check_normalised(*tree, *reference, slab);
    MemorySource source(text);
    RowsReader reader(source, "rows.json", options_of(&origin));
    auto read = reader.next();
    require(read && *read, "what is written is accepted",
            [&] { return read ? text : to_line(read.error(), "slabscope") + "\n" + text; });
    const Bytes packed = written(**read);
    require(tests::same(packed, slab), "decode and pack give the same bytes",
            [&] { return shown(packed, slab) + "\n" + text; });
    const ReferenceReading second = read_rows_reference(text, {&origin.tree, max_slab_bytes});
    require(second.documents.size() == 1 && tests::same(second.documents[0].slab, slab),
            "a second reader packs the same bytes", [&] { return text; });
    check_residue(*tree, second.documents[0].packed, slab);
  }
}

}  // namespace slabscope::fuzz
