"""Reads and writes the bytes of protobuf messages."""


def varint(b, i):
    """the number at i, and what follows it"""
    value = shift = 0
    while True:
        c = b[i]
        i += 1
        value |= (c & 127) << shift
        shift += 7
        if c < 128:
            return value, i


def as_varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def fields(b):
    """number, value (an int, or the bytes of anything else) and all bytes of each field"""
    i = 0
    while i < len(b):
        begin = i
        key, i = varint(b, i)
        kind = key & 7
        if kind == 0:
            value, i = varint(b, i)
        else:
            n, i = varint(b, i) if kind == 2 else (8 if kind == 1 else 4, i)
            value, i = b[i:i + n], i + n
        yield key >> 3, value, b[begin:i]
