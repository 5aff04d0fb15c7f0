// Rows documents that tests write as text.
#pragma once

#include "layout_text.h"
#include "paced_source.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/json/rows_reader.h>

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

// Reads documents to the end or the first error.
inline Result<std::vector<RowsDocument>> read_documents(std::string_view text,
                                                        const RowsOptions& options = {},
                                                        std::size_t pace = all_at_once) {
  PacedSource source(text, pace);
  RowsReader reader(source, "rows.json", options);
  std::vector<RowsDocument> documents;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(next, reader.next());
    if (!next) return documents;
    documents.push_back(*std::move(next));
  }
}

inline RowsDocument read_document(std::string_view text, const RowsOptions& options = {},
                                  std::size_t pace = all_at_once) {
  Result<std::vector<RowsDocument>> read = read_documents(text, options, pace);
  INFO("document: ", std::string(text.substr(0, 2000)));
  INFO("error: ", shown_error(read), read ? "" : ": " + read.error().message);
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 1);
  return std::move(read->front());
}

inline std::string number(std::uint64_t value) { return std::to_string(value); }

// "1 2 3 | 2 1": the elements of a column, then the lengths of its lists, level by level.
inline std::string column_text(const Layout& layout, const Rows& rows, std::size_t field) {
  const ElementType type = layout.fields[field].type();
  const std::span<const std::byte> bytes = rows.column(field).elements.bytes();
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += element_bytes(type))
    text += (text.empty() ? "" : " ") + visit_type(type, [&](auto zero) {
              std::memcpy(&zero, bytes.data() + at, sizeof zero);
              return to_text(int128{zero});
            });
  for (const ListCounts& level : rows.column(field).counts) {
    text += " |";
    for (std::uint64_t list = 0; list < level.lists(); ++list)
      text += " " + number(level.is_uniform() ? level.uniform() : level.each()[list]);
  }
  return text;
}

// Everything that is read from a document, in one text.
inline std::string document_text(const RowsDocument& document) {
  const Layout& layout = document.layout;
  std::string text = layout.description->name + " size " + number(layout.size) + " rows " +
                     number(document.rows.row_count()) + " live " + number(layout.live_rows) +
                     " params";
  for (const Assignment& each : layout.params) text += " " + each.name + "=" + number(each.value);
  for (const Assignment& each : layout.carried) text += " +" + each.name + "=" + number(each.value);
  for (std::size_t field = 0; field < layout.fields.size(); ++field)
    text += "\n" + layout.fields[field].name() + ": " + column_text(layout, document.rows, field);
  text += "\ngroups";
  for (const std::int64_t each : document.groups) text += " " + std::to_string(each);
  for (const ResidueRun& run : document.residue.runs) {
    text += "\nresidue " + number(run.offset) + ":";
    for (std::uint64_t at = 0; at < run.bytes; ++at)
      text += " " +
              number(std::to_integer<unsigned>(document.residue.bytes.bytes()[run.stored_at + at]));
  }
  return text;
}

inline std::string outcome_text(const Result<std::vector<RowsDocument>>& read) {
  if (!read) return shown(read.error()) + " in " + read.error().file + ": " + read.error().message;
  std::string text;
  for (const RowsDocument& each : *read) text += document_text(each) + "\n";
  return text;
}

// A healthy row of mtp, and a document of it with `more` members behind the rows.
constexpr std::string_view row_of_mtp =
    R"({"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]})";

inline std::string mtp_with(std::string_view more) {
  return R"({"layout": "mtp", "rows": [)" + std::string(row_of_mtp) + "]" + std::string(more) + "}";
}

}  // namespace slabscope::tests
