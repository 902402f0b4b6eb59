# What is shipped: the recipe of the static file says what is missing, the wheel and the Debian package are the same bytes twice and bring the program.
# The wheel and the package are tried with the program of this build.  PORTABLE=FILE tries that static file in a root with nothing else.
. "$srcdir/tests/cli/lib.sh"
release=$srcdir/data/release
failed=0
skipped=
bad() {
	echo "$1"
	failed=1
}
version=$("$tpuscope" --version | sed -n '1s/^tpuscope \([^ ]*\).*/\1/p')
echo 'Notices of libraries.' >notices
export SOURCE_DATE_EPOCH=1700000000

# --- the recipe, without what it needs
printf '#!/bin/sh\n[ $1 = version ] && echo %s\n' "$(sed -n 's/^ZIG_VERSION=\([^ ]*\).*/\1/p' "$release/portable.sh")" >zig
printf '#!/bin/sh\necho 0.9.0\n' >old-zig
chmod +x zig old-zig
recipe() { # STATUS WHAT SETTING..., to be said in `out`
	want=$1 what=$2
	shift 2
	env "$@" sh "$release/portable.sh" x86_64 sources made >out 2>&1
	got=$?
	[ $got = "$want" ] && grep -qF -- "$what" out || { bad "the recipe with $*: status $got, not: $what"; cat out; }
}
mkdir -p sources bin
if command -v tic >/dev/null && command -v tclsh >/dev/null && command -v protoc-c >/dev/null; then
	recipe 1 'pip install ziglang==' ZIG=/not/here
	recipe 1 'pip install ziglang==' ZIG="$PWD/old-zig"
	recipe 1 "missing in sources: zlib_" ZIG="$PWD/zig"
	grep -q 'with a network: .*portable.sh sources sources' out || bad "the recipe does not say how to get the archives"
	for file in $(grep -v '^#' "$release/sources.txt" | cut -d' ' -f5); do
		echo other >"sources/$file"
	done
	recipe 1 'is not the file of sources.txt' ZIG="$PWD/zig"
	[ -d made ] && bad "the recipe began without all that it needs"
fi
for tool in cat cut dirname getconf grep sed sha256sum; do
	ln -s "$(command -v $tool)" bin/
done
env PATH="$PWD/bin" /bin/sh "$release/portable.sh" x86_64 sources made >out 2>&1
grep -q '^portable: missing here: gcc make tic ' out && grep -q 'apt-get install gcc make ncurses-bin' out || bad "without tools: $(cat out)"
grep -v '^#' "$release/sources.txt" | while read -r name v spdx package file sum text; do
	[ "${#sum}" = 64 ] && [ -n "$text" ] || echo "sources.txt: $name: a column is missing"
done >out
[ -s out ] && bad "$(cat out)"

# --- the wheel
pages=$(ls "$srcdir"/man/tpuscope*.[157] "$top_builddir"/man/tpuscope*.[157] 2>/dev/null | wc -l)
wheel=tpuscope-$version-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl
if command -v python3 >/dev/null; then
	for out in one two; do
		mkdir $out
		python3 "$release/wheel.py" "$tpuscope" notices x86_64 "$version" $out "$top_builddir/man" >/dev/null || bad "no wheel"
		touch notices
	done
	cmp "one/$wheel" "two/$wheel" || bad "two wheels of the same file differ"
	python3 - "one/$wheel" one/tpuscope-x86_64.cdx.json "$release/sources.txt" "$pages" <<'P' || bad "the wheel is not as it should be"
import base64, csv, hashlib, io, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
names = z.namelist()
record = next(n for n in names if n.endswith('/RECORD'))
rows = list(csv.reader(io.StringIO(z.read(record).decode())))
assert [r[0] for r in rows] == names, 'RECORD'
for name, digest, size in rows[:-1]:
    data = z.read(name)
    assert digest == 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode() and int(size) == len(data), name
assert not [n for n in names if n.endswith('.py')] and len([n for n in names if '/share/man/' in n]) == int(sys.argv[4])
program = next(i for i in z.infolist() if i.filename.endswith('scripts/tpuscope'))
assert program.external_attr >> 16 & 0o111 == 0o111
bill = json.load(open(sys.argv[2]))
listed = {c['name']: c for c in bill['components']}
for line in open(sys.argv[3]):
    if not line.startswith('#'):
        name, version, spdx, _, _, digest, _ = line.split()
        c = listed[name]
        assert c['version'] == version and c['licenses'][0]['license']['id'] == spdx and c['hashes'][0]['content'] == digest, name
        assert spdx in z.read(record.replace('RECORD', 'METADATA')).decode(), spdx
assert 'musl' in listed and bill['metadata']['component']['hashes'][0]['content'] == hashlib.sha256(z.read(program)).hexdigest()
P
	if [ "$(uname -m)" = x86_64 ] && python3 -m venv fresh >/dev/null 2>&1; then
		fresh/bin/pip -q --disable-pip-version-check install --no-index --no-deps "one/$wheel" || bad "pip refuses the wheel"
		(unset PYTHONPATH; fresh/bin/tpuscope report findings --demo >from-wheel) || bad "the program of the wheel"
		"$tpuscope" report findings --demo | cmp - from-wheel || bad "the wheel's program says something else"
		[ -f fresh/share/man/man1/tpuscope.1 ] || bad "no manual page beside bin"
		fresh/bin/pip -q --disable-pip-version-check uninstall -y tpuscope && [ ! -e fresh/bin/tpuscope ] || bad "uninstalling"
	else
		skipped="$skipped pip"
	fi
else
	skipped="$skipped wheel"
fi

# --- the Debian package
if command -v dpkg-deb >/dev/null; then
	for out in three four; do
		mkdir $out
		sh "$release/deb.sh" "$tpuscope" notices x86_64 "$version" $out "$top_builddir/man" >/dev/null || bad "no package"
	done
	cmp three/*.deb four/*.deb || bad "two packages of the same file differ"
	dpkg-deb --field three/*.deb >fields
	grep -q '^Package: tpuscope$' fields && grep -q '^Architecture: amd64$' fields && grep -q '^Description: .' fields || bad "$(cat fields)"
	grep -q '^Depends' fields && bad "the static package depends on something"
	dpkg-deb --extract three/*.deb root
	cmp root/usr/bin/tpuscope "$tpuscope" || bad "the program of the package"
	[ "$(find root/usr/share/man -type f | wc -l)" = "$pages" ] || bad "not all pages in the package"
	zcat root/usr/share/man/man1/tpuscope.1.gz | cmp - "$srcdir/man/tpuscope.1" || bad "the page of the package"
	for file in copyright LIBRARIES.gz NEWS.gz changelog.gz; do
		[ -s "root/usr/share/doc/tpuscope/$file" ] || bad "no $file in the package"
	done
	sh "$release/deb.sh" "$tpuscope" notices pdp11 "$version" three man >/dev/null 2>out && bad "a package for any processor"
	grep -q 'pdp11: not an architecture' out || bad "$(cat out)"
else
	skipped="$skipped deb"
fi
grep -q "^$version$" "$release/CHANGELOG" || bad "CHANGELOG has no section $version"
grep -q "^tpuscope ($version-" "$release/debian/changelog" || bad "debian/changelog has no entry $version"

# --- the static file, with nothing else
if [ -n "${PORTABLE:-}" ] && [ "$(id -u)" = 0 ]; then
	mkdir empty
	chroot=$(PATH=$PATH:/usr/sbin command -v chroot)
	cp "$PORTABLE" empty/tpuscope
	alone() {
		env -i TERM=xterm-kitty "$chroot" empty /tpuscope "$@"
	}
	readelf -dlW "$PORTABLE" | grep -qE 'NEEDED|INTERP' && bad "it needs other files"
	readelf -hW "$PORTABLE" | grep -q 'Type: *DYN' || bad "it is not position independent"
	alone --version | grep -q 'static musl' || bad "--version in an empty root"
	for what in 'report findings --demo' 'report hlo_stats --demo' 'snapshot timeline --demo' "query 'select*from(events)limit(3)' --demo"; do
		alone $(echo "$what" | tr -d "'") >got 2>&1 || { [ $? = 1 ] || bad "$what: $(head -c 300 got)"; }
		LC_ALL=C.UTF-8 "$tpuscope" $(echo "$what" | tr -d "'") 2>&1 | cmp - got || bad "$what: not what the program of this build says"
	done
	alone doctor >got
	grep -q 'xterm-kitty is not known to this machine; driven as xterm-256color' got || bad "$(cat got)"
	for term in xterm-256color tmux-256color screen xterm-kitty; do
		"$top_builddir/tests/lib/ptyrun" -t $term -s 100x30 -w EVIDENCE -k Q env -i TERM=$term "$chroot" empty /tpuscope --demo >got 2>&1 || bad "the viewer under $term: $(cat got)"
	done
else
	skipped="$skipped PORTABLE"
fi
[ $failed = 0 ] || exit 1
[ -z "$skipped" ] || echo "left out here:$skipped"
