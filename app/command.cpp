#include "command.h"

namespace slabscope::app {

Result<ExitCode> print(const std::string& text, const std::string& path, Host& host) {
  SLABSCOPE_TRY_ASSIGN(output, host.create(path, Content::text));
  SLABSCOPE_TRY(output->write(std::as_bytes(std::span(text))));
  SLABSCOPE_TRY(output->commit());
  return ExitCode::done;
}

void tell_warnings(const Layout& layout, Host& host) {
  for (const Error& each : layout.warnings) host.tell(Severity::warning, each);
}

void tell_warnings(const Description& description, Host& host) {
  for (const Error& each : description.warnings) host.tell(Severity::warning, each);
}

Error unknown_format(const std::string& given, std::string known) {
  Error made = error(ErrorCode::usage, "unknown format");
  made.pointer = "--format";
  return std::move(made).with(printable(given, 40), std::move(known));
}

}  // namespace slabscope::app
