# The parts that are projects of their own: the patched clang, the patched libomp, the stock libomp.

include(LocusLibomp)
include(LocusSeries)

locus_add_project(libomp
  SOURCE_DIR "${LOCUS_LLVM_SRC}/${_libomp_source}"
  CMAKE_ARGS
    ${_libomp_options}
    "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
    # A folder with the headers of OpenMP alone, for every compiler; install-resources.cmake links to it.
    -DCMAKE_INSTALL_INCLUDEDIR=include
    ${_libomp_locus_options})

_locus_complete_libomp(libomp "${LOCUS_INSTALL_DIR}")

if(LOCUS_TESTS)
  # The same for tests: it checks itself, with libomp's assertions and ours.
  locus_add_project(libomp-checked
    SOURCE_DIR "${LOCUS_LLVM_SRC}/${_libomp_source}"
    CMAKE_ARGS
      ${_libomp_options}
      -DLIBOMP_ENABLE_ASSERTIONS=ON # the last one counts
      -DLIBOMP_CXXFLAGS=-DLOCUS_CHECKS
      -DCMAKE_INSTALL_INCLUDEDIR=include
      "-DCMAKE_INSTALL_PREFIX=${LOCUS_CHECKED_DIR}"
      ${_libomp_locus_options})
  _locus_complete_libomp(libomp-checked "${LOCUS_CHECKED_DIR}")
endif()

if(LOCUS_TESTS OR NOT LOCUS_CLANG STREQUAL "none")
  locus_add_project(libomp-stock
    SOURCE_DIR "${LOCUS_LLVM_PRISTINE}/${_libomp_source}"
    CMAKE_ARGS
      ${_libomp_options}
      "-DCMAKE_INSTALL_PREFIX=${LOCUS_STOCK_DIR}")
endif()

if(LOCUS_CLANG STREQUAL "overlay")
  locus_add_project(clang-overlay
    SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/cmake/clang-overlay"
    INSTALLS "${LOCUS_INSTALL_DIR}/bin/clang"
    CMAKE_ARGS
      ${_host_compiler}
      "-DLOCUS_LLVM_SRC=${LOCUS_LLVM_SRC}"
      "-DLOCUS_SYSROOT=${CMAKE_BINARY_DIR}/portable/parts/sysroot"
      "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}")
elseif(LOCUS_CLANG STREQUAL "full")
  include(LocusFullClang)
endif()

# build/install and build/stock, complete.
add_custom_target(product ALL DEPENDS libomp)
if(NOT LOCUS_CLANG STREQUAL "none")
  add_dependencies(product clang-${LOCUS_CLANG} libomp-stock)
endif()
