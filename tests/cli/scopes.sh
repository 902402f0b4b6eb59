# What report scopes says of a part: --host, --core, --depth, --tree, --step; and which time is in fusions of several
# scopes.  Of the sample and of shared captures.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
python3 - "$tpuscope" "$sample" "$srcdir/../shared/data/sim" <<'P'
import glob, json, subprocess, sys
program, sample, sim = sys.argv[1:]
wrong = 0
def check(what, got, want):
    global wrong
    if got != want and not (isinstance(want, float) and abs(got - want) <= 1e-9 * max(1, abs(want))):
        wrong += 1
        print(what, "is", got, "not", want)
def run(path, *options):
    return subprocess.run([program, "report", "scopes", path, "--format", "json", *options], capture_output=True, text=True)
def report(path, *options):
    d = json.loads(run(path, *options).stdout)
    t = d["tables"]["scopes"]
    ids = [c["id"] for c in t["columns"]]
    return d, [dict(zip(ids, r)) for r in t["rows"]]
def roots(rows, column="time_us"):
    return float(sum(r[column] for r in rows if not r["depth"]))
def refused(path, *options):
    r = run(path, *options)
    check(f"{path} {options}: refused", [r.returncode != 0, r.stdout, r.stderr != ""], [True, "", True])
def times(rows):
    return {r["path"]: r["time_us"] for r in rows}
for path in [sample] + sorted(glob.glob(sim + "/transformer-*/")):
    d, whole = report(path)
    check(path + ": roots", roots(whole), d["summary"]["time_us"])
    # --core, --host: parts add up
    top = max(report(path, "--core", str(c))[0]["summary"]["cores"] for c in (0, 1))
    cores = [report(path, "--core", str(c)) for c in range(d["summary"]["cores"] // top)]
    check(path + ": cores", float(sum(c["summary"]["time_us"] for c, _ in cores)), d["summary"]["time_us"])
    check(path + ": a core", [r["core_min_us"] == r["core_max_us"] or top > 1 for _, v in cores for r in v].count(False), 0)
    refused(path, "--core", "99")
    hosts = d["capture"]["hosts"]
    names = [h["name"] if isinstance(h, dict) else h for h in hosts]
    check(path + ": hosts", float(sum(report(path, "--host", h)[0]["summary"]["time_us"] for h in names)), d["summary"]["time_us"])
    refused(path, "--host", "nobody")
    # --depth: the same rows, without deeper ones
    for n in 1, 2:
        check(f"{path}: depth {n}", report(path, "--depth", str(n))[1], [r for r in whole if r["depth"] < n])
    # --tree: the same time, told apart otherwise
    trees = {t: report(path, "--tree", t)[1] for t in ("folded", "raw", "source", "stack")}
    check(path + ": folded is the default", trees["folded"], whole)
    for t, v in trees.items():
        check(f"{path}: tree {t}", roots(v), d["summary"]["time_us"])
    check(path + ": trees differ", len({json.dumps(sorted(times(v))) for v in trees.values()}) >= 3, True)
    check(path + ": raw", [any("while/body" in r["path"] for r in trees[t]) for t in ("raw", "folded")], [True, False])
    refused(path, "--tree", "oak")
    # --step: what a row takes in all steps is its mean times their number
    s = json.loads(subprocess.run([program, "report", "steps", path, "--format", "json"], capture_output=True, text=True).stdout)
    at = [c["id"] for c in s["columns"]].index("step")
    steps = sorted({str(r[at]) for r in s["rows"]})
    of = {n: report(path, "--step", n) for n in steps}
    check(path + ": steps", [x["summary"]["steps"] for x, _ in of.values()], [1] * len(steps))
    cells = d["summary"]["steps"] * d["summary"]["cores"]
    for r in whole:
        ps = 1e6 * (sum(times(v).get(r["path"], 0) for _, v in of.values()) - r["step_mean_us"] * cells)
        check(f"{path}: {r['path']} in steps", -0.5 < ps < cells, True) # the mean is in whole ps
    for x, v in of.values():
        check(path + ": a step: roots", roots(v), x["summary"]["time_us"])
        check(path + ": a step: phases", float(sum(x["summary"][p + "_us"] for p in ("forward", "backward", "recompute", "other"))), x["summary"]["time_us"])
        check(path + ": a step: not known", {(r["count"], r["flops_percent"], r["gap_before_us"]) for r in v}, {(None, None, None)})
    refused(path, "--step", "12345")
    # mixed: a part of the time, of a row no more than of all below it
    check(path + ": mixed", all(r["mixed"] is None or 0 <= r["mixed"] <= 1 for r in whole), True)
    for r in whole:
        below = [x for x in whole if x["depth"] == r["depth"] + 1 and x["path"].startswith(r["path"] + "/")]
        if below and not r["self_us"] and r["mixed"] is not None:
            check(path + ": mixed of " + r["path"], float(r["mixed"] * r["time_us"]), float(sum(x["mixed"] * x["time_us"] for x in below)))
    check(path + ": mixed somewhere", any(r["mixed"] for r in whole), True)
# without HLO modules it is not known
subprocess.run([program, "digest", sample, "-o", "digest.pb", "--force"], check=True, capture_output=True)
check("digest: mixed", {r["mixed"] for r in report("digest.pb")[1]}, {None})
# of one step a digest has nothing, which says so in its own words
r = subprocess.run([program, "report", "scopes", "digest.pb", "--step", "100"], capture_output=True, text=True)
check("digest: a step", ("not of one" in r.stdout, "older version" in r.stdout), (True, False))
sys.exit(wrong > 0)
P
