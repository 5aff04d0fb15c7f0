#include <slabscope/report/rows_table.h>

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace slabscope {
namespace {

constexpr std::size_t terminal_width = 80;

class RowsTable {
 public:
  RowsTable(const Batch& batch, const LintResult& lint, const RowsTableStyle& style,
            TextWriter& text)
      : batch_(batch), layout_(batch.layout()), style_(style), text_(text) {
    for (const Finding& each : lint.findings) {
      ++rules_[each.rule];
      if (!each.row) continue;
      char& mark = marks_.try_emplace(*each.row, '?').first->second;
      if (each.severity == FindingSeverity::error) mark = '!';
    }
    for (const ResolvedField& field : layout_.fields) add_columns(field);
  }

  void write() {
    text_.put("slab " + std::to_string(batch_.source().slab) + " (" + layout_.description->name +
              ", at " + std::to_string(style_.offset) +
              "): " + counted(batch_.live_rows(), "live row") + " of " +
              std::to_string(layout_.capacity) + "\n");
    measure();
    if (rows() != 0) write_line(' ', "row", [](const Column& each) { return each.heading; });
    for (std::uint64_t row = 0; row < rows() && !text_.failed(); ++row)
      write_line(mark_of(row), std::to_string(row),
                 [&](const Column& each) { return cell(each, row); });
    write_rest();
  }

 private:
  enum class Kind : std::uint8_t { value, slot_parts, used, list };
  struct Column {
    Kind kind;
    const ResolvedField* field;
    std::string heading;
    std::size_t width = 0;
  };

  [[nodiscard]] bool is_rows(const ResolvedField& field) const {
    return layout_.description->is_of_rows(*field.description);
  }
  [[nodiscard]] bool knows_blocks() const { return batch_.stated("block_size").has_value(); }
  // Rows that are shown: all that are uploaded.
  [[nodiscard]] std::uint64_t rows() const { return layout_.padded_rows; }

  void add_columns(const ResolvedField& field) {
    if (!is_rows(field)) return;
    const auto add = [&](Kind kind, std::string heading) {
      columns_.push_back({kind, &field, std::move(heading)});
    };
    if (!field.item_shape().empty()) {
      if (&field == batch_.table() && knows_blocks() && batch_.find("seq_len") != nullptr)
        add(Kind::used, "used");
      return add(Kind::list, field.name());
    }
    add(Kind::value, field.name());
    if (&field == batch_.find("slot") && knows_blocks()) add(Kind::slot_parts, "block+offset");
  }

  [[nodiscard]] std::string cell(const Column& column, std::uint64_t row) const {
    const ResolvedField& field = *column.field;
    if (column.kind == Kind::list) return list(field, row, column.width);
    if (column.kind == Kind::used) {
      const bool is_sound = row < batch_.live_rows() ? batch_.is_sound(row) : false;
      return (is_sound ? std::to_string(batch_.used(row)) : "-") + "/" +
             std::to_string(batch_.present(row));
    }
    const int128 value = batch_.value(field, row);
    if (column.kind == Kind::value) return to_text(value);
    if (value < 0 || batch_.is_null(field, value)) return "-";
    return to_text(value / batch_.block_size()) + "+" + to_text(value % batch_.block_size());
  }

  // Of a list as much as `width` has room for, at least its first element.
  [[nodiscard]] std::string list(const ResolvedField& field, std::uint64_t row,
                                 std::size_t width) const {
    std::string made;
    std::string shortened;  // what fits together with the number of those left out
    for (std::uint64_t index = 0; index < field.item_elements; ++index) {
      const std::string next = to_text(batch_.view().element(field, row, index));
      made += (made.empty() ? "" : " ") + next;
      if (!style_.wide && index != 0 && made.size() > width) return shortened;
      const std::string more = " .. " + std::to_string(field.item_elements - index - 1) + " more";
      if (index == 0 || made.size() + more.size() <= width) shortened = made + more;
    }
    return made;
  }

  void measure() {
    row_width_ = std::max<std::size_t>(3, std::to_string(rows()).size());
    std::size_t taken = 2 + row_width_;
    std::size_t lists = 0;
    for (Column& each : columns_) {
      lists += each.kind == Kind::list ? 1 : 0;
      if (each.kind == Kind::list) continue;
      each.width = each.heading.size();
      for (std::uint64_t row = 0; row < rows(); ++row)
        each.width = std::max(each.width, cell(each, row).size());
      taken += 2 + each.width;
    }
    constexpr std::size_t least = 20;
    for (Column& each : columns_) {
      if (each.kind != Kind::list) continue;
      const std::size_t room =
          std::max(least, (terminal_width - std::min(terminal_width, taken + 2 * lists)) / lists);
      std::size_t longest = each.heading.size();
      for (std::uint64_t row = 0; row < rows() && longest < room; ++row)
        longest = std::max(longest, list(*each.field, row, room).size());
      each.width = std::min(room, longest);
    }
  }

  [[nodiscard]] char mark_of(std::uint64_t row) const {
    const auto found = marks_.find(row);
    if (found != marks_.end()) return found->second;
    return row < batch_.live_rows() ? ' ' : 'p';
  }

  template <class CellOf>
  void write_line(char mark, const std::string& row, const CellOf& cell_of) {
    std::string line(1, mark);
    const auto add_right = [&](const std::string& made, std::size_t width, std::size_t gap) {
      line += std::string(gap + width - std::min(width, made.size()), ' ') + made;
    };
    add_right(row, row_width_, 1);
    for (const Column& each : columns_) {
      const std::string made = cell_of(each);
      if (each.kind != Kind::list) {
        add_right(made, each.width, 2);
        continue;
      }
      line += "  " + made;
      if (&each != &columns_.back())
        line += std::string(each.width - std::min(each.width, made.size()), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text_.put(line + "\n");
  }

  void write_rest() {
    if (layout_.description->has_padding_rows() && layout_.padded_rows < layout_.capacity)
      text_.put("  rows " + std::to_string(layout_.padded_rows) + ".." +
                std::to_string(layout_.capacity - 1) + " are not uploaded\n");
    for (const ResolvedField& field : layout_.fields)
      if (!is_rows(field)) text_.put("  " + field.name() + ": " + list(field, 0, 60) + "\n");
    if (batch_.live_rows() < rows()) text_.put("  p: padding\n");
    if (rules_.empty()) return;
    std::string line = "  ! error, ? warning or note (lint tells them)";
    std::string separator = ": ";
    for (const Rule* rule : rules())
      if (const auto count = rules_.find(rule->id); count != rules_.end())
        line += std::exchange(separator, ", ") + std::string(rule->id) + " " +
                std::to_string(count->second);
    text_.put(line + "\n");
  }

  const Batch& batch_;
  const Layout& layout_;
  RowsTableStyle style_;
  TextWriter& text_;
  std::map<std::uint64_t, char> marks_;
  std::map<std::string_view, std::uint64_t> rules_;
  std::vector<Column> columns_;
  std::size_t row_width_ = 3;
};

}  // namespace

void write_rows_table(const Batch& batch, const LintResult& lint, const RowsTableStyle& style,
                      TextWriter& text) {
  RowsTable(batch, lint, style, text).write();
}

}  // namespace slabscope
