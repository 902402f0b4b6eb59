# report pod and digests of the sample: the same numbers from both, given topologies, and wrong usage.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
numbers() { sed -n '/"summary"/,$p' | sed 's/; cause of [0-9]* % of idle time: [^"]*//'; }

"$tpuscope" report pod --demo --format json >pod.json || bad "report pod failed"
"$tpuscope" report pod --demo --format csv --table cores >cores.csv || bad "no cores"
test "$(wc -l <cores.csv)" -gt 4 || bad "only $(wc -l <cores.csv) lines of cores"
for table in channels collectives steps; do
	"$tpuscope" report pod --demo --format csv --table $table >out || bad "no table $table"
done
# the straggler's ops beside the median core's: those of core 2 take longer, and each difference is that of its row
"$tpuscope" report pod --demo --format csv --table ops >out || bad "no table ops"
awk -F, 'NR > 1 && NF == 6 { d = $3 - $4 - $5; if (d > .01 || d < -.01) bad = 1
	if ($2 == "matmul") more += $5; n++ } END { exit bad || n < 50 || more < 1000 }' out || bad "table ops: $(head -5 out)"
"$tpuscope" report pod --demo --format csv --table ops --core 2 | cmp - out || bad "core 2 is not the one with the most own work"
"$tpuscope" report pod --demo --format csv --table ops --core 0 | cmp -s - out && bad "--core 0 changes nothing in table ops"
step=$(sed -n 2p cores.csv | cut -d, -f8)
"$tpuscope" report pod --demo --format csv --table cores --step "$step" | tail -n +2 | cut -d, -f8 | sort -u >out
test "$(cat out)" = "$step" || bad "--step $step gives steps $(cat out)"
"$tpuscope" report pod --demo --topology 4x1 --format json | grep -q '"topology": *"4x1x1"' || bad "--topology 4x1 is not used"
"$tpuscope" report pod --demo --topology 1x1 >out 2>&1 && grep -q 'too small for all chips' out || bad "a mesh that is too small"
for wrong in '--topology 4' '--topology axb' '--metric none' '--step none' '--table none' '--by name'; do
	"$tpuscope" report pod --demo $wrong >out 2>err
	test $? = 2 && test ! -s out && test "$(wc -l <err)" = 1 || bad "$wrong passed: $(cat err)"
done

rm -f demo.digest.gz
"$tpuscope" digest --demo -o demo.digest.gz || bad "no digest"
"$tpuscope" digest --demo -o demo.digest.gz 2>/dev/null && bad "a digest replaced a file"
test "$(wc -c <demo.digest.gz)" -lt 400000 || bad "a large digest: $(wc -c <demo.digest.gz)"
for tool in pod overview op_profile hlo_stats; do # findings: findings-forms.sh
	"$tpuscope" report $tool --demo --format json | numbers >want
	"$tpuscope" report $tool demo.digest.gz --format json | numbers >got
	test -s want && cmp want got || bad "report $tool differs"
done
for file in demo.digest.gz "$sample"; do
	"$tpuscope" snapshot findings "$file" --size 120x40 | sed -n 4,5p
done | sort | uniq -c | grep -qv '^ *2 ' && bad "kinds of time in a digest are not those of the capture"
"$tpuscope" report pod demo.digest.gz | grep -q 'are digests: they hold sums' || bad "it is not said that it is a digest"
"$tpuscope" report info demo.digest.gz >out
grep -q '^digest version  *4$' out && grep -q '^digest of' out && grep -q '^digest lacks' out || bad "report info: $(cat out)"
"$tpuscope" report info demo.digest.gz --format json | grep -q '"kind": *"digest"' || bad "a digest of another kind"

# one host in each
echo '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"}]}' >other.trace.json
"$tpuscope" digest "$sample" other.trace.json -o two.gz 2>err
test $? = 2 && grep -q 'holds one host, but there are 2; make one per host, with --host: .*, other$' err || bad "two hosts in a digest: $(cat err)"
test -e two.gz && bad "a digest of two hosts was left"
host=$(sed 's/.*: \(.*\), other$/\1/' err)
"$tpuscope" digest "$sample" other.trace.json --host "$host" -o two.gz || bad "no digest of host $host"

# uncompressed and compressed, by the name; next to a capture
rm -f demo.digest
"$tpuscope" digest --demo -o demo.digest || bad "no digest that is not packed"
gzip -dc demo.digest.gz | cmp - demo.digest || bad "packed it is another one"
"$tpuscope" digest --demo -o - | cmp - demo.digest || bad "on standard output it is another one"
"$tpuscope" report pod demo.digest demo.digest.gz >out || bad "one host twice"
grep -q 'are counted in the order of its processes' out || bad "it is not said that a host came twice: $(head out)"

# cores that do nothing but wait for one another have no ratio of their own work
if command -v python3 >/dev/null; then
	PYTHONPATH="$srcdir/tests/lib" PYTHONDONTWRITEBYTECODE=1 python3 - <<-'END' || exit 1
	import sys
	sys.argv = ['hostile.py']
	from hostile import event, line, plane, space, stat
	lines = lambda: [line(1, 'XLA Ops', [event(1, k * 1000000, 800000) for k in range(3)]), line(3, 'Steps', [event(2, k * 1000000, 800000, stat(3, k)) for k in range(3)])]
	core = lambda i: plane(i + 1, '/device:TPU:%d' % i, lines(), ['%all-reduce.1', '7'], ['program_id', 'hlo_category', 'group_id'], lambda m: [stat(1, 7), stat(2, 'all-reduce')])
	open('waiting.xplane.pb', 'wb').write(space(core(0), core(1)))
	END
	"$tpuscope" snapshot pod --size 120x40 --config none --keys O waiting.xplane.pb >out
	grep -q 'ratio  *–' out && ! grep -q 'nan' out || bad "a ratio of nothing to nothing: $(cat out)"
	"$tpuscope" snapshot pod --size 120x40 --config none --keys 0 waiting.xplane.pb >out
	grep -q 'own work: within 5 %' out && ! grep -q 'wait for it' out || bad "others wait for who does nothing: $(cat out)"
fi

# the timeline shows how busy the cores were
"$tpuscope" snapshot timeline demo.digest --size 120x40 >out 2>err || bad "no timeline of a digest: $(cat err)"
grep -q 'busy (coarse digest)' out || bad "no occupancy: $(cat out)"
"$tpuscope" report hlo_stats demo.digest.gz --step "$step" >out 2>err
test $? = 1 && test ! -s out && test "$(wc -l <err)" = 1 || bad "ops of a step of a digest: $(cat err)"
"$tpuscope" digest demo.digest.gz -o other.gz 2>/dev/null && bad "a digest of a digest"
"$tpuscope" digest --demo 2>/dev/null && bad "a digest without -o"
test -e other.gz && bad "a file was left"
exit $failed
