# The man pages know every option where it belongs, every command, report, view, id, key, rule, chip and table, and lint; what points to tpuscope(7) arrives.
# UPDATE=1 writes the blocks of keys, of words and of chips anew.
. "$srcdir/tests/cli/lib.sh"
page=$srcdir/man/tpuscope.1
formats=$srcdir/man/tpuscope.5
numbers=$srcdir/man/tpuscope.7
failed=0
bad() {
	echo "$1"
	failed=1
}
same() { # WANTED GOT WHAT
	test -s "$1" || bad "nothing to compare: $3"
	diff -u "$1" "$2" || bad "$3"
}
section() { # FROM TO FILE, patterns of headings
	sed -n "/^\.S[HS] \"*$1\"*\$/,/^\.$2/p" "$3"
}
plain() { # the text of a page without fonts
	sed 's/\\f[BIRP]//g; s/\\-/-/g; s/^\.[BIR]\{1,2\} //; s/"//g'
}
"$tpuscope" --help >help || exit 1

# Headings, options and the reports that take them, in the order of --help, whose long lines are continued on the next.
awk '/^Everywhere/ { on = 1 } /^Options of/ { on = 0 }
	on && /^[A-Z].*:$/ { put(); print substr($0, 1, length($0) - 1); next }
	on && match($0, /^  (-., |    )--[a-z-]+/) { n = RLENGTH; put(); option = substr($0, 7, n - 6); text = $0; next }
	on { sub(/^ +/, " "); text = text $0 }
	function put() {
		if (option)
			print option (match(text, /\(report[^()]*\)$/) ? " " substr(text, RSTART) : "")
		option = ""
	}
	END { put() }' help >want
section OPTIONS 'SH QUERIES' "$page" | plain | awk '
	/^\.SS / { put(); print substr($0, 5); next }
	/^\.TP$/ { put(); tag = 1; next }
	tag { match($0, /--[a-z-]+/); option = substr($0, RSTART, RLENGTH); tag = 0; next }
	option && /^\(report/ { option = option " " $0 }
	function put() { if (option) print option; option = "" }
	END { put() }' >got
same want got "OPTIONS of $page are not those of --help"
for command in $(sed -n 's/^  tpuscope \([a-z]*\) .*/\1/p' help); do
	section COMMANDS 'SH OPTIONS' "$page" | plain | grep -q "^$command " || bad "$command is not in COMMANDS of $page"
done
awk '/^TOOL/ { on = 0 } /^  kinds of files/ { on = 1; sub(/.*opens/, "") } on { printf "%s", $0 } END { print "" }' help | tr -s ' ' | sed 's/, /\n/g; s/^ //' >kinds
test "$(wc -l <kinds)" -gt 20 || bad "--help names too few kinds of files"
section "FILE KINDS" SH "$numbers" | plain | awk '/^\.TP/ { getline; print }' | sed 's/, /\n/g' >heads
while read -r kind; do
	grep -q "\(^\| \)$kind$" heads || bad "\"$kind\" of --help is not in FILE KINDS of $numbers"
done <kinds
sed -n 's/^SUFFIX([A-Z_]*, "\(.*\)")$/\1/p' "$srcdir/src/model/file_kinds.def" >suffixes
test "$(wc -l <suffixes)" -gt 5 || bad "file_kinds.def has too few suffixes"
section "FILE KINDS" SH "$numbers" | plain >kinds
while read -r suffix; do
	grep -qF "*$suffix" kinds || bad "*$suffix is not in FILE KINDS of $numbers"
	sed -n '/^Files it opens/,/^Reports/p' "$srcdir/README" | grep -qF "*$suffix" || bad "*$suffix is not in the README"
done <suffixes
"$tpuscope" snapshot nothing --demo 2>&1 | sed 's/.*views: //' | tr -d ' ' | tr , '\n' >want
sed -n '/^\.I VIEW$/,/^\.TP/s/^\.BR \([a-z_]*\) .*/\1/p' "$page" >got
same want got "the views in $page"

# Every column and every member of a summary is listed (facts.sh looks at more captures).
known() { # TOOL ARGS...
	tool=$1
	shift
	"$tpuscope" "$@" --format json >doc || bad "$*"
	grep '^"columns":' doc | grep -o '"id":"[^"]*"' | sed 's/"id":"//; s/"//' >ids
	test -s ids || case $tool in op_profile | graph) ;; *) false ;; esac || bad "no columns in $*"
	grep '^"summary":' doc | sed 's/^"summary"://' | grep -o '"[A-Za-z0-9_]*":' | tr -d '":' >>ids
	sed -n "/^$tool\(\$\|: \)/,/^\$/s/^  \([A-Za-z0-9_]*\) .*/\1/p" columns | sort -u >listed
	for id in $(sort -u ids | comm -23 - listed); do
		bad "--list-columns: $id of $* is not there"
	done
}
"$tpuscope" --list-columns >columns || exit 1
tools=$(sed -n '/^TOOL/,/^$/s/^  \([a-z_]\{1,\}\) .*/\1/p' help)
test "$(echo "$tools" | wc -l)" -gt 3 || bad "no tools in --help"
for tool in $tools; do
	section COMMANDS 'SH OPTIONS' "$page" | grep -q "^\.B $tool\$" || bad "report $tool is not in COMMANDS of $page"
	case $tool in
	compat | graph) of=$srcdir/tests/fuzz/corpus/tf-graph/graph ;;
	metrics) of=$srcdir/tests/fuzz/corpus/ptxla/steps ;;
	ptxla_debug) of=$srcdir/tests/fuzz/corpus/ptxla/debug ;;
	*) of=--demo ;;
	esac
	known $tool report $tool "$of"
done
known trace report trace --demo --args --top 1
for by in name track step; do
	known trace report trace --demo --by $by --top 1
done
for by in kernel op stream; do
	known kernels report kernels --demo --by $by
done
known communication report communication --demo --by kind
known triage triage "$srcdir/tests/fuzz/corpus/triage/list"

"$tpuscope" --list-keys=man >want || exit 1
if [ "${UPDATE:-}" = 1 ]; then
	sed '/keys-begin/,/keys-end/{/keys-/!d}' "$page" | sed '/keys-begin/r want' >new && cat new >"$page"
fi
sed -n '/keys-begin/,/keys-end/{/keys-/!p}' "$page" >got
same want got "the block of keys in $page is not what tpuscope --list-keys=man prints: UPDATE=1 writes it"

# The page of columns is printed by the program; each column is there with its unit and what it means.
"$tpuscope" --list-columns=man >tpuscope-columns.7 || exit 1
sed -n 's/^  \([A-Za-z0-9_]*\) .*/\1/p' columns | sort -u >want
sed -n 's/^\\fB\([A-Za-z0-9_]*\)\\fR.*/\1/p' tpuscope-columns.7 | sort -u >got
same want got "tpuscope-columns(7) does not have the columns of --list-columns"
awk '/^  / && NF < 3 { print; bad = 1 } END { exit bad }' columns || bad "--list-columns: a column has no meaning"

# The words of others stand in the page as in the help, in order (t-widget.c searches for each in the help).
sed -n 's/^WORD("\(.*\)", "\(.*\)")$/\1	\2/p' "$srcdir/ui/core/input/glossary.def" >words
test "$(wc -l <words)" -gt 77 && LC_ALL=C sort -f -c words || bad "glossary.def is short, or not in order"
sed "s/-/\\\\-/g; s/'/\\\\(aq/g" words | awk -F'\t' '{ print ".TP 30\n\\fB" $1 "\\fR\n" $2 }' >want
if [ "${UPDATE:-}" = 1 ]; then
	sed '/words-begin/,/words-end/{/words-/!d}' "$numbers" | sed '/words-begin/r want' >new && cat new >"$numbers"
fi
sed -n '/words-begin/,/words-end/{/words-/!p}' "$numbers" >got
same want got "the glossary in $numbers is not ui/core/input/glossary.def: UPDATE=1 writes it"

# The compiled-in tables are described: rules with their thresholds, kinds of errors with their titles.
ls "$srcdir"/data/*.tsv | sed 's,.*/,,' | sort >want
sed -n '/^\.SH DATA TABLES/,/^\.SH FILES/s/^\.I \(.*\.tsv\)$/\1/p' "$formats" | sort >got
same want got "the tables in $formats are not data/*.tsv"
awk -F'\t' '!/^#/ { print $1, $3, $4, $5 ($8 == "-" ? "" : " " $8) }' "$srcdir/data/findings.tsv" >want
sed -n '/rules-begin/,/rules-end/s/^\\fB\([a-z_]*\)\\fR \(.*\)/\1 \2/p' "$numbers" | plain >got
same want got "rules or thresholds in $numbers are not those of data/findings.tsv"
awk -F'\t' 'BEGIN { print ".EX"; row("device", "TFLOP/s", "HBM GB/s", "planes", "GiB", "usable", "link", "links", "inside") }
	!/^#/ { row($1, $2, $3, $4, $5, $6, $7, $8, $9) }
	END { print ".EE" }
	function known(x) { return x == "-" ? sprintf("%6s", "") "\\(en" : sprintf("%7s", x) }
	function row(a, b, c, d, e, f, g, h, i) { print sprintf("    %-12s %8s %9s %7s %5s ", a, b, c, d, e) known(f) known(g) known(h) known(i) }' "$srcdir/data/chips.tsv" >want
if [ "${UPDATE:-}" = 1 ]; then
	sed '/chips-begin/,/chips-end/{/chips-/!d}' "$numbers" | sed '/chips-begin/r want' >new && cat new >"$numbers"
fi
sed -n '/chips-begin/,/chips-end/{/chips-/!p}' "$numbers" >got
same want got "the table of chips in $numbers is not that of data/chips.tsv: UPDATE=1 writes it"
"$tpuscope" report pod --demo --table cores --format csv | sed -n '1s/,/\n/gp' |
	sed -n '/^high_flops_us$/,/^megacore_wait_us$/p' | grep -v '^async_' | sort >want # a part of others
sed -n '/metrics-begin/,/metrics-end/s/^\.B \(.*\)/\1/p' "$numbers" | sort >got
same want got "the metrics in $numbers are not those of report pod"
awk -F'\t' '!/^#/ { print $1; print $5 }' "$srcdir/data/triage.tsv" >want
sed -n '/kinds-begin/,/kinds-end/{/kinds-/d;/^\.TP$/d;/^\.R[SE]$/d;p}' "$formats" | plain >got
same want got "kinds in $formats are not those of data/triage.tsv"

# References to tpuscope(7) in the source are valid; no comment refers to a document that is not in the tree.
sed -n 's/^\.SH //p' "$numbers" | tr -d '"' >sections
(cd "$srcdir" && find src ui tests data README HACKING man/*.[15] -type f ! -path 'tests/scratch/*' ! -path tests/cli/man.sh \
	\( -name '*.[ch15]' -o -name '*.def' -o -name '*.tsv' -o -name '*.proto' -o -name '*.sh' -o -name '*.am' -o -name README -o -name HACKING \)) |
	while read -r file; do
		# one line, without the marks of comments
		sed 's/^[[:space:]]*\(\/\*\|\*\|#\|\/\/\)//' "$srcdir/$file" | tr -s ' \t\n' ' ' | tr -d '\000' |
			grep -aoE 'tpuscope\(7\), [A-Z]+( [A-Z]+)*' | sed "s/^[^,]*, //; s#\$#	$file#"
	done | sort -u >pointers
test -s pointers || bad "nothing points to $numbers"
while IFS='	' read -r name file; do
	grep -qxF "$name" sections || bad "$file: tpuscope(7) has no section $name"
done <pointers
(cd "$srcdir" && grep -rnE '[a-z]\.md\b|§' src ui data --include='*.[ch]' --include='*.def' --include='*.tsv' --include='*.proto') &&
	bad "these point to documents that are not here"

checked=
if command -v mandoc >/dev/null; then
	checked=yes
	for p in "$srcdir"/man/*.[157] tpuscope-columns.7; do
		mandoc -Tlint -W warning "$p" || failed=1
	done
fi
if command -v groff >/dev/null; then
	checked=yes
	for p in "$srcdir"/man/*.[157] tpuscope-columns.7; do
		groff -Kutf8 -ww -man -Tutf8 "$p" 2>groff.err >/dev/null
		test ! -s groff.err || bad "$(cat groff.err)"
	done
fi
test "$checked" || echo "# neither mandoc nor groff is here: the pages were not checked for errors"
exit $failed
