// How a text reads as tokens: one line a token, then the error or the end. What two ways of reading
// must agree on, in a form that a failing test can show.
#pragma once

#include "marked_text.h"
#include "paced_source.h"

#include <slabscope/base/integer_text.h>
#include <slabscope/text/tokenizer.h>

#include <string>
#include <string_view>
#include <vector>

namespace slabscope::tests {

inline std::string token_line(TokenKind kind, TextPlace place, const std::string& pointer,
                              std::string_view payload) {
  constexpr std::string_view names[] = {"{",       "}",    "[",    "]",     "key",  "string",
                                        "integer", "real", "true", "false", "null", "end"};
  std::string line(names[static_cast<std::size_t>(kind)]);
  line += " " + shown(place) + " '" + pointer + "'";
  if (!payload.empty()) line.append(" ").append(payload);
  return line;
}
inline std::string text_payload(std::string_view decoded, bool plain) {
  return "<" + std::string(decoded) + ">" + (plain ? "" : " with escapes");
}
inline std::string integer_payload(std::string_view written, std::string_view exact) {
  return std::string(exact) + " written " + std::string(written);
}

inline std::string token_line(const Token& token, const std::string& pointer) {
  std::string payload;
  if (token.kind == TokenKind::key || token.kind == TokenKind::string)
    payload = text_payload(token.text, token.plain);
  if (token.kind == TokenKind::integer)
    payload =
        integer_payload(token.text, token.beyond_64_bits ? "beyond" : to_text(token.value).c_str());
  if (token.kind == TokenKind::real) payload = "written " + std::string(token.text);
  return token_line(token.kind, token.place, pointer, payload);
}

inline std::string error_line(const Error& failed) {
  return "error " + shown(failed) + " in " + failed.file + ": " + failed.message + " got " +
         failed.got;
}

// Reads on to the end or the first error.
inline std::vector<std::string> token_lines(Tokenizer& tokenizer) {
  std::vector<std::string> lines;
  for (;;) {
    const Result<Token> token = tokenizer.next();
    if (!token) {
      lines.push_back(error_line(token.error()));
      return lines;
    }
    lines.push_back(token_line(*token, tokenizer.pointer()));
    if (token->kind == TokenKind::end_of_input) return lines;
  }
}

inline std::vector<std::string> token_lines(std::string_view text, std::size_t pace,
                                            Documents documents = Documents::one) {
  PacedSource source(text, pace);
  Tokenizer tokenizer(source, "text.json", documents);
  return token_lines(tokenizer);
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& each : lines) text += each + "\n";
  return text;
}

}  // namespace slabscope::tests
