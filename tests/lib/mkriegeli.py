"""Writes files of Riegeli records: mkriegeli.py FORM FILE.  Forms: stored, brotli, zstd, snappy, mixed, cut, damaged, transposed.
Compressed forms hold the bytes as they are, which each format can say, so that no compressor is needed."""
import os, struct, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hostile import msg, varint

BLOCK, HEADER = 65536, 24
ONES = 2 ** 64 - 1
KEY = struct.unpack('<4Q', b'Riegeli/records\n' * 2)
MUL0 = (0xdbe6d5d5fe4cce2f, 0xa4093822299f31d0, 0x13198a2e03707344, 0x243f6a8885a308d3)
MUL1 = (0x3bd39e10cb0ef593, 0xc0acf169b5f18a8c, 0xbe5466cf34e90c6c, 0x452821e638d01377)
# where the bytes of two lanes go, from the low lane: (from, to); 8 and more are those of the high lane
ZIP = ((3, 0), (12, 1), (2, 2), (5, 3), (14, 4), (1, 5), (15, 6), (0, 7)), ((11, 0), (4, 1), (10, 2), (13, 3), (9, 4), (6, 5), (8, 6), (7, 7))


def swap(v):
    return v >> 32 | v << 32 & ONES


def zipped(lo, hi):
    both = (lo | hi << 64).to_bytes(16, 'little')
    return [int.from_bytes(bytes(both[a] for a, b in order), 'little') for order in ZIP]


def update(v0, v1, mul0, mul1, lanes):
    for i in range(4):
        v1[i] = v1[i] + mul0[i] + lanes[i] & ONES
        mul0[i] ^= (v1[i] & 0xffffffff) * (v0[i] >> 32)
        v0[i] = v0[i] + mul1[i] & ONES
        mul1[i] ^= (v0[i] & 0xffffffff) * (v1[i] >> 32)
    for to, of in ((v0, v1), (v1, v0)):
        for i in (0, 2):
            lo, hi = zipped(of[i], of[i + 1])
            to[i], to[i + 1] = to[i] + lo & ONES, to[i + 1] + hi & ONES


def highway(b):
    mul0, mul1 = list(MUL0), list(MUL1)
    v0 = [m ^ k for m, k in zip(MUL0, KEY)]
    v1 = [m ^ swap(k) for m, k in zip(MUL1, KEY)]
    n, whole = len(b) % 32, len(b) // 32 * 32
    for lanes in struct.iter_unpack('<4Q', b[:whole]):
        update(v0, v1, mul0, mul1, lanes)
    if n:
        rest, packet = b[whole:], bytearray(32)
        for i in range(4):
            v0[i] = v0[i] + (n << 32) + n & ONES
            v1[i] = sum(((h << n | h >> 32 - n) & 0xffffffff) << s for h, s in ((v1[i] & 0xffffffff, 0), (v1[i] >> 32, 32)))
        packet[:n & ~3] = rest[:n & ~3]
        if n & 16:
            packet[28:] = rest[-4:]
        elif n & 3:
            packet[16:19] = bytes((rest[n & ~3], rest[(n & ~3) + (n & 3) // 2], rest[-1]))
        update(v0, v1, mul0, mul1, struct.unpack('<4Q', packet))
    for i in range(4):
        update(v0, v1, mul0, mul1, [swap(v0[2]), swap(v0[3]), swap(v0[0]), swap(v0[1])])
    return v0[0] + v1[0] + mul0[0] + mul1[0] & ONES


def u64(*v):
    return struct.pack('<%dQ' % len(v), *v)


def hashed(b):
    return u64(highway(b)) + b


class Riegeli:
    """a file: .b is what there is of it"""

    def __init__(self):
        self.b = bytearray()
        self.chunk('s', b'')

    def chunk(self, kind, data, records=0, decoded=0):
        """adds a chunk and returns where it begins"""
        body = hashed(u64(len(data), highway(data), ord(kind) | records << 8, decoded)) + data
        begin = end = len(self.b)
        left = len(body)
        while left:
            end += HEADER * (end % BLOCK == 0)
            some = min(left, BLOCK - end % BLOCK)
            end, left = end + some, left - some
        end = max(end, begin + records)
        while 0 < end % BLOCK <= HEADER:
            end += 1
        while len(self.b) < end:
            if len(self.b) % BLOCK == 0:
                self.b += hashed(u64(len(self.b) - begin, end - len(self.b)))
            some = min(BLOCK - len(self.b) % BLOCK, end - len(self.b))
            self.b += body[:some] or bytes(some)
            if 0 < len(body) < some:
                self.b += bytes(some - len(body))
            body = body[some:]
        return begin

    def records(self, records, how='\0'):
        return self.chunk('r', data_of(records, how), len(records), sum(map(len, records)))

    def pad(self):
        """a padding chunk to the end of the block"""
        left = -len(self.b) % BLOCK
        self.chunk('p', bytes(left - 40 if left > 40 else left + BLOCK - HEADER - 40))


def pieces(b, most=BLOCK):
    return [b[i:i + most] for i in range(0, len(b), most)]


def little(v, n):
    return v.to_bytes(n, 'little')


def stored(b, how):
    if how == '\0':
        return b
    out = varint(len(b))
    if how == 's':
        return out + varint(len(b)) + b''.join(b'\xf4' + little(len(p) - 1, 2) + p for p in pieces(b))
    if how == 'z':
        all = pieces(b) or [b'']
        return out + b'\x28\xb5\x2f\xfd\0\x38' + b''.join(little(len(p) << 3 | (p is all[-1]), 3) + p for p in all)
    if not b:
        return out + b'\6'
    heads = [(len(p) - 1) << 3 | 1 << 19 for p in pieces(b)]
    return out + b''.join(little(h << (not i), 3) + p for i, (h, p) in enumerate(zip(heads, pieces(b)))) + b'\3'


def data_of(records, how):
    sizes = stored(b''.join(varint(len(r)) for r in records), how)
    return how.encode() + varint(len(sizes)) + sizes + stored(b''.join(records), how)


def space(nth):
    """an XSpace with other ids than the one before"""
    a, b = (1, 2) if nth % 2 else (2, 1)
    events = [msg((1, a if i % 2 else b), (2, 1000 * i), (3, 700), (4, msg((1, a), (4, i)))) for i in range(6)]
    line = msg((1, 7), (2, 'main'), (3, 20 * nth + 1), *((4, e) for e in events))
    ops = msg((1, 3), (2, 'XLA Ops'), (3, 20 * nth + 1), *((4, e) for e in events))

    def maps(x, y):
        return [(n, msg((1, i), (2, msg((1, i), (2, t))))) for n, texts in ((4, x), (5, y)) for i, t in zip((a, b), texts)]
    return msg((1, msg((1, 9), (2, '/host:CPU'), (3, line), *maps(('work', 'rest'), ('step_num', '_r')))),
               (1, msg((1, 2), (2, '/device:TPU:0'), (3, ops), *maps(('fusion.1', 'copy.2'), ('program_id', 'symbol_id')))))


def form(name):
    f = Riegeli()
    spaces = [space(i) for i in range(4)]
    if name in ('stored', 'brotli', 'zstd', 'snappy'):
        how = {'stored': '\0', 'brotli': 'b', 'zstd': 'z', 'snappy': 's'}[name]
        f.records(spaces[:1], how)
        f.records([b'', *spaces[1:]], how)
    elif name == 'mixed':
        f.chunk('m', b'\0about the file', 0, 40)
        f.records(spaces[:2], 'z')
        f.chunk('x', b'?')
        f.records([spaces[2][:-9], spaces[3]], 's')
    elif name == 'transposed':
        f.records(spaces[:1])
        f.chunk('t', b'in columns', 3, 99)
    else:
        at = [f.records([s], 'z') for s in spaces]
        if name == 'damaged':
            f.b[at[1] + 90] ^= 1
            f.b[at[3] + 9] ^= 1
            f.b[9] ^= 1
        else:
            del f.b[at[3] + 100:]
    return bytes(f.b)


if __name__ == '__main__':
    with open(sys.argv[2], 'wb') as out:
        out.write(form(sys.argv[1]))
