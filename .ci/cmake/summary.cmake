# Says at the end of configure what this build holds, what it leaves out, and why.

# What the optional parts to come would need: reported here, and never in the way of the build.
function(links_libfuzzer result clang)
  set(source ${CMAKE_BINARY_DIR}/CMakeFiles/libfuzzer_probe.cpp)
  file(WRITE ${source}
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }")
  execute_process(COMMAND ${clang} -fsanitize=fuzzer ${source} -o ${source}.out
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(SLABSCOPE_FUZZ_CXX NAMES clang++-19 clang++-18 clang++ VALIDATOR links_libfuzzer
  DOC "A clang++ that has libFuzzer")
set(fuzz "not built")
if(SLABSCOPE_TESTS)
  set(fuzz "replay alone; to fuzz, .ci/setup --ci installs a clang with libFuzzer")
endif()
if(SLABSCOPE_FUZZING_ENGINE)
  set(fuzz "on, with ${SLABSCOPE_FUZZING_ENGINE}")
elseif(SLABSCOPE_FUZZ_CXX AND SLABSCOPE_TESTS)
  execute_process(COMMAND ${SLABSCOPE_FUZZ_CXX} -dumpversion OUTPUT_VARIABLE version
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(fuzz "replay alone; fuzz/run fuzzes (clang ${version} with libFuzzer found)")
endif()

set(build_type "${CMAKE_BUILD_TYPE}")
if(multi_config)
  set(build_type "chosen when building")
endif()
set(tests "off (SLABSCOPE_TESTS=OFF)")
if(SLABSCOPE_TESTS)
  set(tests "on, with ${SLABSCOPE_PYTHON}")
endif()
set(sanitizers "off (SLABSCOPE_SANITIZE=OFF)")
if(SLABSCOPE_SANITIZE)
  set(sanitizers "address, undefined")
endif()
set(warnings "shown")
if(SLABSCOPE_WERROR)
  set(warnings "are errors")
endif()
message(STATUS "slabscope ${PROJECT_VERSION}
   compiler       ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})
   build type     ${build_type}
   command        ${SLABSCOPE_APP}
   tests          ${tests}
   sanitizers     ${sanitizers}
   warnings       ${warnings}
   CUDA           ${cuda}
   fuzz targets   ${fuzz}")
