# A capture whose events do not fit is shown where the kernel allows no more than 24 bytes for each, mapped files with them: 1.2 GB for 50 million, with
# CGROUP_EVENTS=50000000.
. "$srcdir/tests/cli/lib.sh"
skip() {
	echo "SKIP: $1"
	exit 77
}
grep -q "^#define ENABLE_SANITIZE" "$top_builddir/config.h" && skip "sanitizers take memory of their own"
command -v python3 >/dev/null || skip "python3 is not here to write the file"
group=/sys/fs/cgroup/memory/tpuscope-$$ limit=memory.limit_in_bytes
test -d /sys/fs/cgroup/memory || group=/sys/fs/cgroup/tpuscope-$$ limit=memory.max
mkdir "$group" 2>/dev/null || skip "no memory cgroup can be made here"
trap 'rmdir "$group"' EXIT
test -w "$group/$limit" || skip "the memory of a cgroup cannot be bounded here"
events=${CGROUP_EVENTS:-6000000}
python3 - "$srcdir" "$events" <<'P'
import sys
sys.path.insert(0, sys.argv[1] + '/tests/lib')
from wire import field, varint
n, lines = int(sys.argv[2]), 6
with open('events.xplane.pb', 'wb') as f:
    for k in range(lines):
        events = b''.join(field(4, b'\x08' + varint(1 + i % 500) + b'\x10' + varint(10 * i) + b'\x18\x05') for i in range(n // lines))
        names = b''.join(field(4, b'\x08' + varint(i) + field(2, b'\x08' + varint(i) + field(2, b'op.%d' % i))) for i in range(1, 501))
        f.write(field(1, field(2, b'/device:TPU:%d' % k) + names + field(3, field(2, b'XLA Ops') + events)))
P
bytes=$((events * 24))
bound() { # ARGS
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$tpuscope" "$@" --memory $((bytes / 1024 * 85 / 100))KB events.xplane.pb >out 2>err
}
echo "$bytes" >"$group/$limit" || skip "the memory of a cgroup cannot be bounded here"
bad=0
for what in "report info" "report trace --by name" "report steps" "snapshot timeline --keys /op.77<Enter>nnNi"; do
	bound $what
	status=$?
	[ $status -le 1 ] || { echo "$what: status $status with $bytes bytes for $events events"; cat err; bad=1; }
	echo "$what: status $status"
done
"$tpuscope" report trace --by name events.xplane.pb >all
bound report trace --by name
cmp out all || bad=1
exit $bad
