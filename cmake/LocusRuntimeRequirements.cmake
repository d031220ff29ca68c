# What LocusRequirements.cmake finds, for LOCUS_CLANG=none: hwloc and libnuma where CMake and the compiler look, a compiler of the user's
# choice, and nothing of LLVM's but its source. Tests want a clang, lit and FileCheck, and are left out, with a word, if these are not here.

# Before project() CMake looks nowhere by itself.
set(_usual PATH_SUFFIXES include PATHS ENV CPATH /usr/local /usr)
find_path(LOCUS_HWLOC_INCLUDE hwloc.h ${_usual} DOC "Folder of hwloc.h")
find_path(LOCUS_NUMA_INCLUDE numa.h ${_usual} DOC "Folder of numa.h")
mark_as_advanced(LOCUS_HWLOC_INCLUDE LOCUS_NUMA_INCLUDE)
if(NOT LOCUS_HWLOC_INCLUDE)
  _locus_require(libhwloc-dev "hwloc's header hwloc.h, in a folder that CMAKE_PREFIX_PATH names")
endif()
if(NOT LOCUS_NUMA_INCLUDE)
  _locus_require(libnuma-dev "libnuma's header numa.h, in a folder that CMAKE_PREFIX_PATH names")
endif()
# lit and its tests want psutil, which the first python3 of PATH may lack although the system's has it.
foreach(_python python3 /usr/bin/python3)
  execute_process(COMMAND "${_python}" -c "import psutil, sys; print(sys.executable, end='')"
                  OUTPUT_VARIABLE _executable RESULT_VARIABLE _no_psutil ERROR_QUIET)
  if(_no_psutil STREQUAL "0")
    set(LOCUS_PYTHON "${_executable}" CACHE FILEPATH "A Python 3, for the tests one with psutil")
    break()
  endif()
endforeach()
_locus_require_program(LOCUS_PYTHON python3 python3)
_locus_require_program(LOCUS_PATCH patch patch)
# cmake/fetch-llvm-source unpacks the source by it, where that is not here yet.
if(NOT LLVM_SOURCE_DIR AND "$ENV{LLVM_SOURCE_DIR}" STREQUAL "" AND NOT EXISTS "${CMAKE_BINARY_DIR}/llvm-pristine/.complete")
  _locus_require_program(LOCUS_XZ xz-utils xz)
endif()
_locus_report_missing("Elsewhere install what these are for.")

set(_major ${LOCUS_LLVM_DEFAULT})
find_program(LOCUS_TEST_CLANG NAMES "${CMAKE_CURRENT_SOURCE_DIR}/build/install/bin/clang" clang-${_major} clang
             DOC "The clang that compiles the tests: ours if it is here")
find_program(LOCUS_LIT NAMES lit lit.py llvm-lit PATHS /usr/lib/llvm-${_major}/bin DOC "lit, which runs the tests")
find_path(LOCUS_LLVM_TOOLS_DIR FileCheck PATHS /usr/lib/llvm-${_major}/bin ENV PATH DOC "Folder of FileCheck, not and count")
set(LOCUS_TEST_CLAUSE no)
execute_process(COMMAND "${LOCUS_PYTHON}" -c "import psutil" RESULT_VARIABLE _no_psutil ERROR_QUIET)
if(LOCUS_TEST_CLANG AND LOCUS_LIT AND LOCUS_LLVM_TOOLS_DIR AND _no_psutil STREQUAL "0")
  file(WRITE "${CMAKE_BINARY_DIR}/has-clause.c" "int known = __has_extension(openmp_task_affinity);\n")
  execute_process(COMMAND "${LOCUS_TEST_CLANG}" -fopenmp -E -P "${CMAKE_BINARY_DIR}/has-clause.c" OUTPUT_VARIABLE _text ERROR_QUIET)
  if(_text MATCHES "known = 1")
    set(LOCUS_TEST_CLAUSE yes)
  endif()
else()
  message(STATUS "There are no tests: they want a clang (${LOCUS_TEST_CLANG}), lit (${LOCUS_LIT}), FileCheck (${LOCUS_LLVM_TOOLS_DIR}) "
                 "and psutil in a Python (${LOCUS_PYTHON})")
  set(LOCUS_TESTS OFF CACHE BOOL "Configure the tests (ctest)" FORCE)
endif()
