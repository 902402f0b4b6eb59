"""Compiles programs with many kinds of instructions: kinds.py FOLDER cpu|v5e:2x2, with jax 0.10.2 and, for the TPU, libtpu 0.0.51.  Each
leaves a module before XLA optimized it, as a message and as the text that XLA prints of it: ours must be the same."""
import glob, os, re, shutil, sys

folder, platform = sys.argv[1:3]
dump = folder + '/dump'
os.environ.update(JAX_PLATFORMS='cpu', ALLOW_MULTIPLE_LIBTPU_LOAD='1', TPU_SKIP_MDS_QUERY='1', TPU_ACCELERATOR_TYPE='v5litepod-4',
                  TPU_WORKER_HOSTNAMES='localhost',
                  XLA_FLAGS='--xla_force_host_platform_device_count=4 --xla_dump_hlo_as_text --xla_dump_hlo_as_proto --xla_dump_to=' + dump)
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.experimental import topologies
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

jax.config.update('jax_hlo_source_file_canonicalization_regex', '.*/')
S, f32, bf16, i32 = jax.ShapeDtypeStruct, jnp.float32, jnp.bfloat16, jnp.int32
devices = jax.devices() if platform == 'cpu' else topologies.get_topology_desc(platform='tpu', topology_name=platform).devices
mesh = Mesh(np.array(devices).reshape(2, 2), ('a', 'b'))
one = SingleDeviceSharding(devices[0])


def over(*axes):
    return NamedSharding(mesh, P(*axes))


def compiled(*shapes, shards=None, donate=()):
    def add(f):
        jax.jit(f, in_shardings=shards or jax.tree.map(lambda _: one, shapes), donate_argnums=donate).lower(*shapes).compile()
    return add


@compiled(S((2, 16, 16, 8), f32), S((3, 3, 8, 4), f32), S((3, 3, 1, 16), f32))
def convolutions(x, w, v):
    form = dict(dimension_numbers=('NHWC', 'HWIO', 'NHWC'))
    return (lax.conv_general_dilated(x, w, (2, 2), [(1, 2), (0, 3)], lhs_dilation=(1, 2), rhs_dilation=(2, 1), precision='highest', **form),
            lax.conv_general_dilated(x, v, (1, 1), 'SAME', feature_group_count=8, **form))


@compiled(S((4, 8, 8, 4), f32), S((3, 3, 4, 4), f32))
def batch_groups(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'), batch_group_count=2)


@compiled(S((4, 8, 16), f32), S((4, 16, 8), f32), S((16, 8), f32), S((3, 8, 4), f32), S((3,), i32))
def dots(a, b, x, w, g):
    return lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,))), precision='high'), lax.ragged_dot(x, w, g)


@compiled(S((16, 8), f32), S((5,), i32), S((5, 8), f32), S((4, 16), f32), S((4, 3), i32))
def gathers(x, i, u, y, k):
    return (x[i], x.at[i].add(u), x.at[i].set(u, unique_indices=True, indices_are_sorted=True), lax.dynamic_slice(x, (i[0], i[1]), (2, 3)),
            lax.dynamic_update_slice(x, u[:2], (i[0], 0)), jax.vmap(lambda a, b: a[b])(y, k), jax.vmap(lambda a, b: a.at[b].add(1.0))(y, k))


@compiled(S((2, 8, 8, 4), f32))
def windows(x):
    pool = jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')))
    return pool(x), lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 1, 1, 1), ((0, 0), (1, 1), (0, 2), (0, 0)),
                                      base_dilation=(1, 2, 1, 1), window_dilation=(1, 2, 1, 1))


@compiled(S((8, 16), f32), S((8, 16), i32))
def sorts(x, y):
    return lax.sort((x, y), dimension=0, num_keys=2), lax.top_k(x, 3), jnp.argmax(x, axis=1)


@compiled(S((8,), f32), S((), i32))
def control(x, n):
    return (lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.sin(s[1])), (0, x)),
            lax.cond(n > 3, lambda v: v * 2, lambda v: jnp.cos(v), x), lax.switch(n, [lambda v: v + 1, lambda v: v - 1, lambda v: v * 3], x))


@compiled(S((4,), jnp.uint32))
def random(k):
    return jax.random.bits(jax.random.wrap_key_data(k, impl='rbg'), (8,)), lax.rng_uniform(0., 1., (4,))


@compiled(S((8, 8), f32), S((8, 8), f32))
def algebra(a, b):
    return (lax.linalg.cholesky(a, symmetrize_input=False), lax.linalg.triangular_solve(a, b, left_side=True, lower=True, transpose_a=True),
            jnp.fft.irfft(jnp.fft.rfft(b)), jnp.linalg.qr(a))


@compiled(S((8, 8), f32), S((8,), i32))
def others(x, i):
    return (lax.reduce_precision(x, 8, 7), lax.pad(x, 1., ((1, 2, 0), (0, -1, 3))), lax.rev(x, (0,)), lax.broadcasted_iota(i32, (3, 4), 1),
            jnp.concatenate([x, x], axis=1), lax.bitcast_convert_type(x, i32), x[1:7:2, 3:], lax.optimization_barrier(x), i // 3)


@compiled(S((64,), f32))
def constants(x):
    c = np.arange(6, dtype=np.float32).reshape(2, 3) * 0.1
    return (x + jnp.asarray(np.arange(64) * 0.1, f32), jnp.asarray(c), jnp.asarray(c.astype(np.float16)), jnp.asarray(c).astype(bf16),
            x * 1e-30 * (1 / 3) * 123456789., jnp.float32(np.nan) + x, jnp.complex64(1 + 2j) * x, x.astype(jnp.int8) + jnp.int8(-3),
            jnp.uint8(200) + x.astype(jnp.uint8), jnp.asarray(np.array([True, False, True])), jnp.asarray([-5, 7]),
            jnp.asarray(np.arange(8).reshape(2, 2, 2), i32), x > 0.5)


@compiled(S((8,), f32))
def callbacks(x):
    jax.debug.print('x {}', x[0])
    return x * 2


@compiled(S((16, 16), f32), shards=(over('a', 'b'),))
def collectives(x):
    def f(v):
        gathered = lax.all_gather(v, 'b', axis=0, tiled=True)
        return (lax.psum(v, 'a') + lax.psum(v, ('a', 'b')) + lax.ppermute(v, 'b', [(0, 1), (1, 0)]) + lax.axis_index('a'), gathered,
                lax.psum_scatter(gathered, 'a', scatter_dimension=0, tiled=True), lax.all_to_all(v, 'a', 0, 1, tiled=True))
    return shard_map(f, mesh=mesh, in_specs=P('a', 'b'), out_specs=(P('a', 'b'),) * 4, check_vma=False)(x)


@compiled(S((64, 64), f32), S((4, 8, 16), f32), shards=(over('a', 'b'), over('a', None, 'b')), donate=(0,))
def shardings(x, y):
    return lax.with_sharding_constraint(jnp.tanh(x), over('b', 'a')), jnp.sum(lax.with_sharding_constraint(y, over(None, ('a', 'b'), None)), axis=1)


@compiled(S((3,), f32), {'p': S((2,), f32), 'q': S((), i32)}, donate=(0,))
def tuples(x, d):
    return {k: (v + 1, (v * 2,)) for k, v in d.items()}, x


@compiled(S((8,), f32))
def quotes(x):
    with jax.named_scope('a "quoted" scope\nwith lines'):
        return jnp.sin(x) * 2


for path in glob.glob(dump + '/*.before_optimizations.txt'):
    to = '%s/%s.%s' % (folder, re.search(r'jit_(\w+)\.', path).group(1), platform.split(':')[0])
    shutil.copy(path, to + '.txt')
    shutil.copy(path[:-3] + 'hlo.pb', to + '.hlo.pb')
