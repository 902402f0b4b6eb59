# Whatever form a capture has, its findings say the same, or that the form does not say it: XSpace, trace JSON, old trace, trace table and digest.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
sim=$srcdir/../shared/data/sim
rm -rf made
mkdir made
"$tpuscope" digest "$sample" -o made/sample.digest.pb >out 2>&1 || { cat out; exit 1; }
python3 "$srcdir/tests/lib/as-trace-json.py" "$sample" made/sim-tpu-v5e-w-0.trace.json || exit 1
# A capture that names no host has the name of its file; its digest, the same.
python3 - "$srcdir/tests/lib" "$sample" made/worker-7.xplane.pb <<'P' || exit 1
import gzip, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from wire import fields
data = open(sys.argv[2], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
open(sys.argv[3], "wb").write(b"".join(whole for number, _, whole in fields(data) if number != 4))
P
"$tpuscope" digest made/worker-7.xplane.pb -o made/nameless.digest.pb >out 2>&1 || { cat out; exit 1; }
for file in made/worker-7.xplane.pb made/nameless.digest.pb; do
	"$tpuscope" report overview "$file" --table hosts --format csv >out
	grep -q '^worker-7,' out || { echo "$file: not of worker-7:"; cat out; exit 1; }
done
set -- "$sample" made/sample.digest.pb "$sample" made/sim-tpu-v5e-w-0.trace.json
test -d "$sim" || echo "no $sim: the bundled sample alone"
for space in "$sim"/*/plugins/profile/*/*.xplane.pb; do
	test -f "$space" || continue
	stem=${space%.xplane.pb}
	for form in "$stem.trace" "$stem.trace.json.gz" "$stem.SSTABLE"; do
		test -f "$form" && set -- "$@" "$space" "$form"
	done
	digest=made/$#.digest.pb
	"$tpuscope" digest "$space" -o "$digest" >out 2>&1 || { cat out; exit 1; }
	set -- "$@" "$space" "$digest"
done
python3 - "$tpuscope" "$@" <<'P'
import json, re, subprocess, sys
program, paths = sys.argv[1], sys.argv[2:]
wrong = 0
# Converted traces lack ids of collectives, so waiting and transfer are bounds; the HLO, whose operands say more than the shape of a
# result; what ops read and write, without which none is near a roof; and which cores share a chip.
bounds, shapes, chips = {"collectives", "collective_wait"}, {"padding", "batch", "tiny_ops"}, {"missing_cores"}
def findings(path):
    r = subprocess.run([program, "report", "findings", path, "--format", "json"], capture_output=True)
    d = json.loads(r.stdout) if r.returncode == 0 else sys.exit(f"{path}: {r.stderr.decode()}")
    rows = {r[0]: dict(zip([c["id"] for c in d["columns"]], r)) for r in d["rows"]}
    return {c["id"]: (c["state"], c["text"], rows.get(c["id"])) for c in d["checks"]}
def plain(text): # without what a form need not say
    text = re.sub(r"; (all its ops|its op|[0-9]+ of its ops) also in [^;]*", "", text) # of findings that the form cannot raise
    text = re.sub(r"; mended: .*|; cause of [0-9]+ % of idle time: .*", "", text)
    return re.sub(r" \(chip [^)]*\)| \([0-9.]+ [KMGT]?i?B of HBM traffic\)|; [0-9]+ % of the asynchronous ones .*", "", text)
def same_severity(a, b): # what saves little is low, where a replay knows
    return a["severity"] == b["severity"] or any(x["save_percent"] is not None and x["save_percent"] < .5 for x in (a, b))
def bad(path, id, x, y):
    global wrong
    wrong += 1
    print(f"{path}: {id}: {y}, not {x}")
for space, form in zip(paths[::2], paths[1::2]):
    a, b = findings(space), findings(form)
    same = 0
    for id in b:
        if id not in a:
            if b[id][0] != "not possible":
                bad(form, id, None, b[id])
            continue
        (state, text, row), (state_b, text_b, row_b) = a[id], b[id]
        if state_b == "not possible" != state and not form.endswith(".digest.pb"):
            continue
        if state_b == state == "not possible" and text_b == "no events of an allocator in this input":
            continue # converted traces have none, where the XSpace has too few
        same += 1
        if state_b != state and not (id in shapes | chips | bounds and "digest" not in form):
            bad(form, id, a[id], b[id])
        elif row and row_b and "digest" not in form and id in bounds:
            if not same_severity(row, row_b) or row_b["cost"] < row["cost"] * .999:
                bad(form, id, row, row_b)
        elif row and row_b and id not in shapes | chips:
            if not same_severity(row, row_b) or plain(row["evidence"]) != plain(row_b["evidence"]) or \
                    row["cost"] is not None and abs(row["cost"] - row_b["cost"]) > 1e-6:
                bad(form, id, row, row_b)
        elif not row and not row_b and text != text_b and id not in shapes | chips | {"damaged"}:
            bad(form, id, text, text_b)
    print(f"{form}: {same} of {len(a)} checks are the same, the form does not say the others")
    if same < 10:
        bad(form, "checks", len(a), same)
sys.exit(wrong > 0)
P
