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
# findings are of each kind of error, and lead to its text
try snapshot findings both --size 100x30
try snapshot findings both --size 80x24 --keys 'j<Enter>'
try report findings both --format csv
frame both --size 80x24 --keys 'LL]'
printf 'nothing is wrong\n' >fine.txt
frame fine.txt --size 80x24
printf 'nothing is wrong\n' | "$tpuscope" snapshot triage - --size 60x10
cp "$srcdir/tests/fuzz/corpus/ptxla/steps" metrics
frame metrics --size 80x10
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (3.00K) exceeds available HBM (2.00K). HLO module: \033]0;x\007\2332Jf.\n' >hostile.log
frame hostile.log --size 80x24
frame hostile.log --size 80x14 --keys 'L'
frame no-such.log
mkdir dumped
cp "$srcdir/tests/fuzz/corpus/hlo/shared" 'dumped/jit_f(1).hlo_proto.pb'
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (3.00K) exceeds available HBM (2.00K). HLO module: jit_f.\n' >dumped/stderr.txt
frame dumped --size 100x30
# logs of several files as one, in order of time: a record that two files hold is shown once, repeated lines fold
mkdir hosts
printf 'Log file created at: 2026/11/21 07:59:39\nI1121 07:59:39.100000 1 a.cc:1] start\nI1121 07:59:39.300000 1 a.cc:2] step 1\nI1121 07:59:39.400000 1 a.cc:2] step 2\nE1121 07:59:39.500000 1 a.cc:3] The TPU is already in use by process with pid 7.\n' >hosts/tpu_driver.w-0.me.log.INFO.20261121-075939.11
printf 'Log file created at: 2026/11/21 07:59:39\nE1121 07:59:39.500000 1 a.cc:3] The TPU is already in use by process with pid 7.\n' >hosts/tpu_driver.w-0.me.log.ERROR.20261121-075939.11
printf 'Log file created at: 2026/11/21 07:59:39\nI1121 07:59:39.200000 4 a.cc:1] start\nI1121 07:59:39.300001 4 a.cc:2] step 1\n' >hosts/tpu_driver.w-1.me.log.INFO.20261121-075939.12
frame hosts --size 80x24 --keys 'A'
frame hosts --size 80x24 --keys 'Az'
frame hosts --size 80x24 --keys 'A<Enter>'
frame hosts --size 80x24 --keys 'AkA'
frame hosts --size 80x9 --ascii --keys 'A'
