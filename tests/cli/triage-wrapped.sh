# triage: messages and logs say the same when they were wrapped: texts × widths × at a column or between words.  A wrap at a column
# leaves next to nothing to guess; between words, blanks are lost, and a few cases stay that cannot be told from lines of their own.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to wrap texts"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$srcdir" <<'P'
import os, sys
from messages import finds, graphs, hard, own, real, says, soft
program, srcdir = sys.argv[1:]
# of the cases, how many may differ: most of our own texts are here because they are hard to tell
most = {("hard", "own"): 2, ("soft", "own"): 21, ("hard", "real"): 5, ("soft", "real"): 25}
texts = {"own": {**own(srcdir), **own(srcdir, "wrapped"), **graphs()}, "real": {}}
# of real programs, where they are here
for folder in "real/oom", "found/oom_issues", "found/oom_carved", "memory-golden/logs":
    texts["real"].update(real(os.path.join(srcdir, "..", "shared", "data", folder)))
bad = 0
for kind in texts:
    want = {name: says(program, text) for name, text in texts[kind].items()}
    found = {name: text for name, text in texts[kind].items() if finds(want[name]) or name.startswith("graphs")}
    for wrap in hard, soft:
        differ = [(name, width) for name, text in found.items() for width in (60, 72, 80, 100, 120, 132, 200)
                  if says(program, wrap(text, width)) != want[name]]
        for name, width in differ:
            print(f"{name}, {wrap.__name__}, {width} columns: says something else")
        print(f"{kind}, {wrap.__name__}: {len(differ)} of {7 * len(found)} cases differ")
        bad += len(differ) > most[wrap.__name__, kind]
        # a screen of 80 columns is what most people copy from
        bad += wrap == hard and len([name for name, width in differ if width == 80]) > (kind == "own")
    bad += kind == "own" and len(found) < 25
sys.exit(bad > 0)
P
