// The residue of rows documents: what is taken, what is refused, and where.
#include <slabscope/layout/catalog.h>

#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::document_text;
using tests::mtp_with;
using tests::read_document;
using tests::read_documents;
using tests::row_of_mtp;

TEST_CASE("residue") {
  struct Row {
    std::string_view what;
    std::string_view residue;  // '@' stands before the offending byte; of a slab of 260 bytes
    std::string_view error;    // code and pointer, or what is read
  };
  const Row rows[] = {
      {"none", "[]", ""},
      {"one", R"([{"offset": 4, "hex": "00"}])", "\nresidue 4: 0"},
      {"at the very end", R"([{"offset": 259, "hex": "ff"}])", "\nresidue 259: 255"},
      {"runs that touch", R"([{"offset": 4, "hex": "0102"}, {"offset": 6, "hex": "03"}])",
       "\nresidue 4: 1 2\nresidue 6: 3"},
      {"letters of both kinds", R"([{"hex": "aBcDeF", "offset": "0x4"}])",
       "\nresidue 4: 171 205 239"},
      {"escapes", R"([{"hex": "\u0030\u0031", "offset": 4}])", "\nresidue 4: 1"},
      {"an odd number of digits", R"([@{"offset": 4, "hex": "001"}])", "bad_residue /residue/0"},
      {"one digit", R"([@{"offset": 4, "hex": "0"}])", "bad_residue /residue/0"},
      {"no digits", R"([@{"offset": 4, "hex": ""}])", "bad_residue /residue/0"},
      {"no hex digit", R"([@{"offset": 4, "hex": "0g"}])", "bad_residue /residue/0"},
      {"a blank", R"([@{"offset": 4, "hex": "00 11"}])", "bad_residue /residue/0"},
      {"a 0x", R"([@{"offset": 4, "hex": "0x00"}])", "bad_residue /residue/0"},
      {"a number", R"([@{"offset": 4, "hex": 10}])", "wrong_type /residue/0"},
      {"a list", R"([@{"offset": 4, "hex": ["00"]}])", "wrong_type /residue/0"},
      {"no hex", R"([@{"offset": 4}])", "missing_key /residue/0"},
      {"no offset", R"([@{"hex": "00"}])", "missing_key /residue/0"},
      {"nothing", R"([@{}])", "missing_key /residue/0"},
      {"no object", R"([@"00"])", "wrong_type /residue/0"},
      {"an offset that is none", R"([@{"offset": "four", "hex": "00"}])", "wrong_type /residue/0"},
      {"an offset with a fraction", R"([@{"offset": 4.0, "hex": "00"}])", "wrong_type /residue/0"},
      {"a negative offset", R"([@{"offset": -1, "hex": "00"}])", "out_of_range /residue/0"},
      {"an offset of 2^64", R"([@{"offset": 18446744073709551616, "hex": "00"}])",
       "out_of_range /residue/0"},
      {"an unknown key", R"([@{"offset": 4, "hex": "00", "bytes": 1}])", "unknown_key /residue/0"},
      {"an offset twice", R"([@{"offset": 4, "offset": 4, "hex": "00"}])",
       "duplicate_key /residue/0"},
      {"hex twice", R"([@{"offset": 4, "hex": "00", "hex": "00"}])", "duplicate_key /residue/0"},
      {"outside", R"([@{"offset": 260, "hex": "00"}])", "bad_residue /residue/0"},
      {"outside by one byte", R"([@{"offset": 259, "hex": "0000"}])", "bad_residue /residue/0"},
      {"far outside", R"([@{"offset": 18446744073709551615, "hex": "0000"}])",
       "bad_residue /residue/0"},
      {"out of order", R"([{"offset": 8, "hex": "00"}, @{"offset": 4, "hex": "00"}])",
       "bad_residue /residue/1"},
      {"overlapping by one byte", R"([{"offset": 4, "hex": "0000"}, @{"offset": 5, "hex": "00"}])",
       "bad_residue /residue/1"},
      {"the same run twice", R"([{"offset": 4, "hex": "00"}, @{"offset": 4, "hex": "00"}])",
       "bad_residue /residue/1"},
      {"the first of two mistakes",
       R"([{"offset": 4, "hex": "00"}, @{"offset": 3, "hex": "00"}, {"hex": 5}])",
       "bad_residue /residue/1"},
      {"outside before out of order",
       R"([@{"offset": 300, "hex": "00"}, {"offset": 3, "hex": "00"}])", "bad_residue /residue/0"},
      {"outside before no hex", R"([@{"offset": 300, "hex": "00"}, {"offset": 400, "hex": "0"}])",
       "bad_residue /residue/0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const tests::MarkedText document(mtp_with(R"(, "residue": )" + std::string(row.residue)));
    for (const std::size_t pace : {std::size_t{1}, tests::all_at_once}) {
      const auto read = read_documents(document.text, {}, pace);
      if (row.residue.find('@') == std::string_view::npos) {
        REQUIRE(tests::shown_error(read) == "no error");
        const std::string text = document_text(read->front());
        CHECK(text.substr(text.find("groups") + 6) == row.error);
        continue;
      }
      REQUIRE_FALSE(read.has_value());
      CHECK(std::string(info(read.error().code).name) + " " + read.error().pointer == row.error);
      CHECK(tests::shown(read.error().place) == document.place);
    }
  }
}

TEST_CASE("a long run of residue is read whole, and one past any slab is refused") {
  std::string hex;
  std::string expected;
  for (int index = 0; index < 50000; ++index) {
    char pair[4];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(index * 7 % 256));
    hex += pair;
    expected += static_cast<char>(index * 7 % 256);
  }
  const std::string text = R"({"layout": "mtp", "params": {"entries": 20000}, "rows": [)" +
                           std::string(row_of_mtp) + R"(], "residue": [{"offset": 100, "hex": ")" +
                           hex + "\"}]}";
  for (const std::size_t pace : {std::size_t{3}, tests::all_at_once}) {
    const RowsDocument document = read_document(text, {}, pace);
    REQUIRE(document.residue.runs.size() == 1);
    CHECK(document.residue.runs[0].bytes == 50000);
    const auto bytes = document.residue.bytes.bytes();
    CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == expected);
  }
  RowsOptions options;
  options.max_slab_bytes = 40000;
  const auto refused =
      read_documents(mtp_with(R"(, "residue": [{"offset": 100, "hex": ")" + hex + "\"}]"), options);
  REQUIRE_FALSE(refused.has_value());
  CHECK((refused.error().code == ErrorCode::bad_residue));
}

}  // namespace
}  // namespace slabscope
