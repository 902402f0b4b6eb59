# Queries: what SQL says of a capture is what the reports say; a query can only read; mistakes are named.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$*"
	failed=1
}
case $("$tpuscope" --version) in
*+sqlite*) ;;
*)
	"$tpuscope" query 'SELECT 1' "$sample" -f json >out 2>err
	test $? = 1 || bad "a build without SQLite answers"
	grep -q 'built without SQLite' err || bad "no SQLite: $(cat err)"
	grep -q '"status":"cannot_answer","reason":"no_sqlite","remedy":"apt-get' out || bad "no SQLite: $(cat out)"
	echo "SKIP: built without SQLite"
	exit 77
	;;
esac
is() { # WANTED SQL
	got=$("$tpuscope" query "$2" "$sample" --format csv 2>&1 | tail -n +2 | tr -d '\r' | paste -sd' ' -)
	test "$got" = "$1" || bad "$2: $got, not $1"
}
refused() { # SQL MESSAGE
	timeout 30 "$tpuscope" query "$1" "$sample" --timeout 1 >out 2>err && bad "$1 was done"
	grep -q -e "$2" err || bad "$1: $(cat err)"
}

# every table of every report is the same by SQL
"$tpuscope" query .schema >schema || bad "no .schema"
"$tpuscope" query .tables >tables || bad "no .tables"
test "$(wc -l <schema)" = "$(wc -l <tables)" || bad ".schema and .tables differ"
"$tpuscope" query '.schema steps' | grep -q '"duration_ps" INTEGER' || bad ".schema steps"
cat >compare.py <<'P'
import json, subprocess, sys
program, sample, tables, least = sys.argv[1:]
failed = compared = 0
def run(*words):
    p = subprocess.run([program, *words, "--format", "json"], capture_output=True, text=True)
    return json.loads(p.stdout) if p.returncode in (0, 3) and p.stdout else None
names = open(tables).read().split()
tools = [r["name"] for r in json.loads(subprocess.run([program, "schema", "--list"], capture_output=True, text=True).stdout)["reports"]]
def is_number(v):
    return isinstance(v, (int, float))
for tool in tools:
    if tool in ("summary", "graph"): # cut to what fits; the tables of hlo_graph
        continue
    document = run("report", tool, sample)
    if document is None:
        continue
    own = {None: document} if "rows" in document else {}
    for name, table in {**own, **document.get("tables", {})}.items():
        base = "ops" if tool == "hlo_stats" else tool
        full = base if name is None else base + "_" + name
        answer = run("query", 'SELECT * FROM "%s"' % full, sample, "--limit", "0")
        plain = lambda v: int(v) if isinstance(v, bool) else json.dumps(v) if isinstance(v, (dict, list)) else v
        want = [[plain(v) for v in row] for row in table["rows"]]
        got = [[plain(v) for v in row] for row in answer["rows"]] if answer else None
        compared += len(want)
        # sums of SQL are those of the rows
        ids = [c["id"] for c in table["columns"]]
        sums = run("query", "SELECT %s FROM \"%s\"" % (", ".join('total("%s")' % i for i in ids), full), sample)
        for k, i in enumerate(ids):
            total = sum(row[k] for row in want if is_number(row[k]))
            if any(map(is_number, (row[k] for row in want))) and not abs(sums["rows"][0][k] - total) <= 1e-9 * sum(abs(row[k]) for row in want if is_number(row[k])):
                print("%s.%s: the sum is %s, not %s" % (full, i, sums["rows"][0][k], total))
                failed = 1
        same = got is not None and [c["id"] for c in answer["columns"]] == [c["id"] for c in table["columns"]] and len(got) == len(want)
        same = same and all(a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) <= 1e-12 * abs(a)) or
            (isinstance(a, str) and isinstance(b, str) and a[:1] in "{[" and json.loads(a) == json.loads(b))
            for x, y in zip(want, got) for a, b in zip(x, y))
        if not same or (full not in names and full + "_" + full not in names):
            print("%s differs, or is not listed" % full)
            failed = 1
if compared < int(least):
    print("only %d rows were compared" % compared)
    failed = 1
sys.exit(failed)
P
python3 compare.py "$tpuscope" "$sample" tables 2000 || failed=1
corpus=$srcdir/tests/fuzz/corpus
for file in digest/two-cores.pb xspace/gpu.xplane.pb xspace/host-only.pb chrome-json/torch.json llo/bundles ptxla/debug pprof/plain.prof hlo/shared; do
	python3 compare.py "$tpuscope" "$corpus/$file" tables 10 || { echo "$file"; failed=1; }
done
"$tpuscope" digest "$sample" -o sample.tpd && python3 compare.py "$tpuscope" sample.tpd tables 1500 || failed=1

# every table that is listed can be asked, whether or not the capture has rows of it
for file in "$sample" "$corpus/xspace/gpu.xplane.pb"; do
	while read -r table; do
		"$tpuscope" query "SELECT count(*) FROM $table" "$file" >out 2>err || grep -qv SQL err || bad "$table: $(cat err)"
	done <tables
done

# events
is "$("$tpuscope" report trace "$sample" --format csv | tail -n +2 | wc -l)" "SELECT count(*) FROM slices"
is 1 "SELECT (SELECT sum(duration_ps) FROM gaps) = (SELECT sum(idle_ps) FROM steps)"
is 1 "SELECT (SELECT sum(self_ps) FROM slices WHERE kind = 'ops') = (SELECT sum(duration_ps) FROM slices WHERE kind = 'ops' AND depth = 0)"
is 12 "SELECT count(*) FROM slices WHERE name = 'fusion.163'"
is 12 "SELECT count(*) FROM slices WHERE name GLOB 'fusion.16[3]'"
is 12 "SELECT count(*) FROM slices WHERE name REGEXP '^fusion[.]163\$'"
is 12 "SELECT count(*) FROM slices WHERE name LIKE 'FUSION.163'"
is 1 "SELECT count(*) FROM slices AS s WHERE s.id = (SELECT max(id) FROM slices)"
is 1 "SELECT (SELECT count(*) FROM slices WHERE start_ps BETWEEN 20000000000 AND 21000000000) = (SELECT count(*) FROM slices WHERE +start_ps BETWEEN 20000000000 AND 21000000000)"
is 1 "SELECT (SELECT count(*) FROM slices WHERE start_ps < 20000000000.5) = (SELECT count(*) FROM slices WHERE +start_ps < 20000000000.5)"
is 0 "SELECT count(*) FROM slices AS s JOIN slices AS p ON p.id = s.parent_id WHERE p.start_ps > s.start_ps OR p.start_ps + p.duration_ps < s.start_ps + s.duration_ps"
is 1 "SELECT (SELECT sum(collective_wait_ps) FROM steps) <= (SELECT sum(wait_ps) FROM collectives)"
is 12 "SELECT count(*) FROM args AS a JOIN slices AS s ON s.id = a.slice_id WHERE s.kind = 'modules' AND a.key = 'run_id'"
# by name, without a sort, is as with one
by_name() { # SQL with NAME, which stands for the column, and for an expression that hides it
	for name in name +name; do
		"$tpuscope" query "$(printf '%s' "$1" | sed "s/NAME/$name/g")" "$sample" --format csv --limit 0 >"by$name" 2>&1 || bad "$1"
	done
	test "$(wc -l <byname)" -gt 3 && tail -n +2 byname >a && tail -n +2 by+name | cmp - a || bad "$1: not as with a sort"
}
by_name "SELECT name, count(*), sum(duration_ps), min(id) FROM slices GROUP BY NAME"
by_name "SELECT name, id FROM slices WHERE core = 1 AND start_ps > 20000000000 ORDER BY NAME DESC, id"
by_name "SELECT name, sum(self_ps), count(step) FROM slices GROUP BY NAME"
by_name "SELECT DISTINCT name FROM slices WHERE name GLOB 'f*' ORDER BY NAME"
by_name "SELECT name, (SELECT count(*) FROM steps), max(duration_ps) FROM slices WHERE kind = 'ops' GROUP BY NAME HAVING count(*) > 12"
is "0 1 2 3" "SELECT DISTINCT core FROM slices WHERE core IS NOT NULL ORDER BY core"
is "TPU:0 cpu:0" "SELECT DISTINCT device FROM Events WHERE device IN ('TPU:0', 'cpu:0') ORDER BY device"
is 2.5,1.5 "SELECT quantile_cont(x, 0.5), quantile_cont(x, 0) + 0.5 FROM (SELECT 1 AS x UNION SELECT 2 UNION SELECT 3 UNION SELECT 4)"
is 0.002 "SELECT ms(2000000)"
is 0 "SELECT count(*) FROM edges AS e WHERE NOT EXISTS (SELECT 1 FROM instructions AS i WHERE i.id = e.src_id AND i.module = e.module)"
# where ops that are inside each other by the host's clock are not by the device's
real=$srcdir/../shared/data/ops-golden/v6e
if test -d "$real"; then
	got=$("$tpuscope" query "SELECT (SELECT sum(duration_ps) FROM gaps) = (SELECT sum(idle_ps) FROM steps)" "$real" -f csv | tail -n 1 | tr -d '\r')
	test "$got" = 1 || bad "gaps of $real are not its idle time"
fi
"$tpuscope" query .examples | grep '^SELECT' | while read -r sql; do
	"$tpuscope" query "$sql" "$sample" >out 2>err || echo "$sql: $(cat err)"
done >examples
test -s examples && bad "$(cat examples)"

# hostile durations: what lies side by side in an event may be longer than all of it; sums stop at 64 bits
printf '{"traceEvents":[{"ph":"X","pid":1,"tid":1,"name":"root","ts":0,"dur":4.5e12}' >long.trace.json
for k in 1 2 3 4 5 6 7 8; do printf ',{"ph":"X","pid":1,"tid":1,"name":"c","ts":%de9,"dur":2e12}' $k; done >>long.trace.json
echo ']}' >>long.trace.json
"$tpuscope" query "SELECT self_ps < 0, (SELECT count(*) FROM slices WHERE start_ps > -1e300) FROM slices WHERE name = 'root'" long.trace.json --format csv | tail -n 1 | tr -d '\r' >out
test "$(cat out)" = 1,9 || bad "self time of an event shorter than its children: $(cat out)"

# only reading
for sql in "DELETE FROM slices" "ATTACH 'x' AS y" "PRAGMA table_list" "CREATE TABLE z(a)" "UPDATE steps SET step = 1" "VACUUM INTO 'x'" "SELECT load_extension('x')"; do
	refused "$sql" 'a query can only SELECT\|may not be modified\|authorization denied'
done
test -e x && bad "a file was written"
refused "SELEC 1" 'syntax error at character 1'
refused "SELECT foo FROM slices" 'no such column: foo at character 8'
refused "SELECT * FROM elsewhere" 'no such table: elsewhere.*; tpuscope query .tables lists them'
refused "SELECT * FROM slice" 'no such table: slice; did you mean slices?'
refused "SELECT name FROM slices WHERE" 'incomplete input at character 30'
for sql in "WITH x AS (SELECT 1) DELETE FROM slices" REINDEX VACUUM "EXPLAIN DELETE FROM slices"; do
	refused "$sql" 'a query can only SELECT'
done
# the line that is wrong, with a mark below the place
printf 'SELECT name\nFROM slices\n\tWHERE "\303\244" = \047\303\244\047 AND nme = 1\n' | "$tpuscope" query - "$sample" 2>err && bad "nme is no column"
test "$(tail -n 1 err)" = "$(printf "%23s^" "")" && sed -n 2p err | grep -q "^  .WHERE .* nme = 1$" || bad "no mark: $(cat err)"
is 3 "SELECT count(*) FROM json_each('[1,2,3]')"
# names of columns are any text
hostile=$(printf 'SELECT 1 AS "a\nb|<c>\033[31m", 2 AS "=cmd|x", max(3, 4), 5 AS "%0500d"' 0)
for format in text csv json jsonl markdown; do
	timeout 20 "$tpuscope" query "$hostile" "$sample" -f $format >out 2>err || bad "hostile columns as $format: $(cat err)"
	LC_ALL=C grep -q "$(printf '\033')" out && bad "hostile columns as $format: $(cat -v out)"
done
"$tpuscope" query "$hostile" "$sample" -f csv | python3 -c 'import csv, sys; r = list(csv.reader(sys.stdin)); sys.exit([len(x) for x in r] != [4, 4] or r[0][1] != "\x27=cmd|x")' || bad "hostile columns in CSV"
refused "SELECT 1; SELECT 2" 'one query at a time: SELECT 2'
refused "" 'the query is empty'
refused "SELECT 'a' REGEXP '('" 'missing closing parenthesis'
refused "SELECT '$(printf 'a%.0s' $(seq 40))c' REGEXP '^(a+)+\$|b0\$'" 'pattern too expensive'
refused "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c" 'takes more than 1 s; --timeout'
"$tpuscope" query "SELECT id FROM slices" "$sample" --limit 3 >out 2>err || bad "--limit"
grep -q "only the first 3 of $("$tpuscope" query 'SELECT count(*) FROM slices' "$sample" --format csv | tail -n 1 | tr -d '\r') rows; --limit 0 writes all" err || bad "--limit: $(cat err)"
"$tpuscope" query "SELECT id FROM slices" "$sample" --limit 3 --format json >out || bad "--limit in JSON"
test "$(grep -o '"status":"[a-z_]*"' out)" = '"status":"partial"' || bad "--limit: not one status: $(grep -o '"status":"[a-z_]*"' out)"
grep -q '"reason":"row_limit","remedy":"--limit 0' out || bad "--limit in JSON: $(tail -n 1 out)"
"$tpuscope" query "SELECT id FROM slices" "$sample" --limit 3 >out 2>err
tail -n 1 out | grep -q 'partial (row_limit)' || bad "--limit in text: $(cat out)"

# as reports are asked: --top; and SQL from a file
echo "SELECT step,
	core FROM steps ORDER BY 1, 2" | "$tpuscope" query - "$sample" --top 2 -f csv 2>err | tr -d '\r' | paste -sd' ' - >out
test "$(cat out)" = "step,core 0,0 0,1" && grep -q 'only the first 2 of 12 rows' err || bad "query - --top: $(cat out err)"
"$tpuscope" query - "$sample" </dev/null 2>err
test $? = 2 && grep -q 'no SQL on standard input' err || bad "query - of nothing: $(cat err)"

# why there is no answer, or only a part of it: in the document, also in one that -o writes
ends() { # EXIT STATUS REASON ROWS SQL
	"$tpuscope" query "$5" "$sample" --timeout 1 -f json -o ended.json --force 2>err
	exit=$?
	got="$exit $(python3 -c 'import json; d = json.load(open("ended.json")); print(d["status"], d["reason"], len(d["rows"]), d["total"], bool(d["remedy"]))' 2>&1)"
	test "$got" = "$1 $2 $3 $4 None True" && test -s err || bad "$5: $got, $(cat err)"
}
endless="WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
ends 1 cannot_answer timeout 0 "$endless SELECT count(*) FROM c"
ends 1 partial timeout 2 "$endless SELECT x FROM c WHERE x < 3"
ends 1 cannot_answer byte_limit 0 "SELECT length(zeroblob(900000000))"
ends 1 partial byte_limit 5 "SELECT length(zeroblob(id * 15000000)) FROM slices"
"$tpuscope" query "SELECT abs(-9223372036854775807 - (id > 4)) FROM slices" "$sample" -f json >out 2>err && bad "a number that is too large"
tail -n 1 out | grep -q '"status":"partial","reason":"query_error"' || bad "an error behind rows: $(tail -n 1 out)"
grep -q 'integer overflow' err || bad "an error behind rows: $(cat err)"
# rows are there as soon as they are found, and when nobody reads further, nothing is searched further
got=$( (timeout 20 "$tpuscope" query "$endless SELECT x FROM c WHERE x < 3" "$sample" --timeout 60 -f csv; echo $? >ended) | head -n 2 | tr -d '\r' | paste -sd' ' -)
test "$got $(cat ended)" = "x 1 141" || bad "not at once: $got, $(cat ended)"
(timeout 20 "$tpuscope" query "$endless SELECT x FROM c" "$sample" --timeout 60; echo $? >ended) | head -n 4 >out
test "$(cat ended)" = 141 || bad "| head: $(cat ended)"

is "jit_train_step,0" "SELECT DISTINCT module, space FROM buffers"

# what the capture is, and a damaged one
is "1 TPU jit ok" "SELECT value FROM meta WHERE key = 'hosts' UNION ALL SELECT substr(value, 1, 3) FROM meta WHERE key IN ('chip', 'program') UNION ALL SELECT value FROM meta WHERE key = 'status'"
gzip -dc "$sample" | head -c 300000 >cut.xplane.pb
"$tpuscope" query "SELECT value FROM meta WHERE key = 'reason'" cut.xplane.pb -f json >out 2>err
test $? = 3 || bad "a damaged capture has the exit status of a whole one"
tail -n 1 out | grep -q '"status":"partial","reason":"damaged"' || bad "a damaged capture: $(tail -n 1 out)"
grep -q '^."damaged".$' out || bad "meta of a damaged capture"

# in the viewer: the step at the cursor, as slices have it; less time
"$tpuscope" snapshot timeline "$sample" --size 80x24 --keys '}}:sql SELECT $step AS k, step_name FROM steps WHERE step = $step LIMIT 1<Enter>' >out 2>&1
grep -q '^ *2  *train 102' out || bad "\$step: $(sed -n 3,8p out)"
"$tpuscope" snapshot sql "$sample" --keys ':sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c<Enter>' >out 2>&1
grep -q 'takes more than 5 s; tpuscope query --timeout' out || bad "endless in the viewer: $(sed -n 3,8p out)"
# a base has the same tables
"$tpuscope" query "SELECT count(*), (SELECT count(*) FROM base.steps) FROM base.slices" "$sample" --against "$sample" --format csv >got || bad "--against"
"$tpuscope" query "SELECT count(*), (SELECT count(*) FROM steps) FROM slices" "$sample" --format csv >want
tail -n 1 want >w; tail -n 1 got | cmp - w || bad "the base has other rows"
refused "SELECT * FROM base.slices" 'no such table: base.slices'
"$tpuscope" query "SELECT 1" "$sample" --against nowhere >out 2>err && bad "a base that is not there"
exit $failed
