#include <slabscope/slab/implied_params.h>

#include <algorithm>

namespace slabscope {

void imply_params(const Description& description, Assignments& params, std::uint64_t row_count,
                  const std::function<std::uint64_t(std::size_t field)>& longest) {
  for (std::size_t index = 0; index < description.params.size(); ++index) {
    const ParamDescription& param = description.params[index];
    if (param.value || param.default_value || find(params, param.name) != nullptr) continue;
    std::optional<std::uint64_t> implied;
    if (description.row_param == index) implied = row_count;
    for (std::size_t field = 0; field < description.fields.size() && description.row_param != index;
         ++field) {
      const std::vector<Expression>& shape = description.fields[field].shape;
      if (!shape.empty() && shape.back().as_name() == param.name)
        implied = std::max(implied.value_or(0), longest(field));
    }
    if (implied) params.push_back({param.name, *implied, {}});
  }
}

}  // namespace slabscope
