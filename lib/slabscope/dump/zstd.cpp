// Zstandard: one frame or several, by libzstd. What comes out is a container again.
#include <slabscope/base/little_endian.h>
#include <slabscope/dump/inflated_access.h>
#include <slabscope/dump/kinds.h>

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <new>

namespace slabscope {
namespace {

class ZstdSource final : public InflatingSource {
 public:
  ZstdSource(std::shared_ptr<RandomAccess> file, unsigned max_window_log)
      : file_(std::move(file)),
        max_window_log_(max_window_log),
        stream_(::ZSTD_createDStream(), &::ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
    wanted_ = ::ZSTD_initDStream(stream_.get());
    ::ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, static_cast<int>(max_window_log));
  }

  bool is_checksum_wrong() const noexcept override {
    return is_checksum_wrong_ || file_->is_checksum_wrong();
  }

  Result<std::size_t> read(std::span<std::byte> into) override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0 && out.size != 0) {
      // What is left of a frame may come out without more of the file.
      if (in_.pos == in_.size && !has_more_) {
        SLABSCOPE_TRY_ASSIGN(more, fill());
        if (!more && is_between_) return 0;
        if (!more)
          return fail(
              error(ErrorCode::bad_container, "truncated: the zstd file ends inside a frame")
                  .at_offset(read_));
      }
      const std::size_t left = ::ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (::ZSTD_isError(left) != 0) return failed(left);
      wanted_ = std::max<std::size_t>(left, 1);
      is_between_ = left == 0;
      has_more_ = left != 0 && out.pos == out.size;
    }
    return out.pos;
  }

 private:
  // Gives the library as much as it asks for, a block, however the file's bytes arrive: what comes
  // out of the blocks before a damaged one is not lost with it. False at the end of the file.
  Result<bool> fill() {
    const std::size_t most = std::min(wanted_, input_.size());
    if (held_ - in_.size < most) {
      std::copy(input_.begin() + static_cast<std::ptrdiff_t>(in_.size),
                input_.begin() + static_cast<std::ptrdiff_t>(held_), input_.begin());
      held_ -= in_.size;
      in_ = {input_.data(), 0, 0};
      while (held_ < most) {
        SLABSCOPE_TRY_ASSIGN(count, file_->read_at(read_, std::span(input_).subspan(held_)));
        if (count == 0) break;
        read_ += count;
        held_ += count;
      }
    }
    in_.size += std::min(most, held_ - in_.size);
    return in_.pos != in_.size;
  }

  Failure failed(std::size_t outcome) {
    const std::string why = ::ZSTD_getErrorName(outcome);
    const ZSTD_ErrorCode code = ::ZSTD_getErrorCode(outcome);
    if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
    is_checksum_wrong_ = code == ZSTD_error_checksum_wrong;
    if (code == ZSTD_error_frameParameter_windowTooLarge)
      return fail(error(ErrorCode::limit_exceeded,
                        "the zstd file was compressed with a window that is too large: run "
                        "zstd -d --long=31 first")
                      .with({}, "up to 2^" + std::to_string(max_window_log_) + " B"));
    return fail(error(ErrorCode::bad_container, "damaged zstd data: " + why)
                    .at_offset(read_ - (held_ - in_.pos)));
  }

  std::shared_ptr<RandomAccess> file_;
  unsigned max_window_log_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  std::array<std::byte, std::size_t{1} << 16> input_;
  ZSTD_inBuffer in_{};      // as much of the input as was asked for
  std::size_t held_ = 0;    // bytes of the input
  std::size_t wanted_ = 0;  // bytes of the input, the library's advice
  std::uint64_t read_ = 0;  // of the file
  bool is_between_ = true;  // a frame begins here, or nothing
  bool has_more_ = false;   // to come out before the file is read on
  bool is_checksum_wrong_ = false;
};

// A frame; or frames that are to be passed over, as pzstd writes them, and then one.
bool is_zstd(std::span<const std::byte> first, std::uint64_t size) noexcept {
  constexpr std::size_t head_bytes = 8;
  std::uint64_t at = 0;
  while (first.size() >= head_bytes) {
    const auto magic = load_little_endian<std::uint32_t>(first.data());
    if (magic == ZSTD_MAGICNUMBER) return true;
    if ((magic & ZSTD_MAGIC_SKIPPABLE_MASK) != ZSTD_MAGIC_SKIPPABLE_START) return false;
    const auto bytes = load_little_endian<std::uint32_t>(first.data() + 4);
    at += head_bytes + std::uint64_t{bytes};
    if (bytes > first.size() - head_bytes) return at < size;  // a frame may stand further down
    first = first.subspan(head_bytes + bytes);
  }
  return first.size() >= 4 && load_little_endian<std::uint32_t>(first.data()) == ZSTD_MAGICNUMBER;
}

Result<std::unique_ptr<Container>> open_zstd(std::shared_ptr<RandomAccess> file,
                                             const ContainerHints& hints) {
  const unsigned max_window_log = hints.limits.max_window_log;
  return open_inflated(
      [file, max_window_log] { return std::make_unique<ZstdSource>(file, max_window_log); }, "zstd",
      hints);
}

}  // namespace

constinit const ContainerKind zstd_kind = {.name = "zstd",
                                           .meaning = "what zstd compressed, whatever it is",
                                           .recognises = is_zstd,
                                           .open = open_zstd,
                                           .is_compression = true,
                                           .is_known_by_few_bytes = true};

}  // namespace slabscope
