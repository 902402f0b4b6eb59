# In a terminal: the chips on a screen of their own, with many of them, without a server, and a capture from there.
. "$srcdir/tests/cli/joblib.sh"
. "$srcdir/tests/e2e/lib.sh"
trap 'end_jobs; tm kill-server 2>/dev/null; rm -rf "$socket_dir"' EXIT
gzip -dc "$sample" >space.pb
job --metrics --space space.pb ok
rm -rf log

start
run "tpuscope top 127.0.0.1:$port"
wait_for 'chips of 127\.0\.0\.1'
wait_for ' 3 .* 7\.00 .* 16\.0 .* 67\.5'
wait_for '▅▅▅'				# its history grows
keys Down Down Down
wait_for 'device 3'
wait_for '4 of 4 '
keys '?'
wait_for 'What each core executes'
keys q
wait_for 'device 3'
keys p
wait_for 'paused'
sleep 3
keys p
wait_gone 'paused'
wait_for ' 3 .*▅··*▅'		# nobody asked in between

# A job ends, and another one comes.
end_jobs
wait_for 'no answer since .*Connection refused'
wait_for ' 3 .* – .* – .* –'
"$fake" --metrics --port "$port" --space space.pb ok <>stay >port &
jobs=$!
wait_for 'answering again since'
wait_for ' 3 .* 7\.00 .* 16\.0 .* 67\.5'

# Nothing there needs a view of a capture; one can be taken, and opens in its place.
run ':goto 3ms'
wait_for 'needs a view'
run ':set glyphs ascii'
wait_for '#####'
keys t
wait_for 'Python tracer'
keys C-u
text "localhost:$port"
keys Tab C-u
text 100
keys Tab
text log
keys Enter
wait_for '1 Findings'
keys Q
wait_for 'shell>'

run "clear; tpuscope top 127.0.0.1:1"
wait_for 'no answer since .*no job is using the TPU'
keys q
wait_for 'shell>'
ends_with 0

# Two processes that count their devices alone: a row each, with the server that has it.
job --metrics --devices 2 ok
one=$port
more_job --metrics --devices 1 ok
run "clear; tpuscope top 127.0.0.1:$one,127.0.0.1:$port"
wait_for 'chips of 2 servers'
wait_for "^ *0 .*127.0.0.1:$one .* 4\.00"
wait_for "^ *0 .*127.0.0.1:$port .* 4\.00"
keys G
wait_for '3 of 3 '
wait_for "server  *127.0.0.1:$port"
tm resize-window -x 80 -y 24
wait_for "^ *0  *127.0.0.1:$port "
keys h
wait_for "^ *0 .*127.0.0.1:$port .*TensorCore"
tm resize-window -x 120 -y 40
keys Q
wait_for 'shell>'
ends_with 0

job --metrics --devices 256 ok
run "clear; tpuscope top 127.0.0.1:$port --interval 0.25"
wait_for '1 of 256'
keys G
wait_for '256 of 256'
wait_for '^ *255 '
sleep 0.6				# more than one question
wait_for '256 of 256'
keys h
wait_for 'TensorCore .*all-reduce'
keys G
wait_for '^ *255 .*fusion'
keys Q
wait_for 'shell>'
ends_with 0

# Texts are texts in a terminal, too.
run "clear; tpuscope top 127.0.0.1:$port --num-queries 1; tpuscope top 127.0.0.1:$port --cores | head -2"
wait_for '255 .* 11.00 .* 1536.0'
wait_for 'core  chip'
