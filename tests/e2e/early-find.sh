# While a trace table is loaded, names are searched in the table beside it, and :goto goes anywhere in it.  What is loaded with it is
# held back as long as the test needs.
. "$srcdir/tests/e2e/lib.sh"
${CC:-cc} -shared -fPIC -o holdgzip.so "$srcdir/tests/lib/holdgzip.c" 2>/dev/null || { echo "no shared library can be made"; exit 77; }
if ! LD_PRELOAD=$PWD/holdgzip.so "$tpuscope" --version >/dev/null 2>&1; then
	echo "this build cannot be run with another library before it"
	exit 77
fi
"$top_builddir/tests/lib/write-levels" 500000 a || exit 99
cp a.SSTABLE b.SSTABLE
cp a.trie.SSTABLE b.trie.SSTABLE
$AWK 'BEGIN {
	print "{\"traceEvents\":["
	for (i = 0; i < 20000; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%d,\"dur\":8,\"name\":\"other.%d\"},\n", 10 * i, i % 7
	print "{}]}"
}' | gzip >z.trace.json.gz

# opening FILE...
opening() {
	touch hold
	run "clear; LD_PRELOAD=$PWD/holdgzip.so tpuscope --no-state $* z.trace.json.gz"
	wait_for 'levels of'
}

start
opening a.SSTABLE
shows 'coarse levels of the table: sums follow' || fail "it is the only table"
keys /
wait_for 'while loading: names that begin with this, case-sensitive'
text 'all-reduce'
keys Enter
wait_for '/all-reduce    hit 1 of 500 in names that begin with this'
wait_for '▼3.500001 ms'
keys n n N
wait_for 'hit 2 of 500'
wait_for 'all events in this window; sums of the run follow'
wait_for 'all-reduce.2 '	# it is selected
text ':goto 2s'
keys Enter
wait_for '▼2.0000000'
keys n
wait_for 'hit 401 of 500'
wait_for '▼2.0035000'
text '/reduce'
keys Enter
wait_for '/reduce: no name begins with this (case-sensitive); full search after loading'
keys Escape
wait_gone 'no name begins'
text '/all-'
keys Enter
wait_for 'hit 401 of 500'
rm hold
wait_for 'hit 401 of 500   1 name'
shows 'levels of\|in this window' && fail 'the capture is open'
keys Q
wait_for 'shell>'
ends_with 0

# Of several tables the first is shown and searched, which is said.
opening a.SSTABLE b.SSTABLE
wait_for 'coarse levels of a.SSTABLE alone: sums follow'
keys /
wait_for 'while loading: names of a.SSTABLE that begin with this, case-sensitive'
text 'fusion.1'
keys Enter
wait_for 'hit [0-9]* of 499,500 in names of a.SSTABLE that begin with this'
rm hold
wait_for '999,000   1 name'
keys Q
wait_for 'shell>'
ends_with 0
