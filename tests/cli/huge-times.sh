# Sums of times that a file makes as long as it likes stop at the limit: no number on the screen turns negative, and
# nothing that depends on them fails.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
rm -rf huge && mkdir huge && cd huge || exit 1
PYTHONPATH="$srcdir/tests/lib" PYTHONDONTWRITEBYTECODE=1 python3 - <<'END' || exit 1
import sys
sys.argv = ['hostile.py']
from hostile import device, event, host, line, plane, space, stat
length = 2 ** 61
open('cores.xplane.pb', 'wb').write(space(
    *(plane(c + 1, '/device:TPU:%d' % c,
            [line(1, 'XLA Ops', [event(1, i * length, length) for i in range(3)]), line(2, 'XLA Modules', [event(2, 0, 3 * length)]),
             line(3, 'Steps', [event(3, 0, 3 * length, stat(3, 1))])],
            ['%fusion.1 = f32[4] fusion(f32[4] %p)', 'jit_f(7)', '1'], ['program_id', 'hlo_category', 'group_id'],
            lambda i: [stat(1, 7), stat(2, 'fusion')]) for c in range(4)),
    host([event(1, 0, 2 ** 62) for _ in range(5)], ['x'])))
# ops far beyond the ends of their step
open('beyond.xplane.pb', 'wb').write(space(
    *(device([event(1, i * length, length) for i in range(3)], ['%fusion.1 = f32[4] fusion(f32[4] %p)'], key=c + 1, core=c) for c in range(4))))
open('threads.xplane.pb', 'wb').write(space(*(
    plane(i, '/host:p%d' % i, [line(k, 'l%d' % k, [event(1, i * 5, 2 ** 63 - 10 * i - 50)]) for k in range(1, 9)], ['e']) for i in range(1, 5))))
END
failed=0
for file in cores threads; do
	for view in timeline pod kernels overview ops; do
		for keys in '' jji 'jjjiV#' 'G<Enter>'; do
			"$tpuscope" snapshot $view $file.xplane.pb --config none --keys "$keys" >out 2>err
			status=$?
			# 1: there is nothing for this view
			test $status = 0 || test $status = 1 || { echo "$view of $file after \"$keys\": status $status"; failed=1; }
			grep -q -e ' -[0-9]' out && { echo "$view of $file after \"$keys\" has a negative number: $(grep -m 1 -e ' -[0-9]' out)"; failed=1; }
		done
	done
	for tool in trace steps pod overview findings; do
		"$tpuscope" report $tool $file.xplane.pb --format csv >out 2>err
		grep -q -e ',-[0-9]' out && { echo "report $tool of $file has a negative number: $(grep -m 1 -e ',-[0-9]' out)"; failed=1; }
	done
done
"$tpuscope" snapshot findings cores.xplane.pb --config none >out || failed=1
grep -q 'Step [1-9][0-9.]* s' out || { echo "the step of the findings: $(head -n 5 out)"; failed=1; }
for keys in '' jji 'G<Enter>'; do
	"$tpuscope" snapshot pod beyond.xplane.pb --config none --keys "$keys" >out 2>err || { echo "pod of beyond after \"$keys\": status $?"; failed=1; }
done
exit $failed
