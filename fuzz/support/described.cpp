#include "described.h"

#include <vector>

namespace slabscope::fuzz {
namespace {

constexpr std::size_t most_params = 5;
constexpr std::size_t most_fields = 6;
constexpr std::size_t most_dimensions = 4;
constexpr std::size_t deepest = 4;  // expressions are mostly shallow; the target expression goes on

class Describer {
 public:
  explicit Describer(FuzzedInput& input) : input_(input) {}

  std::string layout() {
    const std::size_t params = input_.below(most_params + 1);
    for (std::size_t index = 0; index < params; ++index)
      names_.push_back(index == 2 ? "padded_rows" : "p" + std::to_string(index));
    std::string text = R"({"name": "any")";
    if (params != 0 && !input_.one_in(4)) text += R"(, "row_param": "p0")";
    if (input_.one_in(8)) text += R"(, "align": )" + std::to_string(1U << input_.below(8));
    if (input_.one_in(8)) text += R"(, "rows_per_group": )" + quoted();
    text += R"(, "params": {)";
    for (std::size_t index = 0; index < params; ++index)
      text += (index == 0 ? "\"" : ", \"") + names_[index] + "\": {" + param() + "}";
    text += R"(}, "fields": [)";
    const std::size_t fields = input_.below(most_fields + 1);
    for (std::size_t index = 0; index < fields; ++index)
      text += (index == 0 ? "" : ", ") + field("f" + std::to_string(index));
    return text + "]}";
  }

 private:
  std::string param() {
    switch (input_.below(8)) {
      case 0: return R"("value": )" + quoted();
      case 1: return R"("default": )" + quoted();
      case 2: return R"("max": )" + quoted();
      case 3: return R"("min": )" + quoted() + R"(, "soft_max": )" + quoted();
      default: return "";
    }
  }

  std::string field(const std::string& name) {
    constexpr const char* types[] = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"};
    std::string text =
        R"({"name": ")" + name + R"(", "type": ")" + input_.pick(types) + R"(", "shape": [)";
    const std::size_t dimensions = input_.below(most_dimensions);
    for (std::size_t index = 0; index < dimensions; ++index) {
      const bool is_row = index == 0 && !names_.empty() && !input_.one_in(3);
      text += (index == 0 ? "" : ", ") + (is_row ? R"("p0")" : quoted());
    }
    text += "]";
    switch (input_.below(8)) {
      case 0: text += R"(, "offset": )" + quoted(); break;
      case 1: text += R"(, "align": )" + std::to_string(1U << input_.below(12)); break;
      case 2: text += R"(, "fill": )" + quoted(); break;
      case 3: text += R"(, "fill": "any", "pad": [)" + quoted() + ", " + quoted() + "]"; break;
      case 4: text += R"(, "pad": )" + quoted() + R"(, "null": )" + quoted(); break;
      default: break;
    }
    return text + "}";
  }

  std::string quoted() { return '"' + expression(deepest) + '"'; }

  std::string expression(std::size_t depth) {
    constexpr const char* signs[] = {"+", "-", "*", "/", "%"};
    constexpr const char* functions[] = {"min", "max", "ceil_div", "align_up", "rung"};
    const std::size_t kind = depth == 0 ? 0 : input_.below(12);
    if (kind < 5) return std::to_string(input_.number());
    if (kind < 8) return name();
    if (kind < 10)
      return "(" + expression(depth - 1) + input_.pick(signs) + expression(depth - 1) + ")";
    if (kind == 10) return "-" + expression(depth - 1);
    return std::string(input_.pick(functions)) + "(" + expression(depth - 1) + "," +
           expression(depth - 1) + ")";
  }

  std::string name() {
    const std::size_t chosen = input_.below(names_.size() + 2);
    if (chosen < names_.size()) return names_[chosen];
    return chosen == names_.size() ? "row_count" : "live_rows";
  }

  FuzzedInput& input_;
  std::vector<std::string> names_;
};

}  // namespace

std::string described(FuzzedInput& input) { return Describer(input).layout(); }

}  // namespace slabscope::fuzz
