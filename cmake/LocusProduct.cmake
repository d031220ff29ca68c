# The parts that are projects of their own: the patched clang, the patched libomp, the stock libomp.

include(ExternalProject)
include(LocusSeries)

if(LOCUS_CLANG STREQUAL "none")
  set(_generator "${CMAKE_GENERATOR}")
  set(_make "${CMAKE_MAKE_PROGRAM}")
else()
  set(_generator Ninja)
  set(_make "${LOCUS_NINJA}")
endif()

# locus_add_project(name SOURCE_DIR dir [DEPENDS target...] [CMAKE_ARGS arg...] [INSTALL_COMMAND command...] [INSTALLS file...] [NO_INSTALL]
#                   [EXCLUDE_FROM_ALL])
# INSTALL_COMMAND stands for the project's own install. INSTALLS names what others wait for, so that the generated build knows
# where it comes from.
# Each project notices its own changes, so its build is always entered; with nothing to do that takes well under a second.
function(locus_add_project name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL;EXCLUDE_FROM_ALL" "SOURCE_DIR" "DEPENDS;CMAKE_ARGS;INSTALL_COMMAND;INSTALLS")
  set(install "")
  if(arg_NO_INSTALL)
    # An empty command is lost on the way in some versions of CMake.
    set(install INSTALL_COMMAND "${CMAKE_COMMAND}" -E true)
  elseif(arg_INSTALL_COMMAND)
    set(install INSTALL_COMMAND ${arg_INSTALL_COMMAND})
  endif()
  ExternalProject_Add(${name}
    PREFIX "${CMAKE_BINARY_DIR}/projects/${name}"
    SOURCE_DIR "${arg_SOURCE_DIR}"
    BINARY_DIR "${CMAKE_BINARY_DIR}/${name}"
    DEPENDS ${arg_DEPENDS}
    EXCLUDE_FROM_ALL ${arg_EXCLUDE_FROM_ALL}
    CMAKE_GENERATOR "${_generator}"
    CMAKE_ARGS
      "-DCMAKE_MAKE_PROGRAM=${_make}"
      "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
      ${arg_CMAKE_ARGS}
    BUILD_ALWAYS ON
    # The projects run one after the other with all processors, and their progress is seen as it happens.
    USES_TERMINAL_CONFIGURE ON
    USES_TERMINAL_BUILD ON
    USES_TERMINAL_INSTALL ON
    ${install})
  if(arg_INSTALLS)
    # INSTALL_BYPRODUCTS in later versions of CMake.
    ExternalProject_Add_Step(${name} installed DEPENDEES install BYPRODUCTS ${arg_INSTALLS})
  endif()
endfunction()

set(_host_compiler
  "-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}"
  "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}")

# All libomps are built alike; assertions are off and hwloc is on, in Debian's own build it is the other way round.
set(_libomp_options
  ${_host_compiler}
  -DLIBOMP_ENABLE_ASSERTIONS=OFF
  -DLIBOMP_USE_HWLOC=ON
  -DLIBOMP_INSTALL_ALIASES=OFF # see compat below
  -DLIBOMP_OMPD_GDB_SUPPORT=OFF
  -DOPENMP_ENABLE_LIBOMPTARGET=OFF)

# Alone it is built by LLVM's runtimes/, the only way from LLVM 23 on. _libomp_source is within the tree, _libomp_build within the
# folder of the build.
if(LOCUS_CLANG STREQUAL "none")
  set(_libomp_source runtimes)
  set(_libomp_build openmp/)
  list(APPEND _libomp_options
    -DLLVM_ENABLE_RUNTIMES=openmp
    -DLLVM_ENABLE_PER_TARGET_RUNTIME_DIR=OFF
    -DLLVM_INCLUDE_TESTS=OFF
    "-DPython3_EXECUTABLE=${LOCUS_PYTHON}"
    "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}")
else()
  set(_libomp_source openmp)
  set(_libomp_build "")
  list(APPEND _libomp_options
    -DLIBOMP_HWLOC_INSTALL_DIR=/usr
    -DOPENMP_LLVM_LIT_EXECUTABLE=${LOCUS_LIT}
    -DOPENMP_LLVM_TOOLS_DIR=${LOCUS_LLVM_TOOLS_DIR})
endif()

# What the hooks want.
set(_libomp_locus_options
  "-DLOCUS_RUNTIME_DIR=${CMAKE_CURRENT_SOURCE_DIR}/openmp-runtime/src"
  "-DLOCUS_VERSION=${LOCUS_VERSION}"
  "-DLOCUS_VERSION_NUMBER=${LOCUS_VERSION_NUMBER}")

locus_add_project(libomp
  SOURCE_DIR "${LOCUS_LLVM_SRC}/${_libomp_source}"
  CMAKE_ARGS
    ${_libomp_options}
    "-DCMAKE_INSTALL_PREFIX=${LOCUS_INSTALL_DIR}"
    # A folder with the headers of OpenMP alone, for every compiler; install-resources.cmake links to it.
    -DCMAKE_INSTALL_INCLUDEDIR=include
    ${_libomp_locus_options})

# A Fortran module is for one compiler; there is one for each that is here.
find_program(LOCUS_GFORTRAN gfortran DOC "gfortran that compiles the module omp_lib")
find_program(LOCUS_FLANG NAMES flang-${LOCUS_LLVM_MAJOR} DOC "flang that compiles the module omp_lib")
mark_as_advanced(LOCUS_GFORTRAN LOCUS_FLANG)

# What users' shells, build systems and module systems read. All of it finds the folder that it lies in.
set(_locus_prefix_files "${CMAKE_CURRENT_SOURCE_DIR}/packaging/prefix")
set(_locus_prefix_made "${CMAKE_BINARY_DIR}/prefix")
file(REMOVE_RECURSE "${_locus_prefix_made}/share/modulefiles") # of another version
configure_file("${_locus_prefix_files}/bin/locus-env" "${_locus_prefix_made}/bin/locus-env" COPYONLY)
configure_file("${_locus_prefix_files}/lib/cmake/Locus/LocusConfig.cmake" "${_locus_prefix_made}/lib/cmake/Locus/LocusConfig.cmake" COPYONLY)
configure_file("${_locus_prefix_files}/lib/pkgconfig/locus.pc.in" "${_locus_prefix_made}/lib/pkgconfig/locus.pc" @ONLY)
configure_file("${_locus_prefix_files}/share/modulefiles/locus/modulefile.tcl"
               "${_locus_prefix_made}/share/modulefiles/locus/${LOCUS_VERSION}" COPYONLY)
configure_file("${CMAKE_CURRENT_SOURCE_DIR}/VERSION" "${_locus_prefix_made}/share/locus/VERSION" COPYONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${_locus_prefix_made}/lib/cmake/Locus/LocusConfigVersion.cmake"
  VERSION "${LOCUS_VERSION}" COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)

file(GLOB _locus_tools_modules CONFIGURE_DEPENDS tools/*.py)
file(GLOB _locus_trace_modules CONFIGURE_DEPENDS tools/locus_trace/*.py)
file(GLOB _locus_trace_page CONFIGURE_DEPENDS tools/locus_trace/page/*)
file(GLOB _locus_doctor_modules CONFIGURE_DEPENDS tools/locus_doctor/*.py)

# _locus_complete_libomp(project dir): what lies in the dir beside the libomp that the project installs there.
# lib/compat: links for programs that were linked with another OpenMP runtime; a folder of its own, as beside libomp.so other
# compilers' links would pick them up. bin/locus-check: says whether a program uses the runtime; bin/locus-doctor: what is wrong before
# a run; bin/locus-trace reads traces. include: the Fortran modules. bin/locus-env, lib/cmake, lib/pkgconfig, share/modulefiles:
# packaging/prefix.
function(_locus_complete_libomp project dir)
  set(compat "${dir}/lib/compat")
  set(links COMMAND "${CMAKE_COMMAND}" -E make_directory "${compat}")
  foreach(name libgomp.so.1 libiomp5.so libomp.so libomp.so.5)
    list(APPEND links COMMAND "${CMAKE_COMMAND}" -E create_symlink ../libomp.so "${compat}/${name}")
  endforeach()
  ExternalProject_Add_Step(${project} compat ${links} DEPENDEES install)
  ExternalProject_Add_Step(${project} locus-check
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${dir}/bin"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${CMAKE_CURRENT_SOURCE_DIR}/scripts/locus-check" "${dir}/bin"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${CMAKE_CURRENT_SOURCE_DIR}/tools/locus-trace" "${dir}/bin"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${dir}/share/locus/locus_trace/page"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${_locus_trace_modules} "${dir}/share/locus/locus_trace"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${_locus_trace_page} "${dir}/share/locus/locus_trace/page"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${CMAKE_CURRENT_SOURCE_DIR}/tools/locus-doctor" "${dir}/bin"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${_locus_tools_modules} "${dir}/share/locus"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${dir}/share/locus/locus_doctor"
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${_locus_doctor_modules} "${dir}/share/locus/locus_doctor"
    DEPENDEES install)
  # share/man and completions, by what the tools say of themselves.
  ExternalProject_Add_Step(${project} manual
    COMMAND "${LOCUS_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/make-manual" "${dir}/share"
            "${dir}/bin/locus-check" "${dir}/bin/locus-doctor" "${dir}/bin/locus-trace"
    DEPENDEES locus-check prefix-files)
  ExternalProject_Add_Step(${project} prefix-files
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${dir}/share/modulefiles"
    COMMAND "${CMAKE_COMMAND}" -E copy_directory "${_locus_prefix_made}" "${dir}"
    DEPENDEES install)
  ExternalProject_Add_Step(${project} fortran
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=<BINARY_DIR>/${_libomp_build}module/omp_lib.F90" "-DHEADER=<BINARY_DIR>/${_libomp_build}runtime/src/omp_lib.h"
            "-DOUT=${dir}/include" "-DWORK=<TMP_DIR>/fortran"
            "-DGFORTRAN=$<$<BOOL:${LOCUS_GFORTRAN}>:${LOCUS_GFORTRAN}>" "-DFLANG=$<$<BOOL:${LOCUS_FLANG}>:${LOCUS_FLANG}>"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/install-fortran.cmake"
    DEPENDEES install)
endfunction()
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
