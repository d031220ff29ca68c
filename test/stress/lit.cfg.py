# ruff: noqa: F821 - lit defines config and lit_config
# The short mode of the stress test. The build folder's lit.site.cfg.py sets the paths; without it:
#   lit test/stress --param clang=... --param runtime=LIB --param checked=LIB --param stock=LIB --param output=FOLDER

import os
import shutil
import sys

import lit.formats

source = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(source, "../../scripts"))
from llvm_version import LLVM_MAJOR, LLVM_PREFIX

config.name = "stress"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = source


def setting(name, default=None):
    """A value from the command line, the site configuration, or the default."""
    value = lit_config.params.get(name, getattr(config, "locus_" + name, default))
    if not value:
        lit_config.fatal(f"no value for '{name}': pass --param {name}=..., or run the tests from the build folder")
    return value


output = os.path.abspath(setting("output"))
config.test_exec_root = output
python = setting("python", "/usr/bin/python3")
run_stress = (
    f"{python} {source}/run-stress --clang {setting('clang')} --runtime {setting('runtime')}"
    f" --stock {setting('stock')} --output {output}"
)
config.substitutions += [
    ("%run-stress", run_stress),
    (r"%stress\b", f"{run_stress} --one ours"),
    # The runtime that checks itself.
    ("%checked", setting("checked")),
    # A team that is larger than one.
    ("%few", "--threads 2,3"),
    ("%python", python),
    ("%locus-trace", os.path.join(source, "../../tools/locus-trace")),
]
for tool in ("FileCheck", "not"):
    path = os.path.join(setting("llvm_tools", f"{LLVM_PREFIX}/bin"), tool)
    if not os.access(path, os.X_OK):
        lit_config.fatal(f"'{path}' is not a program: install llvm-{LLVM_MAJOR}-tools")
    config.substitutions.append((rf"(?<![\w/.-]){tool}(?![\w/.-])", path))

# The caller's settings would decide what is tested.
for name in list(config.environment):
    if name.startswith(("OMP_", "KMP_", "GOMP_", "HWLOC_", "LD_")):
        del config.environment[name]

if shutil.which("g++"):
    config.available_features.add("gcc")
else:
    lit_config.note("the test with gcc is skipped: there is no g++")
