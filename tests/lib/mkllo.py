#!/usr/bin/env python3
"""mkllo.py FOLDER [BLOCKS [NAME MODULE RESULT]]: a small LLO dump in the form of libtpu: the program jit_scale with the kernel scale.1, whose loop over a grid of BLOCKS (4) steps
copies a block in, waits for it, multiplies it twice and stores it; four registers are spilled.  tests/cli/llo.sh counts by hand what it must say."""
import os, sys
folder, blocks = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4
NAME, MODULE, RESULT = sys.argv[3:6] if len(sys.argv) > 5 else ("scale.1", "jit_scale", "f32[8,128]{1,0:T(8,128)} custom-call")
os.makedirs(folder, exist_ok=True)
T, K = 1700000000000000000, 1700000000000000005
UNITS, SLOTS = ["MATMUL", "MATPUSH", "XLU", "VALU", "VPOP", "EUP", "VLOAD", "VLOAD:FILL", "VSTORE", "VSTORE:SPILL", "SALU"], [2, 2, 2, 4, 2, 1, 3, 3, 2, 2, 2]
src = lambda n: '/* loc("/home/me/scale \\"v2\\".py":%d:4 to :9) */' % n
# (mark, depth, instructions with their comments, comment behind the bundle, units, cycles)
B = [
 ("", 0, ["%s10_s0 = inlined_call_operand.hbm [shape: f32[8,128], index: 0] /* an operand; ;; } of /* nested */ words */", "%8 = vsyncpa [#allocation4], 0"], "", {"SALU": 1}, 1),
 ("", 0, ["%s11_s1 = smov.u32 0 /* copy for cssa */"], "Start region 9 :: End region 9", {"SALU": 1}, 1),
 ("LB", 1, ["%s12_s2 = sphi %s11_s1, %s13_s2", "%s14_s3 = sadd.s32 1, %s12_s2 /* iteration index, stage = 0 */"], "Start region 3", {"SALU": 1}, 2),
 ("", 1, ["%15 = sbr.rel (%p9_p0) target = $region8"], "", {"SALU": 1}, 1),
 ("", 1, [], "", {}, 0),
 ("", 1, ["%s20_s4 = scalar_lea.sflag [#allocation4], %s12_s2", "%21 = dma.hbm_to_vmem [thread:$0] /*hbm=*/%s10_s0, /*size_in_granules=*/256, /*vmem=*/[#allocation5], /*dst_syncflagno=*/%s20_s4 " + src(11)], "Start region 5", {"VLOAD": 1, "SALU": 1}, 1),
 ("", 1, ["%22 = dma.done.wait %s20_s4, 256 " + src(12)], "", {"VLOAD": 1}, 1),
 ("", 1, ["%v30_v0 = vld [vmem:[#allocation5] sm:$0xff] " + src(13), "%v31_v1 = vld [vmem:[#allocation5 + $0x8] sm:$0xff] " + src(13)], "", {"VLOAD": 2}, 3),
 ("", 1, ["%v32_v2 = vmul.f32 %v30_v0, %v31_v1 " + src(14), "%33 = vst [vmem:[#allocation7_spill] sm:$0xff] %v30_v0", "%34 = vst [vmem:[#allocation8_spill] sm:$0xff] %v31_v1"], "", {"VALU": 1, "VSTORE": 2, "VSTORE:SPILL": 2}, 4),
 ("", 1, ["%v35_v3 = vld [vmem:[#allocation7_spill] sm:$0xff]", "%36 = vmatmul.mubr.bf16.gmra.mrb.mxu0 %v32_v2 " + src(14)], "", {"MATMUL": 1, "VLOAD": 1, "VLOAD:FILL": 1}, 6),
 ("", 1, ["%37 = vst [vmem:[#allocation6] sm:$0xff] %v35_v3 " + src(15)], "End region 5", {"VSTORE": 1}, 1),
 ("", 1, ["%p40_p1 = scmp.ge.s32.totalorder %s14_s3, " + str(blocks + 2), "%41 = sbr.rel (!%p40_p1) target = $region3"], "Start/End empty region 8", {"SALU": 2}, 1),
 ("", 1, [], "End region 3", {}, 0),
 ("", 0, ["%42 = vsyncpa [#allocation4], 1"], "exit bundle: %" + NAME + " = custom-call(%p)", {"SALU": 1}, 1),
]
B[0] = B[0][:3] + ("entry bundle: %" + NAME + " = custom-call(%p)",) + B[0][4:]
KEY = "= control target key start\nLB: loop body\n= control target key end\n\n"
def bundle(i, b):
    return "%6s %s: %s{ %s }%s\n" % (hex(i) if i else "0", b[0] and b[0] + " " or "  ", ">" * b[1] and ">" * b[1] + " ", "  ;;  ".join(b[2]), " /* %s */" % b[3] if b[3] else "")
def rows(bs):
    return "== CAPACTIY:\n%s\n%s\n== UTILIZATION:\n" % (", ".join(UNITS), " ".join("%5d" % x for x in SLOTS)) + "".join(" ".join(str(b[4].get(u, 0)) for u in UNITS) + "\n" for b in bs)
def write(ns, unit, number, name, text):
    open("%s/%d-%s-%s%s" % (folder, ns, unit, number and number + "-", name), "w").write(text)
empty = ("", 0, [], "", {}, 0)
cycles = [x for b in B if b[2] for x in [b] + [empty] * (b[5] - 1)]
hlo = '%' + NAME + ' = ' + RESULT + '(%p), custom_call_target="tpu_custom_call", metadata={op_name="jit(scale)/mul"}'
def schedule(n, none):
    return "total scheduled bundles: %d\nempty scheduled bundles: %d\nnon empty scheduled bundles: %d\n %d.00 scheduled bundles (100.00%%): %s\n %d.00 scheduled bundles (100.00%%): [custom-call]\n" % (n, none, n - none, n, hlo, n)
N = sum(not b[2] for b in B)
write(K, NAME, "75", "final_bundles.txt", KEY + "".join(bundle(i, b) for i, b in enumerate(B)))
write(K, NAME, "73", "final_hlo-static-per-bundle-utilization.txt", rows(B))
write(K, NAME, "67", "packed-bundles-post-ra.txt", KEY + "".join(bundle(i, b) for i, b in enumerate(cycles)))
write(K, NAME, "71", "pre-delay_hlo-static-per-bundle-utilization.txt", rows(cycles))
write(K, NAME, "74", "schedule-analysis_final_bundles.txt", schedule(len(B), N))
write(K, NAME, "46", "schedule-analysis_packed-bundles-pre-ra.txt", schedule(20, 0))
write(K, NAME, "66", "schedule-analysis_packed-bundles-post-ra.txt", schedule(23, 0))
write(K, NAME, "36", "critical-path.txt", "New basic block in region: region5 {members=9 hlo=" + NAME + " parent=3}\n  Length to end: 15, a\n  Length to end: 2, b\n\nNew basic block in region: region0 {members=2 hlo=" + NAME + " parent=-1}\n  Length to end: 99, c\n")
write(K, NAME, "72", "post-delay-converter.txt", "$region0: #{" + NAME + "} parent=-1\n  #allocation5 [shape = 'u8[8192]{0}', space=vmem, size = 0x2000, scoped, tag = 'input window allocation for operator input 0. This allocation has 1 buffering levels.']\n"
      "  #allocation7_spill [shape = 'u8[4096]{0}', space=vmem, size = 0x1000, offset = 0, scoped]\n  #allocation8_spill [shape = 'u8[4096]{0}', space=vmem, size = 0x1000, offset = 0x1000, scoped]\n  $region3: #{" + NAME + "} parent=0 // loop_body\n    loop: start=0, step=1, limit=%d\n" % (blocks + 2))
write(K, NAME, "09", "post-GVN.txt", "not read\n")
write(T, "TLP", "", "hlo.txt", "HloModule " + MODULE + ", is_scheduled=true\n\nENTRY %main (p: f32[8,128]) -> f32[8,128] {\n  %p = f32[8,128]{1,0} parameter(0)\n  ROOT " + hlo.replace(", metadata", ", operand_layout_constraints={f32[8,128]{1,0}}, metadata") + "\n}\n")
write(T, "TLP", "00", "deduplication-map.txt", "key:%s\nordinal:1\nequivalent_hlos[size=1]:\n  %s\n" % (NAME, NAME))
write(T, "TLP", "87", "all-fingerprints.txt", "AAAA%d=:i=00000001:c=00000002 %s\n" % (blocks, NAME))
write(T, "TLP", "92", "vmem_report.html", '<script>const DATA = {\n"module_name": "' + MODULE + '",\n"vmem_capacity": 134217728\n};</script>\n')
