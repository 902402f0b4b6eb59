# Sourced by the tests here: a tmux server of their own with one pane, in which commands are typed as a person would.
# Nothing sleeps for a fixed time: wait_for looks until the screen shows what it should, and gives up after 10 s.
command -v tmux >/dev/null || { echo "tmux is not installed (Debian: apt-get install tmux)"; exit 77; }
socket_dir=$(mktemp -d "${TMPDIR:-/tmp}/tpuscope.XXXXXX") || exit 99
trap 'tm kill-server 2>/dev/null; rm -rf "$socket_dir"' EXIT
trap 'exit 1' HUP INT TERM
tpuscope_path=$tpuscope
XDG_STATE_HOME=$PWD/state		# each test begins without a past
rm -rf "$XDG_STATE_HOME"
export XDG_STATE_HOME

tm() {
	tmux -S "$socket_dir/s" "$@"
}

# start [COLS ROWS]: a shell in a pane of that size.
start() {
	cat >tmux.conf <<-END
		set -g default-terminal tmux-256color
		set -g status off
		set -sg escape-time 0
	END
	tm -f tmux.conf new-session -d -x "${1:-120}" -y "${2:-40}" "exec env ENV= PS1='shell> ' sh -i" || exit 99
	wait_for 'shell>'
	run "PATH=${tpuscope_path%/*}:\$PATH; clear"
	wait_gone clear
}

# keys KEY...: in tmux's notation (Enter, Escape, M-3, C-z); text TEXT: as it is.
keys() {
	tm send-keys "$@"
}

text() {
	tm send-keys -l "$1"
}

# run COMMAND: typed at the shell's prompt.
run() {
	text "$1"
	keys Enter
}

screen() {
	tm capture-pane -p
}

fail() {
	echo "$1; the screen:"
	screen
	exit 1
}

wait_until() { # COMMAND...: until it succeeds
	deadline=$(($(date +%s) + 10))
	until "$@"; do
		[ "$(date +%s)" -lt $deadline ] || return 1
		sleep 0.05
	done
}

shows() {
	screen | grep -q -e "$1"
}

shows_not() {
	! shows "$1"
}

wait_for() { # REGEX
	wait_until shows "$1" || fail "waited for \"$1\""
}

wait_gone() { # REGEX
	wait_until shows_not "$1" || fail "\"$1\" should have gone"
}

# ends_with STATUS: waits for the end of the command and checks its status.
ends_with() {
	ended=$((${ended:-0} + 1))
	run "echo end $ended, status \$?."
	wait_for "end $ended, status [0-9]"
	shows "end $ended, status $1\\." || fail "exit status should be $1"
}
