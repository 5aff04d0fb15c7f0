// Buffer: keeps what was written while it grows, and owns its bytes once.
#include <slabscope/base/buffer.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace slabscope {
namespace {

std::byte byte_of(std::size_t index) { return static_cast<std::byte>(index * 31 + 7); }

TEST_CASE("an empty buffer") {
  Buffer buffer;
  CHECK(buffer.size() == 0);
  CHECK(buffer.bytes().empty());
  buffer.append({});
  (void)buffer.extend(0);
  buffer.resize_uninitialised(0);
  buffer.clear();
  CHECK(buffer.size() == 0);
}

TEST_CASE("the front is given up, of a buffer without bytes too") {
  Buffer buffer;
  buffer.drop_front(0);
  CHECK(buffer.size() == 0);
  for (std::size_t index = 0; index < 100; ++index) *buffer.extend(1) = byte_of(index);
  buffer.drop_front(0);
  CHECK(buffer.size() == 100);
  buffer.drop_front(60);
  REQUIRE(buffer.size() == 40);
  for (std::size_t index = 0; index < 40; ++index)
    CHECK(std::as_const(buffer).bytes()[index] == byte_of(60 + index));
  buffer.drop_front(40);
  CHECK(buffer.size() == 0);
  buffer.drop_front(0);
}

TEST_CASE("what was written stays while the buffer grows") {
  Buffer buffer;
  std::size_t count = 0;
  for (const std::size_t step : {1U, 1U, 2U, 3U, 5U, 8U, 1000U, 1U, 70000U, 2U, 1U}) {
    std::byte* const room = buffer.extend(step);
    CHECK(buffer.size() == count + step);
    CHECK(room == buffer.data() + count);
    for (std::size_t index = 0; index < step; ++index) room[index] = byte_of(count + index);
    count += step;
  }
  std::size_t wrong = 0;
  for (std::size_t index = 0; index < count; ++index)
    if (std::as_const(buffer).bytes()[index] != byte_of(index)) ++wrong;
  CHECK(wrong == 0);
}

TEST_CASE("append copies") {
  const std::array<std::byte, 3> part = {std::byte{1}, std::byte{2}, std::byte{3}};
  Buffer buffer(1);
  buffer.bytes()[0] = std::byte{9};
  buffer.append(part);
  buffer.append(part);
  const std::vector<std::byte> all(buffer.bytes().begin(), buffer.bytes().end());
  CHECK((all == std::vector<std::byte>{std::byte{9}, std::byte{1}, std::byte{2}, std::byte{3},
                                       std::byte{1}, std::byte{2}, std::byte{3}}));
}

TEST_CASE("resizing keeps the bytes that stay") {
  Buffer buffer(4);
  for (std::size_t index = 0; index < 4; ++index) buffer.bytes()[index] = byte_of(index);
  buffer.resize_uninitialised(2);
  CHECK(buffer.size() == 2);
  buffer.resize_uninitialised(5000);
  CHECK(buffer.size() == 5000);
  CHECK((buffer.data()[0] == byte_of(0)));
  CHECK((buffer.data()[1] == byte_of(1)));
  buffer.clear();
  CHECK(buffer.size() == 0);
}

TEST_CASE("a buffer is moved, not copied") {
  Buffer first(8);
  const std::byte* const bytes = first.data();
  Buffer second(std::move(first));
  CHECK(second.data() == bytes);
  CHECK(second.size() == 8);
  Buffer third(3);
  third = std::move(second);
  CHECK(third.data() == bytes);
  CHECK(third.size() == 8);
  Buffer fourth;
  third.swap(fourth);
  CHECK(third.size() == 0);
  CHECK(fourth.data() == bytes);
}

TEST_CASE("a size that memory cannot have is bad_alloc, and nothing is lost") {
  Buffer buffer(2);
  buffer.bytes()[1] = std::byte{5};
  CHECK_THROWS_AS((void)buffer.extend(SIZE_MAX), std::bad_alloc);
  CHECK_THROWS_AS((void)buffer.extend(SIZE_MAX / 2), std::bad_alloc);
  CHECK(buffer.size() == 2);
  CHECK((buffer.bytes()[1] == std::byte{5}));
}

}  // namespace
}  // namespace slabscope
