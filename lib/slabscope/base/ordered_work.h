// Work on threads whose results are wanted in order: items go in at one end and come out at the
// other in the same order, each done by one of the threads. One thread puts and takes, so it alone
// decides what becomes of a result, and what comes first is what would have come first without
// threads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace slabscope {

template <class Item>
class OrderedWork {
 public:
  // `work` is called on any of `threads` threads, for several items at a time. Where the system
  // gives fewer threads there are fewer, and without any the work is done when it is taken.
  OrderedWork(unsigned threads, std::function<void(Item&)> work)
      : work_(std::move(work)), slots_(std::size_t{2} * std::max(threads, 1U)) {
    threads_.reserve(threads);
    try {
      while (threads_.size() < threads) threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
    }
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;
  // Items that nobody has begun with are dropped, the others waited for.
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    more_.notify_all();
    for (std::thread& each : threads_) each.join();
  }

  // Two items a thread are held: one to work on and the next one.
  [[nodiscard]] bool is_full() const noexcept { return put_ - taken_ == slots_.size(); }
  [[nodiscard]] bool is_empty() const noexcept { return put_ == taken_; }

  // Not when it is full.
  void put(Item item) {
    Slot& slot = slot_of(put_);
    slot.item = std::move(item);
    slot.thrown = nullptr;
    {
      const std::lock_guard lock(mutex_);
      slot.is_done = false;
      ++put_;
    }
    more_.notify_one();
  }

  // The oldest item, done. What its work has thrown is thrown here. Not when it is empty.
  Item take() {
    Slot& slot = slot_of(taken_);
    {
      std::unique_lock lock(mutex_);
      if (begun_ == taken_) {  // rather than to wait for a thread
        ++begun_;
        lock.unlock();
        do_work(slot);
        lock.lock();
        slot.is_done = true;
      }
      done_.wait(lock, [&] { return slot.is_done; });
      ++taken_;
    }
    if (slot.thrown) std::rethrow_exception(std::exchange(slot.thrown, nullptr));
    return std::move(slot.item);
  }

 private:
  struct Slot {
    Item item;
    std::exception_ptr thrown;
    bool is_done = false;
  };
  Slot& slot_of(std::uint64_t number) noexcept { return slots_[number % slots_.size()]; }

  void do_work(Slot& slot) noexcept {
    try {
      work_(slot.item);
    } catch (...) {
      slot.thrown = std::current_exception();
    }
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      more_.wait(lock, [this] { return is_stopping_ || begun_ != put_; });
      if (is_stopping_) return;
      Slot& slot = slot_of(begun_++);
      lock.unlock();
      do_work(slot);
      lock.lock();
      slot.is_done = true;
      done_.notify_one();
    }
  }

  const std::function<void(Item&)> work_;
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::condition_variable done_;
  bool is_stopping_ = false;
  // Numbers of items so far: taken_ <= begun_ <= put_. Only the owner's thread changes put_ and
  // taken_, so it may read them without the lock.
  std::uint64_t put_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t taken_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace slabscope
