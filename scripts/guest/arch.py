"""The processors that numa-guest's machine can have, and how QEMU and Debian call what it needs."""

from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Arch:
    qemu: str
    qemu_package: str
    debian: str
    kernels: dict  # by the size of pages: package, release of Debian where it is another than the host's
    machine: tuple
    console: str
    kernel_options: str
    largest_id: int | None  # of the processors, where their packages and cores have bits of their own


ARCHES = {
    "x86_64": Arch(
        qemu="qemu-system-x86_64",
        qemu_package="qemu-system-x86",
        debian="amd64",
        kernels={"4k": ("linux-image-amd64", None)},
        machine=("-cpu", "max", "-machine", "pc"),
        console="ttyS0",
        # Without lpj each CPU calibrates its delay loop: a third of the boot time.
        kernel_options="lpj=4000000 tsc=reliable no_timer_check random.trust_cpu=on mitigations=off",
        largest_id=254,  # APIC ids have 8 bits, 255 is the broadcast id
    ),
    "aarch64": Arch(
        qemu="qemu-system-aarch64",
        qemu_package="qemu-system-arm",
        debian="arm64",
        # Debian has none with 64 KB.
        kernels={"4k": ("linux-image-arm64", None), "16k": ("linux-image-arm64-16k", "trixie")},
        # A server's processor: atomic instructions (LSE), no signed pointers, whose emulation is slow.
        machine=("-cpu", "neoverse-n1", "-machine", "virt,gic-version=3"),
        console="ttyAMA0",
        kernel_options="",
        largest_id=None,
    ),
}

# A system that runs by itself: for a guest whose programs are not the host's.
SYSTEM_PACKAGES = (
    *("busybox-static", "base-files", "libc-bin", "bash", "dash", "coreutils", "grep", "sed", "gawk", "findutils"),
    *("diffutils", "util-linux", "mount", "procps", "hostname", "python3", "python3-numpy", "numactl"),
    *("libhwloc15", "libnuma1", "libstdc++6", "libatomic1", "libgcc-s1"),
)
