# Sourced by the tests here.  `try ARGS` shows a command, what it printed and its status, with paths made the same everywhere.
set -u
sample=$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz
try() {
	printf '$ tpuscope'
	printf ' %s' "$@" | sed "s#$srcdir/##g"
	echo
	"$tpuscope" "$@" >try.out 2>try.err </dev/null
	try_status=$?
	sed "s#$srcdir/##g" try.out
	sed "s#$srcdir/##g; s#^#stderr: #" try.err
	echo "status $try_status"
	echo
}
