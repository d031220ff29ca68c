# Finds the programs, headers and libraries that the build needs. All that is missing is reported at once, with the command
# that installs it. Sets CMAKE_C_COMPILER and CMAKE_CXX_COMPILER unless they are given.
#
# Result: LOCUS_LLVM_PREFIX (Debian's LLVM), LOCUS_LLVM_TOOLS_DIR (FileCheck and others), LOCUS_LIT (lit.py), LOCUS_PYTHON,
# LOCUS_TRIPLE (what clang calls the machine), LOCUS_TEST_CLANG, LOCUS_TEST_CLAUSE (the clang of the tests, and whether it has our clauses).

set(LOCUS_CLANG overlay CACHE STRING
    "overlay: compile what the patches touch, link the rest from Debian's libclang (minutes); full: all of Clang (an hour or two); none: the runtime alone")
set_property(CACHE LOCUS_CLANG PROPERTY STRINGS overlay full none)
if(NOT LOCUS_CLANG MATCHES "^(overlay|full|none)$")
  message(FATAL_ERROR "LOCUS_CLANG is '${LOCUS_CLANG}': it has to be overlay, full or none.")
endif()
if(NOT LOCUS_LLVM_MAJOR STREQUAL LOCUS_LLVM_DEFAULT AND NOT LOCUS_CLANG STREQUAL "none")
  message(FATAL_ERROR "LOCUS_LLVM is ${LOCUS_LLVM}: of that LLVM only the runtime can be built; set LOCUS_CLANG to none.")
endif()
set(LOCUS_TARGET "" CACHE STRING "aarch64: build the runtime for that processor, and nothing else")
if(NOT LOCUS_TARGET MATCHES "^(|aarch64)$")
  message(FATAL_ERROR "LOCUS_TARGET is '${LOCUS_TARGET}': it has to be aarch64, or empty for this machine.")
endif()

set(_missing "")
set(_packages "")

macro(_locus_report_missing or)
  if(_missing)
    list(REMOVE_DUPLICATES _packages)
    list(JOIN _missing "\n" _missing)
    list(JOIN _packages " " _packages)
    message(FATAL_ERROR "This is missing:\n${_missing}\nOn Debian 12 or 13:\n  apt-get install --no-install-recommends ${_packages}\n${or}")
  endif()
endmacro()

function(_locus_require package what)
  list(APPEND _missing "  ${what} (package ${package})")
  list(APPEND _packages "${package}")
  set(_missing "${_missing}" PARENT_SCOPE)
  set(_packages "${_packages}" PARENT_SCOPE)
endfunction()

macro(_locus_require_program variable package)
  find_program(${variable} NAMES ${ARGN})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    _locus_require(${package} "the program ${ARGN}")
  endif()
endmacro()

macro(_locus_require_file package)
  if(NOT EXISTS "${ARGN}")
    _locus_require(${package} "the file ${ARGN}")
  endif()
endmacro()

if(LOCUS_CLANG STREQUAL "none")
  include(LocusRuntimeRequirements)
  return()
endif()

set(LOCUS_LLVM_PREFIX /usr/lib/llvm-${LOCUS_LLVM_MAJOR} CACHE PATH "Installed LLVM ${LOCUS_LLVM_VERSION} (clang, libraries and headers)")
set(LOCUS_LLVM_TOOLS_DIR "${LOCUS_LLVM_PREFIX}/bin")
set(LOCUS_LIT "${LOCUS_LLVM_PREFIX}/bin/lit")

_locus_require_file(clang-${LOCUS_LLVM_MAJOR} "${LOCUS_LLVM_PREFIX}/bin/clang++")
_locus_require_file(llvm-${LOCUS_LLVM_MAJOR}-dev "${LOCUS_LLVM_PREFIX}/lib/cmake/llvm/LLVMConfig.cmake")
_locus_require_file(libclang-${LOCUS_LLVM_MAJOR}-dev "${LOCUS_LLVM_PREFIX}/lib/cmake/clang/ClangConfig.cmake")
_locus_require_file(lld-${LOCUS_LLVM_MAJOR} "${LOCUS_LLVM_PREFIX}/bin/ld.lld")
_locus_require_file(llvm-${LOCUS_LLVM_MAJOR}-tools "${LOCUS_LLVM_PREFIX}/bin/FileCheck")
_locus_require_file(llvm-${LOCUS_LLVM_MAJOR}-tools "${LOCUS_LIT}")
_locus_require_file(libhwloc-dev /usr/include/hwloc.h)
_locus_require_file(libnuma-dev /usr/include/numa.h)
_locus_require_file(libgtest-dev /usr/include/gtest/gtest.h)
_locus_require_file(libboost-context-dev /usr/include/boost/context/detail/fcontext.hpp)
_locus_require_file(nlohmann-json3-dev /usr/include/nlohmann/json.hpp)
# Debian's own python3, the one that the Debian packages of Python modules are for.
_locus_require_file(python3 /usr/bin/python3)
if(LOCUS_CLANG STREQUAL "full")
  # LLVM's exported targets name them.
  _locus_require_file(libzstd-dev /usr/include/zstd.h)
  _locus_require_file(zlib1g-dev /usr/include/zlib.h)
endif()
set(LOCUS_PYTHON /usr/bin/python3)
_locus_require_program(LOCUS_PATCH patch patch)
_locus_require_program(LOCUS_NINJA ninja-build ninja)

if(EXISTS "${LOCUS_PYTHON}")
  execute_process(COMMAND "${LOCUS_PYTHON}" -c "import psutil" RESULT_VARIABLE _result ERROR_QUIET)
  if(_result)
    _locus_require(python3-psutil "the Python module psutil")
  endif()
endif()

_locus_report_missing("or scripts/run, which does it and builds everything.")

# The patched clang is linked from the prebuilt libraries: one version, to the last digit.
execute_process(COMMAND "${LOCUS_LLVM_PREFIX}/bin/llvm-config" --version OUTPUT_VARIABLE _version
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT _version STREQUAL LOCUS_LLVM_VERSION)
  message(FATAL_ERROR "LLVM ${LOCUS_LLVM_VERSION} is needed, and ${LOCUS_LLVM_PREFIX} is version '${_version}'.\n"
                      "Install Debian's own llvm-${LOCUS_LLVM_MAJOR} packages, or set LOCUS_LLVM_PREFIX.")
endif()
execute_process(COMMAND "${LOCUS_LLVM_PREFIX}/bin/clang" -print-target-triple OUTPUT_VARIABLE LOCUS_TRIPLE
                OUTPUT_STRIP_TRAILING_WHITESPACE)

if(NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})
  set(CMAKE_C_COMPILER "${LOCUS_LLVM_PREFIX}/bin/clang")
endif()
if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  set(CMAKE_CXX_COMPILER "${LOCUS_LLVM_PREFIX}/bin/clang++")
endif()

set(LOCUS_TEST_CLANG "${CMAKE_BINARY_DIR}/install/bin/clang")
set(LOCUS_TEST_CLAUSE yes)
