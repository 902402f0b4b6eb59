# Kinds of time have one name and one color: src/analyze/device/kinds.def and ui/widget/kind.c.  No second list of names, and all views show these.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$1"
	failed=1
}
def=$srcdir/src/analyze/device/kinds.def
sed -n 's/^CLASS([A-Z_]*, "[a-z]*", "\([^"]*\)".*/\1/p; s/^TIME([A-Z_]*, "\([^"]*\)".*/\1/p' "$def" >names
test "$(wc -l <names)" -gt 15 || bad "no names in $def"

# Two words are nobody else's by accident; columns of XProf's tables have its titles.
grep ' ' names | while read -r name; do
	(cd "$srcdir" && find src ui -name '*.[ch]' -o -name '*.def' | grep -v 'device/kinds.def$' | xargs grep -n "\"$name\"" | grep -v ':COLUMN(')
done >second
grep -vn '^$' second && bad "these names stand in a second list"
(cd "$srcdir" && grep -rnE 'ROLE_BLOCK_(IO|WAIT|HOST)\b' ui/view) | grep -vE '/(memory|memprof|triage)/|view/input/card.c' && bad "a kind of time has a color of its own there"

# What stands behind the sign of a part of a step is such a name.
for view in findings overview; do
	"$tpuscope" snapshot $view "$sample" --size 120x40 >frame || bad "no $view"
	grep -oE '[█▓▒▞░] [a-z][A-Za-z, ]*[a-z]' frame | cut -c5- | sed 's/ *$//' | sort -u >shown
	test "$(wc -l <shown)" -ge 4 || bad "$view: no legend"
	grep -vxFf names shown && bad "$view: no kinds of time"
	grep -qx 'matmul' shown || bad "$view: no matmul"
done
"$tpuscope" snapshot timeline "$sample" --size 120x40 | sed -n 's/^  [MVXCI] \([a-zA-Z, ]*[a-z]\)   .*/\1/p' >shown
sed -n 's/^CLASS([A-Z_]*, "[a-z]*", "\([^"]*\)".*/\1/p' "$def" | head -5 | diff - shown || bad "timeline: other names, or another order"

# A converted trace whose ops have no category does not tell matmuls from other compute: there they are one kind.
if command -v python3 >/dev/null; then
	python3 "$srcdir/tests/lib/as-trace-json.py" "$sample" all.trace.json || bad "no trace JSON"
	sed 's/"hlo_category"/"hlo_other"/g' all.trace.json >none.trace.json
	"$tpuscope" snapshot timeline none.trace.json --size 120x40 >frame
	grep -q '^  V compute  *6[0-9]\.' frame || bad "timeline: compute of unknown kinds is not one"
	grep -q 'M matmul' frame && bad "timeline: matmuls that nobody knows"
fi
exit $failed
