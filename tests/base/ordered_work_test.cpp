// Work on threads: everything that goes in comes out in order, done once, whatever the threads do
// first; what is thrown comes out where its item would, and what nobody takes is let go.
#include <slabscope/base/ordered_work.h>

#include "../support/pseudo_random.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace slabscope {
namespace {

using Work = OrderedWork<std::unique_ptr<std::uint64_t>>;
using Item = std::unique_ptr<std::uint64_t>;

std::uint64_t done(std::uint64_t number) { return number * number + 1; }

TEST_CASE("items come out in the order in which they went in") {
  for (const unsigned threads : {0U, 1U, 2U, 3U, 8U}) {
    CAPTURE(threads);
    std::atomic<std::uint64_t> calls = 0;
    Work work(threads, [&](Item& item) {
      ++calls;
      // Every fifth takes long, so that those behind it are done before it.
      if (*item % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      *item = done(*item);
    });
    tests::PseudoRandom random(threads);
    std::uint64_t put = 0;
    std::uint64_t taken = 0;
    while (taken < 500) {
      CHECK(work.is_empty() == (put == taken));
      CHECK(work.is_full() == (put - taken == 2 * std::max(threads, 1U)));
      if (!work.is_full() && (work.is_empty() || random.one_in(2))) {
        work.put(std::make_unique<std::uint64_t>(put++));
      } else {
        const Item item = work.take();
        REQUIRE(item);
        CHECK(*item == done(taken++));
      }
    }
    while (!work.is_empty()) CHECK(*work.take() == done(taken++));
    CHECK(taken == put);
    CHECK(calls == put);
  }
}

TEST_CASE("several items are worked on at a time") {
  // The first is only done when the second has begun.
  std::atomic<bool> second_has_begun = false;
  Work work(2, [&](Item& item) {
    if (*item == 1) second_has_begun = true;
    while (*item == 0 && !second_has_begun) std::this_thread::yield();
  });
  work.put(std::make_unique<std::uint64_t>(0));
  work.put(std::make_unique<std::uint64_t>(1));
  CHECK(*work.take() == 0);
  CHECK(*work.take() == 1);
}

// Once a thread's item has been taken, the thread waits for more: what is put then wakes it.
TEST_CASE("a thread that waits begins with what is put, before anybody takes it") {
  std::atomic<std::uint64_t> done_items = 0;
  Work work(1, [&](Item&) { ++done_items; });
  for (std::uint64_t round = 1; round <= 3; ++round) {
    work.put(std::make_unique<std::uint64_t>(0));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (done_items < round && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    REQUIRE(done_items == round);
    (void)work.take();
  }
}

TEST_CASE("what is thrown comes out where its item would") {
  for (const unsigned threads : {0U, 1U, 4U}) {
    CAPTURE(threads);
    Work work(threads, [](Item& item) {
      if (*item == 1) throw std::bad_alloc();
      if (*item == 2) throw std::string("the third");
    });
    for (std::uint64_t number = 0; !work.is_full(); ++number)
      work.put(std::make_unique<std::uint64_t>(number));
    CHECK(*work.take() == 0);
    CHECK_THROWS_AS(work.take(), std::bad_alloc);
    if (threads == 4) {
      CHECK_THROWS_AS(work.take(), std::string);
      CHECK(*work.take() == 3);  // and goes on
    }
  }
}

TEST_CASE("an early end waits for what has begun and drops the rest") {
  const auto alive = std::make_shared<int>();
  std::atomic<int> begun = 0;
  std::atomic<int> ended = 0;
  {
    OrderedWork<std::shared_ptr<int>> work(2, [&](std::shared_ptr<int>&) {
      ++begun;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++ended;
    });
    while (!work.is_full()) work.put(alive);
    (void)work.take();
  }
  CHECK(begun == ended);
  CHECK(ended >= 1);
  CHECK(alive.use_count() == 1);
}

TEST_CASE("nothing to do") {
  const Work work(8, [](Item&) { FAIL("nothing was put in"); });
  CHECK(work.is_empty());
}

}  // namespace
}  // namespace slabscope
