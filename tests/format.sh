#!/bin/sh
# The C code is formatted by `make format`.  Versions of clang-format differ in small things, so only version 14 is used.
# It leaves comments alone: their lines have at most 120 columns.
find "$top_srcdir/src" "$top_srcdir/ui" "$top_srcdir/tests" -name scratch -prune -o -name '*.[ch]' -print | sort >files
printf '/* %0130d */\n' 0 >long.c
is_long() {
	expand "$@" | tr -d '\200-\277' | LC_ALL=C grep -E '^.{121}' | grep -aE '^ *(/\*|\* )'
}
is_long long.c >found || { echo "the check of comments does not work"; exit 1; }
if xargs cat <files | is_long >found; then
	cat found
	echo "comments with more than 120 columns"
	exit 1
fi

version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [ "$version" != 14 ]; then
	echo "SKIP: clang-format 14 is not here (found: ${version:-none})"
	exit 77
fi

printf 'int  f( void ) {return 0 ;}\n' >bad.c
if clang-format --style=file:"$top_srcdir/.clang-format" --dry-run -Werror bad.c 2>/dev/null; then
	echo "the check itself does not work"
	exit 1
fi
xargs clang-format --style=file:"$top_srcdir/.clang-format" --dry-run -Werror <files >found 2>&1 && exit 0
grep -h 'error:' found | sed 's/:.*//' | sort | uniq -c
echo "not formatted: run make format"
exit 1
