// One rows document: reads its members in any order, keeps what is wrong until the order of errors
// is known, then resolves the layout and checks the rows against it. Internal to the rows reader.
#pragma once

#include <slabscope/json/column_reader.h>
#include <slabscope/json/first_error.h>
#include <slabscope/json/rows_reader.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope {

class DocumentReader {
 public:
  // The document's begin token has been read.
  DocumentReader(RowsReader& reader, TextPlace begin, std::string pointer);
  [[nodiscard]] Result<RowsDocument> read();

 private:
  // Text of a member that came before the layout was known.
  struct Captured {
    std::string text;
    TextPlace place;
    std::string pointer;
  };

  [[nodiscard]] Result<void> read_member(const std::string& key);
  void set_layout(DescriptionPtr description);
  [[nodiscard]] Result<void> read_layout_name();
  [[nodiscard]] Result<void> read_params();
  [[nodiscard]] Result<void> read_count(std::optional<std::uint64_t>& into);
  [[nodiscard]] Result<void> read_partial();
  [[nodiscard]] Result<void> read_groups();
  [[nodiscard]] Result<void> read_residue();
  [[nodiscard]] Result<void> read_residue_run(const Token& first);
  [[nodiscard]] Result<void> read_or_capture(const std::string& key);
  [[nodiscard]] Result<void> replay(const Captured& captured,
                                    Result<void> (ColumnReader::*read_value)(Tokenizer&));

  void check_names();
  [[nodiscard]] Result<RowsDocument> finish();
  void offer_outside_residue(const Layout& layout);
  [[nodiscard]] std::optional<std::uint64_t> region_bytes() const;
  [[nodiscard]] std::string region_option() const;
  [[nodiscard]] Error placed(Error failed, const std::string& member) const;
  [[nodiscard]] Error here(const Token& token, ErrorCode code, std::string message) const;

  RowsReader& reader_;
  Tokenizer& tokenizer_;
  const RowsOptions& options_;
  TextPlace begin_;
  std::string pointer_;

  struct Member {
    std::string key;
    TextPlace place;
  };
  std::vector<Member> seen_;
  FirstError first_error_;
  DescriptionPtr description_;
  std::optional<ColumnReader> columns_;
  std::optional<Captured> captured_rows_;
  std::optional<Captured> captured_fields_;
  Assignments params_;
  std::optional<std::uint64_t> region_bytes_;
  std::optional<std::uint64_t> live_rows_;
  std::vector<std::int64_t> groups_;
  bool has_groups_ = false;
  Residue residue_;
  std::vector<TextPlace> residue_places_;
  std::uint64_t residue_count_ = 0;
  bool keeps_residue_ = true;  // until a run is out of order or too long
};

}  // namespace slabscope
