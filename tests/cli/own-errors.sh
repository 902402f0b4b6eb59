# A table of the user adds errors that texts are searched for, and says other things of known ones; mistakes in it are named.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$*"
	failed=1
}
export XDG_CONFIG_HOME="$PWD/xdg" HOME="$PWD/home"
mkdir -p xdg/tpuscope home
printf 'W1121 07:59:39.100000 1 a.cc:1] our queue is full\nE1121 07:59:39.200000 1 a.cc:2] insufficient authentication scopes\n' >x.log
{
	printf '# ours\n'
	printf 'queue_full\twarning\t-\tqueue is full | queue overflow\tThe queue is full\tEmpty it. | Or wait.\n'
	printf 'auth_scopes\terror\t-\tnot in our project\tNo permission\tAsk the platform team.\n'
} >own.tsv
kinds() {
	"$tpuscope" triage x.log --format csv --table errors "$@" 2>err | awk -F, 'NR > 1 { printf "%s ", $7 }'
}
test "$(kinds)" = "auth_scopes " || bad "without a table: $(kinds)"
test "$(kinds --errors own.tsv)" = "queue_full auth_scopes " || bad "--errors: $(kinds --errors own.tsv) $(cat err)"
test "$(cat own.tsv | kinds --errors /dev/stdin)" = "queue_full auth_scopes " || bad "--errors from a pipe: $(cat err)"
"$tpuscope" triage x.log --errors own.tsv >out
grep -q 'Ask the platform team' out || bad "advice of a known kind is not replaced: $(cat out)"
grep -q 'gcloud auth login' out && bad "the old advice is still there"
cp own.tsv xdg/tpuscope/triage.tsv
test "$(kinds)" = "queue_full auth_scopes " || bad "beside the config file: $(kinds)"
test "$(kinds --config none)" = "auth_scopes " || bad "--config none reads it"
"$tpuscope" snapshot triage x.log --size 80x24 --keys 'e' >frame
grep -q 'The queue is full' frame || bad "not on the screen: $(cat frame)"
printf 'short\terror\t-\tabc\tShort\tNo.\n' >wrong.tsv
kinds --errors wrong.tsv >/dev/null
grep -q 'wrong.tsv: line 1 has a phrase of fewer than 6 bytes' err || bad "a short phrase: $(cat err)"
printf 'short\terror\n' >wrong.tsv
"$tpuscope" triage x.log --errors wrong.tsv >/dev/null 2>err
test $? = 2 || bad "a wrong table does not end with 2"
grep -q 'needs six columns' err || bad "too few columns: $(cat err)"
printf 'short\tloud\t-\tabcdefg\tShort\tNo.\n' >xdg/tpuscope/triage.tsv
test "$(kinds)" = "auth_scopes " || bad "a wrong table beside the config file stops the program: $(cat err)"
grep -q 'triage.tsv: line 1 has a severity' err || bad "it is not named: $(cat err)"
# advice with a condition: only for sentences that have one of its phrases, before the rest; a halted core says its class in a further line
printf 'odd_thing\terror\t-\tsomething odd\tOdd\tGeneral. | {blue, green} Repaint it. | {red} Stop.\n' >own.tsv
printf 'E1121 07:59:39.2 1 a.cc:2] something odd and green\n' >odd.log
"$tpuscope" triage odd.log --errors own.tsv --format csv --table findings >out
grep -q 'Repaint it. | General.' out || bad "conditions of advice: $(cat out)"
printf 'E0200: Core halted unexpectedly: INTERNAL: Accelerator device halted prematurely.\nobserved errors are: [User]\n' >halted.log
"$tpuscope" triage halted.log --format csv --table findings >out
grep -q '"The program or the compiler is at fault' out || bad "advice on a halted core: $(cat out)"
exit $failed
