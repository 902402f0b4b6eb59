# Findings of the memory of programs, with a capture and without one, and the way from an error message to the dump.
data=$srcdir/../shared/data
test -d "$data/real/tpu_hlo" || { echo "no $data: skipped"; exit 77; }
oom=$data/real/tpu_hlo/v5e_2x2_oom
failed=0
has() {
	grep -q -- "$2" "$1" || { echo "no \"$2\" in:"; cat "$1"; failed=1; }
}
lacks() {
	! grep -q -- "$2" "$1" || { echo "\"$2\" in:"; cat "$1"; failed=1; }
}
"$tpuscope" report findings "$oom" --format csv >oom || failed=1
sed -n 2p oom >first
has first '^memory_limit,high,.*Compiling the program ran out of memory,jit_convnet_b660 needs 18.5 GiB'
has oom '^memory_padding,low,.*,B,Batches of 660 are padded to 768'
has oom 'memory:buffer fusion.17 module jit_convnet_b660(2)'
lacks oom '^no_device'
"$tpuscope" report findings "$oom" --module jit_matmul_chain_132 --format csv >other || failed=1
lacks other 'convnet'
"$tpuscope" report findings "$oom" --module none >/dev/null 2>err && failed=1
has err 'no module "none"'
"$tpuscope" report findings "$data/sim/convnet-v3-8core/plugins/profile/"* --format csv >capture || failed=1
# 32.5 MiB of padding are a quarter of the peak, but negligible when 15.5 GiB are available
lacks capture '^memory_p\|^padded\|^parameter\|^hbm_empty'
"$tpuscope" report findings "$data/sim/convnet-v3-8core/plugins/profile/"* >capture || failed=1
has capture 'Memory padding  *32.5 MiB of 129.9 MiB at the peak; HBM has room'
"$tpuscope" snapshot findings "$oom"/*b660*after_optimizations.hlo.pb --size 120x40 >frame || failed=1
has frame '1 Findings  6 Memory'
has frame 'Compiling the program ran out of memory'
"$tpuscope" triage "$oom" "$data/real/oom/libtpu_0.0.51/v5e_2x2.convnet_b660.txt" >triage
has triage '^tpuscope .*after_optimizations.hlo.pb --view memory --module jit_convnet_b660$'
# what happened is said with its cause, whose advice comes first
printf 'RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 31.06M. That was not possible. There are 58.64M free. Due to fragmentation, the largest contiguous region of free memory is 30.56M.; (0x0x0_HBM0)\n' >pieces.txt
"$tpuscope" report findings pieces.txt --format csv | tr '\n' ' ' >pieces
has pieces 'An array did not fit.*Enough is free, but not in one block: 58.6 MiB are free, 31.1 MiB were asked for, but the largest free block is 30.6 MiB","*Allocate large, long-lived arrays first'
exit $failed
