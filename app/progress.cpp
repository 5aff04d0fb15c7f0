#include "progress.h"

#include <algorithm>
#include <utility>

namespace slabscope::app {
namespace {

using Clock = std::chrono::steady_clock;

// Whole MiB, with a tenth below ten.
std::string in_mib(double bytes) {
  const auto tenths = static_cast<std::uint64_t>(bytes * 10 / (1 << 20));
  return std::to_string(tenths / 10) + (tenths < 100 ? "." + std::to_string(tenths % 10) : "");
}

class WatchedSource final : public Source {
 public:
  WatchedSource(std::unique_ptr<Source> source, Host& host)
      : source_(std::move(source)), host_(host), total_(source_->remaining()) {}
  ~WatchedSource() override {
    if (is_shown_) host_.progress({});
  }

  Result<std::size_t> read(std::span<std::byte> into) override {
    auto count = source_->read(into);
    pass(count.value_or(0));
    return count;
  }
  Result<std::uint64_t> skip(std::uint64_t bytes) override {
    if (source_->remaining()) {  // it knows where it is
      auto count = source_->skip(bytes);
      pass(count.value_or(0));
      return count;
    }
    // Much of it may have to be read all the same.
    constexpr std::uint64_t piece = std::uint64_t{16} << 20;
    std::uint64_t skipped = 0;
    while (skipped < bytes) {
      const std::uint64_t wanted = std::min(piece, bytes - skipped);
      SLABSCOPE_TRY_ASSIGN(count, source_->skip(wanted));
      pass(count);
      skipped += count;
      if (count < wanted) break;
    }
    return skipped;
  }
  std::optional<std::uint64_t> remaining() const override { return source_->remaining(); }

 private:
  void pass(std::uint64_t bytes) {
    bytes_ += bytes;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    is_shown_ = true;
    host_.progress(progress_text(bytes_, total_, now - begin_));
  }

  std::unique_ptr<Source> source_;
  Host& host_;
  std::optional<std::uint64_t> total_;
  std::uint64_t bytes_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(1);
  bool is_shown_ = false;
};

}  // namespace

std::string progress_text(std::uint64_t bytes, std::optional<std::uint64_t> total,
                          std::chrono::duration<double> elapsed) {
  const double rate = static_cast<double>(bytes) / elapsed.count();
  std::string text = in_mib(static_cast<double>(bytes));
  if (total) text += " of " + in_mib(static_cast<double>(*total));
  text += " MiB, " + in_mib(rate) + " MiB/s";
  if (!total || bytes == 0 || *total < bytes) return text;
  const double left = static_cast<double>(*total - bytes) / rate;
  return text + ", " + std::to_string(static_cast<std::uint64_t>(left + 0.5)) + " s left";
}

std::unique_ptr<Source> watched(std::unique_ptr<Source> source, Host& host) {
  return std::make_unique<WatchedSource>(std::move(source), host);
}

}  // namespace slabscope::app
