# Text for people: it fits the width, what does not fit is said, rows can be told apart, numbers have their units.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }
report() { "$tpuscope" report "$@" --demo 2>err; }
tools="info findings overview input_pipeline memory memory_profile pod trace steps hlo_stats framework_ops op_profile roofline"

for width in 100 80 60 40; do
	for tool in $tools; do
		report $tool --width $width >out || bad "report $tool --width $width: $(cat err)"
		test -s out || bad "report $tool --width $width is empty"
		grep "^.\{$((width + 1))\}" out >long && bad "report $tool --width $width: $(head -1 long)"
	done
done
report hlo_stats --width 100 >want
report hlo_stats | cmp want - || bad "not 100 columns where there is no terminal"
"$tpuscope" report hlo_stats --demo --width 7 >out 2>err
test $? = 2 || bad "--width 7 passed"
report hlo_stats --width 80 | grep -q '^not shown: [a-zA-Z]' || bad "columns are left out silently"
report hlo_stats --width 400 | grep -q '^not shown' && bad "columns are left out without need"

# A path keeps its end, sentences are wrapped.
report framework_ops --width 100 --top 12 | sed -n '/^with_idle/,/^$/s/.* \(jit([^ ]*\)$/\1/p' >ops
test "$(wc -l <ops)" -gt 5 || bad "no ops: $(cat ops)"
test "$(sort -u ops | wc -l)" -ge "$(($(wc -l <ops) - 2))" || bad "ops cannot be told apart: $(cat ops)"
report overview --width 100 >out
grep -q '…' out && sed -n '/^overview/,/^top_ops/p' out | grep '…' >cut && bad "formulas are cut: $(cat cut)"
sed -n '/^recommendations/,/^$/p' out | grep '…' && bad "advice is cut"

# Findings: --top N and --sort give the same list.
report findings >all
test "$(sed -n '/^findings$/,/^$/p' all | grep -c '^\(high\|medium\|low\) ')" -gt 2 || bad "no findings: $(cat all)"
report findings --top 2 >one
test "$(sed -n '/^findings$/,/^$/p' one | grep -c '^\(high\|medium\|low\) ')" = 2 || bad "--top 2: $(cat one)"
sed -n '/^findings$/,/^$/p' one | sed '/and [0-9]* more: without --top/d;/^$/d' >block
grep -q 'and [0-9]* more: without --top' one || bad "--top: the rest is not counted"
sed -n '/^findings$/,/^$/p' all | head -"$(wc -l <block)" | cmp block - || bad "--top 2 is another list"
for part in checked missing; do
	for how in '--top 1' '--sort severity'; do
		sed -n "/^$part\$/,/^\$/p" all >want
		report findings $how | sed -n "/^$part\$/,/^\$/p" | cmp - want || bad "findings $how: $part is gone"
	done
done
report findings --sort id:asc --format csv | grep '^[a-z_]*,[a-z]*,' | sed 1d | cut -d, -f2 >want
report findings --sort id:asc | sed -n '/^findings$/,/^$/s/^\(high\|medium\|low\) .*/\1/p' | cmp want - || bad "findings --sort id:asc"

# Units.
report overview | grep -q '^profile start time  *20[0-9-]* [0-9:]* UTC$' || bad "the begin is no date"
report roofline >out
grep -q '^peak FLOP rate  *197000 GFLOP/s$' out && grep -q '^peak HBM BW  *819.000 GB/s$' out || bad "roofline: $(head -20 out)"
grep -q '^megacore  *no$' out || bad "megacore: $(grep megacore out)"
report memory | grep -q '^peak heap  *[0-9.]* MiB$' || bad "memory: $(report memory | head -12)"
report op_profile | grep -q '^DVFS time scale  *1.0000$' || bad "op_profile"
for tool in $tools; do
	report $tool >out
	grep -n '[0-9] us\>\|- ms$\|[a-z]Mib\>' out && bad "report $tool: raw units"
done
report op_profile --format csv | sed 1d | cut -d, -f2 | grep '^"* ' && bad "op_profile: names with leading blanks in CSV"
report op_profile | grep -q '^    2      [a-z]' || bad "op_profile: no tree in text"
exit $failed
