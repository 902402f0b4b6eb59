# In a terminal: captures of running jobs, taken on the command line and in the viewer, open; the chips are shown.
. "$srcdir/tests/cli/joblib.sh"
. "$srcdir/tests/e2e/lib.sh"
trap 'end_jobs; tm kill-server 2>/dev/null; rm -rf "$socket_dir"' EXIT
gzip -dc "$sample" >space.pb
job --metrics --space space.pb ok
one=$port
more_job --space space.pb ok
two=$port
rm -rf log

start
run "tpuscope capture --addr 127.0.0.1:$one,127.0.0.1:$two,localhost:$one --logdir log --session first --duration-ms 1500 --no-state"
wait_for 'not an option of capture'
run "clear; tpuscope capture --addr 127.0.0.1:$one,127.0.0.1:$two,localhost:$one --logdir log --session first --duration-ms 1500"
wait_for 'tracing [01]\.. of 1\.5 s   0 of 3 done'
wait_for '1 Findings'
keys M-3
wait_for 'TPU:3 chip 11'
test "$(ls log/plugins/profile/first | wc -l)" = 3 || { ls -R log; exit 1; }

# In the viewer, into the same folder; stopped early, and kept.
run ":capture localhost:$two 60000"
wait_for 'tracing .* of 60\.0 s'
wait_for 's stop and keep'
keys s
wait_gone 'Capture into'
test "$(ls log/plugins/profile | wc -l)" = 2 || { ls -R log; exit 1; }

# Cancelled, on other screens: nothing is left.
run ":capture localhost:$two,localhost:1 60000"
wait_for 'tracing .* of 60\.0 s'
tm resize-window -x 40 -y 10
wait_for '^   tracing  *[0-9.]* of 60'
wait_for 'Connection refused'
wait_for 'Esc cancel'
tm resize-window -x 10 -y 3
tm resize-window -x 80 -y 24
wait_for 'this port?'
tm resize-window -x 120 -y 40
wait_for 'tracing .* of 60\.0 s'
keys Escape
wait_for 'canceled'
keys Escape
wait_gone 'Capture into'
test "$(ls log/plugins/profile | wc -l)" = 2 || { ls -R log; exit 1; }

# A job that is not there.
run ":capture localhost:1 100"
wait_for 'Connection refused'
keys Escape Escape
wait_gone 'Capture into'
run ":capture 192.0.2.1:9012 100"
wait_for 'is another machine'
keys Escape
wait_gone 'Capture into'

# The dialog: what is wrong is said at the field, what is chosen is asked for.
keys M-c
wait_for 'Python tracer'
keys C-u
text 'é'
cursor_stands() {
	[ "$(tm display-message -p '#{cursor_x}')" = 20 ]
}
wait_until cursor_stands || fail 'the cursor belongs after the letter'
keys C-u Enter
wait_for 'for example localhost:9012'
text "localhost:$two"
keys Tab C-u
text 20
keys Tab Tab Tab Tab
keys Right
wait_for '1: every call'
keys Tab Right
wait_for 'yes: no memory view'
keys Tab
text 'depth=7,mode'
keys Enter
wait_for 'advanced: '
text '=all'
keys Enter
runs_are() { # N
	[ "$(ls log/plugins/profile | wc -l)" = "$1" ]
}
wait_until runs_are 3 || fail 'no third run'
wait_gone 'Capture into'
wait_for '1 Findings'

run ":chips localhost:$one"
wait_for ' 3 .* 7\.00 .* 16\.0 .* 67\.5'
keys h
wait_for 'TensorCore .* fusion\.12'
keys p
wait_for 'paused'
run ':!echo of the view below'
wait_for 'needs a view: close this first'
keys q
wait_gone 'chips of'

# How busy the job is, from the servers that were captured last, or from others; then what was on the screen before.
keys M-3
wait_for 'XLA Modules'
run ":monitor"
wait_for "how busy localhost:$two is"
wait_for '[1-9] quer'
wait_for 'idle %, now [0-9]'
keys q
wait_for 'XLA Modules'
run ":monitor localhost:$one,localhost:1"
wait_for 'how busy 2 servers are'
wait_for 'matrix units %, now [0-9]'
keys Down
wait_for 'Connection refused'
keys Escape
wait_for 'XLA Modules'
# By a key, and from there to the chips.
keys M-w
wait_for "how busy localhost:$two is"
run ":chips localhost:$one"
wait_for 'chips of'
run ":monitor localhost:$one"
wait_for "how busy localhost:$one is"
keys q
wait_for 'chips of'
keys q
wait_for "how busy localhost:$two is"
keys q
wait_for 'XLA Modules'
run ':monitor no/server'
wait_gone 'how busy'
wait_for 'XLA Modules'
keys Q
wait_for 'shell>'

# What is captured opens in place of anything, also of what has no path.
gzip -dc "$sample" >file.pb
for what in --demo '- <file.pb'; do
	run "clear; tpuscope --no-state --view files --live $what"
	wait_for '1 file '
	run ":capture localhost:$two 20 other"
	wait_for 'localhost_.*\.xplane\.pb'
	text :nosuch
	keys Enter
	wait_for 'unknown command'
	keys F5
	wait_gone 'unknown command'
	wait_for 'localhost_.*\.xplane\.pb'
	keys Q
	wait_for 'shell>'
done

# A viewer that was opened for files has no network, unless it keeps it; sanitizers need it all.
grep -q '^#define ENABLE_SANITIZE' "$top_builddir/config.h" || {
	run "clear; tpuscope --demo --no-state"
	wait_for '1 Findings'
	run ":chips localhost:$one"
	wait_for 'start it with --live'
	keys Down
	wait_gone 'start it with --live'
	run ":monitor localhost:$one"
	wait_for 'start it with --live'
	keys Q
	wait_for 'shell>'
}
run "clear; tpuscope --demo --no-state --live"
wait_for '1 Findings'
run ":chips localhost:$one"
wait_for ' 3 .* 7\.00 .* 16\.0 .* 67\.5'
keys Q
wait_for 'shell>'
