#include "reference_layout.h"

#include <slabscope/layout/description.h>

#include <algorithm>
#include <map>

namespace slabscope::fuzz {
namespace {

constexpr std::string_view missing = "param_missing";
constexpr int128 most_bytes = (int128{1} << 63U) - 1;

struct Refused {};

const JsonReference* member(const JsonReference& object, std::string_view key) {
  return object.has(key) ? &object[key] : nullptr;
}

std::string row_param_of(const JsonReference& description) {
  const JsonReference* const name = member(description, "row_param");
  return name == nullptr ? std::string() : name->string;
}

class Resolver {
 public:
  Resolver(const JsonReference& description, const ReferenceParams& given, ReferenceRowNumbers rows)
      : description_(description), given_(given), rows_(rows) {
    if (const JsonReference* const params = member(description, "params")) params_ = params;
  }

  ReferenceLayout resolve() {
    made_.name = description_["name"].string;
    made_.has_row_param = !row_param_of(description_).empty();
    take_given();
    for (const std::string& name : params_->keys) evaluate_param(name);
    count_rows();
    check_groups();
    for (const JsonReference& each : description_["fields"].children) add_field(each);
    check_overlap();
    return std::move(made_);
  }

 private:
  void take_given() {
    for (const auto& each : given_) {
      const JsonReference* const declared = member(*params_, each.first);
      const bool is_known = std::find(std::begin(well_known_params), std::end(well_known_params),
                                      each.first) != std::end(well_known_params);
      if (declared != nullptr ? declared->has("value") : !is_known) throw Refused{};
      if (declared == nullptr) made_.carried.push_back(each);
    }
  }

  void evaluate_param(const std::string& name) {
    const JsonReference& declared = (*params_)[name];
    if (declared.has("value")) made_.derived.insert(name);
    const auto value = unless_missing(param(name));
    if (!value) return;
    made_.params.emplace_back(name, static_cast<std::uint64_t>(*value));
    const auto low = bound(declared, "min");
    const auto high = bound(declared, "max");
    if ((low && *value < *low) || (high && *value > *high)) throw Refused{};
    (void)bound(declared, "soft_max");
  }

  std::optional<int128> bound(const JsonReference& declared, std::string_view key) {
    const JsonReference* const text = member(declared, key);
    return text == nullptr ? std::nullopt : unless_missing(count(*text));
  }

  // What lacks a parameter is no mistake here; every other fault is.
  static std::optional<int128> unless_missing(const ReferenceValue& value) {
    if (value.has_value()) return value.value;
    if (value.fault != missing) throw Refused{};
    return std::nullopt;
  }
  static std::uint64_t needed(const ReferenceValue& value) {
    if (!value.has_value()) throw Refused{};
    return static_cast<std::uint64_t>(value.value);
  }

  ReferenceValue param(const std::string& name) {
    if (const auto set = find_param(given_, name)) return {*set};
    if (open_.contains(name))
      return {0, std::string(counting_rows_ ? missing : std::string_view("param_cycle")), 0};
    const JsonReference& declared = (*params_)[name];
    const JsonReference* text = member(declared, "value");
    if (text == nullptr) text = member(declared, "default");
    if (text == nullptr) return {0, std::string(missing), 0};
    if (const auto known = known_.find(name); known != known_.end()) return {known->second};
    open_.insert(name);
    ReferenceValue value = count(*text);
    open_.erase(name);
    if (value.has_value()) known_[name] = value.value;
    return value;
  }

  ReferenceValue row_count() {
    if (rows_.row_count) return {*rows_.row_count};
    if (!made_.has_row_param) return {1};
    const bool before = std::exchange(counting_rows_, true);
    ReferenceValue capacity = param(row_param_of(description_));
    counting_rows_ = before;
    return capacity;
  }

  ReferenceValue name_value(std::string_view name) {
    if (name == "row_count" || (name == "live_rows" && !rows_.live_rows)) return row_count();
    if (name == "live_rows") return {*rows_.live_rows};
    return param(std::string(name));
  }

  ReferenceValue evaluate(const JsonReference& text, ReferenceDomain domain) {
    const bool is_count = domain == ReferenceDomain::counts;
    if (text.kind == JsonReference::Kind::integer) {
      if (is_count && text.integer < 0) return {0, "negative_size", 0};
      return {text.integer};
    }
    const auto value = evaluate_reference(
        text.string, domain, [this](std::string_view name) { return name_value(name); });
    return value ? *value : ReferenceValue{0, "bad_expression", 0};
  }
  ReferenceValue count(const JsonReference& text) {
    return evaluate(text, ReferenceDomain::counts);
  }

  void count_rows() {
    const std::string row_param = row_param_of(description_);
    if (made_.has_row_param) made_.capacity = needed(param(row_param));
    made_.row_count = rows_.row_count.value_or(made_.capacity);
    made_.live_rows = rows_.live_rows.value_or(made_.row_count);
    made_.padded_rows = made_.row_count;
    if (!params_->has("padded_rows")) return;
    const std::uint64_t padded = needed(param("padded_rows"));
    if (made_.has_row_param) made_.padded_rows = padded;
  }

  void check_groups() {
    const JsonReference* const text = member(description_, "rows_per_group");
    if (text == nullptr) return;
    if (unless_missing(count(*text)) == int128{0}) throw Refused{};
  }

  std::optional<int128> element(const ReferenceField& field, const JsonReference& text) {
    const ReferenceValue value = evaluate(text, ReferenceDomain::values);
    if (!value.has_value() || value.value < field.lowest() || value.value > field.highest())
      return std::nullopt;
    return value.value;
  }

  void add_field(const JsonReference& text) {
    ReferenceField field{.name = text["name"].string};
    const std::string& type = text["type"].string;
    field.is_signed = type[0] == 'i';
    field.width = static_cast<std::uint64_t>(std::stoi(type.substr(1))) / 8;
    field.per_row = is_per_row(description_, text);
    const JsonReference* const fill = member(text, "fill");
    field.may_be_left_out = fill != nullptr;
    if (fill != nullptr && fill->string != "any") field.fill = element(field, *fill);
    if (field.per_row && made_.row_count < made_.padded_rows) add_pad(field, member(text, "pad"));
    for (const JsonReference& each : text["shape"].children)
      field.shape.push_back(needed(count(each)));
    place(field, text);
    made_.fields.push_back(std::move(field));
  }

  void add_pad(ReferenceField& field, const JsonReference* pad) {
    const auto add = [&](std::optional<int128> value) {
      if (!value) field.pad.reset();
      if (field.pad) field.pad->push_back(*value);
    };
    if (pad == nullptr) return add(field.fill);
    if (pad->kind != JsonReference::Kind::array) return add(element(field, *pad));
    for (const JsonReference& each : pad->children) add(element(field, each));
  }

  void place(ReferenceField& field, const JsonReference& text) {
    int128 bytes = static_cast<int128>(field.width);
    const bool is_empty = std::count(field.shape.begin(), field.shape.end(), 0U) != 0;
    for (const std::uint64_t each : field.shape)
      bytes = is_empty ? 0 : std::min(bytes * each, most_bytes + 1);
    const JsonReference* const stated = member(text, "offset");
    const JsonReference* const align = member(text, "align");
    int128 offset = end_;
    if (stated != nullptr) {
      offset = needed(count(*stated));
    } else {
      int128 unit = field.width;
      if (align != nullptr)
        unit = align->kind == JsonReference::Kind::string ? *integer_of_text(align->string)
                                                          : align->integer;
      offset = (offset + unit - 1) / unit * unit;
    }
    if (offset % static_cast<int128>(field.width) != 0 || offset + bytes > most_bytes)
      throw Refused{};
    field.offset = static_cast<std::uint64_t>(offset);
    field.bytes = static_cast<std::uint64_t>(bytes);
    end_ = offset + bytes;
    made_.size = std::max(made_.size, field.offset + field.bytes);
    made_.align = std::max(made_.align, field.width);
  }

  void check_overlap() {
    if (const JsonReference* const align = member(description_, "align"))
      made_.align = std::max(made_.align,
                             static_cast<std::uint64_t>(align->kind == JsonReference::Kind::string
                                                            ? *integer_of_text(align->string)
                                                            : align->integer));
    for (const ReferenceField& one : made_.fields)
      for (const ReferenceField& other : made_.fields)
        if (&one != &other && one.bytes != 0 && other.bytes != 0 &&
            one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes)
          throw Refused{};
  }

  static const JsonReference& no_params() {
    static const JsonReference none{.kind = JsonReference::Kind::object};
    return none;
  }

  const JsonReference& description_;
  const ReferenceParams& given_;
  ReferenceRowNumbers rows_;
  const JsonReference* params_ = &no_params();
  ReferenceLayout made_;
  std::set<std::string> open_;  // being evaluated
  std::map<std::string, int128> known_;
  bool counting_rows_ = false;
  int128 end_ = 0;  // of the field before
};

}  // namespace

std::optional<std::uint64_t> find_param(const ReferenceParams& params, std::string_view name) {
  for (const auto& each : params)
    if (each.first == name) return each.second;
  return std::nullopt;
}

bool is_per_row(const JsonReference& description, const JsonReference& field) {
  const std::string row_param = row_param_of(description);
  const auto& shape = field["shape"].children;
  return !row_param.empty() && !shape.empty() && sole_name(shape.front().string) == row_param;
}

std::optional<ReferenceLayout> resolve_reference(const JsonReference& description,
                                                 const ReferenceParams& given,
                                                 ReferenceRowNumbers rows) {
  try {
    return Resolver(description, given, rows).resolve();
  } catch (const Refused&) {
    return std::nullopt;
  }
}

void imply_reference_params(const JsonReference& description, ReferenceParams& given,
                            std::uint64_t row_count, const std::vector<std::uint64_t>& longest) {
  const JsonReference* const params = member(description, "params");
  if (params == nullptr) return;
  for (std::size_t index = 0; index < params->keys.size(); ++index) {
    const std::string& name = params->keys[index];
    const JsonReference& declared = params->children[index];
    if (declared.has("value") || declared.has("default") || find_param(given, name)) continue;
    if (name == row_param_of(description)) {
      given.emplace_back(name, row_count);
      continue;
    }
    std::optional<std::uint64_t> implied;
    const auto& fields = description["fields"].children;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      const auto& shape = fields[field]["shape"].children;
      if (!shape.empty() && sole_name(shape.back().string) == name)
        implied = std::max(implied.value_or(0), longest[field]);
    }
    if (implied) given.emplace_back(name, *implied);
  }
}

}  // namespace slabscope::fuzz
