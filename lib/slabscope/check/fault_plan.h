// What a rule's fault may say before there are rows: parameters, how many blocks a row has, how
// many rows of padding there are.
#pragma once

#include <slabscope/slab/generate.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slabscope {

// Error fault_impossible.
[[nodiscard]] Failure impossible(std::string message);

class FaultPlan {
 public:
  // `given`: what the caller sets, and wants to keep.
  FaultPlan(const DescriptionPtr& description, const Assignments& given,
            const GenerateOptions& options, PseudoRandom& random)
      : generate(options),
        description_(description),
        given_(given),
        params_(given),
        random_(random) {}

  GenerateOptions generate;        // its rows are the live ones
  std::uint64_t written_rows = 0;  // of padding, in the document behind the live ones
  std::string_view unsaid;         // a parameter whose default the document does not state

  [[nodiscard]] const Description& description() const noexcept { return *description_; }
  [[nodiscard]] const DescriptionPtr& description_ptr() const noexcept { return description_; }
  [[nodiscard]] const Assignments& params() const noexcept { return params_; }
  // Padding that is written out is generated as rows, and overwritten.
  [[nodiscard]] GenerateOptions options() const noexcept {
    GenerateOptions made = generate;
    made.rows += written_rows;
    return made;
  }
  [[nodiscard]] PseudoRandom& random() const noexcept { return random_; }
  // The table of blocks.
  [[nodiscard]] const FieldDescription& table() const;

  // Neither given by the caller nor derived, and one that this layout takes.
  [[nodiscard]] bool may_set(std::string_view name) const;
  // Whether the layout takes it.
  bool set(std::string_view name, std::uint64_t value);
  // As it is set, derived, or its default.
  [[nodiscard]] std::optional<std::uint64_t> value(std::string_view name) const;
  // Of an expression of the layout, where the parameters that it needs have values.
  [[nodiscard]] std::optional<std::uint64_t> value(const Expression& expression) const;
  // Entries of a block table. Sets them to `otherwise` where nobody says how many there are.
  [[nodiscard]] std::optional<std::uint64_t> table_entries(std::uint64_t otherwise);
  // Rows that the slab has room for.
  [[nodiscard]] std::uint64_t capacity() const;
  // Is a parameter above its soft maximum?
  [[nodiscard]] bool has_warnings() const;

  // block_size, num_blocks and dummy_block, where they are needed and not known.
  [[nodiscard]] Result<void> choose_pool(bool is_needed);
  // Rows of padding behind the live ones.
  [[nodiscard]] Result<void> choose_padding();

 private:
  [[nodiscard]] Result<Layout> resolved(const Assignments& params) const;
  [[nodiscard]] bool make_capacity(std::uint64_t rows);

  DescriptionPtr description_;
  const Assignments& given_;
  Assignments params_;
  PseudoRandom& random_;
};

}  // namespace slabscope
