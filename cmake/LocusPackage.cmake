# cpack in the build folder makes a Debian package of build/install, for /opt/locus. It uses Debian's libLLVM and Clang headers, as
# the build does. LocusPortable.cmake has the archives that do not.

# cpack builds nothing with Ninja, and a folder that is not there would be installed as an empty one.
foreach(_file bin/clang lib/libomp.so)
  install(CODE "if(NOT EXISTS \"${LOCUS_INSTALL_DIR}/${_file}\")
  message(FATAL_ERROR \"${LOCUS_INSTALL_DIR}/${_file} is missing: build first (cmake --build ${CMAKE_BINARY_DIR})\")
endif()")
endforeach()
install(DIRECTORY "${LOCUS_INSTALL_DIR}/" DESTINATION . USE_SOURCE_PERMISSIONS)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/locus)
install(DIRECTORY docs examples DESTINATION share/doc/locus)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME locus)
set(CPACK_PACKAGE_VERSION "${LOCUS_VERSION}")
set(CPACK_PACKAGE_CONTACT "the Locus developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/locus)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The shared libraries come by SHLIBDEPS, but libLLVM by name: clang's run path leads to a link of its -dev package, and
# dpkg-shlibdeps follows it in some runs only. Clang's headers, LLVMgold.so (-flto) and ld.lld are links to Debian's; programs are
# linked with Debian's C library and the C++ library that clang chooses here. scripts/try-package shows that it is all.
string(REGEX MATCH "^[0-9]+" _llvm "${LOCUS_LLVM_VERSION}")
execute_process(COMMAND "${LOCUS_LLVM_PREFIX}/bin/clang++" -v ERROR_VARIABLE _text)
if(NOT _text MATCHES "Selected GCC installation: [^\n]*/([0-9]+)\n")
  message(FATAL_ERROR "${LOCUS_LLVM_PREFIX}/bin/clang++ finds no C++ library (package libstdc++-dev)")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libllvm${_llvm} (>= 1:${LOCUS_LLVM_VERSION}), \
libclang-common-${_llvm}-dev (>= 1:${LOCUS_LLVM_VERSION}), llvm-${_llvm}-linker-tools, libc6-dev, binutils, \
libgcc-${CMAKE_MATCH_1}-dev, libstdc++-${CMAKE_MATCH_1}-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libclang-rt-${_llvm}-dev, lld-${_llvm}, python3, python3-numpy") # for locus-*
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-plotly") # for locus-trace html
include(CPack)
