#include <slabscope/json/document_reader.h>
#include <slabscope/slab/implied_params.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>

namespace slabscope {
namespace {

constexpr std::string_view member_names[] = {"layout",  "params", "region_bytes", "live_rows",
                                             "groups",  "rows",   "fields",       "residue",
                                             "partial", "source"};

// Text of rows that is kept because their layout is named behind them.
constexpr std::size_t max_captured_bytes = std::size_t{1} << 24;

// Hex digits in pieces -> bytes.
class HexSink final : public StringSink {
 public:
  // No more than `most` bytes are kept in all.
  HexSink(Buffer& into, std::uint64_t most) : into_(into), most_(most) {}
  void take(std::string_view piece) override {
    for (const char each : piece) {
      const bool is_lower = each >= 'a' && each <= 'f';
      const bool is_upper = each >= 'A' && each <= 'F';
      const bool is_digit = each >= '0' && each <= '9';
      if (!is_lower && !is_upper && !is_digit) is_hex_ = false;
      const int digit = is_digit   ? each - '0'
                        : is_lower ? each - 'a' + 10
                        : is_upper ? each - 'A' + 10
                                   : 0;
      if (has_high_ && into_.size() <= most_)
        *into_.extend(1) = static_cast<std::byte>(high_ << 4 | digit);
      high_ = digit;
      has_high_ = !has_high_;
    }
  }
  [[nodiscard]] bool is_whole_hex() const noexcept { return is_hex_ && !has_high_; }

 private:
  Buffer& into_;
  std::uint64_t most_;
  int high_ = 0;
  bool has_high_ = false;
  bool is_hex_ = true;
};

}  // namespace

DocumentReader::DocumentReader(RowsReader& reader, TextPlace begin, std::string pointer)
    : reader_(reader),
      tokenizer_(reader.tokenizer_),
      options_(reader.options_),
      begin_(begin),
      pointer_(std::move(pointer)) {
  if (options_.layout) set_layout(options_.layout);
}

void DocumentReader::set_layout(DescriptionPtr description) {
  description_ = std::move(description);
  columns_.emplace(description_, first_error_, options_.max_slab_bytes,
                   reader_.rows_of(description_));
}

Error DocumentReader::here(const Token& token, ErrorCode code, std::string message) const {
  return tokenizer_.error_at(token.place, tokenizer_.pointer(), code, std::move(message));
}

// An error without a place of its own gets that of a top-level member, or of the document where it
// has no such member. One of the layout, at these parameters, is one of this document; where it
// stands in the layout is said too.
Error DocumentReader::placed(Error failed, const std::string& member) const {
  const bool is_option = failed.file.empty() && !failed.pointer.empty();
  if (failed.file == tokenizer_.file()) return failed;
  if (is_option) {  // and this is the document that it does not suit
    failed.file = tokenizer_.file();
    failed.place = begin_;
    return failed;
  }
  if (!failed.file.empty())
    failed.message += " (" + failed.file + ":" + std::to_string(failed.place.line) + ":" +
                      std::to_string(failed.place.column) + " " + failed.pointer + ")";
  failed.file = tokenizer_.file();
  failed.place = begin_;
  failed.pointer = pointer_;
  for (const Member& each : seen_) {
    if (each.key != member) continue;
    failed.place = each.place;
    failed.pointer = pointer_ + "/" + member;
  }
  return failed;
}

Result<RowsDocument> DocumentReader::read() {
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    if (token.kind == TokenKind::end_object) break;
    const std::string key(token.text);
    const bool twice = std::any_of(seen_.begin(), seen_.end(),
                                   [&](const Member& each) { return each.key == key; });
    if (twice || std::find(std::begin(member_names), std::end(member_names), key) ==
                     std::end(member_names)) {
      first_error_.offer({Stage::top_level},
                         here(token, twice ? ErrorCode::duplicate_key : ErrorCode::unknown_key,
                              twice ? "the key '" + printable(key, 80) + "' stands here twice"
                                    : "unknown key '" + printable(key, 80) + "'")
                             .with({}, twice ? std::string() : joined(member_names)));
      SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
      SLABSCOPE_TRY(tokenizer_.skip_rest(value));
      continue;
    }
    seen_.push_back({key, token.place});
    SLABSCOPE_TRY(read_member(key));
  }
  if (columns_ && captured_rows_) SLABSCOPE_TRY(replay(*captured_rows_, &ColumnReader::read_rows));
  if (columns_ && captured_fields_)
    SLABSCOPE_TRY(replay(*captured_fields_, &ColumnReader::read_fields));
  return finish();
}

Result<void> DocumentReader::read_member(const std::string& key) {
  if (key == "layout") return read_layout_name();
  if (key == "params") return read_params();
  if (key == "region_bytes") return read_count(region_bytes_);
  if (key == "live_rows") return read_count(live_rows_);
  if (key == "groups") return read_groups();
  if (key == "residue") return read_residue();
  if (key == "partial") return read_partial();
  if (key == "rows" || key == "fields") return read_or_capture(key);
  // "source" says where the rows came from: it must be an object, nothing in it is used.
  SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
  if (value.kind != TokenKind::begin_object)
    first_error_.offer({Stage::top_level},
                       here(value, ErrorCode::wrong_type, "'source' is an object")
                           .with(shown(value), "an object"));
  return tokenizer_.skip_rest(value);
}

Result<void> DocumentReader::read_layout_name() {
  SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
  if (value.kind != TokenKind::string) {
    first_error_.offer(
        {Stage::top_level},
        here(value, ErrorCode::wrong_type, "'layout' is a name").with(shown(value), "a string"));
    return tokenizer_.skip_rest(value);
  }
  if (options_.layout) return {};
  Result<DescriptionPtr> found = options_.known->find(std::string(value.text));
  if (!found) {
    first_error_.offer({Stage::top_level}, here(value, found.error().code, found.error().message)
                                               .with(found.error().got, found.error().allowed));
    return {};
  }
  set_layout(*found);
  return {};
}

Result<void> DocumentReader::read_params() {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  if (first.kind != TokenKind::begin_object) {
    first_error_.offer({Stage::top_level},
                       here(first, ErrorCode::wrong_type, "'params' is an object")
                           .with(shown(first), "an object"));
    return tokenizer_.skip_rest(first);
  }
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(key, tokenizer_.next());
    if (key.kind == TokenKind::end_object) return {};
    Assignment made{
        std::string(key.text), 0, {tokenizer_.file(), key.place, tokenizer_.pointer(), true}};
    if (find(params_, made.name) != nullptr)
      first_error_.offer({Stage::parameters}, here(key, ErrorCode::duplicate_key,
                                                   "the parameter '" + printable(made.name, 80) +
                                                       "' stands here twice"));
    SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
    const IntegerToken integer = as_integer(value);
    if (!integer.is_integer)
      first_error_.offer({Stage::parameters},
                         here(value, ErrorCode::wrong_type, "a parameter is an integer")
                             .with(shown(value), "an integer"));
    else if (integer.beyond_64_bits || integer.value < 0)
      first_error_.offer({Stage::parameters}, here(value, ErrorCode::out_of_range,
                                                   "a parameter is an unsigned 64-bit integer")
                                                  .with(shown(value), "0..18446744073709551615"));
    else
      made.value = static_cast<std::uint64_t>(integer.value);
    SLABSCOPE_TRY(tokenizer_.skip_rest(value));
    constexpr std::size_t most = max_params + std::size(well_known_params);
    if (params_.size() < most)
      params_.push_back(std::move(made));
    else
      first_error_.offer({Stage::parameters},
                         tokenizer_
                             .error_at(made.origin.place, made.origin.pointer,
                                       ErrorCode::limit_exceeded, "too many parameters")
                             .with({}, "at most " + std::to_string(most)));
  }
}

Result<void> DocumentReader::read_count(std::optional<std::uint64_t>& into) {
  SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
  const IntegerToken integer = as_integer(value);
  if (!integer.is_integer)
    first_error_.offer({Stage::top_level}, here(value, ErrorCode::wrong_type,
                                                "'" + seen_.back().key + "' is an integer")
                                               .with(shown(value), "an integer"));
  else if (integer.beyond_64_bits || integer.value < 0)
    first_error_.offer({Stage::top_level},
                       here(value, ErrorCode::out_of_range,
                            "'" + seen_.back().key + "' is an unsigned 64-bit integer")
                           .with(shown(value), "0..18446744073709551615"));
  else
    into = static_cast<std::uint64_t>(integer.value);
  return tokenizer_.skip_rest(value);
}

Result<void> DocumentReader::read_partial() {
  SLABSCOPE_TRY_ASSIGN(value, tokenizer_.next());
  if (value.kind != TokenKind::true_value && value.kind != TokenKind::false_value)
    first_error_.offer({Stage::top_level},
                       here(value, ErrorCode::wrong_type, "'partial' is true or false")
                           .with(shown(value), "true or false"));
  if (value.kind == TokenKind::true_value && !options_.take_partial)
    first_error_.offer({Stage::top_level},
                       here(value, ErrorCode::partial_document,
                            "this document was decoded without its residue, so packing it would "
                            "not give the same bytes; pack it all the same with --force"));
  return tokenizer_.skip_rest(value);
}

Result<void> DocumentReader::read_groups() {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  if (first.kind != TokenKind::begin_array) {
    first_error_.offer({Stage::top_level},
                       here(first, ErrorCode::wrong_type, "'groups' is a list of integers")
                           .with(shown(first), "a list"));
    return tokenizer_.skip_rest(first);
  }
  has_groups_ = true;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    if (token.kind == TokenKind::end_array) return {};
    const IntegerToken integer = as_integer(token);
    if (!integer.is_integer)
      first_error_.offer({Stage::top_level},
                         here(token, ErrorCode::wrong_type, "a group is an integer")
                             .with(shown(token), "an integer"));
    else if (integer.beyond_64_bits || !fits(ElementType::i64, integer.value))
      first_error_.offer({Stage::top_level},
                         here(token, ErrorCode::out_of_range, "a group is a signed 64-bit integer")
                             .with(shown(token), {}));
    else if (groups_.size() >= options_.max_slab_bytes)
      first_error_.offer({Stage::limits}, here(token, ErrorCode::limit_exceeded,
                                               "more groups than any slab could have rows"));
    else
      groups_.push_back(static_cast<std::int64_t>(integer.value));
    SLABSCOPE_TRY(tokenizer_.skip_rest(token));
  }
}

Result<void> DocumentReader::read_residue() {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  if (first.kind != TokenKind::begin_array) {
    first_error_.offer({Stage::top_level},
                       here(first, ErrorCode::wrong_type, "'residue' is a list of runs")
                           .with(shown(first), "a list"));
    return tokenizer_.skip_rest(first);
  }
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    if (token.kind == TokenKind::end_array) return {};
    SLABSCOPE_TRY(read_residue_run(token));
  }
}

Result<void> DocumentReader::read_residue_run(const Token& first) {
  const Origin origin{tokenizer_.file(), first.place, tokenizer_.pointer(), true};
  const ErrorRank rank{Stage::residue, residue_count_++};
  const auto bad = [&](ErrorCode code, std::string message, std::string allowed) {
    first_error_.offer(rank,
                       tokenizer_.error_at(origin.place, origin.pointer, code, std::move(message))
                           .with({}, std::move(allowed)));
  };
  if (first.kind != TokenKind::begin_object) {
    bad(ErrorCode::wrong_type, "a residue run is an object", R"({"offset", "hex"})");
    return tokenizer_.skip_rest(first);
  }
  std::optional<std::uint64_t> offset;
  const std::uint64_t stored_at = residue_.bytes.size();
  bool has_hex = false;
  bool is_whole_hex = true;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(key, tokenizer_.next());
    if (key.kind == TokenKind::end_object) break;
    const bool is_offset = key.text == "offset";
    const bool is_hex = key.text == "hex";
    if ((is_offset && offset) || (is_hex && has_hex))
      bad(ErrorCode::duplicate_key, "a key stands in this residue run twice", "offset, hex");
    else if (!is_offset && !is_hex)
      bad(ErrorCode::unknown_key, "unknown key '" + printable(key.text, 80) + "' in a residue run",
          "offset, hex");
    HexSink hex(residue_.bytes, keeps_residue_ ? options_.max_slab_bytes : 0);
    SLABSCOPE_TRY_ASSIGN(value, is_hex && !has_hex ? tokenizer_.next(hex) : tokenizer_.next());
    if (is_hex) {
      has_hex = true;
      if (value.kind != TokenKind::string)
        bad(ErrorCode::wrong_type, "'hex' is a string", "pairs of hex digits");
      is_whole_hex = is_whole_hex && hex.is_whole_hex();
    } else if (is_offset) {
      const IntegerToken integer = as_integer(value);
      if (!integer.is_integer)
        bad(ErrorCode::wrong_type, "'offset' is an integer", "an integer");
      else if (integer.beyond_64_bits || integer.value < 0)
        bad(ErrorCode::out_of_range, "'offset' is an unsigned 64-bit integer",
            "0..18446744073709551615");
      offset = integer.value < 0 ? 0 : static_cast<std::uint64_t>(integer.value);
    }
    SLABSCOPE_TRY(tokenizer_.skip_rest(value));
  }
  const std::uint64_t bytes = residue_.bytes.size() - stored_at;
  if (!offset || !has_hex)
    bad(ErrorCode::missing_key, "a residue run has an offset and hex", "offset, hex");
  else if (!is_whole_hex || bytes == 0)
    bad(ErrorCode::bad_residue, "'hex' is not pairs of hex digits", {});
  if (residue_.bytes.size() > options_.max_slab_bytes) {
    bad(ErrorCode::bad_residue, "the residue is longer than any slab may be",
        "up to " + std::to_string(options_.max_slab_bytes) + " B");
    residue_ = {};
    residue_places_.clear();
    keeps_residue_ = false;
    return {};
  }
  keeps_residue_ = keeps_residue_ && !first_error_.is_up_to(Stage::residue);
  if (!offset || bytes == 0 || !keeps_residue_) return {};
  // Runs are kept as long as they are in order, so that a hostile document cannot pile them up.
  const std::uint64_t end =
      residue_.runs.empty() ? 0 : residue_.runs.back().offset + residue_.runs.back().bytes;
  if (*offset < end || !checked_add(*offset, bytes)) {
    keeps_residue_ = false;
    first_error_.offer(rank,
                       tokenizer_
                           .error_at(origin.place, origin.pointer, ErrorCode::bad_residue,
                                     *offset < end ? "residue runs are in order and do not overlap"
                                                   : "a residue run lies outside the slab")
                           .with(std::to_string(*offset) + " and " + std::to_string(bytes) + " B",
                                 "from " + std::to_string(end)));
    return {};
  }
  residue_.runs.push_back({*offset, bytes, stored_at});
  residue_places_.push_back(first.place);
  return {};
}

// Rows can be read as soon as their layout is known; until then their text is kept.
Result<void> DocumentReader::read_or_capture(const std::string& key) {
  const bool is_rows = key == "rows";
  if (columns_)
    return is_rows ? columns_->read_rows(tokenizer_) : columns_->read_fields(tokenizer_);
  Captured& captured = (is_rows ? captured_rows_ : captured_fields_).emplace();
  captured.pointer = tokenizer_.pointer();
  SLABSCOPE_TRY_ASSIGN(
      place, tokenizer_.capture_value(captured.text, max_captured_bytes,
                                      "name the layout before the rows, or with --layout"));
  captured.place = place;
  return {};
}

Result<void> DocumentReader::replay(const Captured& captured,
                                    Result<void> (ColumnReader::*read_value)(Tokenizer&)) {
  MemorySource source(captured.text);
  Tokenizer tokenizer(source, tokenizer_.file(), captured.place, captured.pointer);
  return ((*columns_).*read_value)(tokenizer);
}

void DocumentReader::check_names() {
  const auto missing = [&](const std::string& what) {
    Error made = tokenizer_.error_at(begin_, pointer_, ErrorCode::missing_key, what);
    first_error_.offer({Stage::top_level, ~std::uint64_t{0}}, std::move(made));
  };
  const auto has = [&](std::string_view key) {
    return std::any_of(seen_.begin(), seen_.end(),
                       [&](const Member& each) { return each.key == key; });
  };
  if (!description_ && !has("layout"))
    missing("the key 'layout' is missing; name the layout here or with --layout");
  if (!has("rows")) missing("the key 'rows' is missing");
}

std::optional<std::uint64_t> DocumentReader::region_bytes() const {
  std::optional<std::uint64_t> region =
      options_.region_bytes ? options_.region_bytes : region_bytes_;
  if (options_.stride) region = std::min(*options_.stride, region.value_or(*options_.stride));
  return region;
}

Result<RowsDocument> DocumentReader::finish() {
  check_names();
  if (first_error_.is_up_to(Stage::top_level)) return first_error_.failure();
  columns_->finish(tokenizer_, begin_, pointer_);
  for (const Assignment& each : options_.params) assign(params_, each);
  imply_params(*description_, params_, columns_->rows().row_count(),
               [this](std::size_t field) { return columns_->longest(field); });
  if (first_error_.is_up_to(Stage::parameters)) return first_error_.failure();

  Rows& rows = columns_->rows();
  const RowsViewOf view(rows);
  const std::optional<std::uint64_t> region = region_bytes();
  Result<Layout> layout = resolve(description_, params_, {rows.row_count(), live_rows_}, region);
  if (!layout) return fail(placed(std::move(layout).error(), "params"));
  if (options_.strict && !layout->warnings.empty())
    return fail(placed(layout->warnings.front(), "params"));
  for (Error& each : layout->warnings) each = placed(std::move(each), "params");
  if (auto fills = check_fills(*layout, view.view()); !fills)
    return fail(placed(std::move(fills).error(), "params"));
  const auto bound = options_.any_region ? std::nullopt : region;
  if (auto fits = check_size(*layout, options_.max_slab_bytes, bound); !fits) {
    const bool is_limit = fits.error().code != ErrorCode::region_exceeded;
    if (!is_limit && first_error_.is_up_to(Stage::limits))
      return fail(placed(std::move(first_error_.failure().value()), "rows"));
    if (!is_limit) fits.error().pointer = region_option();
    return fail(placed(std::move(fits).error(), is_limit ? "params" : "region_bytes"));
  }
  if (first_error_.is_up_to(Stage::limits))
    return fail(placed(std::move(first_error_.failure().value()), "rows"));
  if (auto number = check_rows(*layout, region); !number) {
    const ErrorCode code = number.error().code;
    const Assignment* const padded = find(params_, "padded_rows");
    if (code == ErrorCode::padded_rows && padded != nullptr) {
      number.error().file = padded->origin.file;
      number.error().place = padded->origin.place;
      number.error().pointer = padded->origin.pointer;
    }
    return fail(
        placed(std::move(number).error(), code == ErrorCode::live_rows ? "live_rows" : "rows"));
  }
  if (has_groups_ && groups_.size() != layout->live_rows)
    return fail(placed(error(ErrorCode::row_count, "there is one group for each live row")
                           .with(std::to_string(groups_.size()), std::to_string(layout->live_rows)),
                       "groups"));
  columns_->offer_long_list(*layout, region);
  offer_outside_residue(*layout);
  if (first_error_.is_up_to(Stage::residue)) return first_error_.failure();
  return RowsDocument{std::move(*layout), std::move(rows), std::move(residue_), std::move(groups_),
                      region};
}

// The option that the region comes from; empty when it is the document's own.
std::string DocumentReader::region_option() const {
  const std::optional<std::uint64_t> stated =
      options_.region_bytes ? options_.region_bytes : region_bytes_;
  if (options_.stride && *options_.stride < stated.value_or(~std::uint64_t{0})) return "--stride";
  return options_.region_bytes ? "--region-bytes" : "";
}

void DocumentReader::offer_outside_residue(const Layout& layout) {
  for (std::size_t index = 0; index < residue_.runs.size(); ++index) {
    const ResidueRun& run = residue_.runs[index];
    if (contains(layout.size, run.offset, run.bytes)) continue;
    const std::uint64_t number = index;  // runs behind one that is wrong are not kept
    first_error_.offer(
        {Stage::residue, number},
        tokenizer_
            .error_at(residue_places_[index], pointer_ + "/residue/" + std::to_string(number),
                      ErrorCode::bad_residue, "a residue run lies outside the slab")
            .with("[" + std::to_string(run.offset) + ", " + std::to_string(run.offset + run.bytes) +
                      ")",
                  "inside [0, " + std::to_string(layout.size) + ")"));
    return;
  }
}

}  // namespace slabscope
