"""What the scripts under bench/ share: the environment of a run, and the record of where it was made."""

import argparse
import csv
import datetime
import os
import platform
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path


class BenchError(Exception):
    """Something that the user can mend; the text says what."""


def positive(text):
    """An argparse type: a whole number from 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return value


def default_threads():
    """OMP_NUM_THREADS, or a thread for every CPU."""
    text = os.environ.get("OMP_NUM_THREADS")
    if text is None:
        return cpus()
    try:
        return positive(text)
    except argparse.ArgumentTypeError:
        raise BenchError(f"OMP_NUM_THREADS={text} is not a whole number from 1; give --threads") from None


def cpus():
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Runtime:
    """A build of the programs with the OpenMP runtime that they run on."""

    name: str
    folder: Path  # of the programs
    library: Path | None = None  # folder of the libomp that they must load; None: the runtime they were linked with
    compat: bool = False  # programs that ask for libgomp
    settings: dict = field(default_factory=dict)
    wants_cpus: bool = False  # not with more threads than CPUs

    def folder_to_load(self):
        """Under `compat` libomp has the names that programs of other compilers ask for. LD_PRELOAD would leave libgomp
        in the process, whose constructor binds the initial thread to one processor, and so all threads."""
        return self.library / "compat" if self.library and self.compat else self.library

    def environment(self, threads):
        """Environment of a run, in which the program loads that libomp."""
        environment = dict(os.environ)
        if self.library:
            environment["LD_LIBRARY_PATH"] = str(self.folder_to_load().resolve())
        environment["OMP_NUM_THREADS"] = str(threads)
        environment.setdefault("OMP_PROC_BIND", "close")
        environment.setdefault("OMP_PLACES", "cores")
        # Bound at the start, a program whose libomp lacks the affinity entry would not run in any variant.
        environment.pop("LD_BIND_NOW", None)
        return {**environment, **self.settings}

    def require_loaded(self, loaded):
        """Fails unless `loaded`, the runtime that a program says it has, is this one."""
        if self.library and Path(loaded).parent != self.library.resolve():
            raise BenchError(
                f"the program loaded {loaded}, not the libomp in {self.library}: is it bound by an RPATH? "
                "(readelf -d shows it; it must be a RUNPATH)"
            )
        if not self.library and self.links_openmp() and not Path(loaded).name.startswith("libgomp"):
            raise BenchError(f"the program loaded {loaded}, not libgomp: is LD_PRELOAD or LD_LIBRARY_PATH set?")

    def links_openmp(self):
        """Other libraries' programs have no OpenMP runtime."""
        return True

    def without_yield(self, name):
        """The same, where a thread that waits keeps its CPU: ruinous when there are more threads than CPUs."""
        return replace(self, name=name, settings={**self.settings, "KMP_USE_YIELD": "0"}, wants_cpus=True)


def add_folders(parser, top, *folders):
    """Arguments that say where programs and runtimes are: (name, default in the source tree, what)."""
    for name, folder, what in folders:
        parser.add_argument(
            name,
            type=Path,
            default=top / folder,
            metavar="DIR",
            help=f"{what} ({folder})",
        )


def run_program(command, environment, timeout):
    """Runs a program. Returns it, and how much others used the CPUs meanwhile; None if it exceeds `timeout`."""
    try:
        with Others() as others:
            done = subprocess.run(
                command,
                env=environment,
                timeout=timeout,
                capture_output=True,
                text=True,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return None
    return done, others.share


def openmp_settings(environment):
    """The variables that steer an OpenMP runtime, for the record."""
    return " ".join(
        f"{name}={value}" for name, value in sorted(environment.items()) if name.startswith(("OMP_", "KMP_"))
    )


def _first(path, prefix):
    """The value of the first line `prefix... : value` of a file of /proc."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith(prefix):
            return line.partition(":")[2].strip()
    return "unknown"


def _git(top, *arguments):
    """Output of git, or None: the sources may not be a clone, and git may be missing."""
    try:
        done = subprocess.run(
            ["git", "-C", str(top), *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


class Others:
    """How much of this process' CPUs others used, the hypervisor among them, while `with Others() as others:` ran."""

    share = 0.0  # of the time of all these CPUs, 0 to 1

    # From here on a figure says more about the machine's other users than about the program.
    MOST = 0.05

    def __enter__(self):
        self._before = self._now()
        return self

    def __exit__(self, *exception):
        passed, busy, own = (now - before for now, before in zip(self._now(), self._before, strict=True))
        self.share = max(busy - own, 0.0) / (passed * cpus())

    @staticmethod
    def _now():
        """Seconds: passed, of these CPUs at work for anybody, of this process and the programs that it ran."""
        names = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        ticks = 0
        for line in Path("/proc/stat").read_text(encoding="utf-8").splitlines():
            name, *values = line.split()
            if name in names:
                user, nice, system, _idle, _wait, irq, softirq, stolen = map(int, values[:8])
                ticks += user + nice + system + irq + softirq + stolen
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
        return time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), own


def warn_if_busy(program, rows):
    """Tells the user if others used more of the CPUs than figures bear, in any of these runs."""
    shares = [float(row["others"]) for row in rows if "others" in row]
    busy = [share for share in shares if share > Others.MOST]
    if not busy:
        return
    print(
        f"{program}: warning: in {len(busy)} of {len(shares)} runs others used more than {Others.MOST:.0%} of the CPUs, "
        f"up to {max(busy):.0%}. Times and ratios from such runs are worth nothing: repeat them on a quiet machine.",
        file=sys.stderr,
    )


def machine_fields(top):
    """What a figure is worth nothing without: machine, commit and date."""
    commit = _git(top, "rev-parse", "HEAD") or "unknown"
    if _git(top, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    nodes = list(Path("/sys/devices/system/node").glob("node[0-9]*"))
    return {
        "cpu": _first("/proc/cpuinfo", "model name"),
        "cpus": str(cpus()),
        "numa_nodes": str(max(len(nodes), 1)),
        "kernel": platform.release(),
        "commit": commit,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def write_csv(path, rows):
    """Writes dictionaries; columns in the order in which they first appear."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)


def print_row(cells, widths):
    """A line of a table. Columns of negative width are aligned to the right."""
    print(
        "  ".join(
            f"{cell:{'<' if width > 0 else '>'}{abs(width)}}" for cell, width in zip(cells, widths, strict=True)
        ).rstrip(),
        flush=True,
    )


def end_with(main, program, status):
    """Ends the process with what main says; with `status` where the user can mend something."""
    try:
        said = main()
        sys.stdout.flush()
        sys.exit(said)
    except BenchError as error:
        print(f"{program}: error: {error}", file=sys.stderr)
        sys.exit(status)
    except BrokenPipeError:  # `head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(status)
    except KeyboardInterrupt:
        sys.exit(130)
