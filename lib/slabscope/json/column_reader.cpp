#include <slabscope/json/column_reader.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <cstring>

namespace slabscope {

namespace {

// Lengths of ragged lists may take a quarter of what a slab may, and this much in any case.
constexpr std::uint64_t least_count_bytes = std::uint64_t{1} << 20;

std::string range_text(ElementType type) {
  return to_text(minimum(type)) + ".." + to_text(maximum(type));
}

Error not_an_integer(const FieldDescription& field, const Token& token) {
  return error(ErrorCode::wrong_type, "'" + field.name + "' takes integers")
      .with(shown(token), "an integer");
}
Error not_a_list(const FieldDescription& field, const Token& token) {
  return error(ErrorCode::wrong_type, "'" + field.name + "' takes a list")
      .with(shown(token), "a list");
}
Error not_in_range(const FieldDescription& field, const Token& token) {
  return error(ErrorCode::out_of_range, "the value does not fit " + std::string(name(field.type)))
      .with(shown(token), range_text(field.type));
}

}  // namespace

ColumnReader::ColumnReader(DescriptionPtr description, FirstError& errors, std::uint64_t max_bytes,
                           Rows rows)
    : description_(std::move(description)),
      errors_(errors),
      max_bytes_(max_bytes),
      rows_(std::move(rows)),
      following_(description_->fields.size() + 1, description_->fields.size()),
      given_fields_(description_->fields.size()),
      longest_(description_->fields.size()) {
  for (std::size_t field = 0; field < longest_.size(); ++field)
    longest_[field].resize(rows_.column(field).counts.size());
}

bool ColumnReader::belongs_to_rows(std::size_t field) const {
  return description_->is_of_rows(description_->fields[field]);
}

ErrorRank ColumnReader::rank(std::size_t field, FieldFault fault) const {
  return {stage_, stage_ == Stage::rows ? rows_.row_count() : 0, field + 1, fault};
}

Result<void> ColumnReader::read_rows(Tokenizer& tokenizer) {
  stage_ = Stage::rows;
  SLABSCOPE_TRY_ASSIGN(first, tokenizer.next());
  if (first.kind != TokenKind::begin_array) {
    errors_.offer({Stage::top_level},
                  tokenizer
                      .error_at(first.place, tokenizer.pointer(), ErrorCode::wrong_type,
                                "'rows' is a list of rows")
                      .with(shown(first), "a list"));
    return tokenizer.skip_rest(first);
  }
  for (;; rows_.add_row()) {
    if (const auto begin = tokenizer.take_begin(TokenKind::begin_object)) {
      SLABSCOPE_TRY(read_row(tokenizer, *begin));
      continue;
    }
    SLABSCOPE_TRY_ASSIGN(token, tokenizer.next());
    if (token.kind == TokenKind::end_array) return {};
    SLABSCOPE_TRY(token.kind == TokenKind::begin_object ? read_row(tokenizer, token.place)
                                                        : refuse_row(tokenizer, token));
  }
}

Result<void> ColumnReader::refuse_row(Tokenizer& tokenizer, const Token& first) {
  const ErrorRank row_rank{stage_, rows_.row_count(), 0, FieldFault::type};
  if (errors_.takes(row_rank))
    errors_.offer(row_rank, tokenizer
                                .error_at(first.place, tokenizer.pointer(), ErrorCode::wrong_type,
                                          "a row is an object")
                                .with(shown(first), "an object"));
  return tokenizer.skip_rest(first);
}

Result<void> ColumnReader::read_row(Tokenizer& tokenizer, TextPlace begin) {
  seen_.assign(description_->fields.size(), 0);
  SLABSCOPE_TRY(read_members(tokenizer, Stage::rows, true));
  for (std::size_t field = 0; field < seen_.size(); ++field)
    if (seen_[field] == 0 && belongs_to_rows(field))
      leave_out(tokenizer, field, Stage::rows, begin, tokenizer.pointer());
  return {};
}

Result<void> ColumnReader::read_fields(Tokenizer& tokenizer) {
  stage_ = Stage::fields;
  SLABSCOPE_TRY_ASSIGN(first, tokenizer.next());
  if (first.kind != TokenKind::begin_object) {
    errors_.offer({Stage::top_level}, tokenizer
                                          .error_at(first.place, tokenizer.pointer(),
                                                    ErrorCode::wrong_type, "'fields' is an object")
                                          .with(shown(first), "an object"));
    return tokenizer.skip_rest(first);
  }
  fields_place_ = first.place;
  seen_.assign(description_->fields.size(), 0);
  SLABSCOPE_TRY(read_members(tokenizer, Stage::fields, false));
  given_fields_ = seen_;
  return {};
}

void ColumnReader::finish(const Tokenizer& tokenizer, TextPlace document,
                          const std::string& pointer) {
  stage_ = Stage::fields;
  for (std::size_t field = 0; field < given_fields_.size(); ++field)
    if (given_fields_[field] == 0 && !belongs_to_rows(field))
      leave_out(tokenizer, field, Stage::fields, fields_place_.value_or(document),
                pointer + "/fields");
}

// Most rows have the keys of the row before in the same order.
Result<void> ColumnReader::read_members(Tokenizer& tokenizer, Stage stage, bool of_rows) {
  const std::size_t none = seen_.size();
  for (std::size_t before = none;;) {
    std::size_t field = of_rows ? following_[before] : none;
    const bool is_expected =
        field != none && seen_[field] == 0 && tokenizer.take_key(description_->fields[field].name);
    if (!is_expected) {
      if (tokenizer.take_end()) return {};
      SLABSCOPE_TRY_ASSIGN(key, tokenizer.next());
      if (key.kind == TokenKind::end_object) return {};
      const auto found = description_->find_field(key.text);
      if (!found || belongs_to_rows(*found) != of_rows || seen_[*found] != 0) {
        SLABSCOPE_TRY(pass_member(tokenizer, key, stage, of_rows));
        continue;
      }
      field = *found;
      if (of_rows) following_[before] = field;
    }
    seen_[field] = 1;
    before = field;
    SLABSCOPE_TRY(read_member(tokenizer, field));
  }
}

// A key that is none of this object, or stands in it twice.
Result<void> ColumnReader::pass_member(Tokenizer& tokenizer, const Token& key, Stage stage,
                                       bool of_rows) {
  const ErrorRank key_rank{stage, stage == Stage::rows ? rows_.row_count() : 0, 0,
                           FieldFault::missing};
  if (errors_.takes(key_rank)) {
    const auto field = description_->find_field(key.text);
    const bool known = field && belongs_to_rows(*field) == of_rows;
    std::string message = known    ? "the field stands in this object twice"
                          : !field ? "the layout '" + description_->name + "' has no field '" +
                                         printable(key.text, 80) + "'"
                          : of_rows ? "the field '" + description_->fields[*field].name +
                                          "' is no row's and stands under \"fields\""
                                    : "the field '" + description_->fields[*field].name +
                                          "' is a row's and stands in \"rows\"";
    errors_.offer(key_rank,
                  tokenizer.error_at(key.place, tokenizer.pointer(),
                                     known ? ErrorCode::duplicate_key : ErrorCode::unknown_key,
                                     std::move(message)));
  }
  SLABSCOPE_TRY_ASSIGN(value, tokenizer.next());
  return tokenizer.skip_rest(value);
}

Result<void> ColumnReader::read_member(Tokenizer& tokenizer, std::size_t field) {
  const FieldDescription& description = description_->fields[field];
  if (description.shape.size() == (description.per_row ? 1 : 0)) {
    const auto most = static_cast<std::uint64_t>(maximum(description.type));
    if (const auto value = tokenizer.take_integer(most)) {
      append_count(field, 0, 1);
      append(field, *value);
      return {};
    }
  } else if (const auto begin = tokenizer.take_begin(TokenKind::begin_array)) {
    return read_list(tokenizer, field, *begin, 0);
  }
  SLABSCOPE_TRY_ASSIGN(value, tokenizer.next());
  return read_value(tokenizer, field, value, 0);
}

void ColumnReader::leave_out(const Tokenizer& tokenizer, std::size_t field, Stage stage,
                             TextPlace object, const std::string& pointer) {
  const FieldDescription& description = description_->fields[field];
  append_count(field, 0, 0);
  if (description.may_be_left_out) return;
  const ErrorRank missing{stage, stage == Stage::rows ? rows_.row_count() : 0, field + 1,
                          FieldFault::missing};
  if (errors_.takes(missing))
    errors_.offer(missing, tokenizer.error_at(object, pointer, ErrorCode::missing_key,
                                              "the field '" + description.name + "' is missing"));
}

// `level` 0 is the row's own list; a scalar has none.
Result<void> ColumnReader::read_value(Tokenizer& tokenizer, std::size_t field, const Token& first,
                                      std::size_t level) {
  const FieldDescription& description = description_->fields[field];
  const std::size_t levels = description.shape.size() - (description.per_row ? 1 : 0);
  if (levels == 0) {
    append_count(field, level, 1);
    return read_element(tokenizer, field, first);
  }
  if (first.kind != TokenKind::begin_array) {
    append_count(field, level, 0);
    offer(tokenizer, first, field, FieldFault::type, not_a_list);
    return tokenizer.skip_rest(first);
  }
  return read_list(tokenizer, field, first.place, level);
}

Result<void> ColumnReader::read_list(Tokenizer& tokenizer, std::size_t field, TextPlace begin,
                                     std::size_t level) {
  const bool is_innermost = level + 1 == rows_.column(field).counts.size();
  std::uint64_t count = 0;
  for (;; ++count) {
    if (is_innermost) count += take_elements(tokenizer, field);
    if (tokenizer.take_end()) break;
    SLABSCOPE_TRY_ASSIGN(token, tokenizer.next());
    if (token.kind == TokenKind::end_array) break;
    SLABSCOPE_TRY(is_innermost ? read_element(tokenizer, field, token)
                               : read_value(tokenizer, field, token, level + 1));
  }
  append_count(field, level, count);
  auto& longest = longest_[field][level];
  if (longest.empty() || count > longest.back().count)
    longest.push_back({count, stage_ == Stage::rows ? rows_.row_count() : 0,
                       Origin{tokenizer.file(), begin, tokenizer.pointer(), true}});
  return {};
}

// Elements that are plain integers in range, as many as come and may be kept.
std::uint64_t ColumnReader::take_elements(Tokenizer& tokenizer, std::size_t field) {
  constexpr std::uint64_t step = 512;
  const ElementType type = description_->fields[field].type;
  const std::uint64_t width = element_bytes(type);
  Buffer& elements = rows_.column(field).elements;
  for (std::uint64_t taken = 0;;) {
    const std::uint64_t room =
        keeps_nothing() ? 0 : std::min(step, (max_bytes_ - kept_bytes_) / width);
    const std::size_t before = elements.size();
    std::byte* const to = elements.extend(room * width);
    const std::uint64_t count = tokenizer.take_integers(type, to, room);
    elements.resize_uninitialised(before + count * width);
    kept_bytes_ += count * width;
    taken += count;
    if (count < step) return taken;
  }
}

Result<void> ColumnReader::read_element(Tokenizer& tokenizer, std::size_t field,
                                        const Token& token) {
  const FieldDescription& description = description_->fields[field];
  const IntegerToken integer = as_integer(token);
  if (!integer.is_integer) {
    offer(tokenizer, token, field, FieldFault::type, not_an_integer);
    append(field, 0);
    return tokenizer.skip_rest(token);
  }
  const bool in_range = !integer.beyond_64_bits && fits(description.type, integer.value);
  if (!in_range) offer(tokenizer, token, field, FieldFault::range, not_in_range);
  append(field, in_range ? integer.value : 0);
  return {};
}

bool ColumnReader::keeps_nothing() const noexcept {
  return kept_bytes_ > max_bytes_ || count_bytes_ > max_bytes_ / 4 + least_count_bytes;
}

void ColumnReader::append(std::size_t field, int128 value) {
  if (keeps_nothing()) return;
  const ElementType type = description_->fields[field].type;
  kept_bytes_ += element_bytes(type);
  if (keeps_nothing())
    return errors_.offer({Stage::limits}, error(ErrorCode::slab_limit,
                                                "the rows alone take more than --max-slab-bytes")
                                              .with({}, "up to " + std::to_string(max_bytes_)));
  std::byte* const to = rows_.column(field).elements.extend(element_bytes(type));
  visit_type(type, [&](auto zero) {
    const auto element = static_cast<decltype(zero)>(value);
    std::memcpy(to, &element, sizeof element);
  });
}

void ColumnReader::append_count(std::size_t field, std::size_t level, std::uint64_t count) {
  if (keeps_nothing()) return;
  count_bytes_ += rows_.column(field).counts[level].append(count);
  if (keeps_nothing())
    errors_.offer({Stage::limits},
                  error(ErrorCode::limit_exceeded,
                        "more lists of differing length than --max-slab-bytes allows"));
}

void ColumnReader::offer(const Tokenizer& tokenizer, const Token& token, std::size_t field,
                         FieldFault fault, Error (*make)(const FieldDescription&, const Token&)) {
  if (!errors_.takes(rank(field, fault))) return;
  Error made = make(description_->fields[field], token).at(token.place, tokenizer.pointer());
  made.file = tokenizer.file();
  errors_.offer(rank(field, fault), std::move(made));
}

std::uint64_t ColumnReader::longest(std::size_t field) const {
  const auto& innermost = longest_[field].back();
  return innermost.empty() ? 0 : innermost.back().count;
}

void ColumnReader::offer_long_list(const Layout& layout,
                                   std::optional<std::uint64_t> region_bytes) const {
  for (std::size_t field = 0; field < longest_.size(); ++field) {
    const std::span<const std::uint64_t> shape = layout.fields[field].item_shape();
    for (std::size_t level = 0; level < shape.size(); ++level) {
      const auto& lists = longest_[field][level];
      const auto found = std::find_if(lists.begin(), lists.end(), [&](const Longest& each) {
        return each.count > shape[level];
      });
      if (found == lists.end()) continue;
      const ErrorRank length{belongs_to_rows(field) ? Stage::rows : Stage::fields, found->row,
                             field + 1, FieldFault::length};
      Error made = long_list_error(layout, {field, found->row, level, found->count}, region_bytes)
                       .at(found->origin.place, found->origin.pointer);
      made.file = found->origin.file;
      errors_.offer(length, std::move(made));
    }
  }
}

}  // namespace slabscope
