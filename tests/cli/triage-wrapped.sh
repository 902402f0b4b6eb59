# triage: a message says the same when a terminal, a mail or a log has wrapped it.
. "$srcdir/tests/cli/lib.sh"

cat >compile.txt <<'END'
Traceback (most recent call last):
  File "/home/user/train.py", line 412, in <module>
    state, metrics = train_step(state, batch)
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO temporaries (56.44G) exceeds available HBM (15.75G). HLO module: jit_train_step.
See https://openxla.org/xla/errors/error_1000 for more details.
END
cat >list.txt <<'END'
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 24.50G of 15.75G hbm. Exceeded hbm capacity by 8.75G.

Total hbm usage >= 24.75G:
    reserved        258.00M
    program          24.50G
    arguments            0B

Output size 0B; shares 0B with arguments.

Program hbm requirement 24.50G:
    HLO temp         24.50G (62.5% utilization: Unpadded (15.31G) Padded (24.50G), 12.2% fragmentation (2.99G))

  Largest program allocations in hbm:

  1. Size: 12.25G
     Operator: op_type="conv" op_name="jit(train_step)/jvp(encoder)/layers_3/conv_general_dilated" source_file="/home/user/project/models/encoder/convolution.py" source_line=231
     Shape: bf16[1024,224,224,64]{0,3,2,1:T(8,128)(2,1)}
     Unpadded size: 6.12G
     Extra memory due to padding: 6.12G (2.0x expansion)
     XLA label: fusion.19 = fusion(copy-done, fusion.30, get-tuple-element.118), kind=kOutput, calls=fused_computation.22.clone.clone
     Allocation type: HLO temp
     ==========================

  2. Size: 9.19G
     Operator: op_name="jit(train_step)/transpose(jvp(encoder))/layers_3/conv_general_dilated" source_file="/home/user/project/models/encoder/convolution.py" source_line=231
     Shape: (bf16[1024,112,112,128]{0,3,2,1:T(8,128)(2,1)}, bf16[3,3,64,128]{3,2,1,0:T(8,128)(2,1)}, u32[]{:S(2)})
     Unpadded size: 9.19G
     XLA label: copy-start.4 = copy-start(fusion.31)
     Allocation type: HLO temp
     ==========================

END
cat >log.txt <<'END'
E1121 07:59:39.906386   14571 deepsea_compiler_base.cc:3563] XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 56.44G of 15.75G hbm. Exceeded hbm capacity by 40.69G. HLO module: jit_train_step. Memory usage report:

Memory Space: default (color=0)
Total bytes: 60601401344 (56.44GiB)
  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------------------
    32.00GiB( 56%);   32.00GiB;            0;                3; f32[8192,8192,128], 2×bf16[8192,8192,128]
    48.00GiB( 85%);   16.00GiB;  34359738368;                9; bf16[8192,8192,128], 8×bf16[64,128,8192,128]
    56.44GiB(100%);    8.44GiB;  51539607552;                2; f32[8192,270336], f32[8192,4096]

E1121 07:59:39.906390   14571 deepsea_compiler_base.cc:3570] Failed to verify buffer assignment.
END
cat >load.txt <<'END'
E0101 12:00:00.000000     123 pjrt_client.cc:511] Error loading program 'jit_train_step': Attempting to reserve 29.49G at the bottom of memory. That was not possible. There are 147.64M free, 0B reserved, and 147.64M reservable.
END
cat >kernel.txt <<'END'
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape = 'f32[8192,8192]{1,0:T(8,128)}', space=vmem, size = 0x10000000, scoped, tag = 'scratch operand'] :: my_kernel.1
END
cat >two.txt <<'END'
RuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 8.00M. That was not possible. There are 6.43M free.; (0x0x1_HBM0)
saving the last checkpoint before giving up
XlaRuntimeError: RESOURCE_EXHAUSTED: Compilation failure: Aborting compilation early because it's unlikely to have enough device memory. Requires 258.02G, has 14.96G available. If more detailed logging is desired, set --xla_tpu_impure_oom_fast_exit_threshold=-1
END

# A message that Python printed, with its line breaks written out
cat >repr.txt <<'END'
trying 512 rows per block
[tune] failed with rows=512: JaxRuntimeError('RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. Used 81.09M of 64.00M vmem. Exceeded vmem capacity by 17.09M.\n\nProgram vmem requirement 81.09M:\n    scoped           81.09M\n\n  Largest program allocations in vmem:\n\n  1. Size: 47.84M\n     XLA label: register allocator spill slots in HLO :: my_kernel.1\n     Allocation type: scoped\n     ==========================\n\n  2. Size: 32.00M\n     Operator: op_name="jit(step)/my_kernel/pallas_call" source_file="/home/user/kernels/mine.py" source_line=153\n     Shape: f32[64,128,1024]{2,1,0:T(8,128)}\n     Unpadded size: 32.00M\n     Tag: scratch operand\n     XLA label: my_kernel.1 = custom-call(x.1, y.1), custom_call_target="tpu_custom_call"\n     Allocation type: scoped\n     ==========================\n\n')
[tune] failed with rows=256: JaxRuntimeError('RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. Used 66.12M of 64.00M vmem. Exceeded vmem capacity by 2.12M.')
trying 128 rows per block
END
# A box around a message, and a line break within one
cat >box.txt <<'END'
I1121 08:06:17.534010   22233 compiler.cc:100] Compiling module jit_train_step for 4 devices.
E1121 08:06:17.534072   22233 slow_operation_alarm.cc:73]
********************************
[Compiling module jit_train_step] Very slow compile? If you want to file a bug, run with envvar XLA_FLAGS=--xla_dump_to=/tmp/foo and attach the results.
********************************
I1121 08:09:21.100000   22233 compiler.cc:120] Compiled module jit_train_step for 4 devices in 3m03s, which is more than expected of a module of its size; see above.
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 21.95G of 15.48G hbm.
Exceeded hbm capacity by 6.47G.
END
# A message that was wrapped before, in front of a blank
cat >again.txt <<'END'
    logits, cache = self._generate(
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 23.75G of 15.48G hbm.
 Exceeded hbm capacity by 8.27G.

Total hbm usage >= 24.27G:
    reserved        530.00M
    program          23.75G
    arguments            0B

END
# Every line of a list is a record, and its message may be in the next line alone
cat >records.txt <<'END'
E1121 08:20:17.059645   16548 deepsea_compiler_base.cc:2586] Program hbm requirement 18.29G:
E1121 08:20:17.059650   16548 deepsea_compiler_base.cc:2586]     global            512B
E1121 08:20:17.059650   16548 deepsea_compiler_base.cc:2586]     HLO temp         18.29G (86.3% utilization: Unpadded (15.79G) Padded (18.29G), 0.0% fragmentation (0B))
E1121 08:20:17.059661   16548 deepsea_compiler_base.cc:2586]   Largest program allocations in hbm:
E1121 08:20:17.059661   16548 deepsea_compiler_base.cc:2586]
E1121 08:20:17.059662   16548 deepsea_compiler_base.cc:2586]   1. Size: 3.95G
E1121 08:20:17.059663   16548 deepsea_compiler_base.cc:2586]      Operator: op_name="jit(step)/jvp(conv0)/conv_general_dilated" source_file="/home/user/train.py" source_line=81
E1121 08:20:17.059665   16548 deepsea_compiler_base.cc:2586]      Shape: bf16[660,224,224,64]{0,3,2,1:T(8,128)(2,1)}
E1121 08:20:17.059667   16548 deepsea_compiler_base.cc:2586]      Unpadded size: 3.95G
E1121 08:20:17.059673   16548 deepsea_compiler_base.cc:2586]      Allocation type: HLO temp
E1121 08:20:17.059675   16548 deepsea_compiler_base.cc:2586]      ==========================
END

# Everything but where it stands: the tables without numbers of lines and bytes.
says() {
	"$tpuscope" triage - --format csv | awk -F, '/^file,host/ { exit } /^index,file/ { errors = 1 } !NF { errors = 0 } { if (errors) sub(/^[^,]*,[^,]*,[^,]*,/, ""); print }'
}
soft() { # between words, which leaves no blanks at the ends of lines
	awk -v w="$1" '
	{
		while (length($0) > w) {
			for (cut = w + 1; cut > 0 && substr($0, cut, 1) != " "; cut--)
				;
			if (cut <= 1 || substr($0, 1, cut) ~ /^ *$/) {
				print substr($0, 1, w)
				$0 = substr($0, w + 1)
				continue
			}
			line = substr($0, 1, cut - 1)
			sub(/ +$/, "", line)
			print line
			$0 = substr($0, cut + 1)
			sub(/^ +/, "")
		}
		print
	}'
}
hard() { # folds characters, not bytes
	awk -v w="$1" '{ while (length($0) > w) { print substr($0, 1, w); $0 = substr($0, w + 1) } print }'
}
wrapped() { # MODE WIDTH TEXT; awk may count bytes
	sed 's/×/~/g' "$3" >ascii
	wrap "$1" "$2" ascii | sed 's/~/×/g'
}
wrap() {
	case $1 in
	hard) hard "$2" <"$3" ;;
	soft) soft "$2" <"$3" ;;
	keep) fold -s -w "$2" <"$3" ;; # leaves the blanks
	crlf) hard "$2" <"$3" | sed 's/$/\r/' ;;
	pane) hard "$2" <"$3" | sed 's/ *$//' ;; # as a program that shows a screen leaves it
	rank) hard "$2" <"$3" | sed 's/^/[rank0]: /' ;;
	pod) hard "$2" <"$3" | sed 's/^/2026-11-22 10:00:01 10.164.0.12 [3] /' ;;
	glog) hard "$2" <"$3" | sed 's/^/E0101 12:00:00.000000     123 file.cc:1] /' ;;
	dated) sed 's/^/2026-11-22 10:00:01 10.164.0.12 [3] /' "$3" | hard "$2" ;;
	dated-soft) sed 's/^/2026-11-22 10:00:01 10.164.0.12 [3] /' "$3" | soft "$2" ;;
	esac
}
same=0
differ=0
for text in compile list log load kernel two repr box again records; do
	sed 's/^/2026-11-22 10:00:01 10.164.0.12 [3] /' $text.txt >prefixed
	for mode in hard soft keep crlf pane rank pod glog dated dated-soft; do
		case $mode in
		rank) sed 's/^/[rank0]: /' $text.txt | says >want ;;
		glog) sed 's/^/E0101 12:00:00.000000     123 file.cc:1] /' $text.txt | says >want ;;
		pod | dated*) says <prefixed >want ;;
		*) says <$text.txt >want ;;
		esac
		grep -q . want || exit 1
		for width in 60 72 80 100 120 132 200; do
			wrapped $mode $width $text.txt >wrapped.txt
			says <wrapped.txt >got
			if cmp -s want got; then
				same=$((same + 1))
			else
				differ=$((differ + 1))
				echo "$text, $mode, $width columns:"
				diff want got | head -6
			fi
		done
	done
done
echo "$same same, $differ differ"
[ $differ -eq 0 ] || exit 1

# Real messages and logs.  In a few the line that follows a message cannot be told from its rest.
data=$srcdir/../shared/data
[ -d "$data" ] || {
	echo "SKIP: $data is absent: messages of real programs"
	exit 0
}
same=0
differ=0
for text in "$data"/real/oom/*/*.txt "$data"/memory-golden/logs/*.out "$data"/found/oom_issues/*.txt; do
	says <"$text" >want
	for width in 80 132; do
		wrapped hard $width "$text" >wrapped.txt
		says <wrapped.txt >got
		if cmp -s want got; then
			same=$((same + 1))
		else
			differ=$((differ + 1))
			echo "$text, $width columns"
		fi
	done
done
echo "$same same, $differ differ"
[ $((differ * 20)) -lt $same ]
