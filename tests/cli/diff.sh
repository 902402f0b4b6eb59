# tpuscope diff: a capture against itself, against one whose device is slower, sides swapped, several captures, gates and
# their exit status, sweeps, forms, wrong usage, hostile names.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
exits() { # STATUS ARGS...
	want=$1
	shift
	"$tpuscope" diff "$@" >out 2>err
	got=$?
	test $got = "$want" || bad "diff $*: status $got, expected $want: $(cat err)"
}
member() { sed -n "s/.*\"$1\":\(\"[^\"]*\"\|[^,}]*\).*/\1/p" out | head -1; }
is() { # MEMBER VALUE
	test "$(member "$1")" = "$2" || bad "$1 is $(member "$1"), expected $2"
}
gzip -dc "$sample" >a.pb
python3 -B "$srcdir/tests/lib/slower.py" a.pb slow.pb 10 || exit 77
cp a.pb b.pb

"$tpuscope" snapshot diff a.pb --against nothing.pb >out 2>err && bad "a frame without a base"
grep -q 'cannot compare with nothing.pb: no such file' err || bad "no base: $(cat err)"

exits 0 a.pb b.pb -f json
is verdict '"inconclusive"'
is reason '"too_few_steps"'
is status '"partial"'
is delta_ps 0
is matched_time_percent 100
grep -q '^"changes":{$' out || bad "no table of changes"
python3 -B - <<'END' || bad "the waterfall does not add up"
import json, sys
doc = json.load(open("out"))
table = doc["tables"]["waterfall"]
ids = [c["id"] for c in table["columns"]]
rows = [dict(zip(ids, r)) for r in table["rows"]]
base = sum(r["base_ps"] for r in rows)
sys.exit(len(rows) < 10 or any(r["delta_ps"] for r in rows) or doc["tables"]["changes"]["rows"]
         or abs(base - doc["summary"]["step_time_base_ps"]) > 2)
END
exits 0 a.pb slow.pb -f json
there=$(member delta_ps)
exits 0 slow.pb a.pb -f json
test "$there" -gt 0 && test "$(member delta_ps)" = "-$there" || bad "swapped: $there and $(member delta_ps)"

python3 -B "$srcdir/tests/lib/slower.py" a.pb core2.pb 20 /device:TPU:2
exits 0 a.pb core2.pb -f csv --table changes
grep -q '^straggler,,,sim-tpu-v5e-w-0,2,' out || bad "no straggler, or not where it is: $(cut -c1-60 out)"

# Between runs there is an interval, and a verdict.
exits 0 a.pb,b.pb,a.pb,b.pb slow.pb -f json
is verdict '"slower"'
is between '"runs"'
is status '"ok"'
is reason null
exits 0 a.pb,b.pb,a.pb,b.pb a.pb -f json
is verdict '"same"'
exits 0 a.pb,b.pb,a.pb,b.pb slow.pb
grep -q '^verdict *slower' out || bad "no verdict in the text"

# In the viewer, too; the command that shows this again names the base.
"$tpuscope" snapshot diff slow.pb --against a.pb --against b.pb,a.pb --against b.pb >frame 2>err || bad "several bases: $(cat err)"
grep -q 'between 4 and 1 runs' frame && grep -q 'against base a.pb and 3 more' frame || bad "several bases: $(head -3 frame)"
"$tpuscope" snapshot diff slow.pb --against a.pb,b.pb --format markdown | grep -q '^tpuscope --view diff .*--against .*/a.pb --against .*/b.pb .*/slow.pb$' || bad "no base in the command"
"$tpuscope" snapshot diff slow.pb --against a.pb,nothing.pb >frame 2>err && bad "one of two bases is not there"
test "$(wc -l <err)" = 1 || bad "one of two bases: $(cat err)"

# Gates: 4 held, 5 not to be judged, 0 passed.
exits 4 a.pb,b.pb,a.pb,b.pb slow.pb --fail-if 'step_time>5%'
exits 0 a.pb,b.pb,a.pb,b.pb slow.pb --fail-if 'step_time>20%'
exits 4 a.pb,b.pb,a.pb,b.pb slow.pb --fail-if 'step_time>20%' --fail-if 'memory_peak>1MiB,compute>1%'
exits 4 a.pb,b.pb,a.pb,b.pb slow.pb --fail-if 'op[^fusion\.163$]>100us'
exits 0 a.pb,b.pb,a.pb,b.pb slow.pb --fail-if 'op[^fusion\.163$]>110us'
exits 4 a.pb slow.pb --fail-if 'new:step_time>20ms'
exits 5 a.pb slow.pb --fail-if 'step_time>5%'
exits 0 a.pb slow.pb --fail-if 'step_time>5%' --lenient
grep -q 'could not be judged' err || bad "--lenient says nothing"
for wrong in 'steptime>5%' 'step_time=5%' 'step_time>5' 'step_time>5GiB' 'op>5%' 'op[(]>5%' 'new:step_time>5%'; do
	exits 2 a.pb b.pb --fail-if "$wrong"
	test "$(wc -l <err)" = 1 || bad "--fail-if $wrong: $(cat err)"
done

# Not comparable; scaled by the user; a sweep.
exits 5 a.pb b.pb --core 0 -f json --steps 9999-9999
is verdict '"not_comparable"'
is status '"cannot_answer"'
is delta_ps null
is margin_percent 2
exits 0 a.pb slow.pb --scale 1.1 -f json
is delta_ps 0
exits 0 a.pb b.pb slow.pb -f json
python3 -B - <<'END' || bad "parts of a sweep do not add up"
import json, sys
table = json.load(open("out"))["tables"]["sweep"]
rows = [dict(zip([c["id"] for c in table["columns"]], r)) for r in table["rows"]]
sys.exit(len(rows) != 3 or any(sum(v for k, v in r.items() if k.endswith("_ps") and k != "step_time_ps") != r["step_time_ps"]
                               for r in rows))
END

# Of another chip nothing is known but its own step time: no part of it is 0.
sed 's/TPU v5 Lite/TPU v6 Lite/g' a.pb >chip.pb
exits 0 a.pb b.pb chip.pb -f json
python3 -B - <<'END' || bad "parts of a capture that cannot be compared"
import json, sys
table = json.load(open("out"))["tables"]["sweep"]
rows = [dict(zip([c["id"] for c in table["columns"]], r)) for r in table["rows"]]
sys.exit(rows[2]["verdict"] != "not_comparable" or not rows[2]["step_time_ps"] or not rows[1]["op_ps"]
         or any(v is not None for k, v in rows[2].items() if k.endswith("_ps") and k != "step_time_ps"))
END

# Forms, and what cannot be opened.
for table in comparability changes waterfall steps matches ops memory findings environment; do
	exits 0 a.pb slow.pb -f csv --table $table
	test "$(wc -l <out)" -ge 1 || bad "no table $table"
done
exits 0 a.pb slow.pb -f markdown
test "$(wc -l <out)" -le 60 && grep -q '^| op ' out || bad "markdown"
exits 0 a.pb slow.pb -f jsonl
head -1 out | grep -q '^{"table":"waterfall","kind":' || bad "jsonl: $(head -1 out)"
exits 1 a.pb nothing.pb

# Programs that did not run are compared by their memory alone; not with a capture.
python3 -B - <<'END'
def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])
def field(n, v):
    return varint(n << 3) + varint(v) if isinstance(v, int) else varint(n << 3 | 2) + varint(len(v)) + v
def proto(id, size):
    shape = field(2, 11) + field(3, size // 4)
    op = field(1, b"dot.7") + field(2, b"custom-call") + field(3, shape) + field(35, 7)
    module = field(1, b"jit_f") + field(2, b"main") + field(3, field(1, b"main") + field(2, op) + field(5, 1) + field(6, 7)) + field(5, id) + field(6, 1)
    buffer = field(1, 3) + field(2, size) + field(3, field(1, b"main") + field(2, b"dot.7") + field(4, 7))
    assigned = field(1, 3) + field(2, 0) + field(3, size)
    allocation = field(1, 0) + field(2, size) + field(6, 0) + field(9, assigned)
    trace = field(1, field(1, 0) + field(2, 3)) + field(1, field(1, 1) + field(2, 3))
    return field(1, module) + field(3, field(1, buffer) + field(3, allocation) + field(4, trace))
for name, size in (("one", 8 << 20), ("two", 12 << 20)):
    open(name + ".hlo_proto.pb", "wb").write(proto(5 if name == "one" else 6, size))
END
exits 0 one.hlo_proto.pb two.hlo_proto.pb -f json
is memory_delta_bytes $((4 << 20))
is status '"partial"'
is reason '"no_steps"'
is delta_ps null
is step_time_new_ps null
exits 4 one.hlo_proto.pb two.hlo_proto.pb --fail-if 'memory_peak>10%'
exits 5 one.hlo_proto.pb two.hlo_proto.pb --fail-if 'step_time>10%'
exits 5 one.hlo_proto.pb two.hlo_proto.pb --fail-if 'new:compute>1ms' # nothing ran: it is not known
exits 0 one.hlo_proto.pb two.hlo_proto.pb
grep -q '^verdict *memory alone, no steps: peak 8.0 MiB → 12.0 MiB *+4.0 MiB' out || bad "memory alone: $(grep verdict out)"
exits 2 one.hlo_proto.pb a.pb
test "$(wc -l <err)" = 1 && grep -q 'a.pb has events, one.hlo_proto.pb has neither' err || bad "unlike kinds: $(cat err)"
# Two memory profiles: what each place holds, wherever the program lies and whatever was put above it.
python3 -B - "$srcdir/tests/lib" <<'END'
import gzip, sys
sys.path.insert(0, sys.argv[1])
import wire
def field(n, v):
    return wire.varint(n << 3) + wire.varint(v) if isinstance(v, int) else wire.field(n, v)
def profile(folder, samples):
    texts, out = [b""], b""
    def text(s):
        if s.encode() not in texts:
            texts.append(s.encode())
        return texts.index(s.encode())
    for kind, unit in (("allocations", "count"), ("space", "bytes")):
        out += field(1, field(1, text(kind)) + field(2, text(unit)))
    for i, (function, line, size, device) in enumerate(samples, 1):
        label = lambda k, v: field(3, field(1, text(k)) + field(2, text(v)))
        out += field(2, field(1, i) + field(2, 1) + field(2, size) + label("kind", "buffer") + label("device", device))
        out += field(4, field(1, i) + field(4, field(1, i) + field(2, line)))
        out += field(5, field(1, i) + field(2, text(function)) + field(3, text(function)) + field(4, text(folder + "/train.py")))
    return gzip.compress(out + b"".join(field(6, t) for t in texts))
old = [("load", 10, 1 << 20, "TPU_0"), ("load", 10, 1 << 20, "TPU_0"), ("step", 30, 4 << 20, "TPU_0"), ("step", 30, 4 << 20, "TPU_1"), ("gone", 50, 3 << 20, "TPU_0")]
new = [("load", 10, 2 << 20, "TPU_0"), ("step", 35, 8 << 20, "TPU_0"), ("step", 35, 4 << 20, "TPU_1"), ("leak", 70, 16 << 20, "TPU_1")]
open("old.memory.prof", "wb").write(profile("/home/a", old))
open("new.memory.prof", "wb").write(profile("/tmp/b", new))
END
exits 0 old.memory.prof new.memory.prof -f json
is memory_delta_bytes $((17 << 20))
is delta_ps null
exits 0 old.memory.prof new.memory.prof --table memory -f csv
tail -n +2 out | tr -d '\r' | sort >got
cat >want <<'END'
"train.py:10 load, TPU_0 buffer",TPU_0 buffer,TPU_0 buffer,2097152,2097152,0,
"train.py:30 step, TPU_0 buffer",TPU_0 buffer,TPU_0 buffer,4194304,8388608,4194304,lifetime
"train.py:30 step, TPU_1 buffer",TPU_1 buffer,TPU_1 buffer,4194304,4194304,0,
"train.py:50 gone, TPU_0 buffer",TPU_0 buffer,,3145728,0,-3145728,gone
"train.py:70 leak, TPU_1 buffer",,TPU_1 buffer,0,16777216,16777216,new
END
cmp got want || bad "two memory profiles: $(cat got)"
exits 4 old.memory.prof new.memory.prof --fail-if 'memory_peak>10%'
exits 0 old.memory.prof old.memory.prof -f json
is memory_delta_bytes 0
exits 2 old.memory.prof one.hlo_proto.pb
exits 2 old.memory.prof a.pb
exits 2 a.pb
exits 2 --demo

# A folder of digests is a baseline: a capture for each run in it, in whatever order they were written.
mkdir base
for k in 1 2 3 4; do
	"$tpuscope" digest a.pb -o base/run$k.tpd 2>err || bad "digest: $(cat err)"
done
exits 0 base a.pb -f json
grep -q '"captures_base":4' out && grep -q '"between":"runs"' out || bad "a folder of digests: $(grep -o '"captures_base":[0-9]*\|"between":"[a-z]*"' out)"

# A digest stands for its capture; one without what its ops took in steps has steps and memory only, and says so.
"$tpuscope" digest slow.pb -o slow.tpd 2>err || bad "digest: $(cat err)"
sed 's/tpuscope_digest_runs/tpuscope_digest_rums/' base/run1.tpd >old.tpd
python3 -B - "$tpuscope" <<'END' || bad "a digest differs from its capture"
import json, subprocess, sys
def diff(*sides):
    run = subprocess.run([sys.argv[1], "diff", *sides, "-f", "json"], capture_output=True, text=True)
    assert run.returncode == 0 and not run.stderr.count("\n") > 1, run.stderr
    return json.loads(run.stdout)
def rows(doc, name):
    table = doc["tables"][name]
    ids = [c["id"] for c in table["columns"]]
    return [{k: v for k, v in zip(ids, r) if k not in ("capture", "where")} for r in table["rows"]]
want = diff("a.pb", "slow.pb")
for sides in (("base/run1.tpd", "slow.pb"), ("a.pb", "slow.tpd"), ("base/run1.tpd", "slow.tpd")):
    got = diff(*sides)
    assert got["summary"] == want["summary"], sides
    for name in want["tables"]:
        assert rows(got, name) == rows(want, name), (sides, name)
assert len(rows(want, "waterfall")) > 100 and rows(want, "findings") and rows(want, "memory")
old = diff("old.tpd", "slow.pb")
assert (old["status"], old["summary"]["matched_time_percent"]) == ("partial", None), old["status"]
assert {r["code"] for r in rows(old, "comparability")} == {"digest_old"}, rows(old, "comparability")
assert old["summary"]["delta_ps"] == want["summary"]["delta_ps"] and not rows(old, "changes") and not rows(old, "ops")
fall = rows(old, "waterfall")
assert sum(r["delta_ps"] for r in fall) == old["summary"]["delta_ps"] and fall[0]["category"] == "not told apart", fall
END

# Where a change shows is a command that runs.
python3 -B - "$tpuscope" <<'END' || bad "a command of a change does not run"
import json, shlex, subprocess, sys
program, done = sys.argv[1], 0
runs = "a.pb,b.pb,b.pb,a.pb"
for pair in ((runs, "slow.pb"), ("slow.pb", runs)):
    table = json.loads(subprocess.run([program, "diff", *pair, "-f", "json"], capture_output=True, text=True).stdout)["tables"]["changes"]
    at = [c["id"] for c in table["columns"]].index("where")
    for row in table["rows"]:
        words = shlex.split(row[at])
        run = subprocess.run([program, *words[1:], "--format", "csv"], capture_output=True, text=True)
        assert words[0] == "tpuscope" and run.returncode == 0 and run.stdout.count("\n") > 1, (row[at], run.stderr)
        done += 1
assert done > 1, done
END

# Names that mean something elsewhere are text there.
python3 -B - <<'END'
data = open("a.pb", "rb").read()
open("hostile.pb", "wb").write(data.replace(b"fusion.163", b"=1+1|<b>`x").replace(b"fusion.185", b"@SUM(A1:9)").replace(b"fusion.161", b"-2+cmd|'x'"))
END
exits 0 hostile.pb hostile.pb -f csv --table ops
grep -q "^'=1+1" out && grep -q "^'@SUM" out && grep -q "^'-2+cmd" out || bad "a formula in CSV"
for form in svg html markdown; do
	"$tpuscope" snapshot hlo_stats hostile.pb --format $form >hostile.$form || bad "no frame as $form"
	test "$form" != markdown && grep -q '<b>' hostile.$form && bad "HTML in $form"
done
grep -q '1+1|&lt;b&gt;`x' hostile.html && grep -q '1+1|&lt;b&gt;`x' hostile.svg || bad "a name in HTML or SVG"
python3 -B -c 'import xml.dom.minidom as m; m.parse("hostile.svg")' || bad "the SVG is not well-formed"
python3 -B - <<'END' || bad "the fence of Markdown does not hold its frame"
import re
text = open("hostile.markdown").read()
frame = re.search(r"^(`{3,})text\n.*?^\1$\s*^(`{3,})text\n(.*?)^\2$", text, re.S | re.M)
assert frame and "<b>`x" in frame.group(3), text[:300]
END
exits 0 hostile.pb hostile.pb -f markdown --table ops --top 400
grep -q '<b>' out && bad "HTML in Markdown"
grep -q '=1+1\\|&lt;b&gt;' out || bad "a name in Markdown: $(grep '1+1' out)"
exit $failed
