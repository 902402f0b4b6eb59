#!/bin/sh
# Reads the #include lines of src and ui: an include against the direction of the layers fails, and so does curses outside ui/term.
# It first shows on a tree made here that it can fail.

# check TOP: prints "FILE:LINE: why" for each forbidden include, nothing when all is well.
check() {
	(cd "$1" && find src ui -name '*.[ch]' | sort | while read -r file; do
		case $file in
		src/main.c) layer=main may='cli report analyze load model base core view widget term' ;;
		src/base/*) layer=base may='base' ;;
		src/model/*) layer=model may='model base' ;;
		src/load/*) layer=load may='load model base' ;;
		src/remote/*) layer=remote may='remote load base' ;;
		src/analyze/*) layer=analyze may='analyze model base' ;;
		src/report/*) layer=report may='report analyze model base' ;;
		src/cli/*) layer=cli may='cli report remote analyze load model base' ;;
		ui/term/*) layer=term may='term core base' ;;
		ui/core/*) layer=core may='core report analyze load model base' ;;
		ui/widget/*) layer=widget may='widget core analyze model base' ;;
		ui/view/*) layer=view may='view widget core report analyze load model base' ;;
		*) echo "$file: in no layer"; continue ;;
		esac
		awk -v file="$file" -v layer="$layer" -v may=" $may " '
			/^[ \t]*#[ \t]*include[ \t]/ {
				name = $0
				sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
				sub(/[">].*/, "", name)
				if (name ~ /(^|\/)n?curses/ || name ~ /^ncursesw\// || name ~ /^(term|panel|menu|form)\.h$/) {
					if (layer != "term")
						print file ":" NR ": curses belongs to ui/term alone (" name ")"
				} else if ($0 ~ /"/ && name ~ /\//) {
					dir = name
					sub(/\/.*/, "", dir)
					if (!index(may, " " dir " "))
						print file ":" NR ": " layer " must not know " dir " (" name ")"
				} else if ($0 ~ /"/ && name !~ /^(config|version)\.h$/ && name !~ /\.pb-c\.h$/)
					print file ":" NR ": write the include from the root of src or ui (" name ")"
			}' "$file"
	done)
}

mkdir -p bad/src/base bad/src/model bad/src/load bad/ui/widget bad/ui/term bad/ui/core
echo '#include "model/trace.h"' >bad/src/base/a.c
echo '#include "load/load.h"' >bad/src/model/b.c
printf '#include "config.h"\n#include "base/err.h"\n#  include "core/canvas.h"\n' >bad/src/load/c.c
echo '#include "view/timeline/timeline.h"' >bad/ui/widget/d.c
echo '#include <curses.h>' >bad/ui/core/e.c
printf '#include <curses.h>\n#include "core/term.h"\n#include "load.h"\n' >bad/ui/term/f.c
cat >expected <<'END'
src/base/a.c:1: base must not know model (model/trace.h)
src/load/c.c:3: load must not know core (core/canvas.h)
src/model/b.c:1: model must not know load (load/load.h)
ui/core/e.c:1: curses belongs to ui/term alone (curses.h)
ui/term/f.c:3: write the include from the root of src or ui (load.h)
ui/widget/d.c:1: widget must not know view (view/timeline/timeline.h)
END
check bad >found
if ! diff expected found; then
	echo "the check itself does not work"
	exit 1
fi

check "$top_srcdir" >found
cat found
[ ! -s found ]
