"""How long a process had to wait for processors that others had."""

from pathlib import Path


def starved(pid, limit):
    """Seconds that the thread of process `pid` that waited longest for a processor spent so, until now; 0 if nobody can
    tell. A limit that leaves them out is one on the program, and not on what else the machine does. At most twice
    `limit`: threads that spin take processors from each other, too. Of the process itself, not of its children.
    """
    longest = 0
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            longest = max(longest, int(file.read_text().split()[1]))
        except (OSError, IndexError):  # the thread has ended meanwhile
            continue
    return min(longest / 1e9, 2 * limit)
