// What a target promises, checked in every build mode: NDEBUG changes nothing here.
#pragma once

#include <slabscope/base/error.h>

#include <source_location>
#include <string>
#include <string_view>

namespace slabscope::fuzz {

// Says on standard error what does not hold, and ends the program.
[[noreturn]] void violated(std::string_view property, const std::string& detail,
                           const std::source_location& where);

inline void require(bool holds, std::string_view property,
                    const std::source_location& where = std::source_location::current()) {
  if (!holds) violated(property, {}, where);
}
// `detail` makes the figures, only when they are needed.
template <class Detail>
void require(bool holds, std::string_view property, Detail&& detail,
             const std::source_location& where = std::source_location::current()) {
  if (!holds) violated(property, detail(), where);
}

// An error is of the closed set, one line of printable text, one object of JSON; where it names a
// place in `text`, which was read as `file`, the place is there.
void check_error(const Error& failed, std::string_view text, std::string_view file);

}  // namespace slabscope::fuzz
