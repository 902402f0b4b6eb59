"""Takes the lines "Steps" out of the planes of an XSpace: no-steps.py FROM TO."""
import gzip, sys


def varint(b, i):
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
    """number, content (None: not a message or text), all bytes of each field"""
    i = 0
    while i < len(b):
        first = i
        key, i = varint(b, i)
        content = None
        if key & 7 == 2:
            n, i = varint(b, i)
            content = b[i:i + n]
            i += n
        elif key & 7 == 0:
            i = varint(b, i)[1]
        else:
            i += 8 if key & 7 == 1 else 4
        yield key >> 3, content, b[first:i]


def is_steps(line):
    return any(number == 2 and content == b"Steps" for number, content, _ in fields(line))


data = open(sys.argv[1], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
out = []
for number, content, whole in fields(data):
    if number == 1:
        plane = b"".join(w for n, c, w in fields(content) if n != 3 or not is_steps(c))
        whole = b"\x0a" + as_varint(len(plane)) + plane
    out.append(whole)
open(sys.argv[2], "wb").write(b"".join(out))
