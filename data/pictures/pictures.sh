#!/bin/sh
# Draws the pictures of the README anew: frames of the bundled capture, as the program draws them, as SVG.
#     data/pictures/pictures.sh build/tpuscope
LC_ALL=C.UTF-8
export LC_ALL
tpuscope=$(realpath "${1:?which tpuscope}")
cd "$(dirname "$0")" || exit 1

# Each run of one color is a text of its own, stretched to its columns, so that any font keeps the grid.
svg() {
	LC_ALL=C awk '
	BEGIN {
		W = 8.4; H = 17; FG = "#d4d4d4"; BG = "#1c1c1c"
		split("#000000 #d75f5f #87af5f #d7af5f #5f87d7 #af87d7 #5fafaf #c6c6c6 #808080 #ff8787 #afd787 #ffd787 #87afff #d7afff #87d7d7 #ffffff", base, " ")
		fg = FG; bg = BG
	}
	function color(n,    v) {
		if (n < 16)
			return base[n + 1]
		if (n >= 232) {
			v = 8 + 10 * (n - 232)
			return sprintf("#%02x%02x%02x", v, v, v)
		}
		n -= 16
		return sprintf("#%02x%02x%02x", level(int(n / 36)), level(int(n / 6) % 6), level(n % 6))
	}
	function level(i) { return i ? 55 + 40 * i : 0 }
	function style(codes,    n, v, i) {
		n = split(codes, v, ";")
		if (!n)
			n = split("0", v, ";")
		for (i = 1; i <= n; i++) {
			if (v[i] == 0) { fg = FG; bg = BG; bold = reverse = under = 0 }
			else if (v[i] == 1) bold = 1
			else if (v[i] == 4) under = 1
			else if (v[i] == 7) reverse = 1
			else if (v[i] >= 30 && v[i] <= 37) fg = color(v[i] - 30)
			else if (v[i] >= 90 && v[i] <= 97) fg = color(v[i] - 82)
			else if (v[i] >= 40 && v[i] <= 47) bg = color(v[i] - 40)
			else if (v[i] == 38 && v[i + 1] == 5) { fg = color(v[i + 2]); i += 2 }
			else if (v[i] == 48 && v[i + 1] == 5) { bg = color(v[i + 2]); i += 2 }
		}
	}
	function put(s,    cols, t, f, b) {
		t = s
		gsub(/[\200-\277]/, "", t)
		cols = length(t)
		if (!cols)
			return
		f = reverse ? bg : fg
		b = reverse ? fg : bg
		if (b != BG)
			out = out sprintf("<path fill=\"%s\" d=\"M%.1f %dh%.1fv%dh-%.1fz\"/>", b, x * W, y * H, cols * W, H, cols * W)
		if (s ~ /[^ ]/) {
			t = s
			sub(/^ +/, "", t)
			x += length(s) - length(t)
			cols -= length(s) - length(t)
			s = t
			sub(/ +$/, "", t)
			rest = length(s) - length(t)
			gsub(/&/, "\\&amp;", t)
			gsub(/</, "\\&lt;", t)
			out = out sprintf("<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\"%s%s>%s</text>", x * W, y * H + 13,
				(cols - rest) * W, f == FG ? "" : " fill=\"" f "\"", bold ? " class=\"b\"" : "", t)
		}
		x += cols
	}
	{
		line = $0
		x = 0
		while (match(line, /\033\[[0-9;]*m/)) {
			put(substr(line, 1, RSTART - 1))
			style(substr(line, RSTART + 2, RLENGTH - 3))
			line = substr(line, RSTART + RLENGTH)
		}
		put(line)
		most = x > most ? x : most
		out = out "\n"
		y++
	}
	END {
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %d %d\" fill=\"%s\">", most * W + 1, y * H, FG
		printf "<style>text{font:14px DejaVu Sans Mono,Menlo,Consolas,monospace}.b{font-weight:bold}</style>"
		printf "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n%s</svg>\n", BG, out
	}'
}

draw() { # VIEW KEYS
	"$tpuscope" snapshot "$1" --demo --size 120x36 --theme dark256 --color 256 --glyphs blocks --keys "$2" >"$1.tmp" &&
		svg <"$1.tmp" >"$1.svg"
	rm -f "$1.tmp"
}
draw findings ''
draw overview 'w'
draw timeline '/fusion.161<Enter><Esc>wwwwww'
draw memory ''
ls -l ./*.svg
