"""Slices of time that lie in each other: which record of a thread ends which slice."""

import numpy as np

from . import reader as r

NOTHING, PUSH, BEGIN_TASK, BEGIN_REGION, POP = range(5)
BLOCK = 1 << 16  # records that are made Python's at once
SEARCHING, SLEEPING = 3, 7
# What a record does, and the last two bits of the slice's name; its upper bits are the task.
DOES = {
    r.START: (BEGIN_TASK, 0),
    r.END: (POP, 0),
    r.IMPLICIT: (BEGIN_REGION, 1),
    r.IMPLICIT_END: (POP, 1),
    r.WAIT: (PUSH, 2),
    r.WAIT_END: (POP, 2),
    r.SEARCH: (PUSH, SEARCHING),
    r.SEARCH_END: (POP, SEARCHING),
    r.SLEEP: (PUSH, SLEEPING),
    r.AWAKE: (POP, SLEEPING),
}
NO_TASK = (r.SEARCH, r.SEARCH_END, r.SLEEP, r.AWAKE)


class Brackets:
    """Of the records `at`, thread by thread, each thread's in the order of time: does: what each one does; closes: how many
    slices end there, before another one begins; left: how many are still open behind a thread's last record, by its index.
    """

    def __init__(self, trace, at):
        kinds = trace.column("kind")[at]
        does, names = np.zeros(256, np.int64), np.zeros(256, np.int64)
        for kind, (what, name) in DOES.items():
            does[kind], names[kind] = what, name
        name = names[kinds]
        has_task = ~np.isin(kinds, NO_TASK)
        name[has_task] += trace.column("task")[at[has_task]].astype(np.int64) << 2
        self.does = does[kinds].astype(np.uint8)
        self.closes = (self.does == POP).astype(np.int64)
        self.left = {}
        writers = trace.writers[at]
        edges = np.flatnonzero(np.diff(writers)) + 1
        for first, behind in zip(np.append(0, edges).tolist(), np.append(edges, len(at)).tolist(), strict=True):
            stack = []
            for begin in range(first, behind, BLOCK):
                end = min(behind, begin + BLOCK)
                self.go(stack, self.does[begin:end].tolist(), name[begin:end].tolist(), begin)
            if stack:
                self.left[behind - 1] = len(stack)

    def go(self, stack, does, names, first):
        """Most of the time a record ends what was begun last. Exceptions are noted in closes."""
        push, pop = stack.append, stack.pop
        for index, (what, name) in enumerate(zip(does, names, strict=True), first):
            if what == PUSH:
                push(name)
            elif what == POP:
                if stack and stack[-1] == name:
                    pop()
                else:
                    self.closes[index] = self.close(stack, name)
            elif what != NOTHING:
                # Whoever begins something does not sleep, nor, in a region of its own, search.
                while stack and (stack[-1] == SLEEPING or what == BEGIN_REGION and stack[-1] == SEARCHING):
                    pop()
                    self.closes[index] += 1
                push(name)

    @staticmethod
    def close(stack, name):
        """Ends the slice of that name and all inside. Returns how many these are: none if it is not open."""
        if name not in stack:
            return 0
        before = len(stack)
        while stack.pop() != name:
            pass
        return before - len(stack)
