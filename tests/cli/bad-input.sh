# compare
# What cannot be read is said in one line with the place and what to do; what could be read is shown (status 3).
. "$srcdir/tests/cli/lib.sh"
: >empty
: >empty.xplane.pb
echo 'hello, this is no capture' >text.log
echo '{"answer": 42}' >other.json
printf '\037\213\010' >short.gz
mkdir -p folder logdir/plugins/profile fifo-dir
gzip -dc "$sample" >whole.xplane.pb
head -c 100000 whole.xplane.pb >cut.xplane.pb
head -c 50000 "$sample" >cut.gz
printf '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":5,"du' >cut.trace.json
# a trace table whose index points outside of it
{ printf 'x%.0s' $(seq 100); printf '\127\373\200\213\044\165\107\333'; } >index.SSTABLE
for f in index.SSTABLE missing empty text.log other.json short.gz folder logdir; do
	try report info $f
done
try report info empty.xplane.pb
: >empty.xplane.riegeli # was no XSpace over 2 GiB
try report info empty.xplane.riegeli
# without an end, or nothing but a hole: said at once
try report info /dev/zero
try triage /dev/zero
try report info /proc
for f in hole.xplane.pb hole.prof hole.tfevents hole.trace.json hole; do
	truncate -s 2G $f
	try report info $f
	rm $f
done
mkdir run
: >run/h.xplane.pb
try report info run
gzip -dc "$sample" >run/other.xplane.pb
"$tpuscope" report info run --format json 2>told | grep -o '"h.xplane.pb: the file is empty'
cat told
try report info cut.trace.json --format csv
try report info missing cut.trace.json --format csv
"$tpuscope" report info whole.xplane.pb ./whole.xplane.pb --format csv 2>&1 >/dev/null
for f in cut.xplane.pb cut.gz; do
	"$tpuscope" report info $f --format csv >out.csv 2>out.err
	echo "$f: status $?, $(wc -l <out.err) message, rows: $(test "$(wc -l <out.csv)" -gt 1 && echo some)"
done
mkfifo fifo-dir/capture.xplane.pb
cat whole.xplane.pb >fifo-dir/capture.xplane.pb &
"$tpuscope" report info fifo-dir/capture.xplane.pb --format csv | wc -l
"$tpuscope" report info - --format csv <whole.xplane.pb | wc -l
"$tpuscope" report info whole.xplane.pb --format csv | wc -l
wait
# pipes that nothing writes to, in place of what stands beside a module
mkdir dump
cp "$srcdir/tests/fuzz/corpus/hlo/no-buffers" dump/module_0003.jit_f.cl_1.after_optimizations.hlo.pb
mkfifo dump/module_0003.jit_f.cl_1.after_optimizations-buffer-assignment.txt dump/module_0003.jit_f.cl_1.target_arguments.txt
timeout 20 "$tpuscope" report info dump/module_0003.jit_f.cl_1.after_optimizations.hlo.pb --format csv | wc -l
# packed: in a way that is not read, which the first bytes tell; damaged from the start (needs libzstd)
printf '\3757zXZ\000 and more' >'a log.xz'
cp 'a log.xz' packed.xz
for f in packed.xz 'a log.xz'; do
	try report info "$f"
	try triage "$f"
	try snapshot files "$f"
done
gzip -c <whole.xplane.pb | gzip -c >twice.xplane.pb.gz
try report info twice.xplane.pb.gz
printf 'PK\003\004 and more' >model.keras
printf 'BZh91AY&SY and more' >packed.bz2
try report info model.keras
try triage packed.bz2
cp packed.bz2 run.tar.bz2
try report info run.tar.bz2
"$tpuscope" triage - <packed.xz 2>&1
echo "status $?"
printf '\050\265\057\375 and more' >packed.zst
case $("$tpuscope" --version) in
*+zstd*)
	want='packed.zst: broken zstd data (at byte 5)'
	corpus=$srcdir/tests/fuzz/corpus/gzip		# the same, packed in two ways
	"$tpuscope" report info --format csv - <"$corpus/xspace.gz" >want.csv
	"$tpuscope" report info --format csv - <"$corpus/xspace.zst" | cmp - want.csv
	;;
*) want='packed.zst: is compressed with zstd; unpack it first: zstd -d packed.zst' ;;
esac
"$tpuscope" report info packed.zst 2>&1 | grep -qF "$want" || echo "packed.zst is not told"
# a NUL in names and values: the whole text, the NUL as a symbol
printf '\0122\010\001\022\020Task Environment*\023\010\001\022\017\010\001\022\013a\000long_name2\007\010\001*\003x\000y' >nul.xplane.pb
printf '\0129\010\002\022\015/device:TPU:0"\020\010\001\022\014\010\001\022\010fusion.1\032\024\010\001\022\007XLA Ops"\007\010\001\020\000\030\350\007' >>nul.xplane.pb
"$tpuscope" report overview nul.xplane.pb | grep 'long name'
