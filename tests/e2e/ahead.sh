#!/bin/sh
# Keys typed while a capture is being read are kept until it is open.  The capture comes through a pipe, so it arrives when the test
# sends it; the help, which opens during the load, shows that the keys before it have been read.
. "$top_srcdir/tests/e2e/lib.sh"
capture=$top_srcdir/tests/fuzz/corpus/xspace/two-cores.pb

# opening [COMMAND]: starts the program before any byte of the capture is sent; end: sends all of it.
opening() {
	rm -f slow
	mkfifo slow
	run "clear; ${1:-tpuscope --no-state --view timeline - <slow}"
	exec 7<>slow
	wait_for 'Esc stops'
}

end() {
	cat "$capture" >&7
	exec 7>&-
}

read_up() {		# the program has read all keys so far
	keys '?'
	wait_for 'Back a level'
	keys '?'
	wait_gone 'Back a level'
}

status_line() {
	screen | tail -n 2 | head -n 1
}

leave() {
	keys Q
	wait_for 'shell>'
	ends_with 0
}

start 100 30
run "tpuscope --no-state --view timeline $capture"
wait_for 'busy %'
shows ' view [0-9]' && fail 'the whole run should be shown'
keys l l w w w
wait_for ' view [0-9]'
wanted=$(status_line)
leave

# Each key has the same effect as when typed later, in the same order.
opening
keys l l w w
read_up
keys w
read_up
end
wait_for ' view [0-9]'
wait_until [ "$(status_line)" = "$wanted" ] || fail "should be as typed later: $wanted"
leave

# The help gets the keys until it is closed, even after the capture was loaded; keys typed before it take effect then.
opening
keys w '?'
wait_for 'Back a level'
end
wait_for '59 of 59 events'
shows 'Back a level' || fail 'the help should still be open'
keys j j '?'
wait_for ' view [0-9]'
leave

# The command line is there at once.
opening
text ':nosuch'
wait_for '^ :nosuch'
keys Enter
wait_for "unknown command 'nosuch'"
end
wait_for 'busy %'
leave

# More keys than anybody types: the first ones count, and the program keeps running.
opening
text "$(printf '%0300d' 0 | tr 0 w)"
read_up
end
wait_for ' view [0-9]'
leave

# A paste is text: it does nothing here, not even when it has a q.
opening
tm set-buffer 'www q'
tm paste-buffer -p
read_up
end
wait_for 'busy %'
keys '?'
wait_for 'Zoom in around the cursor'
keys '?'
wait_gone 'Zoom in around the cursor'
shows ' view [0-9]' && fail 'pasted text was taken for keys'
leave

# Quitting does not wait, and stopping keeps what was read; keys typed before do not clear the message of the load.
opening
keys w w q
wait_gone 'Esc stops'
exec 7>&-
wait_for 'shell>'
ends_with 0

opening 'tpuscope --no-state - <slow'
head -c 900 "$capture" >&7
keys j Escape			# while the writer is still there
wait_for 'stopped: showing the'
exec 7>&-
leave

# A reload, and another one requested meanwhile.
rm -f again.pb
cp "$capture" again.pb
run 'clear; tpuscope --no-state --view timeline again.pb'
wait_for 'busy %'
rm again.pb
mkfifo again.pb
keys w F5
exec 7<>again.pb
wait_for 'Esc stops'
keys l l w F5 w
read_up
end
wait_for ' view [0-9]'
wait_until [ "$(status_line)" = "$wanted" ] || fail "should be as typed later: $wanted"
leave
