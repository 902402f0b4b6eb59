# LLO dumps: the numbers of a kernel that was counted by hand (tests/lib/mkllo.py), what must hold between the files of a unit, damaged dumps, two dumps.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to make a dump"; exit 77; }
python3 "$srcdir/tests/lib/mkllo.py" dump && python3 "$srcdir/tests/lib/mkllo.py" longer 8 || exit 1
cat >check.py <<'P'
import glob, json, os, re, shutil, subprocess, sys
program, srcdir = sys.argv[1:]
wrong = 0
def complain(*what):
    global wrong
    wrong += 1
    print(*what)
def run(*args, status=0, tool="llo"):
    r = subprocess.run([program, "report", tool, *args, "--format", "json"], capture_output=True, timeout=60)
    if r.returncode != status:
        complain(args, "status", r.returncode, r.stderr.decode())
    return json.loads(r.stdout) if r.stdout else None
def rows(d, table):
    t = d["tables"][table] if "tables" in d else d
    return [dict(zip([c["id"] for c in t["columns"]], row)) for row in t["rows"]]
def expect(what, got, want):
    for k, v in want.items():
        if got.get(k) != v and not (isinstance(v, float) and got.get(k) is not None and abs(got[k] - v) < 1e-9):
            complain(what, k, "is", got.get(k), "and not", v)
d = run("dump")
expect("summary", d["summary"], dict(kernels=1, modules=1, chip="v6e", cycles=91, files=13, files_passed_over=1, source_lines=True))
k = rows(d, "kernels")[0]
# 14 bundles, of which 2 are delay slots; the cycles are those of mkllo.py: 3 outside, 4 in each of 6 steps, 16 in the 4 steps that are of the grid
expect("kernel", k, dict(name="scale.1", module="jit_scale", kind="pallas", opcode="custom-call", op_name="jit(scale)/mul", bundles=14, empty=2, instructions=18,
    cycles_once=23, stall_cycles=9, cycles=3 + 6 * 4 + 4 * 16, issue_cycles=3 + 6 * 5 + 4 * 6, trips_known=True, time_us=91 / 1750, limit="SALU",
    limit_percent=100 * 31 / (2 * 91), matmuls=1, matmuls_run=4, mxu_flops=4 * 2 * 16 * 256 * 256, vmem_spills=2, vmem_spills_run=8, vmem_fills=1, vmem_fills_run=4,
    vmem_bytes=0x2000, ra_cycles=3, dma_waits=1, dma_unsized=0, hbm_bytes=4 * 256 * 32, fingerprint="AAAA4=", checks_failed=0))
expect("loop", rows(d, "loops")[0], dict(first=2, last=12, trips=6, pipeline=True, parent=None, bundles=11, cycles=88, own_cycles=88))
expect("transfer", rows(d, "dma")[0], dict(source_space="hbm", target_space="vmem", bytes=8192, runs=4, semaphore="allocation4", wait="same", gap_cycles=0))
expect("chain", rows(d, "critical")[0], dict(region=5, length=15, first=5, cycles=16))
if abs(sum(r["cycles"] for r in rows(d, "lines")) - 91) > 1e-9: complain("lines are not all cycles")
if "hold" not in [r["text"] for r in rows(d, "about") if r["about"] == "checks"][0]: complain("nothing is said of checks")
b = rows(run("dump", "--kernel", "scale.1", "--bundles"), "bundles")
if len(b) != 14 or sum(r["cycles"] * r["runs"] for r in b) != 91 or b[9]["MATMUL"] != 1: complain("bundles", b)
names = [f for f in run("dump", tool="info")["capture"]["files"]]
if len(names) != 13: complain("files", len(names))
text = subprocess.run([program, "report", "info", "dump"], capture_output=True).stdout.decode()
if "LLO unit, 9 files" not in text or text.count("scale.1") != 1: complain("info has no line for each unit:", text)
c = rows(run("dump", "--against", "longer"), "compare")[0]
expect("compare", c, dict(name="scale.1", status="changed", a_cycles=91, b_cycles=3 + 10 * 4 + 8 * 16, a_spills=8, b_spills=16))
shutil.copytree("dump", "same")
if rows(run("dump", "--against", "same"), "compare")[0]["status"] != "same": complain("a dump differs from itself")
run("dump", "--chip", "v99", status=2), run("dump", "--bundles", status=2), run("dump", "--kernel", "none", status=2)
if rows(run("dump", "--chip", "v5e"), "kernels")[0]["time_us"] != 91 / 1500: complain("--chip is not used")
# findings, by the numbers above: (spills + fills) / cycles, needs of 8 KiB at 1638 GB/s and 1.75 GHz
found = {f["id"]: f for f in rows(run("dump", tool="findings"), "findings")}
need = 8192 / 1638 * 1.75
for id, severity, cost in (("llo_dma_wait", "medium", 4 * need / (91 + 4 * need)), ("llo_latency", "low", 9 / 23), ("llo_spills", "low", 3 / 23),
    ("llo_mxu_idle", "medium", None), ("llo_step_overhead", "medium", None)):
    f = found.pop(id, {})
    if f.get("severity") != severity or f.get("where") != "llo:scale.1" or (cost and abs(f["cost"] - cost) > 1e-9): complain(id, f)
if found: complain("more findings", found)
# beside a capture: what a run of the op took there, if it is of the same compile
sample = srcdir + "/data/sample/simulated-v5e-4chip.xplane.pb.gz"
op = max((r for r in rows(run(sample, tool="hlo_stats"), "hlo_stats") if r["category"] == "loop fusion"), key=lambda r: r["total_self_time"])
shape = re.match(r"%\S+ = (.*?\b[a-z-]+)\(", op["hlo_op_expression"]).group(1)
for result, same in ((shape, True), ("f32[7]{0} fusion", False)):
    shutil.rmtree("beside", ignore_errors=True)
    subprocess.run([sys.executable, srcdir + "/tests/lib/mkllo.py", "beside", "4", op["hlo_op_name"], "jit_train_step", result], check=True)
    d = run(sample, "beside")
    k, said = rows(d, "kernels")[0], [r["text"] for r in rows(d, "about") if r["about"] == "measured"][0]
    if same and (abs(k["measured_us"] - op["avg_time"]) > 1e-6 or "times the schedule" not in said): complain("measured", k["measured_us"], op["avg_time"], said)
    if not same and (k["measured_us"] is not None or "another compile" not in said): complain("measured of another compile", k["measured_us"], said)
# sums of more cycles than can be counted stop there
for name in "a.1", "b.1":
    subprocess.run([sys.executable, srcdir + "/tests/lib/mkllo.py", "endless", "9000000000000000000", name, "jit_" + name[0], "f32[8]{0} custom-call"], check=True)
d = run("endless")
if len(rows(d, "kernels")) != 2 or d["summary"]["cycles"] != 2 ** 63 - 1: complain("endless", d["summary"]["cycles"])
# damage: what can be known is shown, the rest is null
def damaged(name, change, status, **want):
    shutil.rmtree("bad", ignore_errors=True)
    shutil.copytree("dump", "bad")
    change({f.split("-", 3)[3] if f.count("-") > 2 else f: "bad/" + f for f in os.listdir("bad")})
    got = run("bad", status=status)
    if got: expect(name, rows(got, "kernels")[0], want)
def cut(path, n):
    s = open(path).read()
    open(path, "w").write(s[:n if n > 0 else len(s) + n])
def edit(path, *pairs):
    s = open(path).read()
    for a, b in pairs: s = s.replace(a, b)
    open(path, "w").write(s)
unknown = dict(cycles=None, cycles_once=23, time_us=None, bundles=14, issue_cycles=57, limit="SALU")
damaged("no cycles", lambda f: os.remove(f["packed-bundles-post-ra.txt"]), 0, **unknown)
damaged("other order", lambda f: edit(f["packed-bundles-post-ra.txt"], ("vmul.f32", "vadd.f32")), 3, **unknown, checks_failed=1)
damaged("cut", lambda f: cut(f["final_bundles.txt"], 1200), 3, cycles=None, limit=None)
damaged("odd rows", lambda f: edit(f["final_hlo-static-per-bundle-utilization.txt"], ("\n0 0 0 0 0 0 2 0 0 0 0\n", "\n0 0 -1\n")), 3, bundles=14, checks_failed=2 - 1)
damaged("a loop without end", lambda f: edit(f["post-delay-converter.txt"], ("limit=6", "limit=%s9")), 0, trips_known=False, cycles=3 + 4 + 16)
damaged("trips beyond counting", lambda f: edit(f["post-delay-converter.txt"], ("limit=6", "limit=9223372036854775807")), 0, cycles=2**63 - 1)
damaged("comments in comments", lambda f: edit(f["final_bundles.txt"], ("an operand", "/*" * 10000)), 3, bundles=14)
damaged("no program", lambda f: [os.remove(p) for p in f.values() if "TLP" in p], 0, chip=None, time_us=None, mxu_flops=None, hbm_bytes=None, cycles=91)
none = dict.fromkeys("mxu_flops hbm_bytes hbm_us instructions".split())
damaged("no bundles", lambda f: os.remove(f["final_bundles.txt"]), 0, bundles=14, **none)
if [r["text"] for r in rows(run("bad"), "about") if r["about"] == "dma"] != ["Not known: there are no bundles."]: complain("transfers of a kernel without bundles")
damaged("no final rows", lambda f: cut(f["final_hlo-static-per-bundle-utilization.txt"], 140), 0, cycles=91)
expect("no final rows", rows(run("bad"), "slots")[10], dict(unit="SALU", used=None, used_cycles=8, busy_bundles=None, full_bundles=None))
damaged("a region that does not end", lambda f: edit(f["final_bundles.txt"], ("End region 5", "words")), 0, cycles=91)
b = [r["region"] for r in rows(run("bad", "--kernel", "scale.1", "--bundles"), "bundles")]
if b[10] != 5 or b[13] is not None: complain("regions", b)
damaged("a unit with a long name", lambda f: [edit(p, ("SALU", "S" * 1000)) for p in f.values() if "utilization" in p], 0, limit="S" * 1000)
said = [r["text"] for r in rows(run("bad"), "about") if r["about"] == "limit"][0]
if "S" * 41 in said or not said.endswith("decides."): complain("limit", said)
shutil.rmtree("one", ignore_errors=True)
os.mkdir("one")
shutil.copy(glob.glob("dump/*-final_bundles.txt")[0], "one/x.txt")
expect("renamed", rows(run("one/x.txt"), "kernels")[0], dict(name="scale.1", bundles=14, cycles=None, limit=None, compiled_ns=None))
shutil.copy(glob.glob("dump/*-final_hlo*")[0], "one/y.txt")
expect("two renamed", rows(run("one"), "kernels")[0], dict(name="scale.1", bundles=14, limit="SALU"))
# what must hold on dumps of real compilers
for dump in sorted(glob.glob(srcdir + "/../shared/data/llo/*-*/")):
    for k in rows(run(dump), "kernels"):
        if k["checks_failed"] or k["cycles"] is None: complain(dump, k["name"], "checks failed:", k["checks_failed"])
sys.exit(wrong > 0)
P
python3 check.py "$tpuscope" "$srcdir"
