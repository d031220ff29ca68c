# ruff: noqa: F821 (lit defines config)
# Tests of the build and of scripts/; the build folder's lit.site.cfg.py sets the paths.

import os

import lit.formats

config.name = "build"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(config.test_source_root))

config.substitutions += [
    (r"%clang\b", config.locus_clang),
    ("%stock", f"{config.locus_tools}/clang"),
    ("%tools", config.locus_tools),
    ("%python", config.locus_python),
    # The project, the LLVM source as released, the same with the patches.
    ("%root", root),
    ("%source", config.locus_source),
    ("%patched", config.locus_patched),
]
for tool in ("FileCheck", "not"):
    # As a command, not as a part of a path.
    config.substitutions.append(
        (rf"(?<![\w/.-]){tool}(?![\w/.-])", f"{config.locus_tools}/{tool}")
    )
