#include <slabscope/dump/address_space.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slabscope {
namespace {

// A claim that reaches past the last address ends there.
std::uint64_t end_of(std::uint64_t begin, std::uint64_t bytes) noexcept {
  return begin + std::min(bytes, ~begin);
}

std::string interval(const AddressRange& range) {
  return "[" + hex_text(range.begin) + "," + hex_text(range.end) + ")";
}

}  // namespace

AddressSpace::AddressSpace(std::shared_ptr<Container> container, std::optional<RegionBase> based)
    : container_(std::move(container)), based_(based) {}

std::optional<std::uint64_t> AddressSpace::address(std::size_t region) const noexcept {
  if (const auto& said = container_->regions()[region].address) return said;
  return based_ && based_->region == region ? std::optional(based_->address) : std::nullopt;
}

// As many as are claimed; or as turned out where nothing claims a number; or unknown_bytes.
std::uint64_t AddressSpace::bytes(std::size_t region) const {
  const std::uint64_t claimed = container_->regions()[region].bytes;
  if (claimed != unknown_bytes) return claimed;
  const auto opened = container_->open(region);
  return opened ? (*opened)->known_size().value_or(unknown_bytes) : unknown_bytes;
}

std::optional<AddressRange> AddressSpace::claimed(std::size_t region) const {
  const auto begin = address(region);
  if (!begin) return std::nullopt;
  return AddressRange{*begin, end_of(*begin, bytes(region)), region};
}

std::optional<AddressRange> AddressSpace::held(std::size_t region) const {
  const auto begin = address(region);
  if (!begin) return std::nullopt;
  const std::uint64_t all = bytes(region);
  const std::uint64_t missing = std::min(all, container_->regions()[region].missing);
  return AddressRange{*begin, end_of(*begin, all - missing), region};
}

// A region whose size is not known holds a byte that can be read. What cannot be opened is a pipe:
// whoever reads it will see.
Result<bool> AddressSpace::holds(std::size_t region, std::uint64_t offset) const {
  if (bytes(region) != unknown_bytes) return true;
  const auto opened = container_->open(region);
  if (!opened) return true;
  std::byte there{};
  SLABSCOPE_TRY_ASSIGN(count, (*opened)->read_at(offset, std::span(&there, 1)));
  return count != 0;
}

std::string AddressSpace::describe(std::size_t region) const {
  const std::string name = region_names(container_->regions())[region];
  std::string text = name.empty() ? "the dump" : "region '" + printable(name) + "'";
  const auto range = claimed(region);
  if (!range) return text;
  if (bytes(region) == unknown_bytes) return text + " from " + hex_text(range->begin) + " on";
  text += " " + interval(*range);
  return text;
}

Result<RegionPlace> AddressSpace::find(std::uint64_t address,
                                       std::optional<std::size_t> only) const {
  const std::size_t end = only ? *only + 1 : container_->regions().size();
  for (std::size_t region = only.value_or(0); region < end; ++region) {
    const auto range = held(region);
    if (!range || address < range->begin) continue;
    if (address >= range->end && bytes(region) != unknown_bytes) continue;
    SLABSCOPE_TRY_ASSIGN(is_there, holds(region, address - range->begin));
    if (is_there) return RegionPlace{region, address - range->begin};
  }
  return fail(outside(address, only));
}

// Names the nearest region.
Error AddressSpace::outside(std::uint64_t address, std::optional<std::size_t> only) const {
  const std::size_t last = only ? *only + 1 : container_->regions().size();
  std::optional<AddressRange> nearest;
  std::uint64_t distance = ~std::uint64_t{0};
  for (std::size_t region = only.value_or(0); region < last; ++region) {
    const auto range = claimed(region);
    if (!range) continue;
    const bool is_in = address >= range->begin && address < range->end;
    const std::uint64_t away = is_in                    ? 0
                               : address < range->begin ? range->begin - address
                                                        : address - range->end;
    if (nearest && !is_in && away >= distance) continue;
    nearest = range;
    distance = away;
    if (is_in) break;
  }
  const std::string more = container_->explain(address);
  std::string text = hex_text(address);
  if (!nearest) {
    text += " cannot be found: " + (more.empty() ? "the dump says no addresses" : more);
    return error(ErrorCode::address_outside, text);
  }
  if (address >= nearest->begin && address < nearest->end) {
    const auto there = held(nearest->region);
    text += " is in " + describe(nearest->region) + ", of which the file has the bytes up to " +
            hex_text(there->end);
  } else if (address == nearest->end) {
    text += " is just past the end of " + describe(nearest->region);
  } else {
    text += " is " + counted(distance, "byte") +
            (address < nearest->begin ? " before " : " past the end of ") +
            describe(nearest->region);
  }
  return error(ErrorCode::address_outside, more.empty() ? text : text + "; " + more);
}

std::shared_ptr<AddressRun> AddressSpace::run(std::size_t region) const {
  std::vector<AddressRange> ranges;
  for (std::size_t each = 0; each < container_->regions().size(); ++each)
    if (const auto range = held(each); range && range->begin != range->end)
      ranges.push_back(*range);
  std::stable_sort(
      ranges.begin(), ranges.end(),
      [](const AddressRange& left, const AddressRange& right) { return left.begin < right.begin; });
  std::shared_ptr<RandomAccess> open;
  if (bytes(region) == unknown_bytes) {
    auto opened = container_->open(region);
    if (opened) open = *std::move(opened);
  }
  return std::make_shared<AddressRun>(container_, std::move(ranges), *held(region),
                                      std::move(open));
}

AddressRun::AddressRun(std::shared_ptr<Container> container, std::vector<AddressRange> ranges,
                       const AddressRange& first, std::shared_ptr<RandomAccess> open)
    : container_(std::move(container)),
      ranges_(std::move(ranges)),
      first_(first),
      open_(std::move(open)),
      begin_(first.begin),
      end_(first.end) {
  for (const AddressRange& each : ranges_) {
    if (each.begin > end_) break;
    end_ = std::max(end_, each.end);
  }
  reach_.reserve(ranges_.size());
  for (const AddressRange& each : ranges_)
    reach_.push_back(reach_.empty() ? each.end : std::max(reach_.back(), each.end));
}

std::uint64_t AddressRun::size() const {
  return open_ == nullptr ? end_ - begin_ : std::min(end_ - begin_, open_->size());
}

std::optional<std::uint64_t> AddressRun::known_size() const {
  if (open_ == nullptr) return end_ - begin_;
  const auto known = open_->known_size();
  return known ? std::optional(std::min(end_ - begin_, *known)) : std::nullopt;
}

std::optional<AddressRange> AddressRun::next() const noexcept {
  const auto found = std::find_if(ranges_.begin(), ranges_.end(),
                                  [this](const AddressRange& each) { return each.begin > end_; });
  return found == ranges_.end() ? std::nullopt : std::optional(*found);
}

RegionPlace AddressRun::locate(std::uint64_t offset) const noexcept {
  const std::uint64_t address = begin_ + offset;
  if (address < first_.end) return {first_.region, offset};
  // No range before the first one that reaches past the address holds it, and it is the first to.
  const auto past = std::ranges::upper_bound(reach_, address);
  if (past == reach_.end()) return {first_.region, offset};
  const AddressRange& holder = ranges_[static_cast<std::size_t>(past - reach_.begin())];
  if (address < holder.begin) return {first_.region, offset};
  return {holder.region, address - holder.begin};
}

std::string AddressRun::name(std::size_t region) const {
  return "'" + printable(region_names(container_->regions())[region]) + "'";
}

// Enters the regions that begin at or before an address, and leaves those that end there.
Result<void> AddressRun::go_to(std::uint64_t address) {
  if (address < at_) {
    entered_ = 0;
    active_.clear();
  }
  at_ = address;
  std::erase_if(active_, [&](const Active& each) { return each.range.end <= address; });
  for (; entered_ < ranges_.size() && ranges_[entered_].begin <= address; ++entered_) {
    const AddressRange& range = ranges_[entered_];
    if (range.end <= address) continue;
    if (active_.size() == max_regions_over_address)
      return fail(
          error(ErrorCode::limit_exceeded,
                "too many regions lie over " + hex_text(address) + "; name the one that is meant")
              .with({}, "up to " + std::to_string(max_regions_over_address)));
    SLABSCOPE_TRY_ASSIGN(bytes, container_->open(range.region));
    active_.push_back({range, std::move(bytes)});
  }
  return {};
}

Result<std::size_t> AddressRun::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset >= end_ - begin_ || into.empty()) return 0;
  const std::uint64_t address = begin_ + offset;
  SLABSCOPE_TRY(go_to(address));
  std::uint64_t end = entered_ < ranges_.size() ? ranges_[entered_].begin : end_;
  for (const Active& each : active_) end = std::min(end, each.range.end);
  const auto most = std::min<std::uint64_t>(into.size(), end - address);
  const Active& first = active_.front();
  SLABSCOPE_TRY_ASSIGN(count, first.bytes->read_at(address - first.range.begin, into.first(most)));
  SLABSCOPE_TRY(compare(into.first(count), address));
  return count;
}

Result<void> AddressRun::compare(std::span<const std::byte> read, std::uint64_t address) {
  for (std::size_t index = 1; index < active_.size(); ++index) {
    const Active& other = active_[index];
    std::array<std::byte, 4096> piece;
    for (std::size_t done = 0; done < read.size();) {
      const auto bytes = std::span(piece).first(std::min(piece.size(), read.size() - done));
      SLABSCOPE_TRY(read_exactly_at(*other.bytes, address + done - other.range.begin, bytes,
                                    "region " + name(other.range.region)));
      const auto same = read.subspan(done, bytes.size());
      const auto [mine, theirs] = std::mismatch(same.begin(), same.end(), bytes.begin());
      if (mine != same.end()) {
        const std::uint64_t at = address + done + static_cast<std::uint64_t>(mine - same.begin());
        return fail(error(ErrorCode::ambiguous_address,
                          hex_text(at) + " is ambiguous: regions " +
                              name(active_.front().range.region) + " and " +
                              name(other.range.region) +
                              " both hold it, with different bytes; name the one that is meant")
                        .with(hex_text(std::to_integer<std::uint64_t>(*mine)) + " and " +
                                  hex_text(std::to_integer<std::uint64_t>(*theirs)),
                              {}));
      }
      done += bytes.size();
    }
  }
  return {};
}

}  // namespace slabscope
