# triage: a message says the same when somebody shows it to others: quoted in a mail or chat, between the fences of Markdown,
# indented, copied from a screen with its colors and blanks, through a word processor, or in a log of JSON.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to quote texts"; exit 77; }
python3 - "$tpuscope" <<'P'
import json, re, subprocess, sys
program = sys.argv[1]
texts = {}
texts["list"] = """Traceback (most recent call last):
  File "/home/user/train.py", line 412, in <module>
    state, metrics = train_step(state, batch)
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 24.50G of 15.75G hbm. Exceeded hbm capacity by 8.75G.

Total hbm usage >= 24.75G:
    reserved        258.00M
    program          24.50G
    arguments            0B

Output size 0B; shares 0B with arguments.

Program hbm requirement 24.50G:
    HLO temp         24.50G (62.5% utilization: Unpadded (15.31G) Padded (24.50G), 12.2% fragmentation (2.99G))

  Largest program allocations in hbm:

  1. Size: 12.25G
     Operator: op_type="conv" op_name="jit(train_step)/jvp(encoder)/layers_3/conv_general_dilated" source_file="/home/user/project/models/encoder/convolution.py" source_line=231
     Shape: bf16[1024,224,224,64]{0,3,2,1:T(8,128)(2,1)}
     Unpadded size: 6.12G
     Extra memory due to padding: 6.12G (2.0x expansion)
     XLA label: fusion.19 = fusion(copy-done, fusion.30, get-tuple-element.118), kind=kOutput, calls=fused_computation.22
     Allocation type: HLO temp
     ==========================

"""
texts["load"] = """RESOURCE_EXHAUSTED: Error loading program 'jit__multi_slice': Attempting to reserve 6.14G at the bottom of memory. That was not possible. There are 5.84G free, 0B reserved, and 5.84G reservable.
"""
texts["trace"] = """Error allocating device buffer: Attempting to allocate 337.50M. That was not possible. There are 918.07M free. The largest contiguous region of free memory is 230.58M due to fragmentation.; (0x0x0_HBM0)
See https://openxla.org/xla/errors/error_0100 for more details.
=== Source Location Trace: ===
third_party/pjrt/tpu_pjrt_client.cc:1899
[OOM Summary: Reason: Fragmentation. Allocator stats:
Limit:                     33550233600
InUse:                     24357461504
LargestFreeBlock:                    0
]
"""
texts["report"] = """Ran out of memory in memory space hbm. Used 56.44G of 15.75G hbm. Exceeded hbm capacity by 40.69G. HLO module: jit_train_step. Memory usage report:

Memory Space: default (color=0)
Total bytes: 60601401344 (56.44GiB)
  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------------------
    32.00GiB( 56%);   32.00GiB;            0;                3; f32[8192,8192,128], 2\u00d7bf16[8192,8192,128]
    48.00GiB( 85%);   16.00GiB;  34359738368;                9; bf16[8192,8192,128], 8\u00d7bf16[64,128,8192,128]
    56.44GiB(100%);    8.44GiB;  51539607552;                2; f32[8192,270336], f32[8192,4096]

"""
def lines(front, text, back=""):
    return "".join(front + line + back + "\n" for line in text.rstrip("\n").split("\n"))
def wrap(text, width):
    return "\n".join(line[i:i + width] for line in text.split("\n") for i in range(0, max(len(line), 1), width))
def smart(text):
    return re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", re.sub(r"'([^'\n]*)'", "\u2018\\1\u2019", text))
def screen(text, width):
    return "".join(line.ljust(width) + "\n" for line in wrap(text, width).rstrip("\n").split("\n"))
ways = {
    "quoted": lambda t: lines("> ", t), "quoted twice": lambda t: lines(">> ", t), "quoted without a blank": lambda t: lines(">", t),
    "wrapped and quoted": lambda t: lines("> ", wrap(t, 80)), "quoted and wrapped": lambda t: wrap(lines("> ", t), 80),
    "quoted with a label": lambda t: lines("> ", lines("[rank0]: ", t)),
    "with bars": lambda t: lines("| ", t), "in a box": lambda t: lines("\u2502 ", screen(t, 100), " \u2502"),
    "indented": lambda t: lines("    ", t), "indented by a tab": lambda t: lines("\t", t),
    "with fences": lambda t: "It fails:\n\n```\n" + t.rstrip("\n") + "\n```\n\nWhat can I do?\n",
    "with fences of a language": lambda t: "~~~python\n" + t.rstrip("\n") + "\n~~~\n",
    "colored": lambda t: lines("\033[31m", t, "\033[0m"), "with a title and bold words":
        lambda t: "\033]0;train\007" + re.sub(r"\b(memory|hbm|Size|free)\b", "\033[1m\\1\033(B\033[m", t),
    "a screen": lambda t: screen(t, 100), "with CR LF": lambda t: wrap(t, 80).replace("\n", "\r\n"),
    "with typographic quotes": smart, "with the blanks of HTML": lambda t: t.replace(" ", "\u00a0"),
    "with a byte order mark": lambda t: "\ufeff" + t,
}
def says(text):
    r = subprocess.run([program, "triage", "-", "--format", "json"], input=text.encode(), capture_output=True)
    tables = json.loads(r.stdout)["tables"] if r.stdout else sys.exit(f"triage fails: {r.stderr.decode()}")
    rows = {n: [x[3:] if n == "errors" else x for x in tables[n]["rows"]] for n in tables if n != "logs"}
    return re.sub(r', line \d+"', '"', json.dumps(rows))
wrong = 0
for name, text in texts.items():
    want = says(text)
    if '"errors": []' in want:
        sys.exit(f"{name}: no error found")
    for way, change in ways.items():
        if says(change(text)) != want:
            wrong += 1
            print(f"{name}, {way}: says something else")
    # a log of JSON: what its lines say, but for the beginning of the message
    got = says(json.dumps({"severity": "ERROR", "message": lines("\033[31m", text, "\033[0m")}) + "\n")
    if got.replace('{\\"severity\\": \\"ERROR\\", \\"message\\": \\"', "") != want:
        wrong += 1
        print(f"{name}, in JSON: says something else")
sys.exit(wrong > 0)
P
