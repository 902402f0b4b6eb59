# triage: a message says the same behind what logs, collectors and tools put in front of every line, even if nobody has heard of
# the tool; wrapped before and after that; and where it does not look like that, nothing is taken off.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to label lines"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$srcdir" <<'P'
import sys
from messages import finds, hard, lines, own, says
program, srcdir = sys.argv[1:]
# {t}: a time, {ms}: digits that jump, {n}: the number of the line, {l}: a level
timed = [
    "2026-11-24 {t},{ms} - root - ERROR - ", "2026-11-24 {t},{ms} - root - {l} - ", "2026-11-24 {t},{ms} ERROR:root:", "[{t}] ",
    "2026-11-24 {t}.{ms} | ERROR    | __main__:main:12 - ", "2026-11-24T{t}.{ms}456Z [error    ] ", "Nov 24 {t} ", "I 2026-11-24 {t} ",
    "[2026-11-24 {t},{ms}][__main__][ERROR] - ", "[2026-11-24, {t} UTC] {{subprocess.py:93}} INFO - ", "2026-11-24T{t}.{ms}4567Z ",
    "[2026-11-24 {t},{ms}] [ERROR] [launch.py:321:handler] ", "2026-11-24 {t} 12345 ERROR ", "2026-11-24 {t}.{ms}456: ",
]
plain = ["ERROR:absl:", "ERROR: ", "[ERROR] "]
# a line alone does not show that these are no part of the message
several = [
    "ERROR 2026-11-24T{t}.{ms}Z [resource.labels.containerName: jax-tpu] ", "2026-11-24 {t},{ms} ERROR [main] o.a.s.Executor: ", "{t} ",
    "{l}:jax._src.xla_bridge:", "stderr: ", "node0 stderr: ", "#12 {n}.{ms} ", "E   ", "[0]:", "[decode] {n:4d}| ", "{n:6d}\t", "{n}:", "train.log:",
    "train.log:{n}:", "+", "# ", "[{n:5d}.{ms}456] ", "17952479{n:02d}.604103 ", "remote: ",
]
def label(front, text):
    return "".join(front.format(t=f"03:{12 + i // 60:02d}:{i % 60:02d}", ms=f"{i * 379 % 1000:03d}", n=i + 1,
                   l=("ERROR", "INFO", "WARNING")[i % 3]) + line + "\n" for i, line in enumerate(lines(text)))
wrong = 0
def check(name, how, want, text):
    global wrong
    if says(program, text) != want:
        wrong += 1
        print(f"{name}, {how}: says something else")
for name, text in own(srcdir).items():
    want = says(program, text)
    for front in timed + plain + (several if text.count("\n") > 3 else []):
        check(name, front, want, label(front, text))
    for front in timed + plain:
        check(name, f"{front} and wrapped", want, hard(label(front, text), 100))
    for front in [f for f in timed if "{l}" not in f] + plain:
        check(name, f"wrapped and {front}", want, label(front, hard(text, 100)))
    check(name, "kubectl and a time", want, label("[pod/train-0/jax-tpu] 2026-11-24 {t},{ms} - root - ERROR - ", text))
# TensorFlow's records, whose thread is padded, or not there
tf = "2026-11-24 {t}.{ms}456: E 1578 file.cc:76] "
for name, text in own(srcdir).items():
    for front in tf, tf.replace("1578", "   1578"), tf.replace("1578", "1578123"), tf.replace("1578 ", ""):
        got = label(front, text)
        check(name, front, says(program, label(tf, text)), got)
        one = "\n".join(got.split("\n")[:2])
        if "1578" in front and "file.cc" in says(program, one) or "1578" in says(program, one):
            wrong += 1
            print(f"{name}, {front}: the head of the record is in what it says")
# lines that begin alike, and records whose messages have more lines, are what they are
same = "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 8.%02dM. That was not possible. There are 6.43M free.; (0x0x1_HBM0)\n"
got = says(program, "".join(same % i for i in range(9)))
if got.count("jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Error allocating") < 9:
    wrong += 1
    print("errors that begin alike lose their beginnings: " + got)
records = "INFO:tensorflow:step 1\nERROR:tensorflow:it fails:\n" + own(srcdir)["load"] + "INFO:tensorflow:step 2\nWARNING:tensorflow:stop\n"
check("load", "below a record", says(program, own(srcdir)["load"]), records)
# two processes whose lines alternate are two processes
list_ = lines(own(srcdir)["list"])
both = "".join(f"node 0: {a}\nnode 1: step {i} took 2.31 s\n" for i, a in enumerate(list_))
check("list", "between another's lines", says(program, own(srcdir)["list"]), both)
sys.exit(wrong > 0)
P
