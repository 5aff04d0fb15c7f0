// Texts of rows as containers.
#include <slabscope/base/checked.h>
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/text_image.h>
#include <slabscope/dump/text_prose.h>

#include <algorithm>
#include <utility>

namespace slabscope {
namespace {

class TextRegion final : public RandomAccess {
 public:
  TextRegion(std::shared_ptr<const TextIndex> index, std::uint64_t address, std::uint64_t bytes)
      : index_(std::move(index)), address_(address), bytes_(bytes) {}

  std::uint64_t size() const override { return bytes_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (offset >= bytes_) return 0;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), bytes_ - offset));
    SLABSCOPE_TRY(index_->read(address_ + offset, into.first(count)));
    return count;
  }

 private:
  std::shared_ptr<const TextIndex> index_;
  std::uint64_t address_;
  std::uint64_t bytes_;
};

class TextContainer final : public Container {
 public:
  TextContainer(std::string_view kind, TextIndex index, std::string remark)
      : kind_(kind),
        index_(std::make_shared<const TextIndex>(std::move(index))),
        remark_(std::move(remark)) {}

  // Errors: as of text_container().
  Result<void> find_regions(TextAddresses addresses, const ContainerLimits& limits) {
    says_addresses_ = addresses.are_known && !addresses.base;
    std::uint64_t end = 0;
    for (const TextRun& run : index_->runs()) {
      if (regions_.empty() || run.address != end) {
        SLABSCOPE_TRY(add_region(run.address, addresses, limits));
      }
      regions_.back().bytes += run.bytes;
      end = run.end();
    }
    if (addresses.base && !checked_add(*addresses.base, end - begins_.front()))
      return fail(
          error(ErrorCode::bad_container, "the addresses of the text's rows pass 64 bits")
              .with(hex_text(*addresses.base) + " + " + hex_text(end - begins_.front()), {}));
    return {};
  }

  std::string_view name() const noexcept override { return kind_; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::string_view remark() const noexcept override { return remark_; }
  std::string_view passed_over() const noexcept override { return remark_; }
  bool says_addresses() const noexcept override { return says_addresses_; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    return std::make_shared<TextRegion>(index_, begins_[region], regions_[region].bytes);
  }

 private:
  Result<void> add_region(std::uint64_t begin, TextAddresses addresses,
                          const ContainerLimits& limits) {
    if (regions_.size() >= limits.max_regions)
      return fail(error(ErrorCode::limit_exceeded, "the text has too many regions")
                      .with({}, "up to " + std::to_string(limits.max_regions)));
    Region region;
    region.kind = "text";
    const std::uint64_t first = begins_.empty() ? begin : begins_.front();
    if (addresses.base)
      region.address = *addresses.base + (begin - first);
    else if (addresses.are_known)
      region.address = begin;
    if (region.address) region.name = hex_text(*region.address);
    regions_.push_back(std::move(region));
    begins_.push_back(begin);
    return {};
  }

  std::string_view kind_;
  std::shared_ptr<const TextIndex> index_;
  std::string remark_;
  bool says_addresses_ = false;
  std::vector<Region> regions_;
  std::vector<std::uint64_t> begins_;  // addresses as in the text
};

// Are the offsets of a text hexadecimal, where its tool writes others, too? From row to row they
// grow by the row's bytes in one base alone, sooner or later; what "*" stands for depends on it.
class OffsetBase {
 public:
  OffsetBase(std::vector<unsigned> others, std::size_t hex_digits)
      : others_(std::move(others)), hex_digits_(hex_digits) {}

  // The next offset, one or more rows of so many bytes behind the one before; `is_part`: or a part
  // of one. Steps look shorter in other bases, never longer.
  void pass(std::string_view digits, std::uint64_t row_bytes, bool is_part) {
    if (digits.size() == hex_digits_) others_.clear();
    std::erase_if(others_, [&](unsigned base) {
      const auto from = value(before_, base);
      const auto to = value(digits, base);
      if (!from || !to || before_.empty()) return !to;
      const std::uint64_t bytes = *to - std::min(*from, *to);
      return bytes == 0 || (is_part ? bytes > row_bytes : bytes % row_bytes != 0);
    });
    before_ = digits;
  }
  // Rows were repeated in the step before this line.
  void repeat(const TextLine& line) {
    if (doubtful_ == 0) doubtful_ = line.number;
  }

  // Where "*" stands for one number of rows or another.
  std::optional<std::uint64_t> doubtful_line() const {
    return others_.empty() || doubtful_ == 0 ? std::nullopt : std::optional(doubtful_);
  }

 private:
  static std::optional<std::uint64_t> value(std::string_view digits, unsigned base) {
    std::optional<std::uint64_t> value = 0;
    for (const char each : digits) {
      const unsigned digit = each >= '0' && each <= '9' ? static_cast<unsigned>(each - '0') : base;
      if (digit >= base) return std::nullopt;
      value = value ? checked_multiply(*value, std::uint64_t{base}) : value;
      value = value ? checked_add(*value, std::uint64_t{digit}) : value;
    }
    return value;
  }

  std::vector<unsigned> others_;
  std::size_t hex_digits_;
  std::string before_;
  std::uint64_t doubtful_ = 0;
};

// Reads the rows of a text in their order.
class TextReader {
 public:
  TextReader(const TextFormat& format, std::shared_ptr<RandomAccess> file,
             const ContainerHints& hints)
      : format_(format),
        unit_(hints.unit.value_or(0)),
        lines_(file),
        index_(file, format.parse, hints.limits),
        base_(hints.is_kind_given ? std::vector<unsigned>() : format.other_bases,
              format.hex_offset_digits) {}

  Result<TextIndex> read() {
    for (;;) {
      SLABSCOPE_TRY_ASSIGN(line, lines_.next());
      if (!line) break;
      line_ = *line;
      if (auto taken = take(); !taken) return at_line(std::move(taken).error(), line_);
    }
    line_.text = {};
    if (is_repeating_)
      return at_line(
          error(ErrorCode::bad_container, "the text ends behind '*': nothing says how far it goes"),
          line_);
    if (const auto line = base_.doubtful_line())
      return fail(error(ErrorCode::unsupported_container,
                        "nothing tells whether these offsets are hexadecimal, and so what '*' "
                        "stands for: take the text without '*', or give --container " +
                            std::string(format_.kind.name) + " if they are")
                      .at({*line, 1}, {}));
    return std::move(index_);
  }

  std::string remark() const { return other_text_remark(others_); }

 private:
  static Failure bad(std::string message, std::string got = {}, std::string allowed = {}) {
    return fail(error(ErrorCode::bad_container, std::move(message))
                    .with(std::move(got), std::move(allowed)));
  }

  Result<void> take() {
    if (format_.may_have_prose && is_prose(line_.text)) {
      ++others_;
      return {};
    }
    const auto offset = format_.may_have_prose ? offset_behind_words(line_.text) : std::nullopt;
    if (offset)
      return LineCursor{line_.text, *offset}.fault(
          "an offset and bytes stand here, but not as in a row: take out the line, or what is "
          "before the offset");
    SLABSCOPE_TRY(format_.parse(line_.text, unit_, row_));
    if (row_.kind == TextRowKind::other) return {};
    if (others_ != others_before_rows_ && !index_.is_empty())
      return bad("other text stands among the rows: keep only the rows of one dump");
    others_before_rows_ = others_;
    if (has_ended_) return bad("a row stands behind the line that ends the dump");
    switch (row_.kind) {
      case TextRowKind::repeat: return take_repeat();
      case TextRowKind::address: return format_.has_end_line ? take_end() : take_address();
      default: return take_bytes();
    }
  }

  Result<void> take_repeat() {
    if (index_.is_empty() || is_repeating_) return bad("'*' stands behind no row");
    if (format_.repeats_zeros_only && !last_is_zero_)
      return bad("'*' of xxd stands for rows of zeros, and the row before it is none");
    is_repeating_ = true;
    return {};
  }

  Result<void> take_address() {
    if (cursor_ && *row_.address < *cursor_)
      return bad("addresses go back", hex_text(*row_.address), hex_text(*cursor_) + " or more");
    cursor_ = row_.address;
    return {};
  }

  Result<void> take_end() {
    has_ended_ = true;
    const std::uint64_t end = *row_.address;
    if (index_.is_empty()) return {};
    pass_offset(true);
    if (is_repeating_ && end > *cursor_) {
      is_repeating_ = false;
      return index_.repeat_row(line_, end);
    }
    // od fills up its last number with zeros.
    if (!is_repeating_ && end < *cursor_ && *cursor_ - end < unit_ &&
        ends_in_zeros(*cursor_ - end)) {
      index_.drop_last(*cursor_ - end);
      return {};
    }
    if (end == *cursor_ && !is_repeating_) return {};
    return bad("the rows do not end where the last line says", hex_text(*cursor_), hex_text(end));
  }

  void pass_offset(bool is_end) {
    const std::string_view text = line_.text.substr(quote_bytes(line_.text));
    base_.pass(text.substr(0, leading_hex_digits(text)),
               index_.is_empty() ? 1 : index_.last_row_bytes(), is_end && !is_repeating_);
    if (is_repeating_) base_.repeat(line_);
  }

  bool ends_in_zeros(std::uint64_t count) const {
    return std::all_of(last_tail_.end() - static_cast<std::ptrdiff_t>(count), last_tail_.end(),
                       [](std::byte each) { return each == std::byte{0}; });
  }

  Result<void> take_bytes() {
    const std::uint64_t address = row_.address.value_or(cursor_.value_or(0));
    if (!row_.address && !cursor_ && format_.has_addresses)
      return bad("bytes stand before any address");
    if (row_.address) pass_offset(false);
    if (cursor_ && address != *cursor_) SLABSCOPE_TRY(take_hole(address));
    SLABSCOPE_TRY(index_.add_row(line_, address, row_.bytes.size(), unit_));
    is_repeating_ = false;
    cursor_ = address + row_.bytes.size();
    last_is_zero_ = std::all_of(row_.bytes.begin(), row_.bytes.end(),
                                [](std::byte each) { return each == std::byte{0}; });
    if (format_.has_end_line) last_tail_ = row_.bytes;
    return {};
  }

  // The row stands behind where the one before ends: the rows between are repeated, or not there.
  Result<void> take_hole(std::uint64_t address) {
    if (address < *cursor_)
      return bad("addresses go back", hex_text(address), hex_text(*cursor_) + " or more");
    if (index_.is_empty()) return {};
    const bool is_whole = (address - *cursor_) % index_.last_row_bytes() == 0;
    if (!is_whole || (format_.is_contiguous && !is_repeating_))
      return bad("this row does not follow the one before" + std::string(format_.hole_advice),
                 hex_text(address), hex_text(*cursor_));
    return is_repeating_ ? index_.repeat_row(line_, address) : Result<void>();
  }

  const TextFormat& format_;
  unsigned unit_;
  TextLines lines_;
  TextIndex index_;
  TextLine line_;
  TextRow row_;
  OffsetBase base_;
  std::optional<std::uint64_t> cursor_;  // behind the row before
  std::vector<std::byte> last_tail_;     // the row before, where its end may be cut off
  std::uint64_t others_ = 0;             // lines of other text
  std::uint64_t others_before_rows_ = 0;
  bool last_is_zero_ = false;
  bool is_repeating_ = false;
  bool has_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<Container>> text_container(std::string_view kind, TextIndex index,
                                                  TextAddresses addresses,
                                                  const ContainerLimits& limits,
                                                  std::string remark) {
  if (index.is_empty())
    return fail(error(ErrorCode::bad_container, "the text shows no bytes").at({1, 1}, {}));
  auto made = std::make_unique<TextContainer>(kind, std::move(index), std::move(remark));
  SLABSCOPE_TRY(made->find_regions(addresses, limits));
  return made;
}

Result<std::unique_ptr<Container>> open_text(const TextFormat& format,
                                             std::shared_ptr<RandomAccess> file,
                                             const ContainerHints& hints) {
  TextReader reader(format, std::move(file), hints);
  SLABSCOPE_TRY_ASSIGN(index, reader.read());
  TextAddresses addresses{format.has_addresses, {}};
  if (format.counts_from_base) addresses.base = hints.base;
  return text_container(format.kind.name, std::move(index), addresses, hints.limits,
                        reader.remark());
}

}  // namespace slabscope
