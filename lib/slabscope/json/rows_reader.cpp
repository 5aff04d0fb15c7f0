#include <slabscope/json/rows_reader.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/json/document_reader.h>
#include <slabscope/layout/catalog.h>

namespace slabscope {

RowsReader::RowsReader(Source& source, std::string file, RowsOptions options)
    : tokenizer_(source, std::move(file), Documents::many), options_(std::move(options)) {}

RowsReader::RowsReader(Source& source, std::string file, RowsOptions options, std::uint64_t line)
    : tokenizer_(source, std::move(file), line), options_(std::move(options)), any_(true) {}

Result<DescriptionPtr> KnownLayouts::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = layouts_.find(name);
  if (known != layouts_.end()) return known->second;
  SLABSCOPE_TRY_ASSIGN(read, builtin_layout(name));
  layouts_.emplace(name, read);
  return read;
}

Rows RowsReader::rows_of(const DescriptionPtr& description) {
  if (!spare_ || spare_->layout.description != description) return Rows(*description);
  Rows rows = std::move(spare_->rows);
  spare_.reset();
  rows.clear();
  return rows;
}

Result<std::optional<RowsDocument>> RowsReader::next() {
  SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
  Token token = first;
  if (!any_ && token.kind == TokenKind::begin_array) {
    in_array_ = true;
    SLABSCOPE_TRY_ASSIGN(inside, tokenizer_.next());
    token = inside;
  }
  if (token.kind == (in_array_ ? TokenKind::end_array : TokenKind::end_of_input)) {
    if (in_array_) {
      SLABSCOPE_TRY_ASSIGN(after, tokenizer_.next());
      if (after.kind != TokenKind::end_of_input)
        return fail(tokenizer_.error_at(after.place, "", ErrorCode::syntax,
                                        "unexpected text after the array of documents"));
    }
    if (!any_)
      return fail(tokenizer_.error_at({}, "", ErrorCode::no_document, "there is no document"));
    return std::nullopt;
  }
  any_ = true;
  const TextPlace begin = token.place;
  const std::string pointer = tokenizer_.pointer();
  if (token.kind != TokenKind::begin_object) {
    SLABSCOPE_TRY(tokenizer_.skip_rest(token));
    return fail(
        tokenizer_.error_at(begin, pointer, ErrorCode::wrong_type, "expected a rows document")
            .with(std::string(describe(token.kind)),
                  std::string(describe(TokenKind::begin_object))));
  }
  DocumentReader reader(*this, begin, pointer);
  SLABSCOPE_TRY_ASSIGN(document, reader.read());
  return std::optional<RowsDocument>(std::move(document));
}

}  // namespace slabscope
