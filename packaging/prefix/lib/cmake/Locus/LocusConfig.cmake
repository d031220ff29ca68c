# find_package(Locus) gives
#
#   Locus::omp      the runtime, its headers, and -fopenmp for C, C++ and Fortran sources of what links with it. Works
#                   with any compiler; only Locus' clang knows the clause
#   Locus::headers  omp.h and, for gfortran and flang, the module omp_lib, without a library: for code that is
#                   compiled with -fopenmp but not linked here
#   Locus_CLANG, Locus_CLANGXX, Locus_COMPAT_DIR
#                   the compilers, if they are installed here, and the folder for LD_LIBRARY_PATH of programs that
#                   were linked with another OpenMP runtime
#
# With Locus' clang find_package(OpenMP) does as well.

get_filename_component(_locus_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(Locus_FOUND FALSE)
  set(Locus_NOT_FOUND_MESSAGE "Locus is for Linux on x86-64.")
  return()
endif()
if(NOT EXISTS "${_locus_prefix}/lib/libomp.so")
  set(Locus_FOUND FALSE)
  set(Locus_NOT_FOUND_MESSAGE "There is no ${_locus_prefix}/lib/libomp.so: the installation is not complete.")
  return()
endif()

set(Locus_COMPAT_DIR "${_locus_prefix}/lib/compat")
unset(Locus_CLANG)
unset(Locus_CLANGXX)
if(EXISTS "${_locus_prefix}/bin/clang")
  set(Locus_CLANG "${_locus_prefix}/bin/clang")
  set(Locus_CLANGXX "${_locus_prefix}/bin/clang++")
endif()

if(NOT TARGET Locus::headers)
  add_library(Locus::headers INTERFACE IMPORTED)
  set(_locus_include "${_locus_prefix}/include")
  # A module file is for one compiler; without one, compile include/omp_lib.F90.
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    string(REGEX MATCH "^[0-9]+" _locus_major "${CMAKE_Fortran_COMPILER_VERSION}")
    set(_locus_modules "${_locus_prefix}/include/gfortran-${_locus_major}")
  elseif(CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang")
    string(REGEX MATCH "^[0-9]+" _locus_major "${CMAKE_Fortran_COMPILER_VERSION}")
    set(_locus_modules "${_locus_prefix}/include/flang-${_locus_major}")
  endif()
  if(DEFINED _locus_modules AND EXISTS "${_locus_modules}/omp_lib.mod")
    list(APPEND _locus_include "$<$<COMPILE_LANGUAGE:Fortran>:${_locus_modules}>")
  endif()
  set_target_properties(Locus::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_locus_include}")

  add_library(Locus::omp SHARED IMPORTED)
  set_target_properties(Locus::omp PROPERTIES
    IMPORTED_LOCATION "${_locus_prefix}/lib/libomp.so"
    IMPORTED_SONAME libomp.so
    INTERFACE_LINK_LIBRARIES Locus::headers
    # Not for the linker: there gcc would take it as a wish for libgomp.
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fopenmp>")
endif()

foreach(_locus_component IN LISTS Locus_FIND_COMPONENTS)
  if(_locus_component STREQUAL "clang")
    set(Locus_clang_FOUND FALSE)
    if(Locus_CLANG)
      set(Locus_clang_FOUND TRUE)
    endif()
  else()
    set(Locus_${_locus_component}_FOUND FALSE)
  endif()
  if(Locus_FIND_REQUIRED_${_locus_component} AND NOT Locus_${_locus_component}_FOUND)
    set(Locus_FOUND FALSE)
    set(Locus_NOT_FOUND_MESSAGE "${_locus_prefix} has no component ${_locus_component} (the only one is clang).")
  endif()
endforeach()
unset(_locus_component)
unset(_locus_modules)
unset(_locus_major)
unset(_locus_include)
unset(_locus_prefix)
