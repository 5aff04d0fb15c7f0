// Memory that a text shows row by row: where in the file the rows of which addresses stand. The
// bytes are parsed again each time they are asked for.
#pragma once

#include <slabscope/dump/container.h>
#include <slabscope/dump/text_lines.h>
#include <slabscope/dump/text_row.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slabscope {

// Rows that stand one after the other, each with as many bytes and characters as the others.
struct TextRun {
  std::uint64_t address = 0;  // of the first byte
  std::uint64_t bytes = 0;
  std::uint64_t file_offset = 0;  // of the first row's line
  std::uint64_t line_bytes = 0;   // characters of a line, without its end
  std::uint64_t stride = 0;       // bytes of the file from line to line; 0: one row over and over
  std::uint64_t row_bytes = 0;    // > 0
  std::uint64_t skip = 0;         // bytes of the first row that are not of the run
  unsigned unit = 0;              // as the rows are parsed

  [[nodiscard]] std::uint64_t end() const noexcept { return address + bytes; }
};

// The runs of a text as they are found.
class TextIndex {
 public:
  TextIndex(std::shared_ptr<RandomAccess> file, ParseTextRow parse, const ContainerLimits& limits)
      : file_(std::move(file)), parse_(parse), limits_(limits) {}

  // Errors: limit_exceeded (runs), bad_container (addresses past 64 bits).
  [[nodiscard]] Result<void> add_row(const TextLine& line, std::uint64_t address,
                                     std::uint64_t bytes, unsigned unit);
  // The row added last fills the bytes up to `end`. Errors: as above; limit_exceeded
  // (max_inflate).
  [[nodiscard]] Result<void> repeat_row(const TextLine& line, std::uint64_t end);
  // The last `bytes` bytes of the row added last are none.
  void drop_last(std::uint64_t bytes) noexcept { runs_.back().bytes -= bytes; }

  [[nodiscard]] std::span<const TextRun> runs() const noexcept { return runs_; }
  [[nodiscard]] bool is_empty() const noexcept { return runs_.empty(); }
  [[nodiscard]] std::uint64_t end() const noexcept { return runs_.back().end(); }
  [[nodiscard]] std::uint64_t last_row_bytes() const noexcept { return runs_.back().row_bytes; }

  // Sorts the runs by address; what several show must be the same and is kept once. Errors:
  // ambiguous_address, those of read().
  [[nodiscard]] Result<void> settle();

  // Fills `into` with the bytes at `address`, all of which the runs hold. Errors: those of reading;
  // bad_container (the file is not what it was).
  [[nodiscard]] Result<void> read(std::uint64_t address, std::span<std::byte> into) const;

 private:
  [[nodiscard]] Result<void> add_run(const TextLine& line, const TextRun& run);
  [[nodiscard]] Result<std::size_t> read_run(const TextRun& run, std::uint64_t from,
                                             std::span<std::byte> into) const;
  [[nodiscard]] Result<void> parse_again(const TextRun& run, std::uint64_t number,
                                         std::string_view line, TextRow& row) const;
  [[nodiscard]] Result<void> compare(const TextRun& run, std::uint64_t bytes) const;

  std::shared_ptr<RandomAccess> file_;
  ParseTextRow parse_;
  ContainerLimits limits_;
  std::vector<TextRun> runs_;
  std::uint64_t repeated_ = 0;
};

// What is known of the addresses in a text.
struct TextAddresses {
  bool are_known = true;                // in the text
  std::optional<std::uint64_t> base{};  // of the first byte, instead
};

// A container of the runs: regions are what is contiguous. Error: bad_container (no bytes at all;
// addresses past 64 bits), limit_exceeded (regions).
[[nodiscard]] Result<std::unique_ptr<Container>> text_container(std::string_view kind,
                                                                TextIndex index,
                                                                TextAddresses addresses,
                                                                const ContainerLimits& limits,
                                                                std::string remark);

// A text of rows whose addresses rise, as most tools write it.
struct TextFormat {
  const ContainerKind& kind;
  ParseTextRow parse;
  bool has_addresses = true;
  bool counts_from_base = true;     // a base goes before what the text says
  bool has_end_line = false;        // an address alone is the end, else what follows stands there
  bool repeats_zeros_only = false;  // what "*" may stand for
  bool is_contiguous = false;       // rows may not be left out
  bool may_have_prose = false;      // lines of other text before and behind the rows
  std::vector<unsigned> other_bases = {};  // that the tool can write offsets in, too
  std::size_t hex_offset_digits = 0;       // as many have only those in base 16
  std::string_view hole_advice = {};
};

// Opens such a text. Errors: bad_container with line and column, and those of TextIndex.
[[nodiscard]] Result<std::unique_ptr<Container>> open_text(const TextFormat& format,
                                                           std::shared_ptr<RandomAccess> file,
                                                           const ContainerHints& hints);

}  // namespace slabscope
