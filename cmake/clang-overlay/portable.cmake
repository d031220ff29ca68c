# locus-clang-portable: the same compiler for the archive, in one program that wants nothing but glibc. Its objects are those of the overlay
# and of Debian's static libraries; it is linked against the older system in LOCUS_SYSROOT, so the symbols that it asks of glibc
# are that system's. portable.cpp has what newer headers made the objects ask for. It compiles for x86-64 only: each further target
# of LLVM would cost some MB.

set(LOCUS_SYSROOT "" CACHE PATH "Folder with an older Debian's glibc and gcc, for the target locus-clang-portable")
set(_portable ${CMAKE_BINARY_DIR}/portable)

# The registers of targets that LLVM's initialization walks through.
foreach(list Targets TargetExegesis TargetMCAs AsmParsers AsmPrinters Disassemblers)
  file(READ ${LLVM_INCLUDE_DIRS}/llvm/Config/${list}.def text)
  foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
    if(NOT target STREQUAL X86)
      string(REGEX REPLACE "\nLLVM_[A-Z_]+\\(${target}\\)" "" text "${text}")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${_portable}/include/llvm/Config/${list}.def CONTENT "${text}" @ONLY)
endforeach()

# LLVM without Z3, which only an option of the static analyzer wants.
set(_support ${_portable}/libLLVMSupport.a)
add_custom_command(
  OUTPUT ${_support}
  COMMAND ${CMAKE_COMMAND} -E copy ${_clang_libdir}/libLLVMSupport.a ${_support}
  COMMAND ${LOCUS_LLVM_AR} d ${_support} Z3Solver.cpp.o
  DEPENDS ${_clang_libdir}/libLLVMSupport.a VERBATIM)

# lld takes from archives what is needed, in any order.
file(GLOB _libraries ${_clang_libdir}/libclang*.a ${_clang_libdir}/libLLVM*.a)
foreach(archive IN LISTS _archives)
  get_filename_component(name ${archive} NAME)
  list(REMOVE_ITEM _libraries ${_clang_libdir}/${name})
endforeach()
list(REMOVE_ITEM _libraries ${_clang_libdir}/libLLVMSupport.a)
list(APPEND _libraries ${_archives} ${_support})

# The C++ library of this machine, whose headers the objects were compiled with.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
                OUTPUT_VARIABLE _stdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)

add_executable(locus-clang-portable EXCLUDE_FROM_ALL ${_driver_sources} portable.cpp ${_support})
add_dependencies(locus-clang-portable locus-archives)
target_include_directories(locus-clang-portable BEFORE PRIVATE ${_portable}/include)
set_target_properties(locus-clang-portable PROPERTIES
  OUTPUT_NAME clang
  LINK_DEPENDS "${_archives}"
  RUNTIME_OUTPUT_DIRECTORY ${_portable}/bin)
target_link_options(locus-clang-portable PRIVATE
  --sysroot=${LOCUS_SYSROOT} --ld-path=${LLVM_TOOLS_BINARY_DIR}/ld.lld -Wl,--gc-sections -s -pie -nostdlib++ -static-libgcc)
set(_system ${LOCUS_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
target_link_libraries(locus-clang-portable PRIVATE
  ${_libraries} ${_stdcxx} ${_system}/libz.a ${_system}/libzstd.a pthread dl rt m)
