// mtp_batch slabs to NDJSON rows documents, each row as an ordered tree of nlohmann's: PROGRAM DUMP
// ROWS MAX_BLOCKS.
#include <nlohmann/json.hpp>

#include "mtp_batch.h"

namespace {

using Json = nlohmann::ordered_json;

Json row_of(const reference::Dump& dump, std::size_t row) {
  Json blocks = Json::array();
  for (std::size_t index = 0; index < dump.max_blocks(); ++index)
    blocks.push_back(dump.block(row, index));
  return {{"position", dump.position(row)},
          {"slot", dump.slot(row)},
          {"seq_len", dump.seq_len(row)},
          {"block_table", std::move(blocks)}};
}

std::string document_of(const reference::Dump& dump) {
  const Json params = {{"rows", dump.rows()}, {"max_blocks", dump.max_blocks()}};
  const Json source = {{"file", dump.name()},
                       {"container", "raw"},
                       {"offset", dump.offset()},
                       {"bytes", dump.size()}};
  std::string text = R"({"layout":"mtp_batch","params":)" + params.dump() + R"(,"rows":[)";
  for (std::size_t row = 0; row < dump.rows(); ++row)
    text += (row == 0 ? "" : ",") + row_of(dump, row).dump();
  return text + R"(],"source":)" + source.dump() + "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  reference::Dump dump(argc, argv);
  while (dump.next()) {
    const std::string text = document_of(dump);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return 4;
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}
