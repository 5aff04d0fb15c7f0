// Rows documents in: text -> rows that may be packed. Reads one document, NDJSON, or an array of
// documents as a stream; of a document only its rows (as columns) and residue are held.
#pragma once

#include <slabscope/base/stream.h>
#include <slabscope/slab/pack.h>
#include <slabscope/text/tokenizer.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace slabscope {

// The built-in layouts that were asked for, read once. Readers on several threads may share it.
class KnownLayouts {
 public:
  [[nodiscard]] Result<DescriptionPtr> find(const std::string& name);

 private:
  std::mutex mutex_;
  std::map<std::string, DescriptionPtr> layouts_;
};

// What stands above the documents, from the command line or a caller.
struct RowsOptions {
  DescriptionPtr layout;                      // instead of the documents' own
  Assignments params;                         // override the documents'
  std::optional<std::uint64_t> region_bytes;  // likewise
  std::optional<std::uint64_t> stride;        // no region is larger than this
  std::uint64_t max_slab_bytes = default_max_slab_bytes;
  bool strict = false;        // a parameter above its soft maximum is an error
  bool take_partial = false;  // documents decoded without their residue are taken
  bool any_region = false;    // slabs that do not fit their region are taken
  std::shared_ptr<KnownLayouts> known = std::make_shared<KnownLayouts>();
};

// One document, resolved and checked: packing it cannot fail but for I/O (and its
// region, with any_region).
struct RowsDocument {
  Layout layout;
  Rows rows;
  Residue residue;
  std::vector<std::int64_t> groups;
  std::optional<std::uint64_t> region_bytes;  // what the slab may take, where that is said
};

class RowsReader {
 public:
  // `file` is shown in errors. The source must outlive the reader.
  RowsReader(Source& source, std::string file, RowsOptions options);
  // Continues a stream, behind at least one document, at the begin of the line `line`.
  RowsReader(Source& source, std::string file, RowsOptions options, std::uint64_t line);

  // The next document, or nothing at the end. The first violation wins, in the order: syntax, names
  // at top level, parameters, size overflow, limits, region, number of rows, then row by row
  // unknown keys and fields in layout order (missing, type, range, length), residue. Error
  // no_document when there is none at all.
  [[nodiscard]] Result<std::optional<RowsDocument>> next();
  // Takes a document back that is done with: the next one is read into its memory.
  void reuse(RowsDocument document) { spare_ = std::move(document); }
  // Where the reader stands.
  [[nodiscard]] TextPlace place() const noexcept { return tokenizer_.place(); }

 private:
  friend class DocumentReader;
  [[nodiscard]] Rows rows_of(const DescriptionPtr& description);

  Tokenizer tokenizer_;
  RowsOptions options_;
  bool in_array_ = false;
  bool any_ = false;
  std::optional<RowsDocument> spare_;
};

}  // namespace slabscope
