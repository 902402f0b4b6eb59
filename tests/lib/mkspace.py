"""Makes captures (XSpace messages) for tests that need one of a kind:

    s = Space()
    p = s.plane("/device:TPU:0", device_type_string="TPU v5 Lite")
    l = p.line("XLA Ops")
    l.event("fusion.1", 10, 5, meta=dict(hlo_category="loop fusion"), device_offset_ps=10)
    s.write("folder/host.xplane.pb")

Times are µs.  `text` in meta is the name of the kind of event, the name then its short name; meta is said once per kind."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import field, varint


def number(n, value):
    return varint(n << 3) + varint(value)


class Plane:
    def __init__(self, number, name, stats):
        self.number, self.name, self.lines = number, name, []
        self.stats, self.kinds, self.metas = {}, {}, []
        self.own = b"".join(field(6, self.stat(k, v)) for k, v in stats.items())

    def stat(self, name, v):
        out = number(1, self.stats.setdefault(name, len(self.stats) + 1))
        if isinstance(v, float):
            return out + varint(2 << 3 | 1) + struct.pack("<d", v)
        if isinstance(v, int):
            return out + number(4, v)
        return out + (field(6, v) if isinstance(v, bytes) else field(5, v.encode()))

    def kind(self, name, meta):
        if name not in self.kinds:
            self.kinds[name] = len(self.kinds) + 1
            text = meta.pop("text", name)
            out = number(1, self.kinds[name]) + field(2, text.encode())
            if text != name:
                out += field(4, name.encode())
            self.metas.append(out + b"".join(field(5, self.stat(k, v)) for k, v in meta.items()))
        return self.kinds[name]

    def line(self, name):
        self.lines.append(Line(self, len(self.lines) + 1, name))
        return self.lines[-1]

    def bytes(self):
        out = number(1, self.number) + field(2, self.name.encode()) + self.own
        out += b"".join(field(3, l.head + b"".join(l.events)) for l in self.lines)
        out += b"".join(field(4, number(1, i + 1) + field(2, m)) for i, m in enumerate(self.metas))
        for name, i in self.stats.items():
            out += field(5, number(1, i) + field(2, number(1, i) + field(2, name.encode())))
        return out


class Line:
    def __init__(self, plane, n, name):
        self.plane, self.events, self.head = plane, [], number(1, n) + field(2, name.encode())

    def event(self, name, at, dur, meta=None, **stats):
        out = number(1, self.plane.kind(name, dict(meta or {}))) + number(2, round(at * 1e6)) + number(3, round(dur * 1e6))
        self.events.append(field(4, out + b"".join(field(4, self.plane.stat(k, v)) for k, v in stats.items())))


class Space:
    def __init__(self):
        self.planes = []

    def plane(self, name, **stats):
        self.planes.append(Plane(len(self.planes) + 1, name, stats))
        return self.planes[-1]

    def write(self, path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as f:
            f.write(b"".join(field(1, p.bytes()) for p in self.planes))
