# A pattern that reaches the limit of the library is an error: what it did not match is not known.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the file"; exit 77; }
rm -rf expensive && mkdir expensive && cd expensive || exit 1
PYTHONPATH="$srcdir/tests/lib" PYTHONDONTWRITEBYTECODE=1 python3 - <<'END' || exit 1
import sys
sys.argv = ['hostile.py']
from hostile import event, host, space
open('a.xplane.pb', 'wb').write(space(host([event(1, i * 9, 5) for i in range(9)], ['a' * 40 + 'b0'])))
END
bad='^(a+)+$|b0$'
failed=0
# error ARGUMENT...: fails as a mistake in the command does, and says why
error() {
	"$tpuscope" "$@" >out 2>err </dev/null
	status=$?
	test $status = 2 && grep -q 'pattern too expensive: ' err || { echo "$*: status $status, $(cat err)"; failed=1; }
}
# screen KEYS WANT: the screen says WANT
screen() {
	"$tpuscope" snapshot timeline a.xplane.pb --config none --keys "$1" >out 2>err || { echo "keys $1 fail"; failed=1; }
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
exit $failed
