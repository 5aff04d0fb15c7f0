#include <slabscope/dump/region_budget.h>

namespace slabscope {
namespace {

Failure over(std::string message, std::uint64_t most, std::string_view of) {
  return fail(error(ErrorCode::limit_exceeded, std::move(message))
                  .with({}, "at most " + std::to_string(most) + std::string(of)));
}

}  // namespace

Result<void> RegionBudget::take(std::string_view name, std::size_t dimensions) {
  if (++tensors_ > limits_.max_tensors)
    return over("the file has too many tensors, arrays and fields", limits_.max_tensors, "");
  name_bytes_ += name.size();
  if (name_bytes_ > limits_.max_name_bytes)
    return over("the names of the file's tensors, arrays and fields are too long",
                limits_.max_name_bytes, " B in all");
  dimensions_ += dimensions;
  if (dimensions_ > limits_.max_dimensions)
    return over("the shapes of the file's tensors, arrays and fields are too long",
                limits_.max_dimensions, " dimensions in all");
  return {};
}

}  // namespace slabscope
