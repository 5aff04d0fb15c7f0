# Is there a CUDA compiler, and is it to be used? Sets `with_cuda`, and `cuda` for the summary.
# Looking for one never stops a build that did not ask for it.
set(with_cuda OFF)
if(SLABSCOPE_CUDA STREQUAL "AUTO" OR SLABSCOPE_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(with_cuda ON)
    # Older GPUs have SASS of their own, later ones compile the PTX of the last.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
    endif()
    enable_language(CUDA)
    set(cuda "architectures ${CMAKE_CUDA_ARCHITECTURES}, nvcc ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER})")
  elseif(SLABSCOPE_CUDA STREQUAL "AUTO")
    set(cuda "not built, verify has the host only: nvcc is not on the path, and CUDACXX is not set")
  else()
    message(FATAL_ERROR "SLABSCOPE_CUDA is ON, and there is no CUDA compiler that works: put nvcc on "
      "the path, or set CUDACXX or CMAKE_CUDA_COMPILER.")
  endif()
else()
  set(cuda "off, verify has the host only (SLABSCOPE_CUDA=OFF)")
endif()
