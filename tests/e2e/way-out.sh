#!/bin/sh
# Every way to end the program restores the terminal: keys, signals, crashes, and a closed line.
ptyrun=$top_builddir/tests/lib/ptyrun
number=0

# way NAME OPTION...: one way to end the program.
way() {
	what=$1
	shift
	number=$((number + 1))
	if "$ptyrun" -w simulated "$@" "$tpuscope" --demo >log; then
		echo "ok $number - $what"
	else
		sed 's/^/# /' log
		echo "not ok $number - $what"
	fi
}

echo 1..18
way 'q, and silent at rest' -i 1500 -k q
way 'Q' -k Q
way '^C' -k "$(printf '\003')"
for signal in TERM INT HUP QUIT SEGV ABRT BUS; do
	way "SIG$signal" -S $signal
done
way 'line closed' -c
way 'q in tmux' -t tmux-256color -k q
way 'SIGTERM in screen' -t screen-256color -S TERM
way 'SIGTERM with the help open' -b '?' -S TERM
way 'SIGSEGV at the search prompt' -b /fusion -S SEGV
way 'Esc, then q, at the search prompt' -b /fusion"$(printf '\033')" -k q
way 'q at 80x24' -s 80x24 -k q
way 'SIGTERM at 40x10' -s 40x10 -S TERM
