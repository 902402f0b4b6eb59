# compare
# report hlo_graph: tables, neighborhoods, DOT and HLO text of a module from text, from a capture, and of damaged text.
. "$srcdir/tests/cli/lib.sh"
text=$srcdir/tests/fuzz/corpus/hlo-text
failed=0
bad() { echo "$1"; failed=1; }
cp "$text/train.txt" "$text/damaged.txt" .

"$tpuscope" report hlo_graph train.txt --width 120
"$tpuscope" report hlo_graph train.txt --op %fusion.1 --radius 2 --width 120
"$tpuscope" report hlo_graph train.txt --op reduce.1 --as dot
"$tpuscope" report hlo_graph train.txt --op fused_dot --as long
"$tpuscope" report info train.txt --format json | grep '"kind"'
"$tpuscope" report hlo_graph damaged.txt --width 120 --table computations 2>said
test $? = 3 || bad "damaged text is not told by the exit status"
"$tpuscope" report memory train.txt 2>&1 | grep -q 'unknown\|buffers' || bad "report memory does not say what is missing"
"$tpuscope" report memory_profile train.txt >got 2>said
test $? = 1 || bad "report memory_profile of a program alone does not end with 1"
grep -q 'no memory profile in it' said || cat said
"$tpuscope" report hlo_graph train.txt --op nothing >got 2>said && bad "an instruction that is not there"
grep -q "no instruction 'nothing' in module jit_train" said || cat said

# What it prints as text is a module, too; standard input; JSON; the sample's own module with times.
"$tpuscope" report hlo_graph train.txt --as long >again.txt
"$tpuscope" report hlo_graph - --as long <again.txt | cmp - again.txt || bad "text printed again differs"
"$tpuscope" report hlo_graph --demo --format json | grep -c '"step_time"' >/dev/null || bad "no times of steps"
"$tpuscope" report hlo_graph --demo --as hlo >demo.txt
"$tpuscope" report hlo_graph demo.txt --format csv --table instructions | wc -l >text
"$tpuscope" report hlo_graph --demo --format csv --table instructions | wc -l >proto
cmp text proto || bad "the text of the sample has other instructions than its message"

# What PyTorch/XLA wrote: programs between other lines, with or without what a log puts before them; each different one once.
ptxla=$srcdir/tests/fuzz/corpus/ptxla
for f in hlo-saved hlo-dumped graphs; do
	"$tpuscope" report hlo_graph "$ptxla/$f" --format csv --table instructions >$f.csv
	wc -l <$f.csv
done
sed 's,IrToHlo.10,IrToHlo.11,' hlo-dumped.csv | cmp hlo-saved.csv - || bad "a program in a log is another one"
sed 's/39.409470/39.4094&/; 3,$s/18:39/18:40/' "$ptxla/hlo-dumped" | tr '\n' '@' | sed 's/@/\r@/g' | tr '@' '\n' >later
"$tpuscope" report hlo_graph later --format csv --table instructions | cmp - hlo-dumped.csv || bad "prefixes of other times"
{ cat "$ptxla/hlo-saved"; sed '/multiply.6/d; s/multiply.6/constant.1/' "$ptxla/hlo-saved"; head -c 700 "$ptxla/hlo-saved"; } >several
"$tpuscope" report hlo_graph several --format json 2>&1 | grep -o '"modules":[0-9]'
head -c 450 "$ptxla/hlo-saved" >cut
"$tpuscope" report hlo_graph cut --format csv --table instructions 2>&1
"$tpuscope" snapshot graph several --size 80x12
exit $failed
