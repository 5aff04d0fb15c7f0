// Files of safetensors, written here by hand after the format's description.
#include "../support/dump_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;

namespace {

std::string file(const std::string& header, const std::string& data) {
  return le(header.size(), 8) + header + data;
}

const std::string two = R"({"b":{"dtype":"U32","shape":[2],"data_offsets":[4,12]},)"
                        R"("a":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}}  )";
const std::string two_data = "abcd" + numbers({7, 9}, 4);

Error refusal(const std::string& bytes, const ContainerHints& hints = {}) {
  auto made = opened(bytes, hints);
  REQUIRE_FALSE(made);
  return made.error();
}

// A header with one tensor `t`.
std::string one(const std::string& inside) { return "{\"t\":{" + inside + "}}"; }

}  // namespace

TEST_CASE("tensors are regions in the order of their bytes") {
  auto made = opened(file(two, two_data));
  REQUIRE(made);
  CHECK((*made)->name() == "safetensors");
  REQUIRE((*made)->regions().size() == 2);
  const Region& a = (*made)->regions()[0];
  const Region& b = (*made)->regions()[1];
  CHECK(a.name == "a");
  CHECK(a.kind == "tensor");
  CHECK(a.file_offset == 8 + two.size());
  CHECK(a.shape == std::vector<std::uint64_t>{2, 2});
  CHECK(a.type->name == "I8");
  CHECK(a.type->element == ElementType::i8);
  CHECK_FALSE(a.address);
  CHECK(b.name == "b");
  CHECK(b.bytes == 8);
  CHECK(b.type->bytes == 4);
  CHECK(b.file_offset == 8 + two.size() + 4);
  CHECK(bytes_of(**made, "a") == "abcd");
  CHECK(bytes_of(**made, "b") == numbers({7, 9}, 4));
}

TEST_CASE("every dtype has its width, and small ones are counted in bytes") {
  struct {
    std::string_view name;
    std::uint64_t bytes;  // of 16 elements
    std::optional<ElementType> element;
  } const dtypes[] = {{"BOOL", 16, {}},
                      {"U8", 16, ElementType::u8},
                      {"I8", 16, ElementType::i8},
                      {"U16", 32, ElementType::u16},
                      {"I16", 32, ElementType::i16},
                      {"U32", 64, ElementType::u32},
                      {"I32", 64, ElementType::i32},
                      {"U64", 128, ElementType::u64},
                      {"I64", 128, ElementType::i64},
                      {"F16", 32, {}},
                      {"BF16", 32, {}},
                      {"F32", 64, {}},
                      {"F64", 128, {}},
                      {"C64", 128, {}},
                      {"F8_E4M3", 16, {}},
                      {"F8_E5M2", 16, {}},
                      {"F8_E8M0", 16, {}},
                      {"F6_E2M3", 12, {}},
                      {"F6_E3M2", 12, {}},
                      {"F4", 8, {}}};
  for (const auto& each : dtypes) {
    CAPTURE(each.name);
    auto made = opened(
        file(one("\"dtype\":\"" + std::string(each.name) +
                 "\",\"shape\":[4,4],\"data_offsets\":[0," + std::to_string(each.bytes) + "]"),
             std::string(each.bytes, 'x')));
    REQUIRE(made);
    const Region& region = (*made)->regions()[0];
    CHECK(region.bytes == each.bytes);
    CHECK(region.type->element == each.element);
    CHECK(region.shape == (each.bytes < 16 ? std::vector<std::uint64_t>{each.bytes}
                                           : std::vector<std::uint64_t>{4, 4}));
  }
}

TEST_CASE("metadata are facts, and a base address in them gives addresses") {
  for (const std::string& key :
       {std::string("base_address"), std::string("slabscope.base_address")}) {
    const std::string header =
        R"({"__metadata__":{"slabscope.layout":"mtp_batch",")" + key +
        R"(":"0x7f32a0000000"},"z":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)" +
        two.substr(1);
    ContainerHints hints;
    hints.base = 0x1000;  // the file's own is nearer
    auto made = opened(file(header, two_data), hints);
    REQUIRE(made);
    REQUIRE((*made)->facts().size() == 2);
    CHECK((*made)->facts()[0].name == "slabscope.layout");
    CHECK((*made)->facts()[0].value == "mtp_batch");
    CHECK(region(**made, "b").address == 0x7f32a0000004);
    CHECK(bytes_of(**made, "z").empty());
  }
}

TEST_CASE("a base is the address of one tensor, not of several") {
  ContainerHints hints;
  hints.base = 0x1000;
  auto made = opened(file(one(R"("dtype":"U8","shape":[4],"data_offsets":[0,4])"), "abcd"), hints);
  REQUIRE(made);
  CHECK(region(**made, "t").address == 0x1000);
  CHECK((*made)->remark().empty());
  made = opened(file(two, two_data), hints);
  REQUIRE(made);
  CHECK_FALSE(region(**made, "a").address);
  CHECK_FALSE(region(**made, "b").address);
  CHECK((*made)->remark() == base_of_several("tensors"));
}

TEST_CASE("two addresses of the first byte are one, or refused") {
  const auto both = [](const std::string& ours) {
    return file(R"({"__metadata__":{"base_address":"0x1000","slabscope.base_address":")" + ours +
                    "\"}," + two.substr(1),
                two_data);
  };
  auto made = opened(both("4096"));
  REQUIRE(made);
  CHECK(region(**made, "b").address == 0x1004);
  const Error failed = refusal(both("0x2000"));
  CHECK(failed.code == ErrorCode::bad_container);
  CHECK(failed.message.starts_with("the header: the metadata say two addresses of the first byte"));
  CHECK(failed.got == "0x2000");
  CHECK(failed.allowed == "0x1000");
}

TEST_CASE("files that are refused say where and why") {
  const std::string t = R"("dtype":"U8","shape":[4],"data_offsets":[0,4])";
  const std::string long_name(100, 'n');
  const std::string long_told =
      "the header: the key '" + std::string(80, 'n') + "...' stands here twice";
  struct {
    std::string header;
    std::string data;
    std::string_view message;
    std::uint64_t at;
  } const cases[] = {
      {"{\"a\"", "", "the header: expected ':' after a key", 12},
      {one(t) + "x", "abcd", "the header: unexpected text after the document", 8 + 53},
      {"{\"t\":[]}", "", "the header: expected a tensor", 13},
      {"{\"t\":{" + t + "},\"t\":{" + t + "}}", "abcd", "the header: the key 't' stands here twice",
       8 + 53},
      {one("\"dtype\":\"U8\""), "", "the header: the key 'shape' is missing", 13},
      {one("\"type\":\"U8\""), "", "the header: unknown key 'type'", 14},
      {one(t + ",\"dtype\":\"U8\""), "", "the header: the key 'dtype' stands here twice", 8 + 52},
      {one("\"dtype\":\"I33\""), "", "the header: this dtype is not known", 22},
      {one("\"dtype\":8"), "", "the header: expected a dtype", 22},
      {one("\"shape\":[-1]"), "", "the header: expected a dimension of 64 bits", 23},
      {one("\"shape\":[1.0]"), "", "the header: expected a dimension of 64 bits", 23},
      {one("\"shape\":[18446744073709551616]"), "", "the header: expected a dimension of 64 bits",
       23},
      {one(R"("dtype":"U8","shape":[4],"data_offsets":[4])"), "",
       "the header: data_offsets are not the begin and the end", 13},
      {one(R"("dtype":"U8","shape":[4],"data_offsets":[4,0])"), "",
       "the header: data_offsets are not the begin and the end", 13},
      {one(R"("dtype":"U8","shape":[5],"data_offsets":[0,4])"), "abcd",
       "the header: the shape and the data_offsets contradict each other", 13},
      {one(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])"), "a",
       "the header: the shape and the data_offsets contradict each other", 13},
      {one(R"("dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0])"), "",
       "the header: the shape and the data_offsets contradict each other", 13},
      {one(R"("dtype":"I64","shape":[2305843009213693952],"data_offsets":[0,0])"), "",
       "the header: the shape and the data_offsets contradict each other", 13},
      {one(t), "abc", "t: the file ends before the tensor does", 8 + 53 + 3},
      {one(t), "abcde", "bytes behind the last tensor are of none", 8 + 53 + 4},
      {one(R"("dtype":"U8","shape":[2],"data_offsets":[1,3])"), "abc",
       "t: bytes before it are of no tensor", 8 + 53 + 1},
      {"{\"t\":{" + t + "},\"u\":{" + R"("dtype":"U8","shape":[2],"data_offsets":[3,5])" + "}}",
       "abcde", "u: the tensor begins in another", 8 + 105 + 3},
      {R"({"__metadata__":{"a":1}})", "", "the header: expected a text", 29},
      {R"({"__metadata__":{"a":"1","a":"2"}})", "", "the header: the key 'a' stands here twice",
       33},
      {R"({"__metadata__":{")" + long_name + R"(":"1",")" + long_name + R"(":"2"}})", "", long_told,
       33 + 99},
      {R"({"__metadata__":{"base_address":"here"}})", "", "the header: this is no address", 40},
      {R"({"__metadata__":{"base_address":"-1"}})", "", "the header: this is no address", 40},
  };
  for (const auto& each : cases) {
    CAPTURE(each.header);
    const Error failed = refusal(file(each.header, each.data));
    CAPTURE(failed.message);
    CHECK(failed.code == ErrorCode::bad_container);
    CHECK(failed.message.starts_with(each.message));
    CHECK(failed.offset == each.at);
  }
}

TEST_CASE("lengths and numbers that no file has are refused before they are read") {
  const Error huge = refusal(le(std::uint64_t{1} << 62U, 8) + "{\"");
  CHECK(huge.code == ErrorCode::limit_exceeded);
  CHECK(huge.got == "4611686018427387904 B");
  const Error cut = refusal(le(1000, 8) + two);
  CHECK(cut.code == ErrorCode::bad_container);
  CHECK(cut.message == "the file ends inside the header");
  ContainerHints few;
  few.limits.max_tensors = 1;
  CHECK(refusal(file(two, two_data), few).code == ErrorCode::limit_exceeded);
  std::string dimensions = "1";
  for (int count = 0; count < 64; ++count) dimensions += ",1";
  CHECK(refusal(file(one("\"shape\":[" + dimensions + "]"), "")).code == ErrorCode::limit_exceeded);
  std::string facts = R"({"__metadata__":{"a":"")";
  for (int count = 0; count < 4096; ++count) facts += ",\"" + std::to_string(count) + "\":\"\"";
  CHECK(refusal(file(facts + "}}", "")).code == ErrorCode::limit_exceeded);
}

TEST_CASE("a place in a header of several lines is its line and column") {
  const Error failed = refusal(file("{\"t\":\n {\"dtype\":\"I33\"}}", ""));
  CHECK(failed.place.line == 2);
  CHECK(failed.place.column == 11);
  CHECK_FALSE(failed.offset);
}

TEST_CASE("a slab that holds a brace where a header would begin is raw") {
  CHECK((*opened(numbers({7, 9, 123, 0}, 4)))->name() == "raw");
  // The brace, then a byte that may follow it in an object.
  for (const std::uint64_t third : {2427U, 2683U, 3451U, 8315U, 8827U, 32123U}) {
    CAPTURE(third);
    CHECK((*opened(numbers({7, 9, third, 5}, 4)))->name() == "raw");
    CHECK((*opened(numbers({0, 0, third}, 4)))->name() == "raw");
    CHECK((*opened(numbers({7, third, 0}, 8)))->name() == "raw");
    CHECK((*opened(numbers({7, 9, 11, 13, third, 15}, 2)))->name() == "raw");
  }
  for (const std::string& header : {std::string("{}"), std::string("{ }"),
                                    std::string("{\n\t\r\n}"), std::string("{\"\xc3\xa4\":1}")}) {
    const auto other = opened(file(header, ""));
    CHECK((other ? (*other)->name() == "safetensors"
                 : other.error().code == ErrorCode::bad_container));
  }
}

TEST_CASE("a header of a million names is read in time that is linear in it") {
  std::string header = "{";
  for (int count = 0; count < 200000; ++count)
    header += (count == 0 ? "\"" : ",\"") + std::to_string(count) +
              R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  auto made = opened(file(header + "}", ""));
  REQUIRE(made);
  CHECK((*made)->regions().size() == 200000);
}

TEST_CASE("a file that is cut or has a flipped bit is refused, or its regions are read") {
  const std::string good = file(two, two_data);
  for (std::size_t length = 10; length < good.size(); ++length)
    CHECK_FALSE(opened(good.substr(0, length)));
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    auto made = opened(flipped);
    if (!made || (*made)->name() != "safetensors") continue;
    std::uint64_t bytes = 0;
    for (const Region& each : (*made)->regions()) bytes += bytes_of(**made, each.name).size();
    CHECK(bytes == two_data.size());
  }
}
