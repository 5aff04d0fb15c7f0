// What commands have in common: the arguments that several take, and how they end.
#pragma once

#include "arguments.h"
#include "host.h"

#include <slabscope/layout/layout.h>

#include <optional>
#include <string>
#include <vector>

namespace slabscope::app {

enum class ExitCode : int { done = 0, findings = 1 };  // errors bring their own

// Writes a text that is complete.
[[nodiscard]] Result<ExitCode> print(const std::string& text, const std::string& path, Host& host);

// Parameters of a layout that are above their soft maximum.
void tell_warnings(const Layout& layout, Host& host);
void tell_warnings(const Description& description, Host& host);

// Error usage: --format takes one of `known`.
[[nodiscard]] Error unknown_format(const std::string& given, std::string known);

}  // namespace slabscope::app
