# A step has the name of its marker in text and on the screen; JSON and CSV have XProf's number.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
first() { sed -n 's/^\([0-9][0-9]*\) .*/\1/p' | sort -u | xargs; }
# The column below the word, whatever is left of it.
named() { awk '/  step  / { k = index($0, "  step  ") + 2; next } k { print substr($0, k, 4) }' | sort -u | xargs; }
names='100 101 102'
numbers='0 1 2'

while read -r tool table; do
	got=$("$tpuscope" report "$tool" --demo ${table:+--table "$table"} | first)
	test "$got" = "$names" || bad "$tool $table: $got"
done <<'END'
overview steps
input_pipeline device
input_pipeline max_infeed_core
pod steps
pod collectives
roofline main
steps
END
for what in 'pod --table cores' 'memory_profile --table timeline'; do
	got=$("$tpuscope" report $what --demo --width 400 | sed 's/µ/u/g; s/  step$/&  /' | named)
	test "$got" = "$names" || test "$got" = "- $names" || bad "$what: $got"
done
while read -r tool table; do
	got=$("$tpuscope" report "$tool" --demo --format csv --table "$table" | tail -n +2 | cut -d, -f1 | sort -u | xargs)
	test "$got" = "$numbers" || bad "$tool $table in CSV: $got"
done <<'END'
overview steps
input_pipeline device
input_pipeline max_infeed_core
pod steps
pod collectives
END
"$tpuscope" report memory_profile --demo --format csv --table active | tail -n +2 | grep -qvE ',[0-2](,[^,]*){4}$' && bad "memory_profile in CSV"

for view in overview input pod memory_profile; do
	"$tpuscope" snapshot $view --demo --size 120x40 >out
	grep -qi 'step  *10[0-2]' out || bad "$view: no step"
	grep -iE 'step  *[0-2]( |,|$)' out && bad "$view: another name"
done

# What a view writes as text, and as JSON.
for view in overview input pod timeline; do
	rm -f view.txt view.json
	"$tpuscope" snapshot $view --demo --keys 'Eview.txt<Enter>' >out
	sed 1,/^$/d view.txt >rows
	grep -qE '(^| )10[0-2] ' rows || bad "$view.txt: no step"
	sed -n '/^steps$/,/^$/p' view.txt | first | grep '^0' && bad "$view.txt: another name"
	"$tpuscope" snapshot $view --demo --keys 'Eview.json<Enter>' >out
	# the parts of steps are called as on the timeline
	sed '/"parts":/,/"cores":/d' view.json >rows
	test $view = timeline || ! grep -q '"10[0-2]"' rows || bad "$view.json: not XProf's number"
done
# the timeline has both: the name as its label, the number as the step
grep -qE '"id":"label".*"id":"step"' view.json && grep -qE '"train 100",.*,"0"' view.json || bad "timeline.json: name and number"

# A finding goes to the step that it names.
"$tpuscope" report findings --demo --format json >out
grep -q '"timeline:step 101 core 0:0"' out || bad "findings: $(grep step out)"
exit $failed
