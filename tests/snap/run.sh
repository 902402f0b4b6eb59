#!/bin/sh
# Frames of the bundled sample, or of a file of the source tree among the arguments, against the stored ones: each line of tests/snap/cases is NAME and the arguments of `tpuscope snapshot`; tests/snap/NAME.txt is the frame.
# A frame has exactly the rows asked for, none wider than asked.  UPDATE=1 rewrites the frames: look at the difference before you commit it.
cases=$top_srcdir/tests/snap/cases
grep -v -c '^#' "$cases" | sed 's/^/1../'
number=0
failed=0
base=base.pb	# what $base in the cases is: the sample on faster chips
gzip -dc "$top_srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >sample.pb
cp "$top_srcdir/tests/fuzz/corpus/xspace/host-only.pb" hosts.pb	# what cannot be compared with it
python3 -B "$top_srcdir/tests/lib/slower.py" sample.pb $base -10 || base=

# why NAME ARGS...: makes the frame and says what is wrong with it.
why() {
	name=$1
	shift
	expected=$top_srcdir/tests/snap/$name.txt
	size=120x40
	sample=--demo
	for word; do
		[ "$take" = 1 ] && size=$word
		take=0
		[ "$word" = --size ] && take=1
		case $word in "$top_srcdir"/*) sample= ;; esac
	done
	"$tpuscope" snapshot "$@" $sample >"$name.txt" 2>"$name.err" || echo "exit status $?"
	cat "$name.err"
	[ "$(wc -l <"$name.txt")" = "${size#*x}" ] || echo "should have ${size#*x} rows"
	[ "$(sed "s/$(printf '\033')\[[0-9;]*m//g" "$name.txt" | wc -L)" -le "${size%x*}" ] || echo "wider than ${size%x*} columns"
	if [ "${UPDATE:-}" = 1 ]; then
		cp "$name.txt" "$expected"
	else
		diff -u "$expected" "$name.txt"
	fi
}

while read -r name args; do
	case $name in '#'* | '') continue ;; esac
	number=$((number + 1))
	case $name in sql-*) "$tpuscope" --version | grep -q +sqlite || { echo "ok $number # SKIP built without SQLite"; continue; } ;; esac
	case $name in capture-refused*) "$tpuscope" doctor --config none 2>&1 </dev/null | grep -q '^! protection' && { echo "ok $number # SKIP this kernel or build does not confine the program"; continue; } ;; esac
	case $args in *'$base'*) [ "$base" ] || { echo "ok $number # SKIP python3 makes the base"; continue; } ;; esac
	eval "why $name $args" >"$name.log" 2>&1
	if [ -s "$name.log" ]; then
		sed 's/^/# /' "$name.log"
		echo "not ok $number - $name"
		failed=1
	else
		echo "ok $number - $name"
	fi
done <"$cases"
[ $failed = 0 ] || echo "# If this is how it should be: UPDATE=1 make check TESTS=tests/snap/run.sh"
exit $failed
