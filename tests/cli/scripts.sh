# For scripts and agents: the guide is true, schema and --columns are what reports print, gates of one capture, short answers.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }

# The guide: short, with front matter; what it quotes is what the program prints, and its options exist.
"$tpuscope" agent-guide >guide || bad "no guide"
test "$(wc -c <guide)" -le 6144 || bad "the guide has $(wc -c <guide) bytes"
test "$(sed -n 1,2p guide)" = "---
name: tpuscope" || bad "no front matter"
python3 - "$tpuscope" guide <<'P' || failed=1
import re, shlex, subprocess, sys
program, failed, quoted, named = sys.argv[1], 0, 0, 0
text = open(sys.argv[2]).read()
for m in re.finditer(r"^    \$ tpuscope (.*)\n((?:    (?!\$ ).*\n)+)", text, re.M):
    out = subprocess.run([program, *shlex.split(m.group(1))], capture_output=True, text=True)
    want = re.sub(r"^    ", "", m.group(2), flags=re.M)
    quoted += 1
    if out.returncode or out.stdout.replace("\r", "").rstrip("\n") != want.rstrip("\n"):
        print("the guide quotes %s\n%s\nwhich prints\n%s%s" % (m.group(1), want, out.stdout, out.stderr))
        failed = 1
for m in re.finditer(r"`tpuscope (report [^`]*PATH[^`]*|query \.tables|schema)`", text):
    words = ["--demo" if w == "PATH" else w for w in shlex.split(m.group(1).replace("TOOL", "steps"))]
    out = subprocess.run([program, *words], capture_output=True, text=True)
    named += 1
    if out.returncode not in (0, 4):
        print("the guide's %s: %d, %s" % (m.group(1), out.returncode, out.stderr))
        failed = 1
if quoted < 3 or named < 10:
    print("only %d commands were quoted and %d named" % (quoted, named))
    failed = 1
sys.exit(failed)
P
"$tpuscope" agent-guide --install skills 2>err || bad "--install: $(cat err)"
cmp -s guide skills/tpuscope/SKILL.md || bad "--install wrote something else"
"$tpuscope" agent-guide --install skills 2>err && bad "--install replaced a file"
"$tpuscope" agent-guide --install skills --force 2>err || bad "--install --force: $(cat err)"

# All reports, tables of query and reasons; the schema of each report's document is JSON, and its columns are those printed.
"$tpuscope" schema >all || bad "schema"
"$tpuscope" schema --list >names || bad "schema --list"
"$tpuscope" schema nothing 2>err && bad "schema of no report"
python3 - "$tpuscope" <<'P' || failed=1
import json, subprocess, sys
program, failed, tables = sys.argv[1], 0, 0
run = lambda *w: subprocess.run([program, *w], capture_output=True, text=True).stdout
doc, names = json.load(open("all")), json.load(open("names"))
if list(doc["query"]) != names["query"] or names["query"] != run("query", ".tables").split():
    print("schema has other tables than query")
    failed = "+sqlite" in run("--version")
for report in doc["reports"]:
    tool = report["name"]
    schema = json.loads(run("schema", tool))
    if tool not in "summary findings steps hlo_stats memory framework_ops account idle info".split():
        continue
    text = run("report", tool, "--demo", "-f", "json")
    printed = json.loads(text)
    found = {None: printed} if "rows" in printed else printed.get("tables", {})
    for name, table in found.items():
        at = schema["properties"] if name is None else schema["properties"]["tables"]["properties"][name]["properties"]
        tables += 1
        if [c["id"] for c in table["columns"]] != [c["title"] for c in at["rows"]["items"]["prefixItems"]]:
            print("%s %s: the schema has other columns" % (tool, name))
            failed = 1
        if any(c["id"] not in run("report", tool, "--columns") for c in table["columns"]):
            print("%s %s: --columns lacks some" % (tool, name))
            failed = 1
sys.exit(failed or tables < 20)
P

# Gates of one capture.
gate() { # STATUS EXPR
	"$tpuscope" report summary --demo --fail-if "$2" >out 2>err
	status=$?
	test $status = "$1" || bad "--fail-if $2: $status, not $1: $(cat err)"
}
gate 4 'step_time>1ms'
gate 0 'step_time>1s'
gate 4 'step_time>1s,memory_peak>1MiB'
gate 4 'findings>0'
gate 0 'findings_high>50'
gate 4 'op[all-reduce]>1us'
gate 2 'step_time>5%'
gate 2 'speed>5'
"$tpuscope" report steps "$srcdir/tests/fuzz/corpus/tf-graph/graph" --fail-if 'step_time>1s' >out 2>err
test $? = 5 || bad "a gate without steps passes"
"$tpuscope" report steps "$srcdir/tests/fuzz/corpus/tf-graph/graph" --fail-if 'step_time>1s' --lenient >out 2>err || bad "--lenient: $(cat err)"

# The shortest summary.
for n in 600 900 1500 2048; do
	"$tpuscope" report summary --demo -f json --max-bytes $n >out || bad "--max-bytes $n"
	test "$(wc -c <out)" -le $n || bad "--max-bytes $n: $(wc -c <out)"
	python3 -c "
import json
d = json.load(open('out'))
assert len(d['tables']['findings']['rows']) > 1, len(d['tables']['findings']['rows'])
assert d['truncated']['ops'] > 0 and d['summary']['next'].startswith('report ')" || bad "--max-bytes $n"
done

# Trees.
"$tpuscope" report op_profile --demo -f json --depth 2 --top 2 >out || bad "a tree with --top"
python3 - <<'P' || failed=1
import json, sys
def walk(n, level):
    assert len(n["children"]) <= 2 and (level < 2 or not n["children"])
    return 1 + sum(walk(c, level + 1) for c in n["children"])
root = json.load(open("out"))["root"]
sys.exit(walk(root, 0) < 4)
P
"$tpuscope" report graph "$srcdir/tests/fuzz/corpus/tf-graph/graph" -f json >whole && "$tpuscope" report graph "$srcdir/tests/fuzz/corpus/tf-graph/graph" -f json --depth 1 --top 1 >cut || bad "a graph with --top"
python3 - <<'P' || failed=1
import json
whole, cut = (json.load(open(f))["root"] for f in ("whole", "cut"))
assert len(cut["children"]) == min(1, len(whole["children"])) and all(not c["children"] for c in cut["children"])
assert not whole["children"] or cut["children"][0]["name"] == whole["children"][0]["name"]
P

# Text says in its second line what JSON says of its status.
"$tpuscope" report hlo_stats "$srcdir/tests/fuzz/corpus/tf-graph/graph" | sed -n 2p | grep -q '^! no answer (no_ops): ' || bad "no status in text"
"$tpuscope" report hlo_stats "$srcdir/tests/fuzz/corpus/tf-graph/graph" -f markdown | sed -n 3p | grep -q '^> no answer' || bad "no status in Markdown"

# Pictures of a frame: the same text as the frame, valid, small, with a command that opens the same frame again.
"$tpuscope" snapshot ops --demo >plain
for form in svg html; do
	"$tpuscope" snapshot ops --demo --format $form >frame.$form 2>err || bad "$form: $(cat err)"
	test "$(wc -c <frame.$form)" -le 61440 || test $form = html || bad "$form: $(wc -c <frame.$form) bytes"
done
"$tpuscope" snapshot ops --demo --format markdown >frame.md || bad "markdown"
python3 - "$tpuscope" <<'P' || failed=1
import html, re, shlex, subprocess, sys, xml.dom.minidom
program, failed = sys.argv[1], 0
plain = [l.rstrip() for l in open("plain").read().rstrip("\n").split("\n")]
svg = xml.dom.minidom.parse("frame.svg")
rows = {}
for t in svg.getElementsByTagName("text"):
    x, y, s = int(t.getAttribute("x")), int(t.getAttribute("y")), t.firstChild.data
    row = rows.setdefault((y - 8 - 13) // 17, [" "] * 120)
    row[(x - 8) // 8:(x - 8) // 8 + len(s)] = s
drawn = ["".join(rows.get(i, [])).rstrip() for i in range(len(plain))]
letters = lambda lines: [re.sub(r"[^A-Za-z0-9.]+", " ", l).strip() for l in lines]
for i, (a, b) in enumerate(zip(letters(plain), letters(drawn))):
    if a != b:
        print("svg, line %d: %r is not %r" % (i, b, a))
        failed = 1
page = re.search(r"<pre>\n(.*)</pre>", open("frame.html").read(), re.S).group(1)
page = [l.rstrip() for l in html.unescape(re.sub(r"<[^>]*>", "", page)).rstrip("\n").split("\n")]
if letters(page) != letters(plain):
    print("html: another text")
    failed = 1
if "http" in re.sub(r'xmlns="[^"]*"', "", open("frame.svg").read()) or "<script" in open("frame.html").read():
    print("a picture has a reference or a script")
    failed = 1
again = shlex.split(svg.getElementsByTagName("desc")[0].firstChild.data)
options = dict(zip(again[1::2], again[2::2]))
frame = subprocess.run([program, "snapshot", options["--view"], "--demo", *(["--place", options["--place"]] if "--place" in options else [])], capture_output=True, text=True).stdout
if letters(frame.rstrip("\n").split("\n")) != letters(plain):
    print("the command of the picture opens another frame")
    failed = 1
sys.exit(failed)
P
"$tpuscope" snapshot ops --demo --format csv 2>err && bad "a frame as CSV"
"$tpuscope" report steps --demo --format svg 2>err && bad "a report as SVG"
exit $failed
