// Layouts that tests write as text.
#pragma once

#include "marked_text.h"

#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/layout.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace slabscope::tests {

inline Result<DescriptionPtr> try_described(std::string_view text) {
  MemorySource source(text);
  return read_description(source, "layout.json");
}

// Fails the test when the description is refused.
inline DescriptionPtr described(std::string_view text) {
  const Result<DescriptionPtr> read = try_described(text);
  INFO("error: ", shown_error(read), read ? "" : ": " + read.error().message);
  REQUIRE(read.has_value());
  return *read;
}

inline Assignments given(std::initializer_list<std::pair<std::string_view, std::uint64_t>> values) {
  Assignments made;
  for (const auto& [name, value] : values)
    made.push_back({std::string(name), value, {{}, {}, "-D " + std::string(name), true}});
  return made;
}

inline Layout resolved(const DescriptionPtr& description, const Assignments& params,
                       RowNumbers rows = {}) {
  Result<Layout> layout = resolve(description, params, rows);
  INFO("error: ", shown_error(layout), layout ? "" : ": " + layout.error().message);
  REQUIRE(layout.has_value());
  return *std::move(layout);
}

// {"name": "one", "params": {PARAMS}, "fields": [{u8 field "f" of one dimension SHAPE}]}.
inline std::string one_field(std::string_view params, std::string_view shape) {
  return R"({"name": "one", "params": {)" + std::string(params) +
         R"(}, "fields": [{"name": "f", "type": "u8", "shape": [")" + std::string(shape) +
         R"("]}]})";
}

}  // namespace slabscope::tests
