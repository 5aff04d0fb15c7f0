#include <slabscope/base/checked.h>
#include <slabscope/dump/assemble.h>

#include <algorithm>
#include <utility>

namespace slabscope {
namespace {

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (const std::uint64_t each : shape)
    text += (text.size() == 1 ? "" : ", ") + std::to_string(each);
  return text + "]";
}

// Of a column, whose file and tensor stand where a file does.
Failure fault(ErrorCode code, const DumpedColumn& column, const std::string& message,
              std::string got = {}, std::string allowed = {}) {
  Error made = error(code, "field '" + printable(column.field, 60) + "': " + message);
  made.file = column.origin;
  return fail(std::move(made).with(std::move(got), std::move(allowed)));
}

std::string names_of(const Description& description) {
  std::vector<std::string_view> names;
  for (const FieldDescription& each : description.fields) names.push_back(each.name);
  return joined(names);
}

Result<const FieldDescription*> find_field(const Description& description,
                                           const DumpedColumn& column) {
  const auto found =
      std::find_if(description.fields.begin(), description.fields.end(),
                   [&](const FieldDescription& each) { return each.name == column.field; });
  if (found == description.fields.end())
    return fault(ErrorCode::unknown_name, column, "the layout has no such field", {},
                 names_of(description));
  return &*found;
}

Result<void> set_dimension(Assignments& params, const std::string& name, std::uint64_t value,
                           const DumpedColumn& column) {
  if (const Assignment* const before = find(params, name)) {
    if (before->value == value) return {};
    return fault(ErrorCode::type_mismatch, column,
                 "its shape says another " + name + " than that of " + before->origin.pointer,
                 std::to_string(value), std::to_string(before->value));
  }
  params.push_back({name, value, {{}, {}, column.origin, true}});
  return {};
}

// A derived parameter follows from others and cannot be set.
bool is_settable(const Description& description, std::string_view name) {
  return std::any_of(
      description.params.begin(), description.params.end(),
      [&](const ParamDescription& each) { return each.name == name && !each.value; });
}

// Numbers of one width are the same bytes by another name; wider or narrower ones are others.
Failure other_type(const ResolvedField& field, const DumpedColumn& column) {
  const std::string wanted(name(field.type()));
  const std::string digits = wanted.substr(1);
  const std::string torch_name = (wanted == "u8" ? "uint" : "int") + digits;
  std::string message = "its elements are of another type: save it as " + wanted +
                        " (numpy: .astype(np." + (wanted[0] == 'u' ? "uint" : "int") + digits +
                        "), torch: .to(torch." + torch_name + "))";
  if (column.type->bytes == field.element_bytes())
    message += ", or give --reinterpret if its bytes are those of such numbers";
  return fault(ErrorCode::type_mismatch, column, message, printable(column.type->name, 40), wanted);
}

Result<void> check_column(const ResolvedField& field, const DumpedColumn& column,
                          bool reinterpret) {
  const std::uint64_t have = column.bytes->size();
  if (column.type && !reinterpret) {
    const RegionType& type = *column.type;
    const bool is_raw_bytes = type.element == ElementType::u8 && type.bytes == 1;
    if (!is_raw_bytes && (!type.element || type.bytes != field.element_bytes()))
      return other_type(field, column);
    if (!is_raw_bytes && column.shape != field.shape)
      return fault(ErrorCode::type_mismatch, column, "it has another shape",
                   shape_text(column.shape), shape_text(field.shape));
  }
  if (have != field.bytes)
    return fault(have < field.bytes ? ErrorCode::short_dump : ErrorCode::type_mismatch, column,
                 "it has another number of bytes", std::to_string(have) + " B",
                 std::to_string(field.bytes) + " B");
  return {};
}

Result<void> read_column(const DumpedColumn& column, std::span<std::byte> into) {
  Result<void> read = read_exactly_at(*column.bytes, 0, into, "a column");
  if (!read && read.error().file.empty()) read.error().file = column.origin;
  return read;
}

const DumpedColumn* find_column(std::span<const DumpedColumn> columns, std::string_view field) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const DumpedColumn& each) { return each.field == field; });
  return found == columns.end() ? nullptr : &*found;
}

Result<void> check_complete(const Description& description, std::span<const DumpedColumn> columns) {
  for (const FieldDescription& field : description.fields)
    if (find_column(columns, field.name) == nullptr)
      return fail(error(ErrorCode::missing_key, "no tensor is given for field '" + field.name + "'")
                      .with({}, names_of(description)));
  return {};
}

}  // namespace

Result<Assignments> params_of_columns(const Description& description,
                                      std::span<const DumpedColumn> columns) {
  Assignments params;
  for (const DumpedColumn& column : columns) {
    SLABSCOPE_TRY_ASSIGN(field, find_field(description, column));
    if (find_column(columns, column.field) != &column)
      return fault(ErrorCode::duplicate_name, column, "it is given twice");
    // Only numbers of the field's width are its elements.
    if (!column.type || column.type->bytes != element_bytes(field->type) ||
        column.shape.size() != field->shape.size())
      continue;
    for (std::size_t dimension = 0; dimension < column.shape.size(); ++dimension) {
      const std::string param(field->shape[dimension].as_name());
      if (is_settable(description, param))
        SLABSCOPE_TRY(set_dimension(params, param, column.shape[dimension], column));
    }
  }
  SLABSCOPE_TRY(check_complete(description, columns));
  return params;
}

Result<Buffer> assemble_slab(const Layout& layout, std::vector<DumpedColumn> columns,
                             std::uint64_t max_slab_bytes, bool reinterpret) {
  SLABSCOPE_TRY(check_complete(*layout.description, columns));
  SLABSCOPE_TRY(check_size(layout, max_slab_bytes, {}));
  for (const ResolvedField& field : layout.fields)
    SLABSCOPE_TRY(check_column(field, *find_column(columns, field.name()), reinterpret));
  Buffer slab(layout.size);
  std::fill(slab.bytes().begin(), slab.bytes().end(), std::byte{0});
  for (const ResolvedField& field : layout.fields) {
    DumpedColumn& column = *std::ranges::find(columns, field.name(), &DumpedColumn::field);
    SLABSCOPE_TRY(read_column(column, slab.bytes().subspan(field.offset, field.bytes)));
    column.bytes.reset();
  }
  return slab;
}

}  // namespace slabscope
