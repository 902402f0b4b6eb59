# compare
# The view of LLO dumps: kernels, what limits one, its bundles, and what the keys find in them; findings lead there.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to make a dump"; exit 77; }
python3 "$srcdir/tests/lib/mkllo.py" dump && python3 "$srcdir/tests/lib/mkllo.py" longer 8 || exit 1
try snapshot llo dump --size 120x24
try snapshot llo dump --size 80x24 --keys '<Enter>'
try snapshot llo dump --size 120x24 --keys '<Enter><Enter>'
try snapshot llo dump --size 80x16 --keys 'c'
try snapshot llo dump --size 80x16 --keys 'C'
try snapshot llo dump --size 80x16 --keys 'F'
try snapshot llo dump --size 80x16 --keys 'I'
try snapshot llo dump/ --size 80x16 --keys '<Enter>uu<Enter>'
try snapshot findings dump --size 80x24
try snapshot findings dump --size 80x16 --keys 'j<Enter>'
try snapshot llo dump longer --size 120x12
try snapshot llo dump longer --size 80x24 --keys '<Enter>'
python3 "$srcdir/tests/lib/mkllo.py" beside 4 fusion.163 jit_train_step 'f32[7]{0} fusion' || exit 1
cp "$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" sample.xplane.pb.gz
try snapshot ops sample.xplane.pb.gz beside --size 120x24 --keys 'jjL'
try snapshot ops sample.xplane.pb.gz beside --size 80x12 --keys 'jjjL'
try snapshot ops sample.xplane.pb.gz --size 80x16 --keys 'jjjL'
