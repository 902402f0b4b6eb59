#!/bin/sh
# embed.sh SRCDIR FILE...: prints C source that holds the bytes of each file (a path below SRCDIR/data), as base/file/embedded.h declares it.
set -e
srcdir=$1
shift
printf '#include "config.h"\n#include "base/file/embedded.h"\n\n'
i=0
for file; do
	printf 'static const unsigned char file%d[] = {\n' $i
	od -An -v -tu1 "$srcdir/$file" | tr -s ' ' ',' | sed 's/^,//; s/,*$/,/'
	printf '};\n'
	i=$((i + 1))
done
printf 'const struct embedded embedded_files[] = {\n'
i=0
for file; do
	printf '\t{ "%s", file%d, sizeof file%d },\n' "${file##*/}" $i $i
	i=$((i + 1))
done
printf '\t{ NULL, NULL, 0 }\n};\n'
