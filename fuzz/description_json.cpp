// Property: bytes as a layout file are read the same however they arrive; errors point into the
// text; what is accepted is an object without a key twice to a second JSON reader, which finds the
// same names, types and shapes; and it resolves as a second evaluation does. Input: the file.
#include "support/layouts.h"
#include "support/limits.h"
#include "support/property.h"

#include <slabscope/layout/description_reader.h>

#include <tests/support/paced_source.h>

namespace {

using namespace slabscope;

void check_read(const Description& description, const fuzz::JsonReference& tree) {
  const fuzz::JsonReference& fields = tree["fields"];
  fuzz::require(!tree.has_key_twice() && tree["name"].string == description.name &&
                    fields.children.size() == description.fields.size(),
                "a description is an object with a name and all its fields");
  for (std::size_t index = 0; index < fields.children.size(); ++index) {
    const fuzz::JsonReference& field = fields[index];
    const FieldDescription& read = description.fields[index];
    fuzz::require(!field.has_key_twice() && field["name"].string == read.name &&
                      field["type"].string == name(read.type) &&
                      field["shape"].children.size() == read.shape.size() &&
                      field.has("fill") == read.may_be_left_out &&
                      fuzz::is_per_row(tree, field) == read.per_row,
                  "a field is read as it stands there", [&] { return read.name; });
  }
  if (!tree.has("params")) return;
  fuzz::require(!tree["params"].has_key_twice(), "no parameter is described twice");
  for (std::size_t index = 0; index < description.params.size(); ++index)
    fuzz::require(tree["params"].keys.at(index) == description.params[index].name,
                  "parameters are read in order");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::max_input_bytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  MemorySource source(text);
  const auto read = read_description(source, "layout.json");
  tests::PacedSource in_pieces(text, tests::paces[size % (std::size(tests::paces) - 1)]);
  const auto again = read_description(in_pieces, "layout.json");
  fuzz::require(read.has_value() == again.has_value() &&
                    (read || to_line(read.error(), "") == to_line(again.error(), "")),
                "the outcome is the same however the bytes arrive");
  if (!read) return fuzz::check_error(read.error(), text, "layout.json"), 0;
  const auto tree = tests::read_reference(text);
  fuzz::require(tree.has_value(), "what is accepted is JSON to a second reader");
  check_read(**read, *tree);
  fuzz::ReferenceParams given;
  for (const ParamDescription& each : (*read)->params)
    if (!each.value && !each.default_value) given.emplace_back(each.name, size % 7);
  (void)fuzz::check_resolution(*read, *tree, given, {3, 2});
  return 0;
}
