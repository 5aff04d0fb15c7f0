// Elsewhere than under AddressSanitizer malloc and its kin are replaced, which glibc allows for:
// operator new uses them. Under it, its hooks see every allocation, and operator new is replaced so
// that it can be refused.
#include "heap.h"

#include "sanitized.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef SLABSCOPE_TESTS_ASAN
// Of the sanitizer's runtime; not every compiler's package has the header for it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));
#else
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* from, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* made);
}
#endif

namespace slabscope::tests {
namespace {

constinit thread_local bool counting = false;
constinit thread_local std::uint64_t allocations = 0;

constinit thread_local std::uint64_t refused_number = 0;  // 0: none
constinit thread_local Refusal refusal = Refusal::once;
constinit thread_local bool refusing = false;
constinit thread_local std::uint64_t asked = 0;

constinit std::atomic<std::int64_t> live = 0;

void count_one() noexcept {
  if (counting) ++allocations;
}

bool is_refused() noexcept {
  if (!refusing) return false;
  ++asked;
  if (refused_number == 0) return false;
  return refusal == Refusal::once ? asked == refused_number : asked >= refused_number;
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

AllocationRefusal::AllocationRefusal(std::uint64_t number, Refusal how) noexcept {
  asked = 0;
  refused_number = number;
  refusal = how;
  refusing = true;
}
AllocationRefusal::~AllocationRefusal() { refusing = false; }
std::uint64_t AllocationRefusal::asked_for() const noexcept { return asked; }

std::int64_t live_allocations() noexcept { return live.load(); }

}  // namespace slabscope::tests

#ifdef SLABSCOPE_TESTS_ASAN

// All forms but those for alignments: the sanitizer's own do not go together with free().
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return slabscope::tests::is_refused() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(std::size_t bytes) {
  if (void* const made = operator new(bytes, std::nothrow)) return made;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return operator new(bytes, std::nothrow);
}
void operator delete(void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }
void operator delete(void* made, const std::nothrow_t&) noexcept { std::free(made); }
void operator delete[](void* made) noexcept { std::free(made); }
void operator delete[](void* made, std::size_t) noexcept { std::free(made); }
void operator delete[](void* made, const std::nothrow_t&) noexcept { std::free(made); }

#else

namespace {

// What was made is counted; a refusal sets errno as the system does.
template <class Make>
void* counted(Make make) noexcept {
  if (slabscope::tests::is_refused()) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const made = make();
  if (made != nullptr) {
    slabscope::tests::count_one();
    slabscope::tests::live.fetch_add(1, std::memory_order_relaxed);
  }
  return made;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
  return counted([&] { return __libc_malloc(bytes); });
}
void* calloc(std::size_t count, std::size_t bytes) {
  return counted([&] { return __libc_calloc(count, bytes); });
}
void* realloc(void* from, std::size_t bytes) {
  if (from == nullptr) return malloc(bytes);
  if (slabscope::tests::is_refused()) {
    errno = ENOMEM;
    return nullptr;
  }
  slabscope::tests::count_one();
  return __libc_realloc(from, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return counted([&] { return __libc_memalign(alignment, bytes); });
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** made, std::size_t alignment, std::size_t bytes) {
  *made = memalign(alignment, bytes);
  return *made == nullptr ? ENOMEM : 0;
}
void free(void* made) {
  if (made != nullptr) slabscope::tests::live.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(made);
}

}  // extern "C"

#endif
