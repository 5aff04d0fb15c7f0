// Random documents, read by the rows reader and by an independent JSON reader: the same values in
// the same places.
#include "../support/json_reference.h"
#include "../support/pseudo_random.h"
#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::JsonReference;
using tests::PseudoRandom;

constexpr std::string_view mix =
    R"({"name": "mix", "params": {"rows": {}, "k": {}, "m": {}, "j": {}},
    "row_param": "rows", "fields": [
    {"name": "a", "type": "u8",  "shape": ["rows"]},
    {"name": "b", "type": "i16", "shape": ["rows", "k"], "fill": -3},
    {"name": "c", "type": "i64", "shape": ["rows", 3, "m"], "fill": 0},
    {"name": "d", "type": "u64", "shape": ["rows"], "fill": 1},
    {"name": "e", "type": "u32", "shape": ["j"]},
    {"name": "f", "type": "i32", "shape": [2, "rows"], "fill": 0},
    {"name": "g", "type": "i8",  "shape": [], "fill": -1}]})";

// A field's lists: how many levels of them a row's value has, and how long they may be.
struct Field {
  std::string_view name;
  ElementType type;
  bool of_rows;
  bool may_be_left_out;
  std::vector<std::uint64_t> most;
};

class DocumentScribe {
 public:
  explicit DocumentScribe(PseudoRandom& random) : random_(random) {}

  std::string document() {
    rows_ = random_.below(6);
    const std::uint64_t most = random_.below(5);
    fields_ = {{"a", ElementType::u8, true, false, {}},
               {"b", ElementType::i16, true, true, {most}},
               {"c", ElementType::i64, true, true, {3, most}},
               {"d", ElementType::u64, true, true, {}},
               {"e", ElementType::u32, false, false, {4}},
               {"f", ElementType::i32, false, true, {2, rows_}},
               {"g", ElementType::i8, false, true, {}}};
    std::vector<std::string> members = {"\"rows\"" + colon() + rows(),
                                        "\"fields\"" + colon() + object(false)};
    if (random_.one_in(3)) members.push_back("\"params\"" + colon() + "{" + blanks() + "}");
    if (random_.one_in(3)) members.push_back("\"source\"" + colon() + "{\"file\": \"x\"}");
    return blanks() + in_braces(members) + blanks();
  }

 private:
  std::string blanks() {
    constexpr std::string_view choices[] = {"", "", "", " ", "\n", "\r\n\t", "  "};
    return std::string(random_.pick(choices));
  }
  std::string colon() { return blanks() + ":" + blanks(); }

  std::string in_braces(std::vector<std::string> members) {
    for (std::size_t index = members.size(); index > 1; --index)
      std::swap(members[index - 1], members[random_.below(index)]);
    return joined("{", members, "}");
  }
  std::string joined(std::string_view open, const std::vector<std::string>& entries,
                     std::string_view close) {
    std::string text(open);
    for (std::size_t index = 0; index < entries.size(); ++index)
      text += (index == 0 ? "" : ",") + blanks() + entries[index] + blanks();
    return text + blanks() + std::string(close);
  }

  std::string rows() {
    std::vector<std::string> entries;
    for (std::uint64_t row = 0; row < rows_; ++row) entries.push_back(object(true));
    return joined("[", entries, "]");
  }
  std::string object(bool of_rows) {
    std::vector<std::string> members;
    for (const Field& field : fields_) {
      if (field.of_rows != of_rows || (field.may_be_left_out && random_.one_in(3))) continue;
      members.push_back("\"" + std::string(field.name) + "\"" + colon() + value(field, 0));
    }
    return in_braces(members);
  }
  std::string value(const Field& field, std::size_t level) {
    if (level == field.most.size()) return integer(field.type);
    std::vector<std::string> entries;
    for (std::uint64_t count = random_.below(field.most[level] + 1); count != 0; --count)
      entries.push_back(value(field, level + 1));
    return joined("[", entries, "]");
  }
  std::string integer(ElementType type) {
    const auto span = static_cast<uint128>(maximum(type) - minimum(type)) + 1;
    const int128 edges[] = {minimum(type), maximum(type), 0, 1};
    const int128 value = random_.one_in(4)
                             ? random_.pick(edges)
                             : minimum(type) + static_cast<int128>(random_.bits() % span);
    const std::string decimal = to_text(value);
    if (random_.one_in(2)) return decimal;
    if (random_.one_in(2)) return "\"" + decimal + "\"";
    char hex[32];
    const auto magnitude = static_cast<unsigned long long>(value < 0 ? -value : value);
    std::snprintf(hex, sizeof hex, random_.one_in(2) ? "%s0x%llx" : "%s0x%llX",
                  value < 0 ? "-" : "", magnitude);
    return "\"" + std::string(hex) + "\"";
  }

  PseudoRandom& random_;
  std::uint64_t rows_ = 0;
  std::vector<Field> fields_;
};

std::string integer_of(const JsonReference& node) {
  if (node.kind != JsonReference::Kind::string) return to_text(node.integer);
  return node.string.starts_with('-')
             ? std::to_string(std::strtoll(node.string.c_str(), nullptr, 0))
             : std::to_string(std::strtoull(node.string.c_str(), nullptr, 0));
}

// What the column of a field must hold, as column_text shows it.
struct Expected {
  std::string elements;
  std::vector<std::string> counts;

  explicit Expected(std::size_t levels) : counts(std::max<std::size_t>(levels, 1)) {}

  void count(std::size_t level, std::size_t count) { counts[level] += " " + std::to_string(count); }
  void add(const JsonReference& node, std::size_t level, std::size_t levels) {
    if (level == levels) {
      elements += (elements.empty() ? "" : " ") + integer_of(node);
      return;
    }
    for (const JsonReference& each : node.children) add(each, level + 1, levels);
    count(level, node.children.size());
  }
  void add_member(const JsonReference& object, std::string_view name, std::size_t levels) {
    if (!object.has(name)) return count(0, 0);
    if (levels == 0) count(0, 1);
    add(object[name], 0, levels);
  }
  [[nodiscard]] std::string text() const {
    std::string made = elements;
    for (const std::string& each : counts) made += " |" + each;
    return made;
  }
};

TEST_CASE("random documents have the values that an independent reader finds") {
  RowsOptions options;
  options.layout = tests::described(mix);
  PseudoRandom random(14);
  const std::pair<std::string_view, std::size_t> row_fields[] = {
      {"a", 0}, {"b", 1}, {"c", 2}, {"d", 0}};
  const std::pair<std::string_view, std::size_t> other_fields[] = {{"e", 1}, {"f", 2}, {"g", 0}};
  for (int round = 0; round < 400; ++round) {
    const std::string text = DocumentScribe(random).document();
    CAPTURE(text);
    const auto reference = tests::read_reference(text);
    REQUIRE(reference.has_value());
    const JsonReference& rows = (*reference)["rows"];
    const JsonReference& fields = (*reference)["fields"];
    for (const std::size_t pace : {std::size_t{1}, std::size_t{7}, tests::all_at_once}) {
      const RowsDocument document = tests::read_document(text, options, pace);
      REQUIRE(document.rows.row_count() == rows.children.size());
      std::size_t field = 0;
      for (const auto& [name, levels] : row_fields) {
        Expected expected(levels);
        for (const JsonReference& row : rows.children) expected.add_member(row, name, levels);
        CHECK(tests::column_text(document.layout, document.rows, field++) == expected.text());
      }
      for (const auto& [name, levels] : other_fields) {
        Expected expected(levels);
        expected.add_member(fields, name, levels);
        CHECK(tests::column_text(document.layout, document.rows, field++) == expected.text());
      }
    }
  }
}

}  // namespace
}  // namespace slabscope
