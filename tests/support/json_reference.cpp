#include "json_reference.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace slabscope::tests {
namespace {

JsonReference convert(const nlohmann::ordered_json& from) {
  using Kind = JsonReference::Kind;
  JsonReference made;
  if (from.is_boolean()) {
    made.kind = Kind::boolean;
    made.boolean = from.get<bool>();
  } else if (from.is_number_unsigned()) {
    made.kind = Kind::integer;
    made.integer = from.get<std::uint64_t>();
  } else if (from.is_number_integer()) {
    made.kind = Kind::integer;
    made.integer = from.get<std::int64_t>();
  } else if (from.is_number()) {
    made.kind = Kind::real;
  } else if (from.is_string()) {
    made.kind = Kind::string;
    made.string = from.get<std::string>();
  } else if (from.is_array()) {
    made.kind = Kind::array;
    for (const auto& each : from) made.children.push_back(convert(each));
  } else if (from.is_object()) {
    made.kind = Kind::object;
    for (const auto& [key, value] : from.items()) {
      made.keys.push_back(key);
      made.children.push_back(convert(value));
    }
  }
  return made;
}

}  // namespace

bool JsonReference::has(std::string_view key) const {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

const JsonReference& JsonReference::operator[](std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  INFO("key ", std::string(key));
  REQUIRE(found != keys.end());
  return children[static_cast<std::size_t>(found - keys.begin())];
}

const JsonReference& JsonReference::operator[](std::size_t index) const {
  REQUIRE(index < children.size());
  return children[index];
}

bool reference_accepts(std::string_view text) {
  return nlohmann::ordered_json::accept(text.begin(), text.end());
}

std::optional<JsonReference> read_reference(std::string_view text) {
  const auto read = nlohmann::ordered_json::parse(text.begin(), text.end(), nullptr, false);
  if (read.is_discarded()) return std::nullopt;
  return convert(read);
}

}  // namespace slabscope::tests
