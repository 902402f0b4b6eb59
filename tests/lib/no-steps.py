"""Takes the lines "Steps" out of the planes of an XSpace: no-steps.py FROM TO."""
import gzip, sys

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
from wire import varint, fields


def is_steps(line):
    return any(number == 2 and content == b"Steps" for number, content, _ in fields(line))


data = open(sys.argv[1], "rb").read()
data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
out = []
for number, content, whole in fields(data):
    if number == 1:
        plane = b"".join(w for n, c, w in fields(content) if n != 3 or not is_steps(c))
        whole = b"\x0a" + varint(len(plane)) + plane
    out.append(whole)
open(sys.argv[2], "wb").write(b"".join(out))
