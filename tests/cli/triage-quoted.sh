# triage: a message says the same when somebody shows it to others: quoted in a mail or chat, between the fences of Markdown,
# indented, copied from a screen with its colors and blanks, or through a word processor.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to quote texts"; exit 77; }
PYTHONPATH=$srcdir/tests/lib PYTHONDONTWRITEBYTECODE=1 python3 - "$tpuscope" "$srcdir" <<'P'
import re, sys
from messages import around, finds, hard, lines, own, says, soft
program, srcdir = sys.argv[1:]
def smart(text):
    return re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", re.sub(r"'([^'\n]*)'", "\u2018\\1\u2019", text))
def screen(text, width):
    return "".join(line.ljust(width) + "\n" for line in lines(hard(text, width)))
ways = {
    "quoted": lambda t: around("> ", t), "quoted twice": lambda t: around(">> ", t), "quoted without a blank": lambda t: around(">", t),
    "wrapped and quoted": lambda t: around("> ", hard(t, 80)), "quoted and wrapped": lambda t: hard(around("> ", t), 80),
    "quoted with a label": lambda t: around("> ", around("[rank0]: ", t)),
    "with bars": lambda t: around("| ", t), "in a box": lambda t: around("\u2502 ", screen(t, 100), " \u2502"),
    "indented": lambda t: around("    ", t), "indented by a tab": lambda t: around("\t", t),
    "with fences": lambda t: "It fails:\n\n```\n" + t.rstrip("\n") + "\n```\n\nWhat can I do?\n",
    "with fences of a language": lambda t: "~~~python\n" + t.rstrip("\n") + "\n~~~\n",
    "colored": lambda t: around("\033[31m", t, "\033[0m"), "with a title and bold words":
        lambda t: "\033]0;train\007" + re.sub(r"\b(memory|hbm|Size|free)\b", "\033[1m\\1\033(B\033[m", t),
    "a screen": lambda t: screen(t, 100), "a screen of 80 columns": lambda t: screen(t, 80), "a screen, between words": lambda t: screen(soft(t, 100), 100),
    "with blanks behind lines": lambda t: around("", t, "   "), "with a blank and CR": lambda t: around("", t, " \r"), "with CR LF": lambda t: hard(t, 80).replace("\n", "\r\n"),
    "in less": lambda t: hard(t, 100).rstrip("\n") + "\n~\n~\n(END)\n", "in tmux": lambda t: hard(t, 100).rstrip("\n") +
        "\n[0] 0:python3*                                                   \"tpu-vm-0\" 03:12 24-Nov-26\n",
    "with typographic quotes": smart, "with the blanks of HTML": lambda t: t.replace(" ", "\u00a0"),
    "with a byte order mark": lambda t: "\ufeff" + t,
}
wrong = 0
for name, text in own(srcdir).items():
    want = says(program, text)
    if not finds(want):
        sys.exit(f"{name}: no error found")
    for way, change in ways.items():
        if says(program, change(text)) != want:
            wrong += 1
            print(f"{name}, {way}: says something else")
sys.exit(wrong > 0)
P
