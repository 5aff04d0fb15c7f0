#include <slabscope/layout/description_reader.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/text/integer_token.h>
#include <slabscope/text/object_reader.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace slabscope {
namespace {

constexpr std::string_view reserved_names[] = {row_count_name, live_rows_name};

class DescriptionReader {
 public:
  explicit DescriptionReader(ObjectReader& in) : in_(in) {}

  // The rest of an object that began at `begin`, and with `to_end` the document's end after it.
  Result<DescriptionPtr> read(TextPlace begin, bool to_end) {
    made_.file = in_.tokenizer().file();
    SLABSCOPE_TRY(in_.members(begin, top_level()));
    if (to_end) SLABSCOPE_TRY(in_.end());
    if (made_.subject.empty()) made_.subject = made_.name + " metadata";
    SLABSCOPE_TRY(bind_row_param());
    SLABSCOPE_TRY(check_names());
    SLABSCOPE_TRY(check_constants());
    return std::make_shared<const Description>(std::move(made_));
  }

 private:
  std::vector<ObjectReader::Member> top_level() {
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

  Result<void> row_param() {
    SLABSCOPE_TRY(text(row_param_, true));
    row_param_origin_ = origin(value_place_);
    return {};
  }

  Result<void> gaps() {
    std::string word;
    SLABSCOPE_TRY(text(word));
    if (word != "zero" && word != "any")
      return fail(here(value_place_, ErrorCode::bad_layout, "gaps are \"zero\" or \"any\"")
                      .with(word, "zero, any"));
    made_.gaps_are_zero = word == "zero";
    return {};
  }

  Result<void> params() {
    SLABSCOPE_TRY(in_.begin_object("the parameters"));
    return in_.any_members(
        [this](const std::string& name, TextPlace place) { return param(name, place); });
  }

  Result<void> param(const std::string& name, TextPlace place) {
    if (made_.params.size() == max_params)
      return fail(here(place, ErrorCode::limit_exceeded, "too many parameters")
                      .with({}, "at most " + std::to_string(max_params)));
    if (!is_identifier(name) || is_function_name(name) || is_reserved(name))
      return fail(here(place, ErrorCode::bad_layout,
                       "'" + printable(name, 80) + "' cannot be a parameter's name"));
    SLABSCOPE_TRY_ASSIGN(begin, in_.begin_object("a parameter"));
    ParamDescription made;
    made.name = name;
    made.origin = origin(begin);
    SLABSCOPE_TRY(
        in_.members(begin, {{"doc", false, [&] { return text(made.doc); }},
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

  Result<void> fields() {
    SLABSCOPE_TRY(in_.begin_array("the fields"));
    return in_.elements(max_fields, [this](const Token& token) { return field(token); });
  }

  Result<void> field(const Token& first) {
    const TextPlace begin = first.place;
    SLABSCOPE_TRY(in_.require(first, TokenKind::begin_object, "a field"));
    FieldDescription made;
    made.origin = origin(begin);
    SLABSCOPE_TRY(in_.members(begin, {{"name", true, [&] { return field_name(made.name); }},
                                      {"type", true, [&] { return type(made.type); }},
                                      {"shape", true, [&] { return shape(made.shape); }},
                                      {"offset", false, [&] { return expression(made.offset); }},
                                      {"align", false, [&] { return power_of_two(made.align); }},
                                      {"fill", false, [&] { return fill(made); }},
                                      {"pad", false, [&] { return values(made.pad); }},
                                      {"null", false, [&] { return values(made.null); }},
                                      {"role", false, [&] { return role(made.role); }},
                                      {"doc", false, [&] { return text(made.doc); }}}));
    if (made.offset && made.align != 0)
      return fail(
          at(made.origin, ErrorCode::bad_layout, "a field has 'offset' or 'align', not both"));
    made_.fields.push_back(std::move(made));
    return {};
  }

  Result<void> field_name(std::string& name) {
    SLABSCOPE_TRY(text(name, true));
    if (made_.find_field(name))
      return fail(here(value_place_, ErrorCode::duplicate_name,
                       "a field named '" + name + "' stands before this one"));
    return {};
  }

  Result<void> role(std::string& into) {
    SLABSCOPE_TRY(text(into, true));
    if (std::find(std::begin(known_roles), std::end(known_roles), into) != std::end(known_roles))
      return {};
    std::string known;
    for (const std::string_view each : known_roles)
      known += (known.empty() ? "" : ", ") + std::string(each);
    made_.warnings.push_back(
        here(value_place_, ErrorCode::unknown_name, "no check knows this role").with(into, known));
    return {};
  }

  Result<void> type(ElementType& into) {
    std::string word;
    SLABSCOPE_TRY(text(word));
    const auto known = element_type(word);
    if (!known)
      return fail(here(value_place_, ErrorCode::unknown_type, "unknown element type")
                      .with(word, "u8 i8 u16 i16 u32 i32 u64 i64"));
    into = *known;
    return {};
  }

  Result<void> shape(std::vector<Expression>& into) {
    SLABSCOPE_TRY(in_.begin_array("a shape"));
    return in_.elements(max_dimensions, [&](const Token& token) -> Result<void> {
      SLABSCOPE_TRY_ASSIGN(read, expression(token));
      into.push_back(std::move(read));
      return {};
    });
  }

  Result<void> fill(FieldDescription& into) {
    into.may_be_left_out = true;
    SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
    into.fill_is_any = token.kind == TokenKind::string && token.text == "any";
    if (into.fill_is_any) return {};
    SLABSCOPE_TRY_ASSIGN(read, expression(token));
    into.fill = std::move(read);
    return {};
  }

  // One value, or a list of at least one.
  Result<void> values(std::vector<Expression>& into) {
    SLABSCOPE_TRY_ASSIGN(first, in_.tokenizer().next());
    const TextPlace begin = first.place;
    const auto take = [&](const Token& token) -> Result<void> {
      SLABSCOPE_TRY_ASSIGN(read, expression(token));
      into.push_back(std::move(read));
      return {};
    };
    if (first.kind == TokenKind::begin_array)
      SLABSCOPE_TRY(in_.elements(max_listed_values, take));
    else
      SLABSCOPE_TRY(take(first));
    if (into.empty())
      return fail(here(begin, ErrorCode::bad_layout, "the list of values is empty"));
    return {};
  }

  Result<void> text(std::string& into, bool identifier = false) {
    SLABSCOPE_TRY_ASSIGN(place, in_.text(into));
    value_place_ = place;
    if (identifier && !is_identifier(into))
      return fail(here(value_place_, ErrorCode::bad_layout,
                       "a name is letters, digits and '_', no digit first, at most 64 bytes")
                      .with(printable(into), {}));
    return {};
  }

  Result<void> power_of_two(std::uint64_t& into) {
    SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
    const TextPlace place = token.place;
    const IntegerToken read = as_integer(token);
    if (!read.is_integer)
      return fail(here(place, ErrorCode::wrong_type, "an alignment is an integer")
                      .with(std::string(token.text), {}));
    if (read.beyond_64_bits || read.value <= 0 || read.value > max_align ||
        !std::has_single_bit(static_cast<std::uint64_t>(read.value)))
      return fail(here(place, ErrorCode::bad_layout, "an alignment is a power of two")
                      .with(std::string(token.text), "1 to " + std::to_string(max_align)));
    into = static_cast<std::uint64_t>(read.value);
    return {};
  }

  Result<void> expression(std::optional<Expression>& into) {
    SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
    SLABSCOPE_TRY_ASSIGN(read, expression(token));
    into = std::move(read);
    return {};
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
    SLABSCOPE_TRY(in_.require(token, TokenKind::string, "an integer or an expression"));
    where.exact = token.plain;
    ++where.place.column;  // past the quote
    return Expression::parse(token.text, std::move(where));
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
    return {in_.tokenizer().file(), place, in_.tokenizer().pointer(), true};
  }
  [[nodiscard]] Error here(TextPlace place, ErrorCode code, std::string message) const {
    return in_.here(place, code, std::move(message));
  }
  [[nodiscard]] Error at(const Origin& origin, ErrorCode code, std::string message) const {
    return in_.tokenizer().error_at(origin.place, origin.pointer, code, std::move(message));
  }

  // No GPU memory is aligned to more than its 2 MiB pages.
  static constexpr std::uint64_t max_align = std::uint64_t{1} << 21;

  ObjectReader& in_;
  Description made_;
  std::string row_param_;
  Origin row_param_origin_;
  TextPlace value_place_;
};

}  // namespace

Result<DescriptionPtr> read_description(Source& source, std::string file) {
  ObjectReader in(source, std::move(file), "the layout description", max_description_bytes);
  SLABSCOPE_TRY_ASSIGN(begin, in.begin_object("a layout description"));
  return DescriptionReader(in).read(begin, true);
}

Result<DescriptionPtr> read_description(ObjectReader& in, TextPlace begin) {
  return DescriptionReader(in).read(begin, false);
}

}  // namespace slabscope
