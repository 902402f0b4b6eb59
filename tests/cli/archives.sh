# Zip archives, which threads have attached: what is in them opens as from a tar archive; what is damaged, packed in another way or too much is said.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
python3 - "$tpuscope" "$sample" <<'P'
import gzip, io, json, subprocess, sys, tarfile, zipfile
program, sample = sys.argv[1:]
packed = open(sample, 'rb').read()
space = gzip.decompress(packed)
LOG = '''2026-01-01 10:00:00 jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 4.00G. That was not possible. There are 1.20G free.; (0x0x0_HBM0)
'''
N = 15399
bad = 0


class Stream(io.RawIOBase):
    """where one cannot go back, so that sizes follow members"""

    def __init__(self, f):
        self.f = f

    def writable(self):
        return True

    def write(self, b):
        return self.f.write(b)


def make(name, method, members, stream=False):
    with open(name, 'wb') as f, zipfile.ZipFile(Stream(f) if stream else f, 'w', method) as z:
        for path, content in members:
            z.writestr(path, content)
    return name


def check(name, status, events, *says, tool='info'):
    global bad
    r = subprocess.run([program, 'report', tool, name, '--format', 'json'], capture_output=True, text=True)
    got = json.loads(r.stdout)['summary'].get('events') if r.stdout else None
    lacks = [s for s in says if s not in r.stderr]
    if (r.returncode, got) != (status, events) or lacks:
        bad = 1
        print(name, r.returncode, got, 'not', status, events, 'lacks', lacks, 'says', r.stderr)


capture = [('logs/', ''), ('logs/notes.md', 'x'), ('logs/plugins/profile/run/vm.xplane.pb', space)]
for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
    check(make('one.zip', method, capture), 0, N)
check(make('gz.zip', zipfile.ZIP_DEFLATED, [('vm.xplane.pb.gz', packed)]), 0, N)
check(make('stream.zip', zipfile.ZIP_DEFLATED, capture + [('__MACOSX/._vm.xplane.pb', 'no XSpace')], True), 0, N)
check(make('name without an ending', zipfile.ZIP_DEFLATED, capture), 0, N)
with zipfile.ZipFile('large.zip', 'w', zipfile.ZIP_DEFLATED) as z, z.open('vm.xplane.pb', 'w', force_zip64=True) as f:
    f.write(space)
check('large.zip', 0, N)
check(make('bzip2.zip', zipfile.ZIP_BZIP2, capture[2:] + [('a.xplane.pb', space)]), 1, None, 'without a file that tpuscope opens')
check(make('pictures.zip', zipfile.ZIP_DEFLATED, [('a.png', b'\x89PNG\1\2')]), 1, None, 'without a file that tpuscope opens')
check(make('empty.zip', zipfile.ZIP_DEFLATED, []), 1, None)
with tarfile.open('pictures.tar', 'w') as t:
    t.addfile(tarfile.TarInfo('a.png'))
check('pictures.tar', 1, None, 'without a file that tpuscope opens')
whole = open(make('two.zip', zipfile.ZIP_DEFLATED, [('a/vm.xplane.pb', space), ('b/other.trace.json', '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"}]}')]), 'rb').read()
open('cut.zip', 'wb').write(whole[:len(packed) // 2])
r = subprocess.run([program, 'report', 'info', 'cut.zip'], capture_output=True, text=True)
if r.returncode != 3 or 'damaged or cut off: what can be read is shown' not in r.stderr:
    bad = 1
    print('cut.zip', r.returncode, r.stderr)
flipped = bytearray(whole)
flipped[len(packed) // 2] ^= 16
open('flipped.zip', 'wb').write(flipped)
r = subprocess.run([program, 'report', 'info', 'flipped.zip', '--format', 'json'], capture_output=True, text=True)
if r.returncode != 3 or 'b/other.trace.json' not in r.stdout:
    bad = 1
    print('flipped.zip: the member behind the damage is not there', r.returncode, r.stderr)
bomb = make('bomb.zip', zipfile.ZIP_DEFLATED, [('%d.xplane.pb' % i, b'\x0a\0' * 4000000) for i in range(64)])
r = subprocess.run([program, 'report', 'info', bomb], capture_output=True, text=True)
if r.returncode != 3 or 'unpack to far more than its size' not in r.stderr:
    bad = 1
    print('bomb.zip', r.returncode, r.stderr[:500])
r = subprocess.run([program, 'triage', make('log.zip', zipfile.ZIP_DEFLATED, [('pod/stderr.txt', LOG * 3)])], capture_output=True, text=True)
if r.returncode or not ('errors    1' in r.stdout):
    bad = 1
    print('log.zip', r.returncode, r.stdout[:300], r.stderr)
for name, command in ('x.bz2', 'bzip2 -d x.bz2'), ('x.xz', 'xz -d x.xz'):
    open(name, 'wb').write((__import__('bz2') if name == 'x.bz2' else __import__('lzma')).compress(space))
    check(name, 1, None, command)
sys.exit(bad)
P
