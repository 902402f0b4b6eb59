# What shows files has given up starting programs and the network, as /proc says.
. "$srcdir/tests/cli/lib.sh"
grep -q '^Seccomp:' /proc/self/status 2>/dev/null || {
	echo "SKIP: this kernel cannot"
	exit 77
}
grep -q '^#define ENABLE_SANITIZE' "$top_builddir/config.h" && {
	echo "SKIP: reports of sanitizers start programs"
	exit 77
}
case $(uname -m) in
x86_64 | aarch64) ;;
*)
	echo "SKIP: not on this processor"
	exit 77
	;;
esac
failed=0
mkfifo pipe
for command in 'report info' 'report findings' triage 'snapshot files' bench; do
	"$tpuscope" $command --config none - <pipe >/dev/null 2>&1 &
	pid=$!
	exec 3>pipe
	i=0
	while test $i -lt 100 && ! grep -q '^Seccomp:.*2' "/proc/$pid/status" 2>/dev/null; do
		i=$((i + 1))
		sleep 0.1
	done
	grep -q '^NoNewPrivs:.*1' "/proc/$pid/status" && test $i -lt 100 || {
		echo "$command: may still start programs"
		failed=1
	}
	exec 3>&-
	wait $pid
done
exit $failed
