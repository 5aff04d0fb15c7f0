// Rows documents with one thing wrong: for each rule one that breaks it, and of the other rules
// only those that it implies. How a rule is broken stands in the rule's file.
#pragma once

#include <slabscope/check/rule.h>
#include <slabscope/slab/generate.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace slabscope {

struct FaultOptions {
  struct Range {
    std::uint64_t least, most;
  };
  std::optional<Range> rows;  // live ones, a number between the two. None: as few as it takes
  bool share_prefix = false;  // see GenerateOptions
};

// What a document says: its slab, how many entries of each list it gives, and more.
struct FaultyDocument {
  // Set are the parameters that the document states, those among them that have a default too.
  Layout layout;
  Buffer slab;  // layout.size bytes
  std::optional<std::uint64_t> region_bytes;
  // By field, entries of each row's list; empty for fields without lists, or with lists of lists.
  std::vector<std::vector<std::uint64_t>> lengths;
  // Rules that spoiled what was tried before, by accident: a wrong slot may be what another block
  // size gives.
  std::vector<std::string_view> spoiled_by;
};

// The lengths of a document's lists as the writer and the checks take them. The document must
// outlive it.
class ListLengths {
 public:
  explicit ListLengths(const FaultyDocument& document);
  [[nodiscard]] const RowsView& view() const noexcept { return view_; }

 private:
  std::vector<ListCountsView> counts_;
  std::vector<ColumnView> columns_;
  RowsView view_;
};

// Rows are drawn anew where those at hand have no place for the fault, or another rule happens to
// fire.
inline constexpr int fault_tries = 64;

// A document that breaks `rule` and nothing that does not follow from it; which row, and by how
// much, is up to `random`. Parameters in `given` are kept; those that the rule needs beside them
// are chosen, and stated. Cost: that of generate_rows() and lint(), at most fault_tries times.
// Errors: fault_impossible, which says what is missing, and those of generate_rows() and pack().
Result<FaultyDocument> generate_fault(const Rule& rule, const DescriptionPtr& description,
                                      const Assignments& given, const FaultOptions& options,
                                      PseudoRandom& random);

// Are these findings of a document what was asked for? They are when the rule has fired, not as a
// consequence of another one, and all else follows from it. Of a rule that explains others
// (attaches_to), those and what follows from them may fire. Returns the rule that spoils it, which
// is `rule` itself when it did not fire.
[[nodiscard]] std::optional<std::string_view> spoils(const Rule& rule, const Findings& findings);

}  // namespace slabscope
