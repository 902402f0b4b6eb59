"""What tests of messages share: messages of our own and of real programs, what triage says about one, and ways to
wrap and label lines."""
import json, os, re, subprocess

def own(srcdir):
    folder = os.path.join(srcdir, "tests", "cli", "messages")
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
