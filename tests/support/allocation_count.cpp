// With AddressSanitizer its hooks see every allocation, those of malloc and realloc too; elsewhere
// operator new is replaced.
#include "allocation_count.h"

#if defined(__SANITIZE_ADDRESS__)
#define SLABSCOPE_TESTS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLABSCOPE_TESTS_ASAN 1
#endif
#endif

#ifdef SLABSCOPE_TESTS_ASAN
#include <cstddef>

// Of the sanitizer's runtime; not every compiler's package has the header for it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
#else
#include <cstdlib>
#include <new>
#endif

namespace slabscope::tests {
namespace {

thread_local bool counting = false;
thread_local std::uint64_t allocations = 0;

void count_one() noexcept {
  if (counting) ++allocations;
}

#ifdef SLABSCOPE_TESTS_ASAN
void install() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t) { count_one(); }, [](const volatile void*) {});
  (void)installed;
}
#else
void install() {}
#endif

}  // namespace

AllocationCount::AllocationCount() noexcept {
  install();
  allocations = 0;
  counting = true;
}
AllocationCount::~AllocationCount() { counting = false; }
std::uint64_t AllocationCount::so_far() const noexcept { return allocations; }

}  // namespace slabscope::tests

#ifndef SLABSCOPE_TESTS_ASAN
void* operator new(std::size_t bytes) {
  slabscope::tests::count_one();
  if (void* const made = std::malloc(bytes == 0 ? 1 : bytes)) return made;
  throw std::bad_alloc();
}
void operator delete(void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
#endif
