"""Writes an XSpace as the trace JSON that a profiler makes of it: as-trace-json.py FROM TO."""
import gzip, json, struct, sys

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
from wire import fields


def first(b, number, default):
    return next((v for n, v, _ in fields(b) if n == number), default)


def text(b, number):
    return first(b, number, b"").decode()


def table(plane, number):
    """id -> message of a map of a plane"""
    return {first(e, 1, 0): first(e, 2, b"") for n, e, _ in fields(plane) if n == number}


def args_of(stats, names):
    """stats as text, as in trace JSON; opaque bytes are left out"""
    args = {}
    for stat in stats:
        name, rest = names.get(first(stat, 1, 0), ""), [(n, v) for n, v, _ in fields(stat) if n != 1]
        for n, v in rest:
            if n == 2:
                args[name] = repr(struct.unpack("<d", v)[0])
            elif n in (3, 4):
                args[name] = str(v - (1 << 64) if n == 4 and v >> 63 else v)
            elif n == 5:
                args[name] = v.decode()
            elif n == 7:
                args[name] = names.get(v, "")
    return args


def events_of(plane, pid):
    names = {k: text(m, 2) for k, m in table(plane, 5).items()}
    kinds = {}
    for k, m in table(plane, 4).items():
        args = args_of([v for n, v, _ in fields(m) if n == 5], names)
        full, shown = text(m, 2), text(m, 4)
        if shown and shown != full:
            args["long_name"] = full
        kinds[k] = shown or full, args
    yield {"ph": "M", "pid": pid, "name": "process_name", "args": {"name": text(plane, 2)}}
    for n, line, _ in fields(plane):
        if n != 3:
            continue
        tid, start = first(line, 1, 0), first(line, 3, 0) * 1000
        yield {"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": text(line, 11) or text(line, 2)}}
        for k, event, _ in fields(line):
            if k != 4:
                continue
            name, args = kinds[first(event, 1, 0)]
            own = args_of([v for n, v, _ in fields(event) if n == 4], names)
            yield {"ph": "X", "pid": pid, "tid": tid, "ts": (start + first(event, 2, 0)) / 1e6, "dur": first(event, 3, 0) / 1e6,
                   "name": name, "args": {**args, **own}}


data = open(sys.argv[1], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
events = []
for i, (_, plane, _) in enumerate(f for f in fields(data) if f[0] == 1):
    if not text(plane, 2).startswith("/host:metadata"):
        events += events_of(plane, 701 if text(plane, 2) == "/host:CPU" else i + 1)
with open(sys.argv[2], "w") as out:
    json.dump({"displayTimeUnit": "ns", "traceEvents": events}, out)
