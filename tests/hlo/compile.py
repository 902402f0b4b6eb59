"""Compiles the modules of this folder: compile.py FOLDER cpu|v5e:2x2, with jax 0.10.2 and, for the TPU, libtpu 0.0.51 (no TPU is
needed).  Each program has the one fault that it is named after, so that XLA leaves it in on at least one of the two; what begins
with clean_ has none.  What XLA mends is not kept."""
import glob, os, re, sys

folder, platform = sys.argv[1:3]
dump = folder + '/dump'
os.environ.update(JAX_PLATFORMS='cpu', ALLOW_MULTIPLE_LIBTPU_LOAD='1', TPU_SKIP_MDS_QUERY='1', TPU_ACCELERATOR_TYPE='v5litepod-4',
                  TPU_WORKER_HOSTNAMES='localhost',
                  XLA_FLAGS='--xla_force_host_platform_device_count=4 --xla_dump_hlo_as_text --xla_dump_to=' + dump)
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

jax.config.update('jax_hlo_source_file_canonicalization_regex', '.*/')
F32, BF16, I32 = jnp.float32, jnp.bfloat16, jnp.int32
devices = jax.devices() if platform == 'cpu' else topologies.get_topology_desc(platform='tpu', topology_name=platform).devices
mesh = Mesh(np.array(devices), ('x',))
rows = PartitionSpec('x', None)
programs = []


def program(*shapes, donate=(), over=False):
    """over: its argument is sharded over all devices"""
    def add(f):
        shards = NamedSharding(mesh, rows) if over else SingleDeviceSharding(devices[0])
        run = shard_map(f, mesh=mesh, in_specs=rows, out_specs=PartitionSpec(), check_vma=False) if over else f

        def named(*args):
            return run(*args)
        named.__name__ = f.__name__
        args = [jax.ShapeDtypeStruct(s, t) for s, t in shapes]
        programs.append((jax.jit(named, in_shardings=shards, donate_argnums=donate), args))
    return add


# --- faults ---

@program(((16, 128, 256), F32))
def layout_copy(x):
    return lax.top_k(jnp.tanh(lax.transpose(x, (2, 0, 1))), 8)[0], jnp.tanh(x)


@program(((64, 128, 256), F32))
def unfused_transpose(x):
    return lax.top_k(lax.transpose(x, (2, 0, 1)), 8)[0]


@program(((19200,), F32))
def unfused_reshape(x):
    return lax.sort(lax.sort(x.reshape(96, 200), dimension=1, is_stable=False).reshape(60, 320), dimension=1, is_stable=False)


@program(((1024, 256), F32), ((8, 256), F32), ((), I32), donate=(0,))
def unfused_update(cache, x, i):
    return lax.dynamic_update_slice(cache, x, (i, 0))


@program(((256, 512), BF16))
def convert_around_reduce(x):
    return jnp.max(x.astype(F32), axis=1).astype(BF16)


@program(((256, 512), F32))
def scale_chain(x):
    return jnp.tanh(x * 3.0 * 0.7)


@program(((256, 512), F32), over=True)
def gather_used_once(x):
    return jnp.sum(jnp.sin(lax.all_gather(x, 'x', tiled=True)), axis=0)


@program(((256, 256), F32), ((256, 256), F32))
def recomputed(x, w):
    layer = jax.checkpoint(lambda x: jnp.sin(jnp.sin(x @ w) @ w.T))
    return jax.grad(lambda x: jnp.sum(layer(layer(x))))(x)


# --- none ---

@program(((256, 256), F32), ((256, 256), F32), ((256,), F32))
def clean_dense(x, w, b):
    return jax.nn.relu(x @ w + b)


@program(((128, 256), F32), ((256, 256), F32), ((256, 256), F32))
def clean_train(x, v, w):
    return jax.grad(lambda v, w: jnp.sum(jnp.tanh(x @ v) @ w), argnums=(0, 1))(v, w)


@program(((256, 512), F32))
def clean_softmax(x):
    return jnp.sum(jax.nn.softmax(x, axis=-1), axis=0)


@program(((64, 256), F32))
def clean_scan(x):
    return lax.scan(lambda h, a: (jnp.tanh(h + a), jnp.sum(h)), jnp.zeros((256,), F32), x)


@program(((256, 512), BF16))
def clean_sum(x):
    return jnp.sum(x.astype(F32), axis=1).astype(BF16)


@program(((256, 512), BF16))
def clean_max(x):
    return jnp.max(x, axis=1)


@program(((256, 512), F32), over=True)
def clean_all_reduce(x):
    return lax.psum(x, 'x')


@program(((8, 16, 16, 128), BF16), ((3, 3, 128, 128), BF16))
def clean_conv(x, w):
    return jnp.sum(lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')), axis=(1, 2))


for f, args in programs:
    f.lower(*args).compile()
for path in glob.glob(dump + '/*after_optimizations.txt'):
    name = re.search(r'jit_(\w+)\.', path).group(1)
    with open(path) as f, open('%s/%s.%s.txt' % (folder, name, platform.split(':')[0]), 'w') as out:
        out.write(f.read())
