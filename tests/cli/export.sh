# What a view writes with E has the warnings of its report; the findings are identical.
. "$srcdir/tests/cli/lib.sh"
failed=0
rm -f findings.json
warnings() {
	grep -o '"warnings":\[[^]]*\]' "$1" | head -n 1
}
while read -r view report; do
	rm -f view.json
	"$tpuscope" snapshot "$view" --demo --keys 'Eview.json<Enter>' >frame 2>&1
	"$tpuscope" report "$report" "$sample" --format json >report.json 2>&1
	if [ -z "$(warnings report.json)" ] || [ "$(warnings view.json)" != "$(warnings report.json)" ]; then
		echo "$view: $(warnings view.json)"
		echo "$report: $(warnings report.json)"
		failed=1
	fi
done <<'END'
findings findings
overview overview
timeline trace
ops op_profile
hlo_stats hlo_stats
framework_ops framework_ops
roofline roofline
input input_pipeline
memory memory
pod pod
files info
END
"$tpuscope" snapshot findings --demo --keys 'Efindings.json<Enter>' >frame 2>&1
"$tpuscope" report findings --demo --format json >report.json
cmp findings.json report.json || failed=1
# A graph is also written for Graphviz, the part that is shown, and as HLO text; other views have no such files.
rm -f part.dot whole.hlo none.dot
"$tpuscope" snapshot graph --demo --keys ':export part.dot<Enter>:export whole.hlo<Enter>' >frame 2>&1
"$tpuscope" report hlo_graph --demo --as dot --op fusion.163 --radius 1 >report.dot
cmp part.dot report.dot || failed=1
"$tpuscope" report hlo_graph --demo --as long | cmp - whole.hlo || failed=1
"$tpuscope" snapshot ops --demo --keys ':export none.dot<Enter>' 2>&1 | grep -q 'must end in .csv, .json or .txt' || failed=1
test ! -f none.dot || failed=1
exit $failed
