# Folded stacks add up to the self times of the report, to the picosecond; with a base, to those of the comparison.
. "$srcdir/tests/cli/lib.sh"
gzip -dc "$sample" >a.pb
python3 -B "$srcdir/tests/lib/slower.py" a.pb slow.pb 10 || exit 77
python3 -B - "$tpuscope" <<'END'
import json, re, subprocess, sys
def run(*words):
    return subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
def lines(text, numbers):
    found = [re.fullmatch(r"([^ ;]+(?:;[^ ;]+)+)" + r" (\d+)" * numbers, line) for line in text.splitlines()]
    assert found and all(found), text[:300]
    stacks = {m.group(1): [int(v) for v in m.groups()[1:]] for m in found}
    assert len(stacks) == len(found)
    return stacks
def rows(table):
    return [{c["id"]: v for c, v in zip(table["columns"], r)} for r in table["rows"]]

for path in ("a.pb", "slow.pb"):
    stacks = lines(run("export", "--format", "folded", path).stdout, 1)
    ops = rows(json.loads(run("report", "hlo_stats", path, "-f", "json").stdout))
    want = sum(round(r["total_self_time"] * 1e6) for r in ops)
    assert sum(v[0] for v in stacks.values()) == want > 0, (path, want)
    assert {s.split(";")[0] for s in stacks} == {"jit_train_step"}, path
    assert any(s.count(";") > 3 for s in stacks), path

both = lines(run("export", "slow.pb", "--against", "a.pb").stdout, 2)
ops = rows(json.loads(run("diff", "a.pb", "slow.pb", "-f", "json").stdout)["tables"]["ops"])
for at, key in enumerate(("self_ps_base", "self_ps_new")):
    want = sum(r[key] or 0 for r in ops)
    assert abs(sum(v[at] for v in both.values()) - want) <= len(ops) and want > 0, (key, want)
assert all(v[1] >= v[0] for v in both.values())

# names that mean something in such a file
data = open("a.pb", "rb").read()
open("hostile.pb", "wb").write(data.replace(b"fusion.163", b"a;b 1\n2 3 "))
stacks = lines(run("export", "hostile.pb").stdout, 1)
assert any(s.endswith("a,b_1_2_3_") for s in stacks)

for words, status in ((("a.pb", "-f", "json"), 2), (("nothing.pb",), 1), (("--demo", "--against", "a.pb"), 2),
                      (("a.pb", "--against", "nothing.pb"), 1)):
    got = run("export", *words)
    assert got.returncode == status and got.stderr.count("\n") == 1 and not got.stdout, (words, got)
END
