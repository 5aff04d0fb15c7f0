// Columns that were dumped separately make the slab that pack makes, or say which of them does not
// fit.
#include <slabscope/dump/assemble.h>
#include <slabscope/layout/catalog.h>

#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace slabscope;

namespace {

template <class T>
DumpedColumn column(std::string field, std::string type, ElementType element,
                    std::vector<std::uint64_t> shape, const std::vector<T>& values) {
  Buffer bytes;
  bytes.append(std::as_bytes(std::span(values)));
  return {field, std::make_shared<HeldAccess>(std::move(bytes)),
          RegionType{std::move(type), element, sizeof(T)}, std::move(shape), "step.npz:" + field};
}

// torch has no u32: it saves i32.
std::vector<DumpedColumn> columns() {
  return {column<std::int32_t>("position", "torch.int32", ElementType::i32, {2}, {7, 9}),
          column<std::int64_t>("slot", "<i8", ElementType::i64, {2}, {100, 2000}),
          column<std::int32_t>("seq_len", "<i4", ElementType::i32, {2}, {8, 10}),
          column<std::uint32_t>("block_table", "<u4", ElementType::u32, {2, 2}, {3, 0, 4, 5})};
}

Result<Buffer> assembled(std::vector<DumpedColumn> given, bool reinterpret = false) {
  const auto description = builtin_layout("mtp_batch");
  REQUIRE(description);
  SLABSCOPE_TRY_ASSIGN(params, params_of_columns(**description, given));
  if (find(params, "max_blocks") == nullptr) params.push_back({"max_blocks", 2, {}});
  SLABSCOPE_TRY_ASSIGN(layout, resolve(*description, params, {}));
  return assemble_slab(layout, std::move(given), default_max_slab_bytes, reinterpret);
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte each : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(each) >> 4U];
    text += "0123456789abcdef"[std::to_integer<unsigned>(each) & 15U];
  }
  return text;
}

constexpr std::string_view slab =
    "07000000090000006400000000000000d0070000000000000800"
    "00000a00000003000000000000000400000005000000";

// Bytes that are read only when those of another column are gone.
class ReadAfter final : public RandomAccess {
 public:
  ReadAfter(std::shared_ptr<RandomAccess> bytes, std::weak_ptr<RandomAccess> before)
      : bytes_(std::move(bytes)), before_(std::move(before)) {}
  std::uint64_t size() const override { return bytes_->size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    CHECK(before_.expired());
    return bytes_->read_at(offset, into);
  }

 private:
  std::shared_ptr<RandomAccess> bytes_;
  std::weak_ptr<RandomAccess> before_;
};

TEST_CASE("what one column holds is let go before the next one is read") {
  std::vector<DumpedColumn> given = columns();
  for (std::size_t index = 1; index < given.size(); ++index)
    given[index].bytes =
        std::make_shared<ReadAfter>(std::move(given[index].bytes), given[index - 1].bytes);
  CHECK(hex(assembled(std::move(given))->bytes()) == slab);
}

TEST_CASE("columns make a slab, and their shapes its parameters") {
  const auto made = assembled(columns());
  if (!made) FAIL(to_line(made.error(), ""));
  CHECK(hex(made->bytes()) == slab);
  auto reversed = columns();
  std::reverse(reversed.begin(), reversed.end());
  CHECK(hex(assembled(reversed)->bytes()) == slab);
}

TEST_CASE("bytes of no type, or views of bytes, are taken by their number") {
  auto given = columns();
  given[3].type.reset();
  given[3].shape.clear();
  given[1].type = RegionType{"|u1", ElementType::u8, 1};
  given[1].shape = {16};
  const auto made = assembled(given);
  REQUIRE(made);
  CHECK(hex(made->bytes()) == slab);
}

TEST_CASE("columns that do not fit are named") {
  struct {
    std::string_view name;
    void (*change)(std::vector<DumpedColumn>&);
    ErrorCode code;
    std::string_view words;
  } const cases[] = {
      {"a field is not there", [](auto& given) { given.pop_back(); }, ErrorCode::missing_key,
       "'block_table'"},
      {"no such field", [](auto& given) { given[0].field = "pos"; }, ErrorCode::unknown_name,
       "seq_len"},
      {"twice", [](auto& given) { given[0].field = "seq_len"; }, ErrorCode::duplicate_name,
       "twice"},
      {"other rows", [](auto& given) { given[1].shape = {3}; }, ErrorCode::type_mismatch,
       "got 3, allowed 2"},
      {"flat", [](auto& given) { given[3].shape = {4}; }, ErrorCode::type_mismatch,
       "got [4], allowed [2, 2]"},
      {"another width",
       [](auto& given) {
         given[1].type = RegionType{"<i4", ElementType::i32, 4};
       },
       ErrorCode::type_mismatch, "got <i4, allowed i64"},
      {"numbers with a fraction",
       [](auto& given) {
         given[2].type = RegionType{"<f4", {}, 4};
       },
       ErrorCode::type_mismatch, "got <f4, allowed i32"},
      {"fewer bytes than its shape says",
       [](auto& given) { given[0].bytes = std::make_shared<HeldAccess>(Buffer(4)); },
       ErrorCode::short_dump, "got 4 B, allowed 8 B"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.name);
    auto given = columns();
    each.change(given);
    const auto made = assembled(given);
    REQUIRE_FALSE(made);
    const std::string line = to_line(made.error(), "slabscope");
    CAPTURE(line);
    CHECK(made.error().code == each.code);
    CHECK(line.find(each.words) != std::string::npos);
  }
}

TEST_CASE("reinterpreted, only the number of bytes counts") {
  auto given = columns();
  given[2].type = RegionType{"<f4", {}, 4};
  given[3].shape = {4};
  const auto made = assembled(given, true);
  REQUIRE(made);
  CHECK(hex(made->bytes()) == slab);
}

TEST_CASE("a slab beyond the limit is refused before anything is read") {
  const auto description = builtin_layout("mtp_batch");
  const auto given = columns();
  const auto params = params_of_columns(**description, given);
  const auto layout = resolve(*description, *params, {});
  REQUIRE(layout);
  CHECK(assemble_slab(*layout, given, 47, false).error().code == ErrorCode::slab_limit);
}

}  // namespace
