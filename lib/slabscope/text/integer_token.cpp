#include <slabscope/text/integer_token.h>

#include <slabscope/base/integer_text.h>

namespace slabscope {

IntegerToken as_integer(const Token& token) {
  if (token.kind == TokenKind::integer) return {token.value, true, token.beyond_64_bits};
  if (token.kind != TokenKind::string) return {};
  const IntegerText parsed = parse_integer(token.text);
  return {parsed.value, parsed.fault != IntegerTextFault::not_an_integer,
          parsed.fault == IntegerTextFault::beyond_64_bits};
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::string) return "\"" + printable(token.text, 40) + "\"";
  if (token.kind == TokenKind::integer || token.kind == TokenKind::real)
    return printable(token.text, 40);
  return std::string(describe(token.kind));
}

}  // namespace slabscope
