# The archives for other Linux systems, made by the targets archive-runtime and archive-clang (scripts/make-archive): they need
# glibc alone, and none newer than that of Debian 11, which they are linked against. Nothing here is part of a usual build.
#
#   build/portable/parts     what is fetched: an old Debian to link against, hwloc, libnuma
#   build/portable/libomp    the runtime, with hwloc and libnuma inside, as static libraries that it does not export: a program's own
#                            hwloc, an MPI's say, is not disturbed
#   build/portable/compiler  clang, with LLVM inside (clang-overlay/portable.cmake)
#   build/portable/runtime, clang   the contents of the two archives

set(_portable "${CMAKE_BINARY_DIR}/portable")
set(_parts "${_portable}/parts")
set(_deps "${_portable}/deps")
set(_portable_compiler
  "-DCMAKE_C_COMPILER=${LOCUS_LLVM_PREFIX}/bin/clang"
  "-DCMAKE_CXX_COMPILER=${LOCUS_LLVM_PREFIX}/bin/clang++"
  "-DCMAKE_SYSROOT=${_parts}/sysroot")
set(_portable_cc "${LOCUS_LLVM_PREFIX}/bin/clang --sysroot=${_parts}/sysroot")
set(_portable_machine x86_64)
set(_portable_debian amd64)
set(_portable_host "")
if(LOCUS_TARGET)
  list(APPEND _portable_compiler "${LOCUS_TOOLCHAIN}" ${LOCUS_CROSS_OPTIONS})
  string(APPEND _portable_cc " --target=${LOCUS_TARGET}-linux-gnu -fuse-ld=lld")
  set(_portable_machine "${LOCUS_TARGET}")
  set(_portable_debian arm64)
  set(_portable_host "--host=${LOCUS_TARGET}-linux-gnu")
endif()

add_custom_command(OUTPUT "${_parts}/.complete"
  COMMAND "${CMAKE_CURRENT_LIST_DIR}/fetch-portable" "${_parts}" "${_portable_debian}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/fetch-portable" USES_TERMINAL VERBATIM)
add_custom_target(portable-parts DEPENDS "${_parts}/.complete")

ExternalProject_Add(portable-hwloc
  EXCLUDE_FROM_ALL ON
  DEPENDS portable-parts
  PREFIX "${CMAKE_BINARY_DIR}/projects/portable-hwloc"
  SOURCE_DIR "${_parts}/hwloc"
  BINARY_DIR "${_portable}/hwloc"
  DOWNLOAD_COMMAND "${CMAKE_COMMAND}" -E true
  CONFIGURE_COMMAND <SOURCE_DIR>/configure --quiet --prefix=${_deps} --enable-static --disable-shared
    ${_portable_host} "CC=${_portable_cc}" "CFLAGS=-O2 -fPIC -w"
    # Processors, caches and memory are read without any of these.
    --disable-libudev --disable-pci --disable-libxml2 --disable-cairo --disable-gl --disable-opencl --disable-cuda --disable-nvml
    --disable-rsmi --disable-levelzero --disable-plugins --disable-doxygen
  BUILD_COMMAND make -s -C hwloc all COMMAND make -s -C include all
  INSTALL_COMMAND make -s -C hwloc install COMMAND make -s -C include install
  LOG_CONFIGURE ON LOG_BUILD ON LOG_INSTALL ON LOG_OUTPUT_ON_FAILURE ON)

locus_add_project(portable-numa
  EXCLUDE_FROM_ALL
  DEPENDS portable-parts
  SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}/portable/numa"
  CMAKE_ARGS ${_portable_compiler} "-DNUMACTL=${_parts}/numactl" "-DCMAKE_INSTALL_PREFIX=${_deps}" -DCMAKE_INSTALL_LIBDIR=lib)

locus_add_project(portable-libomp
  EXCLUDE_FROM_ALL
  DEPENDS portable-hwloc portable-numa
  SOURCE_DIR "${LOCUS_LLVM_SRC}/openmp"
  CMAKE_ARGS
    ${_libomp_options}
    ${_portable_compiler} # the last ones count
    "-DLIBOMP_HWLOC_INSTALL_DIR=${_deps}"
    "-DLIBOMP_HWLOC_INCLUDE_DIR=${_deps}/include"
    "-DLIBOMP_HWLOC_LIBRARY=${_deps}/lib/libhwloc.a"
    # libomp itself has nothing of the C++ library; the tool libarcher has.
    "-DCMAKE_SHARED_LINKER_FLAGS=-L${_deps}/lib --ld-path=${LOCUS_LLVM_PREFIX}/bin/ld.lld -Wl,--gc-sections -static-libstdc++ -s \
-static-libgcc -Wno-unused-command-line-argument"
    "-DCMAKE_INSTALL_PREFIX=${_portable}/libomp"
    -DCMAKE_INSTALL_INCLUDEDIR=include
    ${_libomp_locus_options})
_locus_complete_libomp(portable-libomp "${_portable}/libomp")

# What else an archive holds: how to install it, documents, licences.
set(_extras "${_portable}/extras")
file(GLOB _documents CONFIGURE_DEPENDS docs/*.md)
file(GLOB _pictures CONFIGURE_DEPENDS docs/plots/tutorial-*.png docs/plots/trace-*.png) # of documents for users
add_custom_target(portable-extras
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${_extras}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${_extras}/share/doc/locus/docs/plots" "${_extras}/share/doc/locus/licenses"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/packaging/install.sh" "${_extras}"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE" "${CMAKE_CURRENT_SOURCE_DIR}/README.md"
          "${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md" "${_extras}/share/doc/locus"
  COMMAND "${CMAKE_COMMAND}" -E copy ${_documents} "${_extras}/share/doc/locus/docs"
  COMMAND "${CMAKE_COMMAND}" -E copy ${_pictures} "${_extras}/share/doc/locus/docs/plots"
  COMMAND "${CMAKE_COMMAND}" -E copy_directory "${CMAKE_CURRENT_SOURCE_DIR}/examples" "${_extras}/share/doc/locus/examples"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/packaging/licenses.md" "${_extras}/share/doc/locus/licenses/README.md"
  COMMAND "${CMAKE_COMMAND}" -E copy "${_parts}/hwloc/COPYING" "${_extras}/share/doc/locus/licenses/hwloc.txt"
  COMMAND "${CMAKE_COMMAND}" -E copy "${_parts}/numactl/LICENSE.LGPL2.1" "${_extras}/share/doc/locus/licenses/libnuma.txt"
  VERBATIM)
add_dependencies(portable-extras portable-parts)

set(_stage "${CMAKE_CURRENT_LIST_DIR}/stage-portable" "${LOCUS_LLVM_PREFIX}/bin/llvm-readelf" "${_portable_machine}")
add_custom_target(portable-runtime
  COMMAND ${_stage} "${_portable}/runtime" "${_portable}/libomp" "${_extras}" VERBATIM)
add_dependencies(portable-runtime portable-libomp portable-extras)

if(LOCUS_TARGET)
  add_custom_target(portable-clang
    COMMAND "${CMAKE_COMMAND}" -E echo "The patched clang is not built for ${LOCUS_TARGET}."
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
elseif(LOCUS_CLANG STREQUAL "overlay")
  set(_compiler "${_portable}/compiler")
  add_custom_target(portable-clang
    COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}/clang-overlay" --target locus-clang-portable
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${_compiler}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${_compiler}/bin"
    COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_BINARY_DIR}/clang-overlay/portable/bin/clang" "${_compiler}/bin"
    COMMAND "${CMAKE_COMMAND}" "-DCMAKE_INSTALL_PREFIX=${_compiler}" "-DLOCUS_LLVM_PREFIX=${LOCUS_LLVM_PREFIX}"
            "-DLOCUS_TRIPLE=${LOCUS_TRIPLE}" -DLOCUS_PORTABLE=ON -P "${CMAKE_CURRENT_LIST_DIR}/install-resources.cmake"
    COMMAND ${_stage} "${_portable}/clang" "${_portable}/libomp" "${_extras}" "${_compiler}"
    USES_TERMINAL VERBATIM)
  add_dependencies(portable-clang clang-overlay portable-libomp portable-extras)
else()
  add_custom_target(portable-clang
    COMMAND "${CMAKE_COMMAND}" -E echo "The archive with clang is made of the overlay: configure with LOCUS_CLANG=overlay."
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
endif()

foreach(_flavour runtime clang)
  set(_config "${CMAKE_BINARY_DIR}/CPack-${_flavour}.cmake")
  file(CONFIGURE OUTPUT "${_config}" @ONLY CONTENT [[
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME locus)
set(CPACK_PACKAGE_VENDOR Locus)
set(CPACK_PACKAGE_DESCRIPTION "@PROJECT_DESCRIPTION@")
set(CPACK_PACKAGE_VERSION "@LOCUS_VERSION@")
set(CPACK_PACKAGE_FILE_NAME "locus-@_flavour@-@LOCUS_VERSION@-linux-@_portable_machine@")
set(CPACK_PACKAGE_DIRECTORY "@CMAKE_BINARY_DIR@")
set(CPACK_INSTALLED_DIRECTORIES "@_portable@/@_flavour@;.")
set(CPACK_ARCHIVE_THREADS 0)
]])
  add_custom_target(archive-${_flavour} COMMAND "${CMAKE_CPACK_COMMAND}" --config "${_config}" USES_TERMINAL VERBATIM)
  add_dependencies(archive-${_flavour} portable-${_flavour})
endforeach()
