// What a dump file holds: its container, what that says of itself, and its regions.
#pragma once

#include <slabscope/dump/container.h>
#include <slabscope/text/json_text.h>

#include <string>

namespace slabscope {

struct RegionsReport {
  std::string file;
  const Container& container;
  std::uint64_t unknown = 0;  // bytes of a region whose size is unknown_bytes

  void write_table(TextWriter& text) const;
  // schemas/regions.schema.json.
  void write_json(TextWriter& text) const;
};

}  // namespace slabscope
