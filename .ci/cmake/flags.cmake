# Compiler flags as targets that every target of ours links privately; nothing is set globally.

add_library(slabscope_warnings INTERFACE)
target_compile_options(slabscope_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough
  -Wdouble-promotion
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op;-Wuseless-cast>
  # g++ 12 sees an overlap inside its own "literal" + string (GCC bug 105329); where that comes out
  # of a precompiled header it also sees bytes behind the string.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>
  # libstdc++ 12 deprecates what its own stable_sort uses, and clang says so at the caller.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${SLABSCOPE_WERROR}>:-Werror>)

add_library(slabscope_sanitizers INTERFACE)
if(SLABSCOPE_SANITIZE)
  target_compile_options(slabscope_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # g++ warns wrongly about instrumented code, even inside <regex>.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(slabscope_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

# What a fuzzing engine steers by; build.sh of ClusterFuzzLite brings flags of its own.
if(SLABSCOPE_FUZZING_ENGINE STREQUAL "-fsanitize=fuzzer")
  target_compile_options(slabscope_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()

# clang's source coverage, which .ci/coverage reads.
add_library(slabscope_coverage INTERFACE)
if(SLABSCOPE_COVERAGE)
  target_compile_options(slabscope_coverage INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(slabscope_coverage INTERFACE -fprofile-instr-generate)
endif()

# All together, for targets built and used only in this tree.
add_library(slabscope_flags INTERFACE)
target_link_libraries(slabscope_flags INTERFACE
  slabscope_warnings slabscope_sanitizers slabscope_coverage)

# What nearly every source includes is compiled once. Includes that a file lacks would not show with it: the build
# of the fuzz targets does without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
set(slabscope_common_headers <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <unordered_map> <utility> <vector> <tl/expected.hpp>)
