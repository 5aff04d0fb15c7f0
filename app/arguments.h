// What several commands take from the command line, as the text it came in.
#pragma once

#include "host.h"

#include <slabscope/json/rows_reader.h>
#include <slabscope/layout/scope.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope::app {

// A number given as text, with the option's name for errors.
struct NumberOption {
  std::string option;  // "--offset"
  std::optional<std::string> text;
};

// Errors: bad_number, out_of_range (below zero). Sizes take 0x.., KiB, MiB, GiB; counts do not take
// suffixes.
Result<std::optional<std::uint64_t>> parse_size(const NumberOption& number);
Result<std::optional<std::uint64_t>> parse_count(const NumberOption& number);

// "name=value" texts of -D; a later one overrides. Errors: usage, bad_number.
Result<Assignments> parse_params(const std::vector<std::string>& texts);

// --padded is short for -D padded_rows. Errors: usage (they differ), those of parse_params.
Result<void> check_padded(const NumberOption& padded, const std::vector<std::string>& params);

// Is this a file, and no built-in name? Whatever has a '/' or ends in ".json", or "-".
bool is_path(const std::string& name_or_path);

// A built-in layout by name, or a file. Errors: unknown_layout, open_failed, and those of
// read_description.
Result<DescriptionPtr> load_layout(const std::string& name_or_path, const std::string& option,
                                   Host& host);

// "0,0,1". Errors: bad_number, out_of_range.
Result<std::vector<std::int64_t>> parse_groups(const std::optional<std::string>& text);

// What commands that read rows documents take alike.
struct RowsArguments {
  const std::vector<std::string>& params;
  const NumberOption& region_bytes;
  const NumberOption& stride;
  const NumberOption& max_slab_bytes;
  std::optional<std::string> layout;
};
// Errors: those of parse_params, parse_size and load_layout.
Result<RowsOptions> rows_options(const RowsArguments& arguments, Host& host);

}  // namespace slabscope::app
