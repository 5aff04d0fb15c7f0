// NDJSON rows documents to mtp_batch slabs, by simdjson's on-demand interface, line by line in the
// file held in memory: PROGRAM FILE. Errors are exceptions, which main lets pass.
#include <simdjson.h>

#include "mtp_batch.h"

namespace {

void read(simdjson::ondemand::document& document, reference::Batch& batch) {
  batch.clear(std::uint64_t{document["params"]["max_blocks"]});
  for (simdjson::ondemand::object row : document["rows"]) {
    batch.position.push_back(static_cast<std::uint32_t>(std::uint64_t{row["position"]}));
    batch.slot.push_back(std::int64_t{row["slot"]});
    batch.seq_len.push_back(static_cast<std::int32_t>(std::int64_t{row["seq_len"]}));
    for (const std::uint64_t block : row["block_table"].get_array())
      batch.tables.push_back(static_cast<std::uint32_t>(block));
    batch.end_table();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const simdjson::padded_string text = simdjson::padded_string::load(argv[1]);
  const char* const end = text.data() + text.size();
  simdjson::ondemand::parser parser;
  reference::Batch batch;
  std::vector<char> slab;
  for (const char* line = text.data(); line != end;) {
    const void* const found = std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char* const line_end = found != nullptr ? static_cast<const char*>(found) : end;
    const auto bytes = static_cast<std::size_t>(line_end - line);
    const auto behind = static_cast<std::size_t>(end - line_end) + simdjson::SIMDJSON_PADDING;
    simdjson::ondemand::document document =
        parser.iterate(simdjson::padded_string_view(line, bytes, bytes + behind));
    read(document, batch);
    reference::write_slab(batch, slab);
    line = line_end == end ? end : line_end + 1;
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}
