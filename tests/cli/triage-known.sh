# triage: what each of these texts is about, what is shown of it, and what is advised: numbers come from the message, the
# specific error stands for the general one, and an error that no rule knows is a finding, too.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to read JSON"; exit 77; }
python3 - "$tpuscope" <<'P'
import json, subprocess, sys
program = sys.argv[1]
def gpu(front):
    buffers = (("6.00GiB", "attention/dot_general", "f32[64,32,1024,1024]"), ("1.50GiB", "mlp/dot_general", "f32[96,4096,1024]"),
               ("1.50GiB", "mlp/dot_general", "f32[96,4096,1024]"))
    lines = ["RuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9.50GiB.", "BufferAssignment OOM Debugging.",
             "BufferAssignment stats:", "             parameter allocation:    1.50GiB", "              constant allocation:       16B",
             "        maybe_live_out allocation:    1.00GiB", "     preallocated temp allocation:    9.50GiB",
             "  preallocated temp fragmentation:    0.10GiB (1.05%)", "                 total allocation:   12.00GiB", "Peak buffers:"]
    for i, (size, op, shape) in enumerate(buffers, 1):
        lines += [f"\tBuffer {i}:", f"\t\tSize: {size}", f'\t\tOperator: op_name="jit(step)/{op}" source_file="/a/model.py" source_line=7',
                  "\t\tXLA Label: fusion", f"\t\tShape: {shape}", "\t\t==========================", ""]
    return "".join(front + line + "\n" for line in lines)
peak = gpu("")
bfc = "2026-01-12 08:26:29.5684%02d: %s external/xla/xla/tsl/framework/bfc_allocator.cc:%d] %s"
chunks = "\n".join(bfc % (i, "W" if i == 0 else "I", 400 + 10 * i, s) for i, s in enumerate((
    "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op ", "BFCAllocator dump for GPU_0_bfc",
    "Bin (256): \tTotal Chunks: 1, Chunks in use: 1. 1.0KiB allocated for chunks.", "Next region of size 8589934592",
    "InUse at 7f2600000000 of size 5368709120 next 1", "Free  at 7f2740000000 of size 1073741824 next 2",
    "Free  at 7f2790000000 of size 1610612736 next 18446744073709551615", "     Summary of in-use Chunks by size: ",
    "1 Chunks of size 5368709120 totalling 5.00GiB", "Sum Total of in-use chunks: 5.00GiB",
    "total_region_allocated_bytes_: 8589934592 memory_limit_: 8589934592 available bytes: 0"))) + "\n" + \
    "2026-01-12 08:26:29.600000: E external/xla/xla/pjrt/pjrt_stream_executor_client.cc:2153] Execution of replica 0 failed: " + \
    "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 2147483600 bytes.\n"
# a text; the ids of its findings; what evidence and advice of the first say, and with ! what they do not say
cases = [
    # a core of the chip halts
    ("XlaRuntimeError: INTERNAL: E0200: RuntimeUnexpectedCoreHalt: Program or fatal error occurred; computation may be invalid: (launch_id=7)"
     "Assertion args: INTERNAL: Fatal error occurred during TPU execution.\n\n"
     "Detailed error: Node 2 halted unexpectedly at tag:pc SparseCoreSequencer:1:0x8 (from SparseCoreSequencer:1:0x8): no debugging message "
     "found for this tag:pc. ; HLO module: jit_serve\n", ["core_halted"],
     "SparseCoreSequencer:1:0x8", "HLO module: jit_serve", "It was a SparseCore", "! in a Pallas kernel"),
    ("Node 0 halted unexpectedly at tag:pc TensorCoreSequencer:1:0x6f (from TensorCoreSequencer:1:0x3b): BoundsCheck 0 [deref of %s20] for "
     "%23 = dma.hbm_to_vmem\nhlo: gather.7.clone, while.3\nHLO module: jit_lookup\n", ["core_halted"],
     "hlo: gather.7.clone", "HLO module: jit_lookup", "An op of XLA, gather.7.clone,", "!kernel: run"),
    ("Accelerator device halted prematurely, perhaps due to an on-device check-failure. Node 0 halted unexpectedly at tag:pc 1:0x6: BoundsCheck 0 "
     "in custom-call(%x), custom_call_target=\"tpu_custom_call\"\n", ["core_halted"], "in a Pallas kernel or a custom call", "!An op of XLA"),
    ("E0731 09:51:07.118253     514 tpu_hal_error.cc:88] 1x2x0_TC0: *** A program or fatal error occurred, all pending programs will fail, and "
     "results may be corrupted. Physical location: tpu9:pe1:3\n", ["chip_failed"], "tpu9:pe1:3", "Look at the place: tpu9:pe1:3."),
    # kernels
    ("JaxRuntimeError: RESOURCE_EXHAUSTED: Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation2 "
     "[shape = 'u8[268435456]{0}', space=vmem, size = 0x10000000, tag = 'scratch']\n", ["vmem_oom", "allocation", "no_program"], "no option raises it", "!Raise the limit"),
    ("JaxRuntimeError: INVALID_ARGUMENT: Mosaic failed to compile TPU kernel:\nFailed to set window params for input 1: E2002: "
     "CompileTimeMosaicMisalignedBlockAndTiling:\nOperand of shape (4, 64, 512) has tiling (32, 128), but its block shape (1, 8, 512)\n"
     "is not divisible by tiling evenly nor matches the full shape\n", ["mosaic_misaligned"],
     "has tiling (32, 128), but its block shape (1, 8, 512)", "multiples of the tiling, (32, 128),", "array, (4, 64, 512).", "!8 x 128"),
    ("INTERNAL: Mosaic failed to compile TPU kernel: cannot statically prove that index in dimension 0 is a multiple of 16\n",
     ["mosaic_unproven_alignment"], "i * 16", "pl.multiple_of(i, 16)", "computes wrong numbers", "!128"),
    ("E2003: CompileTimeMosaicUnprovenMemoryAccessAlignment:\n", ["mosaic_unproven_alignment"], "pl.multiple_of(i, N)", "!128"),
    ("INTERNAL: Mosaic failed to compile TPU kernel: Unsupported matmul RHS type on target: 'vector<128x128xf8E4M3FN>'\n", ["mosaic_unsupported"]),
    ("INTERNAL: Mosaic failed to compile TPU kernel: failed to legalize operation 'arith.mulf'\n\nat location: loc(\"x\")\n", ["mosaic_failed"],
     "failed to legalize", "write it otherwise"),
    ("INVALID_ARGUMENT: Mosaic failed to compile TPU kernel: Failed to verify layout for Mosaic kernel operand 3: XLA layout ({0}) does not match "
     "Mosaic layout ({0:T(128)}) for an operand of shape f32[0].\n", ["mosaic_failed"], "layouts of operand 3 (shape f32[0])"),
    ("ValueError: The Pallas TPU lowering currently requires that the last two dimensions of your block shape are divisible by 8 and 128 "
     "respectively, or be equal to the respective dimensions of the overall array.\n", ["pallas_lowering"], "divisible by 8 and 128,"),
    ("JaxRuntimeError: INTERNAL: Hlo-Op: my_gather.2: error: 'memref.alloca' op E3000: CompileTimeSparseCoreAllocationFailure: current allocation "
     "offset upper bound (200000 words) exceeds the legitimate user allocatable offset upper bound (65535 words) in memory space 201 when "
     "allocating 150000 words.\n", ["sparsecore_oom"], "needs 781.3 KiB of 256.0 KiB (200000 words of 65535)", "Of a kernel", "!Of embeddings"),
    ("XLA:TPU compile permanent error. No viable logical replica count for the embedding table with metadata: max_nz_per_row = 9000, "
     "max_unique_nz_per_row = 8\n", ["sparsecore_replicas"], "max_nz_per_row = 9000"),
    # memory
    ("RESOURCE_EXHAUSTED: Ran out of memory in memory space smem. Used 1.00M of 1.00M smem. Exceeded smem capacity by 2.5K.\n",
     ["smem_oom", "no_program"], "needs 1.0 MiB of 1.0 MiB, 2.5 KiB too much"),
    ("RESOURCE_EXHAUSTED: Ran out of memory in memory space sflag. Used 2.1K of 2.0K sflag. Exceeded sflag capacity by 128B.\n",
     ["sflag_oom"], "needs 2.1 KiB of 2.0 KiB", "collectives in flight"),
    ("RESOURCE_EXHAUSTED: Shared memory size limit exceeded: requested 131072, available: 101376\n", ["gpu_smem"], "needs 128.0 KiB of 99.0 KiB"),
    ("Scoped allocation with size 16.01M and limit 16.00M exceeded scoped vmem limit by 12.0K.\n", ["scoped_vmem", "no_program"],
     "needs 16.0 MiB of 16.0 MiB, 12.0 KiB too much"),
    ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity; 14.94 GiB already allocated; "
     "12.75 MiB free; 15.12 GiB reserved in total by PyTorch)\n", ["gpu_oom"],
     "asked for 20.0 MiB at once; the allocator may use 15.9 GiB; 14.9 GiB are in use; 12.8 MiB are free"),
    # a GPU: what the program holds at its peak, and the map of the allocator
    (peak, ["gpu_oom", "attention_scores", "same_shape"],
     "asked for 9.5 GiB at once; the program needs 12.0 GiB in all", "!gpu_taken"),
    (peak.replace("GiB", "MiB"), ["gpu_oom", "attention_scores", "same_shape", "gpu_taken"], "the program needs 12.0 MiB in all"),
    (chunks, ["gpu_oom", "runtime_fragmentation"], "asked for 2.0 GiB at once; the allocator may use 8.0 GiB; 5.0 GiB are in use; 2.5 GiB are free; "
     "the largest free piece has 1.5 GiB"),
    # the machines of a job
    ("E0511 18:18:50.796514     915 session_master.cc:505] Session is failing with the following status: Session master detected TPU session error "
     "from worker w-15.svc:8471. The reporting TPU chip locations are:tpu3:pe4:3, tpu3:pe4:2\n"
     "E0511 18:18:50.796852     915 tpunetd_client.cc:311] Detected failure SLICE_FAILURE_CHIP_DRIVER_ERROR in session e6; Start failure handling\n",
     ["slice_failed"], "tpu3:pe4:3, tpu3:pe4:2", "recreate their nodes"),
    ("2026-01-12 08:26:29.568412: E xla/tsl/coordination_service.cc:1170] /job:jax_worker/replica:0/task:5 has been set to ERROR in coordination "
     "service: UNAVAILABLE: Task /job:jax_worker/replica:0/task:5 heartbeat timeout.\n"
     "2026-01-12 08:26:29.601100: F xla/pjrt/distributed/client.h:88] Terminating process because the JAX distributed service detected fatal "
     "errors. This most likely indicates that another task died\n", ["task_lost"], "task:5", "Read the log of task 5 first"),
    ("Megascale detects a hang that is likely caused by a networking issue. Please examine the underlying networking stack for the following "
     "hosts.\n  The hosts are: host-a, host-b\n", ["hang"], "host-a, host-b", "A network link failed", "!Chips are bad"),
    ("Megascale hang detected: Timed out waiting for 4 graphs to complete at launch_id 9.\nstep 3\n"
     "Megascale detects a hang that is likely caused by bad TPU chips on the following hosts.\n", ["hang"], "bad TPU chips", "Chips are bad"),
    ("ValueError: Number of devices 4 must equal the product of mesh_shape (2, 4)\n", ["device_count"], "sees 4 devices; the mesh is (2, 4)"),
    ("ValueError: compiling computation that requires 8 logical devices, but only 4 XLA devices are available (num_replicas=8)\n", ["device_count"],
     "The program needs 8 devices, and 4 are there."),
    ("DEADLINE_EXCEEDED: Barrier timed out. Id: PjRT_Client_Connect::0.\n", ["task_lost"], "which one did not get there", "!died first"),
    ("RuntimeError: UNKNOWN: TPU initialization failed: Invalid --slice_builder_worker_addresses specified. Expected 8 worker addresses, got 2.\n",
     ["worker_addresses"], "8 addresses are expected, 2 were given"),
    ("RuntimeError: Unable to initialize backend 'tpu': INVALID_ARGUMENT: unexpected worker hostname 'x' from env var\n", ["worker_hostname"]),
    ("RuntimeError: Unable to initialize backend 'tpu': UNAVAILABLE: No TPU Platform available.\n", ["tpu_init_failed"]),
    # sizes and numbers of things
    ("XlaRuntimeError: INTERNAL: RET_CHECK failure (xla/service/x.cc:12) size <= std::numeric_limits<int32_t>::max()\n", ["ret_check"],
     "A size is above 2^31"),
    ("INTERNAL: RET_CHECK failure (xla/service/y.cc:3) operand != nullptr\n", ["ret_check"], "!2^31"),
    ("  (0) INVALID_ARGUMENT: Computation requires more parameters (4000) than supported (limit 3305).\n", ["too_many_parameters"],
     "It takes 4000, 3305 are possible"),
    ("RuntimeError: XRT_TPU_CONFIG is not set\n", ["xla_unconfigured"]),
    # what no rule knows
    ("I1121 07:59:39.906386 14 a.cc:1] starting\nE1121 07:59:40.906386 14 b.cc:2] no widgets\nE1121 07:59:41.906386 14 b.cc:2] none at all\n"
     "I1121 07:59:42.906386 14 a.cc:3] bye\n", ["unknown_error"], "no widgets; b.cc:2; the first of 2, line 2"),
    ("E1121 07:59:40.906386 14 b.cc:2] no widgets\nF1121 07:59:41.906386 14 c.cc:7] giving up\n", ["unknown_fatal"], "giving up; c.cc:7, line 2"),
    ("2026-11-24 03:12:01,123 - root - INFO - hello\n2026-11-24 03:12:02,123 - root - CRITICAL - no widgets\n", ["unknown_fatal"],
     "no widgets, line 2"),
    ("Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    foo()\nValueError: no widgets\n", ["unknown_error"],
     "ValueError: no widgets, line 4"),
    ("jaxlib.xla_extension.XlaRuntimeError: UNIMPLEMENTED: no widgets\n", ["unknown_error"], "UNIMPLEMENTED: no widgets, line 1"),
    ("ERROR 06-17 19:23:59 [core.py:5] The engine stops.\nERROR 06-17 19:23:59 [core.py:6] Traceback (most recent call last):\n"
     "ERROR 06-17 19:23:59 [core.py:6] KeyError: 'widgets'\n", ["unknown_error"], "The engine stops.; KeyError: 'widgets'; core.py:5; the first of 2"),
    ("W1121 07:59:39.906386 14 a.cc:1] Failed to fetch URL on try 1 out of 6\nE1121 07:59:40.906386 14 b.cc:2] no widgets\n",
     ["unknown_error", "metadata_unreachable"]),
    ("".join(f"ERROR 06-17 19:23:59 [tpu_info.py:26] {s}\n" for s in ("Unable to poll TPU GCE Metadata. Got status code: 404", "", "<html>")) +
     "ERROR 06-17 19:24:00 [core.py:9] no widgets\n", ["unknown_error", "metadata_unreachable"], "no widgets; core.py:9, line 4"),
    # a rule knows a later line of the record, or an error that is as bad; nothing is wrong
    ("E1121 08:06:17.534072 22 alarm.cc:73]\n********************************\n[Compiling module jit_f] Very slow compile? If you want to file a "
     "bug, run with envvar XLA_FLAGS=--xla_dump_to=/tmp/foo and attach the results.\n", ["slow_compile"]),
    ("E1121 07:59:40.906386 14 b.cc:2] no widgets\nE1121 07:59:41.906386 14 b.cc:2] TPU initialization failed: oh\n", ["tpu_init_failed"]),
    ("I1121 07:59:39.906386 14 a.cc:1] ValueError is a class\nW1121 07:59:39.906386 14 a.cc:1] ERROR is a word\n", []),
    ("export XRT_TPU_CONFIG=\"localservice;0;localhost:51011\"\n", []),
]
wrong = 0
for text, ids, *said in cases:
    r = subprocess.run([program, "triage", "-", "--format", "json"], input=text.encode(), capture_output=True)
    t = json.loads(r.stdout)["tables"]["findings"]
    at = [c["id"] for c in t["columns"]]
    rows = [dict(zip(at, row)) for row in t["rows"]]
    all_said = f'{rows[0]["evidence"]} {rows[0]["advice"]}' if rows else ""
    bad = [s for s in said if (s[1:] in all_said if s[0] == "!" else s not in all_said)]
    if [row["id"] for row in rows] != ids or bad:
        wrong += 1
        print(f'{text[:150]}...\n  is {[row["id"] for row in rows]}, not {ids}; {bad}\n  {all_said}')
# the same list behind the head of a record in each line, and what it says of each buffer
def buffers(text):
    r = subprocess.run([program, "triage", "-", "--format", "json"], input=text.encode(), capture_output=True)
    t = json.loads(r.stdout)["tables"]
    return [t["buffers"]["rows"], t["requirement"]["rows"], t["errors"]["rows"][0][9:]]
if buffers(peak) != buffers(gpu("I0309 12:51:51.361436 140505975940928 run_docker.py:247] ")) or buffers(peak) != buffers(gpu("> ")):
    wrong += 1
    print("a list of a GPU differs behind a head or a quote")
if [row[2:5] for row in buffers(peak)[0]] != [[1, 6442450944, None], [2, 1610612736, None], [3, 1610612736, None]]:
    wrong += 1
    print(buffers(peak)[0])
# a line with a head of its own begins a record, even where its message goes on in the next one
lines = ["I1121 07:59:39.906386 14 a.cc:1] starting", "E1121 07:59:40.906386 14 b.cc:2] XLA:TPU compile permanent error. Ran out of memory in memory "
         "space hbm. Used 21.95G of 15.48G hbm.", "E1121 07:59:40.906386 14 b.cc:2] Exceeded hbm capacity by 6.47G."]
r = subprocess.run([program, "triage", "-", "--format", "json"], input="\n".join(lines).encode(), capture_output=True)
if json.loads(r.stdout)["summary"]["records"] != 3:
    wrong += 1
    print("three heads are not three records")
sys.exit(wrong > 0)
P
