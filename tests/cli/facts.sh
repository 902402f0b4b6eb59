# Each member of a report's summary is explained by --list-columns, under that report.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
data=$srcdir/../shared/data
set -- "$sample"
test -d "$data" || echo "no $data: the bundled sample alone"
for more in "$data"/sim/*/plugins/profile/* "$data"/ops-golden/*/plugins "$data"/real/*/logdir*; do
	test -e "$more" && set -- "$@" "$more"
done
for kind in "$data"/found/*/; do # two of each kind
	for more in $(ls -d "$kind"* 2>/dev/null | sed -n "2p;\$p"); do
		set -- "$@" "$more"
	done
done
python3 - "$tpuscope" "$@" <<'P'
import json, re, subprocess, sys
program, *paths = sys.argv[1:]
known, at, unknown, read = {}, None, set(), 0
for line in subprocess.run([program, "--list-columns"], capture_output=True, text=True).stdout.splitlines():
    head = re.match(r"(\S+): summary$", line)
    if head:
        at = known.setdefault(head[1], set())
    elif not line.startswith("  "):
        at = None
    elif at is not None:
        at.add(line.split()[0])
for path in paths:
    for tool in known:
        r = subprocess.run([program, *(["triage"] if tool == "triage" else ["report", tool]), "--format", "json", path], capture_output=True, text=True)
        if not r.stdout:
            continue
        summary = json.loads(r.stdout).get("summary") or {}
        read += 1
        unknown |= {(tool, k) for k in summary} - {(tool, k) for k in known[tool]}
for tool, k in sorted(unknown):
    print(f"{tool}: {k} is in no list")
print(len(known), "reports with a summary,", read, "documents")
sys.exit(bool(unknown) or len(known) < 15 or read < 10)
P
