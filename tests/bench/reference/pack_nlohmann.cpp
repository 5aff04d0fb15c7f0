// NDJSON rows documents to mtp_batch slabs, each document as a tree of nlohmann's: PROGRAM FILE.
#include <nlohmann/json.hpp>

#include "mtp_batch.h"

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) return 2;
  reference::Batch batch;
  std::vector<char> slab;
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json document = nlohmann::json::parse(line);
    batch.clear(document.at("params").at("max_blocks").get<std::size_t>());
    for (const nlohmann::json& row : document.at("rows")) {
      batch.position.push_back(row.at("position").get<std::uint32_t>());
      batch.slot.push_back(row.at("slot").get<std::int64_t>());
      batch.seq_len.push_back(row.at("seq_len").get<std::int32_t>());
      for (const nlohmann::json& block : row.at("block_table"))
        batch.tables.push_back(block.get<std::uint32_t>());
      batch.end_table();
    }
    reference::write_slab(batch, slab);
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}
