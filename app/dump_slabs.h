// The slabs of a dump, one after the other: what decode, lint and diff read.
#pragma once

#include "command.h"
#include "dump_bytes.h"

#include <slabscope/arena/arena.h>
#include <slabscope/base/buffer.h>
#include <slabscope/dump/self_description.h>
#include <slabscope/layout/layout.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slabscope::app {

// The options that say which bytes of which file are slabs of which layout.
struct DumpOptions : RegionOptions {
  std::string layout;
  std::optional<std::string> arena;  // instead of one layout
  std::vector<std::string> params;
  NumberOption live{"--live", {}};
  NumberOption padded{"--padded", {}};
  NumberOption offset{"--offset", {}};
  NumberOption length{"--length", {}};
  NumberOption stride{"--stride", {}};
  NumberOption count{"--count", {}};
  NumberOption max_slab_bytes{"--max-slab-bytes", {}};
  bool reinterpret = false;             // whatever type the container gives to the bytes
  std::optional<std::string> tensors;   // instead of a dump: one slab of these
  std::optional<std::string> groups;    // for checks
  std::optional<SelfDescription> said;  // by the dump; its params are those that are not given

  // Are several slabs asked for?
  [[nodiscard]] bool is_several() const noexcept { return stride.text || count.text || arena; }
  // The first option given that says nothing of a rows document.
  [[nodiscard]] std::optional<std::string> for_dumps_alone() const;
};

// Error: usage, where --address and --offset both say where the first slab begins.
[[nodiscard]] Result<void> check_begin(const DumpOptions& options);

// What becomes of a slab that is longer than its stride, or than what is left of the dump: an
// error, or it is given as far as it is there.
enum class CutSlabs : std::uint8_t { refuse, take };

class SlabReader {
 public:
  struct Slab {
    const Layout* layout;
    std::uint64_t offset;                    // bytes in the dump, or its region
    std::span<const std::byte> bytes;        // layout->size of them if whole; until the next read
    std::string_view name = {};              // in an arena
    std::optional<std::uint64_t> room = {};  // bytes that it may take, in an arena
  };

  SlabReader() = default;
  SlabReader(const SlabReader&) = delete;
  SlabReader& operator=(const SlabReader&) = delete;
  virtual ~SlabReader() = default;

  // What the slabs stand in.
  [[nodiscard]] virtual const DumpBytes& bytes() const noexcept = 0;
  // The next slab, or nothing at the end. Errors: short_dump, ragged_dump, read_failed.
  [[nodiscard]] virtual Result<std::optional<Slab>> next() = 0;
  // The same, and its bytes behind those that `into` holds; they stand there until it changes.
  [[nodiscard]] virtual Result<std::optional<Slab>> next_behind(Buffer& into) {
    SLABSCOPE_TRY_ASSIGN(slab, next());
    if (slab) {
      const std::size_t begin = into.size();
      into.append(slab->bytes);
      slab->bytes = std::as_const(into).bytes().subspan(begin);
    }
    return slab;
  }
  // More of the bytes that stand behind the slab read last: up to the end of its stride, or to
  // where the next slab of the arena begins. Behind the last slab up to the end of --length or the
  // arena; where nobody says, and without stride and count, to the end of the dump. 0 when there
  // are none left. Error: read_failed.
  [[nodiscard]] virtual Result<std::size_t> read_behind(std::span<std::byte> into) = 0;
  // Of the slabs; one for all of them, or one each.
  [[nodiscard]] virtual std::span<const Layout> layouts() const noexcept = 0;
  // The groups that are meant for a slab: of an arena those of rows, whose layouts have some.
  [[nodiscard]] std::span<const std::int64_t> groups(
      const Slab& slab, std::span<const std::int64_t> given) const noexcept {
    return arena() != nullptr && !slab.layout->description->row_param
               ? std::span<const std::int64_t>()
               : given;
  }
  // Where the slabs lie; null where they are those of no arena.
  [[nodiscard]] virtual const PlacedArena* arena() const noexcept { return nullptr; }
};

// Slabs of one layout in a window of a dump.
class DumpSlabs final : public SlabReader {
 public:
  // Resolves the layout and finds the window; what was solved is told to the host.
  // `dump` and `description`: the dump and its layout, where they have been read already. Errors:
  // those of the options, of DumpBytes::open(), of resolve_dump(), type_mismatch, short_dump,
  // ragged_dump, region_exceeded (the stride).
  static Result<std::unique_ptr<DumpSlabs>> open(const DumpOptions& options, Host& host,
                                                 Dump dump = {}, CutSlabs cut = CutSlabs::refuse,
                                                 DescriptionPtr description = nullptr);

  [[nodiscard]] const DumpBytes& bytes() const noexcept override { return *bytes_; }
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  // The number of padded rows as it was set, whatever became of it in a layout of all rows.
  [[nodiscard]] const std::optional<Assignment>& padded_rows() const noexcept {
    return padded_rows_;
  }
  // How many slabs there are, where that is known without reading them.
  [[nodiscard]] std::optional<std::uint64_t> count() const noexcept { return count_; }
  [[nodiscard]] Result<std::optional<Slab>> next() override {
    slab_.clear();
    return next_behind(slab_);
  }
  [[nodiscard]] Result<std::optional<Slab>> next_behind(Buffer& into) override;
  [[nodiscard]] Result<std::size_t> read_behind(std::span<std::byte> into) override;
  [[nodiscard]] std::span<const Layout> layouts() const noexcept override { return {&layout_, 1}; }

 private:
  struct Window {
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;
    std::optional<std::uint64_t> stride;
    std::optional<std::uint64_t> count;
    std::uint64_t max_slab_bytes = default_max_slab_bytes;

    [[nodiscard]] bool is_several() const noexcept { return stride || count; }
  };

  DumpSlabs(const DumpOptions& options, Window window, Host& host, CutSlabs cut)
      : options_(options), window_(window), host_(host), cut_(cut) {}
  [[nodiscard]] static Result<Window> parse_window(const DumpOptions& options);
  [[nodiscard]] Result<DescriptionPtr> load() const;
  [[nodiscard]] Result<void> prepare(Dump dump, DescriptionPtr description);
  [[nodiscard]] Result<void> open_window(Dump dump);
  [[nodiscard]] Result<void> learn_available();
  [[nodiscard]] std::optional<std::uint64_t> bytes_of_one() const;
  [[nodiscard]] Result<void> check_types() const;
  [[nodiscard]] Result<void> plan();
  [[nodiscard]] Result<void> check_window_end() const;
  [[nodiscard]] Result<bool> read_slab(std::uint64_t offset, Buffer& into);
  [[nodiscard]] Result<bool> pass_rest_of_stride(std::uint64_t offset);
  [[nodiscard]] Error at_window(Error failed) const;
  [[nodiscard]] Failure short_window(std::uint64_t offset, std::uint64_t have,
                                     std::uint64_t need) const;
  [[nodiscard]] Failure short_dump(std::uint64_t offset, const std::string& message,
                                   std::uint64_t have, std::uint64_t need) const;
  [[nodiscard]] Failure ragged(std::uint64_t rest, std::uint64_t offset) const;

  const DumpOptions& options_;
  Window window_;
  Host& host_;
  CutSlabs cut_;
  std::optional<DumpBytes> bytes_;
  std::unique_ptr<Source> held_source_;     // of held_
  Source* source_ = nullptr;                // what is read: that of bytes_, or of held_
  std::optional<std::uint64_t> available_;  // bytes of the window, where they are known
  Buffer held_;                             // a pipe's bytes that had to be read ahead
  Layout layout_;
  std::optional<Assignment> padded_rows_;
  std::uint64_t stride_ = 0;
  std::uint64_t slab_bytes_ = 0;  // of a slab that are read: the layout's size, or the stride
  std::optional<std::uint64_t> count_;
  std::uint64_t number_ = 0;  // slabs read
  std::uint64_t read_ = 0;    // bytes of the last one
  std::uint64_t behind_ = 0;  // bytes read behind it
  Buffer slab_;
};

}  // namespace slabscope::app
