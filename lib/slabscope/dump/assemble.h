// One slab out of columns that were dumped separately, as engines hold them in tensors of their
// own.
#pragma once

#include <slabscope/base/buffer.h>
#include <slabscope/dump/container.h>
#include <slabscope/layout/layout.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slabscope {

// The dumped values of a field.
struct DumpedColumn {
  std::string field;
  std::shared_ptr<RandomAccess> bytes;  // in C order, little-endian
  std::optional<RegionType> type;       // none: bytes that nothing is known of
  std::vector<std::uint64_t> shape;     // where there is a type
  std::string origin;                   // "step.npz:slots", for errors
};

// The parameters that are a dimension of a field on their own, as the columns' shapes have them.
// Errors: unknown_name (a field that the layout does not have), duplicate_name, missing_key (a
// field without a column), type_mismatch (two columns say different values).
[[nodiscard]] Result<Assignments> params_of_columns(const Description& description,
                                                    std::span<const DumpedColumn> columns);

// The slab; gaps are zero. Each field has one column: of its shape where that is known, with
// integers of its width (bytes have no sign), or of as many bytes as it has. `reinterpret`: of
// any type and shape, as long as the bytes are as many. Errors: missing_key, type_mismatch,
// short_dump, slab_limit, those of reading. What holds a column's bytes is let go with the column.
[[nodiscard]] Result<Buffer> assemble_slab(const Layout& layout, std::vector<DumpedColumn> columns,
                                           std::uint64_t max_slab_bytes, bool reinterpret);

}  // namespace slabscope
