# The man page knows every option, command, report and key, and lints.
. "$srcdir/tests/cli/lib.sh"
page=$srcdir/man/tpuscope.1
failed=0
"$tpuscope" --help >help || exit 1
for option in $(sed -n 's/^ .. *\(--[a-z-]*\).*/\1/p' help); do
	dashed=$(echo "$option" | sed 's/-/\\\\-/g')
	grep -q -e "$dashed" "$page" || { echo "$option is not in $page"; failed=1; }
done
for tool in $(sed -n '/^TOOL/,/^$/s/^  \([a-z_]*\) .*/\1/p' help); do
	grep -q "$tool" "$page" || { echo "report $tool is not in $page"; failed=1; }
done
test "$(sed -n '/^TOOL/,/^$/p' help | wc -l)" -gt 3 || { echo "no tools in --help"; failed=1; }
"$tpuscope" --list-keys=man >keys || exit 1
sed -n '/keys-begin/,/keys-end/{/keys-/!p}' "$page" >page-keys
diff -u page-keys keys || { echo "rewrite the block with: tpuscope --list-keys=man"; failed=1; }
sed -n '/findings-begin/,/findings-end/s/^\.B \([a-z_]*\)$/\1/p' "$srcdir/man/tpuscope.5" >page-rules
sed -n '/^#/!s/\t.*//p' "$srcdir/data/findings.tsv" >rules
test -s rules || failed=1
diff -u page-rules rules || { echo "the rules in tpuscope.5 are not those of data/findings.tsv"; failed=1; }
if command -v mandoc >/dev/null; then
	for p in "$srcdir"/man/*.[15]; do
		mandoc -Tlint -W warning "$p" || failed=1
	done
fi
exit $failed
