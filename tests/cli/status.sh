# Every JSON document says whether it answers; one that cannot has a reason, a remedy and no number that would be the answer.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
says() { # STATUS REASON ARGS...
	want="\"schema\":1,\"status\":\"$1\",\"reason\":$2,"
	shift 2
	"$tpuscope" "$@" --format json >out 2>err
	grep -q "$want" out || bad "$*: expected $want, got $(sed -n 2p out)"
}
for tool in info findings overview input_pipeline memory pod trace steps hlo_stats hlo_graph framework_ops op_profile roofline; do
	says ok null report $tool --demo
done
graph=$srcdir/tests/fuzz/corpus/tf-graph/graph
for tool in hlo_stats op_profile roofline; do
	says cannot_answer '"no_ops"' report $tool "$graph"
done
says cannot_answer '"no_steps"' report steps "$graph"
grep -q '"steptime_ms_average":null' out || bad "steps: a number without steps"
grep -q '"remedy":"..*"' out || bad "steps: no remedy"
says cannot_answer '"no_device"' report kernels --demo
says ok null triage "$srcdir/tests/fuzz/corpus/triage/list"

# The whole run in one short answer, of whatever kind of file.
"$tpuscope" report summary --demo -f json >out || bad "report summary"
test "$(wc -c <out)" -le 2048 || bad "a summary of $(wc -c <out) bytes"
python3 - <<'END' || bad "the parts of the summary do not add up"
import json, sys
doc = json.load(open("out"))
parts = sum(row[1] for row in doc["tables"]["shares"]["rows"])
sys.exit(parts != doc["summary"]["step_time_ps"] or not doc["tables"]["findings"]["rows"] or not doc["summary"]["next"])
END
"$tpuscope" report summary --demo -f json --max-bytes 1500 >out
test "$(wc -c <out)" -le 1500 || bad "--max-bytes 1500: $(wc -c <out)"
for file in "$graph" "$srcdir/tests/fuzz/corpus/ptxla/steps"; do
	says partial '"no_steps"' report summary "$file"
	grep -q '"step_time_ps":null' out || bad "summary of $file: a step time"
done
exit $failed
