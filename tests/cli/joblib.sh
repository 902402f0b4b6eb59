# Sourced by the tests that talk to jobs: `job ARGS` starts a fake-job (tests/lib/fake_http.c), whose port is $port; the next one ends it, as does the test.
. "$srcdir/tests/cli/lib.sh"
fake=$top_builddir/tests/lib/fake-job
[ -x "$fake" ] || {
	echo "# built without nghttp2: no captures of running jobs"
	exit 77
}
appears() { # PATTERN FILE: waits until the file has it, 10 s at most
	tries=0
	until grep -qs "$1" "$2"; do
		tries=$((tries + 1))
		[ $tries -lt 500 ] || { echo "$2 does not say $1"; exit 1; }
		sleep 0.02
	done
}
jobs=
end_jobs() {
	for pid in $jobs; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	jobs=
}
trap end_jobs EXIT
more_job() { # as job, beside those that run
	rm -f port log
	mkfifo stay 2>/dev/null
	"$fake" --log log "$@" <>stay >port &
	jobs="$jobs $!"
	appears . port
	port=$(cat port)
}
job() {
	end_jobs
	more_job "$@"
}
# Ports, folders and process ids are others every time.
same_everywhere() {
	sed "s#$PWD/##g; s/127.0.0.1[:_]$port/HOST/g; s/localhost:$port/HOST/g; s/$port/PORT/g"
}
asks() { # ARGS: shows what tpuscope prints and its status
	printf '$ tpuscope %s\n' "$*" | same_everywhere
	"$tpuscope" "$@" </dev/null >ask.out 2>ask.err
	status=$?
	same_everywhere <ask.out
	same_everywhere <ask.err | sed 's/^/stderr: /'
	echo "status $status"
}
