# A PyTorch trace names no launches, input or compilation that the rules know: those checks are not possible, not passed,
# and the advice is for PyTorch on GPUs.
. "$srcdir/tests/cli/lib.sh"
{
	printf '{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [\n'
	for step in 1 2 3; do
		at=$((step * 1000))
		cat <<-END
			{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$step", "pid": 7, "tid": 7, "ts": $at.0, "dur": 900.0},
			{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": $((at + 10)).0, "dur": 300.0, "args": {"External id": $step}},
			{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": $((at + 20)).0, "dur": 200.0, "args": {"correlation": $step}},
			{"ph": "X", "cat": "kernel", "name": "gemm_kernel", "pid": 0, "tid": 3, "ts": $((at + 100)).0, "dur": 500.0, "args": {"device": 0, "stream": 3, "correlation": $step, "grid": [1, 1, 1], "block": [64, 1, 1]}},
			{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16", "pid": 0, "tid": 4, "ts": $((at + 620)).0, "dur": 250.0, "args": {"device": 0, "stream": 4, "grid": [1, 1, 1], "block": [64, 1, 1]}},
		END
	done
	printf '{"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "ts": 0, "args": {"name": "python3"}},\n'
	printf '{"ph": "M", "name": "process_labels", "pid": 7, "tid": 0, "ts": 0, "args": {"labels": "CPU"}},\n'
	printf '{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 0, "args": {"name": "python3"}},\n'
	printf '{"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 0, "args": {"labels": "GPU 0"}}\n]}\n'
} >torch.json
"$tpuscope" report findings torch.json >torch.txt || exit 1
sed -n '/^passed/,/^not possible/p' torch.txt >passed.txt
status=0
for check in 'Input wait' Outfeed "Kernel launch" "Other time" Compiling; do
	if grep -q "^$check " passed.txt; then
		echo "passed without a measure: $check"
		status=1
	elif ! sed '1,/^not possible/d' torch.txt | tr -s ' \n' '  ' | grep -q "$check"; then
		echo "said nowhere: $check"
		status=1
	fi
done
"$tpuscope" report findings --format csv torch.json >torch.csv || exit 1
if ! grep -q '^collectives,.*NCCL' torch.csv || ! grep -q ',kernels:' torch.csv; then
	echo "no advice for GPUs, or nowhere to look"
	status=1
fi
if grep -nE 'TPU|tpu|ICI|jax|tf\.data' torch.csv; then
	echo "advice for something else"
	status=1
fi
# On the CPU: a loop waits for its loader by name; what the profiler and the user put around ops is no work.
{
	printf '{"schemaVersion": 1, "traceEvents": [\n'
	printf '{"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "ts": 0, "args": {"name": "python3"}},\n'
	for step in 1 2 3 4 5; do
		at=$((step * 1000))
		cat <<-END
			{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$step", "pid": 7, "tid": 7, "ts": $at.0, "dur": 1000.0},
			{"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "pid": 7, "tid": 7, "ts": $((at + 10)).0, "dur": 250.0},
			{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": $((at + 300)).0, "dur": 400.0},
			{"ph": "X", "cat": "user_annotation", "name": "Optimizer.step#Adam.step", "pid": 7, "tid": 7, "ts": $((at + 800)).0, "dur": 100.0},
		END
	done
	printf '{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1000.0, "dur": 5000.0}]}\n'
} >loader.json
"$tpuscope" report findings --format csv loader.json >loader.csv || exit 1
grep -q '^input_bound,high,0.25,.*250 µs of 1.00 ms per step.*num_workers' loader.csv || { echo "the loader is not seen"; status=1; }
grep -nE 'TPU|tpu|ICI|jax|tf\.data|all_others' loader.csv && status=1
"$tpuscope" snapshot timeline loader.json --size 120x30 >loader.frame
grep -q 'host work  *33.33  *2.000' loader.frame || { echo "annotations are work"; cat loader.frame; status=1; }
[ $status = 0 ] || cat torch.txt torch.csv loader.csv
exit $status
