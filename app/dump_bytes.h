// The bytes of a dump that the options mean: of which container, which region, from which address.
#pragma once

#include "arguments.h"
#include "host.h"

#include <slabscope/dump/address_space.h>
#include <slabscope/json/rows_writer.h>
#include <slabscope/layout/layout.h>

#include <memory>
#include <optional>
#include <string>

namespace slabscope::app {

// The options that say which bytes of a dump are meant.
struct RegionOptions {
  std::string dump = "-";
  std::optional<std::string> container;  // its kind, instead of what its first bytes say
  std::optional<std::string> region;
  std::optional<std::string> tensor;  // a region that has a type
  NumberOption address{"--address", {}};
  NumberOption base{"--base", {}};  // the address of a region's first byte
  NumberOption unit{"--unit", {}};
  NumberOption max_inflate{"--max-inflate", {}};
  bool shows_progress = false;
  bool takes_container = true;  // not each of several files
  bool offers_tensors = false;  // is there a --tensors?
  std::string note_prefix;      // which dump notes are about, where there are several
};

// What a container from a pipe may take: it is held in memory. Raw bytes are not.
inline constexpr std::uint64_t max_held_pipe = std::uint64_t{256} << 20;

// A dump, as far as it has been opened.
struct Dump {
  DumpFile file;  // until the container has it
  std::shared_ptr<Container>
      container;  // of raw bytes of a pipe: file.stream is the region's bytes
};

// Opens the dump of the options, as far as it is not open. A pipe that is more than raw bytes is
// held in memory. Errors: open_failed, read_failed, bad_number, out_of_range, those of
// open_container(), limit_exceeded.
[[nodiscard]] Result<Dump> open_dump(const RegionOptions& options, Host& host, Dump dump = {});

// The address of --base. Error: usage, for a container that says addresses itself.
[[nodiscard]] Result<std::optional<std::uint64_t>> stated_base(const RegionOptions& options,
                                                               const Container& container);

// Bytes from the start of a region on; with --address those of regions behind it, too, as far as
// they abut.
class DumpBytes {
 public:
  // What was passed over is told to the host. Errors: those of open_dump(); usage, unknown_region,
  // address_outside.
  static Result<DumpBytes> open(const RegionOptions& options, Host& host, Dump dump = {});

  [[nodiscard]] Source& source() const noexcept { return *source_; }
  // Where --address points to; else 0.
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  // Do the types of the regions under slabs go with their layout? `bytes`: from `offset`, where the
  // first one begins, to the end of the last one. Error: type_mismatch.
  [[nodiscard]] Result<void> check_types(const Layout& layout, std::uint64_t offset,
                                         std::uint64_t stride, std::uint64_t bytes) const;
  [[nodiscard]] std::optional<std::uint64_t> address(std::uint64_t offset) const noexcept;
  // Where a byte stands in the file, if it stands there as it is.
  [[nodiscard]] std::optional<std::uint64_t> file_offset(std::uint64_t offset) const noexcept;
  // What documents say of bytes at an offset; `slab`: its name in an arena, if it has one.
  [[nodiscard]] SlabSource place(std::uint64_t offset, std::uint64_t bytes,
                                 std::string_view slab) const;
  // "the dump", "region '.cudbg.global.1'".
  [[nodiscard]] std::string whole() const;
  // `failed` at a byte: its place in the file, or words for it where it stands there in another
  // form.
  [[nodiscard]] Error at(Error failed, std::uint64_t offset) const;
  // The bytes end inside something that begins at `offset`.
  [[nodiscard]] Error ends_early(std::string message, std::uint64_t offset, std::uint64_t need,
                                 std::uint64_t have) const;

 private:
  DumpBytes(std::string path, std::shared_ptr<Container> container, AddressSpace space)
      : path_(std::move(path)),
        container_(std::move(container)),
        space_(std::move(space)),
        names_(region_names(container_->regions())) {}
  [[nodiscard]] RegionPlace locate(std::uint64_t offset) const noexcept;
  [[nodiscard]] const Region& region(std::size_t index) const noexcept {
    return container_->regions()[index];
  }
  [[nodiscard]] const std::string& name(std::size_t index) const noexcept { return names_[index]; }

  std::string path_;
  std::shared_ptr<Container> container_;
  AddressSpace space_;
  std::vector<std::string> names_;  // of all regions; several threads ask for them at a time
  std::size_t region_ = 0;
  std::uint64_t begin_ = 0;
  std::shared_ptr<AddressRun> run_;  // where an address was asked for
  std::unique_ptr<Source> source_;
};

}  // namespace slabscope::app
