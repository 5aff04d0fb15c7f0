// The mtp_batch layout written down by hand, for programs that slabscope is measured beside. They
// share nothing with slabscope, so that equal bytes mean something. Little-endian hosts only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace reference {

struct Offsets {
  Offsets(std::size_t rows, std::size_t max_blocks)
      : slot((4 * rows + 7) / 8 * 8),
        seq_len(slot + 8 * rows),
        block_table((seq_len + 4 * rows + 15) / 16 * 16),
        size(block_table + 4 * rows * max_blocks) {}
  std::size_t slot;
  std::size_t seq_len;
  std::size_t block_table;
  std::size_t size;
};

// Columns of a batch, tables filled up to max_blocks.
struct Batch {
  std::size_t max_blocks = 0;
  std::vector<std::uint32_t> position;
  std::vector<std::int64_t> slot;
  std::vector<std::int32_t> seq_len;
  std::vector<std::uint32_t> tables;

  void clear(std::size_t blocks) {
    max_blocks = blocks;
    position.clear();
    slot.clear();
    seq_len.clear();
    tables.clear();
  }
  void end_table() { tables.resize(position.size() * max_blocks); }
};

template <class T>
void copy_column(std::vector<char>& slab, std::size_t offset, const std::vector<T>& column) {
  if (!column.empty()) std::memcpy(slab.data() + offset, column.data(), sizeof(T) * column.size());
}

inline void write_slab(const Batch& batch, std::vector<char>& slab) {
  const Offsets at(batch.position.size(), batch.max_blocks);
  slab.assign(at.block_table, 0);
  slab.resize(at.size);
  copy_column(slab, 0, batch.position);
  copy_column(slab, at.slot, batch.slot);
  copy_column(slab, at.seq_len, batch.seq_len);
  copy_column(slab, at.block_table, batch.tables);
  if (std::fwrite(slab.data(), 1, slab.size(), stdout) != slab.size()) std::exit(4);
}

// A dump of slabs of one shape, read slab by slab: PROGRAM DUMP ROWS MAX_BLOCKS.
class Dump {
 public:
  Dump(int argc, char** argv)
      : name_(argc == 4 ? argv[1] : ""),
        rows_(argc == 4 ? std::strtoull(argv[2], nullptr, 10) : 0),
        max_blocks_(argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0),
        at_(rows_, max_blocks_),
        slab_(at_.size),
        file_(name_, std::ios::binary) {
    if (!file_ || slab_.empty()) std::exit(2);
  }
  bool next() {
    file_.read(slab_.data(), static_cast<std::streamsize>(slab_.size()));
    if (file_.gcount() == 0) return false;
    offset_ = read_;
    read_ += slab_.size();
    return true;
  }
  template <class T>
  T load(std::size_t offset, std::size_t index) const {
    T value;
    std::memcpy(&value, slab_.data() + offset + sizeof value * index, sizeof value);
    return value;
  }
  std::uint32_t position(std::size_t row) const { return load<std::uint32_t>(0, row); }
  std::int64_t slot(std::size_t row) const { return load<std::int64_t>(at_.slot, row); }
  std::int32_t seq_len(std::size_t row) const { return load<std::int32_t>(at_.seq_len, row); }
  std::uint32_t block(std::size_t row, std::size_t index) const {
    return load<std::uint32_t>(at_.block_table, row * max_blocks_ + index);
  }
  const std::string& name() const { return name_; }
  std::size_t rows() const { return rows_; }
  std::size_t max_blocks() const { return max_blocks_; }
  std::size_t offset() const { return offset_; }
  std::size_t size() const { return slab_.size(); }

 private:
  std::string name_;
  std::size_t rows_;
  std::size_t max_blocks_;
  Offsets at_;
  std::vector<char> slab_;
  std::ifstream file_;
  std::size_t offset_ = 0;
  std::size_t read_ = 0;
};

}  // namespace reference
