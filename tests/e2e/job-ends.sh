# The screens of running jobs end in all the ways that a program ends, and the terminal is as it was: by keys, by signals, by a closed line, and in the middle
# of a capture, of which nothing is left.
. "$srcdir/tests/cli/joblib.sh"
ptyrun=$top_builddir/tests/lib/ptyrun
gzip -dc "$sample" >space.pb
way() { # NAME OPTIONS OF ptyrun AND COMMAND...
	what=$1
	shift
	TPUSCOPE_ASCII= "$ptyrun" "$@" >ptyrun.out || {
		echo "$what:"
		cat ptyrun.out
		exit 1
	}
}
escape=$(printf '\033')
job --metrics --space space.pb now
at=127.0.0.1:$port
for key in q Q "$escape" "$(printf '\003')"; do
	way "top, $key" -w 'device 0' -k "$key" "$tpuscope" top $at
	way "monitor, $key" -w 'cores of TPU' -k "$key" "$tpuscope" monitor --addr $at --duration-ms 10
done
for signal in TERM INT HUP QUIT SEGV; do
	way "top, SIG$signal" -w 'device 0' -S $signal "$tpuscope" top $at
	way "monitor, SIG$signal" -w 'cores of TPU' -S $signal "$tpuscope" monitor --addr $at --duration-ms 10
done
way 'top, closed line' -w 'device 0' -c "$tpuscope" top $at
way 'monitor, closed line' -w 'cores of TPU' -c "$tpuscope" monitor --addr $at --duration-ms 10
way 'top, no server' -w 'no job is using the TPU' -k q "$tpuscope" top 127.0.0.1:1
way 'top at 40x10' -s 40x10 -w 'chips of' -k q "$tpuscope" top $at
way 'monitor at 40x10' -s 40x10 -w 'how busy' -S TERM "$tpuscope" monitor --addr $at --duration-ms 10

# In the middle of a capture: the server hears of it, nothing is left in the folder.
job --space space.pb ok
rm -rf left
for signal in TERM INT HUP QUIT; do
	: >log
	way "capture, SIG$signal" -w simulated -b ":capture localhost:$port 60000 left$(printf '\r')" -S $signal \
		"$tpuscope" --demo --no-state --live
	appears Profile log
	appears 'reset\|lost' log
	[ ! -e left ] || { find left; exit 1; }
done
