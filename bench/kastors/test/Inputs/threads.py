"""Runs a command with OpenBLAS. Fails if it has a second thread once it has started itself anew with
OPENBLAS_NUM_THREADS=1, or ends before that was seen."""

import os
import subprocess
import sys
import time
from pathlib import Path

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
folder = Path("/proc") / str(process.pid)
most = 0
while process.poll() is None:
    try:
        if b"OPENBLAS_NUM_THREADS=1" in (folder / "environ").read_bytes().split(b"\0"):
            most = max(most, len(os.listdir(folder / "task")))
    except (FileNotFoundError, ProcessLookupError):
        break
    time.sleep(0.01)
if process.wait() != 0 or most != 1:
    sys.exit(f"exit status {process.returncode}, threads: {most}")
