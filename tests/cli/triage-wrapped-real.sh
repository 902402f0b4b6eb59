# triage: messages and logs of real programs say the same when they were wrapped, with and without what launchers put in
# front of lines.  WRAPPED=all tries every text in every way (about a minute); otherwise some of them.
. "$srcdir/tests/cli/lib.sh"
data=$srcdir/../shared/data
test -d "$data" || { echo "no $data: skipped"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not here to wrap texts"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$data" "${WRAPPED:-some}" <<'P'
import sys
import messages
from messages import around, finds, hard, real, soft
program, data, how = sys.argv[1:]
widths = 60, 72, 80, 100, 120, 132, 160, 200
labels = ("[rank0]: ", "E0101 12:00:00.000000     123 file.cc:1] ", "2026-11-22 10:00:01 10.164.0.12 [3] ",
          "2026-11-22T10:00:01.123456789Z stderr F ", "[pod/train-0-0-x7b2c/jax-tpu] ", "3: ", "12: ", "tpu-vm-3: ", "trainer-1  | ",
          "[1,3]<stderr>: ", "[default0]: ", "[rank: 3] ", "[worker3] ", "Nov 22 10:00:01 vm-0 train.sh[991]: ",
          "<30>Nov 22 10:00:01 vm-0 python3[123]: ", "2026-11-22T10:00:01+0000 vm-0 train.sh[991]: ",
          "[pod/train-0/jax-tpu] 2026-11-22T10:00:01.123456789Z ", "train-0-x7b2c jax-tpu ")
# Texts that no reader could put together either, without the original, and how often they differ in all ways.
notes = "notes about messages: where a quoted one ends and the prose goes on cannot be told"
one = "a single line, whose label is only one in the midst of many names"
json = "a notebook is JSON, whose lines no terminal wraps"
open_yet = "joined lines are not told from others in it yet"
known = {
    "real/NOTES.md": notes, "found/README.md": notes, "hunt/08-kaggle-notebook/README.txt": notes, "hunt/01-e2002-glm/README.txt": notes,
    "hunt/08-kaggle-notebook/oom_list_evalue.ipynb": json, "hunt/08-kaggle-notebook/colab_oom_indent.ipynb": json,
    "hunt/08-kaggle-notebook/colab_oom.ipynb": json, "hunt/08-kaggle-notebook/serve.ipynb": json,
    "hunt/08-kaggle-notebook/oom_list_stream.ipynb": json,
    "hunt/20-hang-huge-tensor/term.txt": open_yet, "hunt/18-gpu-bufferassign/quoted_mail.txt": open_yet,
    "hunt/16-kaggle-slicebuilder/paste.txt": open_yet, "hunt/18-gpu-bufferassign/plain.txt": open_yet,
    "real/oom/libtpu_0.0.30/v6e_2x2.pallas_scratch.txt": open_yet, "hunt/41-e0200-2026/cmem_bounds.txt": open_yet,
    "hunt/40-e3000-pallas/pallas_gather.txt": open_yet, "hunt/17-core-halt/launch_group_wrapped80.txt": open_yet,
    "hunt/17-core-halt/launch_group.txt": open_yet,
    "hunt/02-mosaic-nocode/README.txt": notes, "hunt/04-slice-chip-driver/README.txt": notes, "hunt/14-too-many-params/README.txt": notes,
    "hunt/19-gpu-smem-limit/README.txt": notes, "hunt/41-e0200-2026/README.txt": notes, "real/README.md": notes,
    "hunt/02-mosaic-nocode/layout_operand9.txt": open_yet, "hunt/02-mosaic-nocode/paste.txt": open_yet,
    "hunt/04-slice-chip-driver/badchip.log": open_yet, "hunt/04-slice-chip-driver/worker0.log": open_yet,
    "hunt/06-coordination-heartbeat/slice.log": open_yet, "hunt/14-too-many-params/paste.txt": open_yet,
    "hunt/41-e0200-2026/cache_deserialized.txt": open_yet,
    "found/rawlogs/yangwhale+gpu-tpu-pedia__tpu~vllm-torchtpu~Qwen3.5-397B-A17B-FP8~results~M1-qwen3-0.6b-tp1.log": open_yet,
    "found/rawlogs/yangwhale+gpu-tpu-pedia__tpu~vllm-torchtpu~Qwen3.5-397B-A17B-FP8~results~V1-qwen3.5-35b-tp4-ep.log": open_yet,
    "faults/dumps/args_7x/logs/tpu_driver.vm.root.log.WARNING.20261128-032918.2644": open_yet,
    "found/oom_carved/vllm-project_tpu-inference__nohup.out.3927d7c7.2.txt behind 80": one,
}
def says(text):
    return messages.says(program, text)
tried = differ = 0
found = {}
def check(name, case, want, text):
    global tried, differ
    tried += 1
    if says(text) == want:
        return
    key = next((k for k in (name, f"{name} {case}") if k in known), None)
    if key:
        found[key] = found.get(key, 0) + 1
    else:
        differ += 1
        print(f"{name}, {case}")
turn = 0
def is_turn(every):
    global turn
    turn += 1
    return how == "all" or turn % every == 0
for name, text in real(data, min(widths)):
    plain = says(text)
    message = finds(plain)
    for wrap in hard, soft:
        for width in widths:
            if is_turn(1 if message else 8):
                check(name, f"{wrap.__name__} {width}", plain, wrap(text, width))
    if not message or "\033" in text:
        continue
    for label in labels:
        if label == "train-0-x7b2c jax-tpu " and text.count("\n") < 3: # so few lines do not show that these words are a label
            continue
        if not is_turn(9):
            continue
        lines = around(label, text)
        want = says(lines if label[0] == "E" else around("[rank3]: ", text))
        check(name, f"{label}: whole", want, lines)
        for width in 80, 100:
            check(name, f"before {width}", want, around(label, hard(text, width)))
            check(name, f"behind {width}", want, hard(lines, width))
print(f"{tried} cases, {differ} differ; known: " + ", ".join(f"{k}: {n}" for k, n in sorted(found.items())))
if how == "all":
    for key in sorted(set(known) - set(found)):
        differ += 1
        print(f"{key} is the same now: {known[key]} is no reason any more")
sys.exit(differ > 0)
P
