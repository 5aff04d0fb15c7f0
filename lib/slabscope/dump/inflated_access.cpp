#include <slabscope/dump/inflated_access.h>

#include <slabscope/base/checked.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace slabscope {
namespace {

constexpr std::size_t most_kept = std::size_t{8} << 20;
constexpr std::size_t step = std::size_t{1} << 16;
// How often all of it may come out: tables at the end, the names before them, then the window.
constexpr std::uint64_t most_passes = 8;

bool is_same(const Error& one, const Error& other) {
  return one.code == other.code && one.message == other.message && one.offset == other.offset;
}

// What is wrong in a container that came out of compressed `bytes`, unless these are wrong: an
// offset would be taken for one in the compressed file.
Error told(const InflatedAccess& bytes, std::string_view kind, Error failed) {
  const bool is_of_bytes = bytes.met_failure() != nullptr && is_same(failed, *bytes.met_failure());
  if (failed.offset && !is_of_bytes)
    failed.message += " (in what comes out of the " + std::string(kind) + " file)";
  return failed;
}

// A region of a container that came out of compressed bytes.
class InflatedRegion final : public RandomAccess {
 public:
  InflatedRegion(std::shared_ptr<RandomAccess> region, std::shared_ptr<const InflatedAccess> from,
                 std::string_view kind)
      : region_(std::move(region)), from_(std::move(from)), kind_(kind) {}

  std::uint64_t size() const override { return region_->size(); }
  std::optional<std::uint64_t> known_size() const override { return region_->known_size(); }
  bool goes_forward() const noexcept override { return region_->goes_forward(); }
  bool is_checksum_wrong() const noexcept override { return region_->is_checksum_wrong(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    auto count = region_->read_at(offset, into);
    if (!count) return fail(told(*from_, kind_, std::move(count).error()));
    return count;
  }

 private:
  std::shared_ptr<RandomAccess> region_;
  std::shared_ptr<const InflatedAccess> from_;
  std::string_view kind_;
};

// The regions of a container stand nowhere in the compressed file.
class Inflated final : public Container {
 public:
  Inflated(std::string_view kind, std::unique_ptr<Container> inner,
           std::shared_ptr<const InflatedAccess> from)
      : kind_(kind),
        name_(std::string(kind) + "/" + std::string(inner->name())),
        from_(std::move(from)),
        inner_(std::move(inner)),
        regions_(inner_->regions().begin(), inner_->regions().end()) {
    for (Region& each : regions_) each.file_offset.reset();
  }

  std::string_view name() const noexcept override { return name_; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::span<const ContainerFact> facts() const noexcept override { return inner_->facts(); }
  std::string_view remark() const noexcept override { return inner_->remark(); }
  std::string_view passed_over() const noexcept override { return inner_->passed_over(); }
  bool says_addresses() const noexcept override { return inner_->says_addresses(); }
  std::string explain(std::uint64_t address) const override { return inner_->explain(address); }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    auto opened = inner_->open(region);
    if (!opened) return fail(told(*from_, kind_, std::move(opened).error()));
    return std::make_shared<InflatedRegion>(*std::move(opened), from_, kind_);
  }

 private:
  std::string_view kind_;
  std::string name_;
  std::shared_ptr<const InflatedAccess> from_;
  std::unique_ptr<Container> inner_;
  std::vector<Region> regions_;
};

}  // namespace

void InflatedAccess::State::end_with(std::optional<Error> failed) {
  has_ended = true;
  if (!size) size = kept_at + kept.size();
  if (failed) failure = std::move(failed);
}

void InflatedAccess::State::read_on() {
  if (kept.size() > most_kept) {
    const std::size_t passed = kept.size() / 2;
    kept.drop_front(passed);
    kept_at += passed;
  }
  const std::size_t before = kept.size();
  const std::uint64_t allowed = max_bytes - std::min(max_bytes, kept_at + before);
  std::byte* const room = kept.extend(step);
  auto count = source->read(std::span(room, step));
  kept.resize_uninitialised(before + std::min<std::uint64_t>(count.value_or(0), allowed));
  if (!count) {
    is_checksum_wrong = source->is_checksum_wrong();  // what stops before that is another mistake
    return end_with(std::move(count).error());
  }
  if (*count == 0) return end_with(std::nullopt);
  if (*count > allowed)
    return end_with(
        error(ErrorCode::limit_exceeded, "more comes out of the compressed file than is allowed")
            .with({}, "up to " + std::to_string(max_bytes) + " B (--max-inflate)"));
  worked += *count;
  const std::uint64_t most_work =
      max_bytes > std::numeric_limits<std::uint64_t>::max() / most_passes
          ? std::numeric_limits<std::uint64_t>::max()
          : max_bytes * most_passes;
  if (worked > most_work)
    end_with(error(ErrorCode::limit_exceeded,
                   "the compressed file has to be read from its start too often: decompress it "
                   "first")
                 .with({}, std::to_string(most_passes) + " times"));
}

void InflatedAccess::State::go_to(std::uint64_t offset) {
  if (source == nullptr || offset < kept_at) {
    source = start();
    kept.clear();
    kept_at = 0;
    has_ended = false;
  }
  while (!has_ended && kept_at + kept.size() <= offset) read_on();
}

// Where the end is near, it is met: a file that is read to its last byte is checked.
void InflatedAccess::State::look_ahead(std::uint64_t end) {
  const std::uint64_t ahead = checked_add(end, near_checksum_bytes).value_or(end);
  while (!has_ended && kept_at + kept.size() < ahead) read_on();
  looked_to = std::max(looked_to, ahead);
}

Result<std::size_t> InflatedAccess::State::at_end() {
  if (!failure) return 0;
  has_met_failure = true;
  return fail(*failure);
}

std::uint64_t InflatedAccess::size() const {
  State& state = *state_;
  if (!state.size) state.go_to(std::numeric_limits<std::uint64_t>::max());
  state.looked_to = std::numeric_limits<std::uint64_t>::max();
  state.has_met_failure = state.has_met_failure || state.failure;
  return *state.size;
}

Result<std::size_t> InflatedAccess::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (into.empty()) return 0;
  State& state = *state_;
  if (state.size && offset >= *state.size) return state.at_end();
  state.go_to(offset);
  const std::size_t wanted = std::min(into.size(), step);
  state.look_ahead(checked_add(offset, std::uint64_t{wanted}).value_or(offset));
  const auto kept = std::as_const(state.kept).bytes();
  // Which bytes are given goes by their place alone, in whatever pieces they are asked for.
  std::uint64_t end = state.kept_at + kept.size();
  if (state.is_checksum_wrong)
    end = std::min(end, *state.size - std::min(*state.size, near_checksum_bytes));
  if (offset >= end) return state.at_end();
  const std::size_t count = std::min<std::uint64_t>(wanted, end - offset);
  std::memcpy(into.data(), kept.data() + (offset - state.kept_at), count);
  return count;
}

Result<std::unique_ptr<Container>> open_inflated(InflatedAccess::Start start, std::string_view kind,
                                                 const ContainerHints& hints) {
  if (hints.depth >= hints.limits.max_depth)
    return fail(error(ErrorCode::limit_exceeded, "compressed files are nested too deep")
                    .with(std::to_string(hints.depth + 1),
                          "up to " + std::to_string(hints.limits.max_depth)));
  ContainerHints inner = hints;
  inner.inner_kind.reset();
  inner.depth = hints.depth + 1;
  const auto bytes = std::make_shared<InflatedAccess>(std::move(start), hints.limits.max_inflate);
  auto opened = open_container(bytes, hints.inner_kind, inner);
  if (opened) return std::make_unique<Inflated>(kind, *std::move(opened), bytes);
  Error failed = std::move(opened).error();
  if (bytes->met_failure() != nullptr) return fail(*bytes->met_failure());  // the rest follows
  return fail(told(*bytes, kind, std::move(failed)));
}

}  // namespace slabscope
