# Where a finding is proved is a place that the command line takes: of all findings of our samples, the frame shows it.
. "$srcdir/tests/cli/lib.sh"
python3 -B - "$tpuscope" "$sample" "$srcdir/tests/fuzz/corpus" <<'END'
import glob, json, subprocess, sys
def run(*words):
    return subprocess.run([sys.argv[1], *words], capture_output=True, text=True, errors="replace")
files = [sys.argv[2]] + [f for kind in ("xspace", "hlo", "llo", "pprof", "ptxla", "triage", "tf-graph", "xla-dump")
                         for f in sorted(glob.glob(f"{sys.argv[3]}/{kind}/*"))[:8]]
rules, failed = set(), 0
for path in files:
    try:
        doc = json.loads(run("report", "findings", path, "-f", "json").stdout)
    except ValueError: # nothing to be read
        continue
    ids = [c["id"] for c in doc["columns"]]
    for row in (dict(zip(ids, r)) for r in doc["rows"]):
        got = run("snapshot", row["where"], path, "--size", "120x20")
        if got.returncode not in (0, 3) or not ("inding" in got.stdout or "partial" in got.stdout) or not row["title"] or not row["where"]:
            print(path, row["id"], row["where"], got.returncode, got.stderr)
            failed = 1
        rules.add(row["id"])
        # a text that counts ops or buffers says which is the first
        view, name = row["where"].split(":", 1)
        words = name.removeprefix("collective ").removeprefix("buffer ").split(" module ")[0]
        if view in ("ops", "roofline", "memory") and not name.startswith("module ") and words not in row["evidence"]:
            print(path, row["id"], "evidence without", words)
            failed = 1
assert len(rules) > 15, sorted(rules)
for where, status in (("ops:nothing", 1), ("nowhere:", 2)):
    got = run("snapshot", where, sys.argv[2])
    assert got.returncode == status and got.stderr.count("\n") == 1, (where, got)
sys.exit(failed)
END
