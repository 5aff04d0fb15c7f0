#include <slabscope/layout/layout.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>

namespace slabscope {
namespace {

Error at(Error failed, const Origin& origin) {
  failed.file = origin.file;
  failed.place = origin.place;
  failed.pointer = origin.pointer;
  return failed;
}

std::string param_names(const Description& description) {
  std::string names;
  for (const ParamDescription& each : description.params)
    if (!each.value) names += (names.empty() ? "" : ", ") + each.name;
  return names.empty() ? "none" : names;
}

// What may be set: the layout's own parameters, and those that any layout carries through.
std::string takeable_names(const Description& description) {
  std::string carried;
  for (const std::string_view each : well_known_params)
    if (description.find_param(each) == nullptr)
      carried += (carried.empty() ? "; for checks also " : ", ") + std::string(each);
  return param_names(description) + carried;
}

class Resolver {
 public:
  Resolver(const DescriptionPtr& description, const Assignments& given, RowNumbers rows,
           std::optional<std::uint64_t> region_bytes)
      : description_(*description),
        given_(given),
        rows_(rows),
        region_bytes_(region_bytes),
        scope_(description_, rows.row_count, rows.live_rows) {
    made_.description = description;
  }

  Result<Layout> params() {
    SLABSCOPE_TRY(take_given());
    SLABSCOPE_TRY(evaluate_params());
    return std::move(made_);
  }

  Result<Layout> resolve() {
    SLABSCOPE_TRY(take_given());
    SLABSCOPE_TRY(evaluate_params());
    SLABSCOPE_TRY(check_missing());
    SLABSCOPE_TRY(count_rows());
    SLABSCOPE_TRY(check_groups());
    made_.fields.reserve(description_.fields.size());
    evaluate_values();
    for (ResolvedField& each : made_.fields) SLABSCOPE_TRY(place(each));
    return tile();
  }

 private:
  Result<void> take_given() {
    made_.given = given_;
    for (const Assignment& each : given_) {
      const ParamDescription* const param = description_.find_param(each.name);
      if (param == nullptr && is_well_known(each.name)) {
        made_.carried.push_back(each);
        continue;
      }
      if (param == nullptr)
        return fail(at(
            error(ErrorCode::unknown_param, "the layout '" + description_.name +
                                                "' has no parameter '" + printable(each.name) + "'")
                .with({}, takeable_names(description_)),
            each.origin));
      if (param->value)
        return fail(
            at(error(ErrorCode::derived_param, "'" + each.name + "' is derived (" +
                                                   param->value->text() + ") and cannot be set"),
               each.origin));
      scope_.set(index_of(*param), each.value);
    }
    return {};
  }

  // Parameters that nothing needs may stay without a value.
  Result<void> evaluate_params() {
    made_.params.reserve(description_.params.size());
    for (const ParamDescription& param : description_.params) {
      const Assignment* const set = find(given_, param.name);
      if (set == nullptr && !param.value && !param.default_value) continue;
      const Result<std::uint64_t> value = scope_.param(index_of(param));
      if (!value && value.error().code == ErrorCode::param_missing) continue;
      if (!value) return fail(value.error());
      made_.params.push_back({param.name, *value, set != nullptr ? set->origin : param.origin});
      if (param.min || param.max || param.soft_max)
        SLABSCOPE_TRY(check_range(param, made_.params.back()));
    }
    return {};
  }

  Result<void> check_range(const ParamDescription& param, const Assignment& value) {
    SLABSCOPE_TRY_ASSIGN(low, bound(param.min, 0));
    SLABSCOPE_TRY_ASSIGN(high, bound(param.max, ~std::uint64_t{0}));
    if (value.value < low || value.value > high)
      return fail(at(
          error(ErrorCode::param_range, "the parameter '" + param.name + "' is out of its range")
              .with(std::to_string(value.value), std::to_string(low) + ".." + std::to_string(high)),
          value.origin));
    SLABSCOPE_TRY_ASSIGN(ceiling, bound(param.soft_max, ~std::uint64_t{0}));
    if (value.value > ceiling)
      made_.warnings.push_back(
          at(error(ErrorCode::policy_ceiling,
                   "the parameter '" + param.name + "' is above its soft maximum")
                 .with(std::to_string(value.value), "up to " + std::to_string(ceiling)),
             value.origin));
    return {};
  }

  // A bound that hangs on a parameter without a value binds nothing.
  Result<std::uint64_t> bound(const std::optional<Expression>& expression,
                              std::uint64_t otherwise) {
    if (!expression) return otherwise;
    Result<std::uint64_t> value = scope_.count(*expression);
    if (!value && value.error().code == ErrorCode::param_missing) return otherwise;
    return value;
  }

  Result<void> check_missing() {
    if (made_.params.size() == description_.params.size()) return {};
    const std::vector<std::string> unset = unset_params(description_, given_, true);
    if (unset.empty()) return {};
    std::string names;
    std::string example;
    for (const std::string& each : unset) {
      names += (names.empty() ? "" : ", ") + each;
      example += " -D " + each + "=N";
    }
    return fail(ErrorCode::param_missing, "the layout '" + description_.name +
                                              "' needs a value for " + names + " (" +
                                              example.substr(1) + ")");
  }

  Result<void> count_rows() {
    if (description_.row_param) {
      SLABSCOPE_TRY_ASSIGN(capacity, scope_.param(*description_.row_param));
      made_.capacity = capacity;
    }
    made_.row_count = rows_.row_count.value_or(made_.capacity);
    made_.live_rows = rows_.live_rows.value_or(made_.row_count);
    const ParamDescription* const padded = description_.find_param("padded_rows");
    made_.padded_rows = made_.row_count;
    if (padded != nullptr && description_.row_param) {
      SLABSCOPE_TRY_ASSIGN(rows, scope_.param(index_of(*padded)));
      made_.padded_rows = rows;
    }
    return {};
  }

  Result<void> check_groups() {
    if (!description_.rows_per_group) return {};
    const Result<std::uint64_t> rows = scope_.count(*description_.rows_per_group);
    if (!rows && rows.error().code != ErrorCode::param_missing) return fail(rows.error());
    if (!rows || *rows != 0) return {};
    return fail(description_.rows_per_group
                    ->error_here(ErrorCode::bad_layout, "a group has at least one row")
                    .with("0", "1 or more"));
  }

  // Fill and pad values: needed by who finds a list short, or writes padding rows.
  void evaluate_values() {
    for (const FieldDescription& field : description_.fields) {
      ResolvedField& made = made_.fields.emplace_back();
      made.description = &field;
      made.fill = field.fill ? value(field, *field.fill) : Result<int128>(0);
      if (field.per_row && made_.row_count < made_.padded_rows) made.pad = pad(made);
    }
  }

  // Without a pad of its own, padding has the fill.
  Result<std::vector<int128>> pad(const ResolvedField& field) {
    std::vector<int128> values;
    if (field.description->pad.empty()) {
      SLABSCOPE_TRY_ASSIGN(fill, field.fill);
      values.push_back(fill);
    }
    for (const Expression& each : field.description->pad) {
      SLABSCOPE_TRY_ASSIGN(pad, value(*field.description, each));
      values.push_back(pad);
    }
    return values;
  }

  Result<int128> value(const FieldDescription& field, const Expression& expression) {
    SLABSCOPE_TRY_ASSIGN(exact, exact_value(expression));
    if (fits(field.type, exact)) return exact;
    return fail(expression
                    .error_here(ErrorCode::value_out_of_range,
                                "the value does not fit " +
                                    std::string(slabscope::name(field.type)) + " of the field '" +
                                    field.name + "'")
                    .with(to_text(exact),
                          to_text(minimum(field.type)) + ".." + to_text(maximum(field.type))));
  }

  Result<int128> exact_value(const Expression& expression) {
    const std::string_view name = expression.as_name();
    if (name.empty()) return scope_.value(expression);
    SLABSCOPE_TRY_ASSIGN(count, scope_.name(name, expression, 0));
    return int128{count};
  }

  Result<void> place(ResolvedField& made) {
    const FieldDescription& field = *made.description;
    made.shape.reserve(field.shape.size());
    for (const Expression& each : field.shape) {
      SLABSCOPE_TRY_ASSIGN(dimension, size_value(each));
      made.shape.push_back(dimension);
    }
    // A dimension of zero makes the field empty, however large the others are.
    const bool empty = std::find(made.shape.begin(), made.shape.end(), 0) != made.shape.end();
    made.items = field.per_row ? made.shape.front() : 1;
    std::optional<std::uint64_t> elements = empty ? 0 : 1;
    for (const std::uint64_t each : made.item_shape())
      elements = elements ? checked_multiply(*elements, each) : elements;
    if (empty) elements = 0;
    made.item_elements = elements.value_or(0);
    std::optional<std::uint64_t> bytes =
        elements ? checked_multiply(*elements, made.element_bytes()) : elements;
    if (bytes) bytes = checked_multiply(*bytes, made.items);
    made.align = made.element_bytes();
    if (field.offset) {
      SLABSCOPE_TRY_ASSIGN(offset, size_value(*field.offset));
      made.offset = offset;
    } else {
      made.align = field.align == 0 ? made.align : field.align;
      const auto offset = checked_align_up(end_of_previous_, made.align);
      if (!offset) return too_large(made);
      made.offset = *offset;
    }
    if (!bytes) return too_large(made);
    made.bytes = *bytes;
    if (made.offset % made.element_bytes() != 0) return fail(misaligned_error(field, made.offset));
    const auto end = checked_add(made.offset, made.bytes);
    if (!end || *end > max_slab_size) return too_large(made);
    end_of_previous_ = *end;
    made_.size = std::max(made_.size, *end);
    made_.align = std::max(made_.align, made.element_bytes());
    return {};
  }

  // A size or offset: an overflow in its expression is an overflow of the slab's size.
  Result<std::uint64_t> size_value(const Expression& expression) {
    // Most are one name, which needs no stack of operands.
    const std::string_view name = expression.as_name();
    Result<std::uint64_t> value =
        name.empty() ? scope_.count(expression) : scope_.name(name, expression, 0);
    if (!value && value.error().code == ErrorCode::arithmetic_overflow) {
      value.error().code = ErrorCode::size_overflow;
      value.error().message = refusal(description_, {}, region_bytes_) +
                              ": the size overflows 64 bits, " + value.error().message;
    }
    return value;
  }

  [[nodiscard]] Failure too_large(const ResolvedField& field) const {
    std::string shape;
    for (const std::uint64_t each : field.shape) shape += std::to_string(each) + " x ";
    return fail(
        at(error(ErrorCode::size_overflow,
                 refusal(description_, {}, region_bytes_) + ": the size overflows, the field '" +
                     field.name() + "' has " + shape + std::to_string(field.element_bytes()) +
                     " B at " + std::to_string(field.offset))
               .with({}, "up to " + std::to_string(max_slab_size) + " B"),
           field.description->origin));
  }

  // Gaps and fields in order of offset, with no byte owned twice.
  Result<Layout> tile() {
    made_.align = std::max(made_.align, description_.align);
    std::vector<std::size_t> order;
    order.reserve(made_.fields.size());
    made_.tiles.reserve(2 * made_.fields.size() + 1);
    for (std::size_t index = 0; index < made_.fields.size(); ++index)
      if (made_.fields[index].bytes != 0) order.push_back(index);
    const auto stands_before = [&](std::size_t left, std::size_t right) {
      return made_.fields[left].offset < made_.fields[right].offset;
    };
    // Most are described in order, and sorting takes memory.
    if (!std::is_sorted(order.begin(), order.end(), stands_before))
      std::stable_sort(order.begin(), order.end(), stands_before);
    std::uint64_t here = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const ResolvedField& field = made_.fields[order[rank]];
      if (field.offset < here) {
        const ResolvedField& before = made_.fields[order[rank - 1]];
        return fail(overlap_error(*before.description, before.offset, before.offset + before.bytes,
                                  *field.description, field.offset, field.offset + field.bytes));
      }
      if (field.offset > here) made_.tiles.push_back({here, field.offset - here, Tile::gap});
      made_.tiles.push_back({field.offset, field.bytes, order[rank]});
      here = field.offset + field.bytes;
    }
    if (here < made_.size) made_.tiles.push_back({here, made_.size - here, Tile::gap});
    return std::move(made_);
  }

  [[nodiscard]] std::size_t index_of(const ParamDescription& param) const {
    return static_cast<std::size_t>(&param - description_.params.data());
  }

  const Description& description_;
  const Assignments& given_;
  RowNumbers rows_;
  std::optional<std::uint64_t> region_bytes_;
  Scope scope_;
  Layout made_;
  std::uint64_t end_of_previous_ = 0;
};

}  // namespace

Error misaligned_error(const FieldDescription& field, std::uint64_t offset) {
  return at(error(ErrorCode::misaligned,
                  "the offset of the field '" + field.name + "' is no multiple of its element size")
                .with(std::to_string(offset),
                      "multiples of " + std::to_string(element_bytes(field.type))),
            field.offset ? field.offset->origin() : field.origin);
}

Error overlap_error(const FieldDescription& first, std::uint64_t first_begin,
                    std::uint64_t first_end, const FieldDescription& second,
                    std::uint64_t second_begin, std::uint64_t second_end) {
  if (&second < &first)
    return overlap_error(second, second_begin, second_end, first, first_begin, first_end);
  const auto extent = [](std::uint64_t begin, std::uint64_t end) {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
  };
  return at(
      error(ErrorCode::field_overlap, "the fields '" + first.name + "' and '" + second.name +
                                          "' share bytes from " +
                                          std::to_string(std::max(first_begin, second_begin)))
          .with(extent(first_begin, first_end) + " and " + extent(second_begin, second_end), {}),
      second.origin);
}

Result<Layout> resolve(const DescriptionPtr& description, const Assignments& given, RowNumbers rows,
                       std::optional<std::uint64_t> region_bytes) {
  return Resolver(description, given, rows, region_bytes).resolve();
}

Result<Layout> resolve_params(const DescriptionPtr& description, const Assignments& given,
                              RowNumbers rows) {
  return Resolver(description, given, rows, {}).params();
}

const ResolvedField* Layout::find_field(std::string_view name) const noexcept {
  const auto index = description->find_field(name);
  return index ? &fields[*index] : nullptr;
}

const ResolvedField* Layout::find_role(std::string_view role) const noexcept {
  for (const ResolvedField& each : fields)
    if (each.description->role == role) return &each;
  return nullptr;
}

Result<void> check_rows(const Layout& layout, std::optional<std::uint64_t> region_bytes) {
  const Description& description = *layout.description;
  const auto refuse = [&](ErrorCode code, const std::string& what, std::uint64_t got,
                          std::uint64_t allowed) -> Result<void> {
    return fail(error(code, refusal(description, layout.size, region_bytes) + "; " + what)
                    .with(std::to_string(got), "up to " + std::to_string(allowed)));
  };
  if (!description.row_param && layout.row_count != 1)
    return fail(
        error(ErrorCode::row_count, "the layout '" + description.name + "' holds exactly one row")
            .with(std::to_string(layout.row_count), "1"));
  const auto more_than = [](std::uint64_t count, std::string_view what, std::string_view most) {
    return counted(count, what) + (count == 1 ? " is" : " are") + " more than the " +
           std::string(most);
  };
  const auto capacity = [&] { return "capacity of " + counted(layout.capacity, "row"); };
  if (layout.row_count > layout.capacity)
    return refuse(ErrorCode::row_count, more_than(layout.row_count, "row", capacity()),
                  layout.row_count, layout.capacity);
  if (layout.padded_rows > layout.capacity)
    return refuse(ErrorCode::padded_rows, more_than(layout.padded_rows, "padded row", capacity()),
                  layout.padded_rows, layout.capacity);
  if (layout.row_count > layout.padded_rows)
    return refuse(ErrorCode::padded_rows,
                  more_than(layout.row_count, "row", counted(layout.padded_rows, "padded row")),
                  layout.row_count, layout.padded_rows);
  if (layout.live_rows > layout.row_count)
    return fail(
        error(ErrorCode::live_rows,
              more_than(layout.live_rows, "live row",
                        counted(layout.row_count, "row") + " of the document"))
            .with(std::to_string(layout.live_rows), "up to " + std::to_string(layout.row_count)));
  return {};
}

std::string refusal(const Description& description, std::optional<std::uint64_t> needed_bytes,
                    std::optional<std::uint64_t> region_bytes) {
  std::string text = description.subject + " exceeds meta stride";
  if (needed_bytes) text += ": needs " + std::to_string(*needed_bytes) + " B";
  if (region_bytes) text += ", have " + std::to_string(*region_bytes) + " B";
  return text;
}

namespace {

// "65 block-table entries", "2 rows of 8 block-table entries": what the slab's size stands for.
std::string extent_text(const Layout& layout) {
  const ResolvedField* const table = layout.find_role("block_table");
  std::string text;
  if (layout.description->row_param) text = counted(layout.capacity, "row");
  if (table != nullptr && !table->item_shape().empty())
    text += (text.empty() ? "" : " of ") +
            counted(table->item_shape().back(), "block-table entry", "block-table entries");
  return text;
}

}  // namespace

std::string refusal(const Layout& layout, std::uint64_t region_bytes) {
  const std::string extent = extent_text(layout);
  return refusal(*layout.description, layout.size, region_bytes) +
         (extent.empty() ? "" : " (" + extent + ")");
}

Result<void> check_size(const Layout& layout, std::uint64_t max_slab_bytes,
                        std::optional<std::uint64_t> region_bytes) {
  if (layout.size > max_slab_bytes)
    return fail(
        error(ErrorCode::slab_limit, refusal(*layout.description, layout.size, region_bytes) +
                                         ", more than --max-slab-bytes")
            .with(std::to_string(layout.size), "up to " + std::to_string(max_slab_bytes)));
  const std::uint64_t rows =
      std::max(layout.row_count, std::min(layout.padded_rows, layout.capacity));
  if (rows > max_slab_bytes)  // they may be without a byte of their own
    return fail(
        error(ErrorCode::limit_exceeded,
              layout.description->subject + ": more rows than --max-slab-bytes allows bytes")
            .with(std::to_string(rows), "up to " + std::to_string(max_slab_bytes)));
  if (region_bytes && layout.size > *region_bytes)
    return fail(ErrorCode::region_exceeded, refusal(layout, *region_bytes));
  return {};
}

}  // namespace slabscope
