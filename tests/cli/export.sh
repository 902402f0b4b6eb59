# What a view writes with E is its report's document: the same bytes where the view adds no tables of its own, else the
# same warnings.
. "$srcdir/tests/cli/lib.sh"
failed=0
warnings() {
	grep -o '"warnings":\[[^]]*\]' "$1" | head -n 1
}
while read -r view report own; do
	rm -f view.json
	"$tpuscope" snapshot "$view" --demo --keys 'Eview.json<Enter>' >frame 2>&1
	"$tpuscope" report $report "$sample" --format json >report.json 2>&1
	if [ "$own" ]; then
		warnings view.json >view.part
		warnings report.json >report.part
		test -s report.part && cmp view.part report.part || { echo "$view"; failed=1; }
	else
		"$tpuscope" report $report --demo --format json >report.json 2>&1
		sed '/^"command":/d' view.json | cmp - report.json || { echo "$view"; failed=1; }
	fi
done <<'END'
findings findings
overview overview
timeline trace own
ops op_profile own
hlo_stats hlo_stats
framework_ops framework_ops
roofline roofline own
input input_pipeline
memory memory own
pod pod
files info own
graph hlo_graph own
END
# A filter chooses among the rows of the table that the report shares with the view; a report without it says so.
rm -f view.json view.csv
"$tpuscope" snapshot hlo_stats --demo --keys '&all-reduce<Enter>Eview.json<Enter>E<C-u>view.csv<Enter>' >frame 2>&1
test "$(grep -c '^\[' view.json)" = "$(($(grep -c . view.csv) - 1))" || { echo "hlo_stats: filter"; failed=1; }
grep -q 'is not applied' view.json && failed=1
rm -f view.json
"$tpuscope" snapshot roofline --demo --keys 't&all-reduce<Enter>Eview.json<Enter>' >frame 2>&1
grep -q 'the filter all-reduce is not applied' view.json || { echo "roofline: filter"; failed=1; }
# Reports with a command, or a choice, of their own.
rm -f triage.json tree.json
printf '%s\n' 'RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.00G of 15.75G hbm.' >oom.log
"$tpuscope" snapshot triage oom.log --keys 'Etriage.json<Enter>' >frame 2>&1
"$tpuscope" triage oom.log --format json >triage && sed '/^"command":/d' triage.json | cmp - triage || failed=1
"$tpuscope" snapshot ops --demo --keys 'Etree.json<Enter>' >frame 2>&1
"$tpuscope" report op_profile --demo --format json --exclude-idle >tree
sed '/^"command":/d' tree.json | cmp - tree || failed=1
# The command that shows this again stands in the head of a document and of a picture, not among the rows of CSV.
rm -f again.json again.txt again.svg again.csv
"$tpuscope" snapshot hlo_stats --demo --keys '&all-reduce<Enter>jEagain.json<Enter>E<C-u>again.txt<Enter>E<C-u>again.svg<Enter>E<C-u>again.csv<Enter>' >frame 2>&1
sed -n 's/^"command":"\(.*\)",$/\1/p' again.json | sed 's/\\"/"/g' >command
sed -n 's/^<desc>\(.*\)<\/desc>$/\1/p' again.svg | sed 's/&amp;/\&/g; s/&#39;/'"'"'/g; s/&quot;/"/g' | cmp - command || { echo "svg: another command"; failed=1; }
tr -d '\n' <again.txt | tr -s ' ' | grep -qF "$(cut -c1-40 command)" || { echo "no command in the text"; failed=1; }
grep -q 'tpuscope' again.csv && failed=1
"$tpuscope" snapshot hlo_stats --demo --keys '&all-reduce<Enter>j' >there
eval "set -- $(sed 's/^tpuscope //' command)"
test "$1 $2" = "--view hlo_stats" && shift 2 && "$tpuscope" snapshot hlo_stats "$@" >again && cmp there again || { echo "the command shows something else: $(cat command)"; failed=1; }
# A graph is also written for Graphviz, the part that is shown, and as HLO text; other views have no such files.
rm -f part.dot whole.hlo none.dot
"$tpuscope" snapshot graph --demo --keys ':export part.dot<Enter>:export whole.hlo<Enter>' >frame 2>&1
"$tpuscope" report hlo_graph --demo --as dot --op fusion.163 --radius 1 >report.dot
cmp part.dot report.dot || failed=1
"$tpuscope" report hlo_graph --demo --as long | cmp - whole.hlo || failed=1
"$tpuscope" snapshot ops --demo --keys ':export none.dot<Enter>' 2>&1 | grep -q 'must end in .csv, .json, .txt, .svg, .html or .md' || failed=1
test ! -f none.dot || failed=1
exit $failed
