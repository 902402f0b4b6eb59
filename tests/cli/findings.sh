# compare
# What is wrong with the bundled sample, for people and for programs.
. "$srcdir/tests/cli/lib.sh"
try report findings --demo
try report findings --demo --format csv --top 1
try report findings --demo --step 1
