"""Questions that no file answers: to the kernel by calls, to the runtime by a program that loads it, to locus-check."""

import ctypes
import errno
import json
import mmap
import os
import re
import subprocess
import sys
from pathlib import Path

# The numbers of mbind, get_mempolicy and move_pages. Processors that came to Linux late share those of 64-bit Arm.
CALLS = {"x86_64": (237, 239, 279), "aarch64": (235, 236, 239)}
MBIND, GET_MEMPOLICY, MOVE_PAGES = CALLS.get(os.uname().machine, CALLS["aarch64"])
POLICIES = ("default", "preferred", "bind", "interleave", "local", "preferred-many", "weighted-interleave")
POLICY_MASK = 0x0FFF  # without its flags
# What the runtime would write into the user's files; and the variables by which it finds other ranks, whose parent is not ours.
SILENT = ("KMP_TASK_TRACE", "KMP_TASK_STATS", "OMP_TOOL_LIBRARIES")
RANKS = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PALS_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE")


class Problem(Exception):
    """What keeps locus-doctor from an answer: one line."""


class Kernel:
    """Which of the calls that the runtime makes are refused, and the policy by which this process gets memory."""

    def __init__(self):
        self.refused = {}  # name: why
        self.libc = ctypes.CDLL(None, use_errno=True)
        with mmap.mmap(-1, mmap.PAGESIZE) as memory:
            memory[0] = 1
            page = ctypes.c_char.from_buffer(memory)
            address = ctypes.c_void_p(ctypes.addressof(page))
            status = ctypes.c_int(-1)
            self.call(
                "move_pages", MOVE_PAGES, 0, ctypes.c_ulong(1), ctypes.byref(address), None, ctypes.byref(status), 0
            )
            self.call("mbind", MBIND, address, ctypes.c_ulong(mmap.PAGESIZE), 0, None, ctypes.c_ulong(0), 0)
            del page
        mode = ctypes.c_int(0)
        self.call("get_mempolicy", GET_MEMPOLICY, ctypes.byref(mode), None, ctypes.c_ulong(0), None, ctypes.c_ulong(0))
        number = mode.value & POLICY_MASK
        self.policy = POLICIES[number] if number < len(POLICIES) else f"number {number}"

    def call(self, name, number, *arguments):
        if self.libc.syscall(ctypes.c_long(number), *arguments) != 0:
            self.refused[name] = os.strerror(ctypes.get_errno() or errno.EPERM)


class Runtime:
    """What the runtime in the prefix makes of the environment."""

    def __init__(self, prefix):
        library = prefix / "lib/libomp.so"
        if not library.exists():
            raise Problem(
                f"there is no runtime in {prefix}/lib: call the installed locus-doctor, build/install/bin/locus-doctor"
            )
        environment = {name: value for name, value in os.environ.items() if name not in SILENT + RANKS}
        python = sys.executable or os.readlink("/proc/self/exe")  # without PATH Python does not know where it is
        probe = [python, str(Path(__file__).with_name("probe.py")), str(library)]
        try:
            done = subprocess.run(
                probe, env=environment, capture_output=True, text=True, errors="replace", timeout=120, check=False
            )
        except subprocess.TimeoutExpired:
            raise Problem("a program with this environment does not come to its end within two minutes") from None
        lines = [re.match(r"OMP: (?:Warning|Error)(?: #\d+)?: (.*)", line) for line in done.stderr.splitlines()]
        self.warnings = [line[1].rstrip(".") for line in lines if line]
        try:
            found = json.loads(done.stdout[done.stdout.index("{") :])
        except ValueError:
            said = self.warnings or done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise Problem(f"the runtime does not start with this environment: {said[-1]}") from None
        self.bound = found["bind"] != 0
        self.places = found["places"]
        self.threads = found["threads"]
        self.hwloc = found["hwloc"]


def check_program(here, program):
    """What locus-check says of a program: its exit status, and its lines."""
    done = subprocess.run(
        [here / "locus-check", program], capture_output=True, text=True, errors="replace", check=False
    )
    return done.returncode, (done.stdout + done.stderr).strip().splitlines()
