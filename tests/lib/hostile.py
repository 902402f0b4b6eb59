"""Writes a file that says too much of one kind: hostile.py KIND N FILE.  Without arguments: the kinds, each with the
name that its file should have and a size that takes a moment."""
import json, sys

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
from wire import varint


def msg(*fields):
    """a message of (number, value) pairs: an int is a varint, a text or bytes have a length"""
    out = bytearray()
    for number, v in fields:
        if isinstance(v, int):
            out += varint(number << 3) + varint(v)
        else:
            v = v.encode() if isinstance(v, str) else v
            out += varint(number << 3 | 2) + varint(len(v)) + v
    return bytes(out)


def event(meta, start, dur, *stats):
    return msg((1, meta), (2, start), (3, dur), *((4, s) for s in stats))


def stat(key, v):
    """an XStat: an int, or a text"""
    return msg((1, key), (3 if isinstance(v, int) else 5, v))


def line(key, name, events):
    return msg((1, key), (2, name), *((4, e) for e in events))


def names(number, texts, stats=None):
    """the map of event metadata (4) or stat metadata (5), from 1 on, a text or a text and the name that is shown; stats(i): of the i-th"""
    named = lambda t: [(2, t)] if isinstance(t, (str, bytes)) else [(2, t[0]), (4, t[1])]
    return [(number, msg((1, i), (2, msg((1, i), *named(t), *((5, s) for s in (stats(i) if stats else [])))))) for i, t in enumerate(texts, 1)]


def plane(key, name, lines=(), events=(), stat_names=(), stats=None):
    return msg((1, key), (2, name), *((3, x) for x in lines), *names(4, events, stats), *names(5, stat_names))


def space(*planes):
    return msg(*((1, p) for p in planes))


def device(ops, texts, stat_names=('program_id', 'hlo_category'), stats=lambda i: [stat(1, 7), stat(2, 'fusion')], more=(), key=1, core=0):
    """a core with its ops, a module and a step around them"""
    n = 1000 * len(ops) + 1000
    around = [line(2, 'XLA Modules', [event(len(texts) + 1, 0, n)]), line(3, 'Steps', [event(len(texts) + 2, 0, n, stat(3, 1))])]
    return plane(key, '/device:TPU:%d' % core, [line(1, 'XLA Ops', ops), *around, *more], [*texts, 'jit_f(7)', '1'],
                 [*stat_names, 'group_id', 'step_num', '_r', 'flow', '_pt', '_p', '_ct', '_c', 'run_id', 'tf_op'], stats)


def host(events, texts, stat_names=()):
    return plane(9, '/host:CPU', [line(1, 'main', events)], texts, stat_names)


OP = '%%fusion.%d = f32[8,128]{1,0:T(8,128)} fusion(f32[8,128]{1,0:T(8,128)} %%p.%d), kind=kLoop'
KINDS = {}


def kind(name, n):
    def take(f):
        KINDS[f.__name__] = (name, n, f)
        return f
    return take


X = 'x.xplane.pb'


@kind(X, 50000)
def planes(n):
    return space(*(plane(i, '/host:p%d' % i, [line(1, 'l', [event(1, 5, 5)])], ['e']) for i in range(n)))


@kind(X, 20000)
def cores(n):
    return space(*(device([event(1, 0, 900)], [OP % (1, 1)], key=i + 1, core=i) for i in range(n)))


@kind(X, 20000)
def same_core(n):
    return space(*(device([event(1, 0, 900)], [OP % (1, 1)], key=i + 1, core=0) for i in range(n)))


@kind(X, 200000)
def tracks(n):
    return space(plane(1, '/host:CPU', [line(i, 'thread %d' % i, [event(1, 5, 5)]) for i in range(n)], ['e']))


@kind(X, 200000)
def same_tracks(n):
    return space(plane(1, '/host:CPU', [line(1, 'thread', [event(1, 5, 5)]) for i in range(n)], ['e']))


@kind(X, 100000)
def device_tracks(n):
    return space(device([event(1, 0, 900)], [OP % (1, 1)], more=[line(10 + i, 'XLA Ops', [event(1, i * 1000, 5)]) for i in range(n)]))


@kind(X, 100000)
def step_tracks(n):
    return space(device([event(1, 0, 900)], [OP % (1, 1)], more=[line(10 + i, 'Steps', [event(3, i * 1000, 5)]) for i in range(n)]))


@kind(X, 1000000)
def event_name(n):
    return space(host([event(1, i * 10, 5) for i in range(100)], ['n' * n]))


@kind(X, 1000000)
def op_name(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)], ['%' + 'n' * n + ' = f32[8] fusion(f32[8] %p), kind=kLoop']))


@kind(X, 1000000)
def track_name(n):
    return space(plane(1, '/host:' + 'p' * n, [line(1, 'l' * n, [event(1, 5, 5)])], ['e']))


@kind(X, 100000)
def nested(n):
    return space(host([event(1, i, 4 * n - 2 * i) for i in range(n)], ['e']))


@kind(X, 100000)
def nested_ops(n):
    return space(device([event(1 + i % 10, i, 4 * n - 2 * i) for i in range(n)], [OP % (i, i) for i in range(10)]))


@kind(X, 100000)
def crossing(n):
    return space(host([event(1, i, 2 * n) for i in range(n)], ['e']))


@kind(X, 100000)
def crossing_ops(n):
    return space(device([event(1 + i % 10, i, 2 * n) for i in range(n)], [OP % (i, i) for i in range(10)]))


@kind(X, 100000)
def backward(n):
    return space(host([event(1, 10 * (n - i), 5) for i in range(n)], ['e']))


@kind(X, 100000)
def backward_ops(n):
    return space(device([event(1 + i % 10, 10 * (n - i), 5) for i in range(n)], [OP % (i, i) for i in range(10)]))


@kind(X, 300000)
def stats_of_event(n):
    return space(host([event(1, 5, 5, *(stat(i, i) for i in range(1, n)))], ['e'], ['s%d' % i for i in range(n)]))


@kind(X, 300000)
def same_stats(n):
    return space(host([event(1, 5, 5, *(stat(1, i) for i in range(1, n)))], ['e'], ['flow']))


@kind(X, 300000)
def stats_of_op(n):
    return space(device([event(1, 5, 5)], [OP % (1, 1)], stat_names=['s%d' % i for i in range(n)], stats=lambda i: [stat(k, k) for k in range(1, n)] if i == 1 else []))


@kind(X, 100000)
def stat_names(n):
    return space(host([event(1, i * 10, 5, stat(i + 1, i)) for i in range(n)], ['e'], ['s%d' % i for i in range(n)]))


@kind(X, 200000)
def values(n):
    return space(host([event(1, i * 10, 5, stat(1, 'v%d' % i)) for i in range(n)], ['e'], ['s']))


@kind(X, 200000)
def metadata(n):
    return space(plane(9, '/host:CPU', [line(1, 'm', [event(1, 5, 5)])], ['m%d' % i for i in range(n)]))


@kind(X, 100000)
def ops(n):
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)], [OP % (i, i) for i in range(n)]))


@kind(X, 100000)
def op_symbols(n):
    """ops with symbols, without which they are left out of the op metrics"""
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)], [OP % (i, i) for i in range(n)], ('program_id', 'hlo_category', 'symbol_id'),
                        lambda i: [stat(1, 7), stat(2, 'fusion'), stat(3, i)]))


@kind(X, 100000)
def same_names(n):
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)], [OP % (1, 1) for i in range(n)]))


@kind(X, 100000)
def programs(n):
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)], [OP % (1, 1) for i in range(n)], stats=lambda i: [stat(1, i), stat(2, 'c%d' % i)]))


@kind(X, 100000)
def operands(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)], ['%fusion = f32[8] fusion(' + ', '.join('f32[8] %%p.%d' % i for i in range(n)) + '), kind=kLoop']))


@kind(X, 100000)
def tuple_shape(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)], ['%f = (' + ', '.join('f32[8]{0}' for i in range(n)) + ') fusion(f32[8] %p), kind=kLoop']))


@kind(X, 200000)
def deep_shape(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)], ['%f = ' + '(' * n + 'f32[8]' + ')' * n + ' fusion(f32[8] %p), kind=kLoop']))


@kind(X, 200000)
def replicas(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)],
                        ['%all-reduce = f32[8] all-reduce(f32[8] %p), channel_id=1, replica_groups={{' + ','.join(map(str, range(n))) + '}}'],
                        stats=lambda i: [stat(1, 7), stat(2, 'all-reduce')]))


@kind(X, 200000)
def groups(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)],
                        ['%all-reduce = f32[8] all-reduce(f32[8] %p), channel_id=1, replica_groups={' + ','.join('{%d}' % i for i in range(n)) + '}'],
                        stats=lambda i: [stat(1, 7), stat(2, 'all-reduce')]))


@kind(X, 50000)
def collectives(n):
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)],
                        ['%%all-reduce.%d = f32[8] all-reduce(f32[8] %%p), channel_id=%d, replica_groups={{0,1}}' % (i, i) for i in range(n)],
                        stats=lambda i: [stat(1, 7), stat(2, 'all-reduce')]))


@kind(X, 50000)
def starts(n):
    return space(device([event(i + 1, i * 1000, 900) for i in range(n)],
                        ['%%copy-start.%d = (f32[8], f32[8], u32[]) copy-start(f32[8] %%p)' % i for i in range(n)], stats=lambda i: [stat(1, 7), stat(2, 'copy-start')]))


@kind(X, 50000)
def done_later(n):
    return space(device([event(1 + (i >= n // 2), i * 1000, 900) for i in range(n)],
                        ['%copy-start.1 = (f32[8], f32[8], u32[]) copy-start(f32[8] %p)', '%copy-done.1 = f32[8] copy-done(%copy-start.1)'],
                        stats=lambda i: [stat(1, 7), stat(2, 'copy-start' if i == 1 else 'copy-done')]))


@kind(X, 400000)
def long_flights(n):
    """flights that each last for all other ops"""
    flights = n // 1000
    start = [('%%copy-start.%d = (f32[8], f32[8], u32[]) copy-start(f32[8] %%p)' % i, 'copy-start.%d' % i) for i in range(flights)]
    done = [('%%copy-done.%d = f32[8] copy-done(%%copy-start.%d)' % (i, i), 'copy-done.%d' % i) for i in range(flights)]
    ops = [event(1 + i, 1000 * i, 900) for i in range(flights)]
    ops += [event(flights + 1 + inside, 1000 * i + inside, 900 - inside) for i in range(flights, n // 2) for inside in (0, 1)]
    ops += [event(flights + 3 + i, 1000 * (n + i), 900) for i in range(flights)]
    return space(device(ops, [*start, OP % (1, 1), OP % (2, 2), *done],
                        stats=lambda i: [stat(1, 7), stat(2, 'copy-start' if i <= flights else 'fusion' if i < flights + 3 else 'copy-done')]))


@kind(X, 200000)
def one_flow(n):
    return space(host([event(1, i * 10, 5, stat(1, 77)) for i in range(n)], ['e'], ['flow']))


@kind(X, 100000)
def one_context(n):
    return space(host([event(1, i * 10, 5, stat(1 + i % 2 * 2, 1), stat(2 + i % 2 * 2, 77)) for i in range(n)], ['e'], ['_pt', '_p', '_ct', '_c']))


@kind(X, 100000)
def contexts(n):
    return space(host([event(1, i * 10, 5, *(stat(3, 1), stat(4, i)) if i else (), stat(1, 1), stat(2, i + 1)) for i in range(n)], ['e'], ['_pt', '_p', '_ct', '_c']))


@kind(X, 100000)
def groups_of_host(n):
    return space(host([event(1, i * 10, 5, stat(1, i), stat(2, 1), stat(3, i)) for i in range(n)], ['train'], ['group_id', '_r', 'step_num']))


@kind(X, 100000)
def nested_steps(n):
    return space(host([event(1, i, 4 * n - 2 * i, stat(2, 1), stat(3, i)) for i in range(n)], ['train'], ['group_id', '_r', 'step_num']))


@kind(X, 320000)
def threads_of_steps(n):
    """threads that each work a moment, beside steps of the host"""
    steps = [event(2, i * 100, 90, stat(1, 1), stat(2, i)) for i in range(100)]
    return space(plane(1, '/host:CPU', [line(1, 'main', steps), *(line(i + 2, 't%d' % i, [event(1, 5 * i, 3)]) for i in range(n))], ['work', 'train'], ['_r', 'step_num']))


@kind(X, 400000)
def stops(n):
    """ends of regions of a thread pool that never began, in nested events"""
    nested = [event(1, i, 4 * n - 2 * i, stat(1, 12), stat(2, i)) for i in range(n // 2)]
    return space(plane(1, '/host:CPU', [line(1, 'main', nested + [event(2, n + i // 4, 0) for i in range(n // 2)])], ['e', 'ThreadpoolListener::StopRegion'], ['_pt', '_p', '_r']))


@kind(X, 200000)
def own_step_ops(n):
    """an op of its own in each step"""
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1 + i, i * 1000, 900 - i % 7) for i in range(n)]), line(2, 'Steps', [event(n + 1 + i, i * 1000, 1000 + i % 5, stat(1, i)) for i in range(n)])],
                       [*(OP % (i, 1) for i in range(n)), *map(str, range(n))], ['group_id']))


@kind(X, 100000)
def steps(n):
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, i * 1000, 900) for i in range(n)]), line(2, 'Steps', [event(2 + i, i * 1000, 1000, stat(1, i)) for i in range(n)])],
                       [OP % (1, 1), *map(str, range(n))], ['group_id']))


@kind(X, 100000)
def crossing_steps(n):
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, i * 1000, 900) for i in range(n)]), line(2, 'Steps', [event(2 + i, i * 10, 1000 * n, stat(1, i)) for i in range(n)])],
                       [OP % (1, 1), *map(str, range(n))], ['group_id']))


@kind(X, 2000)
def own_steps(n):
    """cores that have no step in common"""
    return space(*(plane(i + 1, '/device:TPU:%d' % i, [line(1, 'XLA Ops', [event(1, 0, 900)]), line(2, 'XLA Modules', [event(3, 0, 900, stat(1, i))]), line(3, 'Steps', [event(2, 0, 1000, stat(1, i))])],
                         [OP % (1, 1), str(i), 'jit_f(7)'], ['group_id']) for i in range(n)))


@kind(X, 100000)
def on_and_off(n):
    """nested ops that are on and off duty in turn"""
    return space(device([event(1 + i % 2, i, 4 * n - 2 * i) for i in range(n)], [OP % (1, 1), '%infeed = f32[8] infeed(token[] %t)'],
                        stats=lambda i: [stat(1, 7), stat(2, 'infeed' if i == 2 else 'fusion')]))


@kind(X, 50000)
def sparse_cores(n):
    return space(*(plane(i + 1, '/device:TPU:%d SparseCore %d' % (i // 2, i % 2), [line(1, 'XLA Ops', [event(1, 0, 900)])], [OP % (1, 1)]) for i in range(n)))


@kind(X, 50000)
def module_tracks(n):
    return space(device([event(1, 0, 900)], [OP % (1, 1)], more=[line(10 + i, 'XLA Modules', [event(2, i * 1000, 5, stat(11, i))]) for i in range(n)]))


@kind(X, 50000)
def launches(n):
    """runs of programs that the host started"""
    run = [event(2, i * 1000, 900, stat(1, i), stat(2, 7)) for i in range(n)]
    return space(host([event(1, i * 1000, 900, stat(1, i), stat(2, 7), stat(3, 12), stat(4, i)) for i in range(n)], ['TpuExecute'], ['run_id', 'queue_id', '_pt', '_p']),
                 plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, 0, 900)]), line(2, 'XLA Modules', run)], [OP % (1, 1), 'jit_f(7)'], ['run_id', 'queue_id']))


@kind(X, 50000)
def same_run(n):
    """the same, all with one number"""
    run = [event(2, i * 1000, 900, stat(1, 1), stat(2, 7)) for i in range(n)]
    return space(host([event(1, i * 1000, 900, stat(1, 1), stat(2, 7), stat(3, 12), stat(4, 1)) for i in range(n)], ['TpuExecute'], ['run_id', 'queue_id', '_pt', '_p']),
                 plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, 0, 900)]), line(2, 'XLA Modules', run)], [OP % (1, 1), 'jit_f(7)'], ['run_id', 'queue_id']))


@kind(X, 20000)
def collective_cores(n):
    """a collective of all of many cores"""
    text = '%all-reduce.1 = f32[8] all-reduce(f32[8] %p), channel_id=1, replica_groups={}'
    return space(*(device([event(1, 0, 900)], [text], stats=lambda i: [stat(1, 7), stat(2, 'all-reduce')], key=i + 1, core=i) for i in range(n)))


@kind(X, 40000)
def own_ops(n):
    """cores that have no op in common"""
    return space(*(device([event(1, 0, 900)], ['%%all-reduce.%d = f32[8] all-reduce(f32[8] %%p), replica_groups={}' % i], ['program_id', 'hlo_category', 'tf_op'],
                          stats=lambda _: [stat(1, 7), stat(2, 'all-reduce'), stat(3, 'jit(f)/s%d/add' % i)], key=i + 1, core=i) for i in range(n)))


@kind(X, 80000)
def own_starts(n):
    """cores that have no op in common, of which one is a start without a done"""
    return space(*(device([event(1, 0, 900), event(2, 1000, 900)], [OP % (i, 1), ('%%copy-start.%d = (f32[8], f32[8], u32[]) copy-start(f32[8] %%p)' % i, 'copy-start.%d' % i)],
                          stats=lambda k: [stat(1, 7), stat(2, 'copy-start' if k == 2 else 'fusion')], key=i + 1, core=i) for i in range(n)))


@kind(X, 40000)
def own_pairs(n):
    """cores that have no op in common, of which two are a collective that waits for other cores"""
    return space(*(device([event(1, 0, 900), event(3, 1000, 900), event(2, 2000, 900)],
                          [('%%all-gather-start.%d = (f32[8], f32[16]) all-gather-start(f32[8] %%p), replica_groups={{0,1}}' % i, 'all-gather-start.%d' % i),
                           ('%%all-gather-done.%d = f32[16] all-gather-done((f32[8], f32[16]) %%all-gather-start.%d)' % (i, i), 'all-gather-done.%d' % i), OP % (1, 1)],
                          stats=lambda k: [stat(1, 7), stat(2, {1: 'all-gather-start', 2: 'all-gather-done'}.get(k, 'fusion'))], key=i + 1, core=i) for i in range(n)))


@kind(X, 40000)
def one_long(n):
    """a core with many steps and many cores with one, all of one name"""
    core = lambda i, steps: plane(i + 1, '/device:TPU:%d' % i, [line(1, 'XLA Ops', [event(1, k * 1000, 900) for k in range(steps)]),
                                                                line(2, 'Steps', [event(2, k * 1000, 1000, stat(1, k)) for k in range(steps)])], [OP % (1, 1), 's'], ['group_id'])
    return space(core(0, n), *(core(i, 1) for i in range(1, n)))


@kind(X, 160000)
def operands_of_runs(n):
    """a fusion with many operands that runs often, between collectives of two cores"""
    text = '%%fusion.1 = f32[8] fusion(%s), kind=kLoop' % ', '.join('f32[] %%p.%d' % i for i in range(n))
    return space(*(device([event(1 + i % 2, i * 1000, 900, *[stat(3, i)][i % 2:]) for i in range(n)],
                          [('%all-reduce.1 = f32[8] all-reduce(f32[8] %q), replica_groups={{0,1}}', 'all-reduce.1'), (text, 'fusion.1'),
                           *(('%%p.%d = f32[] add(f32[] %%x)' % i, 'p.%d' % i) for i in range(n))],
                          ['program_id', 'hlo_category', 'all_reduce_unique_id'], stats=lambda k: [stat(1, 7), stat(2, {1: 'all-reduce', 2: 'fusion'}.get(k, 'add'))],
                          key=c + 1, core=c) for c in range(2)))


@kind(X, 50000)
def module_clocks(n):
    """tracks of programs on a core whose ops have a clock of their own"""
    ops = [event(1, i * 1000, 900, stat(1, i * 1001 + 5), stat(2, 5)) for i in range(n)]
    runs = [line(2 + i, 'XLA Modules', [event(2, i * 1000, 5), event(2, i * 1000 + 500, 5)]) for i in range(n)]
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', ops), *runs], [OP % (1, 1), 'jit_f(7)'], ['device_offset_ps', 'device_duration_ps']))


@kind(X, 100000)
def same_step(n):
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, i * 1000, 900) for i in range(n)]), line(2, 'Steps', [event(2, i * 1000, 1000, stat(1, 1)) for i in range(n)])],
                       [OP % (1, 1), '1'], ['group_id']))


@kind(X, 100000)
def module_runs(n):
    return space(plane(1, '/device:TPU:0', [line(1, 'XLA Ops', [event(1, i * 1000, 900) for i in range(n)]), line(2, 'XLA Modules', [event(2 + i, i * 1000, 1000, stat(1, i)) for i in range(n)])],
                       [OP % (1, 1), *('jit_f%d(%d)' % (i, i) for i in range(n))], ['run_id']))


@kind(X, 200000)
def tf_ops(n):
    return space(host([event(1 + i, i * 10, 5) for i in range(n)], ['m%d:Mul' % i for i in range(n)]))


GPU_STATS = ['kernel_details', 'correlation_id', 'tf_op', 'hlo_op']


def gpu(lines, texts):
    return space(plane(1, '/device:GPU:0', lines, texts, GPU_STATS), host([event(1, i * 10, 5, stat(2, i)) for i in range(100)], ['hipLaunchKernel'], GPU_STATS))


@kind(X, 50000)
def gpu_kernels(n):
    """kernels of as many names, shapes and ops"""
    return gpu([line(1, 'Stream #1(Kernel)', [event(1 + i, i * 1000000, 900000, stat(1, 'regs:%d block:%d,1,1 grid:1,1,1' % (i, i)), stat(2, i), stat(3, 'o%d:Mul' % i))
                                              for i in range(n)])], ['k%d' % i for i in range(n)])


@kind(X, 200000)
def gpu_steps(n):
    """steps of the host, and a kernel in each"""
    return space(plane(1, '/device:GPU:0', [line(1, 'Stream #1(Kernel)', [event(1, i * 1000 + 500, 400, stat(1, 'regs:8')) for i in range(n)])], ['k'], GPU_STATS),
                 host([event(1, i * 1000, 900, stat(2, 1), stat(3, i)) for i in range(n)], ['train'], ['group_id', '_r', 'step_num']))


@kind(X, 50000)
def gpu_streams(n):
    return gpu([line(1 + i, 'Stream #%d(Kernel)' % i, [event(1, 1000000, 900000, stat(1, 'regs:8'), stat(2, 7))]) for i in range(n)], ['k'])


@kind(X, 1000000)
def gpu_details(n):
    return gpu([line(1, 'Stream #1(Kernel)', [event(1, i * 1000000, 900000, stat(1, 'a:1 ' * n)) for i in range(3)])], ['k'])


@kind(X, 1000000)
def gpu_name(n):
    """mangled names that are large and nested"""
    return gpu([line(1, 'Stream #1(Kernel)', [event(1, i * 1000000, 900000, stat(1, 'regs:8')) for i in range(100)])], ['_ZN' + '1aI' * n])


@kind(X, 200000)
def tf_path(n):
    return space(host([event(1, i * 10, 5) for i in range(100)], ['a/' * n + 'm:Mul']))


@kind(X, 100000)
def provenance(n):
    return space(device([event(1, i * 1000, 900) for i in range(100)], [OP % (1, 1)], stat_names=('program_id', 'tf_op'), stats=lambda i: [stat(1, 7), stat(2, 'a/' * n + 'm')]))


@kind(X, 50000)
def allocators(n):
    return space(host([event(1, i * 10, 5, stat(1, 'a%d' % i), stat(2, i), stat(3, i), stat(4, i)) for i in range(n)], ['MemoryAllocation'],
                      ['allocator_name', 'bytes_allocated', 'allocation_bytes', 'address', 'peak_bytes_in_use', 'requested_bytes']))


@kind(X, 100000)
def allocations(n):
    return space(host([event(1, i * 10, 5, stat(1, 'a'), stat(2, i), stat(3, i), stat(4, i), stat(7, 'r%d' % i)) for i in range(n)], ['MemoryAllocation'],
                      ['allocator_name', 'bytes_allocated', 'allocation_bytes', 'address', 'peak_bytes_in_use', 'requested_bytes', 'tf_op', 'region_type', 'data_type', 'tensor_shapes']))


@kind(X, 60000)
def modules(n):
    proto = msg((1, msg((1, 'jit_f'), (3, msg((1, 'main'), (5, 1), (2, msg((1, 'p'), (2, 'parameter'), (35, 1))))))))
    return space(plane(2, '/host:metadata', [], ['jit_f(%d)' % i for i in range(n)], ['Hlo Proto'], lambda i: [msg((1, 1), (6, proto))]))


@kind(X, 200000)
def errors(n):
    return msg(*((2, 'error %d' % i) for i in range(n)), *((3, 'warning %d' % i) for i in range(n)), *((4, 'host%d' % i) for i in range(n)))


# programs
H = 'x.hlo_proto.pb'


def shape(*dims):
    return msg((2, 11), *((3, d) for d in dims))


def op(name, code, key, *more):
    return msg((1, name), (2, code), (3, shape(8)), (35, key), *more)


def module(*computations):
    return msg((1, 'jit_f'), (2, 'main'), *((3, c) for c in computations), (6, len(computations)))


def program(instructions, assignment=b'', computations=()):
    return msg((1, module(*computations, msg((1, 'main'), (5, len(computations) + 1), *((2, i) for i in instructions), (6, 1)))), *([(3, assignment)] if assignment else []))


def values_of(n):
    return [(1, msg((1, i), (2, 1024), (3, msg((2, 'add.%d' % i), (4, i))))) for i in range(1, n)]


@kind(H, 200000)
def instructions(n):
    return program([op('add.%d' % i, 'add', i, (36, max(1, i - 1))) for i in range(1, n)])


@kind(H, 100000)
def one_operand(n):
    return program([op('p', 'parameter', 1), *(op('add.%d' % i, 'add', i, (36, 1)) for i in range(2, n)), op('t', 'tuple', n, *((36, i) for i in range(2, n)))])


@kind(X, 40000)
def one_called_below(n):
    """ops on two cores that all call a fusion, which calls one with as many instructions"""
    inner = msg((1, 'inner'), (5, 1), *((2, op('a.%d' % i, 'add', n + i)) for i in range(n)), (6, n))
    outer = msg((1, 'outer'), (5, 2), (2, op('g', 'fusion', 3 * n, (38, 1))), (6, 3 * n))
    proto = msg((1, module(inner, outer, msg((1, 'main'), (5, 3), *((2, op('fusion.%d' % i, 'fusion', i, (38, 2))) for i in range(n)), (6, 1)))))
    ops, texts = [event(i + 1, i * 1000, 900) for i in range(n)], [(OP % (i, i), 'fusion.%d' % i) for i in range(n)]
    return space(*(device(ops, texts, stats=lambda i: [stat(1, 7), stat(2, 'loop fusion')], key=k + 1, core=k) for k in range(2)),
                 plane(9, '/host:metadata', [], ['jit_f(7)'], ['Hlo Proto'], lambda i: [msg((1, 1), (6, proto))]))


@kind(H, 100000)
def calls(n):
    return program([op('c', 'call', 1, (38, 1))], computations=[msg((1, 'f%d' % i), (5, i), (2, op('c.%d' % i, 'call', n + i, (38, i + 1))), (6, n + i)) for i in range(1, n)])


@kind(H, 50000)
def one_called(n):
    return program([op('f.%d' % i, 'fusion', i, (38, 1)) for i in range(1, n)], computations=[msg((1, 'f'), (5, 1), *((2, op('a.%d' % i, 'add', n + i)) for i in range(n)), (6, n))])


@kind(H, 100000)
def deep_tuple(n):
    s = shape(8)
    parts, size = [], len(s)
    for i in range(n):
        head = varint(2 << 3) + varint(13) + varint(4 << 3 | 2) + varint(size)
        parts.append(head)
        size += len(head)
    return program([msg((1, 'p'), (2, 'parameter'), (3, b''.join(reversed(parts)) + s), (35, 1))])


@kind(H, 100000)
def buffers(n):
    placed = [(9, msg((1, i), (2, i * 1024), (3, 1024))) for i in range(1, n)]
    trace = [(1, msg((1, k), (2, i), (3, 'main'), (4, 'add.%d' % i))) for k in (0, 1) for i in range(1, n)]
    return program([op('add.%d' % i, 'add', i) for i in range(1, n)], msg(*values_of(n), (3, msg((1, 0), (2, n * 1024), *placed)), (4, msg(*trace))))


@kind(H, 100000)
def same_buffer(n):
    placed = [(9, msg((1, 1), (2, 0), (3, 1024))) for i in range(1, n)]
    trace = [(1, msg((1, k), (2, 1), (3, 'main'), (4, 'add.1'))) for k in (0, 1) * n]
    return program([op('add.%d' % i, 'add', i) for i in range(1, n)], msg(*values_of(n), (3, msg((1, 0), (2, 1024), *placed)), (4, msg(*trace))))


@kind(H, 100000)
def shares(n):
    trace = [(1, msg((1, 0), (2, 1), (3, 'main'), (4, 'add.1')))] + [(1, msg((1, 2), (2, i), (3, 'main'), (4, 'add.%d' % i), (5, i - 1))) for i in range(2, n)]
    return program([op('add.%d' % i, 'add', i) for i in range(1, n)], msg(*values_of(n), (3, msg((1, 0), (2, 1024), *((9, msg((1, i), (3, 1024))) for i in range(1, n)))), (4, msg(*trace))))


@kind(H, 100000)
def overlapping(n):
    """all at one place, alive at once"""
    placed = [(9, msg((1, i), (2, 0), (3, 1024))) for i in range(1, n)]
    trace = [(1, msg((1, k), (2, i), (3, 'main'), (4, 'add.%d' % i))) for k in (0, 1) for i in range(1, n)]
    return program([op('add.%d' % i, 'add', i) for i in range(1, n)], msg(*values_of(n), (3, msg((1, 0), (2, 1024), *placed)), (4, msg(*trace))))


@kind(H, 100000)
def allocated(n):
    return program([op('add.%d' % i, 'add', i) for i in range(1, n)], msg(*values_of(n), *((3, msg((1, i), (2, 1024), (9, msg((1, i), (3, 1024))))) for i in range(1, n))))


@kind(H, 20000)
def heap_traces(n):
    trace = msg(*((1, msg((1, k), (2, 1), (3, 'main'), (4, 'add.1'))) for k in (0, 1)))
    return program([op('add.1', 'add', 1)], msg(*values_of(2), *((3, msg((1, i), (2, 1024), (9, msg((1, 1), (3, 1024))))) for i in range(1, n)), *((4, trace) for i in range(n))))


# trace JSON
J = 'x.trace.json'


def chrome(records):
    return ('{"traceEvents":[' + ',\n'.join(records) + ']}').encode()


def torch(n, of):
    return ('{"schemaVersion": 1, "traceEvents": [%s]}' % ','.join(
        '{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":3,"ts":%d,"dur":1,"args":%s}' % (i, of(i)) for i in range(n))).encode()


@kind(J, 40000)
def torch_streams(n):
    return torch(n, lambda i: '{"device":%d,"stream":%d,"correlation":7}' % (i % 99, i))


@kind(J, 40000)
def torch_same_launch(n):
    """all kernels have one launch and one op, which many events claim to be"""
    launch = ','.join('{"ph":"X","cat":"cuda_runtime","name":"l","pid":7,"tid":7,"ts":%d,"dur":1,"args":{"correlation":7,"External id":9}}' % i for i in range(n))
    return torch(n, lambda i: '{"device":0,"stream":1,"correlation":7,"External id":9,"grid":[%d,1,1]}' % i)[:-2] + b',' + launch.encode() + b']}'


@kind(J, 1000000)
def deep(n):
    return ('{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"e","args":' + '[' * n + ']' * n + '}]}').encode()


@kind(J, 1000000)
def deep_open(n):
    return ('{"traceEvents":' + '[{"a":' * n).encode()


@kind(J, 1000000)
def deep_alone(n):
    return b'[' * n


@kind(J, 200000)
def members(n):
    return chrome(['{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"e","args":{' + ','.join('"k%d":%d' % (i, i) for i in range(n)) + '}}'])


@kind(J, 200000)
def same_member(n):
    return chrome(['{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"e","args":{' + ','.join('"k":%d' % i for i in range(n)) + '}}'])


@kind(J, 100000)
def argument_names(n):
    return chrome('{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":1,"name":"e","args":{"k%d":%d}}' % (i, i, i) for i in range(n))


@kind(J, 4000000)
def text(n):
    return chrome(['{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"' + '\\u00e9' * (n // 6) + '","args":{"a":"' + 'x' * n + '"}}'])


@kind(J, 100000)
def threads(n):
    return chrome('{"ph":"X","pid":1,"tid":%d,"ts":1,"dur":1,"name":"e"}' % i for i in range(n))


@kind(J, 100000)
def thread_names(n):
    return chrome('{"ph":"M","pid":%d,"tid":%d,"name":"%s","args":{"name":"t%d"}}' % (i // 2, i, ('thread_name', 'process_name')[i % 2], i) for i in range(n))


@kind(J, 100000)
def opened(n):
    return chrome('{"ph":"B","pid":1,"tid":1,"ts":%d,"name":"e%d"}' % (i, i) for i in range(n))


@kind(J, 100000)
def closed(n):
    return chrome('{"ph":"%s","pid":1,"tid":1,"ts":%d,"name":"e"}' % ('BE'[i > n // 2], i) for i in range(n))


@kind(J, 100000)
def one_async(n):
    return chrome('{"ph":"%s","pid":1,"tid":1,"id":7,"cat":"c","ts":%d,"name":"e"}' % ('be'[i > n // 2], i) for i in range(n))


@kind(J, 100000)
def asyncs(n):
    return chrome('{"ph":"b","pid":1,"tid":1,"id":%d,"cat":"c","ts":%d,"name":"e"}' % (i, i) for i in range(n))


@kind(J, 100000)
def crossing_asyncs(n):
    return chrome('{"ph":"%s","pid":1,"tid":1,"id":%d,"cat":"c","ts":%d,"name":"e"}' % ('be'[i >= n // 2], i % (n // 2), i) for i in range(n))


@kind(J, 100000)
def flow_steps(n):
    return chrome('{"ph":"%s","pid":1,"tid":1,"id":7,"cat":"c","ts":%d,"name":"e"},{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":1,"name":"e"}' % ('stf'[(i > 0) + (i == n - 1)], i, i) for i in range(n))


@kind(J, 100000)
def counters(n):
    return chrome('{"ph":"C","pid":1,"ts":%d,"name":"c%d","args":{"k":1}}' % (i, i) for i in range(n))


@kind(J, 100000)
def series(n):
    return chrome(['{"ph":"C","pid":1,"ts":1,"name":"c","args":{' + ','.join('"k%d":1' % i for i in range(n)) + '}}'])


@kind(J, 100000)
def broken_records(n):
    return chrome('{"ph":"X","pid":1,"tid":1,"ts":"x%d","dur":[],"name":{}}' % i for i in range(n))


@kind(J, 200000)
def unfinished(n):
    return chrome('{"ph":"X","pid":1,"tid":1,"ts":1,"name":"' for i in range(n))


@kind('op_profile.json', 50000)
def profile_tree(n):
    return ('{"byProgram":' + '{"name":"a","metrics":{"time":0.5,"rawTime":9},"children":[' * n + ']}' * n + ',"deviceType":"TPU"}').encode()


@kind('op_profile.json', 100000)
def profile_rows(n):
    row = ','.join('{"name":"a%d","metrics":{"time":0.5,"rawTime":9},"children":[{"name":"b","metrics":{"time":0.5,"rawTime":9}}]}' % i for i in range(n))
    return ('{"byProgram":{"name":"r","metrics":{"time":1},"children":[' + row + ']},"deviceType":"TPU"}').encode()


@kind('memory_viewer.json', 100000)
def old_memory(n):
    block = ','.join('{"label":"a%d","instructionName":"i%d","logicalBufferId":%d,"logicalBufferSizeMib":1}' % (i, i, i) for i in range(n))
    spans = ','.join('"%d":{"start":%d,"limit":%d}' % (i, i, i + 5) for i in range(n))
    sizes = ','.join('%d' % i for i in range(n))
    return ('{"heapSizes":[%s],"unpaddedHeapSizes":[%s],"maxHeap":[%s],"maxHeapBySize":[%s],"logicalBufferSpans":{%s},"moduleName":"m","entryComputationName":"e"}' % (sizes, sizes, block, block, spans)).encode()


# device memory profiles
def pprof(samples, locations, functions, strings):
    return msg((1, msg((1, 1), (2, 2))), *((2, s) for s in samples), *((4, x) for x in locations), *((5, f) for f in functions), *((6, s) for s in ['', 'space', 'bytes', *strings]))


@kind('memory.prof', 100000)
def stacks(n):
    return pprof([msg((1, i), (2, 1024)) for i in range(1, n)], [msg((1, i), (4, msg((1, i), (2, i)))) for i in range(1, n)], [msg((1, i), (2, 2 + i), (4, 2 + i)) for i in range(1, n)], ['f%d' % i for i in range(n)])


@kind('memory.prof', 200000)
def deep_stack(n):
    return pprof([msg(*((1, i) for i in range(1, n)), (2, 1024)) for k in range(2)], [msg((1, i), (4, msg((1, 1), (2, i)))) for i in range(1, n)], [msg((1, 1), (2, 3), (4, 3))], ['f'])


@kind('memory.prof', 2000)
def many_deep(n):
    return pprof([msg(*((1, 1 + (i * k) % 9) for i in range(1, 200)), (2, 1024)) for k in range(n)], [msg((1, i), (4, msg((1, i), (2, i)))) for i in range(1, 10)], [msg((1, i), (2, 3), (4, 3)) for i in range(1, 10)], ['f'])


@kind('memory.prof', 100000)
def inlined(n):
    return pprof([msg((1, 1), (2, 1024)) for k in range(100)], [msg((1, 1), *((4, msg((1, i), (2, i))) for i in range(1, n)))], [msg((1, i), (2, 3), (4, 3)) for i in range(1, n)], ['f'])


# texts
T = 'a.log'
OOM = 'RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 24.50G of 16.00G hbm. Exceeded hbm capacity by 8.50G.\n'


@kind(T, 1000000)
def lines(n):
    return b'x\n' * n


@kind(T, 1000000)
def empty_lines(n):
    return b'E0102 03:04:05.000001 12 a.cc:1] x\n' + b'\n' * n


@kind(T, 50000000)
def one_line(n):
    return b'x' * n


@kind(T, 20000000)
def one_error(n):
    return b'RESOURCE_EXHAUSTED: ' + b'Ran out of memory ' * (n // 18)


@kind(T, 10000000)
def escaped(n):
    return b"JaxRuntimeError('RESOURCE_EXHAUSTED: a" + b'\\n' * (n // 2) + b"')"


@kind(T, 10000000)
def quotes(n):
    return b"err=JaxRuntimeError('RESOURCE_EXHAUSTED: Ran out of memory" + b'\\\'"' * (n // 3)


@kind(T, 10000000)
def brackets(n):
    return b'[' * (n // 2) + b'RESOURCE_EXHAUSTED (' + b'(' * (n // 2)


@kind(T, 100000)
def listing(n):
    one = '  %d. Size: 16.00M\n     Operator: op_name="jit(step)/add"\n     Shape: f32[8192,%d]{1,0:T(8,128)}\n     Unpadded size: 8.00M\n     XLA label: fusion.%d = fusion(a)\n     Allocation type: HLO temp\n     ==========================\n\n'
    return (OOM + '\n  Largest program allocations in hbm:\n\n' + ''.join(one % (i, i, i) for i in range(1, n))).encode()


@kind(T, 100000)
def listing_in_log(n):
    one = 'E0102 03:04:08.000005   14 old.cc:3]   %d. Size: 2.00M\nE0102 03:04:08.000006   14 old.cc:3]      Shape: u8[%d]{0}\nE0102 03:04:08.000008   14 old.cc:3]      ==========================\n'
    return (OOM + 'E0102 03:04:08.000004   14 old.cc:3]   Largest program allocations in hbm:\n' + ''.join(one % (i, i) for i in range(1, n))).encode()


@kind(T, 50000)
def ooms(n):
    return (''.join('E0102 03:04:%02d.%06d   13 compiler.cc:9] Ran out of memory in memory space hbm. Used %d.00K of 2.00K hbm. Exceeded hbm capacity by 1.00K. HLO module: jit_%d.\n' % (i % 60, i, i, i) for i in range(n))).encode()


@kind(T, 200000)
def messages(n):
    return ''.join('E0102 03:04:%02d.%06d   %d file%d.cc:%d] message %x of %d\n' % (i % 60, i % 1000000, i % 100, i % 1000, i, i * 7919, i) for i in range(n)).encode()


@kind(T, 100000)
def hosts(n):
    return ''.join('2020-10-22 02:48:58 10.%d.%d.%d [%d] E0102 03:04:05.000001 12 a.cc:1] Failed: x\n' % (i >> 16, i >> 8 & 255, i & 255, i % 8) for i in range(n)).encode()


@kind(T, 100000)
def workers(n):
    return ''.join('(worker pid=%d, ip=10.0.%d.%d) [rank%d]: RuntimeError: RESOURCE_EXHAUSTED: Ran out of memory %d\n' % (i, i >> 8 & 255, i & 255, i, i) for i in range(n)).encode()


@kind(T, 100000)
def causes(n):
    one = 'Traceback (most recent call last):\n  File "a%d.py", line %d, in f\n    g()\nValueError: %d\n\nDuring handling of the above exception, another exception occurred:\n\n'
    return ''.join(one % (i, i, i) for i in range(n)).encode()


@kind(T, 200000)
def frames(n):
    return ('Traceback (most recent call last):\n' + ''.join('  File "a%d.py", line %d, in f\n    g()\n' % (i, i) for i in range(n)) + 'ValueError: x\n').encode()


@kind(T, 200000)
def wrapped(n):
    return (OOM.strip() + ''.join(' word%d\n' % i for i in range(n))).encode()


@kind(T, 200000)
def wrapped_80(n):
    text = OOM.strip() + ' Largest program allocations in hbm: 1. Size: 16.00M Operator: op_name="' + 'jit_step/add/' * n
    return '\n'.join(text[i:i + 80] for i in range(0, len(text), 80)).encode()


@kind(T, 50000)
def mismatches(n):
    return ''.join('Executable(f) expected parameter %d of size %d (bf16[4,8]{1,0}) but got buffer with incompatible size 64 (bf16[4,8]{1,0})\n' % (i, i) for i in range(n)).encode()


@kind(T, 100000)
def threads_in_turn(n):
    """each thread begins a message of several lines, all of them go on later"""
    return (''.join('E0102 03:04:08.000001   %d old.cc:3] Program vmem requirement 2.00M:\n' % i for i in range(n // 2)) +
            ''.join('E0102 03:04:08.000003   %d old.cc:3]     scoped            2.00M\n' % i for i in range(n // 2))).encode()


@kind('memory-usage-report.txt', 100000)
def usage(n):
    return ('Memory Space: default (color=0)\nTotal bytes: 139865088 (133.39MiB)\n  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n  ---\n' +
            ''.join('   24.00MiB( 67%%);   24.00MiB;     %d;                7; f32[], pred[], 5×f32[6,2048,%d]\n' % (i * 8, i) for i in range(n))).encode()


@kind('memory-usage-report.txt', 200000)
def usage_shapes(n):
    return ('Memory Space: default (color=0)\nTotal bytes: 139865088 (133.39MiB)\n  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n  ---\n' +
            '   24.00MiB( 67%);   24.00MiB;     8;                7; ' + ', '.join('f32[%d]' % i for i in range(n)) + '\n').encode()


@kind('memory-usage-report.txt', 80000)
def usage_spaces(n):
    return ''.join('Memory Space: s%d (color=%d)\nTotal bytes: 139865088 (133.39MiB)\n  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n  ---\n   24.00MiB( 67%%);   24.00MiB;     8;                7; f32[8]\n\n' % (i, i) for i in range(n)).encode()


@kind('buffer-assignment.txt', 100000)
def assignment(n):
    return ('BufferAssignment:\n' + ''.join('allocation %d: size 4096, parameter %d, shape |f32[8,128]| at ShapeIndex {1}:\n value: <%d param.%d @0> (size=4096,offset=0): f32[8,128]{1,0:T(8,128)}\n' % (i, i, i, i) for i in range(n))).encode()


@kind('buffer-assignment.txt', 100000)
def one_allocation(n):
    return ('BufferAssignment:\nallocation 0: size 65536, preallocated-temp:\n' + ''.join(' value: <%d a.%d @0> (size=4096,offset=%d): f32[8,128]{1,0:T(8,128)}\n' % (i, i, i * 8) for i in range(n)) +
            '\nHloLiveRange (max %d):\n  InstructionSequence:\n' % n + ''.join('    %d:a.%d\n' % (i, i) for i in range(n)) + '  BufferLiveRange:\n' + ''.join('    a.%d{}:0-%d\n' % (i, n) for i in range(n))).encode()


HT = 'program.txt'


def hlo_text(lines):
    return ('HloModule program\n\nENTRY %main (x: f32[8]) -> f32[8] {\n  %x = f32[8]{0} parameter(0)\n' + ''.join(lines) + '}\n').encode()


@kind(HT, 100000)
def hlo_instructions(n):
    return hlo_text('  %%add.%d = f32[8]{0} add(%%%s, %%x), metadata={op_name="jit(f)/add" source_file="a.py" source_line=%d}\n' % (i, 'add.%d' % (i - 1) if i else 'x', i) for i in range(n))


@kind(HT, 200000)
def hlo_users(n):
    return hlo_text('  %%neg.%d = f32[8]{0} negate(%%x)\n' % i for i in range(n))


@kind(HT, 200000)
def hlo_operands(n):
    return hlo_text(['  %tuple = (f32[8]{0}) tuple(' + ', '.join('%x' for i in range(n)) + ')\n'])


@kind(HT, 100000)
def hlo_parts(n):
    """parts of parts of tuples"""
    return hlo_text('  %%part.%d = (f32[8]) get-tuple-element(%%%s), index=0\n' % (i, 'part.%d' % (i - 1) if i else 'x') for i in range(n))


@kind(HT, 200000)
def hlo_same_names(n):
    return hlo_text('  %same = f32[8]{0} negate(%same)\n' for i in range(n))


@kind(HT, 200000)
def hlo_open(n):
    return hlo_text('  %%open.%d = f32[8]{0 add(%%x\n' % i for i in range(n))


@kind(HT, 300000)
def hlo_brackets(n):
    return hlo_text(['  %%deep = %sf32[8]%s tuple(%s' % ('(' * n, ')' * n, '{' * n)])


@kind(HT, 200000)
def hlo_comments(n):
    return hlo_text('/* "\n' for i in range(n))


@kind(HT, 100000)
def hlo_computations(n):
    """without fusions, and compiled"""
    return ('HloModule program, is_scheduled=true\n' + ''.join('\n%%c.%d (x.%d: f32[8]) -> f32[8] {\n  ROOT %%x.%d = f32[8] parameter(0)\n}\n' % (i, i, i) for i in range(n)) +
            '\nENTRY %main (x: f32[8]) -> f32[8] {\n  ROOT %x = f32[8] parameter(0)\n}\n').encode()


@kind(HT, 100000)
def hlo_calls(n):
    one = '%%c.%d (x%s: f32[8]) -> f32[8] {\n  %%x%s = f32[8] parameter(0)\n  ROOT %%f.%d = f32[8] fusion(%%x%s), kind=kLoop, calls=%%c.%d\n}\n'
    x = [''] + ['.%d' % i for i in range(1, n)]
    return ('HloModule calls\n' + ''.join(one % (i, x[i], x[i], i, x[i], (i - 1) % n) for i in range(n))).encode()


@kind(HT, 200000)
def hlo_attributes(n):
    return hlo_text(['  %c = f32[8] custom-call(%x)' + ''.join(', key%d={%d}' % (i, i) for i in range(n)) + '\n'])
# --- graphs of TensorFlow ---
G = 'graph.pb'


def node(name, op='Add', inputs=(), attrs=()):
    return (1, msg((1, name), (2, op), *((3, i) for i in inputs), *((5, msg((1, k), (2, v))) for k, v in attrs)))


@kind(G, 200000)
def tf_nodes(n):
    return msg(*(node('s%d/t%d/n%d' % (i // 1000, i // 30, i), 'AsString' if i % 7 else 'Add', ['s%d/t%d/n%d' % ((i - 1) // 1000, (i - 1) // 30, i - 1)])
                 for i in range(n)))


@kind(G, 200000)
def tf_series(n):
    """children of one scope that count up, with holes"""
    return msg(*(node('a/n_%d' % (i + i // 6)) for i in range(n)))


@kind(G, 200000)
def tf_same_name(n):
    return msg(*(node('a/b', 'Add', ['a/b']) for _ in range(n)))


@kind(G, 2000)
def tf_scopes(n):
    """names of nothing but scopes"""
    return msg(*(node('%d/' % i + 'a/' * 1000 + 'z') for i in range(n)))


@kind(G, 200000)
def tf_one_input(n):
    return msg(node('a'), *(node('n%d' % i, 'Add', ['a', 'a', '^a']) for i in range(n)))


@kind(G, 200000)
def tf_inputs_of_one(n):
    return msg(node('a'), node('b', 'Add', ['a:%d' % i for i in range(n)]))


@kind(G, 200000)
def tf_attrs_of_one(n):
    return msg(node('a', 'Add', [], [('k%d' % i, msg((3, i))) for i in range(n)]))


@kind(G, 200000)
def tf_op_names(n):
    return msg(*(node('n%d' % i, 'Op%d' % i) for i in range(n)))


@kind(G, 100000)
def tf_functions(n):
    return msg(node('a'), (2, msg(*((1, msg((1, msg((1, 'f%d' % i))), (3, node('x')[1]))) for i in range(n)))))


@kind('graph.pbtxt', 100000)
def tf_text(n):
    return ''.join('node { name: "n%d" op: "Add" input: "n%d" attr { key: "T" value { type: DT_FLOAT } } }\n' % (i, i - 1) for i in range(n)).encode()


@kind('graph.pbtxt', 400000)
def tf_braces(n):
    return b'node { name: "a" op: "Add" }\n' + b'node { attr {' * n


E = 'events.out.tfevents.1.host'
TABLE = [0]
for i in range(1, 256):
    c = i
    for _ in range(8):
        c = c >> 1 ^ (0x82f63b78 if c & 1 else 0)
    TABLE.append(c)


def checksum(data):
    c = 0xffffffff
    for x in data:
        c = c >> 8 ^ TABLE[(c ^ x) & 255]
    c ^= 0xffffffff
    return (((c >> 15 | c << 17) + 0xa282ead8) & 0xffffffff).to_bytes(4, 'little')


def record(*fields):
    data = b'\x09' + bytes(6) + b'\xf0\x3f' + msg(*fields)
    n = len(data).to_bytes(8, 'little')
    return n + checksum(n) + data + checksum(data)


def events(*records):
    return record((3, 'brain.Event:2')) + b''.join(records)


GRAPH = msg(node('a'))


@kind(E, 50000)
def tf_records(n):
    return events(record((4, GRAPH)), *(record((2, i), (5, msg((1, msg((1, 'loss %d' % i)))))) for i in range(n)))


@kind(E, 50000)
def tf_graphs(n):
    return events(*(record((4, GRAPH)) for i in range(n)))


@kind(E, 200000)
def tf_values(n):
    return events(record((4, GRAPH)), record((5, msg(*((1, msg((1, 'loss %d' % i))) for i in range(n))))))


@kind(E, 50000)
def tf_runs(n):
    return events(record((4, GRAPH)), *(record((8, msg((1, 'run %d' % i), (2, msg((3, GRAPH)))))) for i in range(n)))


@kind(E, 100000)
def tf_traced(n):
    """functions that were traced together"""
    return events(record((8, msg((1, 'run'), (2, msg(*((4, msg((2, msg(node('n%d' % i))))) for i in range(n))))))))


@kind('saved_model.pb', 50000)
def tf_meta_graphs(n):
    return msg((1, 1), *((2, msg((1, msg((4, 'tag %d' % i))), (2, GRAPH))) for i in range(n)))


@kind('saved_model.pb', 200000)
def tf_tags(n):
    return msg((1, 1), (2, msg((1, msg(*((4, 'tag %d' % i) for i in range(n)))), (2, GRAPH))))


A = 'a.tar'


def member(name, content, code=b'0'):
    head = name.encode()[:100].ljust(100, b'\0') + b'0000644\0' + b'0000000\0' * 2 + b'%011o\0' % len(content) + b'0' * 11 + b'\0'
    rest = code + b'\0' * 100 + b'ustar\0' + b'00'
    return (head + b'%06o\0 ' % (sum(head) + sum(rest) + 8 * 32) + rest).ljust(512, b'\0') + content + b'\0' * (-len(content) % 512)


@kind(A, 12000)
def archive_members(n):
    """an archive has at most 4096"""
    one = space(host([event(1, 5, 5)], ['e']))
    return b''.join(member('host%d.xplane.pb' % i, one) for i in range(n))


@kind(A, 50000)
def member_logs(n):
    return b''.join(member('logs/%d.log' % i, b'E0102 03:04:05.000001 %d a.cc:1] RESOURCE_EXHAUSTED: x\n' % i) for i in range(n))


@kind(A, 50000)
def same_members(n):
    return member('a.log', b'E0102 03:04:05.000001 1 a.cc:1] x\n') * n


@kind(A, 50000)
def member_names(n):
    """names that other members state"""
    return b''.join(member('x', b'30 path=%d/' % i + b'a' * 500 + b'\n', b'x') for i in range(n)) + member('a.log', b'E0102 03:04:05.000001 1 a.cc:1] x\n')


@kind(A, 50000)
def empty_members(n):
    return member('a.log', b'') * n


P = 'ptxla.txt'
BLOCK = 'Metric: M%d\n  TotalSamples: 2\n  Accumulator: 4.00KB\n  Percentiles: 1%%=1.00B; 99%%=2.00B\nCounter: MarkStep\n  Value: %d\n'


@kind(P, 200000)
def ptxla_steps(n):
    return ''.join('[MetricsData; step=%d]\n' % i + BLOCK % (i % 40, i) for i in range(n // 4)).encode()


@kind(P, 100000)
def ptxla_names(n):
    return ''.join(BLOCK % (i, i) + 'Counter: aten::op%d\n  Value: %d\n' % (i, i) for i in range(n // 2)).encode()


@kind(P, 100000)
def ptxla_processes(n):
    return ''.join('2026-04-19 13:28:12 10.%d.%d.%d [%d] %s\n' % (i >> 16 & 255, i >> 8 & 255, i & 255, i, line) for i in range(n // 8) for line in (BLOCK % (1, 11)).splitlines()).encode()


@kind(P, 200000)
def ptxla_turns(n):
    """processes print one block after the other, all again and again"""
    return ''.join('[rank%d]: %s\n' % (i % 1000, line) for i in range(n // 8) for line in ('[MetricsData; step=%d]\n' % (i // 1000) + BLOCK % (1, 11)).splitlines()).encode()


@kind(P, 1000000)
def ptxla_percentiles(n):
    return ('Metric: M\n  TotalSamples: 2\n  Accumulator: 4.00\n  Percentiles: ' + '; '.join('%d%%=%d.00' % (i % 100, i) for i in range(n))).encode()


@kind(P, 200000)
def ptxla_rests(n):
    return ('Metric: M\n  TotalSamples: 2\n  Accumulator: 4.00\n  Percentiles: 1%=2.00;\n' + ''.join('2%%=%d.0\n' % i for i in range(n))).encode()


@kind(P, 100000)
def ptxla_blocks(n):
    return ''.join('Compilation Analysis: ====================\nCompilation Analysis: Compilation Cause\nCompilation Analysis:   cause %d\nCompilation Analysis:   Graph Hash: %d\nCompilation Analysis: Python Frame Triggered Execution:\nCompilation Analysis:   f%d (/a/b.py:%d)\nCompilation Analysis: ====================\n' % (i, i, i, i) for i in range(n // 4)).encode()


@kind(P, 200000)
def ptxla_frames(n):
    return ('Execution Analysis: ====================\nExecution Analysis: Python Frame Triggered Execution:\n' + ''.join('Execution Analysis:   f%d (/a/b.py:%d)\n' % (i, i) for i in range(n))).encode()


@kind(P, 200000)
def ptxla_launches(n):
    return ('pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n' + ''.join('I0101 10:00:00.000000   99 a.cpp:700] Executing IR graph hash %d on device TPU:%d done!\n' % (i, i) for i in range(n))).encode()


@kind(P, 200000)
def ptxla_roots(n):
    return ('[A]\nRoot Hashes: (' + ', '.join('%d' % i for i in range(n)) + ')\n\n## BEGIN_GRAPH\nIR {\n' + ''.join('  %%%d = f32[] aten::add(%%%d)\n' % (i, i) for i in range(n))).encode()


@kind(P, 100000)
def ptxla_graphs(n):
    return b'[A]\n## BEGIN_GRAPH\nIR {\n}\nGraph Hash: 12\n## END_GRAPH\n' * n


def main(argv):
    if len(argv) != 4:
        for name, (file, n, f) in KINDS.items():
            print(name, n, file)
        return
    with open(argv[3], 'wb') as f:
        f.write(KINDS[argv[1]][2](int(argv[2])))


# --- files of Riegeli records ---

R = 'x.xplane.riegeli'


def riegeli():
    import mkriegeli
    return mkriegeli.Riegeli()


@kind(R, 40000)
def records(n):
    f, one = riegeli(), space(plane(1, '/host:CPU', [line(1, 'l', [event(1, 5, 5)])], ['e']))
    f.records([one] * (n // 40))
    return bytes(f.b)


@kind(R, 400000)
def empty_records(n):
    f = riegeli()
    f.records([b''] * n + [host([event(1, 5, 5)], ['e'])])
    return bytes(f.b)


@kind(R, 200000)
def small_chunks(n):
    f = riegeli()
    for i in range(n // 64):
        f.records([b'?'])
    f.records([host([event(1, 5, 5)], ['e'])])
    return bytes(f.b)


@kind(R, 200000)
def damaged_chunks(n):
    f = riegeli()
    f.records([host([event(1, 5, 5)], ['e'])])
    for i in range(n // 64):
        f.b[f.records([b'?']) + 43] ^= 1
    return bytes(f.b)


@kind(R, 400000)
def damaged_blocks(n):
    f = riegeli()
    f.records([host([event(1, 5, 5)], ['e'])])
    f.b += bytes(n)
    return bytes(f.b)


@kind(R, 100000)
def far_more(n):
    """chunks whose records are zeros, 128 KiB in 4 bytes"""
    f, rle = riegeli(), b'\x02\0\x10\0'
    f.records([host([event(1, 5, 5)], ['e'])])
    for i in range(10):
        size = 131072 * max(n // 40, 1)
        values = varint(size) + b'\x28\xb5\x2f\xfd\0\x38' + rle * (size // 131072 - 1) + b'\x03\0\x10\0'
        sizes = varint(len(varint(size))) + b'\x28\xb5\x2f\xfd\0\x38' + (len(varint(size)) << 3 | 1).to_bytes(3, 'little') + varint(size)
        f.chunk('r', b'z' + varint(len(sizes)) + sizes + values, 1, size)
    return bytes(f.b)

# --- Perfetto ---

PF = 'x.perfetto-trace'


def fixed(number, v):
    return varint(number << 3 | 1) + v.to_bytes(8, 'little')


def track(uuid, name='t', *more):
    return msg((1, msg((10, 1), (60, msg((1, uuid), (2, name), *more)))))


def slice_event(at, kind, uuid=1, name='e', more=b'', sequence=1):
    """kind: 1 begins, 2 ends, 3 is an instant, 4 a counter"""
    return msg((1, msg((8, at), (10, sequence), (11, msg((9, kind), (11, uuid), *([(23, name)] if kind != 2 else [])) + more))))


@kind(PF, 100000)
def pf_tracks(n):
    return b''.join(track(i, 't%d' % i) + slice_event(i, 1, i) + slice_event(i + 5, 2, i) for i in range(1, n + 1))


@kind(PF, 100000)
def pf_parents(n):
    return track(1) + b''.join(track(i, 't', (5, i - 1)) for i in range(2, n + 1)) + slice_event(5, 1, n) + slice_event(9, 2, n)


@kind(PF, 100000)
def pf_children(n):
    return track(1) + b''.join(track(i, 't', (5, 1)) + slice_event(i, 1, i) + slice_event(i + 9, 2, i) for i in range(2, n + 1))


@kind(PF, 200000)
def pf_same_track(n):
    return b''.join(track(1, 't%d' % i) for i in range(n)) + slice_event(5, 1) + slice_event(9, 2)


@kind(PF, 100000)
def pf_processes(n):
    return b''.join(track(i, 't', (3, msg((1, i), (6, 'p%d' % i)))) + slice_event(i, 1, i) + slice_event(i + 5, 2, i) for i in range(1, n + 1))


@kind(PF, 200000)
def pf_nested(n):
    return track(1) + b''.join(slice_event(i, 1) for i in range(n)) + b''.join(slice_event(n + i, 2) for i in range(n))


@kind(PF, 200000)
def pf_open(n):
    return track(1) + b''.join(slice_event(i, 1) for i in range(n))


@kind(PF, 200000)
def pf_ends(n):
    return track(1) + slice_event(1, 1) + b''.join(slice_event(i, 2) for i in range(2, n))


@kind(PF, 200000)
def pf_backward(n):
    return track(1) + b''.join(slice_event(2 * (n - i), 3) for i in range(n))


@kind(PF, 200000)
def pf_one_flow(n):
    return track(1) + b''.join(slice_event(i, 3, more=fixed(47, 7)) for i in range(n))


@kind(PF, 200000)
def pf_flows_of_event(n):
    return track(1) + slice_event(1, 3, more=b''.join(fixed(47, i) for i in range(n))) + slice_event(9, 3, more=b''.join(fixed(48, i) for i in range(n)))


@kind(PF, 200000)
def pf_arguments(n):
    return track(1) + slice_event(1, 3, more=b''.join(msg((4, msg((10, 'k%d' % i), (3, i)))) for i in range(n)))


@kind(PF, 100000)
def pf_sequences(n):
    names = msg((2, msg((1, 1), (2, 'a'))))
    return track(1) + b''.join(msg((1, msg((8, i), (10, i + 2), (13, 3), (12, names), (11, msg((9, 3), (11, 1), (10, 1)))))) for i in range(n))


@kind(PF, 100000)
def pf_names_again(n):
    return track(1) + b''.join(msg((1, msg((8, i), (10, 1), (13, 3), (12, msg((2, msg((1, i % 7 + 1), (2, 'a%d' % i))))), (11, msg((9, 3), (11, 1), (10, i % 7 + 1)))))) for i in range(n))


@kind(PF, 200000)
def pf_counters(n):
    return track(1, 'c', (8, b'')) + b''.join(slice_event(i, 4, more=msg((30, i))) for i in range(n))


@kind(PF, 100000)
def pf_clocks(n):
    clocks = [msg((1, msg((10, 1), (6, msg((1, msg((1, 6), (2, 10 * i))), (1, msg((1, 64 + i % 60), (2, i)))))))) for i in range(n)]
    return track(1) + b''.join(c + msg((1, msg((8, i), (58, 64 + i % 60), (10, 1), (11, msg((9, 3), (11, 1), (23, 'e')))))) for i, c in enumerate(clocks))


# --- the trace protobuf of old profilers ---

OLD = 'x.trace'


def old_device(key, name, resources=(), number=1):
    return msg((1, msg((1, key), (2, msg((1, name), (2, key), *((3, msg((1, r), (2, msg((1, 'r%d' % r), (2, r))))) for r in resources))))))


def old_event(i, device=1, resource=1, name='e', *more):
    return msg((4, msg((1, device), (2, resource), (3, name), (9, 10 * i), (10, 5), *more)))


@kind(OLD, 100000)
def old_devices(n):
    return b''.join(old_device(i, '/device:TPU:%d' % i, [1]) + old_event(i, i) for i in range(1, n + 1))


@kind(OLD, 200000)
def old_resources(n):
    return old_device(1, '/device:TPU:0', range(n)) + b''.join(old_event(i, 1, i) for i in range(n))


@kind(OLD, 200000)
def old_backward(n):
    return old_device(1, '/device:TPU:0', [1]) + b''.join(old_event(n - i) for i in range(n))


@kind(OLD, 200000)
def old_arguments(n):
    return old_device(1, '/device:TPU:0', [1]) + old_event(1, 1, 1, 'e', *((11, msg((1, 'k%d' % i), (2, 'v'))) for i in range(n)))


@kind(OLD, 200000)
def old_strays(n):
    """of devices and resources that nobody names"""
    return old_device(1, '/device:TPU:0', [1]) + b''.join(old_event(i, i + 2, i) for i in range(n))


# --- tables of profilers ---


def datatable(columns, rows):
    return {'cols': [{'id': c, 'label': c, 'type': 'number'} for c in columns], 'rows': [{'c': [{'v': v} for v in row]} for row in rows]}


@kind('framework_op_stats.json', 100000)
def framework_rows(n):
    columns = ('rank', 'host_or_device', 'type', 'operation', 'occurrences', 'total_self_time', 'measured_flop_rate')
    return json.dumps([datatable(columns, [(i, 'Device', 'dot%d' % i, 'a/%d' % i, 3, 1.5, 2) for i in range(n)])]).encode()


@kind('input_pipeline.json', 100000)
def input_rows(n):
    steps = datatable(('stepnum', 'infeedTimeMs', 'tooltip'), [(i, 0.5, 'step') for i in range(n)])
    steps['p'] = {'summary_conclusion': '<a href="x">' * n}
    return json.dumps([steps, {}, datatable(('opName', 'count'), [('op%d' % i, 4) for i in range(n)])]).encode()


@kind('pod_viewer.json', 100000)
def pod_cores(n):
    cores = {str(i): {'chipId': i, 'hostName': 'h%d' % i, 'totalDurationUs': 10.5, 'stepBreakdownUs': {'1': 6, '9': 4.5}} for i in range(n)}
    step = {'stepNum': 7, 'podStatsPerCore': cores, 'coreIdToReplicaIdMap': {str(i): i for i in range(n)}}
    return json.dumps({'deviceType': 'TPU v4', 'podStatsSequence': {'podStatsMap': [step]}}).encode()


@kind('pod_viewer.json', 100000)
def pod_steps(n):
    step = [{'stepNum': i, 'podStatsPerCore': {str(i % 7): {'chipId': 1, 'hostName': 'h', 'totalDurationUs': 9, 'stepBreakdownUs': {'1': 6}}}} for i in range(n)]
    return json.dumps({'deviceType': 'TPU v4', 'podStatsSequence': {'podStatsMap': step}}).encode()


@kind('pod_viewer.json', 100000)
def pod_channels(n):
    channels = [{'channelId': str(i), 'dataSize': '9', 'srcCoreIds': [i], 'dstCoreIds': [i + 1], 'hloNames': ['send.%d' % i]} for i in range(n)]
    step = {'stepNum': 7, 'podStatsPerCore': {'3': {'chipId': 1, 'hostName': 'h', 'totalDurationUs': 9}}, 'channelDb': channels}
    return json.dumps({'deviceType': 'TPU v4', 'podStatsSequence': {'podStatsMap': [step]}}).encode()


# --- trace tables ---

S = 'x.SSTABLE'
CRC = []
for c in range(256):
    for bit in range(8):
        c = c >> 1 ^ (0x82f63b78 if c & 1 else 0)
    CRC.append(c)


def stored_block(b):
    c = 0xffffffff
    for x in b + b'\0':
        c = CRC[(c ^ x) & 255] ^ c >> 8
    c ^= 0xffffffff
    return b + b'\0' + ((c >> 15 | c << 17) + 0xa282ead8 & 0xffffffff).to_bytes(4, 'little')


def table_block(entries, whole=16):
    """of (key, value), with every `whole`-th key in the list of keys"""
    out, places = bytearray(), []
    for i, (key, value) in enumerate(entries):
        if i % whole == 0:
            places.append(len(out))
        out += varint(0) + varint(len(key)) + varint(len(value)) + key + value
    return stored_block(bytes(out) + b''.join(p.to_bytes(4, 'little') for p in places) + len(places).to_bytes(4, 'little'))


def table_event(i, level=b'1'):
    return level + (1000 * i).to_bytes(8, 'big') + b'\0', msg((1, 5), (2, 3), (3, 'a'), (7, 400), (8, msg((2, msg((1, msg((1, 'k'), (2, 'v'))))))))


def table(data, places, *more):
    """the blocks, and the index, which says where they are: (place, size); more fields of the description"""
    what = msg((1, msg((1, 5), (2, msg((1, '/device:TPU:0'), (2, 5))))), *more)
    last = table_block([(b'trace', what)])
    index = [(b'2', varint(at) + varint(size)) for at, size in places] + [(b'z', varint(len(data)) + varint(len(last) - 5))]
    index = table_block(index, len(index))
    foot = varint(0) * 2 + varint(len(data) + len(last)) + varint(len(index) - 5)
    return data + last + index + foot + bytes(40 - len(foot)) + 0xdb4775248b80fb57.to_bytes(8, 'little')


@kind(S, 60000)
def table_blocks(n):
    data, places = b'', []
    for i in range(0, n, 60):
        block = table_block([table_event(k) for k in range(i, i + 60)])
        places.append((len(data), len(block) - 5))
        data += block
    return table(data, places)


@kind(S, 200000)
def table_names(n):
    block = table_block([table_event(i) for i in range(9)])
    return table(block, [(0, len(block) - 5)], *((8, fixed(1, i) + msg((2, 'name %d' % i))) for i in range(n)))


@kind(S, 100000)
def table_devices(n):
    block = table_block([table_event(i) for i in range(9)])
    return table(block, [(0, len(block) - 5)], *((1, msg((1, i), (2, msg((1, 'd%d' % i), (2, i), (3, msg((1, 3), (2, msg((1, 'XLA Ops'), (2, 3))))))))) for i in range(n)))


@kind(S, 100000)
def same_block(n):
    block = table_block([table_event(i) for i in range(n // 10)])
    return table(block, [(0, len(block) - 5)] * n)


@kind(S, 200000)
def no_blocks(n):
    return table(b'', [(0, 0)] * n)


@kind(S, 100000)
def long_runs(n):
    block = table_block([table_event(i) for i in range(n)], n)
    return table(block, [(0, len(block) - 5)])


# --- what is asked of each of many ---


@kind(X, 100000)
def gpu_devices(n):
    return space(*(plane(1 + i, '/device:GPU:%d' % i, [line(1, 'Stream #1(Kernel)', [event(1, 1000000, 900000, stat(1, 'regs:8'))])], ['k'], GPU_STATS)
                   for i in range(n)))


@kind(X, 100000)
def gpu_programs(n):
    """kernels of as many programs"""
    return space(plane(1, '/device:GPU:0', [line(1, 'Stream #1(Kernel)', [event(1, i * 1000000, 900000, stat(1, 'regs:8'), stat(4, 'add'), stat(5, i + 1)) for i in range(n)])],
                       ['k'], GPU_STATS + ['program_id']))


@kind(X, 100000)
def allocating_threads(n):
    """threads, each with a step of its own and an event of the allocator in it"""
    return space(plane(1, '/host:CPU', [line(1 + i, 't%d' % i, [event(1, 1000, 900, stat(2, 1), stat(3, i)), event(2, 1500, 5, stat(4, 100), stat(5, 0))]) for i in range(n)],
                       ['train', 'MemoryAllocation'], ['group_id', '_r', 'step_num', 'bytes_allocated', 'index_on_host']))


if __name__ == '__main__':
    main(sys.argv)
