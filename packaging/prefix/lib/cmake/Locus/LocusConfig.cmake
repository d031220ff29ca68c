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

# A module file is for one compiler; without one, compile include/omp_lib.F90.
set(_locus_has_module FALSE)
set(_locus_no_module "The component Fortran is asked for, but the project has no language Fortran.")
if(CMAKE_Fortran_COMPILER_LOADED)
  string(REGEX MATCH "^[0-9]+" _locus_major "${CMAKE_Fortran_COMPILER_VERSION}")
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    set(_locus_modules "${_locus_prefix}/include/gfortran-${_locus_major}")
  else()
    set(_locus_modules "${_locus_prefix}/include/flang-${_locus_major}")
  endif()
  if(EXISTS "${_locus_modules}/omp_lib.mod")
    set(_locus_has_module TRUE)
  endif()
  set(_locus_no_module "There is no module omp_lib for ${CMAKE_Fortran_COMPILER} in ${_locus_prefix}/include: 'use omp_lib' finds the compiler's own one, without Locus' routines. Compile ${_locus_prefix}/include/omp_lib.F90 with -fopenmp -cpp -c, and name the folder of the result with -I.")
  if(NOT _locus_has_module AND NOT Locus_FIND_QUIETLY AND NOT "Fortran" IN_LIST Locus_FIND_COMPONENTS)
    message(WARNING "Locus: ${_locus_no_module}")
  endif()
endif()

if(NOT TARGET Locus::headers)
  add_library(Locus::headers INTERFACE IMPORTED)
  set(_locus_include "${_locus_prefix}/include")
  if(_locus_has_module)
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

# The component clang: the project's C and C++ are compiled by a clang that knows the clause. The component Fortran: there is
# a module for its Fortran compiler.
foreach(_locus_component IN LISTS Locus_FIND_COMPONENTS)
  set(Locus_${_locus_component}_FOUND FALSE)
  set(_locus_why "${_locus_prefix} has no component ${_locus_component} (there are clang and Fortran).")
  if(_locus_component STREQUAL "clang" AND NOT Locus_CLANG)
    set(_locus_why "${_locus_prefix} has no component clang: only the runtime is installed there.")
  elseif(_locus_component STREQUAL "clang")
    set(Locus_clang_FOUND TRUE)
    foreach(_locus_language IN ITEMS C CXX)
      if(NOT CMAKE_${_locus_language}_COMPILER_LOADED)
        continue()
      endif()
      execute_process(COMMAND "${CMAKE_${_locus_language}_COMPILER}" --version
        OUTPUT_VARIABLE _locus_version ERROR_VARIABLE _locus_version RESULT_VARIABLE _locus_status)
      if(NOT _locus_version MATCHES "Locus clang")
        set(Locus_clang_FOUND FALSE)
        set(_locus_why "The component clang is asked for, but CMAKE_${_locus_language}_COMPILER is ${CMAKE_${_locus_language}_COMPILER}, which does not know the clause: configure anew with -DCMAKE_C_COMPILER=${Locus_CLANG} -DCMAKE_CXX_COMPILER=${Locus_CLANGXX}.")
      endif()
    endforeach()
  elseif(_locus_component STREQUAL "Fortran")
    set(Locus_Fortran_FOUND ${_locus_has_module})
    set(_locus_why "${_locus_no_module}")
  endif()
  if(Locus_FIND_REQUIRED_${_locus_component} AND NOT Locus_${_locus_component}_FOUND)
    set(Locus_FOUND FALSE)
    set(Locus_NOT_FOUND_MESSAGE "${_locus_why}")
  endif()
endforeach()
unset(_locus_why)
unset(_locus_language)
unset(_locus_version)
unset(_locus_status)
unset(_locus_has_module)
unset(_locus_no_module)
unset(_locus_component)
unset(_locus_modules)
unset(_locus_major)
unset(_locus_include)
unset(_locus_prefix)
