# What PyTorch/XLA says about itself: reports metrics and ptxla_debug of texts in all forms, whole and cut, from files,
# folders, packed files and standard input.  UPDATE=1 writes the expected output.
. "$srcdir/tests/cli/lib.sh"
corpus="$srcdir/tests/fuzz/corpus/ptxla"
expect="$srcdir/tests/cli/ptxla.out"
rm -rf in && mkdir -p in/below || exit 1
cp "$corpus"/* in/ && cd in || exit 1
mv graphs below/save_tensors.txt.3
gzip -c steps >metrics.txt.2.gz
head -c 700 steps >cut
printf 'Metric: A\0B\n  TotalSamples: 2\n  Accumulator: 4.00\nCounter: caf\351\n  Value: 3\n' >binary
mkdir saver && cp ir-text saver/loss-14-0.text && cp ir-text saver/loss-14-1.text && sed 's/4,4/8,4/' ir-text >saver/loss-14-2.text || exit 1
# what scripts/debug_run.py leaves
mkdir debug_run && cp steps debug_run/metrics.0 && cp debug debug_run/logs && cp below/save_tensors.txt.3 debug_run/graphs.0 &&
	printf 'x' >debug_run/other
cp debug_run/logs "debug_run/$(printf 'long%095d' 7)" || exit 1
tar --format=gnu --sort=name -cf run.tar debug_run && gzip -c run.tar >run.tar.gz && tar --format=pax --sort=name -cf pax.tar debug_run || exit 1
head -c 9000 run.tar >cut.tar
{ head -c 20000 run.tar; tail -c +20002 run.tar; } >shifted.tar
mkdir -p hosts/a hosts/b && cp run.tar.gz hosts/a/ && cp run.tar hosts/b/ && printf 'Killed\n' >hosts/b/log && rm -r debug_run || exit 1
printf 'nothing of the kind\n' >plain

# show STATUS ARGUMENT...
show() {
	echo "== $*"
	want=$1
	shift
	"$tpuscope" "$@" 2>&1
	got=$?
	case $got in $want) ;; *) echo "exit $got, not $want" ;; esac
}
{
	for file in steps old pod wrapped cut; do
		show 0 report metrics $file --width 110
	done
	show 0 report metrics --width 110 binary
	for file in debug below/save_tensors.txt.3 wrapped; do
		show 0 report ptxla_debug $file --width 130
	done
	show 0 report findings steps old --format csv
	show 0 report findings debug --width 110
	for file in ir-text ir-dot runs tracker hlo-saved hlo-dumped saver; do
		show 0 report ptxla_debug $file --width 130
	done
	show 0 report ptxla_debug saver --format csv --table graphs
	show 0 report metrics old --format json
	show 0 report ptxla_debug debug --format csv --table analyses
	show 0 report ptxla_debug below --format csv --table graphs
	show 0 report metrics metrics.txt.2.gz --format csv --table counters --sort value --top 4
	show 0 report metrics pod --format csv --table percentiles --top 3
	show 0 report metrics steps cut --format csv --table findings
	show 0 report metrics - --format csv --table notices <wrapped
	for file in run.tar.gz pax.tar cut.tar shifted.tar; do
		show '[013]' report ptxla_debug $file --format csv --table graphs
		show '[013]' report metrics $file --format csv --table counters --top 2
	done
	show 0 report ptxla_debug run.tar --format csv --table by_frame --top 2
	show 0 report metrics hosts --format csv --table metrics --sort total_samples --top 3
	show 0 report findings hosts --format csv --top 2
	# triage names what a text is, and what is wrong by it
	show 0 triage hosts --width 110
	show 0 triage debug --format csv
	for file in run.tar run.tar.gz; do
		cat $file | show 0 triage - --format csv --table logs
	done
	show 3 triage cut.tar --format csv --table logs
	show 0 report metrics steps --format csv --sort total_samples --top 3
	show 0 report metrics steps old --format csv --table changes --top 12
	show 1 report metrics plain
	show 1 report ptxla_debug old
	show 1 report metrics debug
	show 1 report ptxla_debug /dev/null
} | sed 's/"version":"[^"]*"/"version":"X"/' >../got
cd ..
if [ "${UPDATE:-}" = 1 ]; then
	cp got "$expect"
fi
diff -u "$expect" got || exit 1
# However a text is cut, what is left of it is read.
for file in steps debug; do
	for bytes in 1 50 199 500 777 1500; do
		tail -c $bytes in/$file >tail
		head -c $bytes in/$file >head
		for part in tail head; do
			for tool in metrics ptxla_debug; do
				"$tpuscope" report $tool $part --format json >out 2>err
				status=$?
				test $status = 0 || test $status = 1 || { echo "report $tool of $part -c $bytes $file: $status"; exit 1; }
			done
		done
	done
done
# What the facts of the shared samples say, where they are.
facts="$srcdir/../shared/tools/facts"
if [ -f "$facts/facts-open.tsv" ] && command -v python3 >/dev/null; then
	for tool in metrics ptxla_debug; do
		python3 "$facts/facts.py" --bin "$tpuscope" "$facts/facts-open.tsv" --tool $tool --quiet >out 2>&1 || { cat out; exit 1; }
	done
else
	echo "the facts of ../shared are not there: not compared"
fi
