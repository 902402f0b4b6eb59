# triage: a message says the same when it is packed in JSON of containers, clouds or notebooks, or as a literal; its
# lines keep the numbers that they have in the file; and what is damaged still says what is left.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to pack texts"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$srcdir" <<'P'
import io, json, subprocess, sys, tarfile, zipfile
from messages import docker, entries, finds, json_lines, own, packings, says
program, srcdir = sys.argv[1:]
wrong = 0
def complain(what):
    global wrong
    wrong += 1
    print(what)
for name, text in own(srcdir).items():
    want = says(program, text)
    for way, change in packings.items():
        if says(program, change(text)) != want:
            complain(f"{name}, {way}: says something else")
# where it is: line and file stay those of what was given
def line_of(text):
    r = subprocess.run([program, "triage", "-", "--format", "json"], input=text.encode(), capture_output=True)
    tables = json.loads(r.stdout)["tables"]
    return tables["errors"]["rows"][0][2], tables["logs"]["rows"][0][3]
load = own(srcdir)["load"]
pretty = json.dumps(entries("a\n" + load, "text"), indent=2)
where = [number for number, line in enumerate(pretty.split("\n"), 1) if "Error loading" in line][0]
for what, text, want in (("docker", docker("a\nb\n" + load + "c\n"), (3, 4)), ("a pretty array", pretty, (where, pretty.count("\n") + 1))):
    if line_of(text) != want:
        complain(f"{what}: line and lines {line_of(text)} instead of {want}")
# it opens as a plain log does, whatever its name
for name, text in {"c-json.log": docker("a\n" + load), "export.json": json.dumps(entries("a\n" + load, "textPayload"), indent=2),
                   "lines.json": json_lines(entries("a\n" + load, "textPayload"))}.items():
    open(name, "w").write(text)
    shown = subprocess.run([program, "snapshot", "triage", name, "--size", "120x20"], capture_output=True, text=True).stdout
    if "program_load" not in shown:
        complain(f"{name} does not open in the triage: {shown}")
# a log with braces is no JSON
for text in "[step] {1}\n", "{step 1}\n[{\"not\": \"it\"}]\n":
    if says(program, text + load) != says(program, load):
        complain(f"{text!r} before a message changes it")
# of a pipe an archive is read to its end, too
archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode="w") as tar:
    for name, text in ("first.log", "nothing\n" * 400000), ("last.log", load):
        member = tarfile.TarInfo(name)
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text.encode()))
open("logs.tar", "wb").write(archive.getvalue())
want = json.loads(subprocess.run([program, "triage", "logs.tar", "--format", "json"], capture_output=True).stdout)["tables"]
if not want["errors"]["rows"]:
    complain("nothing is found in a tar")
for what, command in ("stdin", 'cat logs.tar | "$0" triage - --format json'), ("FIFO", 'mkfifo f; cat logs.tar >f & "$0" triage f --format json'):
    r = subprocess.run(["sh", "-c", command, program], capture_output=True, timeout=60)
    if r.returncode or len(json.loads(r.stdout)["tables"]["errors"]["rows"]) != len(want["errors"]["rows"]):
        complain(f"a tar by {what}: {r.stderr} {r.stdout[:2000]}")
# members that cannot be read are told
with zipfile.ZipFile("logs.zip", "w") as archive:
    archive.writestr("secret.log", load)
    archive.writestr("open.log", "nothing\n")
packed = bytearray(open("logs.zip", "rb").read())
packed[packed.find(b"PK\3\4") + 6] |= 1
open("logs.zip", "wb").write(packed)
r = subprocess.run([program, "triage", "logs.zip"], capture_output=True, text=True)
if r.returncode or "left out: 1" not in r.stderr:
    complain(f"an encrypted member of a zip: {r.stderr} {r.stdout}")
sys.exit(wrong > 0)
P
