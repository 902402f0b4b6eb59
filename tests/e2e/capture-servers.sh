# Captures of the profiler servers of JAX, TensorFlow and PyTorch/XLA, each alone and all at once, and XProf opens what was saved.  JAX_PYTHON, TF_PYTHON,
# XLA_PYTHON and XPROF_PYTHON name Pythons that have them; SERVERS=install makes them with pip, in the folder of the test (several GB for PyTorch/XLA).
# What is not there is skipped, and said so.  The servers listen on all interfaces, so they run in a network of their own where that is allowed.
. "$srcdir/tests/cli/joblib.sh"
python_with() { # MODULE PYTHON PACKAGES: prints a Python that has the module
	if [ "${SERVERS:-}" = install ] && [ ! -x "venv-$1/bin/python" ]; then
		python3 -m venv "venv-$1" && "venv-$1/bin/pip" install -q $3 >&2
	fi
	[ -x "venv-$1/bin/python" ] && set -- "$1" "$PWD/venv-$1/bin/python"
	"$2" -c "import $1" 2>/dev/null && echo "$2"
}
jax=$(python_with jax "${JAX_PYTHON:-python3}" jax)
tf=$(python_with tensorflow "${TF_PYTHON:-python3}" tensorflow-cpu==2.21.0)
xla=$(python_with torch_xla "${XLA_PYTHON:-python3}" 'torch==2.9.0 torch_xla==2.9.0 numpy')
xprof=$(python_with xprof "${XPROF_PYTHON:-python3}" xprof==2.24.2)
[ -n "$jax$tf$xla" ] || {
	echo "# no JAX, TensorFlow or PyTorch/XLA here: SERVERS=install makes venvs with them; JAX_PYTHON, TF_PYTHON, XLA_PYTHON name Pythons that have them"
	exit 77
}
cat >loop-jax.py <<'END'
import os, sys, time
os.environ['JAX_PLATFORMS'] = 'cpu'
import jax, jax.numpy as jnp
jax.profiler.start_server(int(sys.argv[1]))
step = jax.jit(lambda w: w - 0.01 * (w @ w))
w, i = jnp.ones((256, 256)) / 256, 0
while time.time() < float(sys.argv[2]):
    with jax.profiler.StepTraceAnnotation('train', step_num=i):
        step(w).block_until_ready()
    open('ready-jax', 'w').close()
    i += 1
    time.sleep(0.01)
END
cat >loop-tf.py <<'END'
import os, sys, time
os.environ['CUDA_VISIBLE_DEVICES'] = ''
import tensorflow as tf
tf.profiler.experimental.server.start(int(sys.argv[1]))
w, i = tf.ones((256, 256)) / 256, 0
step = tf.function(lambda w: w - 0.01 * (w @ w))
while time.time() < float(sys.argv[2]):
    with tf.profiler.experimental.Trace('train', step_num=i, _r=1):
        step(w)
    open('ready-tf', 'w').close()
    i += 1
    time.sleep(0.01)
END
cat >loop-xla.py <<'END'
import os, sys, time
os.environ['PJRT_DEVICE'] = 'CPU'
import torch, torch_xla
import torch_xla.debug.profiler as xp
server = xp.start_server(int(sys.argv[1]))
w, i = torch.ones(256, 256, device=torch_xla.device()) / 256, 0
while time.time() < float(sys.argv[2]):
    with xp.StepTrace('train', step_num=i):
        w - 0.01 * (w @ w)
    torch_xla.sync()
    open('ready-xla', 'w').close()
    i += 1
    time.sleep(0.01)
END
cat >open.py <<'END'
import glob, json, sys
from xprof.convert import raw_to_tool_data as convert
files = sorted(glob.glob(sys.argv[1] + '/*.xplane.pb'))
for name in files:
    data, _ = convert.xspace_to_tool_data([name], 'trace_viewer', {})
    assert len(json.loads(data)['traceEvents']) > 100, name
data, _ = convert.xspace_to_tool_data(files, 'overview_page', {})
assert len(files) == int(sys.argv[2]) and len(data) > 1000, files
END
rm -rf log ready-*
cat >session.sh <<'END'
running= names= addresses= port=9012
trap 'kill $running 2>/dev/null' EXIT
for name in jax tf xla; do
	eval "python=\$$name"
	[ -n "$python" ] || { echo "# no server of $name: skipped"; continue; }
	"$python" loop-$name.py $port $(($(date +%s) + 300)) >$name.log 2>&1 &
	running="$running $!"
	i=0
	until [ -f ready-$name ]; do
		i=$((i + 1))
		[ $i -lt 1200 ] && kill -0 $! || { cat $name.log; exit 1; }
		sleep 0.1
	done
	"$tpuscope" capture --addr localhost:$port --logdir log --session $name || exit 1
	names="$names $name"
	addresses="$addresses${addresses:+,}localhost:$port"
	port=$((port + 1))
done
"$tpuscope" capture --addr $addresses --logdir log --session all --host-level 3 --python-level 1 || exit 1
END
export jax tf xla
if unshare -rn true 2>/dev/null; then
	unshare -rn sh -c 'ip link set lo up; . ./session.sh' || exit 1
else
	sh session.sh || exit 1
fi
n=0
for name in jax tf xla; do
	[ -d "log/plugins/profile/$name" ] || continue
	n=$((n + 1))
	"$tpuscope" report info log --run $name --format json >info || exit 1
	grep -q '/host:CPU' info || { echo "$name has no threads of the host"; exit 1; }
	"$tpuscope" report steps log --run $name --format csv >steps || exit 1
	[ "$(grep -c train steps)" -gt 10 ] || { echo "$name has no steps"; cat steps; exit 1; }
	[ -z "$xprof" ] || "$xprof" open.py log/plugins/profile/$name 1 2>xprof.log || { cat xprof.log; exit 1; }
done
[ "$(ls log/plugins/profile/all | wc -l)" = $n ] || { ls log/plugins/profile/all; exit 1; }
[ -n "$xprof" ] || echo "# no XProf here: what was saved was not opened with it"
[ -z "$xprof" ] || "$xprof" open.py log/plugins/profile/all $n 2>xprof.log || { cat xprof.log; exit 1; }
