#!/bin/sh
# What a terminal sends for keys: names, modifiers and pastes are recognized, and unknown sequences do nothing.
. "$top_srcdir/tests/e2e/lib.sh"

start 120 40
run 'tpuscope --view timeline --demo'
wait_for 'busy %'

keys F1
wait_for 'Zoom in around the cursor'
keys PageDown Up Home End
keys F1
wait_gone 'Zoom in around the cursor'
keys M-1
wait_for 'Proof'
keys BTab			# the ring of views: before the first one the last
wait_for '1 file '
keys Tab
wait_gone '1 file '
keys v
wait_for '1 of [0-9]* views'
keys f
wait_for '1 file '
keys M-3
wait_gone '1 file '

# Keys in one packet wait for what a view computes.
text "$(printf '\0336t')"
wait_for 'at the peak'
wait_gone '# *MiB ▼'
text "$(printf 't\0333')"
wait_for 'busy %'

# Editing a line, completion, history.
keys : v i
keys Tab
wait_for ':view'
keys C-u
text 'nosuch'
keys Left Left C-Left S-Right F7 Enter
wait_for "unknown command 'nosuch'"
keys : Up
wait_for ':nosuch'
keys Escape
wait_gone ':nosuch'

# A paste is text, whatever it contains: a newline in it runs nothing.
keys :
wait_for 'Esc close'
tm set-buffer "$(printf 'quit\nq')"
tm paste-buffer -p
wait_for ':quit q'
keys Escape
wait_gone ':quit q'
tm paste-buffer -p		# nobody asks for text
keys ?
wait_for 'Zoom in around the cursor'
keys ?
wait_gone 'Zoom in around the cursor'

# Unknown sequences: their letters are not taken for keys.
tm send-keys -H 1b 5b 39 39 3b 39 71 1b 5b 49 1b 5b 4f 1b 4f 51
keys ?
wait_for 'Zoom in around the cursor'
keys q
wait_gone 'Zoom in around the cursor'
tm send-keys -H 1b 5b 4d 20 71 21	# a click, as old terminals report it
tm send-keys -H 1b 5b 1b 4f 50	# a sequence that ends in the middle, and F1
wait_for 'Zoom in around the cursor'
keys q
wait_gone 'Zoom in around the cursor'
tm send-keys -H 1b 5b 32 30 30 7e 71	# a paste without an end
keys C-c
wait_for 'shell>'
ends_with 0
