// Pickles as plain values: what is read, and where the others go wrong.
#include <slabscope/dump/pickle.h>

#include "../support/bytes.h"
#include "../support/pickle_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;
using namespace slabscope::tests::pickled;

namespace {

Result<Pickle> read(const std::string& bytes) {
  return read_pickle(std::vector<char>(bytes.begin(), bytes.end()));
}

// A value as a text, so that it can be compared.
std::string shown(const Pickle& pickle, std::uint32_t index) {
  const PickleValue& value = pickle.values[index];
  std::string inside;
  if (value.kind >= PickleKind::tuple && value.kind != PickleKind::global)
    for (const std::uint32_t each : pickle.lists[value.items])
      inside += (inside.empty() ? "" : " ") + shown(pickle, each);
  switch (value.kind) {
    case PickleKind::other: return "-";
    case PickleKind::integer: return std::to_string(value.integer);
    case PickleKind::text: return "'" + std::string(value.text) + "'";
    case PickleKind::tuple: return "(" + inside + ")";
    case PickleKind::list: return "[" + inside + "]";
    case PickleKind::dict: return "{" + inside + "}";
    case PickleKind::global: return "name";
    case PickleKind::storage: return "storage " + inside;
    case PickleKind::made: break;
  }
  return "made" + inside;
}

std::string value(const std::string& bytes) {
  const auto made = read(bytes);
  if (!made) return made.error().message;
  return made->unknown_name.empty() ? shown(*made, made->root) : "unknown " + made->unknown_name;
}

}  // namespace

TEST_CASE("values are what pickle.dumps made of them") {
  // Of Python 3.11: the protocol, the value, and what pickle.dumps gave.
  struct {
    std::string_view bytes;
    std::string_view wanted;
  } const cases[] = {
      {"80024e2e", "-"},
      {"80025d7100288889652e", "[1 0]"},
      {"80025d7100284b004bff4d00014dffff4a000001004affffffff4affffff7f4a00000080652e",
       "[0 255 256 65535 65536 -1 2147483647 -2147483648]"},
      {"80025d7100288a0500000080008a05ffffff7fff8a08ffffffffffffff7f8a080000000000000080652e",
       "[2147483648 -2147483649 9223372036854775807 -9223372036854775808]"},
      {"80025d7100288a090000000000000080008a09000000000000000001652e", "[- -]"},
      {"80025801000000617100580200000062637101580000000071028771032e", "('a' 'bc' '')"},
      {"800228294b018571004b014b028671014b014b024b03877102284b014b024b034b047471037471042e",
       "(() (1) (1 2) (1 2 3) (1 2 3 4))"},
      {"80027d71002858010000006171017d710258010000006271035d7104734b074b02752e",
       "{'a' {'b' []} 7 2}"},
      {"80025d710028473ff80000000000005801000000787101652e", "[- 'x']"},
      {"80025d7100285d71014b0161680168016801867102652e", "[[1] [1] ([1] [1])]"},
      {"80035d710028430562797465737101422c010000787878787878787878787878787878787878787878787878787"
       "8787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
       "7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787"
       "8787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
       "7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787"
       "8787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878"
       "7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787"
       "8787102652e",
       "[- -]"},
      {"80049519000000000000007d94288c016b945d94288c0176946803658c0177946801752e",
       "{'k' ['v' 'v'] 'w' 'k'}"},
      {"8005951d000000000000005d9428473ff80000000000008c0474657874948c01749485947d94652e",
       "[- 'text' ('t') {}]"},
      {"8004952d000000000000005d94284b004b014b024b034b044b054b064b074b084b094b0a4b0b4b0c4b0d4b0e4b0"
       "f4b104b114b124b13652e",
       "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.wanted);
    const Bytes bytes = from_hex(each.bytes);
    CHECK(value({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) == each.wanted);
  }
}

TEST_CASE("names that torch.save uses are known, and any other ends the reading") {
  CHECK(value(whole(name("torch", "device") + tuple(text("cuda")) + "R")) == "made('cuda')");
  CHECK(value(whole(name("collections", "OrderedDict") + ")R" + text("a") + "Ns")) == "{'a' -}");
  CHECK(value(whole(storage("0", typed("IntStorage"), 2))) ==
        "storage ('storage' name '0' 'cpu' 2)");
  CHECK(value(whole(name("posix", "system") + tuple(text("x")) + "R")) == "unknown posix.system");
  CHECK(value(whole(name("torch", "load"))) == "unknown torch.load");
  CHECK(value(whole(name("torch._utils", "int32"))) == "unknown torch._utils.int32");
  CHECK(value(whole(name("torch", ""))) == "unknown torch.");
  CHECK(value("\x80\x04" + text("builtins") + text("eval") + "\x93.") == "unknown builtins.eval");
}

TEST_CASE("pickles that are none say where they go wrong") {
  struct {
    std::string bytes;
    std::string_view message;
    std::uint64_t at;
  } const cases[] = {
      {"", "the pickle ends too early", 0},
      {"\x80\x02", "the pickle ends too early", 2},
      {"\x80\x01N.", "this is no pickle of protocol 2 to 5", 0},
      {"\x80\x06N.", "this is no pickle of protocol 2 to 5", 0},
      {"(I1\n.", "this is no pickle of protocol 2 to 5", 0},
      {whole("N") + "x", "the pickle goes on behind its end", 3},
      {whole("I1\n"), "an instruction that torch.save does not use for tensors", 2},
      {whole("N\x81"), "an instruction that torch.save does not use for tensors", 3},
      {whole(""), "the pickle ends with more or less than one value", 2},
      {whole("NN"), "the pickle ends with more or less than one value", 4},
      {whole("N("), "the pickle ends with more or less than one value", 4},
      {whole("N\x86"), "the stack holds too few values", 3},
      {whole("N(a"), "the stack holds too few values", 4},
      {whole("Q"), "the stack holds too few values", 2},
      {whole("Nb"), "the stack holds too few values", 3},
      {whole("(q\x01"), "the stack holds too few values", 3},
      {whole("t"), "there is no mark on the stack", 2},
      {whole("e"), "there is no mark on the stack", 2},
      {whole("NNa"), "what is appended to is no list", 4},
      {whole("}Na"), "what is appended to is no list", 4},
      {whole("](u"), "what items are set in is no dictionary", 4},
      {whole("}(Nu"), "a key has no value", 5},
      {whole("h\x05"), "nothing was remembered here", 2},
      {whole("NN\x93"), "a name is no text", 4},
      {whole("N)R"), "what is called is no name with a tuple", 4},
      {whole(name("torch", "device") + "NR"), "what is called is no name with a tuple", 17},
      {whole(typed("int32") + ")R"), "a class or type of torch is called", 16},
      {whole(typed("IntStorage") + ")R"), "a class or type of torch is called", 21},
      {whole(name("collections", "OrderedDict") + tuple("N") + "R"),
       "an OrderedDict with arguments", 30},
      {"\x80\x02"
       "ctorch\nint32",
       "a name does not end", 2},
      {"\x80\x02X" + le(5, 4) + "abc.", "the pickle ends too early", 2},
      {"\x80\x02X" + le(0xffffffff, 4) + "abc.", "the pickle ends too early", 2},
      {"\x80\x02G0123456", "the pickle ends too early", 2},
      {"\x80\x02GN.", "the pickle ends too early", 2},
      {"\x80\x02\x8a\x09"
       "abc.",
       "the pickle ends too early", 2},
      {"\x80\x04\x95" + le(3, 8) + "N.", "a frame reaches past the pickle", 2},
      {"\x80\x04\x95" + le(~std::uint64_t{0}, 8) + "N.", "a frame reaches past the pickle", 2},
  };
  for (const auto& each : cases) {
    CAPTURE(each.message);
    CAPTURE(each.at);
    const auto made = read(each.bytes);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::bad_container);
    CHECK(made.error().message == each.message);
    CHECK(made.error().offset == each.at);
  }
}

TEST_CASE("marks, references and memory of a pickle are bounded in all") {
  for (const std::string& many :
       {std::string(max_pickle_values + 1, '('), std::string(max_pickle_values + 1, 'N'),
        std::string(max_pickle_values + 1, ']')}) {
    const auto made = read("\x80\x02" + many);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::limit_exceeded);
  }
  std::string remembered = "\x80\x02N";
  for (std::size_t index = 0; index <= max_pickle_values; ++index) remembered += '\x94';
  const auto made = read(remembered);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::limit_exceeded);
}
