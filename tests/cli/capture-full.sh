# A disk that is full before anything arrives: nothing is left on it, or a spare one takes the run; one that two captures fill: nothing of both is lost; one
# that cannot be written.  Needs a file system of its own, so it is for root.
. "$srcdir/tests/cli/joblib.sh"
mkdir -p small
unshare -m mount -t tmpfs -o size=1m none small 2>/dev/null || {
	echo "# no file system can be mounted here"
	exit 77
}
rm -rf log spare both
job --mib 3 now
cat >session.sh <<'END'
mount -t tmpfs -o size=1m none small || exit 1
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir small/log --session run </dev/null 2>said
[ $? = 7 ] || { echo "status should be 7"; cat said; exit 1; }
grep -q 'no room on the disk for its 3145' said || { cat said; exit 1; }
[ -z "$(find small -type f)" ] || { find small; exit 1; }
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir small/log --spare-logdir spare --session run </dev/null >path || exit 1
umount small
mount -t tmpfs -o size=4m none small || exit 1
"$tpuscope" capture --addr "127.0.0.1:$port,localhost:$port" --logdir small/log --spare-logdir both --session run </dev/null >path2 || exit 1
[ "$(find small both -name '*.xplane.pb' -size +3000k | wc -l)" = 2 ] || { echo "two files should be whole"; find small both -type f; exit 1; }
[ "$(find small both -type f | wc -l)" = 2 ] || { echo "something else is left"; find small both -type f; exit 1; }
umount small
mount -t tmpfs -o size=4m,ro none small || exit 1
"$tpuscope" capture --addr "127.0.0.1:$port" --logdir small/log --session run </dev/null 2>said
[ $? = 7 ] || { echo "status should be 7"; cat said; exit 1; }
grep -q 'small.*: Read-only file system' said || { cat said; exit 1; }
END
export port tpuscope
unshare -m sh session.sh || exit 1
grep -q '/spare/plugins/profile/run$' path || { cat path; exit 1; }
[ "$(find spare -name '*.xplane.pb' -size +3000k | wc -l)" = 1 ] || { find spare; exit 1; }
