# Modules that XLA compiled (tests/hlo) with one fault each: its detector alone fires, and none does on those without.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() { echo "$1"; failed=1; }

for file in "$srcdir"/tests/hlo/*.txt; do
	name=$(basename "$file")
	case ${name%%.*} in
	clean_*) want= ;;
	unfused_transpose) want=unfused_reshape ;;
	*) want=${name%%.*} ;;
	esac
	"$tpuscope" report hlo_graph "$file" --table waste --format csv >got 2>said || cat said
	got=$(sed 1d got | cut -d, -f1 | sort -u)
	test "$got" = "$want" || bad "$name: want '$want', got '$got'"
done

# What is not compiled yet is not judged, and the report says so.
sed 's/, is_scheduled=true//' "$srcdir/tests/hlo/unfused_update.v5e.txt" >early.txt
"$tpuscope" report hlo_graph early.txt >got
grep -q 'not compiled yet' got || bad "nothing says that the module is not compiled"
"$tpuscope" report hlo_graph early.txt --table waste --format csv | sed 1d | grep . && bad "a module that is not compiled is judged"
"$tpuscope" report hlo_graph "$srcdir/tests/hlo/unfused_update.v5e.txt" >got
grep -q 'not compiled yet' got && bad "a compiled module counts as one that is not"
exit $failed
