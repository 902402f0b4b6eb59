# Small files that unpack to very much, of every kind that may be packed: each ends soon, with little memory and a line that
# says both sizes and what to do.
# the manual names the limit
limits=$srcdir/src/load/source/decoder.h
says="up to $(sed -n 's/^#define DECODER_TIMES //p' "$limits") times the size of the file or $(sed -n 's/^#define DECODER_FREE ((uint64_t)\([0-9]*\) << 20)/\1/p' "$limits") MiB"
grep -q "$says" "$srcdir/man/tpuscope.1" || { echo "tpuscope(1) does not say: $says"; exit 1; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
grep -q "^#define ENABLE_SANITIZE" "$top_builddir/config.h" && sanitized=1
PYTHONPATH=$srcdir/tests/lib python3 -B - "$tpuscope" ${sanitized-} <<'END'
import gzip, os, shutil, struct, subprocess, sys, zlib
from wire import field, varint
program, sanitized = sys.argv[1], len(sys.argv) > 2
MIB = 1 << 20
SECONDS, MEMORY = 10, 512

def tar(name, n, content=b''):
    """a member of an archive, with its head"""
    head = name.ljust(100, b'\0') + b'0000644\0' + b'0000000\0' * 2 + b'%011o\0' % n + b'0' * 11 + b'\0'
    rest = b'0' + b'\0' * 100 + b'ustar\0' + b'00'
    total = sum(head) + 8 * 32 + sum(rest)
    return (head + b'%06o\0 ' % total + rest).ljust(512, b'\0') + content.ljust(-len(content) % 512 + len(content), b'\0')

def checksum(data):
    c = 0xffffffff
    for x in data:
        c ^= x
        for _ in range(8):
            c = c >> 1 ^ (0x82f63b78 if c & 1 else 0)
    c ^= 0xffffffff
    return struct.pack('<I', ((c >> 15 | c << 17) + 0xa282ead8) & 0xffffffff)

def record(data):
    """of an event file"""
    n = struct.pack('<Q', len(data))
    return n + checksum(n) + data + checksum(data)

long = varint(1000 * MIB)
plane = b'\x0a' + long + field(2, b'/device:TPU:0')
line = plane + b'\x1a' + long + field(2, b'XLA Ops')
profile = field(1, b'\x08\x01\x10\x02')
node = field(1, field(1, b'a') + field(2, b'Add'))
when = b'\x09' + struct.pack('<d', 1.7e9)
version = record(when + field(3, b'brain.Event:2'))
INFO, FINDINGS = ['report', 'info'], ['report', 'findings']
TRAP = ['over 100 times as much', 'unpack it first: ', ' KiB unpack to more than ']
PARTS = ['so many small parts', 'may be damaged or malicious']
kinds = [  # name, first bytes, what follows again and again, command, status, what it says
    ('planes.xplane.pb', b'', b'\x0a\x00', INFO, 3, TRAP), ('zeros.xplane.pb', field(1, field(2, b'/device:TPU:0')), b'\0', INFO, 3, TRAP),
    ('lines.xplane.pb', plane, b'\x1a\x00', INFO, 3, TRAP), ('names.xplane.pb', plane, b'\x22\x00', INFO, 3, TRAP),
    ('events.xplane.pb', line, field(4, b'\x08\x01\x10\x05\x18\x01'), INFO, 3, TRAP), ('no-events.xplane.pb', line, b'\x22\x00', INFO, 3, TRAP),
    ('events.trace.json', b'{"traceEvents":[', b'{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1},', INFO, 3, TRAP),
    ('nothing.trace.json', b'{"traceEvents":[', b'{},', INFO, 3, TRAP),
    ('name.trace.json', b'{"traceEvents":[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1},{"name":"', b'a', INFO, 3, TRAP),
    ('x-buffer-assignment.txt', b'BufferAssignment:\n', b'allocation 0: size 8, preallocated-temp:\n', INFO, 3, TRAP),
    ('x-memory-usage-report.txt', b'Memory Space: default (color=0)\nTotal bytes: 8 (8B)\n  cumulative_size; size; offset; used_by_n_values; shapes_list\n  ---\n',
     b'   24.00MiB( 67%);   24.00MiB;     8;                7; f32[8]\n', FINDINGS, 3, TRAP),
    ('samples.prof', profile, b'\x12\x00', INFO, 1, PARTS), ('sample.prof', profile, field(2, b'\x08\x01\x10\x05'), FINDINGS, 1, PARTS),
    ('locations.prof', profile, b'\x22\x00', INFO, 1, PARTS), ('texts.prof', profile, b'\x32\x00', INFO, 1, PARTS),
    ('stack.prof', profile + b'\x12' + long, b'\x08\x01', FINDINGS, 1, PARTS),
    ('op_profile.json', b'{"byProgram":{"name":"a","children":[', b'{},', INFO, 1, TRAP),
    ('memory_viewer.json', b'{"heapSizes":[', b'1,', INFO, 1, TRAP),
    ('nodes.pb', node, b'\x0a\x00', FINDINGS, 3, TRAP), ('node.pb', node, node, FINDINGS, 3, TRAP), ('node.pbtxt', b'node { name: "a" op: "Add" }\n', b'node{}', FINDINGS, 3, TRAP),
    ('events.out.tfevents.1', version, record(when + field(4, node)), FINDINGS, 3, TRAP), ('events.out.tfevents.2', version, record(b''), INFO, 1, TRAP),
    ('program.txt', b'HloModule m\n\nENTRY %main (x: f32[8]) -> f32[8] {\n', b' %a=f32[] add(%x)\n', FINDINGS, 3, TRAP),
    ('metrics.txt', b'Metric: M\n  TotalSamples: 2\n  Accumulator: 4.00KB\n', b'Counter: a\n  Value: 1\n', ['report', 'metrics'], 3, TRAP),
    ('a.log', b'E0102 03:04:05.000001 12 a.cc:1] RESOURCE_EXHAUSTED: x\n', b'E0102 03:04:05.000001 12 a.cc:1] x\n', ['triage'], 3, TRAP),
    ('member.tar', tar(b'a.xplane.pb', 1000 * MIB), b'\x0a\x00', INFO, 3, TRAP), ('members.tar', b'', tar(b'a.xplane.pb', 4, b'\x0a\x02\x08\x01'), INFO, 3, TRAP + ['more than 4096 files']),
]
bad = False
def check(name, command, want, line):
    global bad
    p = subprocess.Popen([program, *command, name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    says = p.stderr.read().decode()
    status, used = os.wait4(p.pid, 0)[1:]
    status = p.returncode = os.waitstatus_to_exitcode(status)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss >> 10
    print(f'{name}: status {status}, {seconds:.1f} s, {memory} MiB')
    if status != want or not all(x in says for x in line) or not sanitized and (seconds > SECONDS or memory > MEMORY):
        bad = True
        print(f'want status {want}, at most {SECONDS} s and {MEMORY} MiB, and {line}\n{says}')

for name, head, unit, command, want, line in kinds:
    unit *= max(1, MIB // len(unit))
    with open(name + '.gz', 'wb') as f:  # one content in many members
        f.write(gzip.compress(head) + gzip.compress(unit, 9) * 50)
    check(name + '.gz', command, want, line)
    if shutil.which('zstd') and b'+zstd' in subprocess.run([program, '--version'], stdout=subprocess.PIPE).stdout:
        p = subprocess.Popen(['zstd', '-q', '-f', '-o', name + '.zst'], stdin=subprocess.PIPE)
        p.stdin.write(head)
        for i in range(50):
            p.stdin.write(unit)
        p.communicate()
        check(name + '.zst', command, want, line)

# a program in a capture is packed on its own
pack = zlib.compressobj(9, wbits=31)
bomb = pack.compress(field(1, field(1, b'jit_f'))) + b''.join(pack.compress(b'\0' * MIB) for i in range(900)) + pack.flush()
event = b'\x08\x01' + field(2, b'\x08\x01' + field(2, b'jit_f(1)') + field(5, b'\x08\x01' + field(6, bomb)))
with open('program.xplane.pb', 'wb') as f:
    f.write(field(1, field(2, b'/host:metadata') + field(4, event) + field(5, b'\x08\x01' + field(2, b'\x08\x01' + field(2, b'Hlo Proto')))))
check('program.xplane.pb', INFO, 3, ['cannot be unpacked'])
sys.exit(bad)
END
