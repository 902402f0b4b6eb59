# What texts tell the user to type exists: commands, reports, options and commands of `:` in data/*.tsv, README, HACKING, the manual pages, --help
# and the messages of the program.  Examples of the pages are run as far as possible without their files.
. "$srcdir/tests/cli/lib.sh"
failed=0
bad() {
	echo "$1"
	failed=1
}
"$tpuscope" --help >help || exit 1
sed -n 's/^  tpuscope \([a-z-]*\) .*/\1/p' help >commands
sed -n '/^TOOL/,/^$/s/^  \([a-z_]\{1,\}\) .*/\1/p' help >tools
grep -oE -- '--[a-z][a-z-]*' help | sort -u >options
sed -n 's/^\(COMMAND\|ACTION\)([A-Z_0-9]*, *"\([a-z0-9-]*\)".*/\2/p' "$srcdir/ui/core/input/commands.def" "$srcdir/ui/core/input/actions.def" >typed
for list in commands tools options typed; do
	test "$(wc -l <$list)" -gt 3 || bad "no $list to compare with"
done
# of configure; the README names those that do not leave a library out
grep -oE -- '\[--(en|dis)able-[a-z]+' "$srcdir/configure.ac" | tr -d '[' >configured
test "$(wc -l <configured)" -gt 3 || bad "no options of configure to compare with"
while read -r option; do
	grep -q -- "$option" "$srcdir/README" || bad "README does not name configure's $option"
done <configured
cat configured >>options
echo --prefix >>options # that every configure has
# other spellings that the program takes
sed -n 's/^	{ "\([a-z-]*\)", OPT_.*/--\1/p' "$srcdir/src/cli/options.c" >>options
# words of prose that follow "tpuscope" and "report"; options of gcloud, aws, gcsfuse, docker, SLURM, zstd
printf '%s\n' digests does has is may on opens prints printed shows was >>commands
printf '%s\n' in it of snapshot the >>tools
printf '%s\n' --command --implicit-dirs --list --long --ntasks-per-node --only-show-errors --pid --privileged --recursive --tunnel-through-iap --update-adc --worker --zone >>options

# All texts, as FILE:LINE:TEXT; of sources only the string literals.
{
	(cd "$srcdir" && grep -n . data/*.tsv && find src ui -name '*.[ch]' -o -name '*.def' | xargs grep -noE '"(\\.|[^"\\])*"')
	grep -Hn . help
	for page in README HACKING man/tpuscope.1 man/tpuscope.5 man/tpuscope.7; do
		sed 's/\\f[BIRP]//g; s/\\-/-/g; s/^\.[BIR]\{1,2\} //' "$srcdir/$page" | grep -n . | sed "s#^#$page:#"
	done
} >texts
test "$(wc -l <texts)" -gt 3000 || bad "too few texts"
awk -v quote='"' '
	FILENAME != "texts" { known[FILENAME, $0] = 1; next }
	{
		match($0, /^[^:]*:[0-9]*:/)
		at = substr($0, 1, RLENGTH)
		text = " " substr($0, RLENGTH + 1)
		look(text, "[^a-z./_-]tpuscope [a-z][a-z-]*", "commands")
		prose = at ~ /^(README|HACKING|man)/
		look(text, prose ? "[^a-z]tpuscope report [a-z_]+" : "[^a-z_-]report [a-z_]+", "tools")
		look(text, "[^-a-zA-Z]--[a-z][a-z_-]*[a-z]", "options")
		if (at !~ /^src\/remote/) # where ":path" is a header of HTTP/2
			look(text, "[ (" quote "]:[a-z][a-z-]+", "typed")
	}
	function look(s, pattern, list,    word) {
		for (; match(s, pattern); s = substr(s, RSTART + RLENGTH - 1)) {
			word = substr(s, RSTART + 1, RLENGTH - 1)
			sub(/^(tpuscope )?report |^tpuscope |^:/, "", word)
			n[list]++
			if (word ~ /^--xla_/ || (list == "typed" && word ~ /^(asc|desc)$/))
				continue
			if (list == "options")
				gsub(/_/, "-", word) # as capture_tpu_profile spelled them
			if (!((list, word) in known))
				print at " " word " is none of the " list
		}
	}
	END {
		for (list in n)
			if (n[list] < 5)
				print "only " n[list] " mentions of " list
	}' commands tools options typed texts >told
test -s told && bad "$(cat told)"

# Examples: status 2 would be wrong usage, unless only the capture is missing.
sed -n '/^\.SH EXAMPLES/,/^\.SH COMMANDS/s/\\-/-/g; /^\.SH EXAMPLES/,/^\.SH COMMANDS/s/^  .*\(tpuscope [a-z].*\)/\1/p' "$srcdir/man/tpuscope.1" >examples
sed -n 's/.*`\(tpuscope [a-z][^`]*\)`.*/\1/p' "$srcdir/README" >>examples
test "$(wc -l <examples)" -gt 5 || bad "too few examples"
while read -r line; do
	eval "\"\$tpuscope\" ${line#tpuscope }" >out 2>err </dev/null
	test $? != 2 || grep -qE ': no (capture|text) given[;,]' err || bad "$line: $(cat err)"
done <examples
exit $failed
