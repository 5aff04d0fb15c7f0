// Arrays of numpy.savez: .npy files in a zip.
#include "../support/zip_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;

namespace {

std::string npy(std::string_view descr, std::string_view shape, const std::string& data) {
  const std::string header = "{'descr': " + std::string(descr) +
                             ", 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
  return "\x93NUMPY\x01" + le(0, 1) + le(header.size(), 2) + header + data;
}

const std::string positions = npy("'<u4'", "(2,)", numbers({7, 9}, 4));
const std::string slots =
    npy("'>i8'", "(2,)", std::string("\0\0\0\0\0\0\0d\0\0\0\0\0\0\7\xd0", 16));
const std::string records = npy("[('a', '|u1'), ('b', '|u1')]", "(2,)", "abAB");

}  // namespace

TEST_CASE("every array of an npz is a region by its name, stored or deflated") {
  for (const auto& pack : {stored, +[](std::string name, std::string bytes) {
                             return packed(std::move(name), bytes);
                           }}) {
    const std::string file = zip_of({pack("positions.npy", positions), pack("slots.npy", slots),
                                     pack("r.npy", records), pack("note.txt", "\1as it is")});
    auto made = opened(file);
    REQUIRE(made);
    CHECK((*made)->name() == "npz");
    REQUIRE((*made)->regions().size() == 6);
    CHECK(bytes_of(**made, "positions") == numbers({7, 9}, 4));
    CHECK(bytes_of(**made, "slots") == numbers({100, 2000}, 8));
    CHECK(bytes_of(**made, "r") == "abAB");
    CHECK(bytes_of(**made, "r.b") == "bB");
    CHECK(bytes_of(**made, "note.txt") == "\1as it is");
    CHECK(region(**made, "positions").type->element == ElementType::u32);
    const auto place = region(**made, "positions").file_offset;
    if (place) CHECK(file.substr(*place, 8) == numbers({7, 9}, 4));
    CHECK(place.has_value() == (file.find(numbers({7, 9}, 4)) == 30 + 13 + positions.size() - 8));
    CHECK_FALSE(region(**made, "slots").file_offset);
  }
}

TEST_CASE("an array of objects is left out, and the others are there") {
  auto made = opened(zip_of({stored("o.npy", npy("'|O'", "(1,)", "x")), stored("p.npy", positions),
                             stored("q.npy", positions + "!")}));
  REQUIRE(made);
  CHECK((*made)->regions().size() == 2);
  CHECK((*made)->remark().starts_with("o.npy: left out, as the array holds Python objects"));
  CHECK((*made)->remark().ends_with("; q.npy: 1 byte behind the array are not read"));
}

TEST_CASE("a damaged array says which one it is, and where in the file") {
  const std::string bad = npy("'<i3'", "(2,)", "x");
  auto made = opened(zip_of({stored("p.npy", positions), stored("q.npy", bad)}));
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::bad_container);
  CHECK(made.error().message == "q.npy: numpy has no type of this width");
  CHECK(made.error().offset == 30 + 5 + positions.size() + 30 + 5 + 10 + 10);
  made = opened(zip_of({stored("p.npy", positions), packed("q.npy", bad)}));
  REQUIRE_FALSE(made);
  CHECK_FALSE(made.error().offset);
}

TEST_CASE("what the arrays of all members take together has limits") {
  const std::string three = zip_of({stored("p.npy", positions), stored("r.npy", records)});
  struct {
    std::uint64_t tensors, name_bytes, dimensions;
    std::string_view message;
  } const cases[] = {
      // Of "p", "r", "r.a" and "r.b".
      {4, 8, 4, ""},
      {3, 8, 4, "r.npy: the file has too many tensors, arrays and fields"},
      {4, 7, 4, "r.npy: the names of the file's tensors, arrays and fields are too long"},
      {4, 8, 3, "r.npy: the shapes of the file's tensors, arrays and fields are too long"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.message);
    ContainerHints hints;
    hints.limits.max_tensors = each.tensors;
    hints.limits.max_name_bytes = each.name_bytes;
    hints.limits.max_dimensions = each.dimensions;
    auto made = opened(three, hints);
    CHECK(made.has_value() == each.message.empty());
    if (made) continue;
    CHECK(made.error().code == ErrorCode::limit_exceeded);
    CHECK(made.error().message == each.message);
  }
}

TEST_CASE("a base is the address of one array, not of several") {
  ContainerHints hints;
  hints.base = 0x7f0000000000;
  auto made = opened(zip_of({stored("p.npy", positions)}), hints);
  REQUIRE(made);
  CHECK(region(**made, "p").address == 0x7f0000000000);
  made = opened(zip_of({packed("p.npy", positions)}), hints);
  REQUIRE(made);
  CHECK(region(**made, "p").address == 0x7f0000000000);
  CHECK((*made)->remark().empty());
  // Big-endian numbers do not stand here as they stood there.
  made = opened(zip_of({stored("s.npy", slots)}), hints);
  REQUIRE(made);
  CHECK_FALSE(region(**made, "s").address);
  CHECK(region(**made, "s").is_reordered);
  CHECK((*made)->remark().empty());
  made = opened(zip_of({stored("p.npy", positions), stored("q.npy", positions)}), hints);
  REQUIRE(made);
  CHECK_FALSE(region(**made, "p").address);
  CHECK((*made)->remark() == base_of_several("arrays"));
}
