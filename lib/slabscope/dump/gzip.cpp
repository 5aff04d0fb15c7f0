// gzip: one member or several, by zlib. What comes out is a container again.
#include <slabscope/dump/inflated_access.h>
#include <slabscope/dump/kinds.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace slabscope {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, and a gzip header

class GzipSource final : public InflatingSource {
 public:
  explicit GzipSource(std::shared_ptr<RandomAccess> file) : file_(std::move(file)) {
    if (::inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { ::inflateEnd(&stream_); }

  bool is_checksum_wrong() const noexcept override {
    return is_checksum_wrong_ || file_->is_checksum_wrong();
  }

  Result<std::size_t> read(std::span<std::byte> into) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min(into.size(), input_.size()));
    const uInt room = stream_.avail_out;
    while (!damage_ && stream_.avail_out == room && room != 0) {
      SLABSCOPE_TRY_ASSIGN(more, fill());
      if (!more && !has_more_) {
        if (is_between_) return 0;
        return fail(error(ErrorCode::bad_container, "truncated: the gzip file ends inside a member")
                        .at_offset(read_));
      }
      if (is_between_) {
        SLABSCOPE_TRY_ASSIGN(is_padding, begin_member());
        if (is_padding) continue;
      }
      const int outcome = ::inflate(&stream_, Z_NO_FLUSH);
      if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
      has_more_ = outcome == Z_OK && stream_.avail_out == 0;
      if (outcome == Z_STREAM_END) is_between_ = true;
      if (outcome == Z_STREAM_END || outcome == Z_OK || outcome == Z_BUF_ERROR) continue;
      damage(stream_.msg != nullptr ? stream_.msg : "no such block");
      break;
    }
    // What came out before the damage is given first: the next call meets it again.
    if (damage_ && stream_.avail_out == room) return fail(*damage_);
    return std::size_t{room - stream_.avail_out};
  }

 private:
  // zlib tells its own errors apart by their texts alone.
  void damage(const std::string& why) {
    damage_ = error(ErrorCode::bad_container, "damaged gzip data: " + why)
                  .at_offset(read_ - stream_.avail_in);
    is_checksum_wrong_ = why == "incorrect data check" || why == "incorrect length check";
  }

  // False at the end of the file.
  Result<bool> fill() {
    if (stream_.avail_in != 0) return true;
    SLABSCOPE_TRY_ASSIGN(count, file_->read_at(read_, std::as_writable_bytes(std::span(input_))));
    read_ += count;
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<uInt>(count);
    return count != 0;
  }

  // True for a zero behind the last member: tapes and block devices leave some.
  Result<bool> begin_member() {
    if (read_ != stream_.avail_in && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
      return true;
    }
    if (*stream_.next_in != 0x1f)
      return fail(error(ErrorCode::bad_container,
                        "what is behind the last member of the gzip file is no gzip")
                      .at_offset(read_ - stream_.avail_in));
    if (::inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
    is_between_ = false;
    return false;
  }

  std::shared_ptr<RandomAccess> file_;
  z_stream stream_{};
  std::array<Bytef, std::size_t{1} << 16> input_;
  std::uint64_t read_ = 0;  // of the file
  bool is_between_ = true;  // a member begins here, or nothing
  bool has_more_ = false;   // may come out without more of the file
  std::optional<Error> damage_;
  bool is_checksum_wrong_ = false;
};

bool is_gzip(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return first.size() >= 3 && first[0] == std::byte{0x1f} && first[1] == std::byte{0x8b} &&
         first[2] == std::byte{8};
}

Result<std::unique_ptr<Container>> open_gzip(std::shared_ptr<RandomAccess> file,
                                             const ContainerHints& hints) {
  return open_inflated([file] { return std::make_unique<GzipSource>(file); }, "gzip", hints);
}

}  // namespace

constinit const ContainerKind gzip_kind = {.name = "gzip",
                                           .meaning = "what gzip compressed, whatever it is",
                                           .recognises = is_gzip,
                                           .open = open_gzip,
                                           .is_compression = true,
                                           .is_known_by_few_bytes = true};

}  // namespace slabscope
