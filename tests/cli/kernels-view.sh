# compare
# The view of kernels of GPUs: pages and cards of an XSpace and of a trace of PyTorch.
. "$srcdir/tests/cli/lib.sh"
cp "$srcdir/tests/fuzz/corpus/xspace/gpu.xplane.pb" "$srcdir/tests/fuzz/corpus/chrome-json/torch.json" .
try snapshot kernels gpu.xplane.pb --size 120x24
try snapshot kernels gpu.xplane.pb --size 80x24 --keys 'j<Enter>'
try snapshot kernels gpu.xplane.pb --size 100x16 --keys 'u'
try snapshot kernels gpu.xplane.pb --size 60x16 --keys 'uu' --ascii
try snapshot kernels torch.json --size 120x20
try snapshot kernels torch.json --size 100x16 --keys 'uuu'
try snapshot timeline torch.json --size 100x20
try report kernels torch.json --by stream
try report kernels torch.json --by track
try report trace torch.json --by op
