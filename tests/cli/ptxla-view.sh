# compare
# The view of what PyTorch/XLA says about itself: all pages and their cards, reports one by one, search, filter, small and
# plain screens, cut and hostile texts.
. "$srcdir/tests/cli/lib.sh"
cp "$srcdir/tests/fuzz/corpus/ptxla"/* .
frame() {
	try snapshot ptxla "$@"
}
frame steps
# what is wrong, and the way to its proof
try snapshot findings steps --size 110x40
try snapshot findings steps --size 80x24 --keys 'jj<Enter>'
try snapshot findings debug --size 80x24 --keys '<Enter>'
frame steps --size 80x24
frame steps --size 200x50
frame steps --size 80x24 --keys '<Enter>'
frame steps --size 80x24 --keys 'u'
frame steps --size 40x8 --keys 'uu'
frame steps --size 100x30 --keys 'uuuj'
frame steps --size 120x24 --keys 'uuuuG'
frame steps --size 120x24 --keys 'uuuujj<Enter>'
frame steps --size 100x24 --keys '[['
frame steps --size 80x24 --ascii --keys 'j'
frame steps --size 80x24 --keys 'uuu&aten<Enter>'
frame steps --size 80x24 --keys 'uuu/nonz<Enter>'
frame pod --size 100x20
frame wrapped --size 100x24 --keys 'u'
frame debug
frame debug --size 100x30
frame debug --size 80x24 --keys 'u'
frame debug --size 100x34 --keys 'uu'
frame debug --size 120x30 --keys 'uuuj'
frame debug --size 80x24 --keys 'uuuu'
frame debug --size 80x20 --keys 'uuuuu'
frame graphs --size 100x24
frame tracker --size 80x24
frame runs --size 80x24 --ascii
frame ir-text --size 80x24 --keys 'u'
printf 'Metric: \033]0;x\007\2332J%%n\n  TotalSamples: 99999999999999999999\n  Accumulator: 99999999d\n  Percentiles: 50%%=1e308; 99%%=nan\nCounter: \342\200\256x\n  Value: 1\n' >hostile
frame hostile --size 80x24
frame hostile --size 80x24
frame plain.txt
