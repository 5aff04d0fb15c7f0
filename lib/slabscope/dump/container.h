// What a dump file holds: regions of memory, whatever the container. One kind of container is one
// file beside this one and one line in containers.cpp.
#pragma once

#include <slabscope/base/element_type.h>
#include <slabscope/dump/random_access.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

// The type that a container gives to a region's elements.
struct RegionType {
  std::string name;                    // in the container's own words: "<i4", "I32", "torch.int64"
  std::optional<ElementType> element;  // if it is one that a field can have
  std::uint64_t bytes = 1;             // of one element
  bool is_big_endian = false;          // the region's bytes come as little-endian all the same
};

// The size of a region that is not known before all of a compressed file is read.
inline constexpr std::uint64_t unknown_bytes = ~std::uint64_t{0};

// Memory that a dump holds. Its bytes are numbered from 0; a window into them is what is decoded.
struct Region {
  std::string name;  // ".cudbg.global.1", the tensor's name; empty for all of a raw file
  std::string kind;  // "raw", "tensor", "global", "managed", "load", "text", "member"
  std::optional<std::uint64_t> address;      // of the first byte on the device, if known
  std::uint64_t bytes = 0;                   // as many as the container claims
  std::optional<std::uint64_t> file_offset;  // of the first byte, where they stand in the file as
                                             // they are: neither compressed, text nor strided
  std::optional<RegionType> type;
  std::vector<std::uint64_t> shape = {};  // of a typed region: elements by dimension, in C order
  std::uint64_t missing = 0;              // of `bytes`, at their end, that the file ends before
  // Is it never meant without its name: what tensors lie in, records and their fields, memory of
  // one block or thread?
  bool must_be_named = false;
  // Do its bytes lie in memory in another order than they are read in (Fortran, strides,
  // big-endian), so that they have no addresses one behind the other?
  bool is_reordered = false;
};

// What each region is called, and no other one: its name, or "name#2" where several have it,
// counted from 1 in their order.
[[nodiscard]] std::vector<std::string> region_names(std::span<const Region> regions);

// Something that a container says of itself: "driver", "570.86", "flags", "0x2f (..)".
struct ContainerFact {
  std::string name;
  std::string value;
};

// Ceilings that a hostile file runs into before memory or time are used.
struct ContainerLimits {
  std::uint64_t max_inflate = std::uint64_t{4} << 30;  // bytes that come out of a compressed file
  std::uint64_t max_regions = std::uint64_t{1} << 20;  // and rows of a table, members of a zip
  // Of all tensors, arrays and fields, members taken together: see region_budget.h.
  std::uint64_t max_tensors = std::uint64_t{1} << 18;
  std::uint64_t max_name_bytes = std::uint64_t{16} << 20;
  std::uint64_t max_dimensions = std::uint64_t{1} << 20;
  std::uint64_t max_header_bytes = std::uint64_t{100} << 20;  // of one JSON header, pickle or table
  unsigned max_nesting = 64;     // of pickled objects, and of dict literals
  unsigned max_depth = 2;        // of compressed files in compressed files
  unsigned max_window_log = 27;  // of a zstd frame: 2^27 B are kept while it is read
};

// What a user says about a file where its bytes leave it open.
struct ContainerHints {
  ContainerLimits limits = {};
  std::optional<std::uint64_t> base;  // device address of the first byte, where there is none
  std::optional<unsigned> unit;       // bytes of a number in text: 1, 2, 4, 8
  // Of what comes out of a compressed file: its kind, where that is given, and how often something
  // came out already.
  std::optional<std::string> inner_kind = {};
  unsigned depth = 0;
  bool is_kind_given = false;  // by its name, whatever the first bytes say
};

class Container {
 public:
  Container() = default;
  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;
  virtual ~Container() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;  // "npy", "gzip/cuda-core"
  // In the order of the file.
  [[nodiscard]] virtual std::span<const Region> regions() const noexcept = 0;
  [[nodiscard]] virtual std::span<const ContainerFact> facts() const noexcept { return {}; }
  // Why it has no regions, or not those that were hoped for: "taken with skip_global_memory ..".
  [[nodiscard]] virtual std::string_view remark() const noexcept { return {}; }
  // What of the file was passed over and may have been meant: "3 lines of other text passed over".
  [[nodiscard]] virtual std::string_view passed_over() const noexcept { return {}; }
  // Does it say addresses of its own, so that ContainerHints::base is not for it?
  [[nodiscard]] virtual bool says_addresses() const noexcept { return false; }
  // What is known of an address that no region holds: "memory of .. is not in this dump".
  [[nodiscard]] virtual std::string explain(std::uint64_t /*address*/) const {
    return std::string(remark());
  }

  // The bytes of regions()[region], in C order and little-endian, read as they are asked for. The
  // source may outlive the container. Errors: what makes these bytes unreadable (bad_container).
  [[nodiscard]] virtual Result<std::shared_ptr<RandomAccess>> open(std::size_t region) = 0;
};

// A kind of container.
struct ContainerKind {
  std::string_view name;     // as in --container and in documents
  std::string_view meaning;  // a few words for --help
  // Is this how such a file begins? `first`: up to container_magic_bytes bytes of it; `size`: of
  // all of it, or unknown_bytes.
  bool (*recognises)(std::span<const std::byte> first, std::uint64_t size) noexcept;
  // Reads what is needed to list the regions. Errors: bad_container (what is wrong and where in the
  // file), unsupported_container (what to do instead), limit_exceeded, read_failed.
  Result<std::unique_ptr<Container>> (*open)(std::shared_ptr<RandomAccess> file,
                                             const ContainerHints& hints);
  bool is_compression = false;         // what comes out is a container again
  bool is_known_by_few_bytes = false;  // memory may begin with them by chance
};

// How many bytes recognises() looks at.
inline constexpr std::size_t container_magic_bytes = 4096;

// What is said where ContainerHints::base could be that of any of several "arrays".
[[nodiscard]] std::string base_of_several(std::string_view what);

// Every kind, in the order in which they are asked.
[[nodiscard]] std::span<const ContainerKind* const> container_kinds() noexcept;

// The kind that recognises a file's first bytes; at least raw_kind does.
[[nodiscard]] const ContainerKind& recognise(std::span<const std::byte> first,
                                             std::uint64_t size) noexcept;

// The same of a file. Errors: those of reading its first byte.
[[nodiscard]] Result<const ContainerKind*> recognise(RandomAccess& file);

// Opens `file` as what it is by its first bytes, or as `kind` where that is given ("raw" is always
// possible; "gzip/raw": first the one, then what comes out of it as the other). Errors: those of
// ContainerKind::open(); unknown_container.
[[nodiscard]] Result<std::unique_ptr<Container>> open_container(
    std::shared_ptr<RandomAccess> file, std::optional<std::string_view> kind,
    const ContainerHints& hints);

}  // namespace slabscope
