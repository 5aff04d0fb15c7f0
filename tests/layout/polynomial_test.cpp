// Sums of products of names, and what becomes of those that are too long to show.
#include <slabscope/layout/polynomial.h>

#include <doctest/doctest.h>

#include <string>

namespace slabscope {
namespace {

Polynomial sum_of_names(int count) {
  Polynomial sum;
  for (int number = 0; number < count; ++number)
    sum = *sum.plus(Polynomial::opaque("n" + std::to_string(100 + number)));
  return sum;
}

constexpr std::string_view too_long = "(too long to show)";

TEST_CASE("a sum of 32 products is shown, and one of 33 is not") {
  CHECK(sum_of_names(32).text().starts_with("n100 + n101 + "));
  CHECK(sum_of_names(32).text().ends_with(" + n131"));
  CHECK(sum_of_names(33).text() == too_long);
}

TEST_CASE("what is too long stays so, whatever is done with it") {
  const Polynomial unknown = sum_of_names(33);
  const Polynomial name = Polynomial::opaque("n");
  const Polynomial two = Polynomial::constant(2);
  CHECK_FALSE(unknown.value());
  CHECK(unknown.divisor() == 1);
  CHECK(unknown.aligned_up(16)->text() == too_long);
  for (const Polynomial& other : {name, two, Polynomial(), unknown}) {
    CHECK(unknown.plus(other)->text() == too_long);
    CHECK(other.plus(unknown)->text() == too_long);
    CHECK(unknown.larger(other).text() == too_long);
    CHECK(other.larger(unknown).text() == too_long);
    CHECK_FALSE(unknown.minus(other));
    CHECK_FALSE(other.minus(unknown));
  }
  CHECK(unknown.times(two)->text() == too_long);
  CHECK(two.times(unknown)->text() == too_long);
  CHECK(unknown.times({})->value() == 0);
  CHECK(Polynomial().times(unknown)->value() == 0);
}

TEST_CASE("sums and products of names") {
  const Polynomial a = Polynomial::opaque("a");
  const Polynomial b = Polynomial::opaque("b", 4);
  const Polynomial sum = *a.times(Polynomial::constant(3))->plus(*b.plus(Polynomial::constant(5)));
  CHECK(sum.text() == "3*a + b + 5");
  CHECK(sum.minus(*a.plus(a))->text() == "a + b + 5");
  CHECK(sum.minus(*a.times(Polynomial::constant(3)))->text() == "b + 5");
  CHECK_FALSE(a.minus(b));
  CHECK_FALSE(a.minus(*a.plus(a)));
  CHECK(a.larger(*a.plus(b)).text() == "a + b");
  CHECK(a.plus(b)->larger(a).text() == "a + b");
  CHECK(a.larger(b).text() == "max(a, b)");
  CHECK(b.times(Polynomial::constant(2))->divisor() == 8);
  CHECK(b.aligned_up(4)->text() == "b");
  CHECK(b.aligned_up(8)->text() == "align_up(b, 8)");
  CHECK(Polynomial::constant(5).aligned_up(8)->value() == 8);
  CHECK_FALSE(Polynomial::constant(~0ULL).plus(Polynomial::constant(1)));
  CHECK_FALSE(Polynomial::constant(~0ULL).times(Polynomial::constant(2)));
  CHECK_FALSE(Polynomial::constant(~0ULL).aligned_up(2));
}

}  // namespace
}  // namespace slabscope
