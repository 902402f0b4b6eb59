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
def check(what, a, b, within=0):
    global wrong
    if a is None or b is None:
        same = a is b
    else:
        same = abs(a - b) <= max(within, 1e-9 * max(abs(a), abs(b), 1e-3))
    if not same:
        print(f"{path}: {what}: {a} and {b}")
        wrong += 1
def check_summaries(s, o, i):
    for part in "average", "standard_deviation", "minimum", "maximum":
        if s["steps"] > 1 or part != "standard_deviation":
            check("step time, " + part, s["steptime_ms_" + part], o["step_ms_" + part])
            check("step time of the input, " + part, s["steptime_ms_" + part], i["step_ms_" + part])
def check_findings(found, o):
    for x in found:
        if x["id"] == "input_bound" and o["step_source"] != "host": # never of what is not known
            check("input wait of the finding", 100 * x["cost"], o["step_input_percent"])
        if x["id"] == "module_gaps" and x["title"] == "Device idle between programs": # a part of the idle time of the steps
            check("time between programs is idle time of the steps", 100 * x["cost"] <= o["step_idle_percent"] + .1, True)
        elif x["id"] == "module_gaps":
            check("title of idle time outside of the steps", x["title"] == "Device idle before or after the steps", True)
def check_cores(steps, pod, table, parts, o):
    cores = {(r["host"], r["core"], r["step"]): r for r in rows(pod["tables"]["cores"])}
    longest = {}
    check("rows of the pod", len(cores), len(steps))
    for r in steps:
        longest[r["step"]] = max(longest.get(r["step"], 0), r["duration_ps"])
        check(f"time of step {r['step']} of core {r['core']}", r["duration_ps"] / 1e6, cores[r["host"], r["core"], r["step"]]["total_us"])
        if r["idle_ps"] is not None:
            check(f"parts of step {r['step']} of core {r['core']}", r["duration_ps"], r["idle_ps"] + r["overhang_ps"] + sum(r[k] or 0 for k in \
                ("matmul_ps", "other_compute_ps", "any_compute_ps", "collective_ps", "copy_ps", "io_ps")))
    if cores: # means are of the steps that all cores have
        counted = set.intersection(*({s for h, c, s in cores if (h, c) == core} for core in {(h, c) for h, c, s in cores}))
        counted = [c for c in cores.values() if c["step"] in counted or not counted]
        check("share of idle time", 100 * sum(c["idle_us"] for c in counted) / sum(c["total_us"] for c in counted), o["step_idle_percent"])
    for r in rows(pod["tables"]["steps"]):
        check(f"longest core of step {r['step']}", longest[r["step"]] / 1e6, r["max_us"])
    for r in table:
        check(f"time of step {r['stepnum']}", longest[r["stepnum"]] / 1e9, r["stepTimeMs"])
    check("step time of the account", sum(r["step_ms"] for r in parts) / len(parts), o["step_ms_average"])
    check("core time of the account", sum(r["core_time_ms"] for r in parts) / len(parts), o["core_time_ms_average"])
    waits = [r["infeedPercentMax"] for r in table]
    if waits and o["step_input_percent"] is not None: # known
        check("input wait of the steps", None if None in waits else sum(waits) / len(waits), o["step_input_percent"])
def snapshot(*what):
    return subprocess.run([program, "snapshot", *what, path, "--size", "200x60"], capture_output=True, text=True).stdout
def seen(what, pattern, text): # what is not on the screen is an error, too
    found = re.search(pattern, text, re.M)
    check(what + " on the screen", bool(found), True)
    return found
KINDS = {"matmul": "matmul_ms", "other compute": "other_compute_ms", "compute": "any_compute_ms", "collective": "collective_ms", "copy, DMA wait": "copy_ms",
    "infeed, outfeed": "io_ms", "host wait": "host_wait_ms", "idle": "idle_ms"}
def check_bar(parts, o): # of the mean step: "█ matmul 48.3 %  ░ idle 1.4 %"
    bar = seen("the bar of the mean step", r"^ (?:Step|Run) ([0-9.]+) (\S+) .*\n(.*)", snapshot("findings"))
    core_time, shown = sum(r["core_time_ms"] for r in parts), 0
    if bar:
        ms = float(bar[1]) * {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}[bar[2]]
        check("step on the bar", ms, o["step_ms_average"], .006 * ms / float(bar[1]))
    for name, share in re.findall(r"\S ([a-z][A-Za-z ,]+?) ([0-9.]+) %", bar[3] if bar else ""):
        check(name + " on the bar", float(share), 100 * sum(r[KINDS[name]] for r in parts) / core_time, .051)
        shown += 1
    check("parts of the bar", shown > 0, True)
def check_step_card(parts, step_of_input, screen):
    step = seen("the step", r"│ STEP (\S+) .* ([0-9.]+) ms", screen)
    row = next((r for r in parts if step and r["step"] == step[1]), None)
    lines = re.findall(r"│ . ([a-z][A-Za-z ,]+?) +([0-9.]+) ms +([0-9.]+) %", screen)
    check("the step in the report", row is not None, True)
    check("parts on the card", len(lines) > 0, True)
    for name, ms, share in lines if row else []:
        check(f"{name} of step {step[1]}", float(ms), row[KINDS[name]], .00051 + 1e-4 * float(ms))
        check(f"share of {name} of step {step[1]}", float(share), 100 * row[KINDS[name]] / row["core_time_ms"], .051)
    if row:
        check(f"step {step[1]}", float(step[2]), row["step_ms"], .00051 + 1e-4 * row["step_ms"])
        idle = seen("idle time of the input", rf"│ STEP {re.escape(step[1])} [^$]*?│ idle +[^0-9]*([0-9.]+) ms", step_of_input)
        check(f"idle time of step {step[1]} of the input", float(idle[1]) if idle else None, row["idle_ms"], .00051 + 1e-4 * row["idle_ms"])
def check_cores_card(cores, screen): # a capture of one host has a row for each core
    for r in cores if len({r["host"] for r in cores}) == 1 else []:
        line = seen(f"core {r['core']}", rf"│ core {r['core']} +([0-9.]+) +[^0-9–]*([0-9.–]+) .*?([0-9.]+)\s*$", screen)
        want = r["busy_ms"], None if r["infeed_ms"] is None else r["infeed_ms"] + r["host_wait_ms"], r["collective_ms"]
        for i in range(3) if line else []:
            check(f"number {i + 1} of core {r['core']}", None if line[i + 1] == "–" else float(line[i + 1]), want[i], .00051 if want[i] is None or want[i] < 100 else .051)
def check_screens(overview, o):
    parts, cores = rows(overview["tables"]["parts"]), rows(overview["tables"]["cores"])
    screen = snapshot("overview", "--keys", 120 * "h")
    check_bar(parts, o)
    check_step_card(parts, snapshot("input", "--keys", 120 * "h"), screen)
    check_cores_card(cores, screen)
    if o["device_idle_time_percent"] is not None:
        gauge = seen("the gauge of idle time", r" Device idle +([0-9.]+) %", screen)
        check("idle time on the gauge", float(gauge[1]) if gauge else None, o["device_idle_time_percent"], .051)
def check_table_of_steps(s, found):
    mean = re.search(r"steps?, mean ([0-9.]+) (\S+), ", snapshot("timeline", "--keys", "#"))
    if s["source"] and seen("mean in the table of steps", ".", mean[0] if mean else ""):
        ms = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}[mean[2]]
        digits = len(mean[1].partition(".")[2])
        check("mean in the table of steps", float(mean[1]), round(s["steptime_ms_average"] / ms, digits))
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
def check_pod(steps, pod): # of each step of each core
    cores = {(r["host"], r["core"], r["step"]): r for r in rows(pod["tables"]["cores"])}
    for r in steps:
        x = cores[r["host"], r["core"], r["step"]]
        parts = sum(x[k] for k in ("collectives_us", "async_collectives_us", "send_us", "recv_us", "host_transfer_us"))
        check(f"exposed time of step {r['step']} of core {r['core']}", r["exposed_us"], parts, 1e-4) # rounded in converted traces
    waits = [r["sync_us"] * r["occurrences"] for r in rows(pod["tables"]["collectives"]) if r["sync_us"] is not None]
    known = [r["wait_us"] for r in steps if r["wait_us"] is not None]
    check("waiting for others in steps", sum(known) if known else None, sum(waits) if waits else None, 1e-3)
def check_pieces(o, pod): # every moment of a core is one piece: sums of pieces are sums of sums
    c, i, s = (report(path, t) for t in ("communication", "idle", "scopes"))
    a, b, d = c["summary"], i["summary"], s["summary"]
    if a["cores"] == 0: # nothing to cut: nothing is known
        check("nothing is known", [a["exposed_us"], b["idle_us"], d["time_us"]] == [None] * 3 and len(c["capture"]["warnings"]) > 0, True)
        return
    parts = "inflight_us", "hidden_us", "exposed_us", "other_us"
    for name, r in [("all", a)] + [(t, r) for t in ("cores", "steps") for r in rows(c["tables"][t])]:
        check("time in flight of " + name, r["inflight_us"], r["hidden_us"] + r["exposed_us"] + r["other_us"], 1e-5)
    for r in rows(c["tables"]["ops"]) + rows(c["tables"]["copies"]):
        if r["exposed_us"] is None: # in no sum
            continue
        check("flight of " + r["name"], r["wall_us"], r["hidden_us"] + r["exposed_us"] + r["other_us"], 1e-5)
        check("runs of " + r["name"], r["count"] >= r["hidden_runs"] + r["partial_runs"] + r["exposed_runs"], True)
    for part in parts:
        check(part + " of the cores", sum(r[part] for r in rows(c["tables"]["cores"])), a[part], 1e-5)
    check("exposed time of the ops", sum(r["exposed_us"] or 0 for r in rows(c["tables"]["ops"])), a["exposed_us"], 1e-5)
    check("exposed time of the scopes", sum(r["exposed_us"] for r in rows(s["tables"]["scopes"]) if r["depth"] == 0), a["exposed_us"], 1e-5)
    check_pod(rows(c["tables"]["steps"]), pod)
    causes = [k for k in b if k.endswith("_us") and k != "idle_us"]
    check("causes", len(causes), 9)
    for name, r in [("all", b)] + [(t, r) for t in ("cores", "steps") for r in rows(i["tables"][t])]:
        check("idle time of " + name, r["idle_us"], sum(r[k] for k in causes), 1e-5)
    if o["device_idle_time_percent"] is not None: # for XProf, ops without a symbol are idle time, too
        nameless = any("symbol_id" in w for w in report(path, "hlo_stats")["capture"]["warnings"])
        check("idle time of the overview", b["idle_percent"] + (o["device_idle_time_percent"] > b["idle_percent"] and nameless and
            o["device_idle_time_percent"] - b["idle_percent"]), o["device_idle_time_percent"], 1e-6)
    check("phases", d["time_us"], sum(d[p + "_us"] for p in ("forward", "backward", "recompute", "other")), 1e-5)
    check("scopes", d["time_us"], sum(r["time_us"] for r in rows(s["tables"]["scopes"]) if r["depth"] == 0), 1e-5)
screens = shares = 0
for path in paths:
    steps, overview, input, pod, findings = (report(path, t) for t in ("steps", "overview", "input_pipeline", "pod", "findings"))
    shares += check_flops(report(path, "op_profile"), overview["summary"])
    o, s = overview["summary"], steps["summary"]
    table = rows(overview["tables"]["steps"]) + rows(overview["tables"]["program_runs"])
    check("source", s["source"] == o["step_source"], True)
    if s["source"]:
        check_summaries(s, o, input["summary"])
    check_findings(rows(findings), o)
    check_pieces(o, pod)
    if path in paths[:2] or "found" in path:
        check_table_of_steps(s, rows(findings))
    if s["source"] not in (None, "host"):
        check_cores(rows(steps), pod, table, rows(overview["tables"]["parts"]), o)
        check_screens(overview, o)
        screens += 1
print(len(paths), "captures,", screens, "with their screens,", shares, "shares of the peak")
wrong += shares < 2 or screens < 2
sys.exit(wrong > 0)
P
