# compare
# Findings of the bundled sample, in text, JSON and CSV.
. "$srcdir/tests/cli/lib.sh"
try report findings --demo
try report findings --demo --format csv --top 1
try report findings --demo --step 1
