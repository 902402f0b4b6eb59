# compare
# Wrong usage: one line that says what is wrong and what to do, status 2.
. "$srcdir/tests/cli/lib.sh"
try
try --no-such-option
try report
try report nothing "$sample"
try report overvew --demo
try reprot overview --demo
try diff a b
try overview --demo
try overveiw "$sample"
try help
try versoin
try query 'SELECT 1' --demo --against a --against b
try timeline "$sample"
try missing.xplane.pb
try missing.xplane.pb also/missing
try report trace --demo --formt=csv
try snapshot timelin --demo
try report info
try report info --demo "$sample"
try report info --format xml --demo
try report info --top many --demo
try report info --size 80x24 --demo
try report steps --demo --by name
try report info --demo --table x
try report pod --demo --table x
try triage --table x -
try digest --demo --top 3
try report nothing --help
try report info --help
try report trace --demo --by color
try report trace --demo --name '(['
try report trace --demo --from soon
try report steps --demo --sort nothing
try snapshot timeline --demo --size 80
try snapshot nothing --demo
try snapshot timeline --demo --keys '<Nokey>'
try --list-keys=html
try --demo </dev/null
