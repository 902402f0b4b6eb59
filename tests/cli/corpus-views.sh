# Every view opens every odd file of the fuzzers' corpus, one by one; most useful when built with
# sanitizers.
. "$srcdir/tests/cli/lib.sh"
keys=
for view in findings overview timeline ops hlo_stats framework_ops roofline input memory memory_profile pod files; do
	keys="$keys:view $view<Enter>jj<Enter>j<Esc>"
done
ASAN_OPTIONS=${ASAN_OPTIONS-}:exitcode=99 UBSAN_OPTIONS=${UBSAN_OPTIONS-}:exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS
failed=0
for f in "$srcdir"/tests/fuzz/corpus/*/*; do
	for glyphs in '' --ascii; do
		timeout 60 "$tpuscope" snapshot files $glyphs --config none --keys "$keys" "$f" >frame 2>err
		status=$?
		case $status in
		0 | 1 | 3) ;;
		*)
			echo "$f $glyphs: status $status"
			head -5 err
			failed=1
			;;
		esac
	done
done
exit $failed
