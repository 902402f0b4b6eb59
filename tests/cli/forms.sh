# Whatever form a capture has, its reports say the same, or nothing: XSpace, old trace, trace JSON, trace table and digest.
. "$srcdir/tests/cli/lib.sh"
sim=$srcdir/../shared/data/sim
test -d "$sim" || { echo "no $sim: skipped"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
rm -rf digests
for space in "$sim"/*/plugins/profile/*/*.xplane.pb "$sim"/../ops-golden/v6e/plugins/profile/*/*.xplane.pb; do
	name=${space%/plugins/*}
	name=${name##*/}
	mkdir -p "digests/$name"
	"$tpuscope" digest "$space" -o "digests/$name/$(basename "$space" .xplane.pb).digest.pb" >out 2>&1 || { cat out; exit 1; }
done
python3 - "$tpuscope" "$sim" <<'P'
import re, glob, json, os, subprocess, sys
program, sim = sys.argv[1:]
tools = "overview", "input_pipeline", "memory", "memory_profile", "pod", "steps", "hlo_stats", "hlo_graph", "framework_ops", \
        "op_profile", "roofline"
# Shares of a time on another clock, and times on it: nearly the same.
near = {"hlo_stats": {"total_self_time_percent", "cumulative_total_self_time_percent", "total_time_us"},
        "roofline": {"total_time", "avg_time", "total_time_per_core", "total_self_time_percent", "cumulative_total_self_time_percent",
                     "total_time_in_percentage"},
        "overview": {"device_idle_time_percent", "device_duty_cycle_percent"}}
# What a form states otherwise: texts that are cut off, rates of HBM that are upper bounds, a verdict that needs ids of collectives, what
# an op is called and its kind when its framework op, or the colon behind it, is missing, a chip that is only known as a TPU, and shares
# of ops of the host, of which some are only named by memory events; kinds of time, where fusions do not say what they are.
other = {"hlo_stats": {"hlo_op_expression", "hbm_bw"}, "input_pipeline": {"input_class", "input_conclusion_percent"}, "pod": {"device_type"},
         "steps": {"matmul_ps", "other_compute_ps", "any_compute_ps", "copy_ps", "why"},
         "overview": {"category", "operation", "selfTimePercent", "cumulativeTimePercent", "device_type",
                      "host_idle_time_percent", "host_tf_op_percent", "device_tf_op_percent", "matmul_ms", "other_compute_ms",
                      "any_compute_ms", "copy_ms", "step"},
         "roofline": {"hbm_bw"}}
# Tables with rows that a form lacks: the findings that are possible, the flags of the compiler, ops of the host, sizes of allocations,
# links, ops by framework op, rows of single steps.
fewer = {"recommendations", "environment", "with_idle", "without_idle", "devices", "active", "timeline", "groups", "compiler", "channels", "pairs", "diagnostics"}
wrong = 0
def report(path, tool):
    r = subprocess.run([program, "report", tool, path, "--format", "json"], capture_output=True)
    return json.loads(r.stdout) if r.returncode == 0 else None
def tables(d):
    t = dict(d["tables"]) if "tables" in d else {"": d} if "columns" in d else {}
    if d.get("summary"):
        t["summary"] = {"columns": [{"id": k} for k in sorted(d["summary"])], "rows": [[d["summary"][k] for k in sorted(d["summary"])]]}
    return t
def same(a, b, share=1e-9):
    if isinstance(a, str) and isinstance(b, str): # the simulator's trace JSON leaves the colon away; digests have no asynchronous ops
        a, b = [re.sub("; cause of [0-9]+ % of idle time: .*", "", x) for x in (a, b)] # nor what happens in gaps
        return re.sub("; [0-9]+ % of the asynchronous ones .*", "", a).rstrip(":") == b.rstrip(":") or a == b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return abs(a - b) <= share * max(abs(a), abs(b))
    return a == b
def rows(tool, table): # instructions stand in the order of the file
    ids = [c["id"] for c in table["columns"]]
    v = [dict(zip(ids, r)) for r in table["rows"]]
    if tool == "hlo_graph" and "computation" in ids and "name" in ids:
        v.sort(key=lambda r: (r["computation"], r["name"]))
    return [{k: x for k, x in r.items() if tool != "hlo_graph" or k not in ("index", "source")} for r in v]
def bad(what):
    global wrong
    wrong += 1
    if wrong < 20:
        print(what)
def compare(space, form, tool, exact):
    a, b = report(space, tool), report(form, tool)
    if b is None: # says that there is no HLO in it
        if exact or tool not in ("memory", "hlo_graph"):
            bad(f"{form}: {tool} fails")
        return 0, 0
    a, b = tables(a), tables(b)
    cells = null = 0
    for name in a:
        if name == "diagnostics": # of a digest, that it is one
            continue
        u, v = rows(tool, a[name]), rows(tool, b[name])
        if len(u) != len(v):
            if name not in fewer and not (tool, exact) == ("roofline", True):
                bad(f"{form}: {tool} {name}: {len(v)} rows, not {len(u)}")
            continue
        for row, (x, y) in enumerate(zip(u, v)):
            for id in x:
                if (tool, id, y.get(id)) == ("steps", "ops", None): # a digest has no ops of single steps
                    continue
                cells += 1
                null += y.get(id) is None and x[id] is not None
                if not same(x[id], y.get(id), 1e-9 if exact or id not in near.get(tool, ()) else .02) and (exact or y.get(id) is not None) and \
                        (exact or id not in other.get(tool, ())):
                    bad(f"{form}: {tool} {name}, row {row}: {id} is {y.get(id)}, not {x[id]}")
    return cells, null
for space in sorted(glob.glob(sim + "/*/plugins/profile/*/*.xplane.pb") + glob.glob(sim + "/../ops-golden/v6e/plugins/profile/*/*.xplane.pb")):
    stem = space[:-len(".xplane.pb")]
    forms = [f for f in (stem + ".trace", stem + ".trace.json.gz", stem + ".SSTABLE") if os.path.exists(f)]
    for form in forms + [os.path.join("digests", space.split("/")[-5], os.path.basename(stem) + ".digest.pb")]:
        n = [compare(space, form, tool, form.startswith("digests")) for tool in tools]
        print(f"{form}: {sum(c for c, _ in n)} values, {sum(k for _, k in n)} of them null")
sys.exit(wrong > 0)
P
