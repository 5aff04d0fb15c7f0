# Finds what slabscope builds on. Looks at what is installed first; the network is used only with
# SLABSCOPE_FETCH=ON, because a download that cannot work hangs for minutes before it says so.
include(FetchContent)
set(missing "")

# require(PACKAGE TARGET REPOSITORY TAG)
macro(require package target repository tag)
  if(NOT TARGET ${target})
    find_package(${package} CONFIG QUIET)
  endif()
  if(NOT TARGET ${target})
    if(SLABSCOPE_FETCH)
      FetchContent_Declare(${package} SYSTEM
        URL https://github.com/${repository}/archive/refs/tags/${tag}.tar.gz)
      FetchContent_MakeAvailable(${package})
    else()
      list(APPEND missing ${package})
    endif()
  endif()
endmacro()

# Used as VALIDATOR: the first python3 on the path may be one that the test packages are not in.
function(has_jsonschema result python)
  execute_process(COMMAND ${python} -c "import jsonschema" RESULT_VARIABLE status
    OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_package(Threads REQUIRED)
set(EXPECTED_BUILD_TESTS OFF CACHE INTERNAL "")
set(DOCTEST_WITH_TESTS OFF CACHE INTERNAL "")
require(tl-expected tl::expected TartanLlama/expected v1.1.0)
require(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json v3.11.3)
if(SLABSCOPE_APP)
  require(CLI11 CLI11::CLI11 CLIUtils/CLI11 v2.4.2)
endif()
if(SLABSCOPE_TESTS)
  require(doctest doctest::doctest doctest/doctest v2.4.12)
  find_program(SLABSCOPE_PYTHON python3 VALIDATOR has_jsonschema
    DOC "A python3 that can import jsonschema, for the tests")
  if(NOT SLABSCOPE_PYTHON)
    list(APPEND missing "python3 with jsonschema")
  endif()
endif()

# require_library(NAME HEADER DEBIAN): sets SLABSCOPE_NAME, what to link. Static where the command must run on machines
# that need not have it, and start fast.
macro(require_library name header debian)
  string(TOUPPER ${name} upper)
  set(names ${name} lib${name}.a)
  if(SLABSCOPE_STATIC_RUNTIME OR SLABSCOPE_FUZZING_ENGINE)
    list(REVERSE names)
  endif()
  find_library(SLABSCOPE_${upper} NAMES ${names} DOC "The library of ${debian}")
  find_path(SLABSCOPE_${upper}_INCLUDE ${header} DOC "Where ${header} is")
  mark_as_advanced(SLABSCOPE_${upper} SLABSCOPE_${upper}_INCLUDE)
  if(NOT SLABSCOPE_${upper} OR NOT SLABSCOPE_${upper}_INCLUDE)
    list(APPEND missing ${debian})
  endif()
endmacro()
require_library(z zlib.h zlib1g-dev)
require_library(zstd zstd.h libzstd-dev)

if(missing)
  list(JOIN missing ", " missing)
  message(FATAL_ERROR "Not found: ${missing}. To install what is missing, run\n  .ci/setup\n"
    "(or configure with -DSLABSCOPE_FETCH=ON, which downloads the C++ libraries).")
endif()
