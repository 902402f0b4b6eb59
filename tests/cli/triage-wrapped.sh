# triage: a message says the same when a terminal, a mail or a log has wrapped it.
. "$srcdir/tests/cli/lib.sh"

cat >compile.txt <<'END'
Traceback (most recent call last):
  File "/home/user/train.py", line 412, in <module>
    state, metrics = train_step(state, batch)
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO temporaries (56.44G) exceeds available HBM (15.75G). HLO module: jit_train_step.
See https://openxla.org/xla/errors/error_1000 for more details.
END
cp "$srcdir"/tests/cli/messages/*.txt . # pool: what an allocator says, names, padding and numbers
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

# Records whose messages are indented, so that only the head of one stands before a break
cat >heads.txt <<'END'
W1121 08:32:08.767758    5239 lowering_emitter.cc:6166] Unsuccessful retry compilation of attention_no_residuals.18 after retry_count=1 due to error: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space vmem. Used 66.93M of 63.94M vmem. Exceeded vmem capacity by 2.99M.
W1121 08:32:08.767775    5239 lowering_emitter.cc:6166]
W1121 08:32:08.767780    5239 lowering_emitter.cc:6166] Program vmem requirement 66.93M:
W1121 08:32:08.767781    5239 lowering_emitter.cc:6166]     scoped           66.93M
W1121 08:32:08.767784    5239 lowering_emitter.cc:6166]   Largest program allocations in vmem:
W1121 08:32:08.767785    5239 lowering_emitter.cc:6166]
W1121 08:32:08.767786    5239 lowering_emitter.cc:6166]   1. Size: 24.00M
W1121 08:32:08.767787    5239 lowering_emitter.cc:6166]      Operator: op_name="jit(step)/jvp()/sharding_constraint;jit(step)/attention_no_residuals/pallas_call"
W1121 08:32:08.767788    5239 lowering_emitter.cc:6166]      XLA label: attention_no_residuals.18 = custom-call(constant.45883, constant.9568.clone2.1.active_rows_ref, constant.9569.clone2.1.active_cols_ref, constant.9567.clone2.1.mask_next_ref), custom_call_target="tpu_custom_call", backend_config={"flag_configs":[],"scoped_memory_configs":[],"continuation_config":{"output_tuple_original_start":"0","output_tuple_original_end":"0","operand_original_start":"9","operand_original_end":"10"},"used_scoped_memory_configs":[],"output_start":"0"}
W1121 08:32:08.767789    5239 lowering_emitter.cc:6166]      Allocation type: scoped
W1121 08:32:08.767790    5239 lowering_emitter.cc:6166]      ==========================
END
# Records of one moment, which are as wide as the screen, in a log whose longer records go on without a head
cat >moment.txt <<'END'
I1121 07:59:39.605650   14544 init.cc:912] argv[0]: './tpu_driver'
I1121 07:59:39.605653   14544 init.cc:912] argv[1]: '--xla_tpu_all_gather_collective_matmul_mode=post_spmd and --xla_tpu_reduce_scatter_collective_matmul_mode=post_spmd'
I1121 07:59:39.605654   14544 init.cc:912] argv[2]: '--next_pluggable_device_factory_and_a_flag_that_is_quite_long=/usr/lib/libtpu.so'
I1121 07:59:39.605655   14544 init.cc:912] argv[3]: '--next_pluggable_device_factory_and_a_flag_that_is_longer_than_the_one_before=/usr/lib/libtpu.so'
I1121 07:59:39.605656   14544 init.cc:912] argv[4]: '--max_log_size_of_it=10240'
I1121 07:59:39.605656   14544 init.cc:912] unexpected worker hostname 'the first one'
I1121 07:59:39.605657   14544 init.cc:912] argv[5]: '--deepsea_chips_per_host_bounds_of_all=2,2,1,1'
I1121 07:59:39.605657   14544 init.cc:912] unexpected worker hostname 'that of the second one of them'
E1121 07:59:39.906390   14544 compiler.cc:3570] Failed to verify buffer assignment.
END
# A tag begins a line; an earlier line looks as if it had been full
cat >tags.txt <<'END'
STARTING AUTOTUNE (256, 'bfloat16', 'bfloat16', 4, 2, 128, 16384)
[Debug] Failed with (page_size=256, num_kv_pages_per_block=64, num_q_per_block=64), got error: err=JaxRuntimeError('RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem while allocating on stack for %kernel.1 = bf16[4096,16,128]{2,1,0:T(8,128)(2,1)} custom-call(%x.1), custom_call_target="tpu_custom_call". Scoped allocation with size 72.50M and limit 64.00M exceeded scoped vmem limit by 8.50M.')
[Debug] Failed with (page_size=256, num_kv_pages_per_block=32, num_q_per_block=64), got error: err=JaxRuntimeError('RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem while allocating on stack for %kernel.2 = bf16[4096,16,128]{2,1,0:T(8,128)(2,1)} custom-call(%x.1), custom_call_target="tpu_custom_call". Scoped allocation with size 68.50M and limit 64.00M exceeded scoped vmem limit by 4.50M.')
END
# One line of a list that is as wide as the screen, and ends within a word
cat >entry.txt <<'END'
Compilation failure: Ran out of memory in memory space hbm. Used 46.00G of 16.00G hbm. Exceeded hbm capacity by 30.00G.

Total hbm usage >= 46.00G:
    reserved             0B
    program          46.00G
    arguments            0B

  Largest program allocations in hbm:

  1. Size: 32.00G
     Operator: op_type="FloorMod" op_name="cic_update/FloorMod"
     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
     Unpadded size: 1.00G
     Extra memory due to padding: 31.00G (32.0x expansion)
     XLA label: %copy.40488 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %get-tuple-element.32429), metadata={op_type="FloorMod"}
END
# A sentence whose words tell between which of them it was wrapped
cat >words.txt <<'END'
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape = 'u8[268435456]{0}', space=vmem, size = 0x10000000, scoped, tag = 'input window allocation for operator input 0. The window shape is f32[16384,4096], while the full shape is f32[16384,4096]. The u8 shape/size shown above represents the raw byte size of this window in VMEM. This allocation is single buffered.'] :: my_kernel.1
END
# A record behind a progress bar, and codes before a break
cat >halted.txt <<'END'
  1%|          | 78/7800 [00:01<2:37:37,  1.21s/it]F0000 00:00:1717141650.890307    9276 pjrt_computation_client.cc:487] Non-OK-status: status status: INTERNAL: Core halted unexpectedly: INTERNAL: Accelerator device halted prematurely, perhaps due to an on-device check-failure. Node 0 halted unexpectedly at tag:pc TensorCoreSequencer:887:0x6f1 (from TensorCore:887:0x3b91): no debugging message found for this tag:pc. HLO: fusion.1; HLO computation: SyncTensorsGraph.55205
END
# A message that somebody wrapped before it was wrapped again
cat >twice.txt <<'END'
CompileTimeScopedVmemOom: Ran out of memory in memory space vmem ... for
%flash_attention.1 = bf16[1,16,25344,80] ... Scoped allocation with size
37.22M and limit 32.00M exceeded scoped vmem limit by 5.22M.
END
# What fails at run time, below a head of TensorFlow
cat >alloc.txt <<'END'
2026-10-02 11:41:07.123456: E 27891 pjrt_client.cc:903] Execution of replica 3 failed: RESOURCE_EXHAUSTED: E0100: RuntimeBufferAllocationFailure: Error allocating device buffer: Attempting to allocate 1.25G. That was not possible. There are 1.61G free. The largest contiguous region of free memory is 803.02M due to fragmentation.; (3x1x0_HBM0): while running replica 3 and partition 0 of a replicated computation (other replicas may have failed as well).
END
cat >reserve.txt <<'END'
ValueError: RESOURCE_EXHAUSTED: E0101: RuntimeProgramAllocationFailure: Error loading program 'jit_generate_step': Attempting to reserve 9.47G at the bottom of memory. That was not possible. There are 7.02G free, 0B reserved, and 6.98G reservable. Scope: unknown..: while running replica 0 and partition 0 of a replicated computation (other replicas may have failed as well).
END
cat >leader.txt <<'END'
jaxlib.xla_extension.XlaRuntimeError: INTERNAL: E0200: RuntimeUnexpectedCoreHalt: Accelerator device halted prematurely, perhaps due to an on-device check-failure. Node 0 halted unexpectedly at tag:pc TensorCoreSequencer:1:0x1f3 (from TensorCore:1:0x2a1): scheckne: An unexpected leader shows up in the launch group with a different launch id than the current group leader. HLO: all-reduce.17; HLO computation: main.4211. This error might be due to hosts that run different programs; observed errors are: [User].
END
# A list of TensorFlow, whose sizes are not all known
cat >tf.txt <<'END'
tensorflow.python.framework.errors_impl.ResourceExhaustedError: 9 root error(s) found.
  (0) Resource exhausted: {{function_node __inference_train_function_81530}} Compilation failure: Ran out of memory in memory space hbm. Used 9.31G of 7.48G hbm. Exceeded hbm capacity by 1.83G.

Total hbm usage >= 9.83G:
    reserved        530.00M
    program           9.31G
    arguments       unknown size

Output size unknown.

Program hbm requirement 9.31G:
    reserved           4.0K
    global            120.0K
    scoped             1.0K
    HLO temp          9.31G (51.2% utilization: Unpadded (4.77G) Padded (9.31G), 0.0% fragmentation (912.0K))

  Largest program allocations in hbm:

  1. Size: 2.06G
     Operator: op_type="Conv2DBackpropFilter" op_name="gradient_tape/model_3/block2a_expand_conv/Conv2D/Conv2DBackpropFilter"
     Shape: bf16[256,112,112,24]{0,3,2,1:T(8,128)(2,1)}
     Unpadded size: 147.00M
     Extra memory due to padding: 1.92G (14.3x expansion)
     XLA label: %fusion.4021 = (f32[96]{0:T(256)}, bf16[256,112,112,24]{0,3,2,1:T(8,128)(2,1)}) fusion(f32[]{:T(256)S(2)} %constant.12, bf16[256,112,112,24]{0,3,2,1:T(8,128)(2,1)} %get-tuple-element.99), kind=kLoop, calls=%fused_computation.3391, metadata={op_type="Conv2DBackpropFilter" op_name="gradient_tape/model_3"}
     Allocation type: HLO temp
     ==========================

  2. Size: 1.15G
     Shape: f32[256,112,112,96]{0,3,2,1:T(8,128)}
     Unpadded size: 1.15G
     XLA label: %copy.771 = f32[256,112,112,96]{0,3,2,1:T(8,128)} copy(%fusion.4022)
     Allocation type: HLO temp
     ==========================
END
cat >window.txt <<'END'
jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=201326592) would exceed memory (size=67108864) :: #allocation7 [shape = 'u8[201326592]{0}', space=vmem, size = 0xc000000, scoped, tag = 'output window allocation for operator output 1. The window shape is bf16[8192,12288], while the full shape is bf16[65536,12288]. The u8 shape/size shown above represents the raw byte size of this window in VMEM. This allocation is single buffered.'] :: fused_mlp_kernel
END
cat >xrt.txt <<'END'
Exception in device=TPU:6: Resource exhausted: From /job:tpu_worker/replica:0/task:0:
2 root error(s) found.
  (0) Resource exhausted: Error loading program: Attempting to reserve 5.83G at the bottom of memory. That was not possible. There are 5.10G free, 0B reserved, and 4.96G reservable.
	 [[{{node XRTExecute}}]]
Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to RunOptions for current allocation info.

	 [[XRTExecute_G12]]
  (1) Resource exhausted: Error loading program: Attempting to reserve 5.83G at the bottom of memory. That was not possible. There are 5.10G free, 0B reserved, and 4.96G reservable.
END
# One break, behind the words of an error; rows of a report, which lose their padding between words
cat >behind.txt <<'END'
2026-10-22 02:48:58 10.128.0.33 [3]   (1) Resource exhausted: Attempting to allocate 180.59M. That was not possible. There are 142.58M free.; (0x3x0_HBM1)
END
cat >rows.txt <<'END'
E1003 14:21:55.104211   90233 deepsea_compiler_base.cc:3563] XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 22.08G of 15.75G hbm. Exceeded hbm capacity by 6.33G. HLO module: jit_eval_step. Memory usage report: 

Memory Space: default (color=0)
Total bytes: 23708217344 (22.08GiB)
  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------
    8.00GiB( 36%);    8.00GiB;            0;                3; bf16[32,1024,131072], f32[32,1024,65536]
   12.50GiB( 56%);    4.50GiB;   8589934592;               21; bf16[12288,196608], 20×bf16[32,1024,36864]
   15.00GiB( 67%);    2.50GiB;  13421772800;                7; bf16[1342177280], 6×f32[32,1024,20480]
   22.08GiB(100%);    7.08GiB;  16106127360;              112; bf16[65536,58000], 111×pred[]

END

# Everything but where it stands: the tables without names of files and numbers of lines and bytes.
says() {
	"$tpuscope" triage - --format json | awk '
	/^"logs":/ { exit }
	/^"(capture|columns|summary)"/ || /^{"tool"/ { next }
	/^"[a-z]*":{$/ { errors = /errors/ }
	{ if (errors) sub(/^\[[0-9]+,"-",[0-9]+,/, ""); print }'
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
prefix() { # what a launcher puts in front of each line
	case $1 in
	rank) echo '[rank0]: ' ;;
	glog) echo 'E0101 12:00:00.000000     123 file.cc:1] ' ;;
	pod | dated*) echo '2026-11-22 10:00:01 10.164.0.12 [3] ' ;;
	cri) echo '2026-11-22T10:00:01.123456789Z stderr F ' ;;
	kube) echo '[pod/train-0-0-x7b2c/jax-tpu] ' ;;
	esac
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
	rank | glog | pod | cri | kube) hard "$2" <"$3" | sed "s#^#$(prefix $1)#" ;;
	dated) sed "s#^#$(prefix pod)#" "$3" | hard "$2" ;;
	dated-soft) sed "s#^#$(prefix pod)#" "$3" | soft "$2" ;;
	esac
}
same=0
differ=0
for text in compile list log load kernel two repr box again records heads tags entry words halted pool twice \
	alloc reserve leader tf window xrt behind rows; do
	for mode in hard soft keep crlf pane rank pod glog cri kube dated dated-soft; do
		sed "s#^#$(prefix $mode)#" $text.txt | says >want
		grep -q . want || exit 1
		for width in 60 72 80 100 120 132 200; do
			wrapped $mode $width $text.txt >wrapped.txt
			says <wrapped.txt >got
			if cmp -s want got; then
				same=$((same + 1))
			elif case $text-$mode-$width in two-keep-60 | pool-soft-60 | pool-keep-60 | leader-soft-200) ;; *) false ;; esac then
				: # nothing tells whether the line before it belongs to a message, or whether a full line was cut
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
# what else launchers put in front of lines, before and after they were wrapped
while read -r label; do
	for text in compile list log again heads rows tf; do
		sed "s#^#[rank3]: #" $text.txt | says >want
		sed "s#^#$label #" $text.txt >labeled.txt
		for width in 80 100; do
			for way in none before behind; do
				case $way in
				none) cat labeled.txt ;;
				before) wrapped hard $width $text.txt | sed "s#^#$label #" ;;
				behind) wrapped hard $width labeled.txt ;;
				esac >wrapped.txt
				says <wrapped.txt >got
				cmp -s want got && continue
				echo "$text behind $label, wrapped: $way, $width columns:"
				diff want got | head -6
				exit 1
			done
		done
	done
done <<'END'
3:
12:
tpu-vm-3:
trainer-1  |
[1,3]<stderr>:
[default0]:
[rank: 3]
[worker3]
Nov 22 10:00:01 vm-0 train.sh[991]:
Nov  2 10:00:01.123456 vm-0 train:
<30>Nov 22 10:00:01 vm-0 python3[123]:
<14>1 2026-11-22T10:00:01.123Z vm-0 python3 123 - -
<14>1 2026-11-22T10:00:01.123Z vm-0 python3 123 - [id@1 a="\\]"][b c="d e"]
2026-11-22T10:00:01+0000 vm-0 train.sh[991]:
[pod/train-0/jax-tpu] 2026-11-22T10:00:01.123456789Z
train-0-x7b2c jax-tpu
trainer-1  | 2026-11-22T10:00:01.123456789Z
END
# Their times go on from line to line; a single line has the label of its process, too.
while read -r label; do
	for text in compile tf rows; do
		says <$text.txt >want
		wrapped hard 100 $text.txt | awk -v label="$label" '{ printf("%s %s\n", sprintf(label, NR % 60), $0) }' >wrapped.txt
		says <wrapped.txt >got
		cmp -s want got && continue
		echo "$text behind $label:"
		diff want got | head -6
		exit 1
	done
done <<'END'
Nov 22 10:00:%02d vm-0 train.sh[991]:
<14>1 2026-11-22T10:00:%02d.123Z vm-0 python3 123 - -
2026-11-22T10:00:%02d+0000 vm-0 train.sh[991]:
[pod/train-0/jax-tpu] 2026-11-22T10:00:%02d.123456789Z
train-0-x7b2c jax-tpu
END
says <load.txt >want
for label in worker-0: 0: "trainer-1  |" "[worker0]"; do
	sed "s#^#$label #" load.txt | says >got
	cmp -s want got || { echo "a single line behind $label"; diff want got; exit 1; }
	for width in 60 80 100; do # the label shows when the line is whole again
		sed "s#^#$label #" load.txt >labeled.txt
		wrapped hard $width labeled.txt | says >got
		cmp -s want got || { echo "a line behind $label, wrapped at $width"; diff want got; exit 1; }
	done
done
says <log.txt >want
sed 's/^/0: /' log.txt >zero.txt
sed 's/.*/1: step/' log.txt | paste -d '\n' zero.txt - | says >got
cmp want got || exit 1
says <moment.txt >want
for wrap in "hard 80" "soft 80" "hard 100" "soft 100"; do
	wrapped ${wrap% *} ${wrap#* } moment.txt | says >got
	cmp want got || exit 1
done

# A program that wraps a colored log counts its codes, and may cut one; a terminal does neither.
esc=$(printf '\033')
for n in 1 2 3; do
	echo "${esc}[1;36m(EngineCore_DP0 pid=21842$n)${esc}[0;0m ERROR 11-14 16:38:2$n [core.py:85$n] jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 1.0${n}G. That was not possible. There are 999.27M free.; (0x0x0_HBM0): while running replica 0 and partition 0 of a replicated computation (other replicas may have failed as well)."
	echo "${esc}[1;36m(EngineCore_DP0 pid=21842$n)${esc}[0;0m ERROR 11-14 16:38:2$n [core.py:85$n] --------------------"
	echo "${esc}[1;36m(EngineCore_DP0 pid=21842$n)${esc}[0;0m ERROR 11-14 16:38:2$n [core.py:85$n] For simplicity, JAX has removed its internal frames from the traceback of the following exception."
done >colored.txt
sed "s/$esc\[[0-9;]*m//g" colored.txt >colorless.txt
says <colored.txt >want
grep -q '11-14T16:38:23' want || exit 1
for width in 60 72 80 100 120 132 160 200; do
	for wrap in hard soft; do
		for text in colored colorless; do
			wrapped $wrap $width $text.txt | says >got
			cmp want got || { echo "$text, $wrap, $width columns"; exit 1; }
		done
	done
done

# Graphs of PyTorch/XLA: their nodes are counted and their places are known however the file was wrapped.
for kind in text dot; do
	for i in 10 11 12 13; do
		printf '[SyncTensorsGraph]\nTensorsGraphInfo:\n'
		echo '  sync (/opt/environments/jax/lib/python3.11/site-packages/torch_xla/torch_xla.py:87)'
		echo '  <module> (/home/user/project/experiments/torch_xla/convolution/bfloat16/train_model.py:22)'
		printf '\nRoot Hashes: (2aeba8831d03f85e3fe47a4dad1658%d, 104e3b32745864c8b5565056bd226a%d)\n\n## BEGIN_GRAPH\n' $i $i
		[ $kind = dot ] && echo 'digraph G {' || echo 'IR {'
		k=0
		while [ $k -lt $i ]; do
			shape="f32[$i,$k,1024]{2,1,0}" at=location=convert@module.py:1357
			[ $kind = dot ] && echo "  node$k [label=\"xla::device_data\\n$shape\\n$at\\nxla_shape=$shape\"]" |
				sed 's/\\\\/\\/g' || echo "  %$k = $shape xla::device_data(), $at, xla_shape=$shape"
			k=$((k + 1))
		done
		printf '}\n\nGraph Hash: 2aeba8831d03f85e3fe47a4dad1658%d\n\n## END_GRAPH\n\n\n' $i
	done >graphs.$kind
	says <graphs.$kind >want
	grep -q "train_model.py:22: 4 different of 4 graphs, of 10 to 13 nodes" want || { cat want; exit 1; }
	for width in 60 72 80 100 132; do
		for wrap in hard soft; do
			wrapped $wrap $width graphs.$kind | says >got
			cmp want got || { echo "graphs.$kind, $wrap, $width columns"; exit 1; }
		done
	done
done
