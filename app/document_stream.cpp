#include "document_stream.h"

#include "held_output.h"

#include <slabscope/base/ordered_work.h>
#include <slabscope/json/rows_writer.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace slabscope::app {
namespace {

// Slabs that are written together, and their documents.
struct Batch {
  std::vector<SlabReader::Slab> slabs;
  Buffer bytes;           // of the slabs, back to back
  bool is_first = false;  // of all
  Buffer text;
  bool is_whole = false;  // the text is held as a whole
};

constexpr std::size_t batch_bytes = std::size_t{1} << 18;      // of slabs, worth a thread's while
constexpr std::size_t most_slab_bytes = std::size_t{1} << 22;  // larger ones are not held twice

class DocumentStream {
 public:
  DocumentStream(const DecodeOptions& options, bool one_line, SlabReader& slabs, TextWriter& text)
      : options_(options),
        style_{one_line, options.trim, !options.no_residue},
        is_array_(options.is_several() && !one_line),
        slabs_(slabs),
        text_(text) {}

  Result<void> write(unsigned threads) {
    if (is_array_) text_.put("[\n");
    Result<void> outcome =
        threads > 1 && is_for_threads() ? write_on_threads(threads) : write_on_one();
    // What comes before an error is out as a whole, or not at all, on any number of threads.
    if (!outcome && text_.may_be_out()) (void)text_.finish();
    SLABSCOPE_TRY(std::move(outcome));
    if (is_array_) text_.put("\n]\n");
    return {};
  }

 private:
  // Reading ahead is for files that are there: what comes through a pipe may be waited for.
  bool is_for_threads() const {
    const std::span<const Layout> layouts = slabs_.layouts();
    return options_.is_several() && (options_.dump != "-" || options_.jobs.text) &&
           std::all_of(layouts.begin(), layouts.end(),
                       [](const Layout& each) { return each.size <= most_slab_bytes; });
  }

  Result<void> write_document(const SlabReader::Slab& slab, bool is_first, TextWriter& text) const {
    if (is_array_ && !is_first) text.put(",\n");
    SLABSCOPE_TRY_ASSIGN(view, SlabView::of(*slab.layout, slab.bytes));
    const SlabSource source = slabs_.bytes().place(slab.offset, slab.layout->size, slab.name);
    SLABSCOPE_TRY(write_rows(view, source, style_, text));
    if (!is_array_) text.put("\n");
    return {};
  }

  Result<void> write_on_one() {
    for (bool is_first = true; !text_.failed(); is_first = false) {
      SLABSCOPE_TRY_ASSIGN(slab, slabs_.next());
      if (!slab) break;
      SLABSCOPE_TRY(write_document(*slab, is_first, text_));
    }
    return {};
  }

  // False when there are no more; what is wrong then is kept until the slabs before are written.
  bool read(Batch& batch) {
    batch.slabs.clear();
    batch.bytes.clear();
    batch.is_first = std::exchange(is_first_, false);
    while (!is_over_ && batch.bytes.size() < batch_bytes) {
      const std::size_t before = batch.bytes.size();
      auto slab = slabs_.next_behind(batch.bytes);
      is_over_ = !slab || !*slab;
      if (!slab) read_outcome_ = fail(std::move(slab).error());
      if (is_over_) batch.bytes.resize_uninitialised(before);  // no part of a slab
      if (is_over_) break;
      batch.slabs.push_back(**slab);
    }
    return !batch.slabs.empty();
  }

  Result<void> write_batch(const Batch& batch, TextWriter& text) const {
    std::span<const std::byte> bytes = batch.bytes.bytes();
    bool is_first = batch.is_first;
    for (SlabReader::Slab slab : batch.slabs) {
      slab.bytes = bytes.first(slab.bytes.size());
      bytes = bytes.subspan(slab.bytes.size());
      SLABSCOPE_TRY(write_document(slab, std::exchange(is_first, false), text));
    }
    return {};
  }

  void hold_text(Batch& batch) const {
    HeldOutput sink(batch.text);
    TextWriter text(sink);
    batch.is_whole = write_batch(batch, text).has_value() && text.finish().has_value();
  }

  // Text that was too much to hold, or that something is wrong with, is written again in its turn.
  Result<void> put(const Batch& batch) {
    if (!batch.is_whole) return write_batch(batch, text_);
    const std::span<const std::byte> text = batch.text.bytes();
    text_.put({reinterpret_cast<const char*>(text.data()), text.size()});
    return {};
  }

  Result<void> write_on_threads(unsigned threads) {
    Batch first;
    if (!read(first) || is_over_) {  // too few for threads
      SLABSCOPE_TRY(put(first));
      return read_outcome();
    }
    OrderedWork<Batch> work(threads, [this](Batch& batch) { hold_text(batch); });
    work.put(std::move(first));
    std::vector<Batch> unused;
    while (!text_.failed()) {
      while (!work.is_full()) {
        Batch batch;
        if (!unused.empty()) {
          batch = std::move(unused.back());
          unused.pop_back();
        }
        if (!read(batch)) break;
        work.put(std::move(batch));
      }
      if (work.is_empty()) break;
      Batch batch = work.take();
      SLABSCOPE_TRY(put(batch));
      unused.push_back(std::move(batch));
    }
    return read_outcome();
  }

  Result<void> read_outcome() { return text_.failed() ? Result<void>() : std::move(read_outcome_); }

  const DecodeOptions& options_;
  const RowsStyle style_;
  const bool is_array_;
  SlabReader& slabs_;
  TextWriter& text_;
  bool is_first_ = true;
  bool is_over_ = false;
  Result<void> read_outcome_;
};

}  // namespace

Result<void> write_documents(const DecodeOptions& options, bool one_line, unsigned threads,
                             SlabReader& slabs, TextWriter& text) {
  return DocumentStream(options, one_line, slabs, text).write(threads);
}

}  // namespace slabscope::app
