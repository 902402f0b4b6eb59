#!/bin/sh
# One file without needs: tpuscope, all libraries and musl, linked statically by `zig cc`.
#   portable.sh sources DIR             fetches the archives of sources.txt with apt-get (Debian 12)
#   portable.sh x86_64|aarch64 DIR OUT  OUT/tpuscope-ARCH, OUT/LICENSES-ARCH (notices of what is in it)
# What works on events is optimized for speed, the rest for size (small_rooms).  ZIG names the compiler (else `zig`, or what `pip install ziglang` brought to python3), JOBS how many run at once.  What is
# made of the libraries stays below OUT for the next time.  The same sources give the same bytes, wherever the folders are.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd) TOP=$(cd "$(dirname "$0")/../.." && pwd)
ZIG_VERSION=0.17.1 JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}

fail() {
	printf 'portable: %s\n' "$@" >&2
	exit 1
}

libraries() { # the rows of sources.txt
	grep -v '^#' "$HERE/sources.txt"
}

# Asks Debian for the archives, whatever sources this machine has, and without a change to them.
fetch() {
	mkdir -p "$1/lists/partial"
	cd "$1"
	echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main' >sources.list
	set -- -qq -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/lists"
	apt-get "$@" update
	libraries | while read -r name version license package file sum text; do
		echo "$sum  $file" | sha256sum -c --status 2>/dev/null || apt-get "$@" source --download-only "$package"
	done
	rm -rf lists sources.list
}

# Says everything that is missing, before anything is built.
check_needs() {
	missing=
	for tool in gcc make tic infocmp protoc-c pkg-config tclsh xz; do
		command -v $tool >/dev/null || missing="$missing $tool"
	done
	[ -z "$missing" ] || fail "missing here:$missing" "Debian: apt-get install gcc make ncurses-bin protobuf-c-compiler pkg-config tcl xz-utils"
	if [ -z "${ZIG:-}" ]; then
		ZIG=zig
		command -v zig >/dev/null || ZIG="python3 -m ziglang"
	fi
	[ "$($ZIG version 2>/dev/null)" = $ZIG_VERSION ] ||
		fail "no zig $ZIG_VERSION here ($ZIG): pip install ziglang==$ZIG_VERSION, or ZIG=/path/of/zig"
	missing=
	for file in $(libraries | cut -d' ' -f5); do
		[ -f "$SOURCES/$file" ] || missing="$missing $file"
	done
	[ -z "$missing" ] || fail "missing in $SOURCES:$missing" "with a network: $0 sources $SOURCES"
	libraries | while read -r name version license package file sum text; do
		echo "$sum  $SOURCES/$file" | sha256sum -c --status || fail "$SOURCES/$file is not the file of sources.txt"
	done
}

# unpack NAME: D is then the folder with the sources of NAME, V its version; its notice goes to those of all.
unpack() {
	set -- $(libraries | grep "^$1 ")
	D=$S/$1 V=$2
	mkdir "$D" && tar -xf "$SOURCES/$5" -C "$D" --strip-components=1
	notice "$1 $2" "$D/$7"
}

notice() { # TITLE FILE
	printf '==== %s ====\n\n' "$1" >>"$W/LICENSES"
	cat "$2" >>"$W/LICENSES"
	echo >>"$W/LICENSES"
}

# archive LIB MODULE FLAGS FLAGS-OF-USERS FILE...: compiles the files into libLIB.a, with a .pc file.
archive() {
	lib=$1 module=$2 flags=$3 use=$4
	shift 4
	mkdir "$W/$lib"
	printf '%s\n' "$@" | xargs -P "$JOBS" -I{} sh -c \
		'"$1" $2 -w -c "$3" -o "$4/$(basename "$3" .c).o"' - "$CC" "$CFLAGS $flags" {} "$W/$lib"
	(cd "$W/$lib" && "$AR" rcsD "$P/lib/lib$lib.a" ./*.o)
	printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib -l%s\nCflags: -I%s/include %s\n' \
		"$module" "$module" "$V" "$P" "$lib" "$P" "$use" >"$P/lib/pkgconfig/$module.pc"
}

small_libraries() {
	unpack zlib
	cp "$D/zlib.h" "$D/zconf.h" "$P/include"
	archive z zlib "-DHAVE_UNISTD_H -DHAVE_STDARG_H" "" "$D"/adler32.c "$D"/crc32.c "$D"/inf*.c "$D"/zutil.c "$D"/deflate.c "$D"/trees.c
	unpack protobuf-c
	cp -r "$D/protobuf-c" "$P/include"
	archive protobuf-c libprotobuf-c "-I$D" "" "$D/protobuf-c/protobuf-c.c"
	unpack brotli
	cp -r "$D/c/include/brotli" "$P/include"
	archive brotlidec libbrotlidec "-I$D/c/include" "" "$D"/c/common/*.c "$D"/c/dec/*.c
	unpack zstd
	cp "$D"/lib/*.h "$P/include"
	archive zstd libzstd "-DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0 -DXXH_NAMESPACE=ZSTD_" "" \
		"$D"/lib/common/*.c "$D"/lib/compress/*.c "$D"/lib/decompress/*.c
	unpack nghttp2
	cp -r "$D/lib/includes/nghttp2" "$P/include"
	sed "s/@PACKAGE_VERSION@/$V/; s/@PACKAGE_VERSION_NUM@/0/" "$D/lib/includes/nghttp2/nghttp2ver.h.in" >"$P/include/nghttp2/nghttp2ver.h"
	archive nghttp2 libnghttp2 "-Os -I$P/include -DNGHTTP2_STATICLIB -DHAVE_ARPA_INET_H -DHAVE_NETINET_IN_H" -DNGHTTP2_STATICLIB "$D"/lib/*.c
	unpack pcre2
	cp "$D/src/pcre2.h.generic" "$P/include/pcre2.h"
	cp "$D/src/config.h.generic" "$D/src/config.h"
	cp "$D/src/pcre2_chartables.c.dist" "$D/src/pcre2_chartables.c"
	archive pcre2-8 libpcre2-8 "-Os -I$P/include -I$D/src -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DPCRE2_STATIC \
		-DSUPPORT_PCRE2_8 -DSUPPORT_UNICODE -DSUPPORT_JIT" -DPCRE2_STATIC \
		$(ls "$D"/src/pcre2_*.c | grep -vE 'dftables|fuzzsupport|jit_match|jit_misc|jit_test|printint|ucptables')
}

# SQLite's one large file is made by its own scripts, with the compiler of this machine.
sqlite() {
	unpack sqlite
	mkdir "$W/sqlite"
	(cd "$W/sqlite" && CC=${BUILD_CC:-gcc} CFLAGS=-O1 "$D/configure" -q --disable-tcl --disable-readline && make -s sqlite3.c) >"$W/sqlite.log" 2>&1 ||
		fail "SQLite: see $W/sqlite.log"
	cp "$W/sqlite/sqlite3.h" "$P/include"
	archive sqlite3 sqlite3 "-Os -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_DEPRECATED \
		-DSQLITE_DQS=3 -DSQLITE_MAX_VARIABLE_NUMBER=250000" "" "$W/sqlite/sqlite3.c"
}

# Terminals are compiled in, for machines without a terminfo; where there is one, it goes first.
ncurses() {
	unpack ncurses
	mkdir "$W/ncurses"
	(cd "$W/ncurses" && CFLAGS="$CFLAGS -Os" "$D/configure" -q --host=$ARCH-linux-musl --build="$(uname -m)-linux-gnu" --with-build-cc="${BUILD_CC:-gcc}" \
		--prefix="$P" --with-pkg-config-libdir="$P/lib/pkgconfig" --enable-pc-files --enable-widec --disable-stripping --disable-db-install \
		--without-ada --without-cxx --without-cxx-binding --without-manpages --without-progs --without-tests --without-debug --without-dlsym \
		--with-default-terminfo-dir=/usr/share/terminfo --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
		--with-fallbacks=xterm-256color,xterm,tmux-256color,tmux,screen-256color,screen,linux,vt220,vt100,alacritty,foot,kitty,rxvt-unicode-256color &&
		make -s libs -j"$JOBS" && make -s install.libs install.includes) >"$W/ncurses.log" 2>&1 || fail "ncurses: see $W/ncurses.log"
}

make_libraries() {
	mark=$({ sed '/^make_program/,$d' "$0" && cat "$HERE/sources.txt" && echo "$CFLAGS"; } | sha256sum)
	[ "$(cat "$W/made" 2>/dev/null)" != "$mark" ] || return 0
	rm -rf "$W"
	mkdir -p "$W/bin" "$S" "$P/lib/pkgconfig" "$P/include"
	for tool in cc ar ranlib; do
		target=
		[ $tool != cc ] || target="-target $ARCH-linux-musl -mcpu=baseline"
		printf '#!/bin/sh\nexec %s %s %s "$@"\n' "$ZIG" $tool "$target" >"$W/bin/$tool"
		chmod +x "$W/bin/$tool"
	done
	zig_lib=$($ZIG env | sed -n 's/.*lib_dir = "\(.*\)".*/\1/p')
	small_libraries
	sqlite
	ncurses
	notice "musl" "$zig_lib/libc/musl/COPYRIGHT"
	notice "compiler-rt of zig $ZIG_VERSION" "$zig_lib/../LICENSE"
	rm -rf "$S" "$W/sqlite"
	echo "$mark" >"$W/made"
}

# The objects of rooms that see rows, not events.
small_rooms() {
	(cd "$TOP/src" && ls cli/*.c fetch/*.c live/*.c remote/*.c report/*.c report/*/*.c result/*.c sql/*.c analyze/diff/*.c analyze/findings/*.c \
		analyze/graph/*.c analyze/llo/*.c analyze/ptxla/*.c | sed '/_none.c$\|\/none.c$/d; s,\(.*\)c$,src/\1o,')
}

make_program() {
	mkdir -p "$W/build" && cd "$W/build"
	[ -x "$TOP/configure" ] || (cd "$TOP" && autoreconf -fi)
	[ -f Makefile ] || "$TOP/configure" -q --host=$ARCH-linux-musl --build="$(uname -m)-linux-gnu" --with-zstd --with-brotli --with-nghttp2 --with-sqlite \
		PKG_CONFIG=pkg-config PKG_CONFIG_LIBDIR="$P/lib/pkgconfig" CPPFLAGS="-I$P/include -DTPUSCOPE_STATIC" CFLAGS="$CFLAGS" LDFLAGS="-static -s -Wl,--gc-sections"
	make -s -j"$JOBS" ui/libui.a $(small_rooms) CFLAGS="$CFLAGS -Os"
	make -s -j"$JOBS" tpuscope
	cp tpuscope "$OUT/tpuscope-$ARCH"
	cp "$W/LICENSES" "$OUT/LICENSES-$ARCH"
	cd "$OUT" && ls -l "tpuscope-$ARCH"
}

case ${1:-} in
sources) fetch "$2" && exit ;;
x86_64 | aarch64) ARCH=$1 SOURCES=$2 OUT=$3 ;;
*) sed -n 's/^#   //p' "$0" >&2 && exit 2 ;;
esac
check_needs
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd) SOURCES=$(cd "$SOURCES" && pwd)
W=$OUT/work-$ARCH P=$OUT/work-$ARCH/prefix S=$OUT/work-$ARCH/src
: "${SOURCE_DATE_EPOCH:=$(git -C "$TOP" log -1 --format=%ct 2>/dev/null || echo 1)}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
export ZIG_GLOBAL_CACHE_DIR="${ZIG_CACHE:-$OUT/zig-cache}" ZIG_LOCAL_CACHE_DIR="${ZIG_CACHE:-$OUT/zig-cache}"
PATH=$W/bin:$PATH CC=$W/bin/cc AR=$W/bin/ar RANLIB=$W/bin/ranlib
CFLAGS="-O2 -fPIE -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-sanitize=undefined -ffunction-sections -fdata-sections -fstack-protector-strong"
CFLAGS="$CFLAGS -ffile-prefix-map=$S=/deps -ffile-prefix-map=$W=/work -ffile-prefix-map=$TOP=/tpuscope -ffile-prefix-map=../..=/tpuscope"
export PATH CC AR RANLIB
make_libraries
make_program
