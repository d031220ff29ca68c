# lit configuration of the benchmark tests; loaded by the configured lit.site.cfg.py.
# ruff: noqa: F821 (lit defines config and lit_config)
import os
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.name = "kastors"
# A runtime that hangs has to fail; check-variants gives a run two minutes. On a busy machine building all programs with
# the sanitizers takes most of this. lit needs psutil to end a test (Debian: python3-psutil).
supported, reason = lit_config.maxIndividualTestTimeIsSupported
if supported:
    lit_config.maxIndividualTestTime = 900
else:
    lit_config.note(f"no time limit for a test: {reason}")
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = config.kastors_source
config.test_exec_root = config.kastors_build

jacobi = os.path.join(config.kastors_bin, "jacobi")
if not os.path.exists(jacobi):
    lit_config.fatal(f"{jacobi} is not there: build the benchmarks first")

config.environment["PATH"] = os.pathsep.join([config.kastors_tools, os.environ["PATH"]])
# The caller's own settings would decide what is tested.
for name in os.environ:
    if name.startswith(("OMP_", "KMP_")):
        config.environment.pop(name, None)
if config.kastors_lib:
    config.environment["LD_LIBRARY_PATH"] = config.kastors_lib

source = os.path.dirname(config.kastors_source)
config.substitutions += [
    ("%jacobi", jacobi),
    ("%common-test", os.path.join(config.kastors_bin, "common-test")),
    ("%check-variants", os.path.join(config.kastors_source, "check-variants")),
    ("%gcc-bin", config.kastors_gcc_bin),
    ("%build", f"cmake -G Ninja -S {source} -DKASTORS_TESTS=OFF"),
    ("%cxx", config.kastors_cxx),
    ("%python", sys.executable),
    ("%run", os.path.join(source, "run") + f" --programs {config.kastors_bin} --gcc-programs {config.kastors_gcc_bin}"),
    ("%bin", config.kastors_bin),
    ("%kastors", source),
    ("%archives", os.path.dirname(config.kastors_build)),
    # More ranks than processors, as root.
    ("%openmpi", "mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none"),
    ("%lib", config.kastors_lib),
    ("%stock-lib", config.kastors_stock_lib),
]

variants = subprocess.run([jacobi, "--list"], capture_output=True, text=True, check=True).stdout
if "not-built" not in variants:
    config.available_features.add("affinity-clause")
    # What a program says that lacks the clause: no test for one that has it.
    config.excludes = ["errors-compiler.test"]
if config.kastors_lib and os.path.exists(os.path.join(config.kastors_stock_lib, "libomp.so")):
    config.available_features.add("stock-runtime")
if os.path.exists(os.path.join(config.kastors_bin, "jacobi-mpi")) and shutil.which("mpirun.openmpi"):
    config.available_features.add("openmpi")
else:
    lit_config.note("jacobi-mpi is not tested: install openmpi-bin and libopenmpi-dev")
if shutil.which("mpicxx.mpich"):
    config.available_features.add("mpich")
if os.path.exists(os.path.join(config.kastors_gcc_bin, "jacobi")):
    config.available_features.add("g++")


def compiles(compiler, flags):
    """Whether a program comes out; the sanitizers' run-time libraries are a package of their own."""
    with tempfile.TemporaryDirectory() as folder:
        command = f"echo 'int main() {{}}' | {compiler} {flags} -x c++ - -o {folder}/a.out && {folder}/a.out"
        return subprocess.run(command, shell=True, capture_output=True, check=False).returncode == 0


if compiles(config.kastors_cxx, "-fopenmp -fsanitize=address,undefined"):
    config.available_features.add("sanitizers")
# Without -fopenmp: Debian's clang has the runtime in another package.
if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("matplotlib")
if compiles("clang++-22", ""):
    config.available_features.add("clang++-22")
