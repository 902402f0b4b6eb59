# compare
# The bundled sample in all forms.
. "$srcdir/tests/cli/lib.sh"
try report info --demo --top 12
try report info --demo --format csv --top 5
try report steps --demo
try report steps --demo --format csv --core 2
try report trace --demo --by name --top 8
try report trace --demo --by track --top 8 --sort count
try report trace --demo --by step
try report trace --demo --format csv --top 6 --track 'TPU:1 XLA Ops'
try report trace --demo --format csv --top 3 --name '^all-reduce' --from 4ms --to 6ms --args
