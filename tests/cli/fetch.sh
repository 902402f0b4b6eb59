# Captures that are not local: without --fetch the command is said, and nothing runs; with it the user's own tool copies the files
# of one run into the cache.  The tools here are our own, first on PATH.
. "$srcdir/tests/cli/lib.sh"
rm -rf bin cache config bucket bucket.log bucket.pid new mine mine.d && mkdir -p bin bucket/x/plugins/profile/2024_01_01 bucket/x/plugins/profile/2024_02_02
XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config FAKE=$PWD/bucket
export XDG_CACHE_HOME XDG_CONFIG_HOME FAKE
failed=0
bad() {
	echo "$*"
	failed=1
}
run=bucket/x/plugins/profile/2024_02_02
zcat "$sample" >$run/a.xplane.pb
cp $run/a.xplane.pb bucket/x/plugins/profile/2024_01_01/a.xplane.pb
echo program >"$run/jit_f(1).hlo_proto.pb"
echo '{"traceEvents":[]}' | gzip -c >$run/a.trace.json.gz # the XSpace of this host goes before it
echo '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"b"}]}' | gzip -c >$run/b.trace.json.gz
echo note >$run/notes.txt
cat >bin/gcloud <<'T'
#!/bin/sh
echo "$@" >>"$FAKE.log"
case "$1 $2" in
"storage ls")
	if test "${MOOD:-}" = huge; then
		echo "  9007199254740992  2024-01-02T03:04:05Z  gs://b/x/plugins/profile/2024_02_02/h.xplane.pb"
		exit
	fi
	if test "${MOOD:-}" = many; then
		seq -f "  9999999999999  2024-01-02T03:04:05Z  gs://b/x/plugins/profile/2024_02_02/h%05g.xplane.pb" 20000
		exit
	fi
	cd "$FAKE" && find . -type f | sort | while read -r f; do
		case "gs://b/${f#./}" in "$5"*) echo "  $(stat -c %s "$f")  $(date -u -r "$f" +%Y-%m-%dT%H:%M:%SZ)  gs://b/${f#./}" ;; esac
	done
	echo "TOTAL: 7 objects, 12345 bytes (12.06kiB)" ;;
"storage cp")
	case ${MOOD:-} in
	fails) echo "ERROR: no such object" >&2; exit 1 ;;
	half) head -c 100 "$FAKE/${3#gs://b/}" >"$4"; echo "ERROR: 503" >&2; exit 1 ;;
	slow) head -c 100 "$FAKE/${3#gs://b/}" >"$4"; sleep 1; cp "$FAKE/${3#gs://b/}" "$4" ;;
	short) head -c 100 "$FAKE/${3#gs://b/}" >"$4" ;;
	hangs) head -c 100 "$FAKE/${3#gs://b/}" >"$4"; trap '' TERM; echo $$ >"$FAKE.pid"; sleep 60 & sleep 60 ;;
	stranger) printf 'Updates are available.\r\n\n\nERROR: (gcloud.storage.cp) You do not have an active account selected.\nPlease run:\n\n  $ gcloud auth login\n\nto obtain new credentials.\n\nIf you have already logged in\nwith another account, run:\n\n  $ gcloud config set\n' >&2; exit 1 ;;
	loud) yes "a line of much that is said" | head -c 1048576 >&2; cp "$FAKE/${3#gs://b/}" "$4" ;;
	*) cp "$FAKE/${3#gs://b/}" "$4" ;;
	esac ;;
esac
T
chmod +x bin/gcloud
halves() {
	find cache -name '*.part' 2>/dev/null | grep . && bad "$1: something half is left"
}
PATH=$PWD/bin:$PATH

# where no cache can be made
XDG_CACHE_HOME=/dev/null "$tpuscope" report info --fetch gs://b/x >out 2>err
test $? = 1 || bad "no cache: not exit 1"
grep -q "^tpuscope: gs://b/x: cannot make the folder /dev/null/tpuscope: Not a directory; set XDG_CACHE_HOME to" err || bad "no cache: $(cat err)"
rm -f bucket.log

# without --fetch
"$tpuscope" report info gs://b/x >out 2>err
test $? = 2 || bad "an address: not exit 2"
grep -q "^tpuscope: gs://b/x: not a local path — add --fetch, or get it with:$" err || bad "an address: $(cat err)"
grep -q "^  gcloud storage cp -r 'gs://b/x/plugins/profile/\*' ./x/plugins/profile/ " err || bad "the command: $(cat err)"
test -e bucket.log && bad "a tool was run"
test -e cache && bad "something was written"
"$tpuscope" "gs://b/\$(touch new)'x" 2>err </dev/null
test $? = 2 || bad "a shell in an address: not exit 2"
grep -qF "'gs://b/\$(touch new)'\\''x/plugins/profile/*'" err || bad "quotes: $(cat err)"
for url in gs://-rf 's3://' "gs://b/$(printf 'a\033c')"; do
	"$tpuscope" report info --fetch "$url" 2>err && bad "$url was taken"
	test -e bucket.log && bad "$url: a tool was run"
done
PATH=/nowhere "$tpuscope" report info s3://b/x 2>err
grep -q "aws is not installed: https://aws.amazon.com/cli/" err || bad "no tool: $(cat err)"

# with it: the newest run, and only the files that are opened
"$tpuscope" report info gs://b/x --fetch >out 2>err || bad "--fetch: $(cat err)"
grep -q "3 files, .* to fetch" err || bad "what is fetched: $(cat err)"
find cache -name '*.*' -type f | sed 's/.*2024/2024/' | sort >got
printf '%s\n' 2024_02_02/a.xplane.pb 2024_02_02/b.trace.json.gz '2024_02_02/jit_f(1).hlo_proto.pb' >want
diff want got || bad "other files"
test -d "cache/tpuscope/fetch/$(printf %s gs://b/x | sha256sum | cut -c 1-16)" || bad "the folder has another name"
test "$(stat -c %a cache/tpuscope/fetch)" = 700 || bad "others can read the cache"
: >bucket.log
"$tpuscope" report info gs://b/x --fetch >again 2>err || bad "again: $(cat err)"
grep -q "storage cp" bucket.log && bad "what is there was fetched again"
cmp -s out again || bad "the second time says something else"
"$tpuscope" report info gs://b/x --fetch --run 2024_01_01 >out 2>err || bad "--run: $(cat err)"
test -f cache/tpuscope/fetch/*/plugins/profile/2024_01_01/a.xplane.pb || bad "--run: another run"
"$tpuscope" report info gs://b/x --fetch --run 1999 >out 2>err && bad "a run that is not there"
grep -q "runs: 2024_01_01, 2024_02_02" err || bad "which runs there are: $(cat err)"
"$tpuscope" report info gs://b/$(echo $run | sed 's#bucket/##')/a.xplane.pb --fetch >out 2>err || bad "a file: $(cat err)"
"$tpuscope" report info 'gs://b/$(touch new)' --fetch >out 2>err && bad "nothing is there"
test -e new && bad "a shell ran"

# tools that fail, say much, write less, hang
"$tpuscope" cache | grep -q "gs://b/x$" || bad "cache: $("$tpuscope" cache)"
"$tpuscope" cache --delete all || bad "deleting"
test "$("$tpuscope" cache)" = "nothing was fetched" || bad "something is left: $("$tpuscope" cache)"
for mood in fails half short; do
	MOOD=$mood "$tpuscope" report info gs://b/x --fetch >out 2>err
	test $? = 1 || bad "$mood: not exit 1"
	halves $mood
done
MOOD=half "$tpuscope" report info gs://b/x --fetch >out 2>err
grep -q "gcloud said: ERROR: 503" err || bad "what it said: $(cat err)"
MOOD=stranger "$tpuscope" report info gs://b/x --fetch >out 2>err && bad "stranger: exit 0"
grep -q "gcloud said: ERROR: (gcloud.storage.cp) You do not have an active account selected. / Please run: / \$ gcloud auth login / to obtain new credentials. / If you have already logged in$" err || bad "stranger: $(cat err)"
MOOD=huge "$tpuscope" report info gs://b/x --fetch --yes >out 2>err
test $? = 1 || bad "huge: not exit 1"
grep -q "gs://b/x: 8.0 PiB to fetch, and .* are free in the cache; tpuscope cache says what can be deleted there" err || bad "huge: $(cat err)"
MOOD=loud "$tpuscope" report info gs://b/x --fetch >out 2>err || bad "loud: $(tail -1 err)"
test "$(wc -c <err)" -lt 1000 || bad "loud: all of it is shown"
"$tpuscope" cache --delete gs://b/x || bad "deleting by address"
(trap - INT; MOOD=hangs exec "$tpuscope" report info gs://b/x --fetch) >out 2>err &
pid=$!
n=0
until test -s bucket.pid || test $n = 100; do
	sleep 0.1
	n=$((n + 1))
done
start=$(date +%s)
kill -TERM $pid
wait $pid
test $(($(date +%s) - start)) -lt 8 || bad "hangs: it took long to end"
kill -0 "$(cat bucket.pid)" 2>/dev/null && bad "hangs: the tool lives on"
grep -q stopped err || bad "hangs: $(cat err)"
halves hangs

# a command of one's own, in words and without a shell
mkdir -p config/tpuscope
printf '#!/bin/sh\ntest $# = 3 && mkdir -p "$3/plugins/profile/r" && cp "$FAKE"/x/plugins/profile/2024_02_02/a.xplane.pb "$3/plugins/profile/r/"\n' >bin/mytool
chmod +x bin/mytool
echo 'set fetch.gs mytool get %s %d' >config/tpuscope/config
"$tpuscope" report info --config config/tpuscope/config --fetch 'gs://b/x;touch new' >out 2>err || bad "own command: $(cat err)"
test -e new && bad "own command: a shell ran"

# a link in the cache is not followed: not for the file that names the address, and not for its folder
"$tpuscope" report info gs://b/x --fetch >out 2>err || bad "before links: $(cat err)"
address=$(grep -lrx gs://b/x cache --include=ADDRESS)
folder=${address%/*}
echo mine >mine
ln -sf "$PWD/mine" "$address"
"$tpuscope" report info gs://b/x --fetch >out 2>err || bad "ADDRESS is a link: $(cat err)"
test "$(cat mine)" = mine || bad "ADDRESS is a link: it was written through"
test -L "$address" && bad "ADDRESS is still a link"
test "$(cat "$address")" = gs://b/x || bad "ADDRESS is not written"
mkdir mine.d
rm -r "$folder"
ln -s "$PWD/mine.d" "$folder"
"$tpuscope" report info gs://b/x --fetch >out 2>err && bad "a link for a folder was taken"
grep -q "cannot use the folder .*: it is a link or a file" err || bad "a link for a folder: $(cat err)"
ls mine.d | grep . && bad "a link for a folder: it was written through"

# two at once: the second waits for the first, and both have the whole file
rm -rf cache
MOOD=slow "$tpuscope" report info gs://b/x --fetch --config none >out.1 2>err.1 &
first=$!
MOOD=slow "$tpuscope" report info gs://b/x --fetch --config none >out.2 2>err.2 || bad "two at once: $(cat err.2)"
wait $first || bad "two at once: $(cat err.1)"
cmp out.1 out.2 || bad "two at once differ"
halves "two at once"
# a listing of many hosts takes no longer than it is long
MOOD=many timeout 20 "$tpuscope" report info gs://b/x --fetch --config none >out 2>err
grep -q "to fetch, and .* are free in the cache" err || bad "many hosts: $(cat err)"
exit $failed
