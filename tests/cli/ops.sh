# Reports on ops: parts of the sample by module and step, and wrong usage.
. "$srcdir/tests/cli/lib.sh"
failed=0
rows() { "$tpuscope" report hlo_stats --demo --format csv "$@" | grep -E '^[0-9]+,[0-9]+,'; }
bad() { echo "$1"; failed=1; }

all=$(rows | wc -l)
id=$(rows --top 1 | cut -d, -f2)
name=$("$tpuscope" report op_profile --demo --format csv | sed -n "s/.*[ \",]\([A-Za-z_0-9.]*\)($id).*/\1/p" | head -n 1)
test "$all" -gt 0 && test -n "$name" || bad "nothing to count: $all rows, module '$name'"
by_id=$(rows --module "$id" | wc -l)
test "$by_id" -gt 0 && test "$by_id" -le "$all" || bad "module $id: $by_id of $all rows"
for module in "$name" "$name($id)"; do
	test "$(rows --module "$module" | wc -l)" = "$by_id" || bad "module $module is not $id"
done
test "$(rows --module "$id" | cut -d, -f2 | sort -u)" = "$id" || bad "rows of other modules"

step=$("$tpuscope" report steps --demo --format csv --core 0 | sed -n 2p | cut -d, -f1)
of_step=$(rows --step "$step" | wc -l)
test "$of_step" -gt 0 && test "$of_step" -le "$all" || bad "step $step: $of_step of $all rows"
for tool in op_profile framework_ops roofline; do
	"$tpuscope" report $tool --demo --step "$step" --module "$id" >out 2>err || bad "$tool: $(cat err)"
	test -s out || bad "$tool: empty"
done
for wrong in '--step none' '--module none' '--module 1' '--by name'; do
	"$tpuscope" report hlo_stats --demo $wrong >out 2>err
	test $? = 2 && test ! -s out && test "$(wc -l <err)" = 1 || bad "$wrong passed: $(cat err)"
done

# > goes over the columns that are in view and have values.
"$tpuscope" snapshot ops --demo --size 60x24 --keys '>>>>' | grep -q ' by FLOPS ' || bad "> stops at a column that is not shown"
"$tpuscope" snapshot ops --demo --size 60x24 --keys '>>>><lt>' | grep -q ' by name ' || bad "< stops at a column that is not shown"

# "38 more" opens ten of those that the filter leaves.
jjj=$(printf 'j%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
"$tpuscope" snapshot ops --demo --size 80x60 --keys "&[1-4]\$<Enter>$jjj" | grep -q '38 more' || bad "not the rest that was meant"
"$tpuscope" snapshot ops --demo --size 80x60 --keys "&[1-4]\$<Enter>$jjj<Enter>" | grep -q ' 28 more' || bad "more than ten more lines"
exit $failed
