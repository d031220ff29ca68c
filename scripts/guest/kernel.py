"""The kernel of numa-guest's machine, from Debian's package."""

import fcntl
import lzma
import os
import re
import shutil
import struct
import subprocess
import tarfile
import tempfile
from pathlib import Path

from guest.arch import ARCHES, SOURCE, SYSTEM_PACKAGES
from guest.messages import Missing, say

# What the guest needs beyond the kernel image; modules that these need follow.
MODULES = ("virtio_pci", "9p", "9pnet_virtio", "overlay")
MODULE_FOLDERS = re.compile(
    r"/kernel/(drivers/virtio|net/9p|fs/9p|fs/netfs|fs/fscache|fs/overlayfs)/"
)


def output_of(command, **options):
    return subprocess.run(
        command, check=True, text=True, capture_output=True, **options
    ).stdout


def kernel_package():
    """The newest signed kernel that apt knows, by linux-image-amd64's dependency."""
    for tool in ("apt-cache", "apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise Missing(f"no {tool}: the kernel comes from a Debian package")
    try:
        text = output_of(["apt-cache", "depends", "linux-image-amd64"])
    except subprocess.CalledProcessError as error:
        text = error.stderr
    match = re.search(r"Depends: (linux-image-\d\S*)", text)
    if not match:
        raise Missing("apt knows no package linux-image-amd64 (run: apt-get update)")
    return match[1]


def kernel_in(cache):
    kernel = cache / "kernel"
    return kernel if (kernel / "release").exists() else None


def unpacked_image(image):
    """The ELF file in a bzImage, or None.

    QEMU starts it directly (PVH): unpacking xz in emulation takes seconds.
    """
    if image[0x202:0x206] != b"HdrS":  # Arm's are not packed
        return None
    sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (sectors + 1) * 512 + offset
    try:
        # The payload ends with its unpacked size, which is not part of the stream.
        elf = lzma.LZMADecompressor().decompress(image[start : start + length])
    except lzma.LZMAError:
        return None
    return elf if elf.startswith(b"\x7fELF") else None


def unpack_kernel(package_file, target):
    """The image and the modules that the guest can need: 15 of the package's files."""
    modules = target / "modules"
    modules.mkdir(parents=True)
    unpack = ["dpkg-deb", "--fsys-tarfile", package_file]
    with (
        subprocess.Popen(unpack, stdout=subprocess.PIPE) as process,
        tarfile.open(fileobj=process.stdout, mode="r|") as tar,
    ):
        for member in tar:
            name = Path(member.name).name
            if name.startswith("vmlinuz-"):
                image = tar.extractfile(member).read()
                (target / "image").write_bytes(unpacked_image(image) or image)
                (target / "release").write_text(name.removeprefix("vmlinuz-"))
            elif name == "modules.builtin":
                (target / name).write_bytes(tar.extractfile(member).read())
            elif member.isfile() and MODULE_FOLDERS.search(member.name):
                module = tar.extractfile(member).read()
                if name.endswith(".xz"):
                    name, module = name.removesuffix(".xz"), lzma.decompress(module)
                (modules / name).write_bytes(module)
    for file in ("image", "release", "modules.builtin"):
        if not (target / file).exists():
            raise Missing(f"the kernel package {package_file.name} has no {file}")


def modules_in_order(kernel):
    """Bytes of MODULES and what they depend on, in the order to load them."""
    folder = kernel / "modules"
    files = {file.stem.replace("-", "_"): file for file in folder.iterdir()}
    builtin = {
        Path(line).stem.replace("-", "_")
        for line in (kernel / "modules.builtin").read_text().split()
    }
    order = {}

    def add(name):
        name = name.replace("-", "_")
        if name in order or name in builtin:
            return
        if name not in files:
            raise Missing(f"the kernel in {kernel} has no module {name}")
        data = files[name].read_bytes()
        for needed in re.search(rb"\0depends=([^\0]*)\0", data)[1].decode().split(","):
            if needed:
                add(needed)
        order[name] = data

    for name in MODULES:
        add(name)
    return list(order.values())


def fetch_system(options):
    """Unpack another processor's kernel and system, once."""
    arch = ARCHES[options.arch]
    package, suite = arch.kernels[options.pages]
    root = options.cache / "root"
    say(f"fetching a Debian for {options.arch} (once, about 150 MB)")
    command = [SOURCE / "fetch-sysroot", arch.debian, root, *SYSTEM_PACKAGES, package]
    environment = {**os.environ, "SUITE": suite} if suite else None
    try:
        output_of(command, env=environment)
        with tempfile.TemporaryDirectory(dir=options.cache, prefix="new-") as scratch:
            new = Path(scratch) / "kernel"
            unpack_kernel(root / "kernel.deb", new)
            shutil.rmtree(options.cache / "kernel", ignore_errors=True)
            new.rename(options.cache / "kernel")
    except subprocess.CalledProcessError as error:
        raise Missing(" ".join(error.stderr.split())) from None


def fetch_kernel(cache):
    """Download and unpack the kernel, once; the result appears by a rename."""
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the second one finds the first's kernel
        if kernel_in(cache):
            return
        package = kernel_package()
        say(f"downloading the guest's kernel, {package} (once, about 70 MB)")
        with tempfile.TemporaryDirectory(dir=cache, prefix="new-") as scratch:
            scratch = Path(scratch)
            try:
                output_of(["apt-get", "download", "-q", package], cwd=scratch)
            except subprocess.CalledProcessError as error:
                raise Missing(
                    f"apt-get download {package} failed "
                    f"(no network, or run: apt-get update): "
                    + " ".join(error.stderr.split())
                ) from None
            unpack_kernel(next(scratch.glob("*.deb")), scratch / "kernel")
            shutil.rmtree(cache / "kernel", ignore_errors=True)
            (scratch / "kernel").rename(cache / "kernel")
