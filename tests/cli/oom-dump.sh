# The dump of a program that did not compile: whichever of its files exist, its memory is shown.
. "$srcdir/tests/cli/lib.sh"
failed=0
has() {
	grep -q -- "$2" "$1" || { echo "no \"$2\" in:"; cat "$1"; failed=1; }
}
lacks() {
	! grep -q -- "$2" "$1" || { echo "\"$2\" in:"; cat "$1"; failed=1; }
}
corpus=$srcdir/tests/fuzz/corpus
stem=module_0003.jit_f.cl_1
proto() { # DIR PASS: op.1 to op.8, without buffers
	mkdir -p "$1"
	cp "$corpus/hlo/no-buffers" "$1/$stem.$2.hlo.pb"
}
assignment() {
	cat >"$1/$stem.after_optimizations-buffer-assignment.txt" <<'END'
BufferAssignment:
allocation 0: size 32768, page 0, parameter 0, shape |f32[8192]| at ShapeIndex {}:
 value: <1 op.1 @0> (size=32768,offset=0): f32[8192]{0}
allocation 1: size 98304, page 0, preallocated-temp:
 value: <2 op.2 @0> (size=32768,offset=0): f32[8192]{0}
 value: <3 op.3 @0> (size=65536,offset=32768): f32[16384]{0}

Total bytes used: 131072 (128.0KiB)
END
}
ranges() {
	cat >"$1/$stem.after_optimizations-live-range.txt" <<'END'
HloLiveRange (max 4):
  InstructionSequence:
    0:op.1
    1:op.2
    2:op.3
    3:op.4
  BufferLiveRange:
    op.1{}:0-4
    op.2{}:1-3
    op.3{}:2-3
  Live ranges at 2 (peak):
    op.1{}: 32768 bytes (cumulative: 32768 bytes)
    op.2{}: 32768 bytes (cumulative: 65536 bytes)
    op.3{}: 65536 bytes (cumulative: 131072 bytes)
END
}
rows='  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------
    64.0KiB( 50%);   64.0KiB;        65536;                1; f32[16384]
   128.0KiB(100%);   64.0KiB;            0;                2; 2×f32[16384]
'
usage() {
	printf 'Memory Space: default (color=0)\nTotal bytes: 131072 (128.0KiB)\n%s' "$rows" \
		>"$1/$stem.after_optimizations-memory-usage-report.txt"
}
varint() { # N: as octal escapes of two bytes
	printf '\\%03o\\%03o' $(($1 % 128 + 128)) $(($1 / 128))
}
usage_pb() {
	rows_n=$(printf '%s' "$rows" | wc -c)
	entry_n=$((2 + 4 + 4 + 9 + 6 + 3 + rows_n))
	{
		printf "\\012$(varint $((4 + 3 + entry_n)))\\010\\200\\200\\010\\032$(varint $entry_n)"
		printf '\010\001\020\200\200\010\030\200\200\010\041\000\000\000\000\000\000\360\077\052\004op.3'
		printf "\\062$(varint "$rows_n")%s" "$rows"
	} >"$1/$stem.after_optimizations-memory-usage-report.pb"
}
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (128.0K) exceeds available HBM (64.0K). HLO module: jit_f.\n' >message.txt

# shows DIR: report, screen and triage know the memory of jit_f, and the command of triage opens it
shows() {
	"$tpuscope" report memory "$1" --format csv --table modules >modules 2>err || { echo "$1: status $?"; cat err; failed=1; }
	has modules '^jit_f,.*,0,0.125,'
	"$tpuscope" snapshot memory message.txt "$1" --size 80x24 >frame 2>&1
	has frame 'HBM 128.0 KiB'
	"$tpuscope" triage message.txt "$1" >triage
	command=$(sed -n 's/^tpuscope //p' triage)
	test "$command" || { echo "$1: no command"; failed=1; }
	"$tpuscope" snapshot memory $(echo "$command" | sed 's/--view memory//') --size 80x24 >frame 2>&1
	has frame 'HBM 128.0 KiB'
	"$tpuscope" report findings "$1" --device v5e --format csv >findings 2>err || failed=1
}

# the message alone: says that it has no buffers
proto nothing oom_intermediate_module
"$tpuscope" report memory nothing >out
has out 'no buffer assignment'
"$tpuscope" snapshot memory message.txt nothing --size 80x24 >out
has out 'no buffer assignment'

# with the text files: framework ops come from the message, buffers from the texts
proto both oom_intermediate_module
assignment both
ranges both
shows both
has triage 'oom_intermediate_module.hlo.pb --view memory --module jit_f$'
# the message says what the dump does not
"$tpuscope" report findings message.txt both --format csv >findings
has findings 'jit_f needs 128.0 KiB of 64.0 KiB, as its message says'
test "$(grep -c 'does not fit' findings)" = 1 || { echo "said twice:"; cat findings; failed=1; }
"$tpuscope" report memory message.txt both --format json >out
has out '"limitMib":0.0625,'
has out '^\["jit_f",[^,]*,0,0.125,0.0625\]'
lacks out 'limit is unknown'
lacks out 'not a capture'
"$tpuscope" snapshot memory message.txt both --size 160x40 >out
has out '128.0 KiB .*!! 200 % of limit 64.0 KiB'
"$tpuscope" snapshot memory message.txt both --module jit_f --size 160x40 >out
has out '!! 200 % of limit 64.0 KiB'
"$tpuscope" report memory message.txt both --format json --space 1 >out
has out '"limitMib":null,'
"$tpuscope" report memory both --format csv --table buffers >out
has out '^op.3.*,jit(f)/a/add,Temporary,add,model.py:42'
"$tpuscope" triage message.txt both --format csv --table buffers >out
has out '0,program,1,65536,.*jit(f)/a/add'
"$tpuscope" report memory "both/$stem.oom_intermediate_module.hlo.pb" >out
has out 'from the texts beside it'

# without program time; a report; live ranges
proto assigned oom_intermediate_module
assignment assigned
shows assigned
proto reported oom_intermediate_module
usage reported
shows reported
proto ranged oom_intermediate_module
ranges ranged
shows ranged
# nobody says of what kind these buffers are, or how they lie in memory
"$tpuscope" report findings ranged --device v5e >out
lacks out '^Memory padding  *[0-9]'
lacks out 'nothing to donate'
has out 'from live ranges only'
"$tpuscope" triage message.txt ranged --format csv --table buffers >out
has out '^0,program,1,65536,'
lacks out 'Temporary'
"$tpuscope" report memory ranged --format json >out
has out '"peakHeapMib":0.125,"peakUnpaddedHeapMib":0.09375,"totalBufferAllocationMib":null,"entryComputationParametersMib":null,"maybeLiveOutMib":null,"nonReusableMib":null,"indefiniteBufferAllocationMib":null,'
has out '"addressPeakMib":null,"parameterPaddingMib":null,"fragmentation_percent":null,"limitMib":null,"donatableMib":null,'
lacks out 'Temporary'
"$tpuscope" snapshot memory ranged --size 120x40 >out
has out 'allocated –'
has out 'kind unknown'
has out 'arguments  *–'
has out 'outputs  *–'
has out 'temporaries at peak  *–'
lacks out 'Temporary'
"$tpuscope" report memory reported --format json >out
has out '"peakUnpaddedHeapMib":null,"totalBufferAllocationMib":0.125,"entryComputationParametersMib":null,'
has out '"peakHeapSizePosition":null,"addressPeakMib":null,'
has out '"fragmentation_percent":null,'
lacks out 'Temporary'
"$tpuscope" report memory assigned --format json >out	# the kinds are known, the times are not
has out '"entryComputationParametersMib":0.03125,'
has out '"peakHeapSizePosition":null,"addressPeakMib":null,"parameterPaddingMib":0,"fragmentation_percent":null,'
has out '"Temporary"'
mkdir unshaped			# no shapes either: nobody knows what is padding
ranges unshaped
"$tpuscope" report memory unshaped --format json >out
has out '"peakHeapMib":0.125,"peakUnpaddedHeapMib":null,'
has out '^\[3,"",0.125,null\]'
has out '^\["op.3: [^,]*,"op.3",3,0.0625,null,'
proto packed oom_intermediate_module
usage_pb packed
shows packed

# the client says in the program's folder what chip it is; of v4 nobody knows whether its cores are merged
assignment ranged
mkdir -p "ranged/$stem"
limit() { # NAME EXPECTED
	said="TFRT $1
Built on some day"
	printf '\010\001\022\003tpu\032%b%s' "\\0$(printf %o ${#said})" "$said" >"ranged/$stem/topology.pb"
	"$tpuscope" report memory ranged --format json >out
	has out "\"limitMib\":$2,"
}
limit 'TPU7x' '97013.7[0-9]*'
limit 'TPU v6 lite' 32000
limit 'TPU v4' null
limit 'GPU' null
printf '\032\377\377TFRT TPU7x' >"ranged/$stem/topology.pb"
"$tpuscope" report memory ranged --format json >out
has out '"limitMib":null,'
rm -r "ranged/$stem"

# without a proto, and with one from before optimizations
mkdir alone
usage_pb alone
shows alone
"$tpuscope" report memory_profile alone >out
has out 'memory_usage_report'
proto before before_optimizations
assignment before
shows before

# with the log in the same folder
mkdir logged
assignment logged
cp message.txt logged/stderr.txt
"$tpuscope" snapshot memory logged --size 80x24 >out
has out 'HBM 128.0 KiB'

# a proto from after optimizations is preferred; of programs of one name, the first that failed is used
rm -rf several
proto several before_optimizations
cp "$corpus/hlo/shared" "several/$stem.after_optimizations.hlo.pb"
"$tpuscope" report memory several --format csv --table modules >out
test "$(wc -l <out)" = 2 || { echo "one module should be here:"; cat out; failed=1; }
for n in 1 2 4 5; do
	cp "$corpus/hlo/shared" "several/module_000$n.jit_f.cl_1.after_optimizations.hlo.pb"
done
cp "$corpus/hlo/no-buffers" several/module_0002.jit_f.cl_1.oom_intermediate_module.hlo.pb
cp "$corpus/hlo/no-buffers" several/module_0004.jit_f.cl_1.oom_intermediate_module.hlo.pb
"$tpuscope" triage message.txt several >out
has out '^tpuscope several/module_0002.jit_f.cl_1.after_optimizations.hlo.pb --view memory --module jit_f$'
"$tpuscope" report memory several >out
has out '5 modules; showing jit_f of module_0002, which is the first that did not fit'

# a message without a program name belongs to the program that failed
printf 'RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 3.00K of 2.00K hbm. Exceeded hbm capacity by 1.00K.\n' >nameless.txt
"$tpuscope" triage nameless.txt several >out
has out '^tpuscope several/module_0002.jit_f.cl_1.after_optimizations.hlo.pb --view memory$'
"$tpuscope" triage nameless.txt several --format csv --table buffers >out
has out '^0,program,1,'
# when programs of several names failed it could be any of them: all take the first, and say so
LC_ALL=C sed 's/jit_f/jit_g/' "$corpus/hlo/shared" >several/module_0006.jit_g.cl_1.after_optimizations.hlo.pb
LC_ALL=C sed 's/jit_f/jit_g/' "$corpus/hlo/no-buffers" >several/module_0006.jit_g.cl_1.oom_intermediate_module.hlo.pb
"$tpuscope" triage nameless.txt several --width 200 >out
has out '^tpuscope several/module_0002.jit_f.cl_1.after_optimizations.hlo.pb --view memory$'
tr -s ' \n' '  ' <out >flat
has flat 'the message names no program, and several failed, this one first: jit_f, jit_g'
"$tpuscope" snapshot memory nameless.txt several --size 120x40 >out
has out '6 modules; showing jit_f of module_0002, which is the first that did not fit'
"$tpuscope" snapshot memory nameless.txt several --module jit_g --size 120x40 >out
lacks out 'modules; showing'
# a message about a program that is not here: what is shown is said to be another one, and its limit is not taken from it
sed 's/jit_f/jit_other/' message.txt >other.txt
"$tpuscope" report memory other.txt several --format json >out
has out 'the message is about jit_other, which is not here: showing jit_f of module_0002'
has out '"limitMib":null,'
"$tpuscope" report memory other.txt several --module jit_g >out
lacks out 'jit_other'
"$tpuscope" snapshot memory other.txt several --size 120x40 >out
has out 'The message is about jit_other, which is not here; this is jit_f of module_0002'
has out '6 modules; showing jit_f of module_0002, which is the first that did not fit'
"$tpuscope" triage other.txt several --width 200 >out
has out 'needs 128.0 KiB of 64.0 KiB in jit_other; its dump is not here'
lacks out '^tpuscope .*--view memory'
"$tpuscope" triage message.txt --width 200 >out
lacks out 'its dump is not here'
"$tpuscope" report findings other.txt several --width 200 >out
has out 'in jit_other; its dump is not here'
lacks out 'as its message says'
"$tpuscope" snapshot triage other.txt several --size 160x40 >out
has out 'module jit_other, whose dump is not here'
# the report shows the program that the message is about, as the screen does
sed 's/jit_f/jit_g/' message.txt >second.txt
"$tpuscope" report memory second.txt several >out
has out 'showing jit_g, which the message is about'
"$tpuscope" report findings second.txt several >out
has out 'jit_g needs .* of 64.0 KiB, as its message says'
# two compiles of one name: which one is shown is said
mkdir -p two
cp "$corpus/hlo/no-buffers" two/module_0003.jit_f.cl_1.after_optimizations.hlo.pb
cp "$corpus/hlo/no-buffers" two/module_0009.jit_f.cl_1.after_optimizations.hlo.pb
name=jit_f
"$tpuscope" report hlo_graph two --module "$name" >out 2>&1
has out "2 modules are named $name; showing that of module_000[39]"
"$tpuscope" report memory two --module "$name" >out 2>&1
has out "2 modules are named $name; showing that of module_000[39]"
"$tpuscope" report memory two/module_0003* --module "$name" >out 2>&1
lacks out 'modules are named'
# two programs of one name: all take the same one, and say which
mkdir -p same twin
cp "$corpus/hlo/huge-sizes" same/module_0001.jit_f.cl_1.after_optimizations.hlo.pb		# jit_f(7): 1.5 KiB
cp "$corpus/hlo/addresses-overlap" same/module_0005.jit_f.cl_1.after_optimizations.hlo.pb	# jit_f(3): 164 KiB
"$tpuscope" report memory same >out
has out '2 modules; showing jit_f(3), which has the highest peak'
"$tpuscope" report findings same --device v5e >out
has out 'jit_f(3): peak 164.0 KiB of 15.8 GiB'
"$tpuscope" snapshot memory same --size 120x40 >out
has out '  jit_f(3)$'
has out '│ jit_f(7) '
"$tpuscope" report memory message.txt same >out
has out '2 modules; showing jit_f(7), which the message is about'
"$tpuscope" report findings message.txt same >out
has out 'jit_f(7): peak 1.5 KiB of 64.0 KiB'
"$tpuscope" snapshot memory message.txt same --size 120x40 >out
has out '  jit_f(7)$'
has out '2 modules; showing jit_f(7), which the message is about'
"$tpuscope" triage message.txt same >out
has out '^tpuscope same/module_0001.jit_f.cl_1.after_optimizations.hlo.pb --view memory --module jit_f$'
"$tpuscope" report memory same/module_0001.jit_f.cl_1.after_optimizations.hlo.pb >out
lacks out 'jit_f('
for module in 'jit_f(3)' 3; do
	"$tpuscope" snapshot memory same --module "$module" --size 120x40 >out
	has out 'HBM 164.0 KiB'
	"$tpuscope" snapshot graph same --module "$module" --size 120x40 >out
	has out '  jit_f(3)$'
done
"$tpuscope" report hlo_graph same >report
"$tpuscope" snapshot graph same --size 120x40 >out
has out "  $(sed -n 's/.*2 modules; showing \([^;]*\);.*/\1/p' report)\$"
# also of one ID
for n in 1 5; do
	cp "$corpus/hlo/shared" twin/module_000$n.jit_f.cl_1.after_optimizations.hlo.pb
done
"$tpuscope" report memory twin >out
has out '2 modules; showing jit_f of module_0001, which has the highest peak'
"$tpuscope" snapshot memory twin --module 'jit_f of module_0005' --size 120x40 >out
has out '  jit_f of module_0005$'
exit $failed
