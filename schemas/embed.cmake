# cmake -D FUNCTION=NAME -D LIST=FILE -D OUTPUT=FILE.cpp -P embed.cmake
# Writes a source whose FUNCTION returns every file that LIST names, one path a line, sorted by name.
# Bytes are written as character literals: any content is safe, and there is no limit as for strings.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${LIST}" paths)
set(names "")
foreach(path IN LISTS paths)
  cmake_path(GET path FILENAME name)
  string(REGEX REPLACE "(\\.schema)?\\.json$" "" name "${name}")
  list(APPEND names "${name}")
  set(path_of_${name} "${path}")
endforeach()
list(SORT names)

set(arrays "")
set(entries "")
set(index 0)
foreach(name IN LISTS names)
  file(READ "${path_of_${name}}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char text_${index}[] = {\n${bytes}'\\0'};\n")
  string(APPEND entries "    {\"${name}\", {text_${index}, sizeof text_${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()

set(result "{}")
if(names)
  set(entries "constexpr EmbeddedFile files[] = {\n${entries}};\n")
  set(result "files")
endif()
file(WRITE "${OUTPUT}" "// Generated from JSON files by schemas/embed.cmake.
#include <slabscope/layout/embedded.h>

namespace slabscope {
namespace {

${arrays}${entries}
}  // namespace

std::span<const EmbeddedFile> ${FUNCTION}() noexcept { return ${result}; }

}  // namespace slabscope
")
