#include <slabscope/base/error.h>

#include <array>
#include <utility>

namespace slabscope {
namespace {

constexpr std::array error_table = {
    ErrorCodeInfo{ErrorCode::usage, "usage", 2,
                  "unknown option or command, or an argument is missing or unusable"},
    ErrorCodeInfo{ErrorCode::bad_number, "bad_number", 2,
                  "text on the command line is no integer or size, or is beyond 64 bits"},
    ErrorCodeInfo{ErrorCode::syntax, "syntax", 3, "the text is not valid JSON or not valid UTF-8"},
    ErrorCodeInfo{ErrorCode::duplicate_key, "duplicate_key", 3, "an object has the same key twice"},
    ErrorCodeInfo{ErrorCode::unknown_key, "unknown_key", 3,
                  "an object has a key that the document does not know"},
    ErrorCodeInfo{ErrorCode::missing_key, "missing_key", 3, "a required key or field is not there"},
    ErrorCodeInfo{ErrorCode::wrong_type, "wrong_type", 3,
                  "a value is of another JSON type than the one required"},
    ErrorCodeInfo{ErrorCode::out_of_range, "out_of_range", 3,
                  "an integer does not fit the type or range of its place"},
    ErrorCodeInfo{ErrorCode::limit_exceeded, "limit_exceeded", 3,
                  "a document passes a named limit (nesting, counts, lengths)"},
    ErrorCodeInfo{ErrorCode::unknown_layout, "unknown_layout", 3,
                  "no built-in layout has this name"},
    ErrorCodeInfo{ErrorCode::unknown_schema, "unknown_schema", 3,
                  "there is no schema of this name"},
    ErrorCodeInfo{ErrorCode::unknown_arena, "unknown_arena", 3,
                  "there is no built-in arena of this name"},
    ErrorCodeInfo{ErrorCode::bad_layout, "bad_layout", 3,
                  "a layout description contradicts itself"},
    ErrorCodeInfo{ErrorCode::bad_arena, "bad_arena", 3, "an arena document contradicts itself"},
    ErrorCodeInfo{ErrorCode::bad_expression, "bad_expression", 3,
                  "an expression of a layout cannot be parsed"},
    ErrorCodeInfo{ErrorCode::unknown_name, "unknown_name", 3,
                  "an expression uses a name that the layout does not declare; a warning: no check "
                  "knows a role"},
    ErrorCodeInfo{ErrorCode::param_cycle, "param_cycle", 3,
                  "parameters are derived from each other in a circle"},
    ErrorCodeInfo{ErrorCode::arithmetic_overflow, "arithmetic_overflow", 3,
                  "an expression passes the width of its arithmetic"},
    ErrorCodeInfo{ErrorCode::negative_size, "negative_size", 3,
                  "an expression for a size, offset, count or parameter is below zero"},
    ErrorCodeInfo{ErrorCode::division_by_zero, "division_by_zero", 3,
                  "an expression divides by zero"},
    ErrorCodeInfo{ErrorCode::unknown_type, "unknown_type", 3,
                  "a field's element type is none of u8 i8 u16 i16 u32 i32 u64 i64"},
    ErrorCodeInfo{ErrorCode::duplicate_name, "duplicate_name", 3,
                  "two fields of a layout have the same name"},
    ErrorCodeInfo{ErrorCode::value_out_of_range, "value_out_of_range", 3,
                  "a fill, pad or null value does not fit its field's type"},
    ErrorCodeInfo{ErrorCode::field_overlap, "field_overlap", 3,
                  "two fields of a layout share bytes at these parameters"},
    ErrorCodeInfo{ErrorCode::misaligned, "misaligned", 3,
                  "a field's offset is no multiple of its element size"},
    ErrorCodeInfo{ErrorCode::unknown_param, "unknown_param", 3, "the layout has no such parameter"},
    ErrorCodeInfo{ErrorCode::derived_param, "derived_param", 3,
                  "a parameter that the layout derives cannot be set"},
    ErrorCodeInfo{ErrorCode::param_missing, "param_missing", 3,
                  "a parameter that is needed has no value"},
    ErrorCodeInfo{ErrorCode::param_range, "param_range", 3,
                  "a parameter is below its minimum or above its maximum"},
    ErrorCodeInfo{ErrorCode::param_unsolved, "param_unsolved", 3,
                  "the unset parameter does not follow from the number of bytes"},
    ErrorCodeInfo{ErrorCode::policy_ceiling, "policy_ceiling", 3,
                  "a parameter is above its soft maximum and --strict was given"},
    ErrorCodeInfo{ErrorCode::size_overflow, "size_overflow", 3,
                  "the slab's size passes 2^63-1 bytes"},
    ErrorCodeInfo{ErrorCode::slab_limit, "slab_limit", 3,
                  "the slab is larger than --max-slab-bytes allows"},
    ErrorCodeInfo{ErrorCode::region_exceeded, "region_exceeded", 3,
                  "the slab does not fit its region"},
    ErrorCodeInfo{ErrorCode::list_too_long, "list_too_long", 3,
                  "a list has more entries than its dimension"},
    ErrorCodeInfo{ErrorCode::row_count, "row_count", 3,
                  "the number of rows is not one that the layout can hold"},
    ErrorCodeInfo{ErrorCode::row_counts_differ, "row_counts_differ", 3,
                  "columns that were given separately have different numbers of rows"},
    ErrorCodeInfo{ErrorCode::padded_rows, "padded_rows", 3,
                  "the padded rows are fewer than the rows or more than the capacity"},
    ErrorCodeInfo{ErrorCode::live_rows, "live_rows", 3,
                  "the live rows are more than the rows of the document"},
    ErrorCodeInfo{ErrorCode::pool_exhausted, "pool_exhausted", 3,
                  "rows that are to be generated need more blocks than the pool has"},
    ErrorCodeInfo{ErrorCode::fault_impossible, "fault_impossible", 3,
                  "the layout, its parameters or the rows leave no room for the fault of --fault"},
    ErrorCodeInfo{ErrorCode::bad_residue, "bad_residue", 3,
                  "a residue run is no hex text, out of order, or outside the slab"},
    ErrorCodeInfo{ErrorCode::partial_document, "partial_document", 3,
                  "the document was decoded without its residue and --force was not given"},
    ErrorCodeInfo{ErrorCode::no_document, "no_document", 3, "the input holds no document"},
    ErrorCodeInfo{ErrorCode::short_dump, "short_dump", 3,
                  "the dump ends before the bytes that were asked for"},
    ErrorCodeInfo{ErrorCode::ragged_dump, "ragged_dump", 3,
                  "the dump's bytes are no whole number of slabs"},
    ErrorCodeInfo{ErrorCode::outside_target, "outside_target", 3,
                  "the slabs do not fit in the file that they were to be written into"},
    ErrorCodeInfo{ErrorCode::bad_container, "bad_container", 3,
                  "a dump's container is damaged, truncated or contradicts itself"},
    ErrorCodeInfo{ErrorCode::unsupported_container, "unsupported_container", 3,
                  "a dump is of a form that is not read; the message says what to do instead"},
    ErrorCodeInfo{ErrorCode::unknown_container, "unknown_container", 3,
                  "there is no kind of container of this name"},
    ErrorCodeInfo{ErrorCode::unknown_region, "unknown_region", 3,
                  "a dump has no region or tensor of this name, or several"},
    ErrorCodeInfo{ErrorCode::address_outside, "address_outside", 3,
                  "an address is in no region of the dump, or the bytes there end too early"},
    ErrorCodeInfo{ErrorCode::ambiguous_address, "ambiguous_address", 3,
                  "regions of a dump overlap and hold different bytes"},
    ErrorCodeInfo{ErrorCode::type_mismatch, "type_mismatch", 3,
                  "the type that a container gives to bytes contradicts the layout"},
    ErrorCodeInfo{ErrorCode::open_failed, "open_failed", 4, "a file cannot be opened"},
    ErrorCodeInfo{ErrorCode::read_failed, "read_failed", 4, "a file cannot be read"},
    ErrorCodeInfo{ErrorCode::write_failed, "write_failed", 4, "a file cannot be written"},
    ErrorCodeInfo{ErrorCode::out_of_memory, "out_of_memory", 4, "memory is used up"},
    ErrorCodeInfo{ErrorCode::no_device, "no_device", 5,
                  "there is no device to run on, or no driver, or it was not built for one"},
    ErrorCodeInfo{ErrorCode::device_failed, "device_failed", 5, "a call to the device failed"},
};

constexpr bool table_follows_enum() {
  for (std::size_t index = 0; index < error_table.size(); ++index)
    if (static_cast<std::size_t>(error_table[index].code) != index) return false;
  return error_table.size() == static_cast<std::size_t>(ErrorCode::device_failed) + 1;
}
static_assert(table_follows_enum());

// Bytes of the control character, or of the mark for the direction of writing, that `text` begins
// with; 0: it begins with another one.
std::size_t control_bytes(std::string_view text) {
  const auto at = [&](std::size_t index) -> unsigned {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
  };
  if (at(0) < 0x20 || at(0) == 0x7f) return 1;
  if (at(0) == 0xc2 && at(1) >= 0x80 && at(1) <= 0x9f) return 2;  // C1: U+009B begins a command
  if (at(0) == 0xd8 && at(1) == 0x9c) return 2;                   // U+061C
  if (at(0) != 0xe2) return 0;
  const bool is_mark = at(1) == 0x80 && (at(2) == 0x8e || at(2) == 0x8f);     // U+200E, U+200F
  const bool is_embedding = at(1) == 0x80 && at(2) >= 0xaa && at(2) <= 0xae;  // U+202A..U+202E
  const bool is_isolate = at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9;    // U+2066..U+2069
  return is_mark || is_embedding || is_isolate ? 3 : 0;
}

}  // namespace

std::span<const ErrorCodeInfo> error_codes() noexcept { return error_table; }

const ErrorCodeInfo& info(ErrorCode code) noexcept {
  return error_table[static_cast<std::size_t>(code)];
}

Error&& Error::at(TextPlace where, std::string json_pointer) && {
  place = where;
  pointer = std::move(json_pointer);
  return std::move(*this);
}

Error&& Error::at_offset(std::uint64_t byte_offset) && {
  offset = byte_offset;
  return std::move(*this);
}

Error&& Error::with(std::string got_text, std::string allowed_text) && {
  got = std::move(got_text);
  allowed = std::move(allowed_text);
  return std::move(*this);
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  std::size_t hidden = 0;  // bytes of a character that a terminal obeys
  const auto is_inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (shown.size() >= max_bytes + 3 || (shown.size() >= max_bytes && !is_inside_character(at))) {
      shown += "...";
      break;
    }
    if (hidden == 0) hidden = control_bytes(text.substr(at));
    const auto byte = static_cast<unsigned char>(text[at]);
    if (hidden == 0) {
      shown += text[at];
    } else {
      --hidden;
      shown += "\\x";
      shown += digits[byte >> 4U];
      shown += digits[byte & 15U];
    }
  }
  return shown;
}

// Longer than any message of ours; texts of a layout file stand in some.
constexpr std::size_t max_shown_message = 16384;

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

std::string to_line(const Error& failed, std::string_view program, std::string_view severity) {
  std::string line = failed.file.empty() ? std::string(program) : printable(failed.file, 4096);
  if (failed.place.line != 0)
    line += ":" + std::to_string(failed.place.line) + ":" + std::to_string(failed.place.column);
  if (failed.offset) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    for (std::uint64_t rest = *failed.offset; rest != 0 || hex.empty(); rest >>= 4U)
      hex.insert(0, 1, digits[rest & 15U]);
    line += ":+0x" + hex;
  }
  line.append(": ").append(severity).append("[").append(info(failed.code).name).append("]: ");
  if (!failed.pointer.empty()) line += printable(failed.pointer, 1024) + ": ";
  line += printable(failed.message, max_shown_message);
  if (!failed.got.empty() || !failed.allowed.empty()) {
    line += " (";
    if (!failed.got.empty()) line += "got " + printable(failed.got, 80);
    if (!failed.got.empty() && !failed.allowed.empty()) line += ", ";
    if (!failed.allowed.empty()) line += "allowed " + printable(failed.allowed, max_shown_message);
    line += ")";
  }
  return line;
}

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view each : names) text.append(text.empty() ? "" : ", ").append(each);
  return text;
}

}  // namespace slabscope
