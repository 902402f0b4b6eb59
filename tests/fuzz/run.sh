# make fuzz MINUTES=N: runs every fuzz target for so long, as many at once as there are processors.  New inputs go
# to fuzz-work/NAME of the build folder and serve the next run; what crashes, hangs or takes too much memory stays
# in fuzz-work/found.  Prints a line for each target; the exit status is 1 when something was found.
# run.sh NAME runs one.  The dictionaries are the texts that the sources of a loader look for.  SAMPLES names folders
# with captures, whose small files the whole program begins with, too.
minutes=${MINUTES:-5}
work=$top_builddir/fuzz-work
mkdir -p "$work/found" || exit 2
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
words_in() {
	grep -ohE '"[^"\\%]{2,40}"' "$@" | grep -v '\.h"$'
}
dictionary_of() (
	cd "$top_srcdir/src" || exit 2
	case $1 in
	*json) words_in load/chrome/*.c load/tool/*.c load/probe/*.c load/build/*.c analyze/tables/*.c ;;
	triage | xla-dump) words_in load/hlo/xla_dump.c analyze/triage/*.c && sed '/^#/d' "$top_srcdir/data/triage.tsv" | tr '\t|' '\n\n' | sed 's/^[ ~]*//; s/ *$//; s/["\\]//g; /^.\{3,60\}$/!d; s/.*/"&"/' ;;
	report | screen) words_in load/*/*.c model/*.c analyze/*/*.c ;;
	*) words_in load/xspace/*.c load/table/*.c load/build/*.c model/*.c analyze/device/*.c analyze/framework/*.c ;;
	esac | LC_ALL=C grep -v '[^ -~]' | LC_ALL=C sort -u
	case $1 in
	tool-json) grep -ohE '[a-z_0-9]+ = [0-9]+;' "$top_srcdir"/data/proto/*.proto | sed 's/\(.*\) = .*/"\1"/' | sort -u ;;
	esac
)
# The whole program begins with the files of all loaders, each in two of the views or as a report.
seeds_of() (
	name=$1 seeds=$work/$1.seeds
	rm -rf "$seeds"
	mkdir -p "$seeds"
	case $name in
	report) echo '--format json' >"$work/$name.how" ;;
	screen) "$top_builddir/tpuscope" snapshot none x 2>&1 | sed -n 's/.*views: //p' | tr -d ',' | tr ' ' '\n' >"$work/$name.how" ;;
	*) exit ;;
	esac
	hows=$(wc -l <"$work/$name.how")
	n=0
	{
		sed -n 's/^\t{ "\([a-z-]*\)", "\([^"]*\)" },$/\1 \2/p' "$top_srcdir/tests/lib/corpus.h" | while read -r folder as; do
			for f in "$top_srcdir/tests/fuzz/corpus/$folder"/*; do
				echo "$as $f"
			done
		done
		test -z "${SAMPLES-}" || find $SAMPLES -type f -size -64k | sed 's|.*/[^/]*\([^/ ]\{60\}\)$|\1 &|; t; s|.*/\([^/ ]*\)$|\1 &|; t; d'
	} | while read -r as f; do
		for again in 1 2; do
			n=$((n + 1))
			how=$(sed -n "$((n % hows + 1))p" "$work/$name.how")
			{
				case $name in
				report) printf '%s\n%s\n' "$as" "$how" ;;
				screen) printf '%s\n%s 80 24\njj<Enter>j<Esc>\n' "$as" "$how" ;;
				esac
				cat "$f"
			} >"$seeds/$n"
		done
	done
)
one() {
	name=$1
	mkdir -p "$work/$name"
	seeds_of "$name"
	dictionary_of "$name" >"$work/$name.dict"
	# from a folder of its own: exports from the screen land there
	cd "$work/$name" || exit 2
	"$top_builddir/tests/fuzz/fuzz-$name" -max_total_time=$((minutes * 60)) -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
		-print_final_stats=1 -artifact_prefix="$work/found/$name-" -dict="$work/$name.dict" . "$top_srcdir/tests/fuzz/corpus/$name" "$work/$name.seeds" >"$work/$name.log" 2>&1
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
