# Steps of which the wait for input is not known: they are not the worst, and do not count as steps without a wait.
. "$srcdir/tests/cli/lib.sh"
failed=0
cat >run.input_pipeline.json <<'END'
[{"cols": [{"id": "stepnum", "type": "string"}, {"id": "stepTimeMs", "type": "number"}, {"id": "tcComputeTimeMs", "type": "number"},
{"id": "tcInfeedTimeMs", "type": "number"}, {"id": "infeedPercentAverage", "type": "number"}],
"rows": [{"c": [{"v": "1"}, {"v": 100}, {"v": 50}, null, null]}, {"c": [{"v": "2"}, {"v": 100}, {"v": 50}, {"v": 20}, {"v": 20}]},
{"c": [{"v": "3"}, {"v": 100}, {"v": 50}, {"v": 40}, {"v": 40}]}], "p": {}}]
END
"$tpuscope" snapshot input --config none --size 120x40 --keys w run.input_pipeline.json >screen </dev/null
for line in 'STEP 3  ' 'step without waits  *70.000 ms' 'speedup without waits  *1.43'; do
	grep -q "$line" screen || {
		echo "not on the screen: $line"
		failed=1
	}
done
test $failed = 0 || cat screen
exit $failed
