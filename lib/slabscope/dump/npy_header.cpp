#include <slabscope/dump/npy_header.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/dump/npy_type.h>
#include <slabscope/dump/strided.h>

#include <algorithm>
#include <unordered_set>

namespace slabscope {
namespace {

class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::uint64_t offset, const ContainerLimits& limits)
      : text_(text), offset_(offset), limits_(limits) {}

  Result<NpyHeader> read() {
    SLABSCOPE_TRY(expect('{', "the dictionary"));
    while (!take('}')) {
      SLABSCOPE_TRY(member());
      if (take(',')) continue;
      SLABSCOPE_TRY(expect('}', "the end of the dictionary, or a comma"));
      break;
    }
    skip_blanks();
    if (at_ < text_.size()) return bad("unexpected text after the dictionary", shown());
    for (const Key& key : keys_)
      if (!key.seen) return bad("the header has no key '" + std::string(key.name) + "'", {});
    return std::move(made_);
  }

 private:
  struct Key {
    std::string_view name;
    Result<void> (HeaderReader::*read)();
    bool seen = false;
  };

  Result<void> member() {
    SLABSCOPE_TRY_ASSIGN(name, string("a key"));
    const auto key = std::ranges::find(keys_, name, &Key::name);
    if (key == std::end(keys_))
      return bad("unknown key in the header", printable(name, 40), "descr, fortran_order, shape");
    if (std::exchange(key->seen, true))
      return bad("the key '" + std::string(name) + "' stands here twice", {});
    SLABSCOPE_TRY(expect(':', "a colon"));
    return (this->*key->read)();
  }

  Result<void> descr() {
    SLABSCOPE_TRY_ASSIGN(type, type_of(0));
    made_.type = std::move(type);
    return {};
  }

  Result<void> fortran_order() {
    if (take("True")) {
      made_.is_fortran = true;
      return {};
    }
    if (take("False")) return {};
    return bad("fortran_order is neither True nor False", shown());
  }

  Result<void> shape() {
    SLABSCOPE_TRY_ASSIGN(read, dimensions());
    made_.shape = std::move(read);
    return {};
  }

  // A string, or a list of fields.
  Result<NpyType> type_of(unsigned nesting) {
    if (nesting > limits_.max_nesting)
      return fail(error(ErrorCode::limit_exceeded, "records in records, too deep")
                      .with({}, "at most " + std::to_string(limits_.max_nesting))
                      .at_offset(offset_ + at_));
    if (take('[')) return record(nesting);
    const std::size_t begin = at_;
    SLABSCOPE_TRY_ASSIGN(name, string("a type, or a list of fields"));
    Result<NpyType> type = npy_type(name);
    if (!type) return fail(std::move(type.error()).at_offset(offset_ + begin));
    return type;
  }

  Result<NpyType> record(unsigned nesting) {
    NpyType made;
    made.name = "record";
    std::unordered_set<std::string> names;
    while (!take(']')) {
      SLABSCOPE_TRY_ASSIGN(field, field_of(nesting));
      const auto count = element_count(field.shape);
      const auto bytes = count ? checked_multiply(*count, field.type.bytes) : std::nullopt;
      const auto end = bytes ? checked_add(made.bytes, *bytes) : std::nullopt;
      if (!end) return bad("a record's bytes pass 64 bits", printable(field.name, 40));
      field.offset = std::exchange(made.bytes, *end);
      // numpy writes the gaps of aligned records as nameless bytes.
      if (!field.name.empty() && !names.insert(field.name).second)
        return bad("two fields have the same name", printable(field.name, 40));
      if (!field.name.empty()) made.fields.push_back(std::move(field));
      if (take(',')) continue;
      SLABSCOPE_TRY(expect(']', "the end of the fields, or a comma"));
      break;
    }
    if (made.fields.empty()) return bad("a record has no fields", {});
    return made;
  }

  // ('name', type) or ('name', type, shape); the name may be ('title', 'name').
  Result<NpyField> field_of(unsigned nesting) {
    if (++field_count_ > limits_.max_tensors)
      return fail(error(ErrorCode::limit_exceeded, "the records have too many fields")
                      .with({}, "at most " + std::to_string(limits_.max_tensors))
                      .at_offset(offset_ + at_));
    NpyField made;
    SLABSCOPE_TRY(expect('(', "a field"));
    const bool has_title = take('(');
    SLABSCOPE_TRY_ASSIGN(first, string("a field's name"));
    made.name = first;
    if (has_title) {
      SLABSCOPE_TRY(expect(',', "a comma"));
      SLABSCOPE_TRY_ASSIGN(second, string("a field's name"));
      made.name = second;
      SLABSCOPE_TRY(expect(')', "the end of the name"));
    }
    SLABSCOPE_TRY(expect(',', "a comma"));
    SLABSCOPE_TRY_ASSIGN(type, type_of(nesting + 1));
    made.type = std::move(type);
    if (take(',')) {
      SLABSCOPE_TRY_ASSIGN(shape, dimensions());
      made.shape = std::move(shape);
    }
    SLABSCOPE_TRY(expect(')', "the end of the field"));
    return made;
  }

  // A tuple: (), (3,), (3, 4).
  Result<std::vector<std::uint64_t>> dimensions() {
    std::vector<std::uint64_t> made;
    SLABSCOPE_TRY(expect('(', "a shape"));
    bool is_tuple = true;  // (3) is a number
    while (!take(')')) {
      if (made.size() == max_npy_dimensions)
        return fail(error(ErrorCode::limit_exceeded, "the shape has too many dimensions")
                        .with({}, "at most " + std::to_string(max_npy_dimensions))
                        .at_offset(offset_ + at_));
      SLABSCOPE_TRY_ASSIGN(dimension, number());
      made.push_back(dimension);
      is_tuple = take(',');
      if (is_tuple) continue;
      SLABSCOPE_TRY(expect(')', "the end of the shape, or a comma"));
      break;
    }
    if (made.size() == 1 && !is_tuple) return bad("the shape is a number", {}, "a tuple: (n,)");
    return made;
  }

  Result<std::uint64_t> number() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const IntegerText parsed = parse_integer(text_.substr(begin, at_ - begin));
    if (parsed.fault == IntegerTextFault::none) return static_cast<std::uint64_t>(parsed.value);
    if (at_ == begin) return bad("expected a dimension", shown());
    at_ = begin;
    return bad("a dimension is no number of 64 bits", shown());
  }

  // In single or double quotes, as repr() writes it; escapes are not read.
  Result<std::string_view> string(std::string_view what) {
    skip_blanks();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      return bad("expected " + std::string(what), shown());
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return bad("a string does not end", shown());
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find('\\') != std::string_view::npos)
      return bad("a name with an escape is not read", printable(inside, 40));
    at_ = end + 1;
    return inside;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool take(char character) { return take(std::string_view(&character, 1)); }
  Result<void> expect(char character, std::string_view what) {
    if (take(character)) return {};
    return bad("expected " + std::string(what), shown());
  }

  std::string shown() const {
    return at_ == text_.size() ? "the end of the header" : printable(text_.substr(at_), 24);
  }
  Failure bad(std::string message, std::string got, std::string allowed = {}) const {
    return fail(error(ErrorCode::bad_container, std::move(message))
                    .with(std::move(got), std::move(allowed))
                    .at_offset(offset_ + at_));
  }

  std::string_view text_;
  std::uint64_t offset_;
  const ContainerLimits& limits_;
  std::size_t at_ = 0;
  std::uint64_t field_count_ = 0;
  NpyHeader made_;
  Key keys_[3] = {{"descr", &HeaderReader::descr},
                  {"fortran_order", &HeaderReader::fortran_order},
                  {"shape", &HeaderReader::shape}};
};

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view text, std::uint64_t offset,
                                  const ContainerLimits& limits) {
  return HeaderReader(text, offset, limits).read();
}

}  // namespace slabscope
