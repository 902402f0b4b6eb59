#!/bin/sh
# The key bar of every view says how to get help, however narrow the screen is, and the help of the timeline has all its keys.
failed=0
number=0
views=$("$tpuscope" snapshot nothing --demo 2>&1 | sed 's/.*views: //; s/,//g')
for view in $views; do
	case $view in triage) from=$top_srcdir/tests/fuzz/corpus/triage/list ;; tf_graph) from=$top_srcdir/tests/fuzz/corpus/tf-events/events ;; ptxla) from=$top_srcdir/tests/fuzz/corpus/ptxla/steps ;; llo) from=$top_srcdir/tests/fuzz/corpus/llo/bundles ;; kernels) from=$top_srcdir/tests/fuzz/corpus/xspace/gpu.xplane.pb ;; diff) from="--demo --against $top_srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" ;; *) from=--demo ;; esac
	for size in 40x8 80x24 120x40 200x60; do
		number=$((number + 1))
		"$tpuscope" snapshot "$view" $from --size $size 2>err | tail -1 >bar
		if grep -q '? help' bar; then
			echo "ok $number - $view $size"
		else
			echo "# \"$(cat bar)\" $(cat err)"
			echo "not ok $number - $view $size"
			failed=1
		fi
	done
done

"$tpuscope" --list-keys | sed -n '/^Timeline$/,/^$/s/^  //p' >keys
"$tpuscope" snapshot timeline --demo --size 120x120 --keys '?' | cut -c1-60 | tr -s ' ' | sed 's/ $//' >help
awk '{	# the name of the action stands between its keys and its help
	for (i = 1; $i !~ /^[a-z]+(-[a-z]+)*$/ || length($i) < 2; i++)
		;
	$i = ""
	gsub(/ +/, " ")
	print " " $0
}' keys >want
missing=$(grep -v -x -F -f help want)
number=$((number + 1))
if [ -s want ] && [ -z "$missing" ]; then
	echo "ok $number - all keys are in the help"
else
	echo "$missing" | sed 's/^/# /'
	echo "not ok $number - all keys are in the help"
	failed=1
fi
echo "1..$number"
exit $failed
