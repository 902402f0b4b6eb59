# Which run of a logdir is opened, however deep it lies, and what is opened beside it.
. "$srcdir/tests/cli/lib.sh"
bad=0
fail() {
	echo "$@"
	bad=1
}
capture() { # FOLDER
	mkdir -p "$1" && cp "$sample" "$1/vm.xplane.pb.gz"
}
opens() { # DIR RUN AMONG [ARGS]
	dir=$1 want="info · run $2$3 · vm.xplane.pb.gz"
	shift 3
	got=$("$tpuscope" report info "$dir" "$@" | head -1)
	case $got in "$want"*) ;; *) fail "$dir: $got, not $want" ;; esac
}
# the time of the run decides, not the folder before it
capture exp/z-old/plugins/profile/2026_03_01_10_00_00
capture exp/a-new/plugins/profile/2026_09_20_10_00_00
capture exp/m/plugins/profile/2026_09_19_23_59_59
opens exp a-new/2026_09_20_10_00_00 ', newest of 3'
opens exp m/2026_09_19_23_59_59 ', 2 of 3' --run m/2026_09_19_23_59_59
"$tpuscope" report info exp --format json | grep -q '"run":"a-new/2026_09_20_10_00_00","runs":3,' || fail 'JSON does not say how many runs there are'
"$tpuscope" snapshot findings exp --size 100x30 | grep -q 'the newest of 3 runs is open; R lists them' || fail 'the viewer does not say how many runs there are'
"$tpuscope" snapshot findings exp --size 100x30 --keys R | grep -o ' [a-z-]*/2026_[0-9_]* .*2026-[0-9: -]*' | sed 's/  */ /g' >names
cat >want <<'W'
 a-new/2026_09_20_10_00_00 open, 2026-09-20 10:00 
 m/2026_09_19_23_59_59 2026-09-19 23:59 
 z-old/2026_03_01_10_00_00 2026-03-01 10:00 
W
diff -b names want || fail 'R does not list the runs by time'
# however deep
capture deep/base/run7/tensorboard/plugins/profile/2026_01_02_03_04_05
capture deep/plugins/profile/2026_01_02_03_04_04
opens deep base/run7/tensorboard/2026_01_02_03_04_05 ', newest of 2'
opens deep/base run7/tensorboard/2026_01_02_03_04_05 ''
mkdir -p "parent/my logs"
capture "parent/my logs/run a"
capture "parent/my logs/run b"
touch -d 2026-05-01 "parent/my logs/run a/vm.xplane.pb.gz" # a name without a time: when it was written
touch -d 2026-04-01 "parent/my logs/run b/vm.xplane.pb.gz"
opens parent 'my logs/run a' ', newest of 2'
capture "parent/my logs/20260501-000001"
opens parent 'my logs/20260501-000001' ', newest of 3'
ln -s .. "parent/my logs/loop"
ln -s nowhere parent/dangling
opens parent 'my logs/20260501-000001' ', newest of 3'
# ranks below a folder of experiments belong together only within one of them
for rank in 0 1; do
	capture ranks/exp1/dp_rank_$rank/plugins/profile/2026_05_06_07_08_09
	"$tpuscope" report info ranks --format json >/dev/null || fail 'folders of ranks do not open'
done
capture ranks/exp2/dp_rank_1/plugins/profile/2026_05_06_07_08_08
"$tpuscope" report info ranks | head -1 | grep -q 'run exp1/2026_05_06_07_08_09, newest of 2' || fail 'ranks of two experiments are one run'

# a graph beside the runs
command -v python3 >/dev/null || exit $bad
capture model/plugins/profile/2026_05_01_10_00_00
"$tpuscope" snapshot tf_graph model >out 2>err && fail 'a view without data is drawn'
grep -q 'no data for the TF graph view' err || fail "$(cat err)"
mkdir -p model/train
python3 "$srcdir/tests/lib/mkgraph.py" scalars model/events.out.tfevents.1
python3 "$srcdir/tests/lib/mkgraph.py" events model/train/events.out.tfevents.2
"$tpuscope" report compat model >out || fail 'the graph of a logdir is not found'
grep -q '^compat · run 2026_05_01_10_00_00' out || fail "$(head -1 out)"
"$tpuscope" snapshot tf_graph model | grep -q 'nodes cannot' || fail 'the view of the graph is not there'
"$tpuscope" report overview model | grep -q 'duty cycle' || fail 'the run is not opened beside its graph'
"$tpuscope" report info model | grep -q '^problems *0' || fail 'an event file without a graph is a problem'
capture estimator/plugins/profile/2026_05_01_10_00_00
printf 'node {\n  name: "a"\n  op: "MatMul"\n}\nnode {\n  name: "b"\n  op: "PyFunc"\n}\n' >estimator/graph.pbtxt
"$tpuscope" report compat estimator | grep -q '^nodes *2' || fail 'graph.pbtxt beside the runs is not found'
"$tpuscope" report overview estimator | grep -q 'duty cycle' || fail 'the run is not opened beside graph.pbtxt'
"$tpuscope" report info estimator | grep -q '^problems *0' || fail 'graph.pbtxt is a problem'
python3 "$srcdir/tests/lib/mkgraph.py" run model/train/events.out.tfevents.3
"$tpuscope" report graph model --graph forward >out || fail 'a traced graph of a logdir is not found'
exit $bad
