# Kernels of GPUs: XProf's kernel_stats by its ids, what the same bytes say without XProf, and sums of other rows.
. "$srcdir/tests/cli/lib.sh"
data=$srcdir/../shared/data
test -d "$data/kernels" || { echo "no $data/kernels: skipped"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
python3 - "$tpuscope" "$data" <<'P'
import csv, glob, json, subprocess, sys
program, data = sys.argv[1:]
wrong = 0
def complain(*what):
    global wrong
    wrong += 1
    if wrong < 20:
        print(*what)
def report(path, *options):
    r = subprocess.run([program, "report", "kernels", path, "--format", "json", *options], capture_output=True)
    if r.returncode:
        sys.exit(f"{path}: {r.stderr.decode()}")
    d = json.loads(r.stdout)
    ids = [c["id"] for c in d["columns"]]
    return [dict(zip(ids, row)) for row in d["rows"]], d
def same(a, b):
    number = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b))
    return abs(a - b) <= 1e-9 * max(1, abs(a)) if number else a == b
def expected(name):
    return list(csv.DictReader(open(f"{data}/kernels/{name}.expected.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE))
def sums(name, path, rows, d):
    ns = round(1000 * sum(r["total_duration_us"] for r in rows))
    if d["summary"]["kernel_ns"] != ns:
        complain(name, "rows and kernel_ns differ")
    for by in "op", "stream":
        other, _ = report(path, "--by", by)
        if (round(1000 * sum(r["total_duration_us"] for r in other)) != ns or
                sum(r["occurrences"] for r in other) != d["summary"]["kernels"]):
            complain(name, "--by", by, "has other sums")
spaces = {"mi300-attention": "*mi300~jax08_attention~*", "mi300-conv": "*jax_conv_minimal_08~*",
          "mi300-conv-legacy": "*jax_conv_minimal_legacy~*", "cuda-multi-worker": "*GPU-multi-worker~*"}
for name, pattern in spaces.items():
    path = glob.glob(f"{data}/found/xplane/{pattern}.pb")[0]
    rows, d = report(path)
    golden = json.load(open(f"{data}/kernels/{name}.kernel_stats.json"))
    ids = [c["id"] for c in golden["cols"]]
    if len(rows) != len(golden["rows"]):
        complain(name, len(rows), "rows, not", len(golden["rows"]))
    for ours, theirs in zip(rows, golden["rows"]):
        for i, c in zip(ids, theirs["c"]):
            if not same(ours[i], c["v"]) and (ours[i] is not None or c["v"] != 0): # XProf's 0 for what is unknown
                complain(name, i, ours[i], c["v"])
    for ours, x in zip(rows, expected(name)):
        for i, key in ("lds_bytes", "group_mem"), ("scratch_bytes", "private_mem"):
            if ours["total_duration_us"] * 1000 - int(x["total_ns"]) < 0.5 and x[key] != ("" if ours[i] is None else str(ours[i])):
                complain(name, i, ours[i], x[key])
    sums(name, path, rows, d)
    print(f"{name}: {len(rows)} rows, {d['summary']['kernels']} kernels, {d['summary']['kernel_ns']} ns")
for name, pattern, gpu, ends in ("kineto-mi300-resnet", "mi300", "GPU 2", 1464), ("kineto-b200-eager", "b200", "GPU 0", 441):
    path = glob.glob(f"{data}/found/trace_json-gpu/*{pattern}*.gz")[0]
    rows, d = report(path)
    by = {}
    for r in rows: # the table has no ops
        ns = [round(1000 * r[i]) for i in ("total_duration_us", "min_duration_us", "max_duration_us")]
        v = by.setdefault((r["kernel_name"], r["block_dim"] or "", r["grid_dim"] or ""), [0, 0, 1 << 62, 0])
        v[:] = v[0] + r["occurrences"], v[1] + ns[0], min(v[2], ns[1]), max(v[3], ns[2])
    for x in expected(name):
        ours = by.pop((x["kernel_name"], x["block_dim"], x["grid_dim"]), None)
        theirs = [int(x[i]) for i in ("occurrences", "total_ns", "min_ns", "max_ns")]
        if ours != theirs:
            complain(name, x["kernel_name"], ours, theirs)
    if by:
        complain(name, "more kernels than there are:", list(by)[0])
    device = [dict(zip([c["id"] for c in d["tables"]["devices"]["columns"]], r)) for r in d["tables"]["devices"]["rows"]]
    if [x["device"] for x in device] != [gpu]:
        complain(name, device)
    sums(name, path, rows, d)
    files = subprocess.run([program, "snapshot", "files", path, "--size", "200x60"], capture_output=True).stdout.decode()
    if f"{ends:,} times" not in files:
        complain(name, "ends of flows without a start are not", ends)
    print(f"{name}: {len(rows)} rows, {d['summary']['kernels']} kernels, {d['summary']['kernel_ns']} ns")
sys.exit(wrong > 0)
P
