# ruff: noqa: F821 (lit defines config and lit_config)
# Tests of the patched clang, laid out like clang/test/OpenMP.
#
# The build folder's lit.site.cfg.py sets the paths (see CMakeLists.txt here).
# Without it:
#   lit test/lit --param clang=PREFIX/bin/clang

import os
import shutil
import subprocess
import sys

import lit.formats
import lit.util

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
from llvm_version import LLVM_PREFIX

config.name = "locus-lit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".cppm", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)


def setting(name, default=None):
    """A value from the command line, the site configuration, or the default."""
    value = lit_config.params.get(name, getattr(config, "locus_" + name, default))
    if not value:
        lit_config.fatal(
            f"no value for '{name}': pass --param {name}=..., or run the tests "
            "from the build folder"
        )
    return value


clang = os.path.abspath(setting("clang"))
llvm_tools = setting("llvm_tools_dir", f"{LLVM_PREFIX}/bin")
config.test_exec_root = setting(
    "test_exec_root", os.path.join(os.getcwd(), "lit-output")
)
if not os.access(clang, os.X_OK):
    lit_config.fatal(f"'{clang}' is not a program: build the patched clang first")


def resource_dir_of(driver):
    """The folder of clang's own headers and libraries, named by its version."""
    return subprocess.check_output([driver, "-print-resource-dir"], text=True).strip()


resource_dir = resource_dir_of(clang)
stock_include = os.path.join(resource_dir_of(f"{llvm_tools}/clang"), "include")

for tool in ("FileCheck", "not", "count", "split-file"):
    path = os.path.join(llvm_tools, tool)
    if not os.access(path, os.X_OK):
        lit_config.fatal(
            f"'{path}' is missing: install LLVM's tools (llvm-<N>-tools), or "
            "pass --param llvm_tools_dir=..."
        )
    # As a command, not as a part of a path.
    config.substitutions.append((rf"(?<![\w/.-]){tool}(?![\w/.-])", path))

config.substitutions += [
    (
        r"%clang_cc1\b",
        f"{clang} -cc1 -internal-isystem {resource_dir}/include -nostdsysteminc",
    ),
    # The compiler that ours is made from, to compare with.
    (
        r"%stock_cc1\b",
        f"{llvm_tools}/clang -cc1 -internal-isystem {stock_include} -nostdsysteminc",
    ),
    (r"%stock\b", f"{llvm_tools}/clang"),
    (r"%clangxx\b", f"{clang} --driver-mode=g++"),
    (r"%clang\b", clang),
    (r"%python\b", setting("python", "python3")),
    (r"%prefix\b", os.path.dirname(os.path.dirname(clang))),
    (r"%resource-dir\b", resource_dir),
    (r"%lld\b", f"{llvm_tools}/ld.lld"),
]

if shutil.which("gfortran"):
    config.available_features.add("gfortran")
else:
    lit_config.note(
        "tests that need gfortran are skipped: there is no such program"
    )

# The tests' behaviour must not depend on the caller's environment.
for name in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"):
    config.environment.pop(name, None)
