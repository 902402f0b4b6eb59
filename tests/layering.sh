#!/bin/sh
# The rooms of src and ui and who may include whom.  The arrows stand in HACKING, between "Rooms and arrows" and "End of the arrows": a row is a room and what
# it may include besides itself.  This test fails on
#   - a row that names a room of a later row (so that the arrows are a DAG), and a folder that is in no row,
#   - an include against the arrows, one that is not written from the root of src or ui, and curses outside ui/term,
#   - a private header that is not called internal.h, and an internal.h that is included from another folder,
#   - a call of a function that builds an analysis (src/capture alone calls those) in ui, report, cli, live or findings,
#   - a static function whose name does not say what it does to what (HACKING, Style),
#   - a function of a header below "/* FILE.c", up to an empty line, that is not in that file of the folder,
#   - a folder of more than 25 files that HACKING gives no reason for ("large: ROOM, why").
# It first shows on a tree made here that it can fail.

here=$PWD
builders='opdb_build|steps_find|overview_make|overview_build|overview_from_toolfile|input_pipeline_make|input_pipeline_build|input_from_toolfile|memprof_build|pod_make|pod_build|framework_ops|kernels_make|memory_pick|memory_rank|triage_of_dump|ptxla_of_dump|tf_shown_make|tf_lines_make|roof_steps|step_cores_build|account_build|legacy_framework_ops'

# check TOP: prints "FILE:LINE: why" for each violation, nothing when all is well.
check() {
	sed -n '/^Rooms and arrows/,/^End of the arrows/p' "$1/HACKING" | sed -n 's/^    //p' >rows
	(cd "$1" && find src ui -name '*.[ch]' -type f | sort) >files
	(cd "$1" && xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]' /dev/null) <files >includes
	(cd "$1" && xargs grep -noE '^static [^=;(]*[ *](add|put|get|set|find|next|number|integer|value|count|content|take|drop|emit|tell|measure|choose|group|sample|unpack|report)\(' /dev/null) <files |
		sed 's/^\([^:]*:[0-9]*\):.*[ *]\([a-z]*\)(/\1: \2() does not say what it does to what/'
	(cd "$1" && grep -E '^(ui|src/(report|cli|live|analyze/findings))/.*\.c$' "$here/files" | xargs grep -noE "\\<($builders)\\(" /dev/null) |
		sed 's/\([^:]*:[0-9]*\):\(.*\)(/\1: \2() belongs to src\/capture: ask capture_get()/'
	(cd "$1" && $AWK '
		function name_of(line) { sub(/\(.*/, "", line); sub(/.*[ *]/, "", line); return line }
		FNR == 1 { section = ""; dir = FILENAME; sub(/[^\/]*$/, "", dir) }
		FILENAME ~ /\.c$/ { if (/^[a-z][^=;]*[ *][a-z0-9_]+\(/) defined[FILENAME, name_of($0)] = 1; next }
		match($0, /^\/\* [a-z0-9_]+\.c(, [a-z0-9_]+\.c)*/) { section = substr($0, 4, RLENGTH - 3) }
		!NF { section = "" }
		section && /^[a-z].*[ *][a-z0-9_]+\(/ && !/^static / {
			found = 0
			for (i = split(section, c, ", "); i > 0; i--)
				found += (dir c[i], name_of($0)) in defined
			if (!found)
				print FILENAME ":" FNR ": " name_of($0) "() is not in " section
		}' $(grep '\.c$' "$here/files") $(grep '\.h$' "$here/files"))
	$AWK '
		function dirname(path) { sub(/\/[^\/]*$/, "", path); return path }
		function room_of(file,    dir) {
			dir = dirname(file)
			sub(/^(src|ui)\/?/, "", dir)
			return dir == "" ? "main" : dir
		}
		FILENAME == "rows" && $1 == "large:" { sub(/,$/, "", $2); large[$2] = 1; next }
		FILENAME == "rows" && NF {
			for (i = 2; i <= NF; i++) {
				all = sub(/\/\*$/, "", $i)
				found = 0
				for (r in known)
					if (r == $i || (all && index(r, $i "/") == 1)) {
						may[$1, r] = 1
						found = 1
					}
				if (!found)
					print "HACKING: " $1 " may include " $i ", which is in no row before it"
			}
			known[$1] = may[$1, $1] = 1
			next
		}
		FILENAME == "files" {
			room = room_of($0)
			if (!(room in known) && !said[room]++)
				print $0 ": " room " is in no row of HACKING"
			if (++count[room] == 26 && !(room in large))
				print room ": more than 25 files, and HACKING gives no reason"
			if ($0 ~ /_(part|private|impl)\.h$/)
				print $0 ": a private header is called internal.h"
			next
		}
		FILENAME == "includes" {
			file = $0
			sub(/:.*/, "", file)
			line = substr($0, length(file) + 2)
			sub(/:.*/, "", line)
			name = $0
			sub(/^[^"<]*["<]/, "", name)
			quoted = substr($0, length($0) - length(name), 1) == "\""
			sub(/[">].*/, "", name)
			at = file ":" line ": "
			room = room_of(file)
			if (name ~ /(^|\/)n?curses/ || name ~ /^ncursesw\// || name ~ /^(term|panel|menu|form)\.h$/) {
				if (room != "term")
					print at "curses belongs to ui/term alone (" name ")"
				next
			}
			if (!quoted || name ~ /^(config|version)\.h$/ || name ~ /\.pb-c\.h$/)
				next
			if (name !~ /\//) {
				print at "write the include from the root of src or ui (" name ")"
				next
			}
			to = dirname(name)
			if (!((room, to) in may))
				print at room " must not know " to " (" name ")"
			else if (name ~ /\/internal\.h$/ && to != room)
				print at "internal.h is for its own folder (" name ")"
		}' rows files includes
}

mkdir -p bad/src/base bad/src/model bad/src/load/xspace bad/ui/widget bad/ui/term bad/ui/core bad/ui/view/ops bad/ui/view/pod
cat >bad/HACKING <<'END'
Rooms and arrows
    base
    model           base
    load/source     base
    load/xspace     load/* model base
    core            model base view/ops
    term            core
    widget          core
    view/ops        widget core
    view/pod        view/ops widget core
End of the arrows
END
echo '#include "model/trace.h"' >bad/src/base/a.c
echo '#include "load/load.h"' >bad/src/model/b.c
printf '#include "config.h"\n#include "base/err.h"\n#  include "core/canvas.h"\nstatic int *add(int v)\n' >bad/src/load/xspace/c.c
printf '#include "view/ops/ops.h"\n\tpod_make(d);\n\tmy_pod_make(d);\n' >bad/ui/widget/d.c
echo '#include <curses.h>' >bad/ui/core/e.c
printf '#include <curses.h>\n#include "core/term.h"\n#include "load.h"\n' >bad/ui/term/f.c
echo '#include "view/ops/internal.h"' >bad/ui/view/pod/g.c
echo '#include "view/ops/internal.h"' >bad/ui/view/ops/h.c
: >bad/ui/view/ops/ops_part.h
printf '/* a.c, b.c */\nint a_get(int);\nint a_put(int);\n' >bad/src/base/a.h
echo 'int a_get(int i)' >>bad/src/base/a.c
mkdir -p bad/ui/lost
: >bad/ui/lost/i.c
i=0
while [ $i -lt 26 ]; do
	i=$((i + 1))
	: >bad/src/model/m$i.c
done
cat >expected <<'END'
HACKING: core may include view/ops, which is in no row before it
model: more than 25 files, and HACKING gives no reason
src/base/a.c:1: base must not know model (model/trace.h)
src/base/a.h:3: a_put() is not in a.c, b.c
src/load/xspace/c.c:3: load/xspace must not know core (core/canvas.h)
src/load/xspace/c.c:4: add() does not say what it does to what
src/model/b.c:1: model must not know load (load/load.h)
ui/core/e.c:1: curses belongs to ui/term alone (curses.h)
ui/lost/i.c: lost is in no row of HACKING
ui/term/f.c:3: write the include from the root of src or ui (load.h)
ui/view/ops/ops_part.h: a private header is called internal.h
ui/view/pod/g.c:1: internal.h is for its own folder (view/ops/internal.h)
ui/widget/d.c:1: widget must not know view/ops (view/ops/ops.h)
ui/widget/d.c:2: pod_make() belongs to src/capture: ask capture_get()
END
check bad | sort >found
if ! diff expected found; then
	echo "the check itself does not work"
	exit 1
fi

check "$top_srcdir" >found
cat found
[ ! -s found ]
