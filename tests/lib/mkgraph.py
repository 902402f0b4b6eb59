"""Writes small TensorFlow graphs: mkgraph.py FORM FILE.  Forms: graph, text, meta, saved (a SavedModel), events, run (an event
file with graphs of runs), keras, model (a Keras model alone), scalars.  Of an event file `cut` leaves out the end of the last record, `crc` breaks its checksum."""
import os, struct, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hostile import msg

TPU, CPU = '/job:worker/replica:0/task:0/device:TPU:0', '/job:worker/replica:0/task:0/device:CPU:0'
FLOAT, INT32, STRING = 1, 3, 7


# --- nodes: name, op, inputs, device, attributes (name to the bytes of an AttrValue) ---

def shape(*sizes):
    return msg(*((2, msg((1, s))) for s in sizes))


def number(i):
    return msg((3, i))


def kind(t):
    return msg((6, t))


def text(s):
    return msg((2, s))


def tensor(t, sizes, values):
    """an AttrValue with a tensor of floats"""
    content = struct.pack('<%df' % len(values), *values)
    return msg((8, msg((1, t), (2, shape(*sizes)), (4, content))))


def shapes(*all):
    return msg((1, msg(*((7, shape(*s)) for s in all))))


def layers():
    x = 'input/x'
    for i in range(6):
        at = 'dense_%d/' % i
        yield at + 'kernel', 'Const', [], TPU, {'dtype': kind(FLOAT), 'value': tensor(FLOAT, (2, 2), (1, 0, 0, i))}
        yield at + 'MatMul', 'MatMul', [x, at + 'kernel'], TPU, {'T': kind(FLOAT), 'transpose_a': msg((5, 0)), '_output_shapes': shapes((8, 2))}
        yield at + 'Relu', 'Relu', [at + 'MatMul'], TPU, {'T': kind(FLOAT)}
        x = at + 'Relu'


def nodes():
    yield 'input/file', 'Const', [], CPU, {'dtype': kind(STRING)}
    yield 'input/decode', 'DecodeJpeg', ['input/file'], CPU, {'channels': number(3)}
    yield 'input/x', 'Placeholder', [], TPU, {'dtype': kind(FLOAT), 'shape': msg((7, shape(8, 2)))}
    yield from layers()
    yield 'Reshape/shape', 'Const', [], TPU, {'dtype': kind(INT32)}
    yield 'Reshape', 'Reshape', ['dense_5/Relu', 'Reshape/shape'], TPU, {'T': kind(FLOAT)}
    yield 'body', 'PartitionedCall', ['Reshape', '^dense_0/Relu'], TPU, {'f': msg((10, msg((1, '__inference_body_7')))), 'config_proto': text('\x01\x02')}
    last = 'body:0'
    for i in range(1, 9):
        yield 'sum/add_%d' % i, 'AddV2', [last, 'dense_0/kernel'], TPU, {'T': kind(FLOAT)}
        last = 'sum/add_%d' % i
    yield 'debug/to_text', 'AsString', [last], TPU, {'T': kind(FLOAT), 'precision': number(-1)}
    yield 'debug/ids', 'UniqueV2', [last], TPU, {}
    yield 'metrics/hits', 'StringLength', ['debug/to_text'], '', {}
    yield 'save/name', 'Const', [], '', {}
    yield 'save/note', 'WriteFile', ['save/name', 'save/name'], '', {'text': text('saved\n')}
    yield 'save/SaveV2', 'SaveV2', ['save/name', 'save/name', '^sum/add_8'], '', {}


def function():
    """x * x + 1"""
    inner = [('mul', 'Mul', ['x', 'x'], '', {'T': kind(FLOAT)}), ('one', 'Const', [], '', {}), ('out', 'AddV2', ['mul:z:0', 'one:output:0'], '', {})]
    signature = msg((1, '__inference_body_7'), (2, msg((1, 'x'), (3, FLOAT))), (3, msg((1, 'y'), (3, FLOAT))))
    return msg((1, signature), *((3, node(*n)) for n in inner), (4, msg((1, 'y'), (2, 'out:z:0'))))


def function_with_text():
    return msg((1, msg((1, '__inference_text_8'))), (3, node('say', 'AsString', ['x'])), (3, node('sum', 'AddV2', ['x', 'x'])))


def node(name, op, inputs=(), device='', attrs={}):
    return msg((1, name), (2, op), *((3, i) for i in inputs), *([(4, device)] if device else []),
               *((5, msg((1, k), (2, v))) for k, v in sorted(attrs.items())))


def graph(all=None, functions=None):
    return msg(*((1, node(*n)) for n in (nodes() if all is None else all)),
               *[(2, msg(*((1, f) for f in ([function()] if functions is None else functions))))], (4, msg((1, 1882))))


# --- the same as a text ---

TYPES = {FLOAT: 'DT_FLOAT', INT32: 'DT_INT32', STRING: 'DT_STRING'}


def as_text():
    out = '# a graph in its text form\n'
    for name, op, inputs, device, attrs in nodes():
        out += 'node {\n  name: "%s"\n  op: \'%s\'\n' % (name, op)
        out += ''.join('  input: "%s"\n' % i for i in inputs)
        out += '  device: "%s" "%s"\n' % (device[:5], device[5:]) if device else ''
        out += '  attr { key: "T" value < type: DT_FLOAT > }\n' if 'T' in attrs else ''
        out += '  attr {\n    key: "value"\n    value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 }; dim { size: 2 } }' \
               ' float_val: [1, 0, 0, 2.5e-1] } }\n  }\n' if 'value' in attrs else ''
        out += '}\n'
    out += 'library {\n  function {\n    signature { name: "__inference_body_7" input_arg { name: "x" type: DT_FLOAT } is_stateful: true }\n'
    for name, op, inputs in (('mul', 'Mul', ('x', 'x')), ('one', 'Const', ()), ('out', 'AddV2', ('mul:z:0', 'one:output:0'))):
        out += '    node_def { name: "%s" op: "%s" %s}\n' % (name, op, ''.join('input: "%s" ' % i for i in inputs))
    return (out + '    ret { key: "y" value: "out:z:0" }\n  }\n}\nversions { producer: 1882 }\n').encode()


# --- event files ---

TABLE = []
for b in range(256):
    for _ in range(8):
        b = b >> 1 ^ (b & 1) * 0x82f63b78
    TABLE.append(b)


def crc(data):
    r = 0xffffffff
    for b in data:
        r = r >> 8 ^ TABLE[(r ^ b) & 255]
    r ^= 0xffffffff
    return struct.pack('<I', ((r >> 15 | r << 17) + 0xa282ead8) & 0xffffffff)


def record(data):
    head = struct.pack('<Q', len(data))
    return head + crc(head) + data + crc(data)


def event(*fields):
    return record(b'\x09' + struct.pack('<d', 1700000000) + msg(*fields))


VERSION = event((3, 'brain.Event:2'))


def value(tag, plugin, content):
    """a summary value whose tensor is one text"""
    return msg((1, tag), (9, msg((1, msg((1, plugin), (2, '1'))))), (8, msg((1, STRING), (2, b''), (8, content))))


def summary(*values):
    return event((5, msg(*((1, v) for v in values))))


def run_metadata(*graphs):
    return msg(*((4, msg((1, graph([])), (2, g))) for g in graphs))


def meta_graph(tags, g):
    return msg((1, msg(*((4, t) for t in tags), (5, '2.21.0'))), (2, g))


KERAS = '''{"class_name": "Sequential", "config": {"name": "small", "layers": [
{"class_name": "InputLayer", "config": {"name": "input_1", "batch_shape": [null, 8]}},
{"class_name": "Dense", "config": {"name": "hidden", "units": 512, "activation": "relu"}},
{"class_name": "Dense", "config": {"name": "scores", "units": 10}}]}, "keras_version": "3.0"}'''
KERAS2 = '''{"class_name": "Functional", "config": {"name": "outer", "layers": [
{"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "sparse": false, "name": "x"}, "name": "x", "inbound_nodes": []},
{"class_name": "Sequential", "config": {"name": "tower", "layers": [{"class_name": "Dense", "config": {"name": "first", "rate": 0.5}},
{"class_name": "Dense", "config": {"name": "second"}}]}, "name": "tower", "inbound_nodes": [[["x", 0, 0, {}]]]},
{"class_name": "Add", "config": {"name": "sum"}, "name": "sum", "inbound_nodes": [[["x", 0, 0, {}], ["tower", 1, 0, {}]]]},
{"class_name": "ReLU", "config": {}, "name": "out", "inbound_nodes": [{"args": [{"class_name": "__keras_tensor__",
"config": {"keras_history": ["sum", 0, 0]}}], "kwargs": {}}]}, 7, {"class_name": "NoName", "config": null}]}}'''
SCALARS = summary(*(msg((1, 'loss'), (8, msg((1, FLOAT), (5, b'\0\0\x80?')))) for _ in range(3)))


def events():
    return VERSION + SCALARS + event((4, graph())) + event((9, meta_graph(['train'], graph())))


def runs():
    """two functions that were traced, of which the second repeats the function they call"""
    a, b = graph([('a/x', 'Placeholder'), ('a/y', 'Relu', ['a/x'])]), graph([('b/x', 'Placeholder'), ('b/y', 'PyFunc', ['b/x'])])
    return VERSION + summary(value('forward', 'graph_run_metadata_graph', run_metadata(a, b))) + summary(value('other', 'graph_run_metadata', run_metadata(a)))


FORMS = {
    'graph': graph,
    'text': as_text,
    'unlisted': lambda: graph([('x', 'Placeholder'), ('call', 'PartitionedCall', ['x'])], [function_with_text()]),
    'loops': lambda: graph([('a', 'AddV2', ['b', 'a']), ('b', 'AddV2', ['c:1', '^gone']), ('c', 'AddV2', ['a', 'lost:3']), ('c', 'Neg', ['a'])]),
    'meta': lambda: meta_graph(['train'], graph()),
    'saved': lambda: msg((1, 1), (2, meta_graph(['serve', 'tpu'], graph()))),
    'events': events,
    'run': runs,
    'keras': lambda: VERSION + SCALARS + summary(value('keras', 'graph_keras_model', KERAS)),
    'keras2': lambda: VERSION + summary(value('keras', 'graph_keras_model', KERAS2), value('bad', 'graph_keras_model', KERAS2[:-9])),
    'model': lambda: KERAS2.encode(),
    'scalars': lambda: VERSION + SCALARS,
    'cut': lambda: events()[:-100],
    'crc': lambda: events()[:-1] + b'?',
}

if __name__ == '__main__':
    with open(sys.argv[2], 'wb') as f:
        f.write(FORMS[sys.argv[1]]())
