# Provides the LLVM source: LOCUS_LLVM_PRISTINE (as released, only read) and LOCUS_LLVM_SRC (a copy with both series applied).

function(_locus_llvm_version tree result)
  set(version "")
  foreach(file cmake/Modules/LLVMVersion.cmake llvm/CMakeLists.txt)
    if(EXISTS "${tree}/${file}" AND version STREQUAL "")
      file(READ "${tree}/${file}" text)
      foreach(part MAJOR MINOR PATCH)
        if(text MATCHES "set\\(LLVM_VERSION_${part} ([0-9]+)\\)")
          list(APPEND version "${CMAKE_MATCH_1}")
        endif()
      endforeach()
    endif()
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

if(LLVM_SOURCE_DIR)
  get_filename_component(LOCUS_LLVM_PRISTINE "${LLVM_SOURCE_DIR}" REALPATH BASE_DIR "${CMAKE_BINARY_DIR}")
  if(NOT IS_DIRECTORY "${LOCUS_LLVM_PRISTINE}")
    message(FATAL_ERROR "LLVM_SOURCE_DIR: there is no folder ${LOCUS_LLVM_PRISTINE}")
  endif()
else()
  set(LOCUS_LLVM_PRISTINE "${CMAKE_BINARY_DIR}/llvm-pristine")
  execute_process(
    COMMAND "${CMAKE_CURRENT_LIST_DIR}/fetch-llvm-source" "${LOCUS_LLVM_VERSION}" "${LOCUS_LLVM_SHA256}"
            "${LOCUS_LLVM_PRISTINE}"
    RESULT_VARIABLE _result)
  if(_result)
    message(FATAL_ERROR "The source of LLVM ${LOCUS_LLVM_VERSION} could not be fetched; the reason stands above.")
  endif()
endif()

_locus_llvm_version("${LOCUS_LLVM_PRISTINE}" _version)
if(NOT _version STREQUAL LOCUS_LLVM_VERSION)
  if(_version STREQUAL "")
    set(_version "not an LLVM source tree (cmake/Modules/LLVMVersion.cmake not found in it)")
  else()
    set(_version "version ${_version}")
  endif()
  message(FATAL_ERROR "LLVM ${LOCUS_LLVM_VERSION}'s source is needed; ${LOCUS_LLVM_PRISTINE} is ${_version}.\n"
                      "Set LLVM_SOURCE_DIR to the right tree, or to nothing to have it fetched.")
endif()

set(LOCUS_LLVM_SRC "${CMAKE_BINARY_DIR}/llvm-src")
set(_series "")
foreach(_dir clang-patches openmp-runtime/patches/fixes openmp-runtime/patches/hooks)
  set(_dir "${CMAKE_CURRENT_SOURCE_DIR}/${_dir}")
  list(APPEND _series "${_dir}/series")
  # A changed patch is applied by the next build, without a configure by hand.
  file(GLOB _patches "${_dir}/*.patch")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_dir}/series" ${_patches})
endforeach()
execute_process(
  COMMAND "${CMAKE_CURRENT_LIST_DIR}/apply-patches" "${LOCUS_LLVM_PRISTINE}" "${LOCUS_LLVM_SRC}" ${_series}
  RESULT_VARIABLE _result)
if(_result)
  message(FATAL_ERROR "The patches could not be applied; the reason stands above.")
endif()
