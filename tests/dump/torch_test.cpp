// Tensors of torch.save: views of storages, named by their paths.
#include <slabscope/dump/pickle.h>

#include "../support/pickle_bytes.h"

using namespace slabscope;
using namespace slabscope::tests;
using namespace slabscope::tests::pickled;

namespace {

const std::string six = numbers({1, 2, 3, 4, 5, 6}, 4);
const std::string ints = typed("IntStorage");

Error refusal(const std::string& bytes, const ContainerHints& hints = {}) {
  auto made = opened(bytes, hints);
  REQUIRE_FALSE(made);
  return made.error();
}

std::string refused(const std::string& value, const std::vector<std::string>& storages = {six}) {
  return refusal(file(whole(value), storages)).message;
}

std::vector<std::string> names(const Container& container) {
  std::vector<std::string> all;
  for (const Region& each : container.regions()) all.push_back(each.name);
  return all;
}

}  // namespace

TEST_CASE("a bare tensor is a region, and its storage is one") {
  auto made =
      opened(file(whole(tensor(storage("0", ints, 6, "cuda:0"), {0, {2, 3}, {3, 1}})), {six}));
  REQUIRE(made);
  CHECK((*made)->name() == "torch");
  CHECK((*made)->remark().empty());
  CHECK(names(**made) == std::vector<std::string>{"tensor", "data/0"});
  const Region& tensor = region(**made, "tensor");
  const Region& data = region(**made, "data/0");
  CHECK(tensor.kind == "tensor");
  CHECK(data.kind == "storage");
  CHECK(tensor.type->name == "torch.int32");
  CHECK(tensor.type->element == ElementType::i32);
  CHECK(tensor.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(data.shape == std::vector<std::uint64_t>{6});
  CHECK(data.type->element == ElementType::i32);
  CHECK(tensor.file_offset == data.file_offset);
  CHECK(bytes_of(**made, "tensor") == six);
  CHECK(bytes_of(**made, "data/0") == six);
  REQUIRE((*made)->facts().size() == 1);
  CHECK((*made)->facts()[0].value == "cuda:0");
}

TEST_CASE("offsets and strides of a view are honoured") {
  const std::string in = storage("0", ints, 6);
  ContainerHints hints;
  hints.base = 0x1000;
  const auto view = [&](const View& of) {
    auto made = opened(file(whole(tensor(in, of)), {six}), hints);
    REQUIRE(made);
    return std::pair(bytes_of(**made, "tensor"), region(**made, "tensor").address);
  };
  CHECK(view({2, {3}, {1}}) ==
        std::pair(numbers({3, 4, 5}, 4), std::optional<std::uint64_t>(0x1008)));
  CHECK(view({0, {3, 2}, {1, 3}}).first == numbers({1, 4, 2, 5, 3, 6}, 4));
  CHECK_FALSE(view({0, {3, 2}, {1, 3}}).second);
  CHECK(view({5, {}, {}}).first == numbers({6}, 4));
  CHECK(view({1, {2, 2}, {0, 2}}).first == numbers({2, 4, 2, 4}, 4));
  CHECK(view({0, {0}, {1}}).first.empty());
  CHECK(view({6, {0, 3}, {3, 1}}).first.empty());
}

TEST_CASE("tensors are named by the path to them") {
  const std::string one = tensor(storage("0", ints, 6), {0, {1}, {1}});
  const std::string value =
      dict(text("state") + dict(text("positions") + one + text("slots") + list(one + "N" + one)) +
           integer(7) + tuple(one + text("no tensor")) + "N" + one + text("p") +
           name("torch._utils", "_rebuild_parameter") + tuple(one + "\x88" + "N") + "R" +
           text("o") + name("collections", "OrderedDict") + ")R" + text("x") + one + "s" +
           dict(text("_metadata") + "}") + "b" + text("size") + name("torch", "Size") +
           tuple(tuple_of({2})) + "R" + text("f") + "G" + std::string(8, '\0'));
  auto made = opened(file(whole(value), {six}));
  REQUIRE(made);
  CHECK(names(**made) == std::vector<std::string>{"state.positions", "state.slots[0]",
                                                  "state.slots[2]", "[7][0]", "[#2]", "p", "o.x",
                                                  "data/0"});
  made = opened(file(whole(list(one)), {six}));
  REQUIRE(made);
  CHECK(names(**made) == std::vector<std::string>{"[0]", "data/0"});
}

TEST_CASE("storages without a type are counted in bytes, and the tensor has the type") {
  const std::string untyped = storage("0", name("torch.storage", "UntypedStorage"), 24);
  auto made =
      opened(file(whole(tensor_v3(untyped, {1, {5}, {1}}, typed("uint32"))), {six}, "little"));
  REQUIRE(made);
  CHECK(region(**made, "tensor").type->element == ElementType::u32);
  CHECK_FALSE(region(**made, "data/0").type);
  CHECK(bytes_of(**made, "tensor") == six.substr(4));
}

TEST_CASE("every type of torch's has its width") {
  struct {
    std::string_view storage;
    std::uint64_t bytes;
    std::optional<ElementType> element;
  } const types[] = {{"Byte", 1, ElementType::u8},
                     {"Char", 1, ElementType::i8},
                     {"Short", 2, ElementType::i16},
                     {"Int", 4, ElementType::i32},
                     {"Long", 8, ElementType::i64},
                     {"Bool", 1, {}},
                     {"Half", 2, {}},
                     {"BFloat16", 2, {}},
                     {"Float", 4, {}},
                     {"Double", 8, {}},
                     {"ComplexFloat", 8, {}},
                     {"ComplexDouble", 16, {}}};
  for (const auto& each : types) {
    const std::string type = typed(std::string(each.storage) + "Storage");
    auto made = opened(file(whole(tensor(storage("0", type, 3), {1, {2}, {1}})),
                            {std::string(3 * each.bytes, 'x')}));
    REQUIRE(made);
    CHECK(region(**made, "tensor").bytes == 2 * each.bytes);
    CHECK(region(**made, "tensor").type->element == each.element);
  }
}

TEST_CASE("a pickle that uses another name still gives its storages, and nothing is called") {
  const std::string value = dict(text("a") + name("os", "system") + tuple(text("touch it")) + "R");
  auto made = opened(file(whole(value), {six, "ab"}));
  REQUIRE(made);
  CHECK(names(**made) == std::vector<std::string>{"data/0", "data/1"});
  CHECK((*made)->remark().find("os.system") != std::string_view::npos);
  CHECK(bytes_of(**made, "data/1") == "ab");
}

TEST_CASE("a base belongs to the only storage, and to none of several") {
  ContainerHints hints;
  hints.base = 0x7f0000000000;
  const std::string both = list(tensor(storage("0", ints, 6), {0, {6}, {1}}) +
                                tensor(storage("1", ints, 6), {0, {6}, {1}}));
  auto made = opened(file(whole(both), {six, six}), hints);
  REQUIRE(made);
  CHECK_FALSE(region(**made, "[0]").address);
  CHECK((*made)->remark() == base_of_several("storages"));
}

TEST_CASE("files that are refused say why") {
  const Error big = refusal(file(whole("N"), {six}, "big"));
  CHECK(big.code == ErrorCode::unsupported_container);
  CHECK(big.got == "big");
  const auto none = open_container(file_of(zip_of({stored("a", "b")})), "torch", {});
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("--container zip") != std::string::npos);
  const Error old =
      refusal(std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."));
  CHECK(old.code == ErrorCode::unsupported_container);
  CHECK(old.message.find("torch.save(torch.load(") != std::string::npos);
  for (const std::string& bare :
       {std::string("\x80\x02}q"), "\x80\x04\x95" + le(5, 8) + "\x8c\x01" + "a\x94."})
    CHECK(refusal(bare).code == ErrorCode::unsupported_container);
  // A slab whose first position is 640 is no pickle.
  CHECK((*opened(numbers({640, 641}, 4)))->name() == "raw");
  ContainerHints hints;
  hints.limits.max_header_bytes = 1000;
  CHECK(refusal(file(whole(text(std::string(1000, 'x'))), {}), hints).code ==
        ErrorCode::limit_exceeded);
}

TEST_CASE("tensors that are none say where they stand") {
  const std::string in = storage("0", ints, 6);
  const auto at = [](const std::string& what) { return "archive/data.pkl: a: " + what; };
  const auto in_dict = [](const std::string& value) { return dict(text("a") + value); };
  const auto rebuilt = [](const std::string& arguments) {
    return name("torch._utils", "_rebuild_tensor_v2") + tuple(arguments) + "R";
  };
  const std::string id_of_four = tuple(text("storage") + ints + text("0") + text("cpu")) + "Q";
  struct {
    std::string value;
    std::string message;
  } const cases[] = {
      {tensor(in, {0, {7}, {1}}), "the tensor reaches past its storage"},
      {tensor(in, {6, {1}, {1}}), "the tensor reaches past its storage"},
      {tensor(in, {0, {2, 3}, {4, 1}}), "the tensor reaches past its storage"},
      {tensor(in, {0, {0x7fffffff, 0x7fffffff, 0x7fffffff}, {0, 0, 0}}),
       "the tensor reaches past its storage"},
      {tensor(in, {0, {2}, {1, 1}}), "a tensor has not as many strides as dimensions"},
      {tensor(in, {0xffffffff, {2}, {1}}),
       "a tensor's offset, dimension or stride is no number of elements"},
      {tensor(in, {0, {0xffffffff}, {1}}),
       "a tensor's offset, dimension or stride is no number of elements"},
      {tensor(storage("1", ints, 6), {0, {1}, {1}}), "its storage is not in the file"},
      {tensor(storage("0", typed("int32"), 6), {0, {1}, {1}}),
       "a storage's id is not ('storage', class, key, device, count)"},
      {tensor(storage("0", "N", 6), {0, {1}, {1}}),
       "a storage's id is not ('storage', class, key, device, count)"},
      {tensor(id_of_four, {0, {1}, {1}}), "a storage's id is no tuple of five"},
      {tensor(text("0") + "Q", {0, {1}, {1}}), "a storage's id is no tuple of five"},
      {tensor("N", {0, {1}, {1}}), "a tensor without a storage"},
      {tensor_v3(in, {0, {1}, {1}}, "N"), "a tensor's type is none"},
      {tensor_v3(in, {0, {1}, {1}}, ints), "a tensor's type is none"},
      {tensor(storage("0", name("torch", "UntypedStorage"), 24), {0, {1}, {1}}),
       "a tensor of bytes that have no type"},
      {rebuilt(in), "a tensor has too few arguments"},
      {rebuilt(in + "NNN"), "a tensor's offset, dimension or stride is no number of elements"},
      {rebuilt(in + "K" + std::string(1, '\0') + "NN"), "a tensor's shape or strides are no tuple"},
      {name("torch._utils", "_rebuild_parameter") + ")R", "a parameter without a tensor"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.message);
    CHECK(refused(in_dict(each.value)) == at(each.message));
  }
  CHECK(
      refusal(file(whole(in_dict(tensor(storage("0", ints, 5), {0, {1}, {1}}))), {six})).message ==
      "a: its storage has another size");
  const auto long_name = [](const std::string& value) {
    return dict(text(std::string(90, 'n')) + value);
  };
  const std::string told = std::string(80, 'n') + "...: ";
  const std::string in_pickle = "archive/data.pkl: " + told;
  CHECK(refused(long_name(tensor(storage("1", ints, 6), {0, {1}, {1}}))) ==
        in_pickle + "its storage is not in the file");
  CHECK(refused(long_name(tensor(storage("0", ints, 5), {0, {1}, {1}}))) ==
        told + "its storage has another size");
  CHECK(refused(long_name(tensor(in, {6, {1}, {1}}))) ==
        in_pickle + "the tensor reaches past its storage");
  // One byte more than its elements have.
  CHECK(refused(in_dict(tensor(storage("0", ints, 3), {0, {1}, {1}})), {std::string(13, 'x')}) ==
        "a: its storage has another size");
  CHECK(refused(in_dict(tensor(storage("0", ints, 0), {0, {0}, {1}})), {std::string(3, 'x')}) ==
        "a: its storage has another size");
}

TEST_CASE("objects in themselves, and those that are short as a pickle alone, are refused") {
  const auto code = [](const std::string& pickle) { return refusal(file(pickle, {})).code; };
  // A list that holds itself; a dictionary likewise, through a tuple.
  CHECK(code(whole("]q\x01h\x01"
                   "a")) == ErrorCode::bad_container);
  CHECK(code(whole("}q\x01" + text("a") + "h\x01\x85s")) == ErrorCode::bad_container);
  // Lists of two that are the same one, a million ways through them.
  std::string doubled = "]q" + std::string(1, '\0');
  for (char depth = 1; depth < 60; ++depth)
    doubled += "](h" + std::string(1, static_cast<char>(depth - 1)) + "h" +
               std::string(1, static_cast<char>(depth - 1)) + "eq" + std::string(1, depth);
  CHECK(code(whole("(" + doubled + "t")) == ErrorCode::limit_exceeded);
  CHECK(code(whole(std::string(65, ']') + std::string(64, 'a'))) == ErrorCode::limit_exceeded);
  CHECK(opened(file(whole(std::string(64, ']') + std::string(63, 'a')), {})));
  CHECK(code("\x80\x02(" + std::string(max_pickle_values, 'N') + "t.") ==
        ErrorCode::limit_exceeded);
}

TEST_CASE("what no file needs runs into a limit") {
  const std::string one = tensor(storage("0", ints, 6), {0, {1}, {1}});
  ContainerHints few;
  few.limits.max_tensors = 3;
  CHECK(opened(file(whole(list(one + one + one)), {six}), few));
  CHECK(refusal(file(whole(list(one + one + one + one)), {six}), few).code ==
        ErrorCode::limit_exceeded);
  // A tensor that is listed again and again is one each time, with its shape.
  const std::string again = list(tensor(storage("0", ints, 6), {0, {2, 3}, {3, 1}}) +
                                 std::string("q\x01") + "h\x01" + "h\x01");
  few.limits.max_dimensions = 6;
  CHECK(opened(file(whole(again), {six}), few));
  few.limits.max_dimensions = 5;
  CHECK(refusal(file(whole(again), {six}), few).message ==
        "archive/data.pkl: [2]: the shapes of the file's tensors, arrays and fields are too long");
  few.limits.max_name_bytes = 8;
  CHECK(refusal(file(whole(again), {six}), few)
            .message.ends_with("the names of the file's tensors, arrays and fields are too long"));
  ContainerHints small;
  small.limits.max_inflate = 100;
  const std::string wide = tensor(storage("0", ints, 6), {0, {26}, {0}});
  CHECK(refusal(file(whole(wide), {six}), small).code == ErrorCode::limit_exceeded);
  CHECK(opened(file(whole(tensor(storage("0", ints, 6), {0, {25}, {0}})), {six}), small));
  std::string ones;
  for (int count = 0; count < 65; ++count) ones += "K\x01";
  const std::string deep = name("torch._utils", "_rebuild_tensor_v2") +
                           tuple(storage("0", ints, 6) + integer(0) + tuple(ones) + tuple(ones)) +
                           "R";
  CHECK(refusal(file(whole(deep), {six})).code == ErrorCode::limit_exceeded);
}

TEST_CASE("a file that is cut or has a flipped bit is refused, or its regions are read") {
  const std::string good = file(
      whole(dict(text("a") + tensor(storage("0", ints, 6), {1, {2, 2}, {1, 2}}))), {six}, "little");
  for (std::size_t length = 40; length < good.size(); ++length)
    CHECK_FALSE(opened(good.substr(0, length)));
  const std::size_t storage_begin = good.find(six);
  REQUIRE(storage_begin != std::string::npos);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    auto made = opened(flipped);
    const bool is_in_storage = bit / 8 - storage_begin < six.size();
    if (!made) {
      CHECK_FALSE(is_in_storage);
      continue;
    }
    for (std::size_t index = 0; index < (*made)->regions().size(); ++index) {
      auto bytes = (*made)->open(index);
      if (!bytes) continue;
      const auto read = read_all(**bytes);
      CHECK_FALSE((is_in_storage && read));  // both regions are of this storage
      if (read)
        CHECK(read->size() == (*made)->regions()[index].bytes);
      else
        CHECK(read.error().message.ends_with(": the bytes have another checksum"));
    }
  }
}
