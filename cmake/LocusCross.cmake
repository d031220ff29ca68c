# The patched libomp for another processor: cmake --preset aarch64. What it is built against is unpacked into sysroot/ of the build
# folder; the machine's own packages stay as they are.

set(_sysroot "${CMAKE_BINARY_DIR}/sysroot")
execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/scripts/fetch-sysroot" arm64 "${_sysroot}" RESULT_VARIABLE _result)
if(_result)
  message(FATAL_ERROR "What the runtime is built against could not be fetched; the reason stands above.")
endif()

include(ExternalProject)
ExternalProject_Add(libomp
  PREFIX "${CMAKE_BINARY_DIR}/projects/libomp"
  SOURCE_DIR "${LOCUS_LLVM_SRC}/openmp"
  BINARY_DIR "${CMAKE_BINARY_DIR}/libomp"
  CMAKE_GENERATOR Ninja
  CMAKE_ARGS
    "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_LIST_DIR}/${LOCUS_TARGET}.toolchain.cmake"
    "-DCMAKE_SYSROOT=${_sysroot}"
    "-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}"
    "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
    "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
    "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
    -DCMAKE_INSTALL_INCLUDEDIR=include
    -DLIBOMP_ENABLE_ASSERTIONS=OFF
    -DLIBOMP_USE_HWLOC=ON
    "-DLIBOMP_HWLOC_INSTALL_DIR=${_sysroot}/usr"
    -DLIBOMP_INSTALL_ALIASES=OFF
    # They run programs while they are built.
    -DLIBOMP_ARCHER_SUPPORT=OFF
    -DLIBOMP_OMPD_SUPPORT=OFF
    -DOPENMP_ENABLE_LIBOMPTARGET=OFF
    "-DOPENMP_LLVM_LIT_EXECUTABLE=${LOCUS_LIT}"
    "-DOPENMP_LLVM_TOOLS_DIR=${LOCUS_LLVM_TOOLS_DIR}"
    "-DLOCUS_RUNTIME_DIR=${CMAKE_CURRENT_SOURCE_DIR}/openmp-runtime/src"
    "-DLOCUS_VERSION=${LOCUS_VERSION}"
    "-DLOCUS_VERSION_NUMBER=${LOCUS_VERSION_NUMBER}"
  BUILD_ALWAYS ON
  USES_TERMINAL_CONFIGURE ON
  USES_TERMINAL_BUILD ON
  USES_TERMINAL_INSTALL ON)
