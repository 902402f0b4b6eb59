# The account of the steps: parts add up to the ps, the critical path to the step, and predictions stay between what is light and what was measured.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
"$tpuscope" report account "$sample" --whatif "op:x*2,nonsense:1" >out 2>err
test $? = 2 && grep -q nonsense err || { echo "a bad expression"; cat err; exit 1; }
python3 - "$tpuscope" "$sample" "$srcdir/../shared/data" <<'P'
import glob, json, random, subprocess, sys
program, sample, data = sys.argv[1:]
wrong = seen = 0
def complain(*what):
    global wrong
    wrong += 1
    print(*what)
def report(path, *options):
    r = subprocess.run([program, "report", "account", path, "--format", "json", *options], capture_output=True)
    return json.loads(r.stdout) if not r.returncode else None
def rows(d, table):
    t = d["tables"][table]
    ids = [c["id"] for c in t["columns"]]
    return [dict(zip(ids, r)) for r in t["rows"]]
def check_sums(path, d, s):
    parts = [p["part"] for p in rows(d, "parts")]
    if len(parts) != 30:
        complain(path, len(parts), "parts")
    for c in rows(d, "cores"):
        if sum(c[p + "_ps"] for p in parts) != c["time_ps"] or min(c[p + "_ps"] for p in parts) < 0:
            complain(path, "core", c["core"], "does not add up")
    cores = len(rows(d, "cores"))
    for x in rows(d, "steps"):
        if abs(sum(x[p + "_ps"] for p in parts) - 1e6 * x["core_time_us"] * cores) > 1e-9 * x["step_ps"] * cores + 1:
            complain(path, "step", x["step"], "does not add up")
    mean = sum(p["mean_us"] for p in rows(d, "parts"))
    if abs(mean + s["spread_us"] - s["step_us"]) > 1e-9 * s["step_us"]:
        complain(path, "means do not add up")
    if s["reason"] is None and abs(sum(r["time_us"] for r in rows(d, "critical_path")) - s["step_us"]) > 1e-9 * s["step_us"]:
        complain(path, "the path does not add up")
def check_predictions(path, d, s):
    for r in rows(d, "whatif"):
        if r["step_us"] is None:
            continue
        shorter = not any(x in r["expr"] for x in ("phase", "median"))
        if shorter and r["step_us"] < s["light_us"] * 0.99 or r["step_us"] > s["whole_us"] * 1.001:
            complain(path, r["expr"], r["step_us"], "of", s["whole_us"], "light", s["light_us"])
random.seed(3)
for path in [sample] + sorted(glob.glob(data + "/sim/*-*/") + glob.glob(data + "/faults/*/")):
    ops = []
    d = report(path)
    if d and d["summary"]["step_us"] is not None:
        ops = [o["name"] for o in rows(d, "ops")]
        asked = []
        for i in range(4):
            asked += ["--whatif", "op:%s*%.2f" % (random.choice(ops), random.random())]
        d = report(path, *asked)
    if not ops:
        continue
    seen += 1
    s = d["summary"]
    if len([r for r in rows(d, "whatif") if r["id"] == "asked"]) != 4:
        complain(path, "what was asked is not answered")
    if s["model_error_percent"] is not None and s["model_error_percent"] > 0.5:
        complain(path, "model error", s["model_error_percent"])
    check_sums(path, d, s)
    check_predictions(path, d, s)
print(seen, "captures")
sys.exit(wrong > 0 or not seen)
P
