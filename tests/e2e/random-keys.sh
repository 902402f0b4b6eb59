#!/bin/sh
# Keys, pastes, mouse reports, sizes, stops and signals at random on a real terminal: after each pause the screen is what it is when it is drawn anew, the
# program always ends with status 0, and leaves the terminal as it was.  Then the same on a file that is cut, written to, replaced and deleted meanwhile:
# its names may be blank and the status 3, but it goes on.
#
#	RANDOM_KEYS_SEED=7 RANDOM_KEYS_STEPS=5000 make check TESTS=tests/e2e/random-keys.sh
. "$srcdir/tests/e2e/lib.sh"
seed=${RANDOM_KEYS_SEED:-1}
steps=${RANDOM_KEYS_STEPS:-60}
here=$PWD
gzip -dc "$srcdir/data/sample/simulated-v5e-4chip.xplane.pb.gz" >whole.pb || exit 99

# The program again and again, until the file "done" is there; then the terminal is looked at.
cat >again <<-END
	cd "$here/folder"
	stty -g >"$here/before"
	while [ ! -e "$here/done" ]; do
		cp "$here/whole.pb" open.pb
		sh -c 'echo \$\$ >"$here/pid"; exec "$tpuscope" '\$1
		echo \$? >>"$here/status"
	done
	stty -g >"$here/after"
	echo all ended
	exec sleep 1000
END
cat >tmux.conf <<-END
	set -g default-terminal tmux-256color
	set -g status off
	set -sg escape-time 0
END

# One step a line: KIND ARGUMENTS.
steps_of() {
	"$AWK" -v seed="$seed" -v steps="$steps" -v files="$files" '
	function below(n) { return int(rand() * n) }
	function keys(  i, s) {
		for (i = below(9); i >= 0; i--)
			s = s " " (below(4) ? key[below(nkeys) + 1] : name[below(nnames) + 1])
		return "keys" s
	}
	BEGIN {
		srand(seed)
		nkeys = split("a b c d e f g h i j k l m n o p r s t u v w x z A B C D E F G H I J K L M N O P R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9 + - < > / : & ? . , _ = [ ] { } ( ) ~ | ! @ # % ^ *", key, " ")
		nnames = split("Enter Escape Tab BTab Space BSpace Up Down Left Right Home End PPage NPage IC DC F1 F2 F3 F4 F5 F12 C-a C-b C-d C-e C-f C-g C-k C-n C-o C-p C-r C-t C-u C-w C-y M-1 M-2 M-3 M-4 M-5 M-6 M-7 M-8 M-9 S-Up S-Down C-Left C-Right", name, " ")
		for (i = 1; i <= steps; i++) {
			k = below(20)
			if (files && !below(4)) print "file", 1 + below(6)
			else if (k < 12) print keys()
			else if (k == 12) print "resize", 1 + below(160), 1 + below(50)
			else if (k == 13) for (n = 0; n < 5; n++) print "resize", 60 + below(100), 15 + below(30)
			else if (k == 14) { print "stop"; print keys(); print "resize", 80 + below(80), 24 + below(20); print "go" }
			else if (k == 15) print "winch"
			else if (k == 16) print "paste"
			else print "mouse", (below(4) ? below(3) : 64 + below(2)), 1 + below(120), 1 + below(40), below(8) ? "m" : ""
			if (i % 6 == 0) print "check"
		}
	}'
}

# tmux tells a new size a quarter of a second later.
size_is_told() {
	[ "$(stty size <"$(tm display-message -p '#{pane_tty}')")" = "$(tm display-message -p '#{pane_height} #{pane_width}')" ]
}

# What its threads do, and how often each had or lost the processor: the same twice when it waits for keys, however slow the machine is.
# The thread sanitizer has a thread of its own, which wakes ten times a second; it blocks all signals but that of forbidden calls.
activity() {
	"$AWK" '/^State|ctxt/ { acts = acts $0 "\n" }
		/^SigBlk:.*fffffffe3ffbfeff/ { own = 1 }
		/^nonvoluntary/ { printf "%s", own ? "" : acts; acts = ""; own = 0 }' /proc/"$(cat pid)"/task/*/status 2>/dev/null
}

# Whether all threads slept between two looks, and the screen stayed; it is kept in a file.
is_settled() { # FILE
	activity >acts.1
	tm capture-pane -pe >"$1.1"
	sleep 0.1
	tm capture-pane -pe >"$1"
	activity >acts
	! grep -q 'State:.[^S]' acts && cmp -s acts acts.1 && cmp -s "$1" "$1.1"
}

settled() { # FILE
	wait_until is_settled "$1" && return
	echo "it does not come to rest"
	return 1
}

# The cells of a captured screen, with what changes from one to the next: where tmux writes a change among blanks, which look the same, depends on whether
# they were written or cleared.  The last two lines are left out: a key removes the message there.
cells() { # FILE
	sed '$d' "$1" | sed '$d' | "$AWK" '
	function look() { return fg ";" bg ";" bold ";" dim ";" italic ";" under ";" reverse }
	function sgr(codes,  n, i, c, v) {
		n = split(codes, v, ";")
		for (i = 1; i <= n || i == 1; i++) {
			c = v[i] + 0
			if (c == 0) fg = bg = bold = dim = italic = under = reverse = 0
			else if (c == 1) bold = 1
			else if (c == 2) dim = 1
			else if (c == 3) italic = 1
			else if (c == 4) under = 1
			else if (c == 7) reverse = 1
			else if (c == 22) bold = dim = 0
			else if (c == 23) italic = 0
			else if (c == 24) under = 0
			else if (c == 27) reverse = 0
			else if (c == 38) { fg = v[i + 1] "." v[i + 2]; i += 2 }
			else if (c == 48) { bg = v[i + 1] "." v[i + 2]; i += 2 }
			else if (c == 39) fg = 0
			else if (c == 49) bg = 0
			else if (c >= 30 && c <= 37 || c >= 90 && c <= 97) fg = c
			else if (c >= 40 && c <= 47 || c >= 100 && c <= 107) bg = c
		}
	}
	BEGIN { sgr("0") }
	{
		out = blanks = ""
		last = ""
		for (rest = $0; rest != "";) {
			if (match(rest, /^\033\[[0-9;]*m/)) {
				sgr(substr(rest, 3, RLENGTH - 3))
				rest = substr(rest, RLENGTH + 1)
				continue
			}
			gsub(/^\016|^\017/, "", rest)
			c = substr(rest, 1, 1)
			rest = substr(rest, 2)
			if (c == " " && !bg && !under && !reverse) {
				blanks = blanks " "
				continue
			}
			out = out blanks (look() != last ? "{" look() "}" : "") c
			blanks = ""
			last = look()
		}
		print out
	}'
}

check_screen() {
	wait_until size_is_told || echo "no size is told"
	settled seen || return 1
	[ -z "$files" ] || return 0
	keys C-l
	settled anew || return 1
	cells seen >seen.cells
	cells anew >anew.cells
	cmp -s seen.cells anew.cells && return
	echo "drawn anew, the screen is another:"
	diff seen.cells anew.cells
	return 1
}

change_file() {
	cp whole.pb folder/new.pb
	case $1 in
	1) truncate -s 100000 folder/open.pb ;;
	2) : >folder/open.pb ;;
	3) cat whole.pb >>folder/open.pb ;;
	4) rm -f folder/open.pb ;;
	5) mv folder/new.pb folder/open.pb ;;
	6) echo x | dd of=folder/open.pb bs=1 seek=5000 conv=notrunc 2>/dev/null ;;
	esac
}

# "-" would be an option of send-keys, ";" the end of its command: neither is among the keys.
do_step() {
	kind=$1
	shift
	case $kind in
	keys) tm send-keys -- "$@" ;;
	resize) tm resize-window -x "$1" -y "$2" ;;
	stop) kill -STOP "$(cat pid)" 2>/dev/null ;;
	go) kill -CONT "$(cat pid)" 2>/dev/null ;;
	winch) for n in 1 2 3 4 5 6 7 8 9 10; do kill -WINCH "$(cat pid)" 2>/dev/null; done ;;
	paste)
		tm set-buffer "$(printf 'fusion\nqQ:q\t\033[31mred \001\n')"
		tm paste-buffer -p
		;;
	mouse)
		text "$(printf '\033[<%d;%d;%dM' "$1" "$2" "$3")"
		[ -z "$4" ] || text "$(printf '\033[<%d;%d;%dm' "$1" "$2" "$3")"
		;;
	file) change_file "$1" ;;
	esac
	return 0
}

wrong() { # WHAT, number of the step
	echo "$1; seed $seed, the last of the steps:"
	sed -n "1,$2p" steps | tail -n 20
	exit 1
}

is_wrong_status() {
	[ -s status ] && grep -qv "^$statuses\$" status
}

walk() { # the arguments of the program
	rm -rf folder done status
	mkdir folder		# what it exports goes there
	tm -f tmux.conf new-session -d -x 120 -y 40 "exec sh again '$1'" || exit 99
	tm set-option -g window-size manual
	wait_for simulated
	steps_of >steps
	number=0
	while read -r step <&3; do
		number=$((number + 1))
		set -f
		# shellcheck disable=SC2086
		set -- $step
		set +f
		if [ "$1" = check ]; then
			check_screen >why || { cat why; wrong "wrong screen" $number; }
		else
			do_step "$@"
		fi
		! is_wrong_status || wrong "it ended with status $(tail -n 1 status)" $number
	done 3<steps
	>done
	tm resize-window -x 120 -y 40
	deadline=$(($(date +%s) + 15))
	until shows 'all ended'; do
		[ "$(date +%s)" -lt $deadline ] || wrong "it does not end" $number
		keys Escape
		sleep 0.1
		keys Q
		sleep 0.2
	done
	! is_wrong_status || wrong "it ended with status $(tail -n 1 status)" $number
	cmp before after || wrong "the settings of the line are not as before" $number
	modes=$(tm display-message -p 'alternate screen #{alternate_on}, mouse #{mouse_any_flag}, keypad #{keypad_cursor_flag}#{keypad_flag}, cursor #{cursor_flag}')
	[ "$modes" = 'alternate screen 0, mouse 0, keypad 00, cursor 1' ] || wrong "the terminal is left with: $modes" $number
	tm kill-server
}

files= statuses=0
walk --demo
files=1 statuses='[03]' steps=$((steps / 2))
walk open.pb
