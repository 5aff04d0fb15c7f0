// What comes out of deflated bytes, at any place: a member of a zip. Only what stands before the
// bytes asked for is inflated.
#pragma once

#include <slabscope/dump/random_access.h>

#include <optional>
#include <string>
#include <vector>

struct z_stream_s;

namespace slabscope {

class DeflatedMember final : public RandomAccess {
 public:
  struct Expected {
    std::uint64_t bytes = 0;   // that come out
    std::uint32_t crc = 0;     // of them
    std::uint64_t offset = 0;  // of `deflated` in the file, for errors
    std::string name;          // for errors
    bool looks_ahead = false;  // to the checksum, where the end is near
  };

  // `deflated`: one raw deflate stream and nothing behind it.
  DeflatedMember(std::shared_ptr<RandomAccess> deflated, Expected expected);

  std::uint64_t size() const override { return expected_.bytes; }
  bool goes_forward() const noexcept override { return true; }
  // Going back begins at the nearest of a few places that are kept. Errors: read_failed;
  // bad_container (the stream is damaged, or other bytes come out than were said). A wrong checksum
  // is met by the last byte; with looks_ahead, by the last near_checksum_bytes.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  struct EndStream {
    void operator()(z_stream_s* stream) const noexcept;
  };
  using Stream = std::unique_ptr<z_stream_s, EndStream>;
  struct Place {
    Stream stream;
    std::uint64_t taken = 0;  // of the deflated bytes
    std::uint64_t made = 0;   // of the inflated ones
    std::uint32_t crc = 0;
  };

  [[nodiscard]] static Place copy_of(const Place& place);
  void go_back(std::uint64_t offset);
  void keep_place();
  [[nodiscard]] Result<std::size_t> inflate_into(std::span<std::byte> into);
  [[nodiscard]] Result<void> refill();
  [[nodiscard]] Result<void> check_end();
  [[nodiscard]] Result<void> look_ahead();
  [[nodiscard]] Failure damaged(std::string_view why) const;

  std::shared_ptr<RandomAccess> deflated_;
  Expected expected_;
  Place here_;
  bool is_at_end_ = false;   // of the stream
  bool has_looked_ = false;  // ahead
  std::optional<Error> wrong_checksum_;
  std::vector<Place> kept_;  // in order; the first is the begin
  std::uint64_t spacing_;
  std::vector<std::byte> input_;
};

}  // namespace slabscope
