# Every view and every report opens every odd file of the fuzzers' corpus, one by one, and those of the folders in
# SAMPLES; most useful when built with sanitizers.
. "$srcdir/tests/cli/lib.sh"
tools=$("$tpuscope" report none x 2>&1 | sed 's/.*reports: //; s/,//g')
views=$("$tpuscope" snapshot none x 2>&1 | sed 's/.*views: //; s/,//g')
case "$tools$views" in
*info*timeline*) ;;
*)
	echo "no lists of reports and views: $tools $views"
	exit 1
	;;
esac
keys=
for view in $views; do
	keys="$keys:view $view<Enter>jj<Enter>j<Esc>"
done
ASAN_OPTIONS=${ASAN_OPTIONS-}:exitcode=99 UBSAN_OPTIONS=${UBSAN_OPTIONS-}:exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS
failed=0
check() {
	timeout 60 "$tpuscope" "$@" >frame 2>err
	status=$?
	case $status in
	0 | 1 | 2 | 3) ;;
	*)
		echo "$*: status $status"
		head -5 err
		failed=1
		;;
	esac
}
find "$srcdir/tests/fuzz/corpus" ${SAMPLES-} -type f | sort >files
while read -r f; do
	for glyphs in '' --ascii; do
		check snapshot files $glyphs --config none --keys "$keys" "$f"
	done
	for tool in $tools; do
		check report "$tool" --config none "$f"
	done
	check triage --config none "$f"
done <files
exit $failed
