# A capture of a real job: a training loop in JAX with its profiler server.  JAX_PYTHON names a Python that has JAX; JAX=install makes one with pip, in the
# folder of the test; without either it is skipped.  The server listens on all interfaces, so it runs in a network of its own where that is allowed.
. "$srcdir/tests/cli/joblib.sh"
python=${JAX_PYTHON:-python3}
if [ "${JAX:-}" = install ] && python3 -m venv venv && venv/bin/pip install -q jax; then
	python=$PWD/venv/bin/python
fi
"$python" -c 'import jax' 2>/dev/null || {
	echo "# no JAX here: JAX=install makes a venv with it, JAX_PYTHON names a Python that has it"
	exit 77
}
cat >train.py <<'END'
import os, sys, time
os.environ['JAX_PLATFORMS'] = 'cpu'
import jax, jax.numpy as jnp
jax.profiler.start_server(int(sys.argv[1]))
step = jax.jit(lambda w, x: w - 0.01 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w))
w, x, i = jnp.ones((256, 256)), jnp.ones((128, 256)), 0
end = time.time() + 120
while time.time() < end:
    with jax.profiler.StepTraceAnnotation('train', step_num=i):
        w = step(w, x)
        w.block_until_ready()
    if i == 0:
        open('ready', 'w').close()
    i += 1
    time.sleep(0.01)
END
rm -rf ready log
cat >session.sh <<'END'
"$python" train.py 9012 >train.log 2>&1 &
job=$!
trap 'kill $job 2>/dev/null' EXIT
i=0
until [ -f ready ]; do
	i=$((i + 1))
	[ $i -lt 600 ] && kill -0 $job || { cat train.log; exit 1; }
	sleep 0.1
done
"$tpuscope" capture --addr localhost:9012 --logdir log --session whole --duration-ms 1000 || exit 1

# a second capture while one is taken: the first one is not disturbed
"$tpuscope" capture --addr localhost:9012 --logdir log --session first --duration-ms 3000 &
first=$!
sleep 1
"$tpuscope" capture --addr localhost:9012 --logdir log --session second --grace-s 1
[ $? = 4 ] || { echo "a busy server should give status 4"; exit 1; }
wait $first || exit 1

"$tpuscope" capture --addr localhost:9012 --logdir log --session stopped --duration-ms 60000 &
stopped=$!
sleep 2
kill -INT $stopped
wait $stopped || { echo "stopping failed"; exit 1; }

"$tpuscope" monitor --addr localhost:9012 --num-queries 1 >said || exit 1
grep -q 'there is no TPU' said && grep -q '^Step time: ' said || { cat said; exit 1; }

"$tpuscope" capture --addr localhost:9012 --logdir log --session killed --duration-ms 60000 --attempts 1 &
killed=$!
sleep 1
kill -9 $job
wait $killed
[ $? = 1 ] || { echo "the end of the job should give status 1"; exit 1; }
END
export python
if unshare -rn true 2>/dev/null; then
	unshare -rn sh -c 'ip link set lo up; . ./session.sh' || exit 1
else
	sh session.sh || exit 1
fi
[ "$(ls log/plugins/profile | sort | paste -sd ' ' -)" = 'first stopped whole' ] || { ls -R log; exit 1; }
for run in whole first stopped; do
	"$tpuscope" report info log --run $run --format json >info || exit 1
	grep -q '/host:CPU' info || { echo "$run has no threads of the host"; exit 1; }
	"$tpuscope" report steps log --run $run --format csv >steps || exit 1
	[ "$(grep -c train steps)" -gt 10 ] || { echo "$run has no steps"; cat steps; exit 1; }
done
