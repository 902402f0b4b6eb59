# compare
# triage: texts of all kinds, from files, standard input, packed, and in a folder beside the dump of the module.
. "$srcdir/tests/cli/lib.sh"
list=$srcdir/tests/fuzz/corpus/triage/list
cp "$list" list.txt
cp "$srcdir/tests/fuzz/corpus/triage/log" log.txt
try triage list.txt
try triage log.txt --format csv --table errors
gzip -c list.txt >list.gz
try triage list.gz --format csv --table requirement
mkdir -p folder/logs folder/dump
cp log.txt folder/logs/driver.ERROR
ln -s driver.ERROR folder/logs/driver.INFO
cp "$srcdir/tests/fuzz/corpus/triage/message" folder/stderr.txt
: >folder/dump/module_0003.jit_step.after_optimizations-buffer-assignment.txt
printf 'a\0b' >folder/binary
try triage folder --format csv
mkdir dumped
cp "$srcdir/tests/fuzz/corpus/hlo/shared" 'dumped/jit_f(1).hlo_proto.pb'
printf 'E1000: Ran out of memory on HBM, the total memory required for HLO temporaries (3.00K) exceeds available HBM (2.00K). HLO module: jit_f.\n' >dumped/message
try triage dumped --format csv --table buffers
try triage folder/stderr.txt --format json | sed 's/"version":"[^"]*"/"version":"X"/'
mkdir empty
try triage empty
try triage folder/stderr.txt --table nothing
try triage missing.txt
TPU_LOG_DIR=none
export TPU_LOG_DIR
try triage
TPU_LOG_DIR=disabled
try triage
TPU_LOG_DIR=folder/logs
try triage --format csv --table logs
printf 'RuntimeError: tensorflow/compiler/xla/xla_client/computation_client.cc:280 : Missing XLA configuration\n' >old.txt
try triage old.txt --format csv
printf 'nothing is wrong\n' | "$tpuscope" triage - --format csv
echo "status $?"
printf 'nothing is wrong\n' | "$tpuscope" triage -
printf 'Killed\n' | "$tpuscope" triage - --format csv --table errors
cat >gpu.txt <<'END'
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 10737418240 bytes.
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 GiB total capacity)
END
"$tpuscope" triage gpu.txt --format csv --table errors | cut -d, -f 3,6,7,10

# what Windows redirected: UTF-16 of both orders; one that ends inside a character
printf '\377\376K\000i\000l\000l\000e\000d\000\n\000' >little.log
printf '\376\377\000K\000i\000l\000l\000e\000d\000\n\330\075\336\000\000\n' >big.log
printf '\377\376K\000i\000l\000l\000e\000d\000\n\000x' >odd.log
for f in little big odd; do
	"$tpuscope" triage --format json $f.log 2>&1 | grep -o '"kind":"host_oom"\|"host_oom"' | head -n 1
done
iconv -f UTF-8 -t UTF-16LE >bare.log <<'END'
I1123 10:00:00.000000 12 worker.cc:1] the log of PowerShell without a mark
Killed
END
"$tpuscope" triage --format json bare.log | grep -o '"host_oom"' | head -n 1
"$tpuscope" triage odd.log 2>&1 >/dev/null
echo "status $?"
"$tpuscope" snapshot triage big.log --size 60x8 | sed -n 3p
# a NUL near its beginning does not make it another file, for the viewer neither
printf 'I1123 10:00:00.000000 12 worker.cc:1] begin\n\000\nKilled\n' >nul.log
"$tpuscope" snapshot triage nul.log --size 60x8 | sed -n 3p
