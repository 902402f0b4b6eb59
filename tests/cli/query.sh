# Queries: what they match in the sample, compared with a second way, and error messages with their position.
. "$srcdir/tests/cli/lib.sh"
failed=0
matched() { "$tpuscope" report trace --demo --format csv "$@" | tail -n +2 | wc -l; }
same() {
	a=$(matched --query "$1"); b=$(matched "$2" "$3")
	test "$a" = "$b" && test "$a" -gt 0 || { echo "--query $1: $a rows, $2 $3: $b"; failed=1; }
}
same 'name~fusion' --name '(?i)fusion'
same 'track~"TPU:1 XLA Ops"' --track '(?i)TPU:1 XLA Ops'
same 'step=1' --step 1
same 'step=101' --step 101			# the same one, as the ruler calls it
same 'step=101' --step 1
same 'dur > 100us' --query 'dur>100us'
for tool in steps pod roofline hlo_stats; do
	"$tpuscope" report $tool --demo --step 101 --format csv >called 2>err || { cat err; failed=1; }
	"$tpuscope" report $tool --demo --step 1 --format csv | cmp - called || { echo "$tool: --step 101 is not --step 1"; failed=1; }
done
"$tpuscope" report trace --demo --by step | grep -q '^101 ' || { echo "not the name of the step"; failed=1; }
all=$(matched --query 'name~fusion'); long=$(matched --query 'name~fusion dur>100us'); short=$(matched --query 'name~fusion !dur>100us')
test $((long + short)) = "$all" && test "$long" -gt 0 && test "$short" -gt 0 || { echo "dur: $long and $short are not $all"; failed=1; }
test "$(matched --query 'cat=all-reduce')" -gt 0 || { echo "no all-reduce"; failed=1; }
test "$(matched --query 'cat=collective')" -ge "$(matched --query 'cat=all-reduce')" || { echo "collectives"; failed=1; }
test "$(matched --query 'arg.hlo_category=all-reduce')" -gt 0 || { echo "no stat found"; failed=1; }
# Args are read in the order of the file, many rows at a time: each belongs to its event.
rows() { "$tpuscope" report trace --demo --format csv "$@" | tail -n +2 | tr -d '\r'; }
rows --args >all.csv
rows >plain.csv
cut -d, -f1-8 all.csv | cmp - plain.csv || { echo "other rows with --args"; failed=1; }
for k in 7 70 700 1500; do
	row=$(sed -n "${k}p" all.csv) start=$(sed -n "${k}p" plain.csv | cut -d, -f5)
	rows --args --from "${start}ps" --to "$((start + 1))ps" >one.csv
	grep -qxF -- "$row" one.csv || { echo "row $k: not its own args"; failed=1; }
done
"$tpuscope" report trace --demo --query 'name~x dur>soon' >out 2>err && { echo "a bad time passed"; failed=1; }
grep -q 'character 12 of the query: soon is not a time' err || { cat err; failed=1; }
for bad in 'kind=matmul' 'foo>3' 'dur>1us !opp~x'; do
	"$tpuscope" report trace --demo --query "$bad" >out 2>err && { echo "$bad passed"; failed=1; }
	grep -q 'is no field; did you mean arg\.[a-z]*? Fields: name cat ' err || { cat err; failed=1; }
done
"$tpuscope" report trace --demo --query 'vector<int>' >out || { echo "a name with < is no field"; failed=1; }
"$tpuscope" report trace --demo --from 5ms --to 1ms >out 2>err && { echo "an interval that ends before it begins passed"; failed=1; }
grep -q -e '--from 5ms is after --to 1ms' err || { cat err; failed=1; }
# A search in the timeline finds what stands on rows that are computed, as it stands there; without a name, a query
# keeps to the events of the file.
screen() { "$tpuscope" snapshot timeline --demo --keys "/$1<Enter>" | grep -o 'hits of .*'; }
for text in 'step 101' 'jit.train_step.$' 'dot_general' 'py:[0-9]' 'dot_general dur>10us'; do
	screen "$text" >/dev/null || { echo "/$text is not found"; failed=1; }
done
screen 'dur>100us' | grep -q " $(matched --query 'dur>100us') of" || { echo "dur>100us: $(screen 'dur>100us')"; failed=1; }
"$tpuscope" report steps --demo --query 'name~x' >out 2>err && { echo "steps took --query"; failed=1; }
exit $failed
