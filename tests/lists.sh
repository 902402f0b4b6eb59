#!/bin/sh
# Every source, header and test is in a list of a .am file: what is not listed is not built, not run, or missing from the tarball.
cd "$top_srcdir" || exit 99
missing=0
for file in $(find src ui tests/unit tests/lib tests/bench -name '*.[ch]' -o -name '*.def'; ls data/proto/*.proto); do
	grep -q "^[^#]*[[:space:]]$file\( \|\$\)" src/src.am ui/ui.am data/data.am tests/tests.am && continue
	# A test program is listed only by its name.
	grep -q "^[^#]*[[:space:]]${file%.c}\( \|\$\)" tests/tests.am && continue
	echo "not listed: $file"
	missing=1
done
for file in tests/*.sh tests/cli/*.sh tests/snap/*.sh tests/e2e/*.sh; do
	[ -f "$file" ] || continue
	case $file in */env.sh | *lib.sh) continue ;; esac
	grep -q "^[[:space:]]*$file\( \|\$\)" tests/tests.am && continue
	echo "not run: $file"
	missing=1
done
exit $missing
