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
_locus_require_program(LOCUS_PYTHON python3 python3)
_locus_require_program(LOCUS_PATCH patch patch)
_locus_report_missing("Elsewhere install what these are for.")

set(_major ${LOCUS_LLVM_DEFAULT})
find_program(LOCUS_TEST_CLANG NAMES "${CMAKE_CURRENT_SOURCE_DIR}/build/install/bin/clang" clang-${_major} clang
             DOC "The clang that compiles the tests: ours if it is here")
find_program(LOCUS_LIT NAMES lit lit.py llvm-lit PATHS /usr/lib/llvm-${_major}/bin DOC "lit, which runs the tests")
find_path(LOCUS_LLVM_TOOLS_DIR FileCheck PATHS /usr/lib/llvm-${_major}/bin ENV PATH DOC "Folder of FileCheck, not and count")
set(LOCUS_TEST_CLAUSE no)
if(LOCUS_TEST_CLANG AND LOCUS_LIT AND LOCUS_LLVM_TOOLS_DIR)
  file(WRITE "${CMAKE_BINARY_DIR}/has-clause.c" "int known = __has_extension(openmp_task_affinity);\n")
  execute_process(COMMAND "${LOCUS_TEST_CLANG}" -fopenmp -E -P "${CMAKE_BINARY_DIR}/has-clause.c" OUTPUT_VARIABLE _text ERROR_QUIET)
  if(_text MATCHES "known = 1")
    set(LOCUS_TEST_CLAUSE yes)
  endif()
else()
  message(STATUS "There are no tests: they want a clang (${LOCUS_TEST_CLANG}), lit (${LOCUS_LIT}) and FileCheck (${LOCUS_LLVM_TOOLS_DIR})")
  set(LOCUS_TESTS OFF CACHE BOOL "Configure the tests (ctest)" FORCE)
endif()
