#include <slabscope/dump/deflated_member.h>

#include <slabscope/base/integer_text.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace slabscope {
namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 15;
// One place is about 50 KiB.
constexpr std::size_t most_places = 32;
constexpr std::uint64_t first_spacing = std::uint64_t{1} << 20;

Bytef* as_zlib(std::byte* bytes) { return reinterpret_cast<Bytef*>(bytes); }

}  // namespace

void DeflatedMember::EndStream::operator()(z_stream_s* stream) const noexcept {
  inflateEnd(stream);
  delete stream;
}

DeflatedMember::DeflatedMember(std::shared_ptr<RandomAccess> deflated, Expected expected)
    : deflated_(std::move(deflated)), expected_(std::move(expected)), spacing_(first_spacing) {
  Place begin;
  auto fresh = std::make_unique<z_stream>();
  if (inflateInit2(fresh.get(), -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  begin.stream.reset(fresh.release());
  begin.crc = static_cast<std::uint32_t>(crc32(0, nullptr, 0));
  here_ = copy_of(begin);
  kept_.push_back(std::move(begin));
  input_.resize(input_bytes);
}

DeflatedMember::Place DeflatedMember::copy_of(const Place& place) {
  auto copy = std::make_unique<z_stream>();
  if (inflateCopy(copy.get(), place.stream.get()) != Z_OK) throw std::bad_alloc();
  copy->avail_in = 0;
  return {Stream(copy.release()), place.taken - place.stream->avail_in, place.made, place.crc};
}

void DeflatedMember::go_back(std::uint64_t offset) {
  const auto behind = std::ranges::upper_bound(kept_, offset, {}, &Place::made);
  here_ = copy_of(*std::prev(behind));
  is_at_end_ = false;
}

// The places lie at equal distances; when there are too many, every second one goes.
void DeflatedMember::keep_place() {
  if (here_.made < kept_.back().made + spacing_) return;
  kept_.push_back(copy_of(here_));
  if (kept_.size() <= most_places) return;
  for (std::size_t index = 1; 2 * index < kept_.size(); ++index)
    kept_[index] = std::move(kept_[2 * index]);
  kept_.resize((kept_.size() + 1) / 2);
  spacing_ *= 2;
}

Result<std::size_t> DeflatedMember::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset >= expected_.bytes || into.empty()) return 0;
  // Which bytes are given goes by their place alone, in whatever pieces they are asked for.
  const std::uint64_t last = expected_.bytes - std::min(expected_.bytes, near_checksum_bytes);
  const bool is_near = expected_.looks_ahead && offset >= last;
  if (is_near && wrong_checksum_) return fail(*wrong_checksum_);
  if (expected_.looks_ahead && offset < last)
    into = into.first(std::min<std::uint64_t>(into.size(), last - offset));
  if (offset < here_.made) go_back(offset);
  std::array<std::byte, input_bytes> skipped;
  while (here_.made < offset) {
    const auto rest = std::min(std::uint64_t{skipped.size()}, offset - here_.made);
    SLABSCOPE_TRY(inflate_into(std::span(skipped).first(rest)));
    keep_place();
  }
  if (is_near) SLABSCOPE_TRY(look_ahead());
  // The last byte comes alone: what is wrong with the whole is told with it, in however large
  // pieces the others were read.
  const std::uint64_t left = expected_.bytes - offset;
  const auto count =
      std::min<std::uint64_t>({into.size(), std::max<std::uint64_t>(left - 1, 1), 1U << 30U});
  SLABSCOPE_TRY_ASSIGN(made, inflate_into(into.first(count)));
  keep_place();
  if (here_.made == expected_.bytes) SLABSCOPE_TRY(check_end());
  return made;
}

// At least one byte, unless `into` is empty.
Result<std::size_t> DeflatedMember::inflate_into(std::span<std::byte> into) {
  z_stream& stream = *here_.stream;
  stream.next_out = as_zlib(into.data());
  stream.avail_out = static_cast<uInt>(into.size());
  while (stream.avail_out == into.size()) {
    if (is_at_end_) return damaged("fewer bytes come out than were said");
    SLABSCOPE_TRY(refill());
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    is_at_end_ = outcome == Z_STREAM_END;
    // What came out before the damage is given first: the next call meets it again.
    if (is_at_end_ || outcome == Z_OK || stream.avail_out != into.size()) continue;
    return damaged(outcome == Z_BUF_ERROR ? "the deflated bytes end too early"
                                          : "the deflated bytes are damaged");
  }
  const std::size_t made = into.size() - stream.avail_out;
  here_.made += made;
  here_.crc =
      static_cast<std::uint32_t>(crc32(here_.crc, as_zlib(into.data()), static_cast<uInt>(made)));
  return made;
}

Result<void> DeflatedMember::refill() {
  z_stream& stream = *here_.stream;
  if (stream.avail_in > 0) return {};
  SLABSCOPE_TRY_ASSIGN(count, deflated_->read_at(here_.taken, input_));
  here_.taken += count;
  stream.next_in = as_zlib(input_.data());
  stream.avail_in = static_cast<uInt>(count);
  return {};
}

Result<void> DeflatedMember::check_end() {
  z_stream& stream = *here_.stream;
  std::byte more{};
  while (!is_at_end_) {
    SLABSCOPE_TRY(refill());
    stream.next_out = as_zlib(&more);
    stream.avail_out = 1;
    const int outcome = inflate(&stream, Z_NO_FLUSH);
    if (stream.avail_out == 0) return damaged("more bytes come out than were said");
    is_at_end_ = outcome == Z_STREAM_END;
    if (!is_at_end_ && outcome != Z_OK) return damaged("the deflated bytes end too early");
  }
  if (here_.taken - stream.avail_in != deflated_->size())
    return damaged("something stands behind the deflated bytes");
  if (here_.crc == expected_.crc) return {};
  wrong_checksum_ = error(ErrorCode::bad_container,
                          printable(expected_.name) + ": what comes out has another checksum")
                        .with(hex_text(here_.crc), hex_text(expected_.crc))
                        .at_offset(expected_.offset);
  return fail(*wrong_checksum_);
}

// Only a wrong checksum is told, as nobody knows which bytes are wrong; what else is wrong has a
// place, and is told there.
Result<void> DeflatedMember::look_ahead() {
  if (std::exchange(has_looked_, true)) return {};
  Place here = copy_of(here_);
  const bool was_at_end = is_at_end_;
  std::array<std::byte, input_bytes> rest;
  while (here_.made < expected_.bytes) {
    const auto most = std::min<std::uint64_t>(rest.size(), expected_.bytes - here_.made);
    if (!inflate_into(std::span(rest).first(most))) break;
  }
  const bool is_sound = here_.made != expected_.bytes || check_end() || !wrong_checksum_;
  here_ = std::move(here);
  is_at_end_ = was_at_end;
  return is_sound ? Result<void>() : fail(*wrong_checksum_);
}

Failure DeflatedMember::damaged(std::string_view why) const {
  return fail(error(ErrorCode::bad_container, printable(expected_.name) + ": " + std::string(why))
                  .with(std::to_string(here_.made) + " B", std::to_string(expected_.bytes) + " B")
                  .at_offset(expected_.offset + here_.taken - here_.stream->avail_in));
}

}  // namespace slabscope
