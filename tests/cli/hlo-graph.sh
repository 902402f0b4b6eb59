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
exit $failed
