# compare
# Reports about TensorFlow graphs: every form of file gives the same graph; damage, files without a graph, other graphs, the table of the user.
. "$srcdir/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo "SKIP: python3 is not here to write the files"; exit 77; }
make() { # FORM FILE
	python3 "$srcdir/tests/lib/mkgraph.py" "$1" "$2" || exit 1
}
make graph graph.pb
try report compat graph.pb
try report graph graph.pb --top 20
try report info graph.pb
make text graph.pbtxt
make meta model.ckpt.meta
make saved saved_model.pb
make events events.out.tfevents.1
gzip -c graph.pbtxt >graph.pbtxt.gz
for tool in compat graph; do
	"$tpuscope" report $tool --format csv graph.pb >want
	for f in graph.pbtxt graph.pbtxt.gz model.ckpt.meta saved_model.pb events.out.tfevents.1; do
		"$tpuscope" report $tool --format csv $f | diff - want || echo "$f is another graph"
	done
	"$tpuscope" report $tool --format csv - <graph.pb | diff - want || echo "standard input is another graph"
done

# which graph
for f in events.out.tfevents.1 saved_model.pb graph.pbtxt; do
	try report compat --table graphs --format csv $f
done
make run runs.tfevents
try report compat --table graphs --format csv runs.tfevents
try report graph runs.tfevents --graph forward --format csv
try report graph runs.tfevents --graph 0 --format csv
try report graph runs.tfevents --graph nothing

# a table of ops
printf 'AsString\tvalid\nMatMul unknown\n' >own
try report compat graph.pb --tpu-ops own --table incompatible --format csv
echo 'AsString sure' >own
try report compat graph.pb --tpu-ops own
try report compat graph.pb --tpu-ops missing
printf 'AsString\tvalid\nMatMul unknown\n' >own
"$tpuscope" report compat graph.pb --tpu-ops own --table incompatible --format csv >named
cat own | "$tpuscope" report compat graph.pb --tpu-ops /dev/stdin --table incompatible --format csv | cmp - named || echo "a table from a pipe is read otherwise"

# a folder: event files without a graph are passed over, unless there is nothing else
mkdir -p logs/train none
cp events.out.tfevents.1 logs/train
make scalars logs/train/events.out.tfevents.2
make scalars none/events.out.tfevents.1
make scalars none/events.out.tfevents.2
try report compat logs --table graphs --format csv
try report compat none

# ops in functions, which the score does not count
make unlisted functions.pb
try report findings functions.pb
"$tpuscope" report compat functions.pb | sed -n 2,3p

# no graph, damage
make scalars scalars.tfevents
make keras keras.tfevents
echo '{"answer": 42}' >other.json
try report compat scalars.tfevents
try report compat keras.tfevents
try report compat other.json
for form in cut crc; do
	make $form $form.tfevents
	try report compat --table graphs --format csv $form.tfevents
done
head -c 2000 graph.pb >cut.pb
head -c 3000 graph.pbtxt >cut.pbtxt
head -c 1500 events.out.tfevents.1 >cut.events
{ head -c 16 cut.events; printf X; tail -c +18 cut.events; } >crc.events
for f in cut.pb cut.pbtxt cut.events crc.events; do
	try report compat --table graphs --format csv $f
done

# nodes that read each other, and what is not there
make loops loops.pb
try report compat loops.pb
try report graph loops.pb
"$tpuscope" snapshot tf_graph loops.pb --size 160x12 --keys 'j<Enter>' | sed -n 3,12p

# Keras models of both generations: layers as nodes, models in models as scopes; of one that is cut off, what is there
make keras2 keras2.tfevents
for f in keras keras2; do
	try report graph $f.tfevents --graph 0 --format csv
done
# alone, as model.to_json() returns it
make model model.json
head -c 600 model.json >cut.json
echo '{"class_name": "Own", "config": {}, "keras_version": "2.4"}' >none.json
try report graph model.json
for f in cut.json none.json; do
	try report graph --format csv $f
done
try report compat model.json
"$tpuscope" report graph --format csv - <model.json | tail -n +3
"$tpuscope" report graph --format json model.json | grep -o '"name":"sum".*"children":0'
"$tpuscope" report info model.json | grep keras
"$tpuscope" snapshot tf_graph model.json --size 80x12 --keys '*jjjj'
"$tpuscope" snapshot tf_graph keras2.tfevents --size 80x16 --keys '*/sum<Enter><Enter>'

# in findings and views, too, by the option or beside the config file
echo 'AsString valid' >own
for with in '--tpu-ops own' ''; do
	test "$with" || { mkdir -p home/.config/tpuscope; cp own home/.config/tpuscope/tpu_ops.tsv; }
	env -u XDG_CONFIG_HOME HOME="$PWD/home" "$tpuscope" report findings graph.pb $with --format csv | grep -o '[0-9]* of 41 nodes'
	env -u XDG_CONFIG_HOME HOME="$PWD/home" "$tpuscope" snapshot tf_graph graph.pb $with --size 80x24 | sed -n 3p
done
