#include <slabscope/slab/generate.h>
#include <slabscope/slab/implied_params.h>
#include <slabscope/slab/pack.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace slabscope {

std::uint64_t PseudoRandom::next() noexcept {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t PseudoRandom::between(std::uint64_t low, std::uint64_t high) noexcept {
  const uint128 span = uint128{high - low} + 1;
  return low + static_cast<std::uint64_t>((uint128{next()} * span) >> 64U);
}

namespace {

// Blocks of the pool in random order, each once: a shuffle that touches only what is drawn.
class BlockPool {
 public:
  BlockPool(std::uint64_t blocks, std::optional<std::uint64_t> reserved, PseudoRandom& random)
      : random_(random), left_(blocks), reserved_(reserved) {
    if (reserved_ && *reserved_ < left_)
      --left_;
    else
      reserved_.reset();
  }
  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  std::uint64_t draw() {
    const std::uint64_t chosen = random_.between(0, left_ - 1);
    --left_;
    const std::uint64_t block = at(chosen);
    moved_[chosen] = at(left_);
    return reserved_ && block >= *reserved_ ? block + 1 : block;
  }

 private:
  [[nodiscard]] std::uint64_t at(std::uint64_t index) const {
    const auto found = moved_.find(index);
    return found == moved_.end() ? index : found->second;
  }
  PseudoRandom& random_;
  std::uint64_t left_;
  std::optional<std::uint64_t> reserved_;  // the dummy block is nobody's
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

struct Request {
  std::uint64_t tokens = 0;  // the written one included
  std::vector<std::uint64_t> blocks;
};

class Generator {
 public:
  Generator(const DescriptionPtr& description, const Assignments& given,
            const GenerateOptions& options, PseudoRandom& random)
      : description_(description),
        given_(given),
        options_(options),
        random_(random),
        rows_(*description) {}

  Result<GeneratedRows> generate() {
    SLABSCOPE_TRY(choose_padded_rows());
    SLABSCOPE_TRY(check_known_size());
    SLABSCOPE_TRY(make_requests());
    for (const Request& request : requests_) {
      for (std::size_t field = 0; field < description_->fields.size(); ++field)
        if (description_->is_of_rows(description_->fields[field]))
          SLABSCOPE_TRY(add_value(field, request));
      rows_.add_row();
    }
    imply_params(*description_, given_, options_.rows,
                 [this](std::size_t field) { return longest(field); });
    SLABSCOPE_TRY_ASSIGN(layout, resolve(description_, given_, {options_.rows, {}}));
    SLABSCOPE_TRY(check_size(layout, default_max_slab_bytes, {}));
    SLABSCOPE_TRY(fill_other_fields());
    const RowsViewOf view(rows_);
    SLABSCOPE_TRY(check_lists(layout, view.view()));
    return GeneratedRows{std::move(rows_), std::move(layout)};
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> value_of(std::string_view name) const {
    if (const Assignment* const set = find(given_, name)) return set->value;
    const ParamDescription* const param = description_->find_param(name);
    if (param == nullptr) return std::nullopt;
    Scope scope(*description_, options_.rows, options_.rows);
    set_given(scope);
    const auto value = scope.param(index_of(*param));
    return value ? std::optional(*value) : std::nullopt;
  }
  // Entries of one row's table, if that is known before there are rows.
  [[nodiscard]] std::optional<std::uint64_t> table_entries(const FieldDescription& table) const {
    if (table.shape.size() == (table.per_row ? 1U : 0U)) return 1;
    Scope scope(*description_, options_.rows, options_.rows);
    set_given(scope);
    const auto value = scope.count(table.shape.back());
    return value ? std::optional(*value) : std::nullopt;
  }
  void set_given(Scope& scope) const {
    for (const Assignment& each : given_)
      if (const ParamDescription* const param = description_->find_param(each.name))
        scope.set(index_of(*param), each.value);
  }
  [[nodiscard]] std::size_t index_of(const ParamDescription& param) const {
    return static_cast<std::size_t>(&param - description_->params.data());
  }

  // What is too large at the parameters that are given is refused before anything is made.
  Result<void> check_known_size() {
    Assignments known = given_;
    if (description_->row_param) {
      const ParamDescription& rows = description_->params[*description_->row_param];
      if (!rows.value && !rows.default_value && find(known, rows.name) == nullptr)
        known.push_back({rows.name, options_.rows, {}});
    }
    const Result<Layout> layout = resolve(description_, known, {options_.rows, {}});
    if (layout) return check_size(*layout, default_max_slab_bytes, {});
    if (layout.error().code == ErrorCode::param_missing) return {};
    return fail(layout.error());
  }

  // Engines pad a batch up to the size of a captured CUDA graph.
  Result<void> choose_padded_rows() {
    constexpr std::array<std::uint64_t, 11> graph_sizes = {2,  4,  8,  12, 16, 24,
                                                           32, 48, 64, 96, 128};
    const ParamDescription* const padded = description_->find_param("padded_rows");
    if (padded == nullptr || padded->value || !description_->row_param ||
        find(given_, "padded_rows") != nullptr)
      return {};
    const auto graph = std::lower_bound(graph_sizes.begin(), graph_sizes.end(), options_.rows);
    const std::uint64_t wanted = graph == graph_sizes.end() ? options_.rows : *graph;
    const ParamDescription& row_param = description_->params[*description_->row_param];
    const std::uint64_t capacity = value_of(row_param.name).value_or(options_.rows);
    given_.push_back({"padded_rows", std::max(options_.rows, std::min(wanted, capacity)), {}});
    return {};
  }

  // The role of a field whose shape goes with it: a block table is a list, all others are one
  // value. A field of another shape is filled as one without a role.
  [[nodiscard]] static std::string_view role_of(const FieldDescription& field) {
    const std::size_t dimensions = field.shape.size() - (field.per_row ? 1 : 0);
    return dimensions <= (field.role == "block_table" ? 1U : 0U) ? field.role : std::string_view();
  }
  [[nodiscard]] const FieldDescription* block_table() const {
    for (const FieldDescription& each : description_->fields)
      if (role_of(each) == "block_table") return &each;
    return nullptr;
  }

  Result<void> make_requests() {
    const FieldDescription* const table = block_table();
    const auto block_size = value_of("block_size");
    const auto num_blocks = value_of("num_blocks");
    for (const auto& [name, value] :
         {std::pair("block_size", block_size), std::pair("num_blocks", num_blocks)}) {
      if (table != nullptr && !value) return fail(missing_param(*description_, name));
      if (value != std::uint64_t{0}) continue;
      Error made = error(ErrorCode::param_range, "rows need blocks with tokens in them")
                       .with("0", "1 or more");
      made.pointer = std::string("-D ") + name;
      return fail(std::move(made));
    }
    block_size_ = block_size.value_or(1);
    if (table == nullptr) {
      for (std::uint64_t row = 0; row < options_.rows; ++row)
        requests_.push_back({random_.between(1, 1024), {}});
      return {};
    }
    // Ids that the table's type can hold.
    const auto ids =
        static_cast<std::uint64_t>(std::min<int128>(maximum(table->type) + 1, *num_blocks));
    BlockPool pool(ids, value_of("dummy_block"), random_);
    if (options_.rows > pool.left()) {
      Error made =
          error(ErrorCode::pool_exhausted, "the rows need more blocks than the pool has")
              .with("at least " + std::to_string(options_.rows) + " blocks",
                    std::to_string(pool.left()) + " of num_blocks " + std::to_string(*num_blocks));
      return fail(std::move(made));
    }
    constexpr std::uint64_t usual_blocks = 16;
    std::uint64_t most = table_entries(*table).value_or(usual_blocks);
    if (most == 0) {
      Error made =
          error(ErrorCode::param_range, "rows need a block, and their tables have no entries");
      made.pointer = "-D " + table->shape.back().text();
      return fail(std::move(made).with("0", "1 or more"));
    }
    most = std::min(most, options_.most_table_bytes / element_bytes(table->type) /
                              std::max<std::uint64_t>(options_.rows, 1));
    // Sequence lengths are 32-bit in every engine.
    most = std::min<std::uint64_t>(most, std::max<std::uint64_t>(1, 0x7FFFFFFFU / block_size_));
    most = std::min(most, std::max<std::uint64_t>(1, options_.most_blocks));
    for (std::uint64_t row = 0; row < options_.rows; ++row) {
      const std::uint64_t for_others = options_.rows - row - 1;
      requests_.push_back(make_request(pool, std::min(most, pool.left() - for_others)));
    }
    return {};
  }

  Request make_request(BlockPool& pool, std::uint64_t most_blocks) {
    Request made;
    const std::uint64_t count =
        random_.between(std::min(options_.least_blocks, most_blocks), most_blocks);
    const std::uint64_t in_last =
        random_.between(1, std::min<std::uint64_t>(block_size_, 0x7FFFFFFFU));
    made.tokens = (count - 1) * block_size_ + in_last;
    // Full blocks that neither row writes may be shared, in the same columns.
    std::uint64_t shared = 0;
    if (options_.share_prefix && !requests_.empty())
      shared = random_.between(0, std::min(count - 1, requests_.back().blocks.size() - 1));
    for (std::uint64_t column = 0; column < count; ++column)
      made.blocks.push_back(column < shared ? requests_.back().blocks[column] : pool.draw());
    return made;
  }

  Result<void> add_value(std::size_t index, const Request& request) {
    const FieldDescription& field = description_->fields[index];
    ListCounts& counts = rows_.column(index).counts[0];
    const std::string_view role = role_of(field);
    const std::uint64_t kv_index = request.tokens - 1;
    if (role == "block_table") {
      for (const std::uint64_t block : request.blocks) SLABSCOPE_TRY(append(index, block));
      counts.append(request.blocks.size());
      return {};
    }
    int128 value = 0;
    if (role == "position" || role == "kv_position") {
      value = kv_index;
    } else if (role == "seq_len") {
      value = request.tokens;
    } else if (role == "slot") {
      const std::uint64_t block =
          request.blocks.empty() ? kv_index / block_size_ : request.blocks.back();
      value = int128{block} * block_size_ + kv_index % block_size_;
    } else if (role == "seq_slot") {
      value = static_cast<int128>(random_.between(0, 8)) - 1;
    } else {
      return add_any(index, field.shape.size() == (field.per_row ? 1 : 0));
    }
    SLABSCOPE_TRY(append(index, value));
    counts.append(1);
    return {};
  }

  // A field without a role: left out where it may be, else one value, or an empty list.
  Result<void> add_any(std::size_t index, bool is_value) {
    is_value = is_value && !description_->fields[index].may_be_left_out;
    if (is_value) SLABSCOPE_TRY(append(index, random_.between(0, 100)));
    rows_.column(index).counts[0].append(is_value ? 1 : 0);
    return {};
  }

  Result<void> append(std::size_t index, int128 value) {
    const FieldDescription& field = description_->fields[index];
    if (!fits(field.type, value)) {
      Error made = error(ErrorCode::out_of_range, "the generated " + field.name + " does not fit " +
                                                      std::string(name(field.type)) +
                                                      "; take a smaller block_size or num_blocks");
      return fail(std::move(made));
    }
    std::byte* const to = rows_.column(index).elements.extend(element_bytes(field.type));
    visit_type(field.type, [&](auto zero) {
      const auto element = static_cast<decltype(zero)>(value);
      std::memcpy(to, &element, sizeof element);
    });
    return {};
  }

  // Of the lists that are generated, only block tables have entries.
  [[nodiscard]] std::uint64_t longest(std::size_t field) const {
    std::uint64_t longest = 0;
    if (role_of(description_->fields[field]) == "block_table")
      for (const Request& each : requests_)
        longest = std::max<std::uint64_t>(longest, each.blocks.size());
    return longest;
  }

  Result<void> fill_other_fields() {
    for (std::size_t index = 0; index < description_->fields.size(); ++index) {
      const FieldDescription& field = description_->fields[index];
      if (!description_->is_of_rows(field)) SLABSCOPE_TRY(add_any(index, field.shape.empty()));
    }
    return {};
  }

  DescriptionPtr description_;
  Assignments given_;
  GenerateOptions options_;
  PseudoRandom& random_;
  Rows rows_;
  std::uint64_t block_size_ = 1;
  std::vector<Request> requests_;
};

}  // namespace

Result<void> check_generated_rows(std::uint64_t rows) {
  if (rows <= max_generated_rows) return {};
  return fail(error(ErrorCode::limit_exceeded, "more rows than are generated at once")
                  .with(std::to_string(rows), "up to " + std::to_string(max_generated_rows)));
}

Result<GeneratedRows> generate_rows(const DescriptionPtr& description, const Assignments& given,
                                    const GenerateOptions& options, PseudoRandom& random) {
  SLABSCOPE_TRY(check_generated_rows(options.rows));
  return Generator(description, given, options, random).generate();
}

}  // namespace slabscope
