# The text of messages is that which XLA prints of the same modules (tests/hlo/kinds), but for what messages do not hold, which
# shardings may be propagated, and for the order of computations.
. "$srcdir/tests/cli/lib.sh"
failed=0
for text in "$srcdir"/tests/hlo/kinds/*.txt; do
	"$tpuscope" report hlo_graph "${text%.txt}.hlo.pb" --as long 2>said | sort >ours || cat said
	sed -E '1s/, allow_spmd_sharding_propagation_to_[a-z]+=\{[^}]*\}//g' "$text" | sort >theirs
	cmp -s ours theirs && continue
	failed=1
	basename "$text"
	diff theirs ours | head -6
done
exit $failed
