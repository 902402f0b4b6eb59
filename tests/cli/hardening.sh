# The program is a position-independent executable whose tables are read-only once it runs, its stack is guarded
# and not executable; calls that overrun a buffer end it, and calls go only where functions begin.  Left out where
# the builder said --disable-hardening.
grep -q '^HARDEN_CFLAGS = .*-fPIE' "$top_builddir/Makefile" || {
	echo "SKIP: built with --disable-hardening, or by a compiler that cannot do it"
	exit 77
}
command -v readelf >/dev/null || {
	echo "SKIP: readelf is missing (Debian: apt-get install binutils)"
	exit 77
}
failed=0
wants() {
	grep -q "$2" "$1" || {
		echo "$3"
		failed=1
	}
}
readelf -hW "$tpuscope" >head
readelf -lW "$tpuscope" >segments
readelf -dW "$tpuscope" >dynamic
readelf -sW "$tpuscope" >symbols
wants head 'Type: *DYN' "not position independent"
wants segments GNU_RELRO "no RELRO"
wants segments 'GNU_STACK.* RW ' "the stack is executable"
wants dynamic BIND_NOW "symbols are bound late: the tables stay writable"
grep -q '^HARDEN_CFLAGS = .*-fstack-protector-strong' "$top_builddir/Makefile" && wants symbols __stack_chk_fail "no stack protector"
grep -q '^HARDEN_CFLAGS = .*-D_FORTIFY_SOURCE' "$top_builddir/Makefile" && wants symbols '__[a-z]*printf_chk' "no FORTIFY_SOURCE"
grep -q '^HARDEN_CFLAGS = .*-fcf-protection' "$top_builddir/Makefile" &&
	test "$(objdump -d "$tpuscope" | grep -c endbr)" -lt 100 && {
	echo "functions do not say where calls may go (CET); 'make clean' first if it was built before they had to"
	failed=1
}
exit $failed
