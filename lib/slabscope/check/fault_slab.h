// A slab of healthy rows that a rule's fault is put into.
#pragma once

#include <slabscope/check/batch.h>
#include <slabscope/check/fault.h>
#include <slabscope/check/fault_plan.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace slabscope {

class FaultSlab {
 public:
  // Packs the rows; `document` is what becomes of them. Both must outlive the slab.
  static Result<FaultSlab> of(const FaultPlan& plan, const GeneratedRows& rows,
                              FaultyDocument& document);

  // Uses of blocks are those of the healthy rows; elements are read as they are now.
  [[nodiscard]] const Batch& batch() const noexcept { return *batch_; }
  [[nodiscard]] PseudoRandom& random() const noexcept { return *random_; }
  [[nodiscard]] FaultyDocument& document() const noexcept { return *document_; }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return document_->slab.bytes(); }
  [[nodiscard]] std::uint64_t num_blocks() const { return *batch_->stated("num_blocks"); }
  [[nodiscard]] const ResolvedField& slot() const noexcept { return *batch_->find("slot"); }

  // A live row.
  [[nodiscard]] std::uint64_t a_row() const;
  // Two live rows of different groups. Error: there are none.
  struct TwoRows {
    std::uint64_t one, other;
  };
  [[nodiscard]] Result<TwoRows> two_rows() const;
  // 1 half the time, else anything up to `most`: just past a boundary, or far.
  [[nodiscard]] std::uint64_t distance(std::uint64_t most) const;
  // A block of the pool, `least` or above, that no live row uses; none where that takes long.
  [[nodiscard]] std::optional<std::uint64_t> free_block(std::uint64_t least = 0) const;
  // Of those that the field's type holds, that mean something in it and that are not `but_not`.
  [[nodiscard]] std::optional<int128> pick(const ResolvedField& field,
                                           std::span<const int128> candidates,
                                           int128 but_not) const;

  // The value fits the field's type. A list that does not reach so far becomes longer.
  void set(const ResolvedField& field, std::uint64_t row, std::uint64_t index, int128 value) const;
  // Behind the end stands the fill. False: it is not known, a parameter of it is unset.
  [[nodiscard]] bool set_table_length(std::uint64_t row, std::uint64_t length) const;
  // Every list is given as far as its dimension goes.
  void give_all() const;
  // The row's last token is this one; a kv_position follows. False: seq_len cannot say that.
  [[nodiscard]] bool set_kv_index(std::uint64_t row, std::uint64_t kv_index,
                                  bool moves_position = true) const;
  // The row writes into this block, at the place of its last token. False: no slot can say that.
  [[nodiscard]] bool write_into(std::uint64_t row, int128 block) const;
  // The block gets another number, in every row that uses it.
  [[nodiscard]] bool renumber(std::uint64_t block, std::uint64_t number) const;

 private:
  FaultSlab(PseudoRandom& random, FaultyDocument& document)
      : random_(&random), document_(&document) {}
  void write_padding() const;
  [[nodiscard]] std::vector<std::uint64_t>& lengths(const ResolvedField& field) const;

  PseudoRandom* random_;
  FaultyDocument* document_;
  std::unique_ptr<ListLengths> lists_;  // the batch points to it
  std::optional<Batch> batch_;
};

}  // namespace slabscope
