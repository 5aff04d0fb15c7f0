#include <slabscope/check/fault_plan.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace slabscope {

Failure impossible(std::string message) {
  return fail(ErrorCode::fault_impossible, std::move(message));
}

const FieldDescription& FaultPlan::table() const {
  return *std::find_if(description_->fields.begin(), description_->fields.end(),
                       [](const FieldDescription& each) { return each.role == "block_table"; });
}

bool FaultPlan::may_set(std::string_view name) const {
  return find(given_, name) == nullptr && description_->takes(name);
}

bool FaultPlan::set(std::string_view name, std::uint64_t value) {
  if (!may_set(name)) return false;
  Assignments changed = params_;
  assign(changed, {std::string(name), value, {}});
  if (!resolved(changed)) return false;
  params_ = std::move(changed);
  return true;
}

Result<Layout> FaultPlan::resolved(const Assignments& params) const {
  return resolve_params(description_, params, {generate.rows + written_rows, generate.rows});
}

std::optional<std::uint64_t> FaultPlan::value(std::string_view name) const {
  const Result<Layout> layout = resolved(params_);
  if (!layout) return std::nullopt;
  for (const Assignments* const each : {&layout->params, &layout->carried})
    if (const Assignment* const set = find(*each, name)) return set->value;
  return std::nullopt;
}

std::optional<std::uint64_t> FaultPlan::value(const Expression& expression) const {
  Scope scope(*description_, generate.rows + written_rows, generate.rows);
  for (std::size_t index = 0; index < description_->params.size(); ++index)
    if (const auto set = value(description_->params[index].name)) scope.set(index, *set);
  const Result<std::uint64_t> count = scope.count(expression);
  return count ? std::optional(*count) : std::nullopt;
}

std::optional<std::uint64_t> FaultPlan::table_entries(std::uint64_t otherwise) {
  const Expression& dimension = table().shape.back();
  if (!value(dimension) && !dimension.as_name().empty()) set(dimension.as_name(), otherwise);
  return value(dimension);
}

std::uint64_t FaultPlan::capacity() const {
  if (!description_->row_param) return 1;
  return value(description_->params[*description_->row_param].name).value_or(options().rows);
}

bool FaultPlan::has_warnings() const {
  const Result<Layout> layout = resolved(params_);
  return layout && !layout->warnings.empty();
}

Result<void> FaultPlan::choose_pool(bool is_needed) {
  SLABSCOPE_TRY(resolved(params_));
  const std::vector<FieldDescription>& fields = description_->fields;
  is_needed = is_needed ||
              std::any_of(fields.begin(), fields.end(),
                          [](const FieldDescription& each) { return each.role == "block_table"; });
  if (!is_needed) return {};
  const auto choose = [&](std::string_view name, auto&& candidates) -> Result<void> {
    if (value(name)) return {};
    for (const std::uint64_t each : candidates)
      if (set(name, each)) return {};
    return fail(missing_param(*description_, name));
  };
  constexpr std::uint64_t usual[] = {8, 16, 32, 64};
  SLABSCOPE_TRY(choose("block_size", std::array{usual[random_.between(0, std::size(usual) - 1)],
                                                std::uint64_t{16}, std::uint64_t{1}}));
  const std::uint64_t rows = generate.rows + written_rows;
  const std::uint64_t blocks = 17 * rows + random_.between(64, 256);
  SLABSCOPE_TRY(choose("num_blocks", std::array{blocks, 2 * rows + 8, rows + 1, rows}));
  if (description_->find_param("dummy_block") != nullptr)
    SLABSCOPE_TRY(choose("dummy_block", std::array{random_.between(0, rows), std::uint64_t{0}}));
  return {};
}

// Room for so many rows, where the capacity is not given.
bool FaultPlan::make_capacity(std::uint64_t rows) {
  const ParamDescription& row_param = description_->params[*description_->row_param];
  if (!value(row_param.name) || capacity() >= rows) return true;
  for (const ParamDescription& each : description_->params)
    if (each.name != "padded_rows" && counts_rows(*description_, params_, each) &&
        set(each.name, rows) && capacity() >= rows)
      return true;
  return false;
}

Result<void> FaultPlan::choose_padding() {
  if (!description_->row_param)
    return impossible("the layout '" + description_->name +
                      "' holds exactly one row: there are no padding rows");
  const std::uint64_t wanted = random_.between(1, 3);
  if (!description_->has_padding_rows()) {  // those of the document are all
    if (make_capacity(generate.rows + wanted))
      written_rows = wanted;
    else if (make_capacity(generate.rows + 1))
      written_rows = 1;
    if (written_rows != 0) return {};
    return impossible("there is no room for a padding row at these parameters");
  }
  // A default is not what gen takes: it pads up to the size of a graph.
  const auto is_padded = [&] {
    const bool is_set = !may_set("padded_rows") || find(params_, "padded_rows") != nullptr;
    return is_set && value("padded_rows").value_or(0) > generate.rows;
  };
  for (const std::uint64_t more : {wanted, std::uint64_t{1}})
    if (!is_padded() && may_set("padded_rows") && make_capacity(generate.rows + more))
      set("padded_rows", generate.rows + more);
  if (is_padded()) return {};
  return impossible("there are no padding rows behind " + counted(generate.rows, "live row") +
                    " at these parameters");
}

}  // namespace slabscope
