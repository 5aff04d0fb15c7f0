#include "reference_rows.h"

#include <slabscope/layout/description.h>
#include <slabscope/layout/embedded.h>
#include <slabscope/text/tokenizer.h>

#include <algorithm>

namespace slabscope::fuzz {
namespace {

using Kind = JsonReference::Kind;

struct Refused {};

void demand(bool holds) {
  if (!holds) throw Refused{};
}

const JsonReference* member(const JsonReference& object, std::string_view key) {
  return object.has(key) ? &object[key] : nullptr;
}

int128 integer(const JsonReference& value, int128 low, int128 high) {
  std::optional<int128> exact;
  if (value.kind == Kind::integer) exact = value.integer;
  if (value.kind == Kind::string) exact = integer_of_text(value.string);
  demand(exact && *exact >= low && *exact <= high);
  return *exact;
}
std::uint64_t count(const JsonReference& value) {
  return static_cast<std::uint64_t>(integer(value, 0, (int128{1} << 64U) - 1));
}

const JsonReference& object(const JsonReference& value) {
  demand(value.kind == Kind::object && !value.has_key_twice());
  return value;
}
const std::vector<JsonReference>& list(const JsonReference& value) {
  demand(value.kind == Kind::array);
  return value.children;
}

void check_keys(const JsonReference& value, std::initializer_list<std::string_view> known) {
  for (const std::string& key : object(value).keys)
    demand(std::find(known.begin(), known.end(), key) != known.end());
}

class DocumentReference {
 public:
  DocumentReference(const JsonReference& document, const ReferenceOptions& options)
      : document_(document), options_(options) {}

  ReferenceDocument read() {
    check_keys(document_, {"layout", "params", "region_bytes", "live_rows", "groups", "rows",
                           "fields", "residue", "partial", "source"});
    find_layout();
    read_params();
    const auto& rows = list(document_["rows"]);
    const JsonReference* const live = member(document_, "live_rows");
    imply_reference_params(*description_, given_, rows.size(), longest_lists(rows));
    const auto layout = resolve_reference(
        *description_, given_,
        {rows.size(), live == nullptr ? std::nullopt : std::optional(count(*live))});
    demand(layout.has_value());
    made_.layout = *layout;
    check_numbers();
    made_.packed.resize(made_.layout.size);
    for (std::size_t row = 0; row < rows.size(); ++row) pack_object(rows[row], row, true);
    const JsonReference* const fields = member(document_, "fields");
    pack_object(fields == nullptr ? JsonReference{.kind = Kind::object} : *fields, 0, false);
    pack_padding(rows.size());
    lay_residue();
    return std::move(made_);
  }

 private:
  void find_layout() {
    const JsonReference* const name = member(document_, "layout");
    demand(name == nullptr || name->kind == Kind::string);
    description_ = options_.layout;
    if (description_ == nullptr && name != nullptr) description_ = builtin_reference(name->string);
    demand(description_ != nullptr && document_.has("rows"));
  }

  void read_params() {
    const JsonReference* const params = member(document_, "params");
    if (params == nullptr) return;
    demand(object(*params).keys.size() <= max_params + std::size(well_known_params));
    for (std::size_t index = 0; index < params->keys.size(); ++index)
      given_.emplace_back(params->keys[index], count(params->children[index]));
  }

  // Of each field, over all its innermost lists.
  std::vector<std::uint64_t> longest_lists(const std::vector<JsonReference>& rows) const {
    std::vector<std::uint64_t> longest;
    for (const JsonReference& field : (*description_)["fields"].children) {
      const bool per_row = is_per_row(*description_, field);
      const std::size_t levels = field["shape"].children.size() - (per_row ? 1 : 0);
      std::uint64_t most = 0;
      const auto visit = [&](const auto& self, const JsonReference& value, std::size_t level) {
        if (value.kind != Kind::array || level == levels) return;
        if (level + 1 == levels) most = std::max<std::uint64_t>(most, value.children.size());
        for (const JsonReference& each : value.children) self(self, each, level + 1);
      };
      const bool of_rows = per_row || !description_->has("row_param");
      const auto look_into = [&](const JsonReference& holder) {
        if (const JsonReference* const value = member(holder, field["name"].string))
          visit(visit, *value, 0);
      };
      if (of_rows) std::for_each(rows.begin(), rows.end(), look_into);
      if (!of_rows && document_.has("fields")) look_into(document_["fields"]);
      longest.push_back(most);
    }
    return longest;
  }

  void check_numbers() {
    const ReferenceLayout& layout = made_.layout;
    if (const JsonReference* const region = member(document_, "region_bytes"))
      made_.region_bytes = count(*region);
    if (const JsonReference* const partial = member(document_, "partial"))
      demand(partial->kind == Kind::boolean && !partial->boolean);
    if (const JsonReference* const source = member(document_, "source"))
      demand(source->kind == Kind::object);
    demand(layout.size <= options_.max_slab_bytes);
    demand(std::max(layout.row_count, std::min(layout.padded_rows, layout.capacity)) <=
           options_.max_slab_bytes);
    demand(!made_.region_bytes || layout.size <= *made_.region_bytes);
    demand(layout.has_row_param || layout.row_count == 1);
    demand(layout.live_rows <= layout.row_count && layout.row_count <= layout.padded_rows &&
           layout.padded_rows <= layout.capacity);
    const JsonReference* const groups = member(document_, "groups");
    if (groups == nullptr) return;
    constexpr int128 past = int128{1} << 63U;
    for (const JsonReference& each : list(*groups))
      made_.groups.push_back(static_cast<std::int64_t>(integer(each, -past, past - 1)));
    demand(made_.groups.size() == layout.live_rows);
  }

  void pack_object(const JsonReference& holder, std::uint64_t item, bool of_rows) {
    std::size_t known = 0;
    for (const ReferenceField& field : made_.layout.fields) {
      if (made_.layout.is_of_rows(field) != of_rows) continue;
      const JsonReference* const value = member(object(holder), field.name);
      demand(value != nullptr || field.may_be_left_out);
      known += value != nullptr ? 1U : 0U;
      const std::uint64_t offset = field.offset + item * field.item_bytes();
      const std::vector<std::uint64_t> shape = field.item_shape();
      if (value == nullptr && (shape.empty() || shape[0] != 0)) demand(field.fill.has_value());
      fill(field, offset, field.item_bytes(), field.fill.value_or(0));
      if (value != nullptr) pack_value(field, *value, offset, field.item_bytes(), shape, 0);
    }
    demand(known == object(holder).keys.size());
  }

  void pack_value(const ReferenceField& field, const JsonReference& value, std::uint64_t offset,
                  std::uint64_t bytes, const std::vector<std::uint64_t>& shape, std::size_t level) {
    if (level == shape.size()) {
      // In a field without bytes nothing is stored, but what is written has to be an element.
      const int128 element = integer(value, field.lowest(), field.highest());
      if (bytes != 0) store(field, offset, element);
      return;
    }
    const auto& entries = list(value);
    demand(entries.size() <= shape[level]);
    demand(entries.size() == shape[level] || field.fill.has_value());
    const std::uint64_t each = entries.empty() ? 0 : bytes / shape[level];
    for (std::size_t index = 0; index < entries.size(); ++index)
      pack_value(field, entries[index], offset + index * each, each, shape, level + 1);
  }

  void pack_padding(std::uint64_t first) {
    for (const ReferenceField& field : made_.layout.fields) {
      if (!field.per_row || field.item_bytes() == 0) continue;
      for (std::uint64_t row = first; row < made_.layout.padded_rows; ++row) {
        const std::uint64_t offset = field.offset + row * field.item_bytes();
        demand(field.pad.has_value());
        for (std::uint64_t index = 0; index < field.item_bytes() / field.width; ++index)
          store(field, offset + index * field.width,
                (*field.pad)[std::min<std::uint64_t>(index, field.pad->size() - 1)]);
      }
    }
  }

  void fill(const ReferenceField& field, std::uint64_t offset, std::uint64_t bytes, int128 value) {
    for (std::uint64_t at = 0; at < bytes; at += field.width) store(field, offset + at, value);
  }
  void store(const ReferenceField& field, std::uint64_t offset, int128 value) {
    for (std::uint64_t index = 0; index < field.width; ++index)
      made_.packed.at(offset + index) =
          static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * index) & 255U);
  }

  void lay_residue() {
    made_.slab = made_.packed;
    const JsonReference* const residue = member(document_, "residue");
    if (residue == nullptr) return;
    std::uint64_t end = 0;
    for (const JsonReference& run : list(*residue)) {
      check_keys(run, {"offset", "hex"});
      demand(run.keys.size() == 2 && run["hex"].kind == Kind::string);
      const std::string& hex = run["hex"].string;
      const std::uint64_t offset = count(run["offset"]);
      demand(!hex.empty() && hex.size() % 2 == 0 && offset >= end &&
             hex.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos);
      demand(offset <= made_.slab.size() && hex.size() / 2 <= made_.slab.size() - offset);
      for (std::size_t index = 0; index < hex.size(); index += 2)
        made_.slab[offset + index / 2] =
            static_cast<std::byte>(std::stoi(hex.substr(index, 2), nullptr, 16));
      end = offset + hex.size() / 2;
    }
  }

  const JsonReference& document_;
  const ReferenceOptions& options_;
  const JsonReference* description_ = nullptr;
  ReferenceParams given_;
  ReferenceDocument made_;
};

constexpr std::string_view blanks = " \t\r\n";

// The bytes of the value that `text` begins with, a bracket; 0 when it does not end or is nested
// deeper than documents are.
std::size_t bracketed(std::string_view text, std::size_t deepest) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char each = text[at];
    if (in_string) {
      at += each == '\\' ? 1 : 0;
      in_string = each != '"';
    } else if (each == '"') {
      in_string = true;
    } else if (each == '{' || each == '[') {
      if (++depth > deepest) return 0;
    } else if (each == '}' || each == ']') {
      if (--depth == 0) return at + 1;
    }
  }
  return 0;
}

}  // namespace

std::optional<std::vector<std::string_view>> split_documents(std::string_view text) {
  std::vector<std::string_view> documents;
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return documents;
  const bool is_list = text[begin] == '[';
  if (is_list) {
    const std::size_t bytes = bracketed(text.substr(begin), max_json_depth);
    if (bytes == 0 || text.find_first_not_of(blanks, begin + bytes) != std::string_view::npos)
      return std::nullopt;
    text = text.substr(begin + 1, bytes - 2);
  }
  for (bool is_first = true;; is_first = false) {
    std::size_t next = std::min(text.find_first_not_of(blanks), text.size());
    std::string_view between = text.substr(0, next);
    if (is_list && !is_first && next != text.size()) {
      if (text[next] != ',') return std::nullopt;
      next = std::min(text.find_first_not_of(blanks, next + 1), text.size());
      if (next == text.size()) return std::nullopt;  // a comma and nothing behind it
    }
    if (next == text.size()) return documents;
    if (!is_list && !is_first && between.find('\n') == std::string_view::npos) return std::nullopt;
    text.remove_prefix(next);
    const std::size_t bytes = bracketed(text, max_json_depth - (is_list ? 1 : 0));
    if (text.front() != '{' || bytes == 0) return std::nullopt;
    documents.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

ReferenceReading read_rows_reference(std::string_view text, const ReferenceOptions& options) {
  ReferenceReading reading;
  const auto documents = split_documents(text);
  reading.is_cut = !documents;
  reading.is_refused = !documents || documents->empty();
  if (reading.is_refused) return reading;
  for (const std::string_view each : *documents) {
    const auto tree = tests::read_reference(each);
    reading.is_unknown = tree && tree->kind == Kind::unknown;
    reading.is_refused = !tree;
    if (reading.is_refused || reading.is_unknown) return reading;
    try {
      reading.documents.push_back(DocumentReference(*tree, options).read());
    } catch (const Refused&) {
      reading.is_refused = true;
      return reading;
    }
  }
  return reading;
}

int128 reference_element(const ReferenceField& field, std::span<const std::byte> slab,
                         std::uint64_t offset) {
  int128 value = 0;
  for (std::uint64_t index = 0; index < field.width; ++index)
    value += int128{std::to_integer<std::uint64_t>(slab[offset + index])} << (8 * index);
  return value > field.highest() ? value - (int128{1} << (8 * field.width)) : value;
}

const JsonReference* builtin_reference(std::string_view name) {
  static const auto trees = [] {
    std::vector<std::pair<std::string_view, JsonReference>> made;
    for (const EmbeddedFile& each : embedded_layouts())
      made.emplace_back(each.name, tests::read_reference(each.text).value());
    return made;
  }();
  for (const auto& [known, tree] : trees)
    if (known == name) return &tree;
  return nullptr;
}

}  // namespace slabscope::fuzz
