# --memory: what loading would take beyond it is left out with a message, or ends the program with one that names the option.
. "$srcdir/tests/cli/lib.sh"
failed=0
# expect STATUS TEXT ARGS: how the program ends, and what it says
expect() {
	want=$1 text=$2
	shift 2
	"$tpuscope" "$@" >out 2>err
	got=$?
	{ test "$got" = "$want" && { test -z "$text" || grep -qF -- "$text" err; }; } || {
		echo "tpuscope $*: status $got, want $want and: $text"
		cat err
		failed=1
	}
}

for size in 4 1M 63M x 4Q -1G 4Gx nan infG; do
	expect 2 "memory $size: must be a size with its unit, at least 64M" report info --memory "$size" --demo
done
for size in 4G 64M 0.5GiB 65536KB 1t; do
	expect 0 '' report info --memory "$size" --demo
done

command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; test $failed = 0 && exit 77; exit 1; }
# 100 MB that pack well, but not as well as a trap
python3 - <<'END'
import gzip, random
random.seed(1)
names = [bytes(random.choices(b'abcdefgh', k=60)) for i in range(1000)]
with gzip.open('big-buffer-assignment.txt.gz', 'wb', 1) as f:
    f.write(b'BufferAssignment:\nallocation 0: size 8, preallocated-temp:\n')
    for i in range(1000000):
        f.write(b' value: <%d %s>\n' % (i, random.choice(names)))
END
more='needs more than the 64 MiB of memory that tpuscope may use; allow more with --memory'
expect 1 "unpacked, it $more" report info --memory 64M big-buffer-assignment.txt.gz
gzip -dc big-buffer-assignment.txt.gz | expect 1 "reading it $more" report info --memory 64M -

grep -q "^#define ENABLE_SANITIZE" "$top_builddir/config.h" && exit $failed
# columns beyond the cap go to a file without a name; what cannot go there, either, is left out; the kernel counts
PYTHONPATH=$srcdir/tests/lib python3 -B - <<'END'
from wire import field, varint
events = b''.join(field(4, b'\x08\x01\x10' + varint(10 * i) + b'\x18\x05') for i in range(6000000))
line = field(2, b'XLA Ops') + events
plane = field(2, b'/device:TPU:0') + field(4, b'\x08\x01\x12\x03\x0a\x01a') + field(3, line)
open('events.xplane.pb', 'wb').write(field(1, plane))
END
expect 0 '' report info events.xplane.pb
mv out all
expect 0 '' report info --memory 128M events.xplane.pb
cmp out all || failed=1
mkdir -p folder
TMPDIR=$PWD/folder expect 0 '' report info --memory 128M events.xplane.pb
cmp out all || failed=1
test -z "$(ls -A folder)" || failed=1
TMPDIR=/nowhere expect 3 'not enough memory for more events' report info --memory 128M events.xplane.pb
grep -q 'no temporary file could be written: /nowhere: No such file or directory; set TMPDIR to another folder' err || { cat err; failed=1; }
grep -q 'allow more with --memory' err || { cat err; failed=1; }
# small files cost what they are, also those that are read because so many cannot be mapped
mkdir -p many
for i in $(seq 1000 5499); do printf '\012\007\022\005/host' >many/h$i.xplane.pb; done
"$tpuscope" report info many --memory 64M >out 2>err
grep -q '4500 files' out || { echo "many small files under 64M: $(head -1 out)"; failed=1; }
rm -r many
exit $failed
