# Every report is one JSON document with its envelope, numbers are numbers, and the CSV has the same rows.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read the JSON"; exit 77; }
check() {
	"$tpuscope" report "$@" --demo --format json >doc.json && "$tpuscope" report "$@" --demo --format csv >doc.csv &&
	python3 - "$1" <<'P'
import csv, json, sys
def refuse(c): raise ValueError(c)
d = json.load(open("doc.json"), parse_constant=refuse)
assert d["tool"] == sys.argv[1] and d["version"] and isinstance(d["summary"], dict)
assert set(d["capture"]) >= {"run", "files", "hosts", "warnings"} and d["capture"]["files"][0]["events" if "events" in d["capture"]["files"][0] else "bytes"] > 0
ids = [c["id"] for c in d["columns"]]
kinds = {"integer": int, "number": (int, float), "string": str, "boolean": bool, "object": dict}
for r in d["rows"]:
    assert len(r) == len(ids)
    for v, c in zip(r, d["columns"]):
        assert v is None or isinstance(v, kinds[c["type"]]), (c, v)
rows = list(csv.reader(open("doc.csv", newline="")))
assert rows[0] == ids and len(rows) == len(d["rows"]) + 1 and d["rows"]
P
}
check info && check trace && check trace --args --top 500 && check trace --by name && check trace --by track && check trace --by step && check steps
