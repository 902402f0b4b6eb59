"""Makes all times of the devices of an XSpace longer, or of one: slower.py FROM TO PERCENT [/device:TPU:0]."""
import gzip, sys

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
from wire import varint, fields, field

data = open(sys.argv[1], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
percent = int(sys.argv[3])
device = sys.argv[4].encode() if len(sys.argv) > 4 else None


def longer(value):
    return value * (100 + percent) // 100


def stat(content, ids):
    parts = list(fields(content))
    known = any(n == 1 and c in ids for n, c, _ in parts)
    return b"".join(varint(n << 3) + varint(longer(c)) if known and n in (3, 4) else w for n, c, w in parts)


def event(content, ids):
    out = b""
    for n, c, w in fields(content):
        out += varint(n << 3) + varint(longer(c)) if n in (2, 3) else field(4, stat(c, ids)) if n == 4 else w
    return out


def line(content, ids):
    return b"".join(field(4, event(c, ids)) if n == 4 else w for n, c, w in fields(content))


def plane(content):
    parts = list(fields(content))
    if not any(n == 2 and (c == device if device else c.startswith(b"/device:TPU")) for n, c, _ in parts):
        return content
    ids = set()
    for n, c, _ in parts:
        if n == 5:
            meta = {k: v for k, v, _ in fields(dict((a, b) for a, b, _ in fields(c))[2])}
            if meta.get(2) in (b"device_offset_ps", b"device_duration_ps"):
                ids.add(meta[1])
    return b"".join(field(3, line(c, ids)) if n == 3 else w for n, c, w in parts)


open(sys.argv[2], "wb").write(b"".join(field(1, plane(c)) if n == 1 else w for n, c, w in fields(data)))
