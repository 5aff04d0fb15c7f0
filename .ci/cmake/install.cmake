# cmake --install: the command, the library with its headers, and what find_package and pkg-config need.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slabscope)

install(TARGETS slabscope EXPORT slabscope-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/slabscope TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(EXPORT slabscope-targets NAMESPACE slabscope:: DESTINATION ${package_dir})
# Engines that have CUDA enabled ask for it: find_package(slabscope COMPONENTS cuda).
if(with_cuda)
  install(TARGETS slabscope_cuda EXPORT slabscope-cuda-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT slabscope-cuda-targets NAMESPACE slabscope:: DESTINATION ${package_dir})
endif()
if(SLABSCOPE_APP)
  install(TARGETS slabscope_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/slabscope-config.cmake @ONLY CONTENT
  "include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
find_dependency(Threads)
include(\${CMAKE_CURRENT_LIST_DIR}/slabscope-targets.cmake)
if(\"cuda\" IN_LIST slabscope_FIND_COMPONENTS)
  include(\${CMAKE_CURRENT_LIST_DIR}/slabscope-cuda-targets.cmake OPTIONAL RESULT_VARIABLE found)
  if(NOT found)
    set(slabscope_FOUND FALSE)
    set(slabscope_NOT_FOUND_MESSAGE \"this slabscope was built without CUDA\")
  endif()
endif()
")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/slabscope-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/slabscope-config.cmake
  ${PROJECT_BINARY_DIR}/slabscope-config-version.cmake DESTINATION ${package_dir})

# Paths relative to the file, so that the tree can be moved.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/slabscope.pc @ONLY CONTENT
  "prefix=\${pcfiledir}/../..
Name: slabscope
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Libs: -L\${prefix}/@CMAKE_INSTALL_LIBDIR@ -lslabscope -lz -lzstd -pthread
Cflags: -I\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@ -std=c++20
")
install(FILES ${PROJECT_BINARY_DIR}/slabscope.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
