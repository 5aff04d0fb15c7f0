// Core dumps by sections (CUDA) and by segments (AMD, processes), and numbers that are not to be
// believed.
#include "../support/elf_bytes.h"

#include <slabscope/dump/address_space.h>

#include <doctest/doctest.h>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

constexpr unsigned cuda = 190;
constexpr unsigned amd = 224;
constexpr std::uint64_t managed = 0x80000001;
constexpr std::uint64_t global = 0x80000002;
constexpr std::uint64_t shared = 0x80000004;
constexpr std::uint64_t devices = 0x80000009;
constexpr std::uint64_t contexts = 0x8000000a;
constexpr std::uint64_t param = 0x80000012;
constexpr std::uint64_t meta = 0x80000016;

std::unique_ptr<Container> made(const std::string& bytes) {
  auto container = opened(bytes);
  REQUIRE_MESSAGE(container, (container ? "" : container.error().message));
  return *std::move(container);
}

std::string fact(const Container& container, std::string_view name) {
  for (const ContainerFact& each : container.facts())
    if (each.name == name) return each.value;
  return "none";
}

std::string refused(const std::string& bytes, const ContainerHints& hints = {}) {
  auto container = opened(bytes, hints);
  if (container) return "none";
  return std::string(info(container.error().code).name) + ": " + container.error().message;
}

std::string with(std::string bytes, std::size_t at, const std::string& other) {
  return bytes.replace(at, other.size(), other);
}

std::string meta_row(std::uint64_t flags) {
  return le(1, 8) + le(565, 4) + le(7, 4) + le(12, 4) + le(8, 4) + le(flags, 4) + le(99, 4);
}

}  // namespace

TEST_CASE("a section that claims 2^64 - 1 bytes is cut, as one is that claims fewer") {
  const std::string whole = elf_of_sections(cuda, {{"a", global, 0x2000, "near"}});
  const std::size_t claim = whole.size() - 2 * 64 + 32;  // of three rows the second
  for (const std::uint64_t claimed : {~std::uint64_t{0}, ~std::uint64_t{0} - 1}) {
    const std::string text = with(whole, claim, le(claimed, 8));
    const std::shared_ptr<Container> core = made(text);
    REQUIRE(core->regions().size() == 1);
    // 2^64 - 1 means that a size is not known.
    CHECK(core->regions()[0].bytes == 18446744073709551614U);
    CHECK(core->regions()[0].missing == 18446744073709551614U - (text.size() - 64));
    const AddressSpace space(core);
    const auto first = space.find(0x2000);
    REQUIRE(first);
    CHECK(first->region == 0);
    CHECK(first->offset == 0);
    CHECK(space.run(0)->end() == 0x2000 + text.size() - 64);
    CHECK_FALSE(space.find(0x2000 + text.size() - 64));
  }
}

TEST_CASE(
    "memory of a CUDA core is what its type says, whatever its name, in the order of the file") {
  for (const bool extended : {false, true}) {
    CAPTURE(extended);
    const auto core = made(elf_of_sections(cuda,
                                           {{".cudbg.global.9", global, 0x2000, "far"},
                                            {"odd", managed, 0x1000, "near"},
                                            {".cudbg.global.fake", 1, 0x5000, "no"},
                                            {".cudbg.shared", shared, 0x10, "block"},
                                            {".cudbg.param", param, 0, "pointers"}},
                                           extended));
    CHECK(core->name() == "cuda-core");
    REQUIRE(core->regions().size() == 4);
    CHECK(core->regions()[0].name == ".cudbg.global.9");
    CHECK(core->regions()[0].address == 0x2000);
    CHECK(core->regions()[0].file_offset == 64);
    CHECK(core->regions()[1].kind == "managed");
    CHECK(core->regions()[1].address == 0x1000);
    CHECK_FALSE(core->regions()[2].address);  // of a block, not of the device
    CHECK_FALSE(core->regions()[3].address);
    CHECK(bytes_of(*core, "odd") == "near");
    CHECK(bytes_of(*core, ".cudbg.param") == "pointers");
    CHECK(core->remark().empty());
  }
}

TEST_CASE("what a driver says of its dump") {
  const std::string texts("\0gen\0dev\0sm_90\0", 15);
  const std::string device = le(5, 8) + le(0, 8) + le(9, 8) + le(3, 4) + le(1, 4) + le(0, 4) +
                             le(132, 4) + std::string(32, '\0');
  const std::string context = le(0xabc, 8) + le(0x7000000, 8) + le(0, 8) + le(0, 8) + le(0, 8);
  const auto core = made(elf_of_sections(
      cuda, {{".strtab", 3, 0, texts},
             {"m", meta, 0, meta_row(0x82), 32},
             {"d", devices, 0, device + std::string(20, 'x') + device + std::string(20, 'x'), 92},
             {"c", contexts, 0, context, 40}}));
  CHECK(fact(*core, "generator") == "gen");
  CHECK(fact(*core, "driver") == "565.7");
  CHECK(fact(*core, "cuda") == "12.8");
  CHECK(fact(*core, "flags") == "0x82 (skip_global_memory, faulted_contexts_only)");
  CHECK(fact(*core, "unix time") == "99");
  CHECK(fact(*core, "device 3") == "dev, sm_90, 132 SMs");
  CHECK(fact(*core, "shared window of context 0xabc") == "from 0x7000000");
  CHECK(fact(*core, "local window of context 0xabc") == "none");
  CHECK(core->remark().find("skip_global_memory (flags 0x82)") != std::string::npos);
  CHECK(core->explain(0x7000000).find("window of shared memory") != std::string::npos);
  CHECK(core->explain(0x7ffffff).find("window of shared memory") != std::string::npos);
  CHECK(core->explain(0x8000000).find("window") == std::string::npos);
  CHECK(core->explain(0x6ffffff).find("window") == std::string::npos);
}

TEST_CASE("tables whose rows are too short, or of no length, say nothing") {
  for (const std::uint64_t row_bytes : {0U, 31U, 32U}) {
    const auto core = made(elf_of_sections(cuda, {{"m", meta, 0, meta_row(0), row_bytes}}));
    CHECK(fact(*core, "driver") == (row_bytes == 32 ? "565.7" : "none"));
    CHECK(core->remark() == "there is no global memory in this dump: it has no sections of it");
  }
  // A table that the file ends before is damage.
  ElfPart cut{"m", meta, 0, "", 32};
  cut.claimed = 1 << 20;
  const std::string core = elf_of_sections(cuda, {cut});
  CHECK(refused(with(core, core.size() - 2 * 64 + 24, le(core.size() - 8, 8))) ==
        "bad_container: the file ends inside a table of the core dump");
}

TEST_CASE("of tables, and of their rows, as many are told of as a machine has") {
  std::string rows;
  for (std::uint64_t device = 0; device < 65; ++device)
    rows += std::string(24, '\0') + le(device, 4) + std::string(44, '\0');
  const auto many_rows = made(elf_of_sections(cuda, {{"d", devices, 0, rows, 72}}));
  CHECK(many_rows->facts().size() == 64);
  CHECK(fact(*many_rows, "device 63") == ", , 0 SMs");
  CHECK(fact(*many_rows, "device 64") == "none");
  std::vector<ElfPart> tables;
  for (std::uint64_t table = 0; table < 65; ++table) {
    tables.push_back({"d", devices, 0, rows.substr(72 * table, 72), 72});
    tables.push_back({"c", contexts, 0, le(table, 8) + le(0x1000, 8) + std::string(16, '\0'), 32});
  }
  const auto many_tables = made(elf_of_sections(cuda, tables));
  CHECK(many_tables->facts().size() == 2 * 64);
  CHECK(fact(*many_tables, "device 64") == "none");
  CHECK(fact(*many_tables, "shared window of context 0x3f") == "from 0x1000");
  CHECK(fact(*many_tables, "shared window of context 0x40") == "none");
}

TEST_CASE("a section that claims more than the file holds is there as far as it is") {
  ElfPart large{"large", global, 0x1000, "bytes"};
  large.claimed = ~0ULL - 1;
  const std::string file = elf_of_sections(cuda, {large});
  const auto core = made(file);
  const Region& region = core->regions()[0];
  CHECK(region.bytes == ~0ULL - 1);
  CHECK(region.missing == region.bytes - (file.size() - 64));
  CHECK(bytes_of(*core, "large") == file.substr(64));
  // And one that begins behind it is empty.
  const std::string behind = with(file, file.size() - 2 * 64 + 24, le(~0ULL - 4, 8));
  CHECK(bytes_of(*made(behind), "large").empty());
}

TEST_CASE("names that are not there are numbers") {
  const std::string file = elf_of_sections(cuda, {{"x", global, 0, "bytes"}});
  const std::size_t row = file.size() - 2 * 64;
  CHECK(made(with(file, row, le(0xffffffff, 4)))->regions()[0].name == "section 1");
  CHECK(made(with(file, row, le(0, 4)))->regions()[0].name == "section 1");
  CHECK(made(with(file, 62, le(77, 2)))->regions()[0].name == "section 1");
}

TEST_CASE("tables that cannot be are refused before memory is taken") {
  const std::string file = elf_of_sections(cuda, {{"x", global, 0, "bytes"}}, true);
  const std::size_t table = file.size() - 3 * 64;
  struct {
    const char* what;
    std::string bytes;
    std::string message;
  } const cases[] = {
      {"2^32 sections", with(file, table + 32, le(1ULL << 32, 8)),
       "bad_container: truncated: the section table of 4294967296 rows is not in the file as a "
       "whole; was the disk full?"},
      {"2^63 sections", with(file, table + 32, le(1ULL << 63, 8)),
       "bad_container: truncated: the section table of 9223372036854775808 rows is not in the file "
       "as a whole; was the disk full?"},
      {"a table far behind the end", with(file, 40, le(~0ULL, 8)),
       "bad_container: truncated: the section table of 1 row is not in the file as a whole; was "
       "the "
       "disk full?"},
      {"a table at its very end", with(file, 40, le(file.size(), 8)),
       "bad_container: truncated: the section table of 1 row is not in the file as a whole; was "
       "the "
       "disk full?"},
      {"rows of 63 bytes", with(file, 58, le(63, 2)),
       "bad_container: the rows of the section table are too short"},
      {"32 bits", with(file, 4, "\1"),
       "unsupported_container: an ELF file of 32 bits or of another byte order is no dump of a "
       "GPU"},
      {"big-endian", with(file, 5, "\2"),
       "unsupported_container: an ELF file of 32 bits or of another byte order is no dump of a "
       "GPU"},
      {"a header that is cut", file.substr(0, 63),
       "bad_container: the file ends inside the ELF header"},
      {"a cubin", with(file, 16, le(2, 2)),
       "unsupported_container: this is a CUDA program (a cubin), and no core dump"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.what);
    CHECK(refused(each.bytes) == each.message);
  }
  ContainerHints few;  // the first section, one of memory, and that of the names
  few.limits.max_regions = 2;
  CHECK(refused(file, few) == "limit_exceeded: the section table is too long");
  few.limits.max_regions = 3;
  CHECK(refused(file, few) == "none");
}

TEST_CASE("segments with bytes are the regions of other cores") {
  const auto core = made(elf_of_segments(amd, {{"", 4, 0, "a note"},
                                               {"", 1, 0x7f32a0000000, "first"},
                                               {"", 1, 0x7f32b0000000, ""},
                                               {"", 0, 0, ""},
                                               {"", 1, 0x7f32c0000000, "second"}}));
  CHECK(core->name() == "elf-core");
  REQUIRE(core->regions().size() == 2);
  CHECK(core->regions()[0].name == "load 1");
  CHECK(core->regions()[0].address == 0x7f32a0000000);
  CHECK(bytes_of(*core, "load 1") == "first");
  CHECK(bytes_of(*core, "load 4") == "second");
  CHECK(fact(*core, "machine") == "AMD GPU");
  CHECK(fact(*core, "segments whose bytes were not dumped") == "1");
}

TEST_CASE("memory of a segment that was not dumped is told as that") {
  const auto memory = [](std::string file, unsigned row, std::uint64_t bytes) {
    return with(std::move(file), 64 + 56 * row + 40, le(bytes, 8));
  };
  std::string file = elf_of_segments(amd, {{"", 1, 0x10000, "first"},
                                           {"", 1, 0x20000, ""},
                                           {"", 1, ~0ULL - 15, ""},
                                           {"", 4, 0x40000, "a note"}});
  file = memory(memory(memory(memory(file, 0, 0x100), 1, 0x10000), 2, ~0ULL), 3, 0x1000);
  const auto core = made(file);
  struct {
    std::uint64_t address;
    std::string_view said;
  } const cases[] = {
      {0x20000, "it is in segment 1 [0x20000,0x30000), of which no byte was dumped"},
      {0x2ffff, "it is in segment 1 [0x20000,0x30000), of which no byte was dumped"},
      {0x30000, ""},
      {0x1ffff, ""},
      {0x10004, ""},
      {0x10005, "it is in segment 0 [0x10000,0x10100), of which these bytes were not dumped"},
      {0x10100, ""},
      {~0ULL,
       "it is in segment 2 [0xfffffffffffffff0,0xffffffffffffffff), of which no byte was dumped"},
      {0x40800, ""}};
  for (const auto& each : cases) {
    CAPTURE(each.address);
    CHECK(core->explain(each.address) == each.said);
  }
  const AddressSpace space{std::shared_ptr<Container>(made(file))};
  const auto found = space.find(0x20100);
  REQUIRE_FALSE(found);
  CHECK(found.error().message ==
        "0x20100 is 65787 bytes past the end of region 'load 0' [0x10000,0x10005); it is in "
        "segment 1 [0x20000,0x30000), of which no byte was dumped");
}

TEST_CASE("more segments than the header can count are in the first section") {
  std::string file = elf_of_segments(amd, {{"", 1, 0x1000, "bytes"}});
  const std::uint64_t sections = file.size();
  file += std::string(44, '\0') + le(1, 4) + std::string(16, '\0');
  file = with(with(with(file, 40, le(sections, 8)), 56, le(0xffff, 2)), 60, le(1, 2));
  CHECK(bytes_of(*made(file), "load 0") == "bytes");
}

TEST_CASE("ELF files that hold no memory are refused") {
  const std::string none = elf_of_segments(62, {{"", 4, 0, "a note"}});
  CHECK(refused(none) ==
        "unsupported_container: an ELF file of machine x86-64 without loaded segments holds no "
        "memory, and it is no CUDA core, which is of machine 190");
  CHECK(refused(with(none, 16, le(3, 2))) ==
        "unsupported_container: this ELF file is no core dump");
  CHECK(refused(with(none, 54, le(55, 2))) ==
        "bad_container: the rows of the program headers are too short");
  CHECK(
      refused(with(none, 56, le(9, 2))) ==
      "bad_container: truncated: the program headers of 9 rows is not in the file as a whole; was "
      "the disk full?");
}
