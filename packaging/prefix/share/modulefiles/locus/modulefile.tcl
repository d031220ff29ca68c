#%Module1.0
# For environment modules and for Lmod. It finds the installation that it lies in: module use PREFIX/share/modulefiles

set prefix [file dirname [file dirname [file dirname [file dirname [file normalize $ModulesCurrentModulefile]]]]]

proc ModulesHelp { } {
    puts stderr "Locus: OpenMP tasks that run where their data is. Every compiler finds its omp.h and libomp.so, programs that were"
    puts stderr "linked with another OpenMP runtime use this one; with clang in it, clang knows the clause affinity(...)."
}
module-whatis "OpenMP runtime (and clang) with task affinity"
conflict locus

if {![file exists $prefix/lib/libomp.so]} {
    puts stderr "locus: there is no $prefix/lib/libomp.so: use the module where it was installed, not a copy of it"
    break
}
setenv LOCUS_ROOT $prefix
prepend-path PATH $prefix/bin
prepend-path CPATH $prefix/include
prepend-path LIBRARY_PATH $prefix/lib
prepend-path LD_LIBRARY_PATH $prefix/lib/compat
prepend-path CMAKE_PREFIX_PATH $prefix
prepend-path PKG_CONFIG_PATH $prefix/lib/pkgconfig
