#!/bin/sh
# The README's screen is what the program draws; the folders and what else HACKING names exist.
# UPDATE=1 redraws the screen.
readme=$top_srcdir/README
begin='^The screen$'
end='^This is the bundled capture'
failed=0

"$tpuscope" snapshot timeline --demo --size 100x21 --keys '/fusion.161<Enter><Esc>wwwwww' >frame || exit 1
sed 's/^/    /; s/ *$//' frame >picture
sed -n "/$begin/,/$end/p" "$readme" | sed '1,3d; $d' | sed '$d' >shown
if ! cmp -s shown picture; then
	if [ "${UPDATE:-}" = 1 ]; then
		{
			sed "/$begin/q" "$readme"
			sed -n "/$begin/{n;p;q;}" "$readme"
			echo
			cat picture
			echo
			sed -n "/$end/,\$p" "$readme"
		} >new && cat new >"$readme"
	else
		diff -u shown picture
		echo "If this is how it should be: UPDATE=1 make check TESTS=tests/readme.sh"
		failed=1
	fi
fi

# The pictures that it names are there, and the script that draws them still can.
for picture in $(grep -o 'data/pictures/[a-z_]*\.svg' "$readme" | sort -u); do
	test -s "$top_srcdir/$picture" || { echo "$picture is not there"; failed=1; }
	grep -q "^draw $(basename "$picture" .svg) " "$top_srcdir/data/pictures/pictures.sh" || { echo "pictures.sh does not draw $picture"; failed=1; }
done
mkdir -p pictures && cp "$top_srcdir/data/pictures/pictures.sh" pictures/ && pictures/pictures.sh "$tpuscope" >drawn || failed=1
for picture in pictures/*.svg; do
	grep -q '<text ' "$picture" && tail -c 8 "$picture" | grep -q '</svg>' || { echo "$picture is no picture"; failed=1; }
done

for dir in "$top_srcdir"/src/*/ "$top_srcdir"/ui/*/; do
	dir=${dir%/}
	grep -q "^ *${dir##*/}/ " "$top_srcdir/HACKING" || { echo "${dir#"$top_srcdir"/} is not in HACKING's picture of the folders"; failed=1; }
done

# Paths from the root, or as includes are written; the beginning of a name may stand for several files.
for path in $(grep -oE '(^|[^a-z0-9_/])(src|ui|data|man|tests|base|model|load|result|analyze|report|core|view|widget)/[a-z0-9_./-]*[a-z0-9_]' "$top_srcdir/HACKING" |
	sed 's/^[^a-z]//' | sort -u); do
	ls -d "$top_srcdir/$path"* "$top_srcdir/src/$path"* "$top_srcdir/ui/$path"* >found 2>/dev/null
	[ -s found ] || { echo "HACKING names $path, which is not there"; failed=1; }
done
for name in $(grep -oE '[a-z_]{5,}\(\)' "$top_srcdir/HACKING" | tr -d '()' | sort -u); do
	grep -rqw "$name" "$top_srcdir/src" "$top_srcdir/ui" || { echo "HACKING names $name(), which is not there"; failed=1; }
done
exit $failed
