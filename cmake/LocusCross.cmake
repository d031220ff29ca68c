# The patched libomp for another processor: cmake --preset aarch64. What it is built against is unpacked into sysroot/ of the build
# folder; the machine's own packages stay as they are.

set(_sysroot "${CMAKE_BINARY_DIR}/sysroot")
execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/scripts/fetch-sysroot" arm64 "${_sysroot}" RESULT_VARIABLE _result)
if(_result)
  message(FATAL_ERROR "What the runtime is built against could not be fetched; the reason stands above.")
endif()

include(LocusLibomp)
set(LOCUS_TOOLCHAIN "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_LIST_DIR}/${LOCUS_TARGET}.toolchain.cmake")
# They run programs while they are built.
set(LOCUS_CROSS_OPTIONS -DLIBOMP_ARCHER_SUPPORT=OFF -DLIBOMP_OMPD_SUPPORT=OFF)

locus_add_project(libomp
  SOURCE_DIR "${LOCUS_LLVM_SRC}/openmp"
  CMAKE_ARGS
    ${_libomp_options}
    "${LOCUS_TOOLCHAIN}" # the last ones count
    ${LOCUS_CROSS_OPTIONS}
    "-DCMAKE_SYSROOT=${_sysroot}"
    "-DLIBOMP_HWLOC_INSTALL_DIR=${_sysroot}/usr"
    "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
    -DCMAKE_INSTALL_INCLUDEDIR=include
    ${_libomp_locus_options})
_locus_complete_libomp(libomp "${LOCUS_INSTALL_DIR}")

# The tests of the core; scripts/test-aarch64 runs them in a guest.
locus_add_project(unit
  EXCLUDE_FROM_ALL
  NO_INSTALL
  SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/test/unit"
  CMAKE_ARGS
    ${_host_compiler}
    "${LOCUS_TOOLCHAIN}"
    "-DCMAKE_SYSROOT=${_sysroot}"
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
    -DLOCUS_UNIT_SANITIZERS=OFF)

include(LocusPortable)
