# Captures of continuous profiling, real ones and all forms of the container: exit status, events, times, and reports that
# are those of the same capture in one piece.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the reports"; exit 77; }
data=$srcdir/../shared/data
test -d "$data/riegeli" || { echo "no $data/riegeli"; exit 77; }
"$tpuscope" --version | grep -q '+zstd +snappy +brotli' || { echo "not all of its compressions are built in"; exit 77; }
python3 - "$tpuscope" "$data" <<'P'
import collections, csv, glob, json, os, subprocess, sys
program, data = sys.argv[1:]
wrong = 0


def bad(*what):
    global wrong
    wrong = 1
    print(*what)


def report(tool, path, form):
    r = subprocess.run([program, 'report', tool, path, '--format', form], capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr


def tracks(rows, events, time):
    sums = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        s = sums[r['plane'], r['line']]
        s[0] += int(r[events]) if events else 1
        s[1] += int(r[time])
    return {k: v for k, v in sums.items() if v[0]}


def check(path, expected, status):
    code, out, err = report('trace', path, 'csv')
    if code != status:
        bad(path, 'exit status', code)
    if status == 3 and 'byte' not in err:
        bad(path, 'no place is named:', err)
    with open(expected) as f:
        want = tracks(csv.DictReader(f, delimiter='\t'), 'events', 'sum_duration_ps')
    if tracks(csv.DictReader(out.splitlines()), None, 'duration_ps') != want:
        bad(path, 'other events')


for case in 'cont', 'big':
    check('%s/riegeli/%s' % (data, case), '%s/riegeli/%s.expected.tsv' % (data, case), 0)
with open(data + '/riegeli/variants/MANIFEST.tsv') as f:
    manifest = list(csv.DictReader(f, delimiter='\t'))
for r in manifest:
    path = data + '/riegeli/variants/' + r['file']
    code, out, err = report('info', path, 'json')
    if code != int(r['exit']):
        bad(path, 'exit status', code)
    if code != 1 and json.loads(out)['summary']['events'] != int(r['events_min']):
        bad(path, json.loads(out)['summary']['events'], 'events')
    if code != 1:
        check(path, path.replace('.xplane.riegeli', '.expected.tsv'), int(r['exit']))
for tool in 'hlo_stats overview steps op_profile roofline framework_ops'.split():
    both = []
    for path in data + '/riegeli/variants/many-small.xplane.riegeli', data + '/sim/mlp-v5e-1chip':
        both.append(json.loads(report(tool, path, 'json')[1]))
        both[-1].pop('capture')
    if both[0] != both[1]:
        bad(tool, 'of 60 records is another one')
sys.exit(wrong)
P
