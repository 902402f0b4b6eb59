#!/bin/sh
# A Debian package of the one static file, which depends on nothing; the same input gives the same bytes.
#   deb.sh BINARY NOTICES ARCH VERSION OUT COMPLETIONS    COMPLETIONS: the folder with tpuscope.bash and other
#                                                          files that a build makes, pages too
set -eu
[ $# = 6 ] || { sed -n 's/^#   //p' "$0" >&2 && exit 2; }
BINARY=$1 NOTICES=$2 ARCH=$3 VERSION=$4 OUT=$5 COMPLETIONS=$6
HERE=$(cd "$(dirname "$0")" && pwd) TOP=$(cd "$(dirname "$0")/../.." && pwd)
command -v dpkg-deb >/dev/null || { echo "deb: no dpkg-deb here (Debian: apt-get install dpkg)" >&2 && exit 1; }
case $ARCH in
x86_64) deb=amd64 ;;
aarch64) deb=arm64 ;;
*) echo "deb: $ARCH: not an architecture that is made" >&2 && exit 1 ;;
esac
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-1}"
umask 022
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
doc=$root/usr/share/doc/tpuscope
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$doc" "$root/usr/share/lintian/overrides"
install -m 755 "$BINARY" "$root/usr/bin/tpuscope"
for page in "$TOP"/man/tpuscope*.[157] "$COMPLETIONS"/tpuscope*.[157]; do
	[ -s "$page" ] || continue
	section=$root/usr/share/man/man${page##*.}
	mkdir -p "$section"
	gzip -9nc "$page" >"$section/${page##*/}.gz"
done
put() { # FILE FOLDER NAME
	[ ! -s "$1" ] || install -D -m 644 "$1" "$root/usr/share/$2/$3"
}
put "$COMPLETIONS/tpuscope.bash" bash-completion/completions tpuscope
put "$COMPLETIONS/_tpuscope" zsh/vendor-completions _tpuscope
put "$COMPLETIONS/tpuscope.fish" fish/vendor_completions.d tpuscope.fish
install -m 644 "$HERE/debian/copyright" "$doc/copyright"
gzip -9nc "$NOTICES" >"$doc/LIBRARIES.gz"
gzip -9nc "$HERE/CHANGELOG" >"$doc/NEWS.gz"
gzip -9nc "$HERE/debian/changelog" >"$doc/changelog.gz"
cat >"$root/usr/share/lintian/overrides/tpuscope" <<-'END'
	# One file that runs everywhere is what this package is; its libraries are in LIBRARIES.gz.
	tpuscope: embedded-library
	tpuscope: shared-library-lacks-prerequisites
	tpuscope: statically-linked-binary
END
size=$(du -k --apparent-size -s "$root/usr" | cut -f1)
{
	sed -n 's/^Source:/Package:/p' "$HERE/debian/control"
	printf 'Version: %s\nArchitecture: %s\nInstalled-Size: %s\n' "$VERSION" "$deb" "$size"
	sed -n '/^Maintainer:/p; /^Section:/p; /^Priority:/p; /^Homepage:/p; /^Description:/,$p' "$HERE/debian/control"
} >"$root/DEBIAN/control"
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$OUT/tpuscope_${VERSION}_$deb.deb"
