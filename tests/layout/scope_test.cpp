// Which parameters have no value before the rows are known.
#include <slabscope/layout/scope.h>

#include "../support/layout_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

using tests::given;
using Names = std::vector<std::string>;

TEST_CASE("defaults that come from the rows through others have no value before them") {
  const DescriptionPtr description = tests::described(R"({"name": "chain", "row_param": "cap",
    "params": {"cap": {}, "a": {"default": "row_count"}, "b": {"default": "a + 1"},
               "c": {"default": "2 * b"}, "d": {"default": 5}},
    "fields": [{"name": "x", "type": "u8", "shape": ["cap", "c"]},
               {"name": "y", "type": "u8", "shape": ["cap", "d"]}]})");
  const auto unset = [&](const Assignments& params, bool row_count_known) {
    return unset_params(*description, params, row_count_known);
  };
  CHECK(unset({}, false) == Names{"cap", "c"});
  CHECK(unset({}, true) == Names{"cap"});
  CHECK(unset(given({{"cap", 4}}), false) == Names{"c"});
  CHECK(unset(given({{"cap", 4}, {"a", 7}}), false) == Names{});
  CHECK(unset(given({{"cap", 4}, {"b", 7}}), false) == Names{});
  CHECK(unset(given({{"cap", 4}, {"d", 7}}), false) == Names{"c"});
  const auto counts = [&](std::string_view name, const Assignments& params) {
    return counts_rows(*description, params, *description->find_param(name));
  };
  CHECK(counts("c", {}));
  CHECK(counts("a", {}));
  CHECK_FALSE(counts("c", given({{"a", 7}})));
  CHECK_FALSE(counts("d", {}));
  CHECK_FALSE(counts("cap", {}));
}

}  // namespace
}  // namespace slabscope
