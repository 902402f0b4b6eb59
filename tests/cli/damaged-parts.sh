# A file whose content does not decide is opened as what its name says, and what is whole in it is shown.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
python3 - "$tpuscope" "$srcdir" "$sample" <<'P'
import gzip, json, subprocess, sys
program, srcdir, sample = sys.argv[1:]
sys.path.insert(0, srcdir + '/tests/lib')
import mkgraph
bad = 0


def run(*args):
    return subprocess.run([program, *args], capture_output=True, text=True)


def check(name, content, status, *texts, events=None):
    global bad
    with open(name, 'wb') as f:
        f.write(content)
    for view in (), ('triage',):
        r = run('report', 'info', name, '--format', 'json') if not view else run('triage', name)
        if 'open logs with' in r.stderr + r.stdout:
            bad = 1
            print(name, 'is called a log:', r.stderr)
        if view:
            continue
        got = json.loads(r.stdout)['summary']['events'] if r.stdout else None
        wrong = [t for t in texts if t not in r.stderr]
        if r.returncode != status or wrong or (events is not None and got != events):
            bad = 1
            print(name, 'exit status', r.returncode, 'events', got, 'not', events, 'lacks', wrong, 'says', r.stderr)


whole = gzip.open(sample).read()


def varint(b, p):
    n = shift = 0
    while True:
        n |= (b[p] & 127) << shift
        shift += 7
        p += 1
        if b[p - 1] < 128:
            return n, p


def fields(b, p, end):
    """place of the key, field, type, begin and end of the content of length-delimited fields and numbers"""
    while p < end:
        at = p
        key, p = varint(b, p)
        n, q = varint(b, p)
        yield at, key >> 3, key & 7, q if key & 7 == 2 else p, q + n if key & 7 == 2 else q
        p = q + n if key & 7 == 2 else q


planes = [f for f in fields(whole, 0, len(whole)) if f[1] == 1]
lines = [f for f in fields(whole, planes[0][3], planes[0][4]) if f[1] == 3]
events = [f for f in fields(whole, lines[2][3], lines[2][4]) if f[1] == 4]
N = 15399
assert json.loads(run('report', 'info', sample, '--format', 'json').stdout)['summary']['events'] == N


def typed(at, type=7):
    b = bytearray(whole)
    b[at] = b[at] & 0xf8 | type
    return b


HOLE = 'some bytes cannot be read'
for type in 6, 7:
    check('plane.xplane.pb', typed(planes[0][3], type), 3, HOLE, 'plane /device:TPU:0', events=N)
    check('space.xplane.pb', typed(0, type), 3, HOLE)
    check('event.xplane.pb', typed(events[1][3], type), 3, HOLE, events=N - 1)
    check('line.xplane.pb', typed(lines[2][3], type), 3, HOLE, events=N)
    check('key.xplane.pb', typed(events[5][0], type), 3, HOLE, events=N - 1)
check('before.xplane.pb', b'\x0f' + whole, 3, HOLE, events=N)
hosts = json.loads(run('report', 'info', 'space.xplane.pb', '--format', 'json').stdout)['capture']['hosts']
if hosts != ['sim-tpu-v5e-w-0']:
    bad = 1
    print('hosts', hosts)
check('empty.xplane.pb', b'\x0a\x00' * 100000 + whole, 0, 'planes without any content, which were left out: 100000', events=N)
check('nothing.xplane.pb', b'\x0a\x00' * 100000, 0, 'planes without any content', events=0)
check('noise.xplane.pb', bytes(i * i * 31 % 251 for i in range(5000)), 1, 'nothing in it can be read')
check('pointer.xplane.pb', b'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n', 1, 'git lfs pull')
check('page.xplane.pb', b'<!DOCTYPE html>\n<html><body>404</body></html>\n', 1, 'a page of a web server')
check('words.memory.prof', b'one\ntwo\n', 1, 'it holds other text')
check('page.trace.json', b'<html></html>\n', 1, 'a page of a web server')
check('noise.prof', bytes(i * i * 31 % 251 for i in range(500)), 1, 'not a valid Profile')

# event files: each record damaged in turn, its length or its data
e = mkgraph.VERSION + mkgraph.SCALARS + mkgraph.event((4, mkgraph.graph()))
starts = [0]
while starts[-1] < len(e):
    starts.append(starts[-1] + 16 + int.from_bytes(e[starts[-1]:starts[-1] + 8], 'little'))
for i, at in enumerate(starts[:-1]):
    for place, what in (at + 8, 'length is wrong'), (starts[i + 1] - 1, 'record is wrong'):
        b = bytearray(e)
        b[place] ^= 1
        lost = i == 2 and place == at + 8
        check('x.tfevents', b, 1 if lost else 3, what)
        if not lost and 'graph_def: ' not in run('report', 'info', 'x.tfevents').stdout:
            bad = 1
            print('record', i, 'damaged at', place, 'costs the graph')

# a memory profile whose fields are damaged one after the other loses no more than them
def message(*fields):
    return b''.join(bytes([f << 3 | (0 if isinstance(v, int) else 2)]) + (bytes([v]) if isinstance(v, int) else bytes([len(v)]) + v) for f, v in fields)


texts = [b'', b'space', b'bytes', b'allocations', b'count', b'line_of_mine', b'mine.py', b'kind', b'buffer']
profile = message((1, message((1, 3), (2, 4))), (1, message((1, 1), (2, 2)))) + b''.join(
    message((2, message((1, i), (2, bytes([1, 100])), (3, message((1, 7), (2, 8)))))) for i in (1, 2, 3)) + b''.join(
    message((4, message((1, i), (4, message((1, 1), (2, i)))))) for i in (1, 2, 3)) + message((5, message((1, 1), (2, 5), (4, 6)))) + b''.join(
    message((6, t)) for t in texts)
check('whole.memory.prof', profile, 0)
at = profile.index(message((1, 2), (2, bytes([1, 100])))) - 2
check('one.memory.prof', profile[:at] + bytes([profile[at] | 7]) + profile[at + 1:], 3, 'what is whole is kept')
r = run('report', 'memory_profile', 'one.memory.prof', '--format', 'json')
if 'mine.py' not in r.stdout:
    bad = 1
    print('names behind the damage are lost', r.stdout[:300], r.stderr)

# a message whose first byte is damaged is what its name says, and says the same
def content(name):
    got = json.loads(run('report', 'info', name, '--format', 'json').stdout)
    return got['capture']['files'], {k: v for k, v in got['summary'].items() if k != 'problems'}, got['rows']


corpus = srcdir + '/tests/fuzz/corpus/hlo/'
for name, b in (('m.hlo_proto.pb', open(corpus + 'no-buffers', 'rb').read()), ('m.hlo.pb', open(corpus + 'bare-module', 'rb').read()),
                ('graph.pb', mkgraph.graph()), ('saved_model.pb', mkgraph.FORMS['saved']()), ('m.memory.prof', profile),
                ('packed.memory.prof', gzip.compress(profile, mtime=0))):
    check(name, b, 0)
    want = content(name)
    for first in 0x0f, b[0] ^ 0xff:
        check(name, bytes([first]) + b[1:], 3, 'first byte is damaged')
        if content(name) != want:
            bad = 1
            print(name, 'with', first, 'in front says', content(name), 'not', want)
noise = bytes(i * i * 31 % 251 for i in range(500))
check('noise.hlo.pb', noise, 1, 'not an HLO proto')
check('noise.pb', noise, 1, 'not a known kind')
sys.exit(bad)
P
