# A capture that is cut off says what the whole one says of the devices that are there, and nothing of the one in which it ends: the ops of
# that one have lost their names, and would be compute and idle time.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
gzip -dc "$sample" >whole.xplane.pb || exit 1
python3 "$srcdir/tests/lib/as-trace-json.py" "$sample" whole.trace.json || exit 1
python3 - "$tpuscope" <<'P'
import json, subprocess, sys
program, wrong = sys.argv[1], 0
whole = open("whole.xplane.pb", "rb").read()
def report(tool, path):
    r = subprocess.run([program, "report", tool, path, "--format", "json"], capture_output=True)
    return json.loads(r.stdout)
def findings(path):
    t = report("findings", path)
    ids = [c["id"] for c in t["columns"]] if "columns" in t else None
    table = t if ids else t["tables"]["findings"]
    return {r[[c["id"] for c in table["columns"]].index("id")] for r in table["rows"]}
def check_forms(): # of a trace in the order of time, the step in which it ends has no idle time
    global wrong
    steps = report("steps", "whole.xplane.pb")
    ids = [c["id"] for c in steps["columns"]]
    most = max(100 * r[ids.index("idle_ps")] / r[ids.index("duration_ps")] for r in steps["rows"])
    text = open("whole.trace.json", "rb").read()
    for part in range(1, 12):
        open("cut.trace.json", "wb").write(text[:len(text) * part // 12])
        got = report("overview", "cut.trace.json")["summary"]
        for fact in "step_idle_percent", "device_idle_time_percent":
            if got[fact] is not None and got[fact] > most + 1:
                print(f"trace JSON, part {part} of 12: {fact} is {got[fact]}, at most {most} in a step")
                wrong += 1
want, found = report("overview", "whole.xplane.pb")["summary"], findings("whole.xplane.pb")
counted = 0
open("cut.xplane.pb", "wb").write(whole[:len(whole) // 24]) # there is nothing of the host yet, which tells on which devices programs ran
checks = {c["id"]: c["state"] for c in report("findings", "cut.xplane.pb")["checks"]}
if checks["missing_planes"] == "passed":
    print("all device planes are there, in a 24th of the file")
    wrong += 1
for part in range(1, 24):
    n = len(whole) * part // 24
    open("cut.xplane.pb", "wb").write(whole[:n])
    got = report("overview", "cut.xplane.pb")["summary"]
    idle, mfu = got["step_idle_percent"], got["mfu_percent"]
    counted += idle is not None
    if idle is not None and abs(idle - want["step_idle_percent"]) > 1:
        print(f"cut at byte {n}: idle {idle} %, whole {want['step_idle_percent']} %")
        wrong += 1
    if mfu is not None and abs(mfu - want["mfu_percent"]) > 1:
        print(f"cut at byte {n}: MFU {mfu} %, whole {want['mfu_percent']} %")
        wrong += 1
    checks = {c["id"]: c for c in report("findings", "cut.xplane.pb")["checks"]}
    if checks["incomplete_steps"]["state"] == "passed": # nobody knows whether more cores were there
        print(f"cut at byte {n}: steps pass: {checks['incomplete_steps']['text']}")
        wrong += 1
    more = (findings("cut.xplane.pb") - found) & {"host_overhead", "module_gaps", "straggler_core", "imbalance", "collectives",
                                                  "no_hlo", "missing_cores", "missing_planes", "all_others"}
    if more:
        print(f"cut at byte {n}: {more}")
        wrong += 1
check_forms()
print(counted, "of 23 parts have whole devices")
sys.exit(wrong > 0 or counted < 5)
P
