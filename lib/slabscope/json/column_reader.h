// The rows and fields of one document -> columns. Knows the layout's description but none of its
// figures: lists of any length are taken, and what would tell of a list that is too long is kept.
#pragma once

#include <slabscope/json/first_error.h>
#include <slabscope/slab/rows.h>
#include <slabscope/text/integer_token.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

class ColumnReader {
 public:
  // Reads into `rows`, which are those of the description and empty. More bytes of elements than
  // `max_bytes` are not kept: no slab could take them.
  ColumnReader(DescriptionPtr description, FirstError& errors, std::uint64_t max_bytes, Rows rows);

  // Each reads one member's value. Only syntax and I/O errors are returned; others go to `errors`.
  [[nodiscard]] Result<void> read_rows(Tokenizer& tokenizer);
  [[nodiscard]] Result<void> read_fields(Tokenizer& tokenizer);
  // Fields that are no row's and that no "fields" member gave: after the last member.
  void finish(const Tokenizer& tokenizer, TextPlace document, const std::string& pointer);

  [[nodiscard]] Rows& rows() noexcept { return rows_; }
  // The longest list of the innermost level of a field.
  [[nodiscard]] std::uint64_t longest(std::size_t field) const;
  // Offers an error for the first list that is longer than its dimension.
  void offer_long_list(const Layout& layout, std::optional<std::uint64_t> region_bytes) const;

 private:
  // A list longer than every one before it, so that the first too long one is found whatever the
  // limit.
  struct Longest {
    std::uint64_t count;
    std::uint64_t row;
    Origin origin;
  };

  [[nodiscard]] Result<void> read_row(Tokenizer& tokenizer, TextPlace begin);
  [[nodiscard]] Result<void> refuse_row(Tokenizer& tokenizer, const Token& first);
  [[nodiscard]] Result<void> read_members(Tokenizer& tokenizer, Stage stage, bool of_rows);
  [[nodiscard]] Result<void> pass_member(Tokenizer& tokenizer, const Token& key, Stage stage,
                                         bool of_rows);
  [[nodiscard]] Result<void> read_member(Tokenizer& tokenizer, std::size_t field);
  void leave_out(const Tokenizer& tokenizer, std::size_t field, Stage stage, TextPlace object,
                 const std::string& pointer);
  [[nodiscard]] Result<void> read_value(Tokenizer& tokenizer, std::size_t field, const Token& first,
                                        std::size_t level);
  [[nodiscard]] Result<void> read_list(Tokenizer& tokenizer, std::size_t field, TextPlace begin,
                                       std::size_t level);
  [[nodiscard]] std::uint64_t take_elements(Tokenizer& tokenizer, std::size_t field);
  [[nodiscard]] Result<void> read_element(Tokenizer& tokenizer, std::size_t field,
                                          const Token& token);
  void append(std::size_t field, int128 value);
  void append_count(std::size_t field, std::size_t level, std::uint64_t count);
  [[nodiscard]] bool keeps_nothing() const noexcept;
  void offer(const Tokenizer& tokenizer, const Token& token, std::size_t field, FieldFault fault,
             Error (*make)(const FieldDescription&, const Token&));
  [[nodiscard]] bool belongs_to_rows(std::size_t field) const;
  [[nodiscard]] ErrorRank rank(std::size_t field, FieldFault fault) const;

  DescriptionPtr description_;
  FirstError& errors_;
  std::uint64_t max_bytes_;
  std::uint64_t kept_bytes_ = 0;   // of elements
  std::uint64_t count_bytes_ = 0;  // of the lengths of ragged lists
  Rows rows_;
  Stage stage_ = Stage::rows;
  std::vector<char> seen_;              // fields of the current row
  std::vector<std::size_t> following_;  // the field after each in the row before; last: the first
  std::vector<char> given_fields_;      // fields that are no row's
  std::optional<TextPlace> fields_place_;
  std::vector<std::vector<std::vector<Longest>>>
      longest_;  // field, level, each longer than the one before
};

}  // namespace slabscope
