# make fuzz MINUTES=N: runs every fuzz target for so long, as many at once as there are processors.  New inputs go
# to fuzz-work/NAME of the build folder and serve the next run; what crashes, hangs or takes too much memory stays
# in fuzz-work/found.  Prints a line for each target; the exit status is 1 when something was found.
minutes=${MINUTES:-5}
work=$top_builddir/fuzz-work
mkdir -p "$work/found" || exit 2
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
one() {
	name=$1
	mkdir -p "$work/$name"
	dictionary=
	test -f "$top_srcdir/tests/fuzz/$name.dict" && dictionary=-dict=$top_srcdir/tests/fuzz/$name.dict
	# from a folder of its own: exports from the screen land there
	cd "$work/$name" || exit 2
	"$top_builddir/tests/fuzz/fuzz-$name" -max_total_time=$((minutes * 60)) -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
		-print_final_stats=1 -artifact_prefix="$work/found/$name-" $dictionary . "$top_srcdir/tests/fuzz/corpus/$name" >"$work/$name.log" 2>&1
	status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
	echo "$name: ${runs:-0} runs, status $status, see $work/$name.log"
	return $status
}
if test $# = 1; then
	one "$1"
	exit
fi
find "$top_builddir/tests/fuzz" -name 'fuzz-*' -type f -perm -u+x | sed 's|.*/fuzz-||' | sort >"$work/targets"
test -s "$work/targets" || {
	echo "no fuzz targets: configure with CC=clang and --enable-fuzzing"
	exit 2
}
export top_srcdir top_builddir MINUTES
xargs -P "$jobs" -n 1 "$SHELL" "$0" <"$work/targets"
found=$(ls -A "$work/found")
test -z "$found" || {
	echo "found, in $work/found:"
	echo "$found"
	exit 1
}
echo "nothing found in $minutes minutes per target"
