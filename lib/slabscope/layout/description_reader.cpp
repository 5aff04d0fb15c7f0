#include <slabscope/layout/description_reader.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/text/tokenizer.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

namespace slabscope {
namespace {

constexpr std::size_t max_doc_bytes = 4096;
constexpr std::string_view reserved_names[] = {row_count_name, live_rows_name};

// Ends the reading of a file that no person would write, whatever its parts are.
class LimitedSource final : public Source {
 public:
  explicit LimitedSource(Source& source) : source_(source) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    SLABSCOPE_TRY_ASSIGN(count, source_.read(into));
    bytes_ += count;
    if (bytes_ <= max_description_bytes) return count;
    return fail(error(ErrorCode::limit_exceeded, "the layout description is too long")
                    .with({}, "at most " + std::to_string(max_description_bytes) + " bytes"));
  }

 private:
  Source& source_;
  std::size_t bytes_ = 0;
};

class DescriptionReader {
 public:
  DescriptionReader(Source& source, std::string file)
      : limited_(source), tokenizer_(limited_, std::move(file)) {}

  Result<DescriptionPtr> read() {
    made_.file = tokenizer_.file();
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    SLABSCOPE_TRY(require(first, TokenKind::begin_object, "a layout description"));
    const TextPlace begin = first.place;
    SLABSCOPE_TRY(members(begin, top_level()));
    SLABSCOPE_TRY(tokenizer_.next());  // the end, or an error
    if (made_.subject.empty()) made_.subject = made_.name + " metadata";
    SLABSCOPE_TRY(bind_row_param());
    SLABSCOPE_TRY(check_names());
    SLABSCOPE_TRY(check_constants());
    return std::make_shared<const Description>(std::move(made_));
  }

 private:
  struct Member {
    std::string_view key;
    bool required;
    std::function<Result<bool>()> read;
  };
  using ReadMember = std::function<Result<void>(const std::string& key, TextPlace place)>;

  // Reads an object after its begin token: each key at most once.
  Result<void> any_members(const ReadMember& read_member) {
    std::vector<std::string> seen;
    for (;;) {
      SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
      if (token.kind == TokenKind::end_object) return {};
      const std::string key(token.text);
      const TextPlace place = token.place;
      if (std::find(seen.begin(), seen.end(), key) != seen.end())
        return fail(here(place, ErrorCode::duplicate_key,
                         "the key '" + printable(key) + "' stands here twice"));
      seen.push_back(key);
      SLABSCOPE_TRY(read_member(key, place));
    }
  }

  // As any_members(), with the keys that are known, and all required ones there.
  Result<void> members(TextPlace begin, const std::vector<Member>& known) {
    const std::string object = tokenizer_.pointer();
    std::vector<bool> seen(known.size());
    const ReadMember read_known = [&](const std::string& key, TextPlace place) -> Result<void> {
      for (std::size_t index = 0; index < known.size(); ++index) {
        if (known[index].key != key) continue;
        seen[index] = true;
        SLABSCOPE_TRY(known[index].read());
        return {};
      }
      std::string keys;
      for (const Member& each : known) keys.append(keys.empty() ? "" : ", ").append(each.key);
      return fail(here(place, ErrorCode::unknown_key, "unknown key '" + printable(key, 80) + "'")
                      .with({}, keys));
    };
    SLABSCOPE_TRY(any_members(read_known));
    for (std::size_t index = 0; index < known.size(); ++index)
      if (known[index].required && !seen[index])
        return fail(
            tokenizer_.error_at(begin, object, ErrorCode::missing_key,
                                "the key '" + std::string(known[index].key) + "' is missing"));
    return {};
  }

  // Reads a list's elements after its begin token.
  Result<void> elements(std::size_t most,
                        const std::function<Result<void>(const Token&)>& read_element) {
    for (std::size_t count = 0;; ++count) {
      SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
      if (token.kind == TokenKind::end_array) return {};
      if (count == most)
        return fail(here(token.place, ErrorCode::limit_exceeded, "the list is too long")
                        .with({}, "at most " + std::to_string(most) + " entries"));
      SLABSCOPE_TRY(read_element(token));
    }
  }

  std::vector<Member> top_level() {
    return {{"name", true, [this] { return text(made_.name, true); }},
            {"doc", false, [this] { return text(made_.doc); }},
            {"subject", false, [this] { return text(made_.subject); }},
            {"params", false, [this] { return params(); }},
            {"row_param", false, [this] { return row_param(); }},
            {"gaps", false, [this] { return gaps(); }},
            {"align", false, [this] { return power_of_two(made_.align); }},
            {"rows_per_group", false, [this] { return expression(made_.rows_per_group); }},
            {"fields", true, [this] { return fields(); }}};
  }

  Result<bool> row_param() {
    SLABSCOPE_TRY(text(row_param_, true));
    row_param_origin_ = origin(value_place_);
    return true;
  }

  Result<bool> gaps() {
    std::string word;
    SLABSCOPE_TRY(text(word));
    if (word != "zero" && word != "any")
      return fail(here(value_place_, ErrorCode::bad_layout, "gaps are \"zero\" or \"any\"")
                      .with(word, "zero, any"));
    made_.gaps_are_zero = word == "zero";
    return true;
  }

  Result<bool> params() {
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    SLABSCOPE_TRY(require(first, TokenKind::begin_object, "the parameters"));
    SLABSCOPE_TRY(any_members(
        [this](const std::string& name, TextPlace place) { return param(name, place); }));
    return true;
  }

  Result<void> param(const std::string& name, TextPlace place) {
    if (made_.params.size() == max_params)
      return fail(here(place, ErrorCode::limit_exceeded, "too many parameters")
                      .with({}, "at most " + std::to_string(max_params)));
    if (!is_identifier(name) || is_function_name(name) || is_reserved(name))
      return fail(here(place, ErrorCode::bad_layout,
                       "'" + printable(name, 80) + "' cannot be a parameter's name"));
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    const TextPlace begin = first.place;
    SLABSCOPE_TRY(require(first, TokenKind::begin_object, "a parameter"));
    ParamDescription made;
    made.name = name;
    made.origin = origin(begin);
    SLABSCOPE_TRY(
        members(begin, {{"doc", false, [&] { return text(made.doc); }},
                        {"min", false, [&] { return expression(made.min); }},
                        {"max", false, [&] { return expression(made.max); }},
                        {"soft_max", false, [&] { return expression(made.soft_max); }},
                        {"default", false, [&] { return expression(made.default_value); }},
                        {"value", false, [&] { return expression(made.value); }}}));
    if (made.value && made.default_value)
      return fail(
          at(made.origin, ErrorCode::bad_layout, "a derived parameter ('value') has no 'default'"));
    made_.params.push_back(std::move(made));
    return {};
  }

  Result<bool> fields() {
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    SLABSCOPE_TRY(require(first, TokenKind::begin_array, "the fields"));
    SLABSCOPE_TRY(elements(max_fields, [this](const Token& token) { return field(token); }));
    return true;
  }

  Result<void> field(const Token& first) {
    const TextPlace begin = first.place;
    SLABSCOPE_TRY(require(first, TokenKind::begin_object, "a field"));
    FieldDescription made;
    made.origin = origin(begin);
    SLABSCOPE_TRY(members(begin, {{"name", true, [&] { return field_name(made.name); }},
                                  {"type", true, [&] { return type(made.type); }},
                                  {"shape", true, [&] { return shape(made.shape); }},
                                  {"offset", false, [&] { return expression(made.offset); }},
                                  {"align", false, [&] { return power_of_two(made.align); }},
                                  {"fill", false, [&] { return fill(made); }},
                                  {"pad", false, [&] { return values(made.pad); }},
                                  {"null", false, [&] { return values(made.null); }},
                                  {"role", false, [&] { return text(made.role, true); }},
                                  {"doc", false, [&] { return text(made.doc); }}}));
    if (made.offset && made.align != 0)
      return fail(
          at(made.origin, ErrorCode::bad_layout, "a field has 'offset' or 'align', not both"));
    made_.fields.push_back(std::move(made));
    return {};
  }

  Result<bool> field_name(std::string& name) {
    SLABSCOPE_TRY(text(name, true));
    if (made_.find_field(name))
      return fail(here(value_place_, ErrorCode::duplicate_name,
                       "a field named '" + name + "' stands before this one"));
    return true;
  }

  Result<bool> type(ElementType& into) {
    std::string word;
    SLABSCOPE_TRY(text(word));
    const auto known = element_type(word);
    if (!known)
      return fail(here(value_place_, ErrorCode::unknown_type, "unknown element type")
                      .with(word, "u8 i8 u16 i16 u32 i32 u64 i64"));
    into = *known;
    return true;
  }

  Result<bool> shape(std::vector<Expression>& into) {
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    SLABSCOPE_TRY(require(first, TokenKind::begin_array, "a shape"));
    SLABSCOPE_TRY(elements(max_dimensions, [&](const Token& token) -> Result<void> {
      SLABSCOPE_TRY_ASSIGN(read, expression(token));
      into.push_back(std::move(read));
      return {};
    }));
    return true;
  }

  Result<bool> fill(FieldDescription& into) {
    into.may_be_left_out = true;
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    into.fill_is_any = token.kind == TokenKind::string && token.text == "any";
    if (into.fill_is_any) return true;
    SLABSCOPE_TRY_ASSIGN(read, expression(token));
    into.fill = std::move(read);
    return true;
  }

  // One value, or a list of at least one.
  Result<bool> values(std::vector<Expression>& into) {
    SLABSCOPE_TRY_ASSIGN(first, tokenizer_.next());
    const TextPlace begin = first.place;
    const auto take = [&](const Token& token) -> Result<void> {
      SLABSCOPE_TRY_ASSIGN(read, expression(token));
      into.push_back(std::move(read));
      return {};
    };
    if (first.kind == TokenKind::begin_array)
      SLABSCOPE_TRY(elements(max_listed_values, take));
    else
      SLABSCOPE_TRY(take(first));
    if (into.empty())
      return fail(here(begin, ErrorCode::bad_layout, "the list of values is empty"));
    return true;
  }

  Result<bool> text(std::string& into, bool identifier = false) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    value_place_ = token.place;
    SLABSCOPE_TRY(require(token, TokenKind::string, "a text"));
    into = token.text;
    if (into.size() > max_doc_bytes)
      return fail(here(value_place_, ErrorCode::limit_exceeded, "the text is too long")
                      .with(std::to_string(into.size()) + " bytes",
                            "at most " + std::to_string(max_doc_bytes)));
    // These texts stand in tables and in one-line errors.
    const auto is_control = [](char each) {
      return static_cast<unsigned char>(each) < 0x20 || each == 0x7f;
    };
    if (std::any_of(into.begin(), into.end(), is_control))
      return fail(here(value_place_, ErrorCode::bad_layout, "a text has no control characters"));
    if (identifier && !is_identifier(into))
      return fail(here(value_place_, ErrorCode::bad_layout,
                       "a name is letters, digits and '_', no digit first, at most 64 bytes")
                      .with(printable(into), {}));
    return true;
  }

  Result<bool> power_of_two(std::uint64_t& into) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    const TextPlace place = token.place;
    IntegerText read{token.value, token.beyond_64_bits ? IntegerTextFault::beyond_64_bits
                                                       : IntegerTextFault::none};
    if (token.kind == TokenKind::string)
      read = parse_integer(token.text);
    else if (token.kind != TokenKind::integer)
      read.fault = IntegerTextFault::not_an_integer;
    if (read.fault == IntegerTextFault::not_an_integer)
      return fail(here(place, ErrorCode::wrong_type, "an alignment is an integer")
                      .with(std::string(token.text), {}));
    if (read.fault != IntegerTextFault::none || read.value <= 0 || read.value > max_align ||
        !std::has_single_bit(static_cast<std::uint64_t>(read.value)))
      return fail(here(place, ErrorCode::bad_layout, "an alignment is a power of two")
                      .with(std::string(token.text), "1 to " + std::to_string(max_align)));
    into = static_cast<std::uint64_t>(read.value);
    return true;
  }

  Result<bool> expression(std::optional<Expression>& into) {
    SLABSCOPE_TRY_ASSIGN(token, tokenizer_.next());
    SLABSCOPE_TRY_ASSIGN(read, expression(token));
    into = std::move(read);
    return true;
  }

  // An integer, or an expression as a string.
  Result<Expression> expression(const Token& token) {
    Origin where = origin(token.place);
    if (token.kind == TokenKind::integer) {
      if (token.beyond_64_bits)
        return fail(here(token.place, ErrorCode::out_of_range, "the integer is beyond 64 bits")
                        .with(std::string(token.text), {}));
      return Expression::constant(token.value, std::move(where));
    }
    SLABSCOPE_TRY(require(token, TokenKind::string, "an integer or an expression"));
    where.exact = token.plain;
    ++where.place.column;  // past the quote
    return Expression::parse(token.text, std::move(where));
  }

  Result<void> require(const Token& token, TokenKind kind, std::string_view what) const {
    if (token.kind == kind) return {};
    std::string_view wanted = describe(kind);
    if (kind == TokenKind::string && what.starts_with("an integer"))
      wanted = "an integer or a string";
    return fail(here(token.place, ErrorCode::wrong_type, "expected " + std::string(what))
                    .with(std::string(describe(token.kind)), std::string(wanted)));
  }

  Result<void> bind_row_param() {
    if (row_param_.empty()) return {};
    for (std::size_t index = 0; index < made_.params.size(); ++index)
      if (made_.params[index].name == row_param_) made_.row_param = index;
    if (!made_.row_param)
      return fail(at(row_param_origin_, ErrorCode::unknown_name,
                     "row_param names no parameter of the layout")
                      .with(row_param_, {}));
    for (FieldDescription& each : made_.fields)
      each.per_row = !each.shape.empty() && each.shape.front().as_name() == row_param_;
    return {};
  }

  template <class Visit>
  static Result<void> for_each_expression(const Description& description, Visit&& visit) {
    const auto maybe = [&](const std::optional<Expression>& each) -> Result<void> {
      return each ? visit(*each) : Result<void>();
    };
    for (const ParamDescription& each : description.params)
      for (const auto* part :
           {&each.min, &each.max, &each.soft_max, &each.default_value, &each.value})
        SLABSCOPE_TRY(maybe(*part));
    SLABSCOPE_TRY(maybe(description.rows_per_group));
    for (const FieldDescription& field : description.fields) {
      for (const Expression& each : field.shape) SLABSCOPE_TRY(visit(each));
      SLABSCOPE_TRY(maybe(field.offset));
      SLABSCOPE_TRY(maybe(field.fill));
      for (const Expression& each : field.pad) SLABSCOPE_TRY(visit(each));
      for (const Expression& each : field.null) SLABSCOPE_TRY(visit(each));
    }
    return {};
  }

  Result<void> check_names() const {
    return for_each_expression(made_, [&](const Expression& each) -> Result<void> {
      Result<void> outcome;
      each.for_each_name([&](std::string_view name, std::size_t position) {
        if (!outcome || made_.find_param(name) != nullptr || is_reserved(name)) return;
        outcome = fail(each.error_at(position, ErrorCode::unknown_name,
                                     "'" + std::string(name) + "' is no parameter of this layout"));
      });
      return outcome;
    });
  }

  // Values written as plain integers are checked at once; the others when they are evaluated.
  Result<void> check_constants() const {
    struct Constants {
      using Value = int128;
      static tl::expected<int128, ArithmeticFault> literal(int128 value) { return value; }
      static tl::expected<int128, ArithmeticFault> apply(Operation operation, int128 left,
                                                         int128 right) {
        return apply_checked(operation, left, right);
      }
      static tl::expected<int128, ArithmeticFault> rung(std::span<const int128> operands) {
        return slabscope::rung(operands);
      }
      static Result<int128> name(std::string_view, const Expression&, std::size_t) { return 0; }
    } constants;
    for (const FieldDescription& field : made_.fields) {
      const auto check = [&](const Expression& each) -> Result<void> {
        bool constant = true;
        each.for_each_name([&](std::string_view, std::size_t) { constant = false; });
        if (!constant) return {};
        SLABSCOPE_TRY_ASSIGN(value, each.evaluate(constants));
        if (fits(field.type, value)) return {};
        return fail(
            each.error_here(ErrorCode::value_out_of_range,
                            "the value does not fit " + std::string(slabscope::name(field.type)))
                .with(to_text(value),
                      to_text(minimum(field.type)) + ".." + to_text(maximum(field.type))));
      };
      if (field.fill) SLABSCOPE_TRY(check(*field.fill));
      for (const Expression& each : field.pad) SLABSCOPE_TRY(check(each));
      for (const Expression& each : field.null) SLABSCOPE_TRY(check(each));
      if (made_.align != 0 && made_.align < element_bytes(field.type))
        return fail(at(field.origin, ErrorCode::bad_layout,
                       "the layout's align is below this field's element size")
                        .with(std::to_string(made_.align),
                              "at least " + std::to_string(element_bytes(field.type))));
    }
    return {};
  }

  static bool is_reserved(std::string_view name) {
    return std::find(std::begin(reserved_names), std::end(reserved_names), name) !=
           std::end(reserved_names);
  }
  [[nodiscard]] Origin origin(TextPlace place) const {
    return {tokenizer_.file(), place, tokenizer_.pointer(), true};
  }
  [[nodiscard]] Error here(TextPlace place, ErrorCode code, std::string message) const {
    return tokenizer_.error_at(place, tokenizer_.pointer(), code, std::move(message));
  }
  [[nodiscard]] Error at(const Origin& origin, ErrorCode code, std::string message) const {
    return tokenizer_.error_at(origin.place, origin.pointer, code, std::move(message));
  }

  // No GPU memory is aligned to more than its 2 MiB pages.
  static constexpr std::uint64_t max_align = std::uint64_t{1} << 21;

  LimitedSource limited_;
  Tokenizer tokenizer_;
  Description made_;
  std::string row_param_;
  Origin row_param_origin_;
  TextPlace value_place_;
};

}  // namespace

Result<DescriptionPtr> read_description(Source& source, std::string file) {
  return DescriptionReader(source, std::move(file)).read();
}

}  // namespace slabscope
