# What is communication is so in all reports, whatever it is called; what cannot be known is said.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to make captures"; exit 77; }
python3 - "$tpuscope" "$srcdir/tests/lib" <<'P'
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
    t = d["tables"][table]
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
sys.exit(wrong > 0)
P
