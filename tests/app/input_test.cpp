// What commands read is opened once, and as what the options say.
#include <app/input.h>

#include <app/arena_slabs.h>

#include <fuzz/support/memory_host.h>

#include <doctest/doctest.h>

#include <string>

using namespace slabscope;
using app::RowsDocuments;

namespace {

// One row of mtp_batch.
std::string described() {
  const std::string header = R"({"__metadata__":{"slabscope.layout":"mtp_batch",)"
                             R"("slabscope.param.rows":"1","slabscope.param.max_blocks":"1"},)"
                             R"("memory":{"dtype":"U8","shape":[36],"data_offsets":[0,36]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size() % 256);
  bytes[1] = static_cast<char>(header.size() / 256);
  return bytes + header + std::string(36, '\x01');
}

app::DumpOptions options_for(const std::string& dump) {
  app::DumpOptions options;
  options.dump = dump;
  return options;
}

}  // namespace

TEST_CASE("a dump that describes itself is opened once") {
  for (const std::string path : {"dump", "-"}) {
    CAPTURE(path);
    fuzz::MemoryHost host({{path, described()}}, 64);
    app::DumpOptions options = options_for(path);
    auto input = app::open_input(options, RowsDocuments::yes, host);
    REQUIRE(input);
    CHECK_FALSE(input->is_document);
    CHECK(options.layout == "mtp_batch");
    const Container* const container = input->dump.container.get();
    REQUIRE(container != nullptr);
    fuzz::MemoryHost nothing({}, 64);  // to be opened again
    auto opened = app::open_dump(options, nothing, std::move(input->dump));
    REQUIRE(opened);
    CHECK(opened->container.get() == container);
    const auto slabs = app::open_slabs(options, nothing, *std::move(opened));
    REQUIRE(slabs);
    CHECK((*slabs)->next());
  }
}

TEST_CASE("a document is one, unless the options say what the file is") {
  const std::string document = R"({"layout": "mtp_batch", "rows": []})";
  fuzz::MemoryHost host({{"rows", document}}, 64);
  app::DumpOptions options = options_for("rows");
  auto input = app::open_input(options, RowsDocuments::yes, host);
  REQUIRE(input);
  CHECK(input->is_document);
  std::string text(document.size() + 1, '\0');
  const auto count = read_fully(*input->documents(), std::as_writable_bytes(std::span(text)));
  REQUIRE(count);
  CHECK(text.substr(0, *count) == document);
  options.container = "raw";
  const auto raw = app::open_input(options, RowsDocuments::yes, host);
  REQUIRE(raw);
  CHECK_FALSE(raw->is_document);
  options.container.reset();
  const auto bytes = app::open_input(options, RowsDocuments::no, host);
  REQUIRE_FALSE(bytes);  // a text, as decode has it
  CHECK(bytes.error().code == ErrorCode::unsupported_container);
}
