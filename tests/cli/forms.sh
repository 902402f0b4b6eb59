# Whatever form a capture has, its reports say the same, or nothing: XSpace, old trace, trace JSON, trace table and digest.
. "$srcdir/tests/cli/lib.sh"
sim=$srcdir/../shared/data/sim
test -d "$sim" || { echo "no $sim: skipped"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
rm -rf digests
for space in "$sim"/*/plugins/profile/*/*.xplane.pb; do
	name=${space#"$sim"/}
	mkdir -p "digests/${name%%/*}"
	"$tpuscope" digest "$space" -o "digests/${name%%/*}/$(basename "$space" .xplane.pb).digest.pb" >out 2>&1 || { cat out; exit 1; }
done
python3 - "$tpuscope" "$sim" <<'P'
import glob, json, os, subprocess, sys
program, sim = sys.argv[1:]
# What a form states otherwise: texts that are cut off, shares of a time on another clock, rates of HBM that are upper bounds, and
# a verdict that needs ids of collectives.
other = {"hlo_stats": {"hlo_op_expression", "total_self_time_percent", "cumulative_total_self_time_percent", "hbm_bw"},
         "input_pipeline": {"input_class", "input_conclusion_percent"}}
wrong = 0
def report(path, tool):
    r = subprocess.run([program, "report", tool, path, "--format", "json"], capture_output=True)
    return json.loads(r.stdout) if r.returncode == 0 else sys.exit(f"{path}: report {tool}: {r.stderr.decode()}")
def tables(d):
    return d["tables"] if "tables" in d else {"": d}
def same(a, b):
    if isinstance(a, str) and isinstance(b, str): # the simulator's trace JSON leaves the colon away
        return a.rstrip(":") == b.rstrip(":")
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b
def compare(space, form, tool, exact):
    global wrong
    a, b = (tables(report(f, tool)) for f in (space, form))
    cells = null = 0
    for name in a:
        if name == "recommendations" or name == "channels" and len(a[name]["rows"]) and not len(b[name]["rows"]):
            continue
        ids = [c["id"] for c in a[name]["columns"]]
        if len(a[name]["rows"]) != len(b[name]["rows"]):
            print(f"{form}: {tool} {name}: {len(b[name]['rows'])} rows, not {len(a[name]['rows'])}")
            wrong += 1
            continue
        for row, (x, y) in enumerate(zip(a[name]["rows"], b[name]["rows"])):
            for id, u, v in zip(ids, x, y):
                cells += 1
                null += v is None and u is not None
                if not same(u, v) and (exact or v is not None) and (exact or id not in other.get(tool, ())):
                    wrong += 1
                    if wrong < 20:
                        print(f"{form}: {tool} {name}, row {row}: {id} is {v}, not {u}")
    return cells, null
for space in sorted(glob.glob(sim + "/*/plugins/profile/*/*.xplane.pb")):
    stem = space[:-len(".xplane.pb")]
    forms = [f for f in (stem + ".trace", stem + ".trace.json.gz", stem + ".SSTABLE") if os.path.exists(f)]
    for form in forms + [os.path.join("digests", space.split("/")[-5], os.path.basename(stem) + ".digest.pb")]:
        n = [compare(space, form, tool, form.startswith("digests")) for tool in ("steps", "pod", "input_pipeline", "hlo_stats")]
        print(f"{form}: {sum(c for c, _ in n)} values, {sum(k for _, k in n)} of them null")
sys.exit(wrong > 0)
P
