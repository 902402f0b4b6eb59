# Small files that unpack to very much, of every kind that may be packed: each ends soon, with little memory and a line that
# says both sizes and what to do.
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
grep -q "^#define ENABLE_SANITIZE" "$top_builddir/config.h" && sanitized=1
python3 - "$tpuscope" ${sanitized-} <<'END'
import gzip, resource, shutil, subprocess, sys
program, sanitized = sys.argv[1], len(sys.argv) > 2
MIB = 1 << 20
SECONDS, MEMORY = 10, 512

def varint(v):
    out = b''
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])

def field(n, b):
    return varint(n << 3 | 2) + varint(len(b)) + b

long = varint(1000 * MIB)
plane = b'\x0a' + long + field(2, b'/device:TPU:0')
line = plane + b'\x1a' + long + field(2, b'XLA Ops')
kinds = [  # name, first bytes, what follows again and again, what it says
    ('planes.xplane.pb', b'', b'\x0a\x00', 3), ('zeros.xplane.pb', field(1, field(2, b'/device:TPU:0')), b'\0', 3),
    ('lines.xplane.pb', plane, b'\x1a\x00', 3), ('names.xplane.pb', plane, b'\x22\x00', 3),
    ('events.xplane.pb', line, field(4, b'\x08\x01\x10\x05\x18\x01'), 3), ('no-events.xplane.pb', line, b'\x22\x00', 3),
    ('events.trace.json', b'{"traceEvents":[', b'{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1},', 3),
    ('nothing.trace.json', b'{"traceEvents":[', b'{},', 3),
    ('name.trace.json', b'{"traceEvents":[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1},{"name":"', b'a', 3),
    ('x-buffer-assignment.txt', b'BufferAssignment:\n', b'allocation 0: size 8, preallocated-temp:\n', 3),
]
bad = False
def check(name, want):
    global bad
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run([program, 'report', 'info', name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    says = p.stderr.decode()
    clear = 'over 100 times as much' in says and 'unpack it first: ' in says and ' KiB unpack to more than ' in says
    print(f'{name}: status {p.returncode}, {seconds:.1f} s, at most {end.ru_maxrss >> 10} MiB so far')
    if p.returncode != want or not clear or not sanitized and (seconds > SECONDS or end.ru_maxrss >> 10 > MEMORY):
        bad = True
        print(f'want status {want}, at most {SECONDS} s and {MEMORY} MiB, and both sizes\n{says}')

for name, head, unit, want in kinds:
    unit *= MIB // len(unit)
    member = gzip.compress(unit, 9)
    with open(name + '.gz', 'wb') as f:  # one content in many members
        f.write(gzip.compress(head) + member * 100)
    check(name + '.gz', want)
    if shutil.which('zstd') and b'+zstd' in subprocess.run([program, '--version'], stdout=subprocess.PIPE).stdout:
        pack = subprocess.run(['zstd', '-q', '-c'], input=head + unit * 100, stdout=subprocess.PIPE)
        with open(name + '.zst', 'wb') as f:
            f.write(pack.stdout)
        check(name + '.zst', want)
sys.exit(bad)
END
