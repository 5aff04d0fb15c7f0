// Errors are values: a closed set of codes, the place, and both figures (what came, what is
// allowed). Owns the set of codes and the one-line text form; knows nothing of files, exit paths or
// JSON libraries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace slabscope {

// The closed set. The table in error.cpp gives each its stable name, exit code and meaning.
enum class ErrorCode : std::uint8_t {
  usage,
  bad_number,
  syntax,
  duplicate_key,
  unknown_key,
  missing_key,
  wrong_type,
  out_of_range,
  limit_exceeded,
  unknown_layout,
  unknown_schema,
  unknown_arena,
  bad_layout,
  bad_arena,
  bad_expression,
  unknown_name,
  param_cycle,
  arithmetic_overflow,
  negative_size,
  division_by_zero,
  unknown_type,
  duplicate_name,
  value_out_of_range,
  field_overlap,
  misaligned,
  unknown_param,
  derived_param,
  param_missing,
  param_range,
  param_unsolved,
  policy_ceiling,
  size_overflow,
  slab_limit,
  region_exceeded,
  list_too_long,
  row_count,
  row_counts_differ,
  padded_rows,
  live_rows,
  pool_exhausted,
  fault_impossible,
  bad_residue,
  partial_document,
  no_document,
  short_dump,
  ragged_dump,
  outside_target,
  bad_container,
  unsupported_container,
  unknown_container,
  unknown_region,
  address_outside,
  ambiguous_address,
  type_mismatch,
  open_failed,
  read_failed,
  write_failed,
  out_of_memory,
  no_device,
  device_failed,
};

struct ErrorCodeInfo {
  ErrorCode code;
  std::string_view name;     // stable, snake_case
  int exit_code;             // what the command line exits with
  std::string_view meaning;  // one sentence
};

// All codes in declaration order.
std::span<const ErrorCodeInfo> error_codes() noexcept;
const ErrorCodeInfo& info(ErrorCode code) noexcept;

// A position in a text. Lines and columns count from 1, columns in bytes; 0 means that there is
// none.
struct TextPlace {
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

struct Error {
  ErrorCode code{};
  std::string
      message;       // a sentence without its place; figures included where they matter to a reader
  std::string file;  // path as the user gave it, "-" for stdin, empty when there is none
  TextPlace place;
  std::string pointer;                  // JSON pointer (RFC 6901), or "-D name" for an option
  std::optional<std::uint64_t> offset;  // bytes from the start of the file, for binary input
  std::string got;                      // what came, as written
  std::string allowed;                  // what would have been accepted

  Error&& at(TextPlace where, std::string json_pointer) &&;
  Error&& at_offset(std::uint64_t byte_offset) &&;
  Error&& with(std::string got_text, std::string allowed_text) &&;
};

template <class T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

inline Error error(ErrorCode code, std::string message) {
  Error made;
  made.code = code;
  made.message = std::move(message);
  return made;
}
inline Failure fail(ErrorCode code, std::string message) {
  return Failure(error(code, std::move(message)));
}
inline Failure fail(Error failed) { return Failure(std::move(failed)); }

// `file:line:col: error[code]: /pointer: message (got X, allowed Y)`; for bytes `file:+0x18:
// error[..]: ..`. `program` stands where there is no file. Control bytes in quoted input are shown
// as \xNN.
std::string to_line(const Error& failed, std::string_view program,
                    std::string_view severity = "error");

// Text from outside made safe for one line of a terminal: control bytes and DEL become \xNN; at
// most `max_bytes` are kept, then "...".
std::string printable(std::string_view text, std::size_t max_bytes = 256);

// "1 row", "2 rows": a number and what it counts.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

// "a, b, c".
std::string joined(std::span<const std::string_view> names);

// Returns the error of `expression` from the enclosing function.
#define SLABSCOPE_TRY(expression)                                                                 \
  do {                                                                                            \
    auto slabscope_try_result = (expression);                                                     \
    if (!slabscope_try_result) return ::slabscope::fail(std::move(slabscope_try_result).error()); \
  } while (false)

// Declares `name` as the value of `expression`, or returns its error.
#define SLABSCOPE_TRY_ASSIGN(name, expression)                                        \
  auto name##_or_error = (expression);                                                \
  if (!name##_or_error) return ::slabscope::fail(std::move(name##_or_error).error()); \
  auto&& name = *name##_or_error

}  // namespace slabscope
