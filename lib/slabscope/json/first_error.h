// Keeps the error that comes first in a fixed order, whatever order errors are found in.
#pragma once

#include <slabscope/base/error.h>

#include <compare>
#include <cstdint>
#include <optional>

namespace slabscope {

// The stages of checking a rows document, first to last. Syntax errors end the reading at once.
enum class Stage : std::uint8_t {
  top_level,
  parameters,
  limits,
  row_number,
  rows,
  fields,
  residue
};
enum class FieldFault : std::uint8_t { missing, type, range, length };

struct ErrorRank {
  Stage stage = Stage::top_level;
  std::uint64_t row = 0;
  std::size_t field = 0;  // 0: the row's keys; n + 1: the layout's field n
  FieldFault fault = FieldFault::missing;

  auto operator<=>(const ErrorRank&) const = default;
};

class FirstError {
 public:
  // Would an error of this rank be the first? Of equal ranks the one offered first stays.
  [[nodiscard]] bool takes(const ErrorRank& rank) const { return !error_ || rank < rank_; }
  // Of the top level, the one that stands first in the text is the first, whenever it is found.
  void offer(ErrorRank rank, Error failed) {
    if (rank.stage == Stage::top_level && rank.row == 0) {
      rank.row = failed.place.line;
      rank.field = failed.place.column;
    }
    if (!takes(rank)) return;
    rank_ = rank;
    error_ = std::move(failed);
  }
  // Is there an error of this stage or an earlier one?
  [[nodiscard]] bool is_up_to(Stage stage) const { return error_ && rank_.stage <= stage; }
  [[nodiscard]] Failure failure() { return fail(std::move(*error_)); }

 private:
  ErrorRank rank_;
  std::optional<Error> error_;
};

}  // namespace slabscope
