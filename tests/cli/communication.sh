# What is communication is so in all reports, whatever it is called; what cannot be known is said.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to make captures"; exit 77; }
python3 - "$tpuscope" "$srcdir/tests/lib" "$sample" <<'P'
import json, subprocess, sys
sys.path.insert(0, sys.argv[2])
from mkspace import Space
program = sys.argv[1]
wrong = 0
def check(what, got, want):
    global wrong
    if got != want:
        print(f"{what}: {got}, not {want}")
        wrong += 1
def report(tool, path, *options):
    r = subprocess.run([program, "report", tool, path, "--format", "json", *options], capture_output=True)
    return json.loads(r.stdout) if r.returncode in (0, 3) else sys.exit(f"report {tool} {path}: exit status {r.returncode}: {r.stderr.decode()}")
def rows(d, table):
    t = d["tables"][table] if "tables" in d else d
    return [dict(zip([c["id"] for c in t["columns"]], r)) for r in t["rows"]]
def core(s, n, **stats):
    p = s.plane(f"/device:TPU:{n}", device_type_string="TPU v5 Lite", **stats)
    p.line("Steps").event("0", 0, 1000)
    return p
def op(line, name, category, at, dur, text=None, **stats):
    meta = dict(hlo_category=category, program_id=7, symbol_id=1 + sum(map(ord, name))) if category else dict(program_id=7, symbol_id=1)
    line.event(name, at, dur, meta=dict(meta, text=text) if text else meta, **stats)

# names and categories: of communication, and others that look like it
COMM = """all-reduce.1 all-reduce|fusion.2 all-reduce fusion|fusion.3 reduce-scatter fusion|fusion.4 all-reduce-scatter fusion|a2a all-to-all|x ragged-all-to-all
cb collective-broadcast|cp collective-permute|cps collective-permute-start|cpd collective-permute-done|all-gather-start.3 async-start|all-gather-done.3 async-done
reduce-scatter-start async-start|reduce-scatter-done async-done|async-collective-start.1 async-start|async-collective-done.1 async-done
async-collective-start.2 custom-call|all-gather.call-start async-start|all-gather.call-done async-done|send.1 send|send-done.1 send-done|recv.1 recv|recv-done.1 recv-done
hs host send|hsd host send-done|hr host recv|hrd host recv-done|all-reduce-start.1 all-reduce-start|all-reduce-done.1 all-reduce-done|all-gather-update.1 async-update"""
OTHERS = """all-reduce-fusion.7 loop fusion|all-gather-convert convert|reduce-scatter_x data formatting|async-collective-fusion.2 loop fusion|slice-start.1 async-start
slice-done.1 async-done|copy-start copy-start|copy-done copy-done|collective-x collective-x|send-y loop fusion"""
def pairs(text):
    return [x.split(" ", 1) for x in text.replace("\n", "|").split("|")]
s = Space()
for n in 0, 1:
    line = core(s, n).line("XLA Ops")
    for i, (name, category) in enumerate(pairs(COMM) + pairs(OTHERS)):
        op(line, name, category, 10 * i, 5 + n, all_reduce_unique_id=i + 1)
s.write("names.xplane.pb")
d, pod, profile = (report(t, "names.xplane.pb") for t in ("communication", "pod", "overview"))
check("names: exposed", d["summary"]["exposed_us"], 11.0 * len(pairs(COMM)))
for r in rows(pod, "cores"):
    parts = sum(r[k] for k in ("collectives_us", "async_collectives_us", "send_us", "recv_us", "host_transfer_us"))
    check("names: pod", parts, (5.0 + r["core"]) * len(pairs(COMM)))
waits = {r["name"]: r["wait_us"] for r in rows(d, "ops")}
for r in rows(pod, "collectives"):
    check("waiting of " + r["name"], None if r["sync_us"] is None else r["sync_us"] * r["occurrences"], waits.get(r["name"])) # a done is in the row of its start
check("waiting is known", sum(w == 1 for w in waits.values()), 8)

# what the chip and the hosts write has its own names, and nothing is computed from it
s = Space()
for n in range(4):
    p = core(s, n, dropped_traces=7 if n == 1 else 0)
    p.lines.pop()
    steps, line = p.line("Steps"), p.line("XLA Ops")
    for k in range(6):
        work = 750 if (n, k) == (2, 3) else 600
        steps.event(str(k), 1000 * k, 900)
        op(line, "fusion.1", "loop fusion", 1000 * k, work)
        op(line, "all-reduce.1", "all-reduce", 1000 * k + work, 900 - work, all_reduce_unique_id=k)
    samples = p.line("_counters_")
    for k in range(60):
        samples.event("HBM power", 100 * k, 0, mW=float(100 + k))
chip = s.plane("#Chip 2 Telemetry")
chip.line("Throttling").event("Thermal throttle", 3000, 800, **{"Raw Value": 3})
s.plane("#Chip 1 Telemetry").line("Throttling").event("Power throttle", 3000, 900)
reads, power = chip.line("counters_hbm"), chip.line("Power")
for k in range(60):
    reads.event("reads", 100 * k, 0, counter_value=k * k, performance_counter_description="HBM read bytes")
    power.event("power", 100 * k, 100, vdd_core_energy_nj=1000 + k, hbm_energy_nj=500)
line = s.plane("/device:CUSTOM:Megascale").line("graph")
sends = s.plane("/host:CPU").line("megascale/77")
for k in range(6):
    line.event("all-reduce.dcn", 1000 * k + 100, 400, payload_size_bytes=1 << 20)
    sends.event("MegaScale: Communication Send Start", 1000 * k, 0, dcn_label="all-reduce.7")
    for d in 0, 1:
        sends.event("MegaScale: Communication Receive End", 1000 * k + 500, 0, dcn_label="all-reduce.7", dcn_source_slice_id=1 - d,
            dcn_destination_slice_id=d, payload_size_bytes=1 << 20, duration_us=300)
s.write("chip.xplane.pb")
d = report("communication", "chip.xplane.pb")
got = {r["name"]: r for r in rows(d, "ops")}
r = got["all-reduce.7"]
check("messages between slices", [r[k] for k in ("kind", "mode", "groups", "count", "wall_us", "exposed_us", "hidden_us", "bytes", "core_type")],
    ["dcn", "network", "{0,1},{1,0}", 12, 3600, None, None, 1 << 20, None])
check("a megascale plane", [got["all-reduce.dcn"][k] for k in ("kind", "count", "wall_us")], ["dcn", 6, 2400])
check("sums are of cores", d["summary"]["exposed_us"], got["all-reduce.1"]["exposed_us"])
check("of a core", [r["name"] for r in rows(report("communication", "chip.xplane.pb", "--core", "2"), "ops")], ["all-reduce.1"])
said = [r["evidence"] for r in rows(report("findings", "chip.xplane.pb"), "findings") if r["id"] in ("straggler_core", "imbalance")]
check("throttling", [x[x.index("slowest"):].split("; ")[0] for x in said], ["slowest in step 3: Thermal throttle covers 800 µs of it (#Chip 2 Telemetry)"])
r = subprocess.run([program, "query", "SELECT name, count(*), max(value) FROM counters GROUP BY name ORDER BY name", "chip.xplane.pb", "--format", "csv"],
    capture_output=True, text=True)
check("counters", "HBM read bytes,60,3481" in r.stdout and "power,120,1059" in r.stdout and "HBM power,240,159" in r.stdout, True)

# what is missing or makes no sense is counted, named, or not known; nothing is guessed
s = Space()
line = s.plane("/device:TPU:0").line("XLA Ops")
for name, at in ("fusion.1", 0), ("all-reduce.1", 10), ("all-gather-done.1", 20):
    line.event(name, at, 5)
s.write("bare.xplane.pb")
d = report("communication", "bare.xplane.pb")
a = d["summary"]
check("bare", [a[k] for k in ("exposed_us", "inflight_us", "hidden_us", "wait_us", "save_us", "unpaired", "steps")], [10, 10, 0, None, None, 1, 0])
for r in rows(d, "ops"):
    check(f"bare: {r['name']}", [r[k] for k in ("groups", "axis", "group_size", "bytes", "busbw_gbps", "ici_percent", "wait_us", "transfer_us", "save_us", "source", "program_id")], [None] * 11)
a = report("idle", "bare.xplane.pb")["summary"]
check("bare: idle", [a["idle_us"], a["unknown_us"], a["launch_us"]], [10, 10, 0])
a = report("scopes", "bare.xplane.pb")["summary"]
check("bare: scopes", [a["time_us"], a["no_scope_us"], a["steps"]], [15, 15, 0])
gather = "%all-gather-start.{0} = (bf16[4]{{0}}, bf16[8]{{0}}) all-gather-start(bf16[4]{{0}} %w), replica_groups={{{{0,1}}}}"
done = "%all-gather-done.{0} = bf16[8]{{0}} all-gather-done((bf16[4]{{0}}, bf16[8]{{0}}) %all-gather-start.{0})"
def pair(line, n, at, part, dur, **stats):
    op(line, f"all-gather-{part}.{n}", f"all-gather-{part}", at, dur, (gather if part == "start" else done).format(n), **stats)
s = Space()
for n in 0, 1:
    line = core(s, n).line("XLA Ops")
    pair(line, 1, 1, "done", 2) # without a start
    pair(line, 1, 10, "start", 1) # two at once: first in, first out
    pair(line, 1, 12, "start", 1)
    op(line, "fusion.1", "loop fusion", 14, 4)
    pair(line, 1, 20, "done", 1)
    pair(line, 1, 22, "done", 1)
    pair(line, 2, 30, "start", 1) # without a done
    pair(line, 3, 40, "start", 2, device_offset_ps=40 * 10 ** 6, device_duration_ps=-5 * 10 ** 6) # no time goes back
    pair(line, 3, 50, "done", 2, device_offset_ps=38 * 10 ** 6, device_duration_ps=2 * 10 ** 6) # over before it began
s.write("odd.xplane.pb")
d = report("communication", "odd.xplane.pb")
a = d["summary"]
check("odd: parts", a["inflight_us"], a["hidden_us"] + a["exposed_us"] + a["other_us"])
check("odd: hidden", a["hidden_us"], 8)
got = {r["name"]: [r["count"], r["unpaired"]] for r in rows(d, "ops")}
check("odd: pairs", got, {"all-gather-start.1": [4, 0], "all-gather-done.1": [2, 2], "all-gather-start.2": [2, 2], "all-gather-start.3": [2, 2], "all-gather-done.3": [2, 2]})
check("odd: named", [w for w in d["capture"]["warnings"] if "8 starts or dones have no partner" in w and "all-gather-done.1 2" in w] != [], True)
check("odd: times", min(r[k] for r in rows(d, "ops") for k in ("wall_us", "hidden_us", "exposed_us")) >= 0, True)

# a digest says the same, but how scopes spread over steps and what is in fusions
def compare_digest(path):
    subprocess.run([program, "digest", path, "-o", "digest.pb", "--force"], check=True, capture_output=True)
    for tool, tables in ("communication", ("ops", "copies", "cores", "steps")), ("idle", ("cores", "steps")), ("scopes", ("scopes",)):
        a, b = report(tool, path), report(tool, "digest.pb")
        check(f"digest of {path}: {tool}", b["summary"], a["summary"])
        for t in tables:
            u, v = ([{k: x for k, x in r.items() if not k.startswith("step_m") and k != "mixed"} for r in rows(d, t)] for d in (a, b))
            check(f"digest of {path}: {tool} {t}", v, u)
            check(f"rows of {path}: {tool} {t}", len(u) > 0 or t == "copies", True)
for path in sys.argv[3], "names.xplane.pb", "chip.xplane.pb":
    compare_digest(path)
of_core = report("communication", "digest.pb", "--core", "1")
check("digest, of a core", len(rows(of_core, "cores")), 1)
check("digest, of a core: ops are those of all", [of_core["summary"][k] for k in ("save_us", "fused_us", "unpaired")], [None] * 3)
check("of a step: barriers", {r["barrier_us"] for r in rows(report("communication", sys.argv[3], "--step", "1"), "ops")}, {None})
check("digest, of a step", len(rows(report("idle", "digest.pb", "--step", "3"), "steps")), 4)
sys.exit(wrong > 0)
P
