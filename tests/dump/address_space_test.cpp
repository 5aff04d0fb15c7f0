// Which region holds an address, and bytes across regions that abut or lie over each other.
#include <slabscope/dump/address_space.h>

#include "../support/dump_bytes.h"
#include "../support/pseudo_random.h"

#include <map>

using namespace slabscope;
using namespace slabscope::tests;

namespace {

struct Part {
  std::uint64_t address;
  std::string bytes;
  std::uint64_t missing = 0;
};

class Parts final : public Container {
 public:
  explicit Parts(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (const Part& each : parts_) {
      Region made;
      made.name = std::string(1, static_cast<char>('a' + regions_.size() % 26));
      made.address = each.address;
      made.bytes = each.bytes.size() + each.missing;
      made.missing = each.missing;
      regions_.push_back(made);
    }
  }
  std::string_view name() const noexcept override { return "parts"; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    return std::make_shared<OwnedAccess>(parts_[region].bytes, 3);
  }

 private:
  std::vector<Part> parts_;
  std::vector<Region> regions_;
};

AddressSpace space(std::vector<Part> parts) {
  return AddressSpace(std::make_shared<Parts>(std::move(parts)));
}

std::string outside(const AddressSpace& addresses, std::uint64_t address,
                    std::optional<std::size_t> only = std::nullopt) {
  const auto found = addresses.find(address, only);
  if (found) return "found";
  CHECK(found.error().code == ErrorCode::address_outside);
  return found.error().message;
}

std::string text_of(AddressRun& run) {
  const auto read = read_all(run, 7);
  return read ? *read : std::string(info(read.error().code).name) + ": " + read.error().message;
}

}  // namespace

TEST_CASE("an address is found in its region, in none, or near one") {
  const auto addresses = space({{0x2000, "0123456789abcdef"}, {0x1000, "xy"}, {0x3000, "cut", 13}});
  const auto inside = addresses.find(0x200f);
  REQUIRE(inside);
  CHECK(inside->region == 0);
  CHECK(inside->offset == 15);
  CHECK(addresses.find(0x1001)->region == 1);
  CHECK(outside(addresses, 0x0fff) == "0xfff is 1 byte before region 'b' [0x1000,0x1002)");
  CHECK(outside(addresses, 0x1002) == "0x1002 is just past the end of region 'b' [0x1000,0x1002)");
  CHECK(outside(addresses, 0x1003) ==
        "0x1003 is 1 byte past the end of region 'b' [0x1000,0x1002)");
  CHECK(outside(addresses, 0x1900) == "0x1900 is 1792 bytes before region 'a' [0x2000,0x2010)");
  CHECK(outside(addresses, 0x3003) ==
        "0x3003 is in region 'c' [0x3000,0x3010), of which the file has the bytes up to 0x3003");
  CHECK(outside(addresses, 0x1000, 0) == "0x1000 is 4096 bytes before region 'a' [0x2000,0x2010)");
  CHECK(outside(addresses, ~0ULL).find("past the end of region 'c'") != std::string::npos);
}

TEST_CASE("where the dump says no address, one can be given") {
  auto container = opened("\x01\x02\x03\x04");
  REQUIRE(container);
  const std::shared_ptr<Container> raw = *std::move(container);
  CHECK(outside(AddressSpace(raw), 5) == "0x5 cannot be found: the dump says no addresses");
  const AddressSpace based(raw, RegionBase{0, 4});
  CHECK(based.find(5)->offset == 1);
  CHECK(outside(based, 8) == "0x8 is just past the end of the dump [0x4,0x8)");
}

// Bytes whose number nothing says before the last of them has been read.
class Unmeasured final : public RandomAccess {
 public:
  explicit Unmeasured(std::string bytes) : inside_(std::move(bytes)) {}
  std::uint64_t size() const override {
    has_ended_ = true;
    return inside_.size();
  }
  std::optional<std::uint64_t> known_size() const override {
    return has_ended_ ? std::optional(inside_.size()) : std::nullopt;
  }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    furthest_ = std::max(furthest_, offset + into.size());
    SLABSCOPE_TRY_ASSIGN(count, inside_.read_at(offset, into));
    if (count < into.size()) has_ended_ = true;
    return count;
  }
  [[nodiscard]] std::uint64_t furthest() const noexcept { return furthest_; }

 private:
  OwnedAccess inside_;
  mutable bool has_ended_ = false;
  std::uint64_t furthest_ = 0;
};

TEST_CASE("a region whose size is not known ends where its bytes do") {
  const auto file = std::make_shared<Unmeasured>("\x01" + std::string(9999, 'x'));
  auto container = open_container(file, "raw", {});
  REQUIRE(container);
  const std::shared_ptr<Container> raw = *std::move(container);
  CHECK(raw->regions()[0].bytes == unknown_bytes);
  const AddressSpace based(raw, RegionBase{0, 0x1000});
  CHECK(based.describe(0) == "the dump from 0x1000 on");
  CHECK(outside(based, 0xfff) == "0xfff is 1 byte before the dump from 0x1000 on");
  // No more is read than tells that the address is in it.
  CHECK(based.find(0x1004)->offset == 4);
  CHECK(file->furthest() == 5);
  const auto run = based.run(0);
  CHECK_FALSE(run->known_size());
  WindowSource window(run, 0, unknown_bytes);
  CHECK_FALSE(window.remaining());
  CHECK(*window.skip(4) == 4);
  CHECK_FALSE(run->known_size());
  CHECK(run->size() == 10000);
  CHECK(run->known_size() == 10000U);
  CHECK(window.remaining() == 9996U);
  CHECK(run->end() == 0x1000 + 10000);
  CHECK(run->locate(9999).offset == 9999);
  std::byte last{};
  CHECK(*run->read_at(9999, {&last, 1}) == 1);
  CHECK(*run->read_at(10000, {&last, 1}) == 0);
}

TEST_CASE("an address behind a region whose size is not known is told as in a plain file") {
  const std::string bytes = "\x01" + std::string(9999, 'x');
  for (const std::uint64_t address : {0xfffULL, 0x1000ULL + 10000, 0x5000ULL, ~0ULL}) {
    CAPTURE(address);
    auto unmeasured = open_container(std::make_shared<Unmeasured>(bytes), "raw", {});
    REQUIRE(unmeasured);
    const AddressSpace based(std::shared_ptr<Container>(*std::move(unmeasured)),
                             RegionBase{0, 0x1000});
    auto same = open_container(file_of(bytes), "raw", {});
    REQUIRE(same);
    const AddressSpace known(std::shared_ptr<Container>(*std::move(same)), RegionBase{0, 0x1000});
    if (address > 0x1000) CHECK(outside(based, address) == outside(known, address));
    CHECK(outside(based, address) != "found");
  }
}

TEST_CASE("what is passed over at the end of bytes without a known size is as much as is there") {
  WindowSource window(std::make_shared<Unmeasured>("0123456789"), 2, unknown_bytes);
  CHECK(*window.skip(3) == 3);
  CHECK(*window.skip(0) == 0);
  CHECK(*window.skip(100) == 5);
  CHECK(*window.skip(1) == 0);
}

TEST_CASE("regions that abut are one run, in whatever order, up to the first hole") {
  const auto addresses = space(
      {{0x30, "ghi"}, {0x10, "0123456789abcdef"}, {0x20, "ABCDEFGHIJKLMNOP"}, {0x40, "behind"}});
  const auto run = addresses.run(1);
  CHECK(text_of(*run) == "0123456789abcdefABCDEFGHIJKLMNOPghi");
  CHECK(run->end() == 0x33);
  REQUIRE(run->next());
  CHECK(run->next()->begin == 0x40);
  CHECK(run->locate(0x0f).region == 1);
  CHECK(run->locate(0x10).region == 2);
  CHECK(run->locate(0x22).offset == 2);
  // Further back than what was read last.
  std::byte first{};
  CHECK(*run->read_at(1, {&first, 1}) == 1);
  CHECK(first == std::byte{'1'});
  CHECK(*run->read_at(0x23, {&first, 1}) == 0);
  CHECK(*run->read_at(0, {}) == 0);
  CHECK_FALSE(addresses.run(3)->next());
}

TEST_CASE("bytes that the file lacks end a run, unless another region has them") {
  CHECK(text_of(*space({{0x10, "0123", 12}, {0x20, "behind"}}).run(0)) == "0123");
  CHECK(text_of(*space({{0x10, "0123", 12}, {0x14, "456789abcdef"}, {0x20, "behind"}}).run(0)) ==
        "0123456789abcdefbehind");
}

TEST_CASE("regions that lie over each other are fine as long as they agree") {
  CHECK(text_of(*space({{0x10, "01234567"}, {0x12, "23"}, {0x14, "456789"}}).run(0)) ==
        "0123456789");
  CHECK(text_of(*space({{0x10, "01234567"}, {0x12, "2x"}}).run(0)) ==
        "ambiguous_address: 0x13 is ambiguous: regions 'a' and 'b' both hold it, with different "
        "bytes; name the one that is meant");
  std::vector<Part> namesakes(27, {0x100, "far"});  // the last one is an 'a', too
  namesakes.front() = {0x10, "01"};
  namesakes.back() = {0x10, "0x"};
  CHECK(text_of(*space(namesakes).run(0)).find("'a#1' and 'a#2'") != std::string::npos);
  // What is not asked for is not compared.
  std::array<std::byte, 3> bytes;
  CHECK(*space({{0x10, "01234567"}, {0x12, "2x"}}).run(0)->read_at(0, std::span(bytes).first(2)) ==
        2);
  std::vector<Part> many(max_regions_over_address, {0x10, "0123"});
  CHECK(text_of(*space(many).run(0)) == "0123");
  many.push_back(many.front());
  CHECK(text_of(*space(many).run(0)) ==
        "limit_exceeded: too many regions lie over 0x10; name the one that is meant");
}

TEST_CASE("the last addresses there are") {
  const auto addresses = space({{~0ULL - 2, "012345"}});
  CHECK(addresses.find(~0ULL - 1)->offset == 1);
  CHECK(text_of(*addresses.run(0)) == "01");
}

TEST_CASE("random regions read as a map of single bytes does") {
  PseudoRandom random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<Part> parts(1 + random.below(6));
    std::map<std::uint64_t, char> memory;
    for (Part& each : parts) {
      each.address = 100 + random.below(40);
      const std::uint64_t bytes = 1 + random.below(20);
      // A byte is what its address says, so that regions agree.
      for (std::uint64_t at = 0; at < bytes; ++at)
        each.bytes += memory[each.address + at] = static_cast<char>('0' + (each.address + at) % 50);
    }
    const auto addresses = space(parts);
    for (std::uint64_t address = 90; address < 170; ++address)
      CHECK(addresses.find(address).has_value() == (memory.count(address) != 0));
    std::string wanted;
    for (std::uint64_t at = parts[0].address; memory.count(at) != 0; ++at) wanted += memory[at];
    const auto run = addresses.run(0);
    CHECK(text_of(*run) == wanted);
    for (std::uint64_t at = 0; at < wanted.size(); ++at) {
      const RegionPlace place = run->locate(at);
      CHECK(parts[place.region].address + place.offset == parts[0].address + at);
      CHECK(place.offset < parts[place.region].bytes.size());
    }
  }
}
