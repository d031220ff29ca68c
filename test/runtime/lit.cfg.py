# ruff: noqa: F821 - lit defines config and lit_config
# Tests of the runtime. The build folder's lit.site.cfg.py sets the paths. Without it:
#   lit test/runtime --param clang=PREFIX/bin/clang [--param runtime=PREFIX]
# A runtime that does not lie beside the compiler, or a clang without the clause
# (--param clause=no), is named so. With --param programs=only the files .c and .cpp
# are built by any compiler, also by gcc (--param clang=/usr/bin/gcc-12).
# scripts/test-aarch64 names another processor (--param arch=, flags= for the compiler,
# guest= the folder of a guest that is up, limit= seconds for a run in it, quick=yes
# for a single run of each).

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys

import lit.formats

source = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(source, "../../scripts"))
from llvm_version import LLVM_MAJOR, LLVM_PREFIX

config.name = "runtime"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = source


def setting(name, default=None):
    """A value from the command line, the site configuration, or the default."""
    value = lit_config.params.get(name, getattr(config, "locus_" + name, default))
    if not value:
        lit_config.fatal(f"no value for '{name}': pass --param {name}=..., or run the tests from the build folder")
    return value


def program(path, hint):
    if not os.access(path, os.X_OK):
        lit_config.fatal(f"'{path}' is not a program: {hint}")
    return path


clang = program(os.path.abspath(setting("clang")), "build the patched clang first")
prefix = os.path.dirname(os.path.dirname(clang))
runtime = os.path.abspath(setting("runtime", prefix))
libomp = os.path.join(runtime, "lib/libomp.so")
if not os.path.exists(libomp):
    lit_config.fatal(f"'{libomp}' is missing: build the runtime first")
config.test_exec_root = os.path.abspath(setting("output", "lit-output"))
python = setting("python", "/usr/bin/python3")

flags = f"-fopenmp -O1 -g -Wall -Wextra -Werror -Wno-unused-function -I{source}"
clangxx = f"{clang} --driver-mode=g++"
if os.path.basename(clang).startswith("gcc"):
    # Linked with our runtime, behind which libgomp is not needed. Warnings are clang's matter.
    clangxx = os.path.join(os.path.dirname(clang), os.path.basename(clang).replace("gcc", "g++"))
    flags = f"-fopenmp -O1 -g -w -I{source} -isystem {runtime}/include"
    flags += f" -Wl,--no-as-needed,{libomp},--as-needed,-rpath,{runtime}/lib"
elif runtime != prefix:
    flags += f" -isystem {runtime}/include -L{runtime}/lib -Wl,-rpath,{runtime}/lib"
    flags += " -Wno-unused-command-line-argument"  # without linking
# Programs for another processor run in a guest that is up, and are compiled here.
guest = lit_config.params.get("guest")
flags += " " + lit_config.params.get("flags", "")
run_each = f"{python} {source}/run-each"
if guest:
    # The emulator's speed is no fault of a test. What ran on in the guest would slow down all that come behind it.
    limit = int(lit_config.params.get("limit", 3000))
    run_each += f" --timeout {limit} --under '{source}/../../scripts/guest/in-guest --limit {limit - 30} {guest}'"
if lit_config.params.get("quick"):
    run_each += " --quick"

if lit_config.params.get("programs") == "only":
    config.suffixes = [".c", ".cpp"]
    run_each += " --threads 2,8 --policies noblock"  # where a test does not say otherwise

    # What is built with options of our compiler is about that one.
    def is_ours(path):
        with open(path) as file:
            return "-mllvm" in file.read()

    config.excludes += [
        name
        for name in os.listdir(source)
        if name.endswith((".c", ".cpp")) and is_ours(os.path.join(source, name))
    ]

config.substitutions += [
    # Compiles the test itself: %build [FLAG...] makes %t.
    ("%build", f"{clang} {flags} %s -o %t"),
    ("%clangxx", f"{clangxx} {flags}"),
    (r"%clang\b", f"{clang} {flags}"),
    # Runs a program in many environments; run-each --help.
    ("%run-each", run_each),
    # Runs it once, with a time limit.
    (r"%run\b", f"{run_each} --once"),
    ("%python", python),
    ("%locus-trace", os.path.join(runtime, "bin/locus-trace")),
    ("%libomp", libomp),
    ("%runtime", runtime),
]
for tool in ("FileCheck", "count", "not"):
    path = program(os.path.join(setting("llvm_tools", f"{LLVM_PREFIX}/bin"), tool), f"install llvm-{LLVM_MAJOR}-tools")
    config.substitutions.append((rf"(?<![\w/.-]){tool}(?![\w/.-])", path))

# Built beside ours: the stock one for comparisons, and ours with all its checks.
for name in ("stock", "checked") if not guest else ():
    path = os.path.join(os.path.dirname(runtime), name, "lib/libomp.so")
    config.substitutions.append((f"%{name}", path))
    if os.path.exists(path):
        config.available_features.add(name)
    else:
        lit_config.note(f"tests that need the {name} libomp are skipped: there is no '{path}'")
config.substitutions.append(("%product", os.path.join(prefix, "lib/libomp.so")))

# The caller's settings would decide what is tested.
for name in list(config.environment):
    if name.startswith(("OMP_", "KMP_", "GOMP_", "HWLOC_", "LD_", "CPATH")):
        del config.environment[name]

# Settings of the runtime to run everything with: --param settings="KMP_TASK_QUEUES=numa KMP_TASK_SYNC=lock"
for pair in lit_config.params.get("settings", "").split():
    name, equals, value = pair.partition("=")
    if not equals:
        lit_config.fatal(f"settings: '{pair}' is not NAME=VALUE")
    config.environment[name] = value

# Programs that only read files, and builds, are the same beside the libomp that checks itself: they are tested once.
if os.path.basename(runtime) == "checked":
    about_tools = re.compile(r"(trace_(?!files|merge)|locus_doctor|compilers).*[.]test")
    config.excludes += filter(about_tools.fullmatch, os.listdir(source))

# What the compiler links by itself, and what is installed beside it, is tested once.
if runtime == prefix:
    config.available_features.add("product")
# LLVM's runtimes/, by which the runtime alone is built, links libraries that dlclose leaves where they are.
said = subprocess.run(["readelf", "-d", f"{runtime}/lib/libomp.so"], check=False, capture_output=True, text=True)
if said.returncode == 0 and "NODELETE" not in said.stdout:
    config.available_features.add("unloaded")
else:
    lit_config.note("the test of memory after dlclose is skipped: this libomp stays loaded, or there is no readelf")
if setting("clause", "yes") != "no":
    config.available_features.add("clause")
for tool in ("gcc", "gfortran", "flang-22", "taskset", "valgrind"):
    if shutil.which(tool) and not guest:
        config.available_features.add(tool)
    else:
        lit_config.note(f"tests that need {tool} are skipped: there is no such program")

if not guest and subprocess.run("strace -o /dev/null true", shell=True, check=False, capture_output=True).returncode == 0:
    config.available_features.add("strace")
else:
    lit_config.note("tests of system calls are skipped: strace is not installed, or may not trace")

# Emulated processors take turns: the time of each counts those of the others, and threads that spin keep it from them. Nor do
# tools of the guest's run here, or libraries of its preload into what starts a program there.
if not guest:
    config.available_features.add("native")
else:
    lit_config.note("tests of processor time, with hundreds of active threads and of what runs here are skipped in a guest")
if lit_config.params.get("arch", platform.machine()) == "x86_64":
    config.available_features.add("x86_64")

MOVE_PAGES = 279  # x86-64
if ctypes.CDLL(None).syscall(MOVE_PAGES, 0, ctypes.c_ulong(0), None, None, None, 0) == 0:
    config.available_features.add("numa-calls")
else:
    lit_config.note("tests that ask where memory is are skipped: move_pages is refused, as in some containers")

for mpi in ("openmpi", "mpich"):
    if not guest and shutil.which(f"mpicc.{mpi}") and shutil.which(f"mpirun.{mpi}"):
        config.available_features.add(mpi)
    else:
        lit_config.note(f"tests that need mpicc.{mpi} and mpirun.{mpi} are skipped: there are no such programs")

if subprocess.run([python, "-c", "import plotly.offline"], check=False, capture_output=True).returncode == 0:
    config.available_features.add("plotly")
else:
    lit_config.note("tests of locus-trace html are skipped: install python3-plotly")
jacobi = os.path.join(os.path.dirname(prefix), "bench/bin/jacobi")
config.substitutions.append(("%jacobi", jacobi))
if os.path.exists(jacobi) and not guest:
    config.available_features.add("jacobi")
else:
    lit_config.note(f"the test that traces Jacobi is skipped: there is no '{jacobi}'; build the target bench")

# What is on PyPI alone: scripts/setup --tests installs it.
own_python = os.path.join(os.path.dirname(prefix), "python/bin/python")
config.substitutions.append(("%own-python", own_python))
if (
    subprocess.run(f"{own_python} -c 'import perfetto.protos'", shell=True, check=False, capture_output=True).returncode
    == 0
):
    config.available_features.add("perfetto")
else:
    list_of = os.path.normpath(os.path.join(source, "../../scripts/python-tests.txt"))
    lit_config.note(
        "the test that reads files of locus-trace by Perfetto's schema is skipped: "
        f"python3 -m venv {os.path.dirname(os.path.dirname(own_python))}, and its pip install -r {list_of}"
    )
if subprocess.run(f"{own_python} -c 'import setuptools'", shell=True, check=False, capture_output=True).returncode == 0:
    config.available_features.add("setuptools")
else:
    lit_config.note("the test that installs locus-trace by pip is skipped: scripts/setup --tests installs setuptools")
if shutil.which("chromium") and shutil.which("chromedriver"):
    config.available_features.add("chromium")
else:
    lit_config.note("the test that opens pages of locus-trace is skipped: install chromium and chromium-driver")

tsan = os.path.join(prefix, f"lib/clang/{LLVM_MAJOR}/lib/linux/libclang_rt.tsan-x86_64.a")
if not guest and os.path.exists(tsan):
    config.available_features.add("tsan")
else:
    lit_config.note(f"tests that need ThreadSanitizer are skipped: install libclang-rt-{LLVM_MAJOR}-dev")

if len(os.sched_getaffinity(0)) > 1:
    config.available_features.add("several-cpus")
else:
    lit_config.note("steps that need several processors are left out")

lit_config.load_config(config, os.path.join(source, "../../scripts/guest/numa_guest.lit.py"))
