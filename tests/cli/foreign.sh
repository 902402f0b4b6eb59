# What the compiler and other programs write and nothing here reads is named, with what to give instead.
. "$srcdir/tests/cli/lib.sh"
bad=0
says() { # TEXT FILE
	"$tpuscope" report info "$2" >out 2>err
	status=$?
	[ $status = 1 ] && grep -q "$1" err || { echo "$2: status $status, not: $1"; cat err; bad=1; }
}
cat >hlo.txt <<'W'
  %iota.1 = s32[100,1]{0,1:T(1,128)} iota(), iota_dimension=0, metadata={op_name="jit(f)/iota"}
  %while.2 = (s32[], f32[8]{0}) while((s32[], f32[8]{0}) %tuple.1), condition=%cond,
    body=%body
  ROOT add.3 = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b)
W
says 'without the module around them' hlo.txt
cat >stable.mlir <<'W'
#loc1 = loc("x")
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> { return %arg0 : tensor<8xf32> }
}
W
says 'StableHLO or other MLIR' stable.mlir
printf '// a note\n\n%%0 = stablehlo.add %%a, %%b : tensor<8xf32>\n' | tail -n 1 >part.txt
says 'StableHLO or other MLIR' part.txt
printf 'ML\357R\015StableHLO_v1.0.0\000\001' >module.bc
says 'StableHLO or other MLIR' module.bc
cat >profile.log <<'W'
2026-01-01 10:00:00.000001: I xla/service/executable.cc:221] Execution profile for jit_f: (1.6 ms @ f_nom)
2026-01-01 10:00:00.000002: I xla/service/executable.cc:221]    1634 cycles (100.00% 100Σ) ::   11.0 usec :: [total]
W
says 'a log of --xla_hlo_profile' profile.log
mkdir -p llo/kernel
for unit in 1700000000000000001-matmul.1 1700000000000000002-fusion.8; do
	printf '= control target key start\n' >llo/kernel/$unit-71-final_bundles.txt
	printf '== CAPACTIY:\nVALU\n4\n' >llo/kernel/$unit-64-final_hlo-static-per-bundle-utilization.txt
	echo x >llo/kernel/$unit-09-post-GVN.txt
done
says 'a dump of LLO of a pass that is not read' llo/kernel/1700000000000000001-matmul.1-09-post-GVN.txt
mkdir passes
cp llo/kernel/*-09-post-GVN.txt passes
says '2 (0 with bundles, 0 with utilization, 2 of other passes)' passes
printf 'HloModule jit_f\n\nENTRY main {\n  ROOT p = f32[8] parameter(0)\n}\n' >llo/1700000000000000000-TLP-hlo.txt
"$tpuscope" report info llo --format json 2>err | grep -q '"hlo_text"' || { echo "HLO beside LLO is not opened"; cat err; bad=1; }
"$tpuscope" triage hlo.txt 2>&1 >/dev/null | grep -q 'without the module around them' || { echo "triage does not say what HLO lines are"; bad=1; }
"$tpuscope" triage llo >out 2>err
grep -q '6 (2 with bundles' err && ! grep -q '^files  *[7-9]' out || { echo "triage does not count a dump of LLO"; cat out err; bad=1; }
printf 'a log\nx = f(3)\n2026-01-01 W a.cc:3] f32[8] was not a shape = (3)\n' >words.txt
says 'open logs with tpuscope triage' words.txt
command -v python3 >/dev/null || exit $bad
python3 - <<'P'
def field(f, v):
    return bytes([f << 3 | (0 if isinstance(v, int) else 2)]) + (bytes([v]) if isinstance(v, int) else bytes([len(v)]) + v)


def profile(name, *types):
    texts = [b''] + [t.encode() for pair in types for t in pair]
    b = b''.join(field(1, field(1, 2 * i + 1) + field(2, 2 * i + 2)) for i in range(len(types)))
    b += field(2, field(1, 1) + field(2, bytes([1] * len(types)))) + b''.join(field(6, t) for t in texts)
    open(name, 'wb').write(b)


profile('go.memory.prof', ('alloc_objects', 'count'), ('alloc_space', 'bytes'), ('inuse_objects', 'count'), ('inuse_space', 'bytes'))
profile('cpu.prof', ('samples', 'count'), ('cpu', 'nanoseconds'))
profile('device.prof', ('allocations', 'count'), ('space', 'bytes'))
import cProfile
cProfile.Profile().runcall(sorted, [2, 1])
p = cProfile.Profile()
p.runcall(sorted, [2, 1])
p.dump_stats('python.prof')
P
says 'not of device memory (alloc_objects, alloc_space, inuse_objects, inuse_space: the heap of a Go program)' go.memory.prof
says 'not of device memory (samples, cpu)' cpu.prof
says "of Python's cProfile" python.prof
"$tpuscope" report info device.prof >/dev/null || { echo "device memory is refused"; bad=1; }
exit $bad
