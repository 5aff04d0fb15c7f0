// Arrays of numpy.save, written here by hand after the format's description.
#include <slabscope/dump/npy.h>
#include <slabscope/dump/npy_header.h>

#include "../support/dump_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;

namespace {

std::string npy(std::string_view header, const std::string& data, unsigned major = 1) {
  std::string text(header);
  while ((text.size() + 11) % 64 != 0) text += ' ';
  text += '\n';
  return "\x93NUMPY" + le(major, 1) + le(0, 1) + le(text.size(), major == 1 ? 2 : 4) + text + data;
}

std::string array(std::string_view descr, std::string_view shape, const std::string& data,
                  std::string_view fortran = "False") {
  return npy("{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(fortran) +
                 ", 'shape': " + std::string(shape) + ", }",
             data);
}

// The one array of a file.
std::string bytes_in(std::string file) {
  auto container = opened(std::move(file));
  if (!container) return "error: " + container.error().message;
  return bytes_of(**container, "array");
}

Error refusal(std::string file) {
  auto container = opened(std::move(file));
  REQUIRE_FALSE(container);
  return container.error();
}

}  // namespace

TEST_CASE("an array is a region with its type, shape and place") {
  auto made = opened(array("'<i4'", "(2, 3)", numbers({1, 2, 3, 4, 5, 6}, 4)));
  REQUIRE(made);
  CHECK((*made)->name() == "npy");
  CHECK((*made)->remark().empty());
  REQUIRE((*made)->regions().size() == 1);
  const Region& array = (*made)->regions()[0];
  CHECK(array.name == "array");
  CHECK(array.kind == "tensor");
  CHECK(array.bytes == 24);
  CHECK(array.file_offset == 10 + 118);
  CHECK(array.shape == std::vector<std::uint64_t>{2, 3});
  REQUIRE(array.type);
  CHECK(array.type->name == "<i4");
  CHECK(array.type->element == ElementType::i32);
  CHECK(array.type->bytes == 4);
  CHECK_FALSE(array.type->is_big_endian);
  CHECK_FALSE(array.address);
  CHECK(bytes_of(**made, "array") == numbers({1, 2, 3, 4, 5, 6}, 4));
}

TEST_CASE("the three versions of the header differ in its length") {
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }";
  for (const unsigned major : {1U, 2U, 3U}) CHECK(bytes_in(npy(header, "abc", major)) == "abc");
  const Error failed = refusal(npy(header, "abc", 4));
  CHECK(failed.code == ErrorCode::unsupported_container);
  CHECK(failed.got == "4.0");
}

TEST_CASE("headers are literals of Python, in any order and with any quotes") {
  for (const std::string_view header :
       {"{'shape': (3,), 'fortran_order': False, 'descr': '|u1'}",
        "{\"descr\":\"<u1\",\"fortran_order\":False,\"shape\":( 3 , )}",
        "{'descr': '>u1', 'fortran_order': True, 'shape': (3, 1), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3,)}",
        "{'descr': '|S3', 'fortran_order': False, 'shape': (), }"})
    CHECK_MESSAGE(bytes_in(npy(header, "abc")) == "abc", header);
}

TEST_CASE("arrays in Fortran order and big-endian ones come in C order and little-endian") {
  // [[1, 2, 3], [4, 5, 6]], column by column.
  CHECK(bytes_in(array("'<u2'", "(2, 3)", numbers({1, 4, 2, 5, 3, 6}, 2), "True")) ==
        numbers({1, 2, 3, 4, 5, 6}, 2));
  auto swapped = opened(array("'>u4'", "(2,)", std::string("\0\0\0\1\0\0\2\0", 8)));
  REQUIRE(swapped);
  CHECK(bytes_of(**swapped, "array") == numbers({1, 512}, 4));
  CHECK(region(**swapped, "array").type->is_big_endian);
  CHECK_FALSE(region(**swapped, "array").file_offset);
  // A complex number is two, a text of numpy is numbers of 4 bytes.
  CHECK(bytes_in(array("'>c8'", "(1,)", "abcdefgh")) == "dcbahgfe");
  CHECK(bytes_in(array("'>U2'", "(1,)", std::string("\0\0\0x\0\0\0y", 8))) ==
        std::string("x\0\0\0y\0\0\0", 8));
}

TEST_CASE("a base is the address of what stands in the file as it stood in memory") {
  ContainerHints hints;
  hints.base = 0x7f0000000000;
  auto plain = opened(array("'|u1'", "(3,)", "abc"), hints);
  REQUIRE(plain);
  CHECK(region(**plain, "array").address == 0x7f0000000000);
  auto swapped = opened(array("'>u2'", "(1,)", "ab"), hints);
  REQUIRE(swapped);
  CHECK_FALSE(region(**swapped, "array").address);
  // It is that of the array, whose records may be no region, and begin with bytes without a name.
  const std::string record = "gap." + le(7, 4) + "\x01\x02\x03\x04";
  auto mixed = opened(array("[('', '|V4'), ('a', '<i4'), ('b', '>i4')]", "(1,)", record), hints);
  REQUIRE(mixed);
  CHECK(region(**mixed, "a").address == 0x7f0000000004);
  CHECK_FALSE(region(**mixed, "b").address);
}

TEST_CASE("records are a region, and every field is one") {
  const std::string records = le(7, 4) + le(100, 8) + numbers({3, 0}, 2) +  //
                              le(9, 4) + le(2000, 8) + numbers({4, 5}, 2);
  auto made = opened(array("[('pos', '<u4'), (('the slot', 'slot'), '<i8'), ('blk', '<u2', (2,))]",
                           "(2,)", records));
  REQUIRE(made);
  CHECK((*made)->regions().size() == 4);
  CHECK(region(**made, "array").kind == "records");
  CHECK(region(**made, "array").type->bytes == 16);
  CHECK(bytes_of(**made, "array") == records);
  CHECK(region(**made, "slot").kind == "field");
  CHECK(region(**made, "slot").type->element == ElementType::i64);
  CHECK(region(**made, "blk").shape == std::vector<std::uint64_t>{2, 2});
  CHECK_FALSE(region(**made, "pos").file_offset);
  CHECK(bytes_of(**made, "pos") == numbers({7, 9}, 4));
  CHECK(bytes_of(**made, "slot") == numbers({100, 2000}, 8));
  CHECK(bytes_of(**made, "blk") == numbers({3, 0, 4, 5}, 2));
}

TEST_CASE("fields in fields have their names, and gaps have none") {
  auto made = opened(array("[('', '|V1'), ('at', [('x', '|u1'), ('y', '>u2')], (2,)), ('', '|V1')]",
                           "(1,)", std::string("-a\0bc\0d-", 8)));
  REQUIRE(made);
  REQUIRE((*made)->regions().size() == 2);
  CHECK(bytes_of(**made, "at.x") == "ac");
  CHECK(bytes_of(**made, "at.y") == std::string("b\0d\0", 4));
  CHECK((*made)->remark().find("big-endian") != std::string_view::npos);
}

TEST_CASE("the same records come column by column when the array is in Fortran order") {
  auto made = opened(array("[('a', '|u1'), ('b', '|u1')]", "(2, 2)", "aAcCbBdD", "True"));
  REQUIRE(made);
  CHECK(bytes_of(**made, "array") == "aAbBcCdD");
  CHECK(bytes_of(**made, "b") == "ABCD");
}

TEST_CASE("arrays without elements have no bytes, whatever their other dimensions say") {
  CHECK(bytes_in(array("'<i8'", "(0,)", "")).empty());
  CHECK(bytes_in(array("'<i8'", "(18446744073709551615, 0, 3)", "", "True")).empty());
  CHECK(bytes_in(array("'|S0'", "(5,)", "")).empty());
}

TEST_CASE("bytes behind an array are said") {
  auto made = opened(array("'|u1'", "(3,)", "abcde"));
  REQUIRE(made);
  CHECK(bytes_of(**made, "array") == "abc");
  CHECK((*made)->remark() == "2 bytes behind the array are not read");
}

TEST_CASE("arrays of Python objects are refused with what to do instead") {
  for (const std::string_view descr : {"'|O'", "'|O8'", "[('a', '<i4'), ('b', '|O')]"}) {
    const Error failed = refusal(array(descr, "(1,)", "\x80\x03K\x01."));
    CHECK(failed.code == ErrorCode::unsupported_container);
    CHECK(failed.message.find("np.save(") != std::string::npos);
    CHECK(failed.offset > 10U);
  }
}

TEST_CASE("an array that the file does not hold is refused with both sizes") {
  const Error failed = refusal(array("'<i8'", "(3,)", std::string(23, 'x')));
  CHECK(failed.code == ErrorCode::bad_container);
  CHECK(failed.offset == 128);
  CHECK(failed.got == "23 B");
  CHECK(failed.allowed == "24 B");
  for (const std::string_view shape :
       {"(9223372036854775807,)", "(4294967296, 4294967296)", "(3000000000, 3000000000, 2)"})
    CHECK(refusal(array("'<i8'", shape, "x")).message == "the array's bytes pass 64 bits");
  CHECK(refusal(array("[('a', '|S0', (4,))]", "(9223372036854775807,)", "")).code ==
        ErrorCode::bad_container);
}

TEST_CASE("a field whose place passes 64 bits is refused even where there are no records") {
  const Error failed =
      refusal(array("[('a', '|V1', (18446744073709551615,)), ('b', '|u1', (0,))]", "(0,)", ""));
  CHECK(failed.code == ErrorCode::bad_container);
  CHECK(failed.message == "the elements of a field pass 64 bits");
}

TEST_CASE("headers that are none say where they go wrong") {
  struct {
    std::string_view header;
    std::string_view message;
    std::uint64_t at;  // in the header
  } const cases[] = {
      {"[]", "expected the dictionary", 0},
      {"{'descr' '<i4'}", "expected a colon", 9},
      {"{'descr': '<i4'; }", "expected the end of the dictionary, or a comma", 15},
      {"{'descr': '<i4', ", "expected a key", 54},
      {"{'descr': '<i4', 'descr': '<i4'}", "the key 'descr' stands here twice", 24},
      {"{'descr': '<i4', 'fortran_order': False, }", "the header has no key 'shape'", 54},
      {"{'type': '<i4'}", "unknown key in the header", 7},
      {"{'descr': 4}", "expected a type, or a list of fields", 10},
      {"{'descr': '<i4}", "a string does not end", 10},
      {"{'descr': '<i\\x34'}", "a name with an escape is not read", 10},
      {"{'descr': '<i3'}", "numpy has no type of this width", 10},
      {"{'descr': '<i'}", "this is no type of numpy", 10},
      {"{'descr': '<z4'}", "this is no type of numpy", 10},
      {"{'descr': '<i0x4'}", "the width of this type is no number of bytes", 10},
      {"{'descr': '|V99999999999'}", "the width of this type is no number of bytes", 10},
      {"{'descr': '|i4'}", "the order of this type's bytes is not said", 10},
      {"{'descr': '=i4'}", "the order of this type's bytes is not said", 10},
      {"{'descr': '<M8[ns'}", "the unit of this type does not end", 10},
      {"{'descr': []}", "a record has no fields", 12},
      {"{'descr': [('a')]}", "expected a comma", 15},
      {"{'descr': [('a', '<i4'}", "expected the end of the field", 22},
      {"{'descr': [(('a', 'b'], '<i4')]}", "expected the end of the name", 21},
      {"{'descr': [(('a'), '<i4')]}", "expected a comma", 16},
      {"{'descr': [('a', '<i4') ('b', '<i4')]}", "expected the end of the fields, or a comma", 24},
      {"{'descr': [('a', '<i4'), ('a', '<i4')]}", "two fields have the same name", 37},
      {"{'descr': [('a', '<i8', (4294967296, 4294967296))]}", "a record's bytes pass 64 bits", 49},
      {"{'fortran_order': 0}", "fortran_order is neither True nor False", 18},
      {"{'shape': 3}", "expected a shape", 10},
      {"{'shape': (3)}", "the shape is a number", 13},
      {"{'shape': (-3,)}", "expected a dimension", 11},
      {"{'shape': (03,)}", "a dimension is no number of 64 bits", 11},
      {"{'shape': (18446744073709551616,)}", "a dimension is no number of 64 bits", 11},
      {"{'shape': (3 4)}", "expected the end of the shape, or a comma", 13},
      {"{'descr': '|u1', 'fortran_order': False, 'shape': ()} x",
       "unexpected text after the dictionary", 54},
  };
  for (const auto& each : cases) {
    CAPTURE(each.header);
    const Error failed = refusal(npy(each.header, ""));
    CHECK(failed.code == ErrorCode::bad_container);
    CHECK(failed.message == each.message);
    CHECK(failed.offset == 10 + each.at);
  }
}

TEST_CASE("what no array needs runs into a limit") {
  ContainerHints few;
  few.limits.max_tensors = 2;
  few.limits.max_nesting = 2;
  const auto limit_of = [&](const std::string& file) {
    auto made = opened(file, few);
    return made ? std::string("none") : std::string(info(made.error().code).name);
  };
  const std::string three = "[('a', '|u1'), ('b', '|u1'), ('c', '|u1')]";
  CHECK(limit_of(array(three, "(1,)", "abc")) == "limit_exceeded");
  CHECK(limit_of(array("[('a', [('b', [('c', '|u1')])])]", "(1,)", "a")) == "limit_exceeded");
  std::string shape = "(";
  for (int count = 0; count < 65; ++count) shape += "1,";
  CHECK(limit_of(array("'|u1'", shape + ")", "a")) == "limit_exceeded");
  shape.resize(1 + 2 * 64);
  CHECK(limit_of(array("'|u1'", shape + ")", "a")) == "none");
  CHECK(limit_of(array("[('a', '|u1', (1,))]", shape + ")", "a")) == "limit_exceeded");
  CHECK(limit_of("\x93NUMPY\x02" + le(0, 1) + le(max_npy_header_bytes + 1, 4)) == "limit_exceeded");
}

TEST_CASE("the names of fields in fields are bounded in all") {
  ContainerHints few;
  few.limits.max_name_bytes = 20;
  const std::string name(15, 'n');
  CHECK(opened(array("[('" + name + "', '|u1')]", "(1,)", "a"), few));
  auto made = opened(array("[('" + name + "', [('x', '|u1')])]", "(1,)", "a"), few);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::limit_exceeded);
}

TEST_CASE("a file that is cut anywhere is refused or no array") {
  const std::string whole =
      array("[('a', '<i4'), ('b', '>u2', (2,))]", "(2,)", std::string(16, 'x'));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    auto made = opened(whole.substr(0, length));
    CHECK((length < 6 ? made && (*made)->name() == "raw" : !made));
  }
}
