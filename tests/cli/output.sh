# --output writes a new file, never over an old one unasked, and leaves nothing behind when it fails.
. "$srcdir/tests/cli/lib.sh"
set -e
"$tpuscope" report info --demo --format csv --output a.csv
"$tpuscope" report info --demo --format csv >b.csv
cmp a.csv b.csv
echo mine >c.csv
if "$tpuscope" report info --demo --format csv --output c.csv 2>err; then exit 1; fi
test "$(cat c.csv)" = mine
grep -q c.csv err
"$tpuscope" report info --demo --format csv --output c.csv --force
cmp a.csv c.csv
if "$tpuscope" report info --demo --output nowhere/x 2>err; then exit 1; fi
if "$tpuscope" report info --demo >/dev/full 2>err; then exit 1; fi
test -s err
test "$(ls | sort | tr '\n' ' ')" = "a.csv b.csv c.csv err "
