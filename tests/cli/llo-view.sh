# compare
# The view of LLO dumps: kernels, what limits one, its bundles, and what the keys find in them; findings lead there.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not here to make a dump"; exit 77; }
python3 "$srcdir/tests/lib/mkllo.py" dump && python3 "$srcdir/tests/lib/mkllo.py" longer 8 || exit 1
try snapshot llo dump --size 120x24
try snapshot llo dump --size 80x24 --keys '<Enter>'
try snapshot llo dump --size 120x24 --keys '<Enter><Enter>'
try snapshot llo dump --size 80x16 --keys 'S'
try snapshot llo dump --size 80x16 --keys 'D'
try snapshot llo dump --size 80x16 --keys 'F'
try snapshot llo dump --size 80x16 --keys 'm'
try snapshot llo dump/ --size 80x16 --keys '<Enter>uu<Enter>'
try snapshot findings dump --size 80x24
try snapshot findings dump --size 80x16 --keys 'j<Enter>'
try snapshot llo dump longer --size 120x12
try snapshot llo dump longer --size 80x24 --keys '<Enter>'
