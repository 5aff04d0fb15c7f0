// What comes out of compressed bytes, at any place, in bounded memory: it is read from front to
// back, the last of it is kept, and for what lies further back reading begins again.
#pragma once

#include <slabscope/dump/container.h>

#include <functional>
#include <memory>
#include <string_view>

namespace slabscope {

// What comes out of compressed bytes, from front to back.
class InflatingSource : public Source {
 public:
  // Is a checksum or a length behind the compressed bytes another than that of what came out, so
  // that nobody knows which bytes are wrong?
  [[nodiscard]] virtual bool is_checksum_wrong() const noexcept = 0;
};

class InflatedAccess final : public RandomAccess {
 public:
  // Begins to read the compressed bytes from their front.
  using Start = std::function<std::unique_ptr<InflatingSource>()>;

  // `max_bytes` may come out; over all beginnings a few times that.
  InflatedAccess(Start start, std::uint64_t max_bytes)
      : state_(std::make_unique<State>(std::move(start), max_bytes)) {}

  std::uint64_t size() const override;
  // Nothing, too, where the end is something wrong.
  std::optional<std::uint64_t> known_size() const override {
    return state_->failure || !state_->is_end_known() ? std::nullopt : state_->size;
  }
  bool goes_forward() const noexcept override { return true; }
  bool is_checksum_wrong() const noexcept override { return state_->is_damage_known(); }
  // Looks a little further than it reads: behind the end the checksum stands. Errors: those of the
  // source, limit_exceeded. They are met again wherever reading comes to them; a wrong checksum by
  // the last near_checksum_bytes.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;
  // What is wrong with the compressed bytes, where somebody has come to it: more may have been read
  // than was asked for.
  [[nodiscard]] const Error* met_failure() const noexcept {
    return state_->has_met_failure ? &*state_->failure : nullptr;
  }

 private:
  struct State {
    State(Start from, std::uint64_t max) : start(std::move(from)), max_bytes(max) {}
    void go_to(std::uint64_t offset);
    void read_on();
    void look_ahead(std::uint64_t end);
    void end_with(std::optional<Error> failed);
    [[nodiscard]] bool is_end_known() const { return size && *size <= looked_to; }
    [[nodiscard]] bool is_damage_known() const { return is_checksum_wrong && is_end_known(); }
    // 0 at the end, or what is wrong there.
    Result<std::size_t> at_end();

    Start start;
    std::uint64_t max_bytes;
    std::unique_ptr<InflatingSource> source;
    Buffer kept;                        // what came out last
    std::uint64_t kept_at = 0;          // where that begins
    bool has_ended = false;             // nothing comes out behind it
    std::uint64_t worked = 0;           // bytes that came out over all beginnings
    std::optional<std::uint64_t> size;  // once the end, or something wrong, has been met
    std::optional<Error> failure;       // what stands there
    bool has_met_failure = false;
    bool is_checksum_wrong = false;
    // What reads have looked at. More may have come out, as the compressed bytes come in any
    // pieces: what is known of the end must not depend on that.
    std::uint64_t looked_to = 0;
  };

  std::unique_ptr<State> state_;
};

// Opens what comes out of `file` as a container again. `start` reads it; `kind`: its name.
[[nodiscard]] Result<std::unique_ptr<Container>> open_inflated(InflatedAccess::Start start,
                                                               std::string_view kind,
                                                               const ContainerHints& hints);

}  // namespace slabscope
