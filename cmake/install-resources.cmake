# Installs what surrounds the patched driver bin/clang, however that was built:
#
#   bin/clang++                      link to clang
#   bin/clang.cfg, bin/clang++.cfg   read by the driver beside it
#   bin/ld.lld, lib/LLVMgold.so      links to Debian's, for -fuse-ld=lld, -flto
#   lib/libiomp5.so                  link to libomp.so, for -fopenmp=libiomp5
#   lib/libomp.a                     says that there is no static runtime
#   lib/clang/<N>/include/           Debian's headers one by one as links; omp.h
#                                    and its relatives are links to include/,
#                                    where the runtime's install puts them
#   lib/clang/<N>/lib/<triple>       link to <prefix>/lib
#   lib/clang/<N>/{share,lib/linux}  links to Debian's (sanitizers, profiles)
#
# The driver looks in lib/clang/<N>/lib/<triple> before the system's folders, so
# -fopenmp finds our libomp.so first. -frtlib-add-rpath in the configuration
# files makes that folder the run path of programs linked with -fopenmp, or with
# a library of it by name (and only of those). Paths into the prefix are
# relative: it can be moved. Links to Debian's files are absolute.
#
# With LOCUS_PORTABLE the headers are copies, and there is no other link to
# Debian's files.
#
# Wants LOCUS_LLVM_PREFIX (Debian's LLVM), LOCUS_TRIPLE (what the driver calls
# its target) and CMAKE_INSTALL_PREFIX. An install script, or run by cmake -P.

foreach(name LOCUS_LLVM_PREFIX LOCUS_TRIPLE CMAKE_INSTALL_PREFIX)
  if(NOT ${name})
    message(FATAL_ERROR "install-resources.cmake: ${name} is not set: pass -D${name}=...")
  endif()
endforeach()
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
# The major version names the resource folder, and Debian's packages.
file(GLOB version RELATIVE "${LOCUS_LLVM_PREFIX}/lib/clang" "${LOCUS_LLVM_PREFIX}/lib/clang/[0-9]*")
if(NOT version MATCHES "^[0-9]+$")
  message(FATAL_ERROR "install-resources.cmake: ${LOCUS_LLVM_PREFIX}/lib/clang should have one folder, "
                      "named by clang's version, but has: ${version}")
endif()
set(debian "${LOCUS_LLVM_PREFIX}/lib/clang/${version}")
set(resource "${prefix}/lib/clang/${version}")

file(CREATE_LINK clang "${prefix}/bin/clang++" SYMBOLIC)
foreach(name clang clang++)
  file(WRITE "${prefix}/bin/${name}.cfg"
       "# Programs linked with -fopenmp or libomp.so find it in ../lib at run time.\n"
       "-frtlib-add-rpath\n")
endforeach()

file(MAKE_DIRECTORY "${resource}/include" "${resource}/lib")
file(GLOB headers RELATIVE "${debian}/include" "${debian}/include/*")
if(NOT headers)
  message(FATAL_ERROR "Clang's own headers are missing from ${debian}/include. "
                      "Install them: apt-get install libclang-common-${version}-dev")
endif()
foreach(header IN LISTS headers)
  if(LOCUS_PORTABLE)
    file(COPY "${debian}/include/${header}" DESTINATION "${resource}/include")
  else()
    file(CREATE_LINK "${debian}/include/${header}" "${resource}/include/${header}" SYMBOLIC)
  endif()
endforeach()
# Debian's libomp-dev has its own, which describe its runtime.
foreach(header omp.h omp-tools.h ompt.h ompt-multiplex.h ompx.h)
  file(CREATE_LINK "../../../../include/${header}" "${resource}/include/${header}" SYMBOLIC)
endforeach()

# The second is what the driver makes of --target=x86_64-linux-gnu.
foreach(triple ${LOCUS_TRIPLE} x86_64-unknown-linux-gnu)
  file(CREATE_LINK ../../.. "${resource}/lib/${triple}" SYMBOLIC)
endforeach()
file(CREATE_LINK libomp.so "${prefix}/lib/libiomp5.so" SYMBOLIC)
# A linker script: what the linker would take for the static runtime names a
# file that does not exist, and the linker says that name. (An ASSERT comes too
# late for lld, which first complains of every undefined symbol.) libomp needs
# hwloc, whose static library wants a static libudev, and Debian has none.
file(WRITE "${prefix}/lib/libomp.a"
     "INPUT(\"Locus has no static libomp: link without -static-openmp and -static\")\n")

if(LOCUS_PORTABLE)
  return()
endif()
# These dangle until Debian's lld, LLVM linker tools and libclang-rt-dev are
# installed; driver and linker then name what is missing.
file(CREATE_LINK "${LOCUS_LLVM_PREFIX}/bin/ld.lld" "${prefix}/bin/ld.lld" SYMBOLIC)
file(CREATE_LINK "${LOCUS_LLVM_PREFIX}/lib/LLVMgold.so" "${prefix}/lib/LLVMgold.so" SYMBOLIC)
file(CREATE_LINK "${debian}/lib/linux" "${resource}/lib/linux" SYMBOLIC)
file(CREATE_LINK "${debian}/share" "${resource}/share" SYMBOLIC)
