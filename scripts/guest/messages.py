"""What numa-guest says, and why it does not run."""

import sys


class Missing(Exception):
    """Something that the host lacks; the guest cannot run here."""


class GuestFailed(Exception):
    """The guest did not get to the end of COMMAND."""


def say(message):
    print(f"numa-guest: {message}", file=sys.stderr, flush=True)
