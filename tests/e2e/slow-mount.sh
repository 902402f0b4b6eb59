# A logdir on a slow mount: keys are answered while it is asked for news, which come late, and the end waits for nobody.
. "$srcdir/tests/e2e/lib.sh"
${CC:-cc} -shared -fPIC -o slowmount.so "$srcdir/tests/lib/slowmount.c" 2>/dev/null || { echo "no shared library can be made"; exit 77; }
if ! LD_PRELOAD=$PWD/slowmount.so "$tpuscope" --version >/dev/null 2>&1; then
	echo "this build cannot be run with another library before it"
	exit 77
fi
rm -rf slow && mkdir -p slow/plugins/profile/2024_01_01
zcat "$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >slow/plugins/profile/2024_01_01/h.xplane.pb

now_ms() {
	date +%s%3N
}

# answers KEY REGEX: a key is answered, however long the mount takes.
answers() {
	before=$(now_ms)
	keys "$1"
	wait_for "$2"
	took=$(($(now_ms) - before))
	[ $took -lt 1500 ] || fail "$1 took $took ms"
}

start
run "LD_PRELOAD=$PWD/slowmount.so tpuscope slow"
wait_for 'run 2024_01_01 (1 of 1)'
sleep 1.5	# the mount is asked by now
answers M-3 'whole run'
answers M-2 'Overview'
mkdir slow/plugins/profile/2024_02_02
cp slow/plugins/profile/2024_01_01/h.xplane.pb slow/plugins/profile/2024_02_02/h.xplane.pb
answers M-3 'whole run'
wait_for 'new run 2024_02_02 (seen by polling): F5 opens it'
sleep 2		# it is asked again
before=$(now_ms)
keys Q
wait_for 'shell>'
[ $(($(now_ms) - before)) -lt 1500 ] || fail "the end waited for the mount"
