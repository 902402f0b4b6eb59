"""Does time or memory grow faster than the file?  ceilings.py TPUSCOPE KIND...: opens files of hostile.py (all kinds: "all"),
each in a small size and in one four times as large, and says what takes more than NINE times the CPU time for it."""
import os, resource, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import hostile

NINE = 9
SOME = 0.4      # seconds; less is not worth a look
MEMORY = 100, 40        # MiB, and how many times the file
SCOPES = {'findings': 'Findings', 'overview': 'Overview', 'timeline': 'Timeline', 'ops': 'Op profile', 'hlo_stats': 'Tables of ops',
          'roofline': 'Roofline', 'kernels': 'Kernels', 'input': 'Input', 'memory': 'Memory', 'memory_profile': 'Memory profile', 'pod': 'Pod',
          'graph': 'Graph', 'tf_graph': 'TensorFlow graph', 'ptxla': 'PyTorch/XLA', 'triage': 'Triage', 'files': 'In every view'}
LEFT_ALONE = set('qQE:ZRJ')     # quit, write files, ask, open others
VIEWS = 'findings overview timeline ops hlo_stats framework_ops roofline input memory memory_profile pod graph tf_graph kernels files'.split()
KEYS = ''.join(':view %s<Enter>jj<Enter>j<Esc>' % v for v in VIEWS)


def every_key(program):
    """for each view, the keys that --list-keys names for it, each pressed twice and left again"""
    keys, title = {}, None
    for line in subprocess.run([program, '--list-keys'], capture_output=True, text=True, check=True).stdout.splitlines():
        if line[:1].strip():
            title = line
        elif line.strip():
            for name in line[2:].split('  ')[0::1][:3]:
                if len(name.strip()) == 1 and name.strip() not in LEFT_ALONE:
                    keys.setdefault(title, []).append(name.strip())
    return {view: ':view %s<Enter>jj' % view + ''.join(('<lt>' if k == '<' else k) * 2 + '<Esc>' for k in keys.get(title, []))
            for view, title in SCOPES.items()}


def key_commands(program, file):
    """one snapshot for each view that may show the file"""
    if file == hostile.A:
        return []
    keys = every_key(program)
    views = {hostile.T: ['triage'], hostile.P: ['ptxla'], hostile.HT: ['graph', 'memory']}.get(file)
    if file.startswith(('graph.', 'events.', 'saved_model.')):
        views = ['tf_graph']
    if not views:
        views = [v for v in VIEWS if v in keys]
    return [['snapshot', 'files', '--config', 'none', '--keys', keys[v]] for v in views]


def commands(file):
    if file == hostile.T:
        return [['triage'], ['snapshot', 'triage', '--config', 'none', '--keys', 'jj<Enter>jjj<PgDn>G']]
    if file == hostile.P:
        return [['report', 'metrics'], ['report', 'ptxla_debug', '--format', 'csv'], ['triage'],
                ['snapshot', 'ptxla', '--config', 'none', '--keys', 'jj<Enter>u' + 'jju' * 12 + '[[G/a<Enter>n']]
    if file == hostile.HT:
        return [['report', 'hlo_graph'], ['report', 'hlo_graph', '--op', 'x', '--radius', '9', '--as', 'dot'], ['report', 'findings'],
                ['snapshot', 'graph', '--config', 'none', '--keys', 'hlt)))jj<Esc>L*ljG<PgUp><Enter>/add<Enter>ni<Enter>iiw']]
    if file.startswith(('graph.', 'events.', 'saved_model.')):
        return [['report', 'findings'], ['report', 'compat'], ['report', 'graph', '--format', 'json'],
                ['snapshot', 'tf_graph', '--config', 'none', '--keys', '*jjee<Enter>jj<BS>-iuuz<PgDn>d/a<Enter>n']]
    if file == hostile.A:
        return [['report', 'info'], ['report', 'findings'], ['triage'], ['snapshot', 'files', '--config', 'none', '--keys', 'jjG<Enter>']]
    if file.endswith('.json') and not file.endswith('.trace.json'):
        return [['report', t] for t in ('findings', 'overview', 'framework_ops', 'input_pipeline', 'pod', 'op_profile', 'memory')] + [
            ['snapshot', 'files', '--config', 'none', '--keys', KEYS]]
    return [['report', 'findings'], ['report', 'info'], ['report', 'pod'], ['report', 'op_profile'], ['report', 'trace', '--args', '--format', 'csv'], ['report', 'kernels', '--by', 'op'],
            ['snapshot', 'files', '--config', 'none', '--keys', KEYS]]


def run(program, command, file):
    """seconds, MiB, the status as wait() gives it"""
    p = subprocess.Popen([program, *command, file], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 61)))
    status, used = os.wait4(p.pid, 0)[1:]
    p.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status


def judge(program, command, small, large):
    for again in range(3):
        seconds, memory, status = run(program, command, large)
        if os.WIFSIGNALED(status) or os.WEXITSTATUS(status) not in (0, 1, 3):
            return 'status %x after %.2f s' % (status, seconds)
        if not os.environ.get('CEILINGS_MEMORY') and memory > MEMORY[0] + MEMORY[1] * os.path.getsize(large) / 2 ** 20:
            return '%.0f MiB of memory for a file of %.1f MiB' % (memory, os.path.getsize(large) / 2 ** 20)
        if seconds < SOME:
            return None
        less = run(program, command, small)[0]
        if seconds < NINE * less:
            return None
    return '%.2f s, %.2f s when four times as large' % (less, seconds)


def main(program, *kinds):
    bad = 0
    for kind in hostile.KINDS if kinds == ('all',) else kinds:
        file, size, make = hostile.KINDS[kind]
        paths = [os.path.join('ceilings', part, file) for part in ('small', 'large')]
        for path, n in zip(paths, (size // 16, size // 4)):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(make(n))
        for command in commands(file) + key_commands(program, file):
            said = judge(program, command, *paths)
            if said:
                bad = 1
                print('%s: %s: %s' % (kind, ' '.join(command[:2]), said))
        for path in paths:
            os.remove(path)
    return bad


sys.exit(main(*sys.argv[1:]))
