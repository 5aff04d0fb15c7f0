// Is this a build with AddressSanitizer? What runs long does less of it there.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define SLABSCOPE_TESTS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLABSCOPE_TESTS_ASAN 1
#endif
#endif

namespace slabscope::tests {

#ifdef SLABSCOPE_TESTS_ASAN
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace slabscope::tests
