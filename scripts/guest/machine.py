"""The machine of numa-guest: what the host must have, and a run of it."""

import os
import platform
import re
import select
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from guest.arch import ARCHES
from guest.kernel import kernel_in, kernel_package, modules_in_order, output_of
from guest.messages import GuestFailed, Missing, say
from guest.shape import shape_arguments
from guest.starved import starved

INIT = Path(__file__).resolve().parent / "init"
# The applets that the guest's init runs.
APPLETS = (
    *("cat", "chroot", "echo", "insmod", "ln", "mkdir", "mkfifo", "mount"),
    *("reboot", "setsid", "sh", "sync"),
)
# Seconds after which a guest without a word is started again.
SILENT_START = 60
# Up to this many emulated CPUs take turns in one thread of the host.
MAX_TURNS = 64

GUEST_FAILED = 125  # numa-guest's exit status


def own_system(options):
    """The folder whose programs the guest runs in place of the host's, or None."""
    if options.root or options.arch == "x86_64":
        return options.root
    return options.cache / "root"


def busybox_of(options):
    if options.arch != "x86_64":
        return options.cache / "root/bin/busybox"
    return busybox_path()


def busybox_path():
    path = shutil.which("busybox")
    # A dynamic one names its loader near the start of the file; it would need
    # the host's libraries before these are mounted.
    if not path or b"/ld-linux" in Path(path).read_bytes()[:8192]:
        raise Missing("no static busybox: install the package busybox-static")
    lacking = set(APPLETS) - set(output_of([path, "--list"]).split())
    if lacking:
        names = ", ".join(sorted(lacking))
        raise Missing(f"{path} lacks {names}: install the package busybox-static")
    return Path(path)


def kvm_answers():
    """Whether KVM really runs code: opening /dev/kvm succeeds on hosts where it cannot.

    The probe is a whole firmware: five bytes at the reset vector that end QEMU
    with status 2 * 16 + 1.
    """
    flags = re.search(
        r"^flags.*\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE
    )
    if not flags or not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    end = b"\xb0\x10\xe6\xf4\xf4"  # mov al, 16; out 0xf4, al; hlt
    with tempfile.NamedTemporaryFile() as firmware:
        firmware.write(bytes(0x10000 - 16) + end.ljust(16, b"\xf4"))
        firmware.flush()
        try:
            command = [ARCHES["x86_64"].qemu, "-accel", "kvm", "-cpu", "max", "-m", "16"]
            command += ["-nodefaults", "-display", "none", "-bios", firmware.name]
            command += ["-device", "isa-debug-exit,iobase=0xf4"]
            probe = subprocess.run(command, check=False, capture_output=True, timeout=5)
        except subprocess.TimeoutExpired:
            return False
    return probe.returncode == 33


def check_host(options):
    """Raise Missing with everything that this host lacks."""
    problems = []
    arch = ARCHES[options.arch]
    if options.arch == "x86_64" and platform.machine() != "x86_64":
        problems.append(
            f"this host is {platform.machine()}; the guest runs its programs "
            "and needs x86_64"
        )
    if not shutil.which(arch.qemu):
        problems.append(f"no {arch.qemu}: install the package {arch.qemu_package}")
    if not shutil.which("setpriv"):
        problems.append("no setpriv: install the package util-linux")
    if options.arch == "x86_64":
        problems += problems_of_host_programs(options)
    if problems:
        raise Missing("cannot run here: " + "; ".join(problems))


def problems_of_host_programs(options):
    """What the guest lacks that runs the host's own programs."""
    problems = []
    try:
        busybox_path()
    except Missing as missing:
        problems.append(str(missing))
    if not kernel_in(options.cache):
        try:
            kernel_package()
        except Missing as missing:
            problems.append(str(missing))
    return problems


def cpio_entry(name, mode, data=b"", device=(0, 0)):
    """One member of a newc archive; written here because a device needs no root so."""
    name = name.encode() + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def initrd(options):
    kernel = kernel_in(options.cache)
    folders = ("bin", "cgroup", "dev", "host", "job", "modules", "proc", "upper")
    folders += ("others", "system", "written")
    entries = [cpio_entry(folder, stat.S_IFDIR | 0o755) for folder in folders]
    entries.append(cpio_entry("dev/console", stat.S_IFCHR | 0o600, b"", (5, 1)))
    entries.append(cpio_entry("init", stat.S_IFREG | 0o755, INIT.read_bytes()))
    busybox = busybox_of(options).read_bytes()
    entries.append(cpio_entry("bin/busybox", stat.S_IFREG | 0o755, busybox))
    for applet in APPLETS:
        entries.append(cpio_entry(f"bin/{applet}", stat.S_IFLNK | 0o777, b"busybox"))
    for index, module in enumerate(modules_in_order(kernel)):
        entries.append(cpio_entry(f"modules/{index:02}", stat.S_IFREG | 0o644, module))
    conf = shlex.join(["set", "--", *map(str, options.out)]) + "\n"
    conf += "system=yes\n" if own_system(options) else "system=no\n"
    entries.append(cpio_entry("guest.conf", stat.S_IFREG | 0o644, os.fsencode(conf)))
    entries.append(cpio_entry("TRAILER!!!", 0))
    return b"".join(entries)


def job_script(command, environment):
    """What the guest's shell runs from its standard input.

    The last line is one command: the shell has read it whole before the
    redirection takes the script away.
    """
    lines = [f"cd {shlex.quote(os.getcwd())} || exit {GUEST_FAILED}"]
    lines += ["unset OLDPWD"]
    lines += [f"export {k}={shlex.quote(v)}" for k, v in environment.items()]
    lines += [f"exec {shlex.join(command)} </dev/null", ""]
    return os.fsencode("\n".join(lines))


def qemu_command(options, scratch, kernel):
    # Emulated CPUs take turns in one thread: a CPU that waits in a loop gives its
    # turn away at each pause instruction. With a thread for each CPU the loops take
    # most of the time, and the turns are the host's, of 4 ms: a CPU stands still
    # for 44 ms where 12 share one of the host's, and tasks move to others. But the
    # kernel brings up a hundred CPUs in turns for minutes.
    cpus = sum(count for count, _ in options.nodes)
    # Nor does QEMU keep Arm's order on x86-64: its barriers lie before STLR and behind LDAR, and none between them, which
    # threads of the host see (7.2). In turns nobody does. There `yield` gives one away.
    arch = ARCHES[options.arch]
    threads = "multi" if options.parallel or cpus > MAX_TURNS else "single"
    kvm = options.arch == "x86_64" and kvm_answers()
    accel = "kvm" if kvm else f"tcg,thread={threads}"
    kernel_options = (
        # Spread over the CPUs' timers, which end turns.
        "skew_tick=1 "
        f"{arch.kernel_options} rcupdate.rcu_expedited=1 cryptomgr.notests audit=0 "
        f"console={arch.console} quiet nokaslr panic=-1"  # a panic ends QEMU (-no-reboot)
    )
    command = ["setpriv", "--pdeathsig", "KILL", arch.qemu, "-accel", accel, *arch.machine]
    command += ["-nodefaults", "-no-user-config", "-no-reboot"]
    command += ["-display", "none", "-serial", f"file:{scratch / 'console'}"]
    command += ["-kernel", str(kernel / "image"), "-initrd", str(scratch / "initrd")]
    command += ["-append", kernel_options]
    command += shape_arguments(options.nodes, options.distances)
    mounts = [("root", "/", ",readonly=on"), ("job", scratch / "job", "")]
    if system := own_system(options):
        mounts += [("system", system, ",readonly=on")]
    mounts += [(f"out{i}", folder, "") for i, folder in enumerate(options.out)]
    for tag, folder, more in mounts:
        path = str(folder).replace(",", ",,")
        command += [
            "-fsdev",
            f"local,id={tag},path={path},security_model=none,multidevs=remap{more}",
        ]
        command += ["-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
    return command


def forward(streams):
    for file, target in streams:
        while data := file.read(1 << 16):
            target.write(data)
        target.flush()


def failure(reason, qemu_log, console):
    """GuestFailed with the end of the console, or a panic's first lines."""
    lines = console.strip().splitlines()
    panic = [i for i, line in enumerate(lines) if "Kernel panic" in line]
    lines = lines[panic[0] :][:25] if panic else lines[-25:]
    parts = [reason]
    if qemu_log:
        parts += ["QEMU says:", *(f"  {line}" for line in qemu_log.splitlines())]
    if lines:
        parts += ["the guest's console:", *(f"  {line}" for line in lines)]
    return GuestFailed("\n".join(parts))


def run_guest(options, scratch):
    """Boot, forward the output, return COMMAND's exit status."""
    kernel = kernel_in(options.cache)
    job = scratch / "job"
    job.mkdir()
    (job / "command").write_bytes(job_script(options.command, options.environment))
    (scratch / "initrd").write_bytes(initrd(options))
    for file in (job / "stdout", job / "stderr", scratch / "console"):
        file.touch()
    command = qemu_command(options, scratch, kernel)
    if options.verbose:
        say(shlex.join(command))

    begin = time.monotonic()
    started = None
    restarted = False
    with (
        open(scratch / "qemu.log", "wb") as log,
        open(job / "stdout", "rb", 0) as out,
        open(job / "stderr", "rb", 0) as err,
    ):
        streams = ((out, sys.stdout.buffer), (err, sys.stderr.buffer))
        ended = timed_out = False
        lost = 0  # seconds without a processor
        while not ended and not timed_out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            stuck = False
            earlier = lost  # by the first emulator
            try:
                poller = select.poll()
                poller.register(os.pidfd_open(process.pid), select.POLLIN)
                while not ended and not timed_out and not stuck:
                    ended = bool(poller.poll(50))
                    lost = max(lost, earlier + starved(process.pid, options.timeout))
                    now = time.monotonic()
                    timed_out = now - begin - lost > options.timeout
                    if not started and (job / "started").exists():
                        started = now
                    # Rarely the emulator hangs before the kernel's first words.
                    stuck = (
                        not restarted
                        and not started
                        and now - begin - lost > min(SILENT_START, options.timeout / 4)
                        and not (scratch / "console").stat().st_size
                    )
                    forward(streams)
            finally:
                process.kill()
                process.wait()
            if stuck and not ended and not timed_out:
                restarted = True
                say(f"the guest is silent after {now - begin:.0f} s; it starts again")
        if not ended:
            forward(streams)
    if options.verbose:
        took = time.monotonic() - begin
        boot = f"{started - begin:.1f} s to boot, " if started else ""
        say(f"{boot}{took:.1f} s in all")

    console = (scratch / "console").read_text(errors="replace")
    if killed := re.search(r"Out of memory: Killed process \d+ \(.*?\)", console):
        say(f"the guest had no memory left ({killed[0]}): raise --mem-per-node")
    status = job / "status"
    if status.exists() and (text := status.read_text()).endswith("\n"):
        return int(text)
    if not ended:
        what = "COMMAND did not end" if started else "the guest did not start COMMAND"
        reason = f"time-out: {what} within {options.timeout} s (--timeout)"
    elif process.returncode:
        reason = f"QEMU failed (status {process.returncode})"
    elif "Kernel panic" in console:
        reason = "the guest's kernel panicked"
    elif started:
        reason = "the guest ended before COMMAND did"
    else:
        reason = "the guest did not come up"
    log = (scratch / "qemu.log").read_text(errors="replace")
    raise failure(reason, log, console)
