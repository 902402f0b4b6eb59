# Several files of one host: chips, ops and hosts of what serving jobs write, a file per rank.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the reports"; exit 77; }
data=$srcdir/../shared/data/ranks
test -d "$data" || { echo "no $data"; exit 77; }
python3 - "$tpuscope" "$data" <<'P'
import json, subprocess, sys
program, data = sys.argv[1:]
wrong = 0


def report(tool, case, *more):
    r = subprocess.run([program, 'report', tool, '%s/%s' % (data, case), '--format', 'json', *more], capture_output=True, text=True)
    if r.returncode:
        print(case, tool, 'exit status', r.returncode, r.stderr)
        sys.exit(1)
    return json.loads(r.stdout)


def same(case, what, got, want):
    global wrong
    if got != want:
        wrong = 1
        print('%s: %s: %s, not %s' % (case, what, got, want))


def column(t, name):
    at = [c['id'] for c in t['columns']].index(name)
    return {r[at] for r in t['rows']}


def check(case, hosts, chips, op_time, total, *more):
    pod, ops = report('pod', case, *more), report('hlo_stats', case, *more)
    cores = pod['tables']['cores'] if 'tables' in pod else pod
    same(case, 'hosts', pod['capture']['hosts'], hosts)
    same(case, 'chips', column(cores, 'chip'), set(range(chips)))
    same(case, 'added up', [w for w in pod['capture']['warnings'] + pod.get('warnings', []) if 'added up' in w], [])
    same(case, 'ops', len(ops['rows']), 23)
    same(case, 'op time', ops['summary']['op_time_us'], op_time)
    same(case, 'total time', ops['summary']['total_time_us'], total)
    return pod['capture']['warnings']


w0 = 'sim-tpu-v5e-w-0'
said = check('dp', ['dp%d_%s' % (i, w0) for i in range(4)], 4, 4212.235, 5385.29125)
same('dp', 'said', any('counted in the order of its ranks' in w for w in said), True)
said = check('rank', ['rank%d_%s' % (i, w0) for i in range(2)], 4, 4212.235, 5385.29125)
same('rank', 'said', any('counted' in w for w in said), False)
said = check('copies', [w0], 2, 2105.5275, 2692.055)
same('copies', 'said', any('is a copy of' in w for w in said), True)
pod = report('pod', 'dp')['summary']
same('dp', 'hosts and processes', (pod['hosts'], pod['processes']), (1, 4))
check('dirs', ['dp_rank_%d_%s' % (i, w0) for i in range(2)], 4, 4212.235, 5385.29125)
check('pp', ['pprank_%d_ppworldsize_2_%s' % (i, w0) for i in range(2)], 4, 4212.235, 5385.29125)
said = check('split', ['ray-node-0-0'], 2, 2105.5275, 2692.055)
same('split', 'offer', any('--join opens them together' in w for w in said), True)
said = check('split', ['ray-node-0-0', 'ray-node-1-0'], 4, 4212.235, 5385.29125, '--join')
same('split', 'offer', any('--join' in w for w in said), False)
info = report('info', 'split', '--join')
first = [[r[6] for r in info['rows'] if r[1] == host and r[3] == 'XLA Modules'][0] for host in ('ray-node-1-0', 'ray-node-0-0')]
same('split', 'seconds between the hosts', round((first[1] - first[0]) / 1e12, 3), 2.0)
one = report('pod', 'dp', '--host', 'dp2_' + w0)
same('dp', 'one rank', one['capture']['hosts'], ['dp2_' + w0])
same('dp', 'all ranks', len(report('pod', 'dp', '--host', w0)['capture']['hosts']), 4)
sys.exit(wrong)
P
