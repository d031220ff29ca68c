# ruff: noqa: F821 - lit defines config and lit_config
# Tests of what surrounds an installation. %archive is the unpacked archive that Inputs/make-archive lays out of build/install.
import os
import shutil
import subprocess

import lit.formats

config.name = "install"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.locus_build
config.environment["PATH"] = os.pathsep.join((config.llvm_tools, os.environ["PATH"]))
config.substitutions += [
    ("%install", config.locus_install),
    ("%source", config.locus_source),
    (
        "%archive",
        "sh " + os.path.join(config.test_source_root, "Inputs/make-archive") + " " + config.locus_install,
    ),
    ("%nobody", "sh " + os.path.join(config.test_source_root, "Inputs/as-nobody")),
]
for name in list(config.environment):
    if name.startswith(
        (
            "OMP_",
            "KMP_",
            "GOMP_",
            "HWLOC_",
            "LD_",
            "CPATH",
            "LIBRARY_PATH",
            "CMAKE_PREFIX",
            "PKG_CONFIG",
        )
    ):
        del config.environment[name]

for tool in ("gcc", "gfortran", "pkg-config", "modulecmd", "man", "zsh", "fish", "tcsh"):
    if shutil.which(tool):
        config.available_features.add(tool)
    else:
        lit_config.note(f"tests that need {tool} are skipped: there is no such program")
if (
    subprocess.run(
        ["unshare", "-rn", "true"] if os.getuid() else ["unshare", "-n", "true"],
        check=False,
        capture_output=True,
    ).returncode
    == 0
):
    config.available_features.add("unshare")
else:
    lit_config.note("the test without a network is skipped: unshare may not make a network namespace here")
