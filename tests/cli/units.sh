# An id of a column or of a member of a summary has the same unit in all reports.  Two are XProf's, which has percent in
# its HLO stats and fractions in its roofline; times and sizes of PyTorch/XLA have the same statistics.
. "$srcdir/tests/cli/lib.sh"
"$tpuscope" --list-columns | awk '
	/^  [A-Za-z]/ { unit = $2 ~ /^(ps|ns|us|ms|s|percent|fraction|B|KiB|MiB|GiB|GB\/s|GiB\/s|GFLOP|GFLOP\/s|TFLOP\/s|FLOP\/B|cycles)$/ ? $2 : ""
		if (unit != "" && ($1 in of) && of[$1] != unit && $1 !~ /^((cumulative_)?total_self_time_percent|sum|mean|median|most|value_rate)$/) {
			print $1 " is in " of[$1] " and in " unit
			bad = 1
		}
		if (unit != "") {
			of[$1] = unit
			n++
		} }
	END { print n " units"; exit bad || n < 500 }' || exit 1
