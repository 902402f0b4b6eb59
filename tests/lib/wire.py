"""Reads and writes the bytes of protobuf messages."""


def read_varint(b, i):
    """the number at i, and what follows it"""
    value = shift = 0
    while True:
        c = b[i]
        i += 1
        value |= (c & 127) << shift
        shift += 7
        if c < 128:
            return value, i


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, content):
    """a text, bytes or a message"""
    return varint(number << 3 | 2) + varint(len(content)) + content


def fields(b):
    """number, value (an int, or the bytes of anything else) and all bytes of each field"""
    i = 0
    while i < len(b):
        begin = i
        key, i = read_varint(b, i)
        kind = key & 7
        if kind == 0:
            value, i = read_varint(b, i)
        else:
            n, i = read_varint(b, i) if kind == 2 else (8 if kind == 1 else 4, i)
            value, i = b[i:i + n], i + n
        yield key >> 3, value, b[begin:i]
