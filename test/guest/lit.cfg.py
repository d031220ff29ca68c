# ruff: noqa: F821 - lit defines config and lit_config
import os

import lit.formats

config.name = "guest"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.locus_build
config.environment["PATH"] = os.pathsep.join((config.llvm_tools, os.environ["PATH"]))
config.substitutions.append(("%guest-probe", config.locus_build + "/guest-probe"))
lit_config.load_config(config, config.locus_source + "/scripts/guest/numa_guest.lit.py")
