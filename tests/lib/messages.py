"""What tests of messages share: messages of our own and of real programs, what triage says about one, and ways to
wrap and label lines."""
import json, os, re, subprocess

def own(srcdir, folder="messages"):
    folder = os.path.join(srcdir, "tests", "cli", folder)
    return {f[:-4]: open(os.path.join(folder, f), encoding="utf-8").read() for f in sorted(os.listdir(folder))}

def real(data, widest=60):
    """Names and texts of all files in a folder that can be read as text and have a line of more columns."""
    packed = (".pb", ".gz", ".json", ".xz", ".riegeli", ".SSTABLE", ".prof", ".trace")
    for folder, folders, files in os.walk(data):
        folders[:] = sorted(f for f in folders if f != "hostile")
        for f in sorted(files):
            path = os.path.join(folder, f)
            if os.path.getsize(path) > 300000 or f.endswith(packed):
                continue
            try:
                text = open(path, "rb").read().decode()
            except UnicodeDecodeError:
                continue
            if "\0" not in text and max(map(len, text.split("\n"))) > widest:
                yield os.path.relpath(path, data), text

def graphs():
    """Graphs that PyTorch/XLA saved, as text and for dot: four, of 10 to 13 nodes."""
    out = {}
    for kind, begin, node in (
            ("text", "IR {", "  %{k} = {shape} xla::device_data(), {at}, xla_shape={shape}"),
            ("dot", "digraph G {", '  node{k} [label="xla::device_data\\n{shape}\\n{at}\\nxla_shape={shape}"]')):
        lines_ = []
        for n in range(10, 14):
            lines_ += ["[SyncTensorsGraph]", "TensorsGraphInfo:",
                       "  sync (/opt/environments/jax/lib/python3.11/site-packages/torch_xla/torch_xla.py:87)",
                       "  <module> (/home/user/project/experiments/torch_xla/convolution/bfloat16/train_model.py:22)", "",
                       f"Root Hashes: (2aeba8831d03f85e3fe47a4dad1658{n}, 104e3b32745864c8b5565056bd226a{n})", "", "## BEGIN_GRAPH", begin]
            lines_ += [node.format(k=k, shape=f"f32[{n},{k},1024]{{2,1,0}}", at="location=convert@module.py:1357") for k in range(n)]
            lines_ += ["}", "", f"Graph Hash: 2aeba8831d03f85e3fe47a4dad1658{n}", "", "## END_GRAPH", "", ""]
        out["graphs." + kind] = "\n".join(lines_) + "\n"
    return out

def says(program, text):
    """Everything but where it stands: the tables without ranks, names of files and numbers of lines."""
    r = subprocess.run([program, "triage", "-", "--format", "json"], capture_output=True,
                       input=text if isinstance(text, bytes) else text.encode())
    if r.returncode not in (0, 1) or not r.stdout:
        raise SystemExit(f"triage fails: {r.stderr.decode()}")
    tables = json.loads(r.stdout)["tables"]
    rows = {n: [x[3:] if n == "errors" else x for x in tables[n]["rows"]] for n in tables if n != "logs"}
    return re.sub(r', line \d+"', '"', json.dumps(rows))

def finds(said):
    return '"errors": []' not in said

def lines(text):
    return text.split("\n")[:-1 if text.endswith("\n") else None]

def around(front, text, back=""):
    return "".join(front + line + back + "\n" for line in lines(text))

def hard(text, width):
    return "\n".join(line[i:i + width] for line in text.split("\n") for i in range(0, max(len(line), 1), width))

def soft(text, width):
    out = []
    for line in text.split("\n"):
        while len(line) > width:
            cut = line.rfind(" ", 0, width + 1)
            out.append(line[:cut].rstrip(" ") if cut > 0 else line[:width])
            line = line[cut + 1:] if cut > 0 else line[width:]
        out.append(line)
    return "\n".join(out)

# --- what a message is packed in: a name and a function for each way ---

def clock(i):
    return f"2026-11-24T{3 + i // 3600:02d}:{i // 60 % 60:02d}:{i % 60:02d}.123456789Z"

def json_lines(values):
    return "".join(json.dumps(v) + "\n" for v in values)

def docker(text, most=None):
    pieces = []
    for i, line in enumerate(lines(text)):
        step = most or len(line) + 1
        pieces += [(i, (line + "\n")[k:k + step]) for k in range(0, len(line) + 1, step)]
    return json_lines({"log": piece, "stream": "stderr", "time": clock(i)} for i, piece in pieces)

def entries(text, key):
    """An export of Cloud Logging."""
    out = []
    for i, line in enumerate(lines(text)):
        payload = {"textPayload": line} if key == "text" else {"jsonPayload": {"message": line, "severity": "ERROR"}}
        out.append({"insertId": f"a{i}", "severity": "ERROR", "timestamp": clock(i), **payload,
                    "logName": "projects/p/logs/stderr", "resource": {"labels": {"pod_name": "train-0"}}})
    return out

def notebook(output, indent=1):
    cell = {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output], "source": ["train()\n"]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent) + "\n"

def stream(text):
    return {"name": "stderr", "output_type": "stream", "text": text.splitlines(keepends=True)}

def error(traceback):
    return {"output_type": "error", "ename": "XlaRuntimeError", "evalue": "", "traceback": traceback}

packings = {
    "docker": docker, "docker, cut": lambda t: docker(t, 50),
    "docker without blanks": lambda t: docker(t).replace('": "', '":"').replace('", "', '","'),
    "Fluent Bit": lambda t: json_lines({"log": line, "stream": "stderr"} for line in lines(t)),
    "an array of one line": lambda t: json.dumps(entries(t, "text")),
    "an array that is cut": lambda t: json.dumps(entries(t, "text"), indent=1)[:-3],
    "one entry": lambda t: json.dumps([{"textPayload": t}], indent=2),
    "structlog": lambda t: json_lines({"event": line, "level": "error"} for line in lines(t)),
    "a record of JSON": lambda t: json_lines([{"severity": "ERROR", "message": around("\033[31m", t, "\033[0m")}]),
    "records between lines": lambda t: json_lines([{"message": "starting"}]) + "Starting, without JSON\n" +
        json_lines({"message": line} for line in lines(t)),
    "a stream of a notebook": lambda t: notebook(stream(t)), "a stream in one line": lambda t: notebook(stream(t), None),
    "an error of a notebook": lambda t: notebook(error(lines(t))),
    "an error in one piece": lambda t: notebook(error(["\033[0;31m---\033[0m\n" + t])),
    "halves of characters": lambda t: json.dumps([{"message": "\U0001d54f \u00e9"}, {"message": t}]),
    "carriage returns": lambda t: t.replace("\n", "\r"), "every second line empty": lambda t: t.replace("\n", "\n\n"),
    "repr": lambda t: repr(t) + "\n", "repr of bytes": lambda t: repr(t.encode()) + "\n", "a string of JSON": json.dumps,
}
for key in "text", "json":
    packings[f"array, {key}"] = lambda t, k=key: json.dumps(entries(t, k), indent=2) + "\n"
    packings[f"lines, {key}"] = lambda t, k=key: json_lines(entries(t, k))
