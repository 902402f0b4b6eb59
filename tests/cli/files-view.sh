# compare
# The files view: files of several kinds with what each lacks, a damaged one in full, small and plain screens, sorting, searching.
. "$srcdir/tests/cli/lib.sh"
corpus=$srcdir/tests/fuzz/corpus
mkdir run
cp "$corpus/xspace/host-only.pb" run/host.xplane.pb
cp "$corpus/xspace/two-cores.pb" run/cores.xplane.pb
cp "$corpus/digest/two-cores.pb" run/digest.pb
cp "$corpus/chrome-json/array-cut.json" run/cut.trace.json
cp "$corpus/hlo/shared" 'run/jit_f(1).hlo_proto.pb'
head -c 3000 "$corpus/xspace/two-cores.pb" >run/cut.xplane.pb
printf 'nothing\n' >run/notes.txt
frame() {
	keys=$1
	size=$2
	try snapshot files run/cores.xplane.pb run/cut.xplane.pb run/digest.pb run/host.xplane.pb 'run/jit_f(1).hlo_proto.pb' \
		run/cut.trace.json run/notes.txt --size "$size" --keys "$keys"
}
frame 'j' 80x24
frame 'j' 120x40
frame 'G' 200x60
frame 'j<Enter>' 80x24
frame '>>>r' 40x8
frame '/digest<Enter>' 80x24
frame '&XSpace<Enter>' 80x24
# Files of one name are told apart by their folders.
mkdir -p jobs/worker-0/trace jobs/worker-1/trace
cp "$corpus/xspace/host-only.pb" jobs/worker-0/trace/host.xplane.pb
cp "$corpus/xspace/two-cores.pb" jobs/worker-1/trace/host.xplane.pb
try snapshot files jobs/worker-0/trace/host.xplane.pb jobs/worker-1/trace/host.xplane.pb --size 80x24
# A long name is shortened in the title, not left out.
cp "$corpus/hlo/shared" 'run/module_0002.jit_train_step.clone.cl_854318611.after_optimizations.hlo_proto.pb'
try snapshot files run/module_*.pb --size 80x24
try snapshot files run/module_*.pb --size 60x20
