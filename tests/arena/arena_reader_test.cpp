// Arena documents: what is read, and every mistake with its code, line, column and pointer.
#include <slabscope/arena/arena_reader.h>

#include "../support/marked_text.h"
#include "../support/paced_source.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace slabscope {
namespace {

Result<Arena> read_text(std::string_view text) {
  MemorySource source(text);
  return read_arena(source, "arena.json");
}

TEST_CASE("all members of a slab, in any order, and slabs by offset") {
  const Result<Arena> read = read_text(R"({"slabs": [
    {"phase": "b", "region_bytes": "0x40", "offset": 64, "name": "late", "live_rows": "2",
     "params": {"entries": "0x3", "block_size": 16}, "layout": "mtp"},
    {"name": "early", "offset": "0", "layout":
      {"name": "own", "fields": [{"name": "a", "type": "u8", "shape": []}]}},
    {"name": "same", "offset": 64, "layout": "mtp_batch"}],
   "bytes": 18446744073709551615, "arena": "all"})");
  INFO("error: ", tests::shown_error(read));
  REQUIRE(read.has_value());
  CHECK(read->name == "all");
  CHECK(read->bytes == ~std::uint64_t{0});
  REQUIRE(read->slabs.size() == 3);
  CHECK(read->slabs[0].name == "early");
  CHECK(read->slabs[0].layout->name == "own");
  CHECK(read->slabs[0].params.empty());
  CHECK(read->slabs[0].phase.empty());
  CHECK_FALSE(read->slabs[0].region_bytes.has_value());
  CHECK(read->slabs[1].name == "late");
  CHECK(read->slabs[1].layout->name == "mtp");
  CHECK(read->slabs[1].offset == 64);
  CHECK(read->slabs[1].region_bytes == 64);
  CHECK(read->slabs[1].phase == "b");
  CHECK(read->slabs[1].live_rows == 2);
  REQUIRE(read->slabs[1].params.size() == 2);
  CHECK(read->slabs[1].params[0].name == "entries");
  CHECK(read->slabs[1].params[0].value == 3);
  CHECK(read->slabs[1].params[1].value == 16);
  CHECK(read->slabs[1].params[1].origin.pointer == "/slabs/0/params/block_size");
  CHECK(read->slabs[2].name == "same");
}

TEST_CASE("an arena without slabs") {
  const Result<Arena> read = read_text(R"({"arena": "none", "slabs": []})");
  REQUIRE(read.has_value());
  CHECK(read->slabs.empty());
  CHECK_FALSE(read->bytes.has_value());
}

TEST_CASE("a document of 16 MiB is read, and no longer one") {
  std::string text = R"({"arena": "none", "slabs": []})";
  text.resize(std::size_t{16} << 20, ' ');
  CHECK(read_text(text).has_value());
  const Result<Arena> refused = read_text(text + ' ');
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::limit_exceeded);
  CHECK(refused.error().allowed == "at most 16777216 bytes");
}

TEST_CASE("the built-in arenas") {
  CHECK(builtin_arena_names() == std::vector<std::string_view>{"scratch"});
  for (const std::string_view name : builtin_arena_names()) {
    const Result<Arena> read = builtin_arena(name);
    REQUIRE(read.has_value());
    CHECK(read->name == name);
  }
  const Result<Arena> none = builtin_arena("stack");
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().code == ErrorCode::unknown_arena);
}

// A document with one slab of these members.
std::string one_slab(std::string_view members) {
  return R"({"arena": "a", "slabs": [{"name": "s", "layout": "mtp", "offset": 0)" +
         std::string(members) + "}]}";
}

struct Mistake {
  std::string_view code;
  std::string_view pointer;
  std::string marked;  // '@' stands before the offending byte
};

TEST_CASE("mistakes") {
  const std::string many_slabs = [] {
    std::string text = R"({"arena": "a", "slabs": [)";
    for (std::size_t index = 0; index <= max_arena_slabs; ++index)
      text += std::string(index == 0 ? "" : ",") + (index == max_arena_slabs ? "@" : "") +
              R"({"name": "s)" + std::to_string(index) + R"(", "layout": "mtp", "offset": 0})";
    return text + "]}";
  }();
  const std::string many_params = [] {
    std::string params;
    const std::size_t most = max_params + std::size(well_known_params);
    for (std::size_t index = 0; index <= most; ++index)
      params += std::string(index == 0 ? "" : ", ") + (index == most ? "@" : "") + "\"p" +
                std::to_string(index) + "\": 1";
    return one_slab(", \"params\": {" + params + "}");
  }();
  const Mistake mistakes[] = {
      {"limit_exceeded", "/slabs/0/params/p71", many_params},
      {"syntax", "", "@"},
      {"wrong_type", "", "@[]"},
      {"missing_key", "", R"( @{"slabs": []})"},
      {"missing_key", "", R"( @{"arena": "a"})"},
      {"unknown_key", "/phase", R"({"arena": "a", @"phase": "p", "slabs": []})"},
      {"duplicate_key", "/arena", R"({"arena": "a", @"arena": "a", "slabs": []})"},
      {"bad_arena", "/arena", R"({"arena": @"a b", "slabs": []})"},
      {"wrong_type", "/arena", R"({"arena": @7, "slabs": []})"},
      {"wrong_type", "/bytes", R"({"arena": "a", "bytes": @1.5, "slabs": []})"},
      {"out_of_range", "/bytes", R"({"arena": "a", "bytes": @-1, "slabs": []})"},
      {"out_of_range", "/bytes", R"({"arena": "a", "bytes": @18446744073709551616, "slabs": []})"},
      {"wrong_type", "/slabs", R"({"arena": "a", "slabs": @{}})"},
      {"wrong_type", "/slabs/0", R"({"arena": "a", "slabs": [@"mtp"]})"},
      {"syntax", "", "{\"arena\": \"a\", \"slabs\": []}\n@x"},
      {"limit_exceeded", "/slabs/256", many_slabs},
      {"missing_key", "/slabs/0", R"({"arena": "a", "slabs": [@{"layout": "mtp", "offset": 0}]})"},
      {"missing_key", "/slabs/0", R"({"arena": "a", "slabs": [@{"name": "s", "offset": 0}]})"},
      {"missing_key", "/slabs/0", R"({"arena": "a", "slabs": [@{"name": "s", "layout": "mtp"}]})"},
      {"unknown_key", "/slabs/0/size", one_slab(R"(, @"size": 4)")},
      {"duplicate_key", "/slabs/0/offset", one_slab(R"(, @"offset": 4)")},
      {"wrong_type", "/slabs/0/live_rows", one_slab(R"(, "live_rows": @null)")},
      {"bad_arena", "/slabs/0/phase", one_slab(R"(, "phase": @"")")},
      {"wrong_type", "/slabs/0/params", one_slab(R"(, "params": @[])")},
      {"wrong_type", "/slabs/0/params/entries", one_slab(R"(, "params": {"entries": @"many"})")},
      {"out_of_range", "/slabs/0/params/entries", one_slab(R"(, "params": {"entries": @-1})")},
      {"duplicate_key", "/slabs/0/params/n", one_slab(R"(, "params": {"n": 1, @"n": 1})")},
      {"duplicate_name", "/slabs/1/name",
       R"({"arena": "a", "slabs": [{"name": "s", "layout": "mtp", "offset": 0},
          {"name": @"s", "layout": "mtp", "offset": 0}]})"},
      {"unknown_layout", "/slabs/0/layout",
       R"({"arena": "a", "slabs": [{"name": "s", "layout": @"own.json", "offset": 0}]})"},
      {"wrong_type", "/slabs/0/layout",
       R"({"arena": "a", "slabs": [{"name": "s", "layout": @7, "offset": 0}]})"},
      {"unknown_name", "/slabs/0/layout/fields/0/shape/0",
       R"({"arena": "a", "slabs": [{"name": "s", "offset": 0, "layout": {"name": "own",
          "fields": [{"name": "a", "type": "u8", "shape": ["@rows"]}]}}]})"},
  };
  for (const Mistake& each : mistakes) {
    const tests::MarkedText marked(each.marked);
    CAPTURE(marked.text);
    const Result<Arena> read = read_text(marked.text);
    CHECK(tests::shown_error(read) ==
          std::string(each.code) + " " + marked.place + " " + std::string(each.pointer));
    if (!read) CHECK(read.error().file == "arena.json");
    // The same when the bytes come one at a time.
    tests::PacedSource slow(marked.text, 1);
    CHECK(tests::shown_error(read_arena(slow, "arena.json")) == tests::shown_error(read));
  }
}

}  // namespace
}  // namespace slabscope
