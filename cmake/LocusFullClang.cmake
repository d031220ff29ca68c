# LOCUS_CLANG=full: every library and tool of Clang from the patched source, as a standalone build on Debian's libLLVM, which no
# patch touches. The install is that of the overlay, file by file; the other tools stay in build/clang-full/bin.

locus_series_version("${CMAKE_CURRENT_SOURCE_DIR}/clang-patches" _series_version)

locus_add_project(clang-full
  SOURCE_DIR "${LOCUS_LLVM_SRC}/clang"
  INSTALLS "${LOCUS_INSTALL_DIR}/bin/clang"
  CMAKE_ARGS
    ${_host_compiler}
    "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
    "-DCMAKE_INSTALL_RPATH=${LOCUS_LLVM_PREFIX}/lib"
    "-DLLVM_DIR=${LOCUS_LLVM_PREFIX}/lib/cmake/llvm"
    -DLLVM_USE_LINKER=lld
    # Not three copies of clang.
    -DLLVM_USE_SYMLINKS=ON
    # Its tests run by scripts/compare-clang-tests; the unit tests' sources are not fetched.
    -DLLVM_INCLUDE_TESTS=OFF
    -DCLANG_INCLUDE_TESTS=OFF
    -DCLANG_INCLUDE_DOCS=OFF
    # One program that moves by itself. A libclang-cpp.so in install/lib would also be loaded by Debian's clang where
    # LD_LIBRARY_PATH names that folder.
    -DCLANG_LINK_CLANG_DYLIB=OFF
    # As in Debian's clang, and so in the overlay.
    -DCLANG_DEFAULT_LINKER=ld
    -DCLANG_DEFAULT_RTLIB=libgcc
    -DENABLE_LINKER_BUILD_ID=ON
    -DCLANG_ENABLE_LIBXML2=OFF
    -DCLANG_VENDOR=Locus
    "-DCLANG_VC_REPOSITORY=${LOCUS_CLANG_REPOSITORY}"
    # Debian's clang, and so the overlay, lacks two built-in functions (strlcpy, strlcat). Their numbers are in PCH files: neither
    # build may read the other's.
    "-DCLANG_VC_REVISION=${_series_version}-full"
  INSTALL_COMMAND
    "${CMAKE_COMMAND}" -E make_directory "${LOCUS_INSTALL_DIR}/bin"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different <BINARY_DIR>/bin/clang "${LOCUS_INSTALL_DIR}/bin/clang"
    COMMAND "${CMAKE_COMMAND}"
      "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
      "-DLOCUS_LLVM_PREFIX=${LOCUS_LLVM_PREFIX}"
      "-DLOCUS_TRIPLE=${LOCUS_TRIPLE}"
      -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/install-resources.cmake")
