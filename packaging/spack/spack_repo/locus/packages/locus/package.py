# ruff: noqa: I001, RUF012 - Spack prescribes it so
# Part of Locus, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class Locus(Package):
    """OpenMP runtime that runs tasks where their data is, and a Clang that knows the clause for it.

    Installs an archive that scripts/make-archive made: it needs glibc alone, so nothing is built. Put the archive into
    the folder in which spack is called, or into a mirror, and install it without a checksum, as each build of the
    archive has its own: spack install --no-checksum locus
    """

    # Spack wants one. Locus has no page: this is that of what it implements.
    homepage = "https://www.openmp.org"
    manual_download = True

    license("Apache-2.0 WITH LLVM-exception")

    version("1.0.0")

    variant("clang", default=False, description="the archive with the compiler")

    requires("platform=linux target=x86_64:", msg="the archives are for Linux on x86-64")
    depends_on("python@3.9:", type="run")

    sanity_check_is_file = ["lib/libomp.so", "include/omp.h", "bin/locus-check"]

    def url_for_version(self, version):
        flavour = "clang" if self.spec.satisfies("+clang") else "runtime"
        return f"file://{os.getcwd()}/locus-{flavour}-{version}-linux-x86_64.tar.gz"

    def install(self, spec, prefix):
        install_tree(".", prefix, symlinks=True)

    @property
    def libs(self):
        return find_libraries("libomp", root=self.prefix.lib, shared=True)

    @property
    def headers(self):
        return find_headers("omp", root=self.prefix.include)

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        env.set("LOCUS_ROOT", self.prefix)
        env.prepend_path("CPATH", self.prefix.include)
        env.prepend_path("LIBRARY_PATH", self.prefix.lib)
        # Programs that were linked with another OpenMP runtime use this one.
        env.prepend_path("LD_LIBRARY_PATH", self.prefix.lib.compat)
