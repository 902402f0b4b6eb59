# The doctor says what is wrong with a terminal, a locale and folders, and what to do; with status 1 only then.  --version
# says what the build is of.
. "$srcdir/tests/cli/lib.sh"
"$tpuscope" doctor --config none 2>&1 </dev/null | grep -q '^! protection' && {
	echo "SKIP: this kernel or build does not confine the program, which the doctor says"
	exit 77
}
failed=0
bad() {
	echo "$1"
	sed 's/^/    /' out
	failed=1
}
mkdir home
# doctor STATUS SETTING... -- LINE...: with nothing in the environment but these settings, each of the lines is there
doctor() {
	want=$1
	shift
	set -- "$@" --
	settings=
	while [ "$1" != -- ]; do
		settings="$settings $1"
		shift
	done
	shift
	env -i $settings "$tpuscope" doctor --config none >out 2>err </dev/null
	got=$?
	[ $got = "$want" ] || bad "doctor with$settings: status $got, want $want"
	[ -s err ] && bad "doctor with$settings: $(cat err)"
	while [ "$1" != -- ]; do
		grep -qF -- "$1" out || bad "doctor with$settings: does not say: $1"
		shift
	done
}
well="HOME=$PWD/home TERM=xterm LC_ALL=C.UTF-8 TMPDIR=$PWD"
doctor 0 $well -- '  terminal      xterm' '  characters    UTF-8' '--glyphs ascii' "$PWD/home/.local/state/tpuscope" \
	'  cache ' '  memory        may use' "  temporary     $PWD, " '  keys          mouse off, ESCDELAY 25 ms' '  clipboard     y copies with OSC 52' \
	'downloads     gcloud, gsutil, aws, s5cmd, hdfs, curl, wget not found' '  config        no file'
grep -q attention out && bad "something needs attention where all is well"
doctor 1 HOME=$PWD/home "TERM=x$(printf '\033')[31m" LC_ALL=C.UTF-8 TMPDIR=$PWD -- 'terminal'
grep -q "$(printf '\033')" out && bad "a control byte of \$TERM reaches the terminal"
[ -z "$(ls -A home)" ] || bad "the doctor wrote into HOME"

doctor 1 $well TERM=xterm-ghostty -- '! terminal      xterm-ghostty is not known to this machine; driven as xterm-256color' 'infocmp -x xterm-ghostty | ssh HOST tic -x -' \
	'1 of 17 need attention'
doctor 1 $well TERM=dumb -- '! terminal      dumb cannot move the cursor: the viewer does not open'
doctor 1 $well TERM= -- '! terminal      TERM is not set'
doctor 1 $well LC_ALL=C -- '! characters    ASCII, because LC_ALL=C' 'LC_ALL=C.UTF-8'
doctor 1 $well LC_ALL= LANG=xx_YY.UTF-8 -- '! characters    ASCII, because LANG=xx_YY.UTF-8 is not installed on this machine'
doctor 1 $well HOME= -- '! state         no folder' 'set HOME, or XDG_STATE_HOME' '! cache         no folder'
doctor 1 $well TMPDIR=/not/here -- '! temporary     no folder can be written'
doctor 0 $well NO_COLOR=1 -- '  colors        none, because NO_COLOR is set'
doctor 0 $well TERM=screen STY=1.pts -- '  clipboard     y cannot copy' 'inside screen'
doctor 0 $well TMUX=/tmp/x,1,0 -- 'tmux: needs set-clipboard on' 'inside tmux'
doctor 0 $well COLORFGBG='0;15' -- 'background by COLORFGBG=0;15'

printf 'set theme nice\nset mouse on\n' >conf
env -i $well "$tpuscope" doctor --config conf >out 2>&1
[ $? = 1 ] && grep -q '^! config        conf: 1 mistake' out && grep -q 'conf:1' out || bad "a mistake of the config file"
env -i $well "$tpuscope" doctor --format json --config none >out || bad "as JSON"
if command -v python3 >/dev/null; then
	python3 - <<'P' || bad "the JSON is not as it should be"
import json
d = json.load(open('out'))
assert d['tool'] == 'doctor' and d['build'].startswith('tpuscope ')
assert [set(c) for c in d['checks']] == [{'check', 'state', 'value', 'advice'}] * 17
assert all(c['state'] in ('ok', 'warn', 'off') and c['value'] for c in d['checks'])
P
fi
env -i $well "$tpuscope" doctor --format csv >out 2>&1
[ $? = 2 ] || bad "a format that there is not"
env -i $well "$tpuscope" doctor file >out 2>&1
[ $? = 2 ] && grep -q 'doctor takes no PATH' out || bad "a path"

"$tpuscope" --version >out
sed -n 1p out | grep -qE '^tpuscope [0-9.]+ \(([0-9a-f]{10}\+?, )?[a-z0-9_ ]+, (glibc|musl|static musl)\)$' || bad "line 1 of --version"
sed -n 2p out | grep -qE '^ncursesw [0-9.]+, protobuf-c [0-9.]+, zlib [0-9.]+, pcre2 [0-9.]+' || bad "line 2 of --version"
sed -n 3p out | grep -qE '^features: [-+]zstd \+snappy [-+]brotli [-+]nghttp2 [-+]sqlite' || bad "line 3 of --version"
for feature in zstd brotli nghttp2 sqlite; do
	! grep -q "+$feature" out || sed -n 2p out | grep -q ", $feature [0-9.]*" || bad "no version of $feature"
done
[ "$(env -i $well "$tpuscope" doctor --config none | sed -n 1p)" = "$(sed -n 1p out)" ] || bad "the doctor names another build"
exit $failed
