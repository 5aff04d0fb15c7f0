#include <slabscope/base/checked.h>
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/text_image.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slabscope {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{1} << 16;  // of text that is parsed at a time

Failure changed(std::uint64_t offset) {
  return fail(error(ErrorCode::bad_container, "the text is not what it was when it was opened")
                  .at_offset(offset));
}

std::string hex_byte(std::byte byte) { return hex_text(std::to_integer<std::uint64_t>(byte)); }

}  // namespace

Result<void> TextIndex::add_row(const TextLine& line, std::uint64_t address, std::uint64_t bytes,
                                unsigned unit) {
  const std::uint64_t stride = line.next - line.offset;
  TextRun run{address, bytes, line.offset, line.text.size(), stride, bytes, 0, unit};
  if (!checked_add(address, bytes))
    return at_line(error(ErrorCode::bad_container, "the addresses of this row pass 64 bits"), line);
  if (runs_.empty()) return add_run(line, run);
  TextRun& last = runs_.back();
  const bool is_next = last.stride != 0 && last.bytes % last.row_bytes == 0 &&
                       last.end() == address && last.row_bytes == bytes && last.unit == unit &&
                       last.line_bytes == line.text.size() &&
                       last.file_offset + last.bytes / last.row_bytes * last.stride == line.offset;
  if (!is_next) return add_run(line, run);
  last.bytes += bytes;
  return {};
}

Result<void> TextIndex::repeat_row(const TextLine& line, std::uint64_t end) {
  TextRun run = runs_.back();
  const std::uint64_t bytes = end - run.end();
  if (bytes > limits_.max_inflate - repeated_) {
    return at_line(error(ErrorCode::limit_exceeded, "'*' stands for too many bytes")
                       .with(std::to_string(bytes) + " B",
                             "up to " + std::to_string(limits_.max_inflate) + " B in all"),
                   line);
  }
  repeated_ += bytes;
  const std::uint64_t rows = run.bytes / run.row_bytes;
  if (run.stride != 0) run.file_offset += (rows - 1) * run.stride;
  run.address = run.end();
  run.bytes = bytes;
  run.stride = 0;
  return add_run(line, run);
}

Result<void> TextIndex::add_run(const TextLine& line, const TextRun& run) {
  if (runs_.size() >= limits_.max_regions) {
    return at_line(error(ErrorCode::limit_exceeded, "the text's rows have too many forms")
                       .with({}, "up to " + std::to_string(limits_.max_regions) + " runs of rows"),
                   line);
  }
  runs_.push_back(run);
  return {};
}

Result<void> TextIndex::settle() {
  std::vector<TextRun> found;
  found.swap(runs_);
  std::stable_sort(found.begin(), found.end(), [](const TextRun& left, const TextRun& right) {
    return left.address < right.address;
  });
  for (TextRun run : found) {
    // What is behind a run's address and before the end so far is held without a hole.
    const std::uint64_t held = runs_.empty() || runs_.back().end() <= run.address
                                   ? 0
                                   : std::min(run.bytes, runs_.back().end() - run.address);
    if (held > 0) SLABSCOPE_TRY(compare(run, held));
    run.address += held;
    run.bytes -= held;
    run.skip += held;
    if (run.bytes > 0) runs_.push_back(run);
  }
  return {};
}

Result<void> TextIndex::compare(const TextRun& run, std::uint64_t bytes) const {
  std::array<std::byte, 4096> one;
  std::array<std::byte, 4096> other;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t most = std::min(bytes - done, std::uint64_t{other.size()});
    SLABSCOPE_TRY_ASSIGN(count, read_run(run, done, std::span(other).first(most)));
    SLABSCOPE_TRY(read(run.address + done, std::span(one).first(count)));
    const auto [at, same] = std::mismatch(one.begin(), one.begin() + count, other.begin());
    if (same != other.begin() + count) {
      const std::uint64_t address =
          run.address + done + static_cast<std::uint64_t>(at - one.begin());
      return fail(error(ErrorCode::ambiguous_address,
                        "the text shows different bytes for " + hex_text(address))
                      .with(hex_byte(*at) + " and " + hex_byte(*same), {})
                      .at_offset(run.file_offset));
    }
    done += count;
  }
  return {};
}

Result<void> TextIndex::read(std::uint64_t address, std::span<std::byte> into) const {
  auto run = std::upper_bound(
      runs_.begin(), runs_.end(), address,
      [](std::uint64_t wanted, const TextRun& each) { return wanted < each.address; });
  if (run != runs_.begin()) --run;
  while (!into.empty()) {
    SLABSCOPE_TRY_ASSIGN(count, read_run(*run, address - run->address, into));
    address += count;
    into = into.subspan(count);
    if (address == run->end()) ++run;
  }
  return {};
}

// Between 1 byte and what is left of the run.
Result<std::size_t> TextIndex::read_run(const TextRun& run, std::uint64_t from,
                                        std::span<std::byte> into) const {
  const std::uint64_t most = std::min<std::uint64_t>(run.bytes - from, into.size());
  const std::uint64_t place = run.skip + from;
  const std::uint64_t first = run.stride == 0 ? 0 : place / run.row_bytes;
  const std::uint64_t within = place % run.row_bytes;
  std::uint64_t rows = 1;
  if (run.stride != 0)
    rows = std::min((within + most - 1) / run.row_bytes + 1,
                    std::max<std::uint64_t>(1, block_bytes / run.stride));
  Buffer text((rows - 1) * run.stride + run.line_bytes);
  SLABSCOPE_TRY(
      read_exactly_at(*file_, run.file_offset + first * run.stride, text.bytes(), "a row"));
  const std::string_view lines(reinterpret_cast<const char*>(text.data()), text.size());
  TextRow row;
  std::uint64_t done = 0;
  for (std::uint64_t number = 0; number < rows; ++number) {
    SLABSCOPE_TRY(
        parse_again(run, first + number, lines.substr(number * run.stride, run.line_bytes), row));
    std::uint64_t at = number == 0 ? within : 0;
    do {
      const std::uint64_t count = std::min(run.row_bytes - at, most - done);
      std::copy_n(row.bytes.begin() + static_cast<std::ptrdiff_t>(at), count,
                  into.begin() + static_cast<std::ptrdiff_t>(done));
      done += count;
      at = 0;
    } while (run.stride == 0 && done < most);
  }
  return done;
}

Result<void> TextIndex::parse_again(const TextRun& run, std::uint64_t number, std::string_view line,
                                    TextRow& row) const {
  const std::uint64_t offset = run.file_offset + number * run.stride;
  if (!parse_(line, run.unit, row)) return changed(offset);
  if (row.kind != TextRowKind::bytes || row.bytes.size() != run.row_bytes) return changed(offset);
  const bool has_moved = run.stride != 0 && row.address &&
                         *row.address != run.address - run.skip + number * run.row_bytes;
  return has_moved ? Result<void>(changed(offset)) : Result<void>();
}

}  // namespace slabscope
