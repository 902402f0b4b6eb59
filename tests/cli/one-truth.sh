# All reports say the same of the steps of a capture: their time, idle time and wait for input; with step markers and without.
# The root of the op profile has the overview's share of the peak FLOPs.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
data=$srcdir/../shared/data
python3 "$srcdir/tests/lib/no-steps.py" "$sample" without-markers.xplane.pb || exit 1
set -- "$sample" without-markers.xplane.pb
test -d "$data" || echo "no $data: the bundled sample alone"
for run in "$data"/sim/*/plugins/profile/*; do
	test -d "$run" || continue
	name=$(basename "$(dirname "$(dirname "$(dirname "$run")")")")
	mkdir -p "$name"
	for file in "$run"/*.xplane.pb; do
		python3 "$srcdir/tests/lib/no-steps.py" "$file" "$name/$(basename "$file")" || exit 1
	done
	set -- "$@" "$run" "$name"
done
for more in "$data"/ops-golden/*/plugins "$data"/found/xplane/*tpu_inference_2* "$data"/found/trace_json/* "$data"/communication/syn "$data"/ranks/split \
	"$data"/real/*/logdir*/plugins "$data"/sim/*/plugins/profile/*/*.trace "$data"/sim/*/plugins/profile/*/*.trace.json.gz; do
	test -e "$more" && set -- "$@" "$more"
done
python3 - "$tpuscope" "$@" <<'P'
import json, re, subprocess, sys
program, paths = sys.argv[1], sys.argv[2:]
wrong = 0
def report(path, tool):
    r = subprocess.run([program, "report", tool, path, "--format", "json"], capture_output=True)
    return json.loads(r.stdout) if r.returncode in (0, 3) else sys.exit(f"{path}: report {tool}: exit status {r.returncode}")
def rows(t):
    return [dict(zip([c["id"] for c in t["columns"]], r)) for r in t["rows"]]
def check(what, a, b):
    global wrong
    if a is None or b is None:
        same = a is b
    else:
        same = abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-3)
    if not same:
        print(f"{path}: {what}: {a} and {b}")
        wrong += 1
def check_summaries(s, o, i):
    for part in "average", "standard_deviation", "minimum", "maximum":
        if s["steps"] > 1 or part != "standard_deviation":
            check("step time, " + part, s["steptime_ms_" + part], o["step_ms_" + part])
            check("step time of the input, " + part, s["steptime_ms_" + part], i["step_ms_" + part])
    check("source", s["source"] == o["step_source"] == i["step_source"], True)
    for fact in "step_idle_percent", "step_input_percent":
        check(fact, o.get(fact), i.get(fact))
def check_findings(found, o):
    for x in found:
        if x["id"] == "input_bound" and o["step_source"] != "host": # never of what is not known
            check("input wait of the finding", 100 * x["cost"], o["step_input_percent"])
        if x["id"] == "host_overhead":
            check("idle time of the finding", 100 * x["cost"], o["step_idle_percent"])
        if x["id"] == "module_gaps" and x["title"] == "Device idle between programs": # a part of the idle time of the steps
            check("time between programs is idle time of the steps", 100 * x["cost"] <= o["step_idle_percent"] + .1, True)
        elif x["id"] == "module_gaps":
            check("title of idle time outside of the steps", x["title"] == "Device idle before or after the steps", True)
def check_cores(steps, pod, table, o):
    cores = {(r["host"], r["core"], r["step"]): r for r in rows(pod["tables"]["cores"])}
    longest = {}
    check("rows of the pod", len(cores), len(steps))
    for r in steps:
        at = f"step {r['step']} of core {r['core']}"
        c = cores[r["host"], r["core"], r["step"]]
        longest[r["step"]] = max(longest.get(r["step"], 0), r["duration_ps"])
        check("time of " + at, r["duration_ps"] / 1e6, c["total_us"])
        if r["idle_ps"] is not None:
            check("idle time of " + at, max(0, r["idle_ps"]) / 1e6, c["idle_us"])
            check("infeed of " + at, r["infeed_ps"] and r["infeed_ps"] / 1e6, c["infeed_us"])
    if cores: # means are of the steps that all cores have
        counted = set.intersection(*({s for h, c, s in cores if (h, c) == core} for core in {(h, c) for h, c, s in cores}))
        counted = [c for c in cores.values() if c["step"] in counted or not counted]
        check("share of idle time", 100 * sum(c["idle_us"] for c in counted) / sum(c["total_us"] for c in counted), o["step_idle_percent"])
    for r in rows(pod["tables"]["steps"]):
        check(f"longest core of step {r['step']}", longest[r["step"]] / 1e6, r["max_us"])
    for r in table:
        check(f"time of step {r['stepnum']}", longest[r["stepnum"]] / 1e9, r["stepTimeMs"])
    waits = [r["infeedPercentMax"] for r in table]
    if waits and o["step_input_percent"] is not None: # known
        check("input wait of the steps", None if None in waits else sum(waits) / len(waits), o["step_input_percent"])
def snapshot(*what):
    return subprocess.run([program, "snapshot", *what, path, "--size", "200x60"], capture_output=True, text=True).stdout
def check_idle(o):
    bar = re.search(r"^ (Step|Run) [0-9.]+ .*\n.* idle ([0-9.]+) %", snapshot("findings"), re.M)
    if bar and o["step_idle_percent"] is not None:
        wait = re.search(r" host wait ([0-9.]+) %", bar[0]) # idle time that the host's input work explains
        check("idle time on the bar of the mean step", abs(float(bar[2]) + float(wait[1] if wait else 0) - o["step_idle_percent"]) < .11, True)
    gauge = re.search(r" Device idle +([0-9.]+) %", snapshot("overview"))
    if gauge:
        check("idle time on the gauge", float(gauge[1]), round(o["device_idle_time_percent"], 1))
    return bool(bar) + bool(gauge)
def check_idle_of_step(): # of the same step, on both screens
    views = [snapshot(view, "--keys", 40 * "h") for view in ("overview", "input")]
    idle = [re.search(r"│ [░ ]*idle +[▏▎▍▌▋▊▉█]* +([0-9.]+) ms", v) for v in views]
    step = [re.search(r"│ STEP (\S+)", v) for v in views]
    if all(idle) and all(step) and step[0][1] == step[1][1]:
        check(f"idle time of step {step[0][1]} on the screen", float(idle[0][1]), float(idle[1][1]))
    return all(idle)
def check_screen(s, found):
    mean = re.search(r"steps?, mean ([0-9.]+) (\S+), ", snapshot("timeline", "--keys", "#"))
    if mean:
        ms = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}[mean[2]]
        digits = len(mean[1].partition(".")[2])
        check("mean in the table of steps", float(mean[1]), round(s["steptime_ms_average"] / ms, digits))
    elif s["source"]:
        check("mean in the table of steps", None, s["steptime_ms_average"])
    gaps = [re.search(r"[0-9]+ gaps?", x["evidence"])[0] for x in found if x["id"] == "module_gaps"]
    if gaps:
        check(f"{gaps[0]} on the screen", gaps[0] in snapshot("findings"), True)
def check_flops(profile, o):
    root, clock = profile["root"]["metrics"]["utilization"], profile["summary"]["aggDvfsTimeScaleMultiplier"]
    kinds = {k["name"] for program in profile["root"]["children"] for k in program.get("children", [])}
    if "megacore fusion" in kinds: # in no sum of the roofline and so of the overview, as in XProf
        return False
    if clock in (None, 0, 1):
        check("share of the peak FLOPs", None if root is None else 100 * root, o["flops_utilization_percent"])
    else: # of a lower peak
        check("share of the FLOPs of a lower clock", 100 * root > o["flops_utilization_percent"], True)
    return root is not None
shown = shares = 0
for path in paths:
    steps, overview, input, pod, findings = (report(path, t) for t in ("steps", "overview", "input_pipeline", "pod", "findings"))
    shares += check_flops(report(path, "op_profile"), overview["summary"])
    o, s = overview["summary"], steps["summary"]
    table = [rows(d["tables"][t]) + rows(d["tables"]["program_runs"]) for d, t in ((overview, "steps"), (input, "device"))]
    check("rows of overview and input", table[0] == table[1], True)
    if s["source"]:
        check_summaries(s, o, input["summary"])
    check_findings(rows(findings), o)
    if path in paths[:2] or "found" in path:
        check_screen(s, rows(findings))
    shown += check_idle(o) + check_idle_of_step()
    if s["source"] not in (None, "host"):
        check_cores(rows(steps), pod, table[0], o)
print(len(paths), "captures,", shown, "idle times on screens,", shares, "shares of the peak")
wrong += shares < 2
sys.exit(wrong > 0)
P
