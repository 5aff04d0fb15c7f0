// What must hold for the list of rules as a whole, so that a new rule cannot break how causes are
// found.
#include <slabscope/check/lint.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace slabscope {
namespace {

std::size_t place_of(std::string_view id) {
  const auto all = rules();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Rule* each) { return each->id == id; });
  return static_cast<std::size_t>(found - all.begin());
}

TEST_CASE("rules have names of their own, texts, a check, and of rows a fault") {
  std::set<std::string_view> ids;
  for (const Rule* rule : rules()) {
    CAPTURE(rule->id);
    CHECK(ids.insert(rule->id).second);
    CHECK_FALSE(rule->fires_when.empty());
    CHECK(rule->explanation.ends_with('.'));
    const bool has_check = rule->check != nullptr;
    CHECK(has_check);
    const bool has_fault = rule->fault.plan != nullptr || rule->fault.put != nullptr;
    CHECK(has_fault != rule->of_arena);
    CHECK(find_rule(rule->id) == rule);
  }
  CHECK(find_rule("no-such-rule") == nullptr);
}

TEST_CASE("what a rule may cause stands behind it") {
  for (const Rule* rule : rules()) {
    for (const std::string_view implied : rule->implies) {
      CAPTURE(rule->id);
      CAPTURE(implied);
      if (implied == everything[0]) continue;
      REQUIRE(find_rule(implied) != nullptr);
      CHECK(place_of(rule->id) < place_of(implied));
      CHECK(rule->may_cause(implied));
      CHECK_FALSE(rule->may_cause(rule->id));
    }
    for (const std::string_view attached : rule->attaches_to) CHECK(find_rule(attached) != nullptr);
  }
}

TEST_CASE("rules are chosen in their order") {
  const std::string only[] = {"write-alias", "region-fit"};
  const std::string disabled[] = {"region-fit"};
  const auto chosen = choose_rules(only, {});
  REQUIRE(chosen.has_value());
  REQUIRE(chosen->size() == 2);
  CHECK(chosen->front()->id == "region-fit");
  CHECK(choose_rules({}, disabled)->size() + 1 == rules().size());

  const std::string no_rule[] = {std::string(81, 'x')};
  const auto refused = choose_rules(no_rule, {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "'" + std::string(80, 'x') + "...' is no rule");
}

}  // namespace
}  // namespace slabscope
