# --output writes a new file, overwrites only if asked to, and leaves nothing behind when it fails.
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
if "$tpuscope" digest --demo --output nowhere/x 2>err; then exit 1; fi
grep -q '^tpuscope: nowhere/x: ' err
full() {
	if "$tpuscope" "$@" >/dev/full 2>err; then exit 1; fi
	grep -q '^tpuscope: stdout: cannot .*: No space left on device$' err
}
for command in 'report info --demo' "report info $sample" 'report trace --demo' "digest $sample -o -" \
    'snapshot files --demo' --help --version --list-keys --list-settings --completion=zsh; do
	full $command
done
# streams that are closed: a message says so and goes to no file, and a reader that has enough ends the program
for command in 'report info --demo' 'digest --demo -o -' --version; do
	if "$tpuscope" $command >&- 2>err; then exit 1; fi
	grep -q '^tpuscope: stdout: cannot .*: Bad file descriptor$' err
done
if "$tpuscope" report info - <&- 2>err; then exit 1; fi
grep -q '^tpuscope: -: .*Bad file descriptor' err
status=0
"$tpuscope" triage "$srcdir/README" missing --output d.txt 2>&- || status=$?
test $status = 3
if grep missing d.txt; then exit 1; fi
"$tpuscope" report info --demo --output e.txt <&- >&- 2>&-
grep -q '^files' e.txt
rm d.txt e.txt
"$tpuscope" report trace --demo 2>err | head -n 1 >/dev/null
test ! -s err
# no core file, and nothing else, when the file size limit is exceeded
if (ulimit -f 1 && "$tpuscope" report trace --demo --output large 2>err); then exit 1; fi
grep -q '^tpuscope: large: cannot .*: File too large$' err
if (ulimit -f 1 && "$tpuscope" digest --demo --output large 2>err); then exit 1; fi
grep -q '^tpuscope: large: cannot .*: File too large$' err
test "$(ls | sort | tr '\n' ' ')" = "a.csv b.csv c.csv err "
