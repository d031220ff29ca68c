"""Protocol buffers for many messages at once: a message is a list of parts, each either bytes that all messages have, or an array of
bytes with a row for each message. Numbers are padded to the longest one of the column, which every reader allows: so all messages of
a list are of the same length.
"""

import numpy as np

VARINT, FIXED64, BYTES = 0, 1, 2  # wire types


def varint(number, width=1):
    """Bytes of one number, at least so many."""
    out = bytearray()
    while number > 0x7F or len(out) + 1 < width:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def key(field, wire):
    return varint(field << 3 | wire)


def number(field, values):
    """A field of type uint64, int64 or the like: values is an array, or one number for all."""
    if isinstance(values, int):
        return [key(field, VARINT), varint(values)]
    values = values.astype(np.uint64)
    width = max(1, -(-int(values.max(initial=0)).bit_length() // 7))
    shifts = np.arange(width, dtype=np.uint64) * np.uint64(7)
    column = (values[:, None] >> shifts).astype(np.uint8) | np.uint8(0x80)
    column[:, -1] &= 0x7F
    return [key(field, VARINT), column]


def fixed64(field, values):
    return [key(field, FIXED64), values.astype("<u8").view(np.uint8).reshape(-1, 8)]


def width_of(parts):
    return sum(len(part) if isinstance(part, bytes) else part.shape[1] for part in parts)


def message(field, *parts):
    """A field that is a message of these parts."""
    inside = [piece for part in parts for piece in part]
    return [key(field, BYTES) + varint(width_of(inside)), *inside]


def text(field, string):
    data = string.encode()
    return [key(field, BYTES) + varint(len(data)) + data]


def rows(parts, count):
    """The messages, a row of bytes for each."""
    found, at = np.empty((count, width_of(parts)), np.uint8), 0
    for part in parts:
        width = width_of([part])
        found[:, at : at + width] = np.frombuffer(part, np.uint8) if isinstance(part, bytes) else part
        at += width
    return found
