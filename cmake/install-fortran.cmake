# Installs the Fortran module omp_lib:
#
#   include/omp_lib.F90                source, for any compiler
#   include/gfortran-12/*.mod          compiled by the gfortran and the flang that are here: each reads only
#   include/flang-22/*.mod, omp_lib.h  what its own version wrote. gfortran cannot read the header
#
# Wants SOURCE and HEADER (libomp's omp_lib.F90 and omp_lib.h), OUT (the folder include), and WORK, a folder
# for what compilers leave behind. LLVM 23 makes the two files only for a Fortran compiler that CMake knows;
# without them this wants OPENMP too, LLVM's folder openmp, and makes them from its templates. GFORTRAN and
# FLANG name the compilers, if there are any. Run by cmake -P.

set(wanted SOURCE HEADER OUT WORK)
if(NOT EXISTS "${SOURCE}")
  list(APPEND wanted OPENMP)
endif()
foreach(name IN LISTS wanted)
  if(NOT ${name})
    message(FATAL_ERROR "install-fortran.cmake: ${name} is not set: pass -D${name}=...")
  endif()
endforeach()

if(NOT EXISTS "${SOURCE}")
  file(STRINGS "${OPENMP}/CMakeLists.txt" settings REGEX "^set\\(LIBOMP_[A-Z_]+ [^ ]+\\)")
  foreach(setting IN LISTS settings)
    string(REGEX MATCH "^set\\((LIBOMP_[A-Z_]+) \"?([^ \"]+)\"?\\)" setting "${setting}")
    set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
  file(STRINGS "${OPENMP}/runtime/src/kmp_version.cpp" build REGEX "#define KMP_VERSION_BUILD [0-9]+")
  string(REGEX MATCH "[0-9]+" LIBOMP_VERSION_BUILD "${build}")
  set(SOURCE "${WORK}/omp_lib.F90")
  set(HEADER "${WORK}/omp_lib.h")
  configure_file("${OPENMP}/module/omp_lib.F90.var" "${SOURCE}" @ONLY)
  configure_file("${OPENMP}/module/omp_lib.h.var" "${HEADER}" @ONLY)
endif()

# Sets RESULT to the compiler's major version.
function(major_version result compiler)
  execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(NOT text MATCHES "[ )]([0-9]+)\\.[0-9]+\\.[0-9]+")
    message(FATAL_ERROR "install-fortran.cmake: no version in what ${compiler} --version says:\n${text}")
  endif()
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Compiles the module into the folder KIND-VERSION, unless what is there is newer than its source.
function(install_module kind compiler)
  major_version(version "${compiler}")
  set(folder "${OUT}/${kind}-${version}")
  if("${SOURCE}" IS_NEWER_THAN "${folder}/omp_lib.mod")
    file(REMOVE_RECURSE "${WORK}/${kind}")
    file(MAKE_DIRECTORY "${WORK}/${kind}" "${folder}")
    execute_process(
      COMMAND "${compiler}" -fopenmp -cpp -c "${SOURCE}"
      WORKING_DIRECTORY "${WORK}/${kind}"
      COMMAND_ERROR_IS_FATAL ANY)
    file(COPY "${WORK}/${kind}/omp_lib.mod" "${WORK}/${kind}/omp_lib_kinds.mod" DESTINATION "${folder}")
    if(kind STREQUAL "flang")
      file(COPY "${HEADER}" DESTINATION "${folder}")
    endif()
  endif()
endfunction()

file(COPY "${SOURCE}" DESTINATION "${OUT}")
if(GFORTRAN)
  install_module(gfortran "${GFORTRAN}")
endif()
if(FLANG)
  install_module(flang "${FLANG}")
endif()
if(NOT GFORTRAN AND NOT FLANG)
  message(STATUS "There is no module omp_lib: neither gfortran nor flang-22 is here. Install one and build again.")
endif()
