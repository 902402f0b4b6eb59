# Names from files never reach a terminal as control sequences, in whatever report and form; a pipe gets them as they are.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to be the terminal"; exit 77; }
rm -rf safe && mkdir safe && cd safe || exit 1
python3 - "$sample" <<'END' || exit 1
import gzip, sys
data = gzip.open(sys.argv[1]).read()
# of the same lengths, so that the messages around them stay whole
for name, bad in ((b'fusion', b'\x1b]0;x\a'), (b'copy', b'\x1b[2J'), (b'jit_', b'\x1b]2;'), (b'add', b'\xc2\x9bJ'), (b'model', b'\x90q\x1b\\\x7f')):
    assert name in data, name
    data = data.replace(name, bad)
open('names.xplane.pb', 'wb').write(data)
open('worker.log', 'wb').write(b'E0102 03:04:08.000001   7 a.cc:3] \x1b]52;c;QUJD\x07 RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 17.00G of 15.75G hbm.\n')
open('metrics.txt', 'wb').write(b'Metric: \x1b[2JCompileTime\n  TotalSamples: 6\n  Accumulator: 01s\nCounter: aten::\x1b]0;x\x07\n  Value: 9\n')
open('lines.txt', 'wb').write(b'Executing IR graph hash ab\x1b[2Jcd on device TPU:0 ...\n')
END
cat >see.py <<'END'
import os, pty, re, subprocess, sys
# what a terminal would obey: ESC, BEL and other C0 but tab and line ends, DEL, C1 as a character or as a byte outside of one
BAD = re.compile(rb'[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]')

def see(*args):
    """what the program writes to a terminal"""
    master, slave = pty.openpty()
    p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    out = b''
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(master)
    p.wait()
    return out

program, files = sys.argv[1], {'worker.log': ['triage'], 'metrics.txt': ['metrics'], 'lines.txt': ['ptxla_debug']}
tools = [l.split()[0] for l in subprocess.run([program, 'report', '--help'], capture_output=True, text=True).stdout.splitlines()
         if re.match(r'  [a-z_]+  ', l)]
assert 'hlo_graph' in tools and 'findings' in tools and len(tools) > 15, tools
runs = [['report', t, '--format', f, 'names.xplane.pb'] for t in tools for f in ('text', 'json', 'csv')]
runs += [['report', t, '--as', a, 'names.xplane.pb'] for t in ('hlo_graph', 'graph') for a in ('tables', 'dot', 'hlo', 'long')]
runs += [(['triage'] if t == 'triage' else ['report', t]) + ['--format', f, file] for file, ts in files.items() for t in ts for f in ('text', 'json', 'csv')]
bad = shown = 0
for run in runs:
    out = see(program, *run)
    shown += '␛'.encode() in out or b'\\u001b' in out
    found = BAD.search(out)
    if found:
        bad += 1
        print('%s: %r' % (' '.join(run), out[max(0, found.start() - 20):found.end() + 20]))
# the names are there, made visible
if shown < 20:
    bad += 1
    print('only %d of %d outputs have the names' % (shown, len(runs)))
sys.exit(bad > 0)
END
python3 see.py "$tpuscope" || exit 1
"$tpuscope" report hlo_graph names.xplane.pb --as hlo >piped || exit 1
python3 -c 'assert b"\x1b[2J" in open("piped", "rb").read()' || { echo "a pipe does not get the bytes of names"; exit 1; }
