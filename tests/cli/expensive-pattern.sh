# A pattern that reaches the limit of the library is an error: what it did not match is not known.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the file"; exit 77; }
rm -rf expensive && mkdir expensive && cd expensive || exit 1
PYTHONPATH="$srcdir/tests/lib" PYTHONDONTWRITEBYTECODE=1 python3 - <<'END' || exit 1
import sys
sys.argv = ['hostile.py']
from hostile import event, host, line, plane, space
open('a.xplane.pb', 'wb').write(space(host([event(1, i * 9, 5) for i in range(9)], ['a' * 40 + 'b0'])))
open('t.xplane.pb', 'wb').write(space(plane(9, '/host:CPU', [line(i, 'a' * 40 + 'b%d' % i, [event(1, 0, 5)]) for i in (1, 2)], ['op'])))
END
bad='^(a+)+$|b0$'
failed=0
# error ARGUMENT...: fails as a mistake in the command does, and says why
error() {
	"$tpuscope" "$@" >out 2>err </dev/null
	status=$?
	test $status = 2 && grep -q 'pattern too expensive: ' err || { echo "$*: status $status, $(cat err)"; failed=1; }
}
# screen KEYS WANT [VIEW FILE]: the screen says WANT
screen() {
	"$tpuscope" snapshot "${3:-timeline}" "${4:-a.xplane.pb}" --config none --keys "$1" >out 2>err || { echo "keys $1 fail"; failed=1; }
	grep -q "$2" out || { echo "after $1 the screen does not say \"$2\""; failed=1; }
}
error report trace a.xplane.pb --name "$bad" --by name
error report trace a.xplane.pb --name "$bad"
error report trace a.xplane.pb --query "name~$bad"
error report trace a.xplane.pb --query "name~$bad" --by name
"$tpuscope" report trace a.xplane.pb --name 'b0$' --by name >out || failed=1
screen "/$bad<Enter>" 'pattern too expensive: '
screen "&$bad<Enter>" 'pattern too expensive: '
screen "/name~$bad<Enter>" 'pattern too expensive: '
screen "&name~$bad<Enter>" 'pattern too expensive: '
screen ":view framework_ops<Enter>/nothing<Enter>" 'not found'
screen ":view files<Enter>&a<Enter>" 'a.xplane'
screen "t$bad<Enter>" 'pattern too expensive: ' timeline t.xplane.pb
screen 'tb1$<Enter>' ' of [0-9]* tracks' timeline t.xplane.pb
screen '&^(?:[^!]+)+(?:!|~)$<Enter>' 'pattern too expensive: ' ops "$sample"
grep -q '0 of 0' out && { echo "the filter of ops that gave up stays"; failed=1; }

# the log of triage: nothing is filtered, and the cursor stays
a40=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
{
	echo "I1121 07:59:39.100000   14571 init.cc:10] starting"
	echo "E1121 07:59:39.200000   14571 init.cc:12] The TPU is already in use by process with pid 4242."
	for i in 1 2 3; do echo "${a40}b0 $i"; done
} >a.log
bad='^(a+)+$|b0 [0-9]$'
screen "Lgj&$bad<Enter>" 'pattern too expensive: ' triage a.log
grep -q 'starting' out && grep -q 'b0 3' out || { echo "lines are missing:"; cat out; failed=1; }
screen "L&b0 [23]\$<Enter>" 'b0 3' triage a.log
grep -q 'b0 1' out && { echo "the log is not filtered any more"; failed=1; }
exit $failed
