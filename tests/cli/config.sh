# The config file: where it is searched for, that mistakes name file and line and the rest is used, that nothing is ever written.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$1"
	failed=1
}
HOME=$PWD/home XDG_CONFIG_HOME=$PWD/xdg
export HOME XDG_CONFIG_HOME
mkdir -p home/.config/tpuscope xdg/tpuscope
clock() {
	"$tpuscope" --list-settings "$@" 2>err | sed -n 's/^clock  *\([a-z]*\) .*/\1/p'
}
test "$(clock)" = device || bad "default clock: $(clock)"
echo 'set clock plain' >home/.config/tpuscope/config
test "$(clock)" = plain || bad "~/.config is not read"
echo 'set clock device' >xdg/tpuscope/config
test "$(clock)" = device || bad "XDG_CONFIG_HOME does not come before ~/.config"
echo 'set clock plain' >rc
test "$(TPUSCOPERC=$PWD/rc clock)" = plain || bad "TPUSCOPERC does not come first"
test "$(clock --config rc)" = plain || bad "--config is not read"
test "$(TPUSCOPERC=$PWD/rc clock --config none)" = device || bad "--config none reads something"
TPUSCOPERC=$PWD/nowhere "$tpuscope" --list-settings >/dev/null 2>err || bad "a TPUSCOPERC that is not there ends the program"
grep -q "nowhere.*No such file" err || bad "a TPUSCOPERC that is not there is not told"
"$tpuscope" --list-settings --config nowhere >out 2>err && bad "--config nowhere should fail"
grep -q 'nowhere: No such file' err || bad "--config nowhere: $(cat err)"
mkfifo silent
timeout 10 "$tpuscope" --list-settings --config silent >out 2>err
grep -q 'silent: No data available' err || bad "--config of a pipe that nothing writes to: $(cat err)"
test "$(echo 'set clock plain' | clock --config /dev/stdin)" = plain || bad "--config does not read a pipe"

# --list-settings shows the current values: options count, and NO_COLOR if no option asks for colors.
in_force() {
	"$tpuscope" --list-settings --config none "$@" | awk '{ printf "%s=%s ", $1, $2 }'
}
is() { # WANTED PRINTED
	case " $2" in *" $1 "*) ;; *) bad "--list-settings: no $1 in $2" ;; esac
}
printed=$(in_force --theme cb --mouse --slow --no-state --clock plain --peaks 459,2765.5 --bg light --ascii --color 16)
for want in theme=cb mouse=on slow=on state=off clock=plain peaks=459,2765.5 bg=light glyphs=ascii colors=16; do
	is $want "$printed"
done
is theme=mono "$(in_force --mono)"
is colors=never "$(NO_COLOR=1 in_force)"
is colors=auto "$(NO_COLOR= in_force)"
is colors=256 "$(NO_COLOR=1 in_force --color 256)"
is colors=auto "$(NO_COLOR=1 in_force --theme cb)"
"$tpuscope" --list-settings --theme nice >out 2>err && bad "--theme nice should fail"
grep -q 'theme nice: should be one of' err || bad "--theme nice: $(cat err)"

# Mistakes name file and line, and the rest is used.
printf 'keys azerty\nset weather fine\nbind timeline x fly\n\nset clock plain\nbind all <M-q> quit\n' >rc
test "$(clock --config rc)" = plain || bad "the rest of the file does not count"
printf "tpuscope: rc:2: unknown setting 'weather'\ntpuscope: rc:3: unknown action 'fly'\n" >want
sed 's/; .*//' err | diff want - || bad "notes on stderr"
"$tpuscope" snapshot files --demo --config rc --size 120x30 >frame || bad "snapshot with mistakes in the config file"
grep -q "rc:2: unknown setting 'weather'" frame || bad "the message line says nothing of rc:2"
"$tpuscope" snapshot files --demo --config rc --size 120x30 --keys 'jj' >frame
grep -q 'note .*rc:2: unknown setting' frame && grep -q 'note .*rc:3: unknown action' frame || bad "Files does not show the notes"
"$tpuscope" --list-keys --config rc 2>/dev/null >keys
grep -q '^  Alt-q  Q .*quit' keys || bad "--list-keys does not show what is bound"
grep -q '^  z  +  *zoom-in ' keys || bad "--list-keys does not show the preset"
"$tpuscope" --list-keys --config rc --keymap qwerty 2>/dev/null | grep -q '^  w  +  *zoom-in ' || bad "--keymap does not win"
printf '\377\376\000binary' >rc
"$tpuscope" snapshot files --demo --config rc >/dev/null || bad "a binary config file"

# The keys of a preset and of the command line work, in the key bar too.
"$tpuscope" snapshot timeline --demo --keymap azerty --keys 'z' >a
"$tpuscope" snapshot timeline --demo --keys 'w' >b
sed '$d' a >a1; sed '$d' b >b1; cmp a1 b1 || bad "z on azerty is not w on qwerty"
tail -1 a | grep -q 'z s zoom  q d pan' || bad "key bar on azerty: $(tail -1 a)"
# q pans on that timeline, so it quits from no other view: who forgets where he is loses nothing.
"$tpuscope" snapshot findings --demo --keymap azerty --keys 'q' >a
grep -q 'nothing to go back from; Q quits' a || bad "q quits on azerty: $(tail -2 a)"
"$tpuscope" snapshot findings --demo --keymap azerty --size 160x40 >a
tail -1 a | grep -q ' Q quit' && ! grep -q ' q quit' a || bad "key bar of findings on azerty: $(tail -1 a)"
"$tpuscope" snapshot findings --demo --size 160x40 | grep -q ' q quit' || bad "q quits on qwerty"
"$tpuscope" snapshot timeline --demo --keys ':keys dvorak<Enter>,' >a
sed '$d' a >a1; sed '$d' b >b1; cmp a1 b1 || bad "comma on dvorak is not w on qwerty"
"$tpuscope" snapshot files --demo --keys ':bind all <lt>C-t> help<Enter><C-t>' | grep -q 'v and a letter' || bad ":bind"
"$tpuscope" snapshot files --demo --keys ':bind files x fly<Enter>' | grep -q "unknown action 'fly'" || bad ":bind of no action"
"$tpuscope" snapshot files --demo --keys ':unbind all ?<Enter>?' | grep -q 'v and a letter' && bad ":unbind"
"$tpuscope" snapshot files --demo --keys ':set clo<Tab>pl<Tab>' | grep -q ':set clock plain' || bad "completion of :set"
"$tpuscope" snapshot files --demo --keys ':set clock sundial<Enter>' | grep -q 'should be one of device, plain' || bad ":set of no value"
"$tpuscope" snapshot files --demo --keys ':bind tim<Tab>x zoom-in-<Tab>' | grep -q ':bind timeline x zoom-in-fast' || bad "completion of :bind"

# Nothing was written.
test "$(find home xdg -type f | wc -l)" = 2 || bad "files appeared: $(find home xdg -type f)"
exit $failed
