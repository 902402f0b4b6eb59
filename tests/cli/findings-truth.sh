# The fault put into each simulated capture is the first finding.
sim=$srcdir/../shared/data/sim
test -d "$sim" || { echo "no $sim: skipped"; exit 77; }
failed=0
first() {
	found=$("$tpuscope" report findings "$sim/$1/plugins/profile/"* --format csv --top 1 | sed -n 2p)
	case $found in
	"$2"*"$3"*) ;;
	*) echo "$1: $found"; failed=1 ;;
	esac
}
first convnet-v3-8core input_bound,high,0.359 '1.63 ms of 4.53 ms'
first transformer-v4-2host-16core straggler_core,high,0.19 'core 5 of sim-tpu-v4-w-0'
first decode-v6e-1chip memory_bound,high,0.8 '79 % of HBM bandwidth'
first mlp-v5e-1chip host_overhead,high,0.57 '99 % of it between programs'
first pipeline-v5e-4chip host_overhead,high,0.2 '98 % of it between programs'
# the verdict of the input view is that of the findings, not of a percentage that counts all-reduce twice
"$tpuscope" snapshot input "$sim/../communication/syn" --size 120x40 >frame
grep -q 'Moderately input bound' frame && grep -q 'XProf: Not input bound' frame || { cat frame; failed=1; }
# the times of a step are those of one core, which is named at every size
for size in 80x24 120x40; do
	"$tpuscope" snapshot input "$sim/convnet-v3-8core" --size $size --keys l >frame
	grep -q 'worst core  *sim-tpu-v3-w-0:' frame || { cat frame; failed=1; }
done
for run in "$sim"/*/plugins/profile/*; do
	found=$("$tpuscope" report findings "$run" --format csv | grep -c '^straggler_\|^imbalance\|^hot_link\|^missing_cores\|^hosts_apart')
	case $run in
	*/transformer-v4-2host-16core/*) want=1 ;;
	*) want=0 ;;
	esac
	test "$found" = $want || { echo "$run: $found findings of the pod, not $want"; failed=1; }
done
exit $failed
