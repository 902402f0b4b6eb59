#!/bin/sh
# The other compiler finds nothing to warn about in src and ui.  It only reads: nothing is compiled.
command -v clang >/dev/null || {
	echo "SKIP: clang is missing (Debian: apt-get install clang)"
	exit 77
}
make_variable() { sed -n "s/^$1 = //p" "$top_builddir/Makefile"; }
flags="-Werror -fsyntax-only -DHAVE_CONFIG_H -DSYSCONFDIR=\"/etc\" -I$top_builddir -I$top_builddir/src -I$top_builddir/data/proto -I$top_srcdir/src -I$top_srcdir/ui
	$(make_variable WARN_CFLAGS) $(for library in PROTOBUF_C ZLIB ZSTD BROTLI PCRE2 NGHTTP2 CURSES; do make_variable ${library}_CFLAGS; done)"
echo 'int f(void) { int unused; return 0; }' >bad.c
clang $flags bad.c 2>/dev/null && {
	echo "the check itself does not work"
	exit 1
}
# what was built: some sources are for libraries that may be missing
(cd "$top_builddir" && find src ui -name '*.o') | sed 's|[^/]*_a-||; s|o$|c|' >files
while read -r file; do
	test ! -e "$top_srcdir/$file" || echo "$top_srcdir/$file"
done <files >sources
test "$(wc -l <sources)" -gt 400 || {
	echo "only $(wc -l <sources) sources were built"
	exit 1
}
xargs -P 2 -n 40 clang $flags <sources >found 2>&1 && exit 0
grep -E 'error|warning' found
exit 1
