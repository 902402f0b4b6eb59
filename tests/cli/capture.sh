# compare
# Captures of a job whose server behaves in all the ways that servers do: what is said, the exit status, what is left in the folder.
. "$srcdir/tests/cli/joblib.sh"
case_of() { # "ARGS of fake-job" ARGS: a capture, and the files that it left
	echo "== $1"
	job $1
	shift
	rm -rf runs
	asks capture --addr "127.0.0.1:$port" --logdir runs --session run --duration-ms 20 "$@"
	find runs -type f 2>/dev/null | sort | same_everywhere
	echo
}
case_of ok
case_of drip
case_of gzip
case_of slow
case_of empty --attempts 2
case_of levels --attempts 1
case_of 'empty now'
case_of tools
case_of flood
case_of old
case_of far
case_of 'busy busy now'
case_of busy --grace-s 1
case_of 'exists now'
case_of 'gone now'
case_of gone --attempts 2
case_of unimplemented
case_of refused
case_of escape
case_of error
case_of bare
case_of away --attempts 1
case_of cut --attempts 1
case_of hang --grace-s 1
case_of short
case_of long
case_of two
case_of html
case_of http-503 --attempts 2
case_of rst-7 --attempts 2
case_of rst-11
case_of junk
case_of '--greeting http now'
case_of '--greeting ssh now'
case_of '--greeting tls now'
case_of '--greeting close now'

echo "== what is asked for"
job now
asks capture --service_addr "grpc://127.0.0.1:$port" --logdir runs/asked --session run --duration_ms 7 --num_tracing_attempts 1 \
	--host_tracer_level 3 --device_tracer_level=0 --python-level 1 --no-hlo --include_dataset_ops=false --tpu_zone=here \
	--advanced 'tpu_circular_buffer_tracing=true,depth=7,mode=all'
same_everywhere <log
echo

echo "== a run of that name is there: it gets a number"
job now
mkdir -p runs/twice/plugins/profile/run
asks capture --addr "127.0.0.1:$port" --logdir runs/twice --session run
asks capture --addr "127.0.0.1:$port" --logdir runs/twice --session run
echo

echo "== two servers, one of them busy"
job busy
one=$port
more_job ok
echo "$ tpuscope capture, two addresses"
"$tpuscope" capture --addr "127.0.0.1:$one,localhost:$port" --logdir runs/two --session run --grace-s 1 --duration-ms 20 >said 2>said.err </dev/null
echo "status $?"
sed "s/$one/BUSY/" said.err
find runs/two -type f | same_everywhere
echo

echo "== stopped by Ctrl-C: what was traced is kept"
job ok
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/stop --session run --duration-ms 60000 >said 2>said.err </dev/null &
pid=$!
appears Profile log
kill -INT $pid
wait $pid
echo "status $?"
same_everywhere <said
cat said.err
grep Terminate log
echo

echo "== stopped twice: nothing is left"
job hang
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/cancel --session run --duration-ms 60000 >said 2>said.err </dev/null &
pid=$!
appears Profile log
kill -TERM $pid
wait $pid
echo "status $?"
cat said.err | same_everywhere
appears reset log
grep reset log
find runs/cancel 2>/dev/null
echo

echo "== the line is closed: nothing is left"
job hang
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/hup --session run --duration-ms 60000 >said 2>said.err </dev/null &
pid=$!
appears Profile log
kill -HUP $pid
wait $pid
echo "status $?"
cat said.err | same_everywhere
appears reset log
find runs/hup 2>/dev/null
echo

echo "== halted, and continued after the server has answered"
job ok
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/halted --session run --duration-ms 300 >said 2>said.err </dev/null &
pid=$!
appears Profile log
kill -STOP $pid
sleep 0.6
kill -CONT $pid
wait $pid
echo "status $?"
cat said said.err | same_everywhere
find runs/halted -type f | same_everywhere
echo

echo "== later: one server is asked later, several are told when to begin"
job now
before=$(date +%s%N)
asks capture --addr "127.0.0.1:$port" --logdir runs/later --session run --duration-ms 20 --delay-ms 700
[ $(($(date +%s%N) - before)) -ge 700000000 ] || echo "it did not wait"
grep starts log
more_job now
asks capture --addr "127.0.0.1:$port,localhost:$port" --logdir runs/later --session both --duration-ms 20 --delay-ms 7000
grep -c 'starts=[78]s' log
echo

echo "== the disk is full in the middle: what arrived is kept"
job --mib 3 now
(
	ulimit -f 2048
	asks capture --addr "127.0.0.1:$port" --logdir runs/full --session run
)
find runs/full -type f -size +1000k | same_everywhere
echo

echo "== again and again: the last two are kept"
job now
asks capture --addr "127.0.0.1:$port" --logdir runs/again --session run --every 1 --num-queries 3 --keep 2 --duration-ms 10
find runs/again -type f | sort | same_everywhere
echo

echo "== again and again: a link in place of a run is not followed, and nothing behind it is deleted"
mkdir -p runs/mine
echo mine >runs/mine/notes
job now
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/linked --session run --every 5 --num-queries 2 --keep 1 --duration-ms 10 >said 2>&1 </dev/null &
pid=$!
appears profile/run said
mv runs/linked/plugins/profile/run runs/was
ln -s "$PWD/runs/mine" runs/linked/plugins/profile/run
wait $pid
echo "status $?"
same_everywhere <said
find runs/mine runs/was runs/linked ! -type d | sort | same_everywhere
echo

echo "== snapshots of continuous profiling, which is stopped"
job now error now
asks capture --addr "127.0.0.1:$port" --logdir runs/all --session run --continuous --every 1 --num-queries 3
grep -c Profile log
grep Continuous log
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir runs/all --continuous >said 2>&1 </dev/null &
pid=$!
appears 'is on' said
kill -TERM $pid
wait $pid
echo "status $?"
grep Continuous log
echo

echo "== two servers on one port: it is not known which one answers"
job now
more_job --port $port now
asks capture --addr "127.0.0.1:$port" --logdir runs/shared --session run --duration-ms 20
end_jobs
echo

echo "== the port of the TPU itself: its profiler listens beside it"
asks capture --addr localhost:8470 --logdir runs/old --session run --duration-ms 20 --attempts 1
echo

echo "== wrong usage"
asks capture
asks capture --addr localhost:9012
asks capture --addr localhost --logdir x
asks capture --addr 'a/b:1' --logdir x
asks capture --addr 192.0.2.1:9012 --logdir x
asks capture --tpu my-tpu --logdir x
asks capture --addr localhost:9012 --logdir gs://bucket/x
asks capture --addr localhost:9012 --logdir x --session ../up
asks capture --addr localhost:9012 --logdir x --advanced depth
asks capture --addr localhost:9012 --logdir x some/path
asks capture --addr no-such-host.invalid:9012 --logdir x | grep -v stderr
touch file
asks capture --addr "127.0.0.1:$port" --logdir file/x
