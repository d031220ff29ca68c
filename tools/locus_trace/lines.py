"""From code of a program to its source: what addr2line says of constructs that no compiler has named, those of gcc and gfortran."""

import contextlib
import os
import shutil
import stat
import struct
import subprocess
import weakref

PROGRAMS = ("addr2line", "llvm-addr2line", "llvm-addr2line-22")
EXECUTABLE, LOADED = 1, 1  # a flag, and the type, of a program header
ELF = struct.Struct("<16sHHIQQQIHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")


def segments(path):
    """Offset, address and bytes of what the loader maps as code of an ELF file of 64 bits."""
    with open(path, "rb") as file:
        header = ELF.unpack(file.read(ELF.size))
        if header[0][:6] != b"\x7fELF\x02\x01":
            return []
        at, size, count = header[5], header[9], header[10]
        if size != SEGMENT.size:
            return []
        file.seek(at)
        found = [SEGMENT.unpack(file.read(size)) for _ in range(count)]
    return [(s[2], s[3], s[5]) for s in found if s[0] == LOADED and s[1] & EXECUTABLE]


def end(process):
    """Lets a process end that reads its standard input."""
    with contextlib.suppress(OSError):
        process.stdin.close()
    process.stdout.close()
    process.wait()


class Module:
    """A file of code. One process answers for all of its addresses: it reads the file's lines once."""

    def __init__(self, path):
        self.path, self.known, self.process = path, {}, None
        try:
            self.segments = segments(path)
        except (OSError, struct.error):
            self.segments = []
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if self.segments and program:
            self.process = subprocess.Popen(
                [program, "-e", path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
            )
            weakref.finalize(self, end, self.process)

    def line(self, offset):
        """file:line of what is at an offset of the file, or None."""
        if offset not in self.known:
            self.known[offset] = self.ask(offset)
        return self.known[offset]

    def ask(self, offset):
        address = next((offset - at + to for at, to, size in self.segments if at <= offset < at + size), None)
        if address is None or self.process is None:
            return None
        try:
            self.process.stdin.write(f"{address:#x}\n")
            self.process.stdin.flush()
            # "path:12 (discriminator 3)", or "??:0"
            name, _, number = self.process.stdout.readline().split(" ")[0].strip().rpartition(":")
        except OSError:
            self.process = None
            return None
        return f"{os.path.basename(name)}:{number}" if number.isdigit() and number != "0" else None


class Lines:
    """The modules of a trace that began at a time, in ns of the wall clock. A file that was written later is another one."""

    def __init__(self, began):
        self.began, self.modules = began, {}

    def line(self, path, offset):
        """file:line, or None."""
        if path not in self.modules:
            try:
                found = os.stat(path)
                same = stat.S_ISREG(found.st_mode) and found.st_mtime_ns <= self.began
            except (OSError, ValueError):
                same = False
            self.modules[path] = Module(path) if same else None
        module = self.modules[path]
        return module.line(offset) if module else None
