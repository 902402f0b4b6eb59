# compare
# Metrics of chips, once and as a log, and monitoring by the old call and by captures.
. "$srcdir/tests/cli/joblib.sh"
hide_time() {
	sed -E 's/^[0-9]{2}:[0-9]{2}:[0-9]{2}$/TIME/; s/Timestamp: [0-9:]{8}/Timestamp: TIME/; s/^[0-9]{10},/TIME,/; s/"time":[0-9]{10}/"time":TIME/'
}
job --metrics now
asks top "127.0.0.1:$port" | hide_time
asks top "127.0.0.1:$port" --log --interval 0.25 --num-queries 2 --format csv | hide_time
asks top "127.0.0.1:$port" --num-queries 1 --format json | hide_time
asks top "127.0.0.1:$port" --cores

# Two processes that both have a device 0; then one of them is gone.
job --metrics --devices 2
one=$port
more_job --metrics --devices 1
for args in '' --cores '--num-queries 1'; do
	asks top "127.0.0.1:$one,127.0.0.1:$port" $args | sed "s/$one/ONE/g" | hide_time
done
asks top "127.0.0.1:$one,127.0.0.1:1" | sed "s/$one/ONE/g" | hide_time

# More rows than a machine can have cores.
job --metrics --devices 5000
"$tpuscope" top "127.0.0.1:$port" --cores | wc -l

# Servers that are not as they should be.
for are in slices strange junk large heavy old refuses silent; do
	echo "== $are"
	job --metrics-are $are --devices 1
	case $are in
	slices) asks top "127.0.0.1:$port" --format csv --num-queries 1 | hide_time ;;
	strange) asks top "127.0.0.1:$port" --format csv --num-queries 1 | hide_time | grep -v 'tpu.runtime\|hlo\|one.of.many.[0-9]*[1-9]' ;;
	esac
	asks top "127.0.0.1:$port" | hide_time
	[ $are = silent ] || asks top "127.0.0.1:$port" --cores
done
job now
asks top "127.0.0.1:$port"
end_jobs
asks top "127.0.0.1:$port"
asks top "127.0.0.1:1" "127.0.0.1:2"
asks top 127.0.0.1:1 --interval 0.1
asks top 192.0.2.1:8431

job --monitor now
asks monitor --addr "127.0.0.1:$port" --num_queries 1 --monitoring_level 1
asks capture --service_addr "127.0.0.1:$port" --num_queries 1 --monitoring_level 2
gzip -dc "$sample" >space.pb
job --space space.pb now
asks monitor --addr "127.0.0.1:$port" --num-queries 2 --duration-ms 10 | hide_time
job now
asks monitor --addr "127.0.0.1:$port" --num-queries 1 --duration-ms 10 --monitoring-level 1 | hide_time

# What is too large for the memory is refused before it comes.
for size in 600:4G 40:64M; do
	job --mib "${size%:*}" now
	asks monitor --addr "127.0.0.1:$port" --num-queries 1 --duration-ms 10 --memory "${size#*:}"
done

# An old server writes a file where it is told to, and sends nothing: nothing of it stays.
TMPDIR=$PWD/tmp
export TMPDIR
mkdir -p tmp
job --space space.pb old
asks monitor --addr "127.0.0.1:$port" --num-queries 2 --duration-ms 10 | hide_time
ls tmp
job far
asks monitor --addr "127.0.0.1:$port" --num-queries 1 --duration-ms 10 | sed 's/tpuscope-[^/]*/TEMP/; s/tpuscope_[0-9]*/SESSION/'
ls tmp
unset TMPDIR
job empty
asks monitor --addr "127.0.0.1:$port" --num-queries 1 --attempts 1
job unimplemented
asks monitor --addr "127.0.0.1:$port"
asks monitor --addr "127.0.0.1:$port" --monitoring-level 3
