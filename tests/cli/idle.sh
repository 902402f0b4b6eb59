# Causes of idle time add up to it, on cores and steps; the share is the overview's.  Of the sample, and of all shared captures.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
python3 - "$tpuscope" "$sample" "$srcdir/../shared/data" <<'P'
import glob, json, os, subprocess, sys
program, sample, data = sys.argv[1:]
causes = [c + "_us" for c in "other_cores dependency communication dma in_run input launch between unknown".split()]
wrong = seen = 0
def complain(*what):
    global wrong
    wrong += 1
    print(*what)
def report(tool, path, *options):
    r = subprocess.run([program, "report", tool, path, "--format", "json", *options], capture_output=True)
    return json.loads(r.stdout) if not r.returncode else None
def rows(d, table):
    t = d["tables"][table]
    ids = [c["id"] for c in t["columns"]]
    return [dict(zip(ids, r)) for r in t["rows"]]
def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a))
for path in [sample] + sorted(glob.glob(data + "/sim/*-*/") + glob.glob(data + "/faults/*/") + glob.glob(data + "/found/xplane/*")):
    d = report("idle", path)
    if not d or not rows(d, "cores"):
        continue
    seen += 1
    for table in "cores", "steps":
        for r in rows(d, table):
            if not close(r["idle_us"], sum(r[c] for c in causes)) or min(r[c] for c in causes) < 0:
                complain(path, table, "causes do not add up", r)
    if not close(d["summary"]["idle_us"], sum(r["idle_us"] for r in rows(d, "cores"))):
        complain(path, "cores do not add up")
    want = report("overview", path)["summary"].get("device_idle_time_percent")
    if want is not None and abs(want - d["summary"]["idle_percent"]) > 1e-6:
        complain(path, "overview:", want, "idle:", d["summary"]["idle_percent"])
    one = rows(report("idle", path, "--core", "0"), "cores")
    if one != [r for r in rows(d, "cores") if r["core"] == 0]:
        complain(path, "--core 0 has other rows")
print(seen, "captures")
sys.exit(wrong > 0 or not seen)
P
