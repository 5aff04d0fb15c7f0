// A second evaluator of the layout language's expressions: one pass over the text, exact integers
// in 128 bits, nothing of the library's parser or arithmetic.
#pragma once

#include "property.h"

#include <slabscope/base/integer_text.h>

#include <slabscope/base/checked.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope::fuzz {

struct ReferenceValue {
  int128 value = 0;
  std::string fault{};       // the error code's name; empty: none
  std::size_t position = 0;  // of the fault: bytes into the text

  [[nodiscard]] bool has_value() const noexcept { return fault.empty(); }
};

// The value of a name. It may have a fault.
using ReferenceNames = std::function<ReferenceValue(std::string_view)>;

enum class ReferenceDomain : bool { counts, values };

// The value of `text` or its first fault; nothing when it is no expression.
std::optional<ReferenceValue> evaluate_reference(std::string_view text, ReferenceDomain domain,
                                                 const ReferenceNames& names);

// All names that `text` uses; nothing when it is no expression.
std::optional<std::vector<std::string>> names_in_reference(std::string_view text);

// The name, where the whole expression is one; else empty.
std::string sole_name(std::string_view text);

// An integer as documents write it: -?(0|[1-9][0-9]*) or -?0x[0-9a-fA-F]+; nothing when it is none
// or its magnitude passes 2^64-1.
std::optional<int128> integer_of_text(std::string_view text);

// The library found the same value, or the same fault at the same operator.
template <class T>
void check_value(const Result<T>& got, const ReferenceValue& wanted, std::string_view text) {
  if (!got) check_error(got.error(), text, "text");
  const std::string fault(got ? "" : info(got.error().code).name);
  const bool same =
      got ? *got == static_cast<T>(wanted.value) : got.error().place.column == wanted.position + 1;
  require(same && fault == wanted.fault, "value or fault are those of a second evaluator",
          [&] { return std::string(text) + ": " + to_text(wanted.value) + wanted.fault; });
}

}  // namespace slabscope::fuzz
