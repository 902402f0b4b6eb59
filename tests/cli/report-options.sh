# Options that change a report: peaks, device, core and step, order and number of rows; each has an effect, or is refused with a reason.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
report() { tool=$1; shift; "$tpuscope" report "$tool" --demo "$@" 2>err; }
refused() {
	say=$1
	shift
	"$tpuscope" report "$@" --demo >out 2>err
	test $? = 2 && test ! -s out && test "$(wc -l <err)" = 1 && grep -q "$say" err || bad "report $*: $(cat err)"
}

# Peaks given by the user are marked as given everywhere.
report overview --peaks 100,100 | grep -q '^peaks  *given' || bad "overview does not say that the peaks are given"
report roofline --peaks 100,100 | grep -q '^peak source  *given' || bad "roofline does not say that the peaks are given"
"$tpuscope" snapshot overview --demo --peaks 100,100 --size 140x60 | grep -q 'peaks  *given' || bad "the view does not say it"

# The config file can set them like the option; mistakes in it are reported but stop nothing.
report overview --peaks 100,100 --format json >want
printf 'set peaks 100,100\nset weather fine\n' >rc
TPUSCOPERC=$PWD/rc report overview --format json >got || bad "mistakes in the config file stop a report"
grep -q "rc:2: unknown setting 'weather'" err || bad "mistakes in the config file are not told: $(cat err)"
cmp want got || bad "set peaks is not the option --peaks"
report overview --config rc --format json | cmp want - || bad "report does not know --config"
TPUSCOPERC=$PWD/rc report overview --config none --format json | cmp -s want - && bad "--config none reads something"
TPUSCOPERC=$PWD/rc report roofline --peaks 50,50 | grep -q '^peak FLOP rate  *50000 GFLOP/s' || bad "the option does not win"
TPUSCOPERC=$PWD/rc "$tpuscope" digest --demo -o - >/dev/null 2>err || bad "a config file stops digest"
TPUSCOPERC=$PWD/rc "$tpuscope" bench --demo >/dev/null 2>err && grep -q rc:2 err || bad "bench does not read the config file"

# --device is used only if the input does not name the device.
report memory --format json >want
report memory --device v4 --format json >got
grep -o '"limitMib":[0-9.]*' want >a; grep -o '"limitMib":[0-9.]*' got >b
test -s a && cmp a b || bad "--device changes what the capture says"
grep -q 'device v4 is ignored: the capture is of a TPU v5' got || bad "it is not said that --device is not used"
report memory --device v5e --format json | grep -q 'is ignored' && bad "the device that the capture has is not welcome"
"$tpuscope" snapshot files --demo --device v4 --size 120x40 --keys j | grep -q 'device v4 is ignored' || bad "Files does not say it"

# Cores and steps that do not exist.
for tool in findings overview input_pipeline pod trace steps hlo_stats framework_ops op_profile roofline; do
	refused 'no core 99; cores: 0-3$' $tool --core 99
done
for tool in pod trace steps hlo_stats framework_ops op_profile roofline; do
	refused 'no step 99; steps: ' $tool --step 99
done
report trace --core 3 --top 1 >/dev/null || bad "a core that is there"
refused 'works only with tables cores and ops' pod --core 1 --table collectives
report pod --core 1 --format json | grep -q 'channels, pairs, collectives and steps cover all cores' || bad "pod --core: what it is for is not said"

# What is refused prints nothing, in any form.
for format in text json csv; do
	for tool in $("$tpuscope" report none x 2>&1 | sed 's/.*reports: //; s/,//g'); do
		case $tool in
		ptxla_debug) input=$srcdir/tests/fuzz/corpus/ptxla/debug ;;
		metrics) input=$srcdir/tests/fuzz/corpus/ptxla/steps ;;
		graph | compat) input=$srcdir/tests/fuzz/corpus/tf-graph ;;
		*) input=--demo ;;
		esac
		for option in "--sort no_column" "--sort no_column:desc --top 1" "--table no_table"; do
			"$tpuscope" report $tool $input --format $format $option >out 2>err
			status=$?
			test $status = 2 || test $status = 1 || bad "report $tool $option: status $status"
			test ! -s out && test -s err || bad "report $tool --format $format $option: $(head -c 200 out)"
		done
	done
done

# --sort and --top apply to the table that is printed.
sorted() {
	report "$@" --format csv >out || { bad "report $*: $(cat err)"; return; }
	test "$(wc -l <out)" -gt 2 || bad "report $*: nothing to sort"
	head -1 out | tr -d '\r' | tr ',' '\n' | grep -n "^$column\$" | cut -d: -f1 >nth
	tail -n +2 out | cut -d, -f"$(cat nth)" >got
	LC_ALL=C sort -g -r got | cmp - got || bad "report $* is not sorted"
}
column=heap_mib; sorted memory --sort heap_mib
column=stepTimeMs; sorted input_pipeline --sort stepTimeMs
column=selfTimeInMs; sorted input_pipeline --table host_ops --sort selfTimeInMs
test "$(report memory --format csv --top 1 | wc -l)" = 2 || bad "memory --top 1 in CSV"
test "$(report memory_profile --format csv --top 1 --sort memoryCapacity | wc -l)" = 2 || bad "memory_profile --top 1 in CSV"
refused 'unknown column .logicalBufferSizeMib.' memory --format csv --sort logicalBufferSizeMib
report memory --format json --sort heap_mib:desc >/dev/null || bad "JSON: a column of the heap: $(cat err)"
report input_pipeline --sort stepTimeMs:desc >/dev/null || bad "text: a column of the steps: $(cat err)"
refused 'unknown column .nothing.' memory --sort nothing
refused 'a tree' op_profile --format json --sort wasted:desc
refused 'a tree' op_profile --format json --sort time
test "$(report op_profile --format csv --top 1 | wc -l)" = 2 || bad "op_profile --top 1 in CSV"
test "$(report roofline --table diagnostics --top 0 --format csv | wc -l)" = 1 || bad "roofline --table diagnostics --top 0"
# Every report takes its options, in any form, or refuses them with a line.
for tool in $("$tpuscope" report --help | sed -n 's/^  \([a-z_]*\)  .*/\1/p'); do
	for option in '--sort nothing' '--sort name' '--top 1' '--sort self_time:desc --top 2'; do
		for form in text json csv; do
			report $tool $option --format $form >out
			test $? -le 3 || bad "report $tool $option --format $form ends with $?"
		done
	done
done
report graph --sort self_time:desc --top 1 >out && grep -q '^computation ' out || bad "graph --sort: $(cat err)"
exit $failed
