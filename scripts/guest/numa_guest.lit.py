# ruff: noqa: F821 - lit defines config and lit_config
# For lit suites: lit_config.load_config(config, ".../scripts/guest/numa_guest.lit.py")
# defines the substitution %numa-guest and, where the guest can run, the feature
# numa-guest. docs/numa-guest.md has an example.

import os
import subprocess
from pathlib import Path

script = [str(Path(__file__).resolve().parent.parent / "numa-guest")]
for option in ("arch", "pages"):
    if option in lit_config.params:
        script += [f"--{option}", lit_config.params[option]]
config.substitutions.append(("%numa-guest", " ".join(script)))
for name in ("LOCUS_GUEST_CACHE", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

check = subprocess.run([*script, "--check"], check=False, capture_output=True, text=True)
if check.returncode == 0:
    config.available_features.add("numa-guest")
elif check.returncode == 77:
    lit_config.note(f"tests in a NUMA guest are skipped: {check.stderr.strip()}")
else:
    lit_config.fatal(f"{script[0]} --check failed: {check.stderr.strip()}")
