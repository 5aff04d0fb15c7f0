// mtp_batch slabs to NDJSON rows documents, numbers by std::to_chars into one buffer: PROGRAM DUMP
// ROWS MAX_BLOCKS.
#include <charconv>
#include <string_view>

#include "mtp_batch.h"

namespace {

class Text {
 public:
  explicit Text(std::size_t most) : chars_(most) {}
  void clear() { end_ = 0; }
  void put(std::string_view text) {
    std::memcpy(chars_.data() + end_, text.data(), text.size());
    end_ += text.size();
  }
  template <class T>
  void put_number(T value) {
    const auto done = std::to_chars(chars_.data() + end_, chars_.data() + chars_.size(), value);
    end_ = static_cast<std::size_t>(done.ptr - chars_.data());
  }
  std::string_view view() const { return {chars_.data(), end_}; }

 private:
  std::vector<char> chars_;
  std::size_t end_ = 0;
};

void put_row(const reference::Dump& dump, std::size_t row, Text& text) {
  text.put(R"({"position":)");
  text.put_number(dump.position(row));
  text.put(R"(,"slot":)");
  text.put_number(dump.slot(row));
  text.put(R"(,"seq_len":)");
  text.put_number(dump.seq_len(row));
  text.put(R"(,"block_table":[)");
  for (std::size_t index = 0; index < dump.max_blocks(); ++index) {
    if (index != 0) text.put(",");
    text.put_number(dump.block(row, index));
  }
  text.put("]}");
}

void put_document(const reference::Dump& dump, Text& text) {
  text.put(R"({"layout":"mtp_batch","params":{"rows":)");
  text.put_number(dump.rows());
  text.put(R"(,"max_blocks":)");
  text.put_number(dump.max_blocks());
  text.put(R"(},"rows":[)");
  for (std::size_t row = 0; row < dump.rows(); ++row) {
    if (row != 0) text.put(",");
    put_row(dump, row, text);
  }
  text.put(R"(],"source":{"file":")");
  text.put(dump.name());
  text.put(R"(","container":"raw","offset":)");
  text.put_number(dump.offset());
  text.put(R"(,"bytes":)");
  text.put_number(dump.size());
  text.put("}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  reference::Dump dump(argc, argv);
  Text text(4096 + dump.name().size() + dump.rows() * (128 + 11 * dump.max_blocks()));
  while (dump.next()) {
    text.clear();
    put_document(dump, text);
    if (std::fwrite(text.view().data(), 1, text.view().size(), stdout) != text.view().size())
      return 4;
  }
  return std::fflush(stdout) == 0 ? 0 : 4;
}
