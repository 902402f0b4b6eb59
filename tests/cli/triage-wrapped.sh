# triage: messages and logs say the same when they were wrapped: texts × widths × at a column or between words.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to wrap texts"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$srcdir" <<'P'
import os, sys
from messages import finds, graphs, hard, own, real, says, soft
program, srcdir = sys.argv[1:]
texts = {**own(srcdir), **own(srcdir, "wrapped"), **graphs()}
# of real programs, where they are here
for folder in "real/oom", "found/oom_issues", "found/oom_carved", "memory-golden/logs":
    texts.update(real(os.path.join(srcdir, "..", "shared", "data", folder)))
tried = differ = 0
for name, text in texts.items():
    want = says(program, text)
    if not finds(want) and not name.startswith("graphs"):
        continue
    for wrap in hard, soft:
        for width in 72, 80, 100, 132:
            tried += 1
            if says(program, wrap(text, width)) != want:
                differ += 1
                print(f"{name}, {wrap.__name__}, {width} columns: says something else")
print(f"{tried} cases, {differ} differ")
sys.exit(differ > 0 or tried < 200)
P
