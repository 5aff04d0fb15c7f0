// What differs between two dumps, as text for people or as JSON. Changes are written as they come;
// only their numbers are kept.
#pragma once

#include <slabscope/check/diff.h>
#include <slabscope/text/json_text.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slabscope {

enum class DiffFormat : std::uint8_t { table, json };

class DiffReport {
 public:
  // Both must outlive the report.
  DiffReport(DiffFormat format, const SlabDiff& diff, TextWriter& text);

  // The changes added next are of the next slab, which begins at these offsets in its dumps
  // (bytes).
  void begin_slab(std::uint64_t offset_before, std::uint64_t offset_after);
  void add(const Change& change);
  // After the last slab. A table of no changes is empty.
  void finish();

  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

 private:
  void put_table(const Change& change);
  void put_gap_lines(const Change& change);
  void put_json(const Change& change);
  void finish_table();
  void finish_json();
  // The numbers of changes by field, the gaps' behind them, where there are any.
  template <class Put>
  void for_each_count(const Put& put) const;

  DiffFormat format_;
  const SlabDiff& diff_;
  TextWriter& text_;
  std::size_t offset_width_;
  std::size_t owner_width_;
  std::uint64_t slabs_ = 0;
  std::uint64_t changed_slabs_ = 0;
  bool slab_has_changed_ = false;
  std::uint64_t offset_before_ = 0;
  std::uint64_t offset_after_ = 0;
  std::uint64_t changes_ = 0;
  std::vector<std::uint64_t> counts_;  // by field, the last one of the gaps
};

}  // namespace slabscope
