#include "arguments.h"

#include "command.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/catalog.h>
#include <slabscope/layout/description_reader.h>

namespace slabscope::app {
namespace {

// As an error shows it; blanks are seen only between quotes.
std::string quoted_if_blank(const std::string& text) {
  if (text.empty()) return "an empty text";
  const std::string shown = printable(text, 60);
  return text.find(' ') == std::string::npos ? shown : '"' + shown + '"';
}

Result<std::optional<std::uint64_t>> parse(const NumberOption& number,
                                           IntegerText (*parse_text)(std::string_view) noexcept,
                                           std::string_view allowed) {
  if (!number.text) return std::nullopt;
  const IntegerText parsed = parse_text(*number.text);
  const auto refuse = [&](ErrorCode code, std::string message, std::string_view what_is_allowed) {
    Error made = error(code, std::move(message));
    made.pointer = number.option;
    return fail(std::move(made).with(quoted_if_blank(*number.text), std::string(what_is_allowed)));
  };
  if (parsed.fault == IntegerTextFault::not_an_integer)
    return refuse(ErrorCode::bad_number, "this is no number", allowed);
  if (parsed.fault == IntegerTextFault::beyond_64_bits)
    return refuse(ErrorCode::bad_number, "the number is beyond 64 bits", allowed);
  if (parsed.value < 0)
    return refuse(ErrorCode::out_of_range, "the number is below zero", "0..18446744073709551615");
  return static_cast<std::uint64_t>(parsed.value);
}

}  // namespace

Result<std::optional<std::uint64_t>> parse_size(const NumberOption& number) {
  return parse(number, slabscope::parse_size, "a size such as 4096, 0x1000, 4KiB, 1MiB");
}

Result<std::optional<std::uint64_t>> parse_count(const NumberOption& number) {
  return parse(number, parse_integer, "an integer, decimal or 0x..");
}

Result<Assignments> parse_params(const std::vector<std::string>& texts) {
  Assignments params;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      Error made = error(ErrorCode::usage, "a parameter is set with -D name=value")
                       .with(printable(text, 60), "NAME=VALUE");
      return fail(std::move(made));
    }
    const std::string name = text.substr(0, equals);
    const std::string option = "-D " + name;
    SLABSCOPE_TRY_ASSIGN(value, parse({option, text.substr(equals + 1)}, parse_integer,
                                      "an integer, decimal or 0x.."));
    assign(params, {name, *value, {{}, {}, option, true}});
  }
  return params;
}

Result<void> check_padded(const NumberOption& padded, const std::vector<std::string>& params) {
  SLABSCOPE_TRY_ASSIGN(rows, parse_count(padded));
  SLABSCOPE_TRY_ASSIGN(set, parse_params(params));
  const Assignment* const other = find(set, "padded_rows");
  if (!rows || other == nullptr || other->value == *rows) return {};
  Error made = error(ErrorCode::usage, "-D padded_rows gives another number");
  made.pointer = padded.option;
  return fail(std::move(made).with(std::to_string(*rows), std::to_string(other->value)));
}

bool is_path(const std::string& name_or_path) {
  return name_or_path == "-" || name_or_path.find('/') != std::string::npos ||
         name_or_path.ends_with(".json");
}

Result<DescriptionPtr> load_layout(const std::string& name_or_path, const std::string& option,
                                   Host& host) {
  if (!is_path(name_or_path)) {
    Result<DescriptionPtr> found = builtin_layout(name_or_path);
    if (!found) found.error().pointer = option;
    return found;
  }
  SLABSCOPE_TRY_ASSIGN(source, host.open(name_or_path));
  SLABSCOPE_TRY_ASSIGN(description, read_description(*source, name_or_path));
  tell_warnings(*description, host);
  return description;
}

Result<std::vector<std::int64_t>> parse_groups(const std::optional<std::string>& text) {
  std::vector<std::int64_t> groups;
  if (!text) return groups;
  for (std::size_t begin = 0; begin <= text->size();) {
    const std::size_t end = std::min(text->find(',', begin), text->size());
    const std::string each = text->substr(begin, end - begin);
    const IntegerText parsed = parse_integer(each);
    const bool is_number = parsed.fault == IntegerTextFault::none;
    if (!is_number || !fits(ElementType::i64, parsed.value)) {
      Error made = error(is_number ? ErrorCode::out_of_range : ErrorCode::bad_number,
                         is_number ? "a group is a signed 64-bit integer"
                                   : "groups are integers with commas between them");
      made.pointer = "--groups";
      return fail(std::move(made).with(
          printable(each, 40),
          is_number ? to_text(minimum(ElementType::i64)) + ".." + to_text(maximum(ElementType::i64))
                    : "0,0,1"));
    }
    groups.push_back(static_cast<std::int64_t>(parsed.value));
    begin = end + 1;
  }
  return groups;
}

Result<RowsOptions> rows_options(const RowsArguments& arguments, Host& host) {
  RowsOptions made;
  SLABSCOPE_TRY_ASSIGN(params, parse_params(arguments.params));
  SLABSCOPE_TRY_ASSIGN(region_bytes, parse_size(arguments.region_bytes));
  SLABSCOPE_TRY_ASSIGN(stride, parse_size(arguments.stride));
  SLABSCOPE_TRY_ASSIGN(max_slab_bytes, parse_size(arguments.max_slab_bytes));
  made.params = std::move(params);
  made.region_bytes = region_bytes;
  made.stride = stride;
  made.max_slab_bytes = max_slab_bytes.value_or(default_max_slab_bytes);
  if (arguments.layout) {
    SLABSCOPE_TRY_ASSIGN(layout, load_layout(*arguments.layout, "--layout", host));
    made.layout = std::move(layout);
  }
  return made;
}

}  // namespace slabscope::app
