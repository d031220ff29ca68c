# ruff: noqa: F821 - lit defines config and lit_config
# The programs of examples/ as users build and run them.
import glob
import os
import shutil

import lit.formats

config.name = "examples"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.locus_build
config.environment["PATH"] = os.pathsep.join((config.llvm_tools, os.environ["PATH"]))
for name in list(config.environment):
    if name.startswith(("OMP_", "KMP_", "GOMP_", "HWLOC_", "LD_", "CPATH", "LIBRARY_PATH", "CMAKE_PREFIX")):
        del config.environment[name]
run_header = os.path.join(config.test_source_root, "run-header")
# %header FILE [--build]: what the header of that file of examples/ says, in %t.
config.substitutions += [
    ("%header", f"{config.locus_python} {run_header} {config.locus_install} %t {config.locus_source}/examples"),
    ("%examples", config.locus_source + "/examples"),
    ("%docs", config.locus_source + "/docs"),
    ("%locus", config.locus_install),
    ("%python", config.locus_python),
]
for tool in ("gcc", "gfortran", "mpicc", "mpirun"):
    if shutil.which(tool):
        config.available_features.add(tool)
    else:
        lit_config.note(f"examples that need {tool} are skipped: there is no such program")
if glob.glob(os.path.join(config.locus_install, "include/gfortran-*/omp_lib.mod")):
    config.available_features.add("fortran-module")
else:
    lit_config.note("examples in Fortran are skipped: build/install has no module omp_lib; scripts/setup makes it")
lit_config.load_config(config, os.path.join(config.locus_source, "scripts/guest/numa_guest.lit.py"))
