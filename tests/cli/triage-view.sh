# compare
# The triage view: a list of buffers, a usage report, an error without either, the log around it, several problems, a text without any, small and plain screens, hostile bytes.
. "$srcdir/tests/cli/lib.sh"
cp "$srcdir/tests/fuzz/corpus/triage/list" list.txt
frame() {
	try snapshot triage "$@"
}
frame list.txt
frame list.txt --size 80x24
frame list.txt --size 40x8
frame list.txt --size 80x24 --ascii --keys 'd'
frame list.txt --size 80x24 --keys 'j<Enter>'
# only a usage report lists what fills the memory
sed -n '7,14p' "$srcdir/tests/fuzz/corpus/triage/log" >reported.log
frame reported.log --size 80x24
cat >use.log <<'END'
I1121 07:59:39.100000   14571 init.cc:10] starting
W1121 07:59:39.200000   14571 init.cc:11] slow disk
E1121 07:59:39.906386   14571 init.cc:12] The TPU is already in use by process with pid 4242. Not attempting to load libtpu.so in this process.
I1121 07:59:40.100000   14571 init.cc:13] leaving
END
frame use.log --size 100x30
frame use.log --size 80x24 --keys 'L'
frame use.log --size 80x24 --keys '2'
frame use.log --size 80x24 --keys 'L&leav<Enter>'
frame use.log --size 80x24 --keys '/slow|leaving<Enter>n'
mkdir both
cp list.txt use.log both
frame both --size 80x24 --keys 'e'
frame both --size 80x24 --keys 'LL]'
printf 'nothing is wrong\n' >fine.txt
frame fine.txt --size 80x24
printf 'nothing is wrong\n' | "$tpuscope" snapshot triage - --size 60x10
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (3.00K) exceeds available HBM (2.00K). HLO module: \033]0;x\007\2332Jf.\n' >hostile.log
frame hostile.log --size 80x24
frame hostile.log --size 80x14 --keys 'L'
frame no-such.log
mkdir dumped
cp "$srcdir/tests/fuzz/corpus/hlo/shared" 'dumped/jit_f(1).hlo_proto.pb'
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (3.00K) exceeds available HBM (2.00K). HLO module: jit_f.\n' >dumped/stderr.txt
frame dumped --size 100x30
