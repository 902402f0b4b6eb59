#include "config.h"

#include "load/probe/foreign.h"

#include <ctype.h>
#include <string.h>

#include "base/text/slice.h"

#define TIME_DIGITS 15 /* ns since 1970 have more */

static const char hlo[] = "instructions of HLO without the module around them; "
			  "give the whole text, from HloModule on, or the folder of --xla_dump_to";
static const char mlir[] = "StableHLO or other MLIR, as it is before the compiler; "
			   "give what the compiler made of it: --xla_dump_to=DIR --xla_dump_hlo_as_text";
static const char hlo_profile[] =
    "a log of --xla_hlo_profile (cycles of each instruction), which is not read; "
    "capture a trace with the profiler in its place";
static const char llo[] =
    "a dump of LLO of a pass that is not read; give its folder, or *-final_bundles.txt of it";

static bool has_text(const char *s, size_t n, const char *text)
{
	return memmem(s, n, text, strlen(text));
}

static struct slice take_line(const char **s, const char *end)
{
	const char *nl = memchr(*s, '\n', (size_t)(end - *s));
	struct slice line = { *s, (size_t)((nl ? nl : end) - *s) };

	*s = nl ? nl + 1 : end;
	while (line.n && isspace((unsigned char)*line.s))
		line.s++, line.n--;
	while (line.n && isspace((unsigned char)line.s[line.n - 1]))
		line.n--;
	return line;
}

/* "%add.1 = f32[8]{0} add(...", "ROOT tuple = (f32[], " */
static bool is_instruction(struct slice t)
{
	size_t i = 0, letters = 0;

	slice_cut(&t, "ROOT ");
	slice_cut(&t, "%");
	while (i < t.n && (isalnum((unsigned char)t.s[i]) || memchr("_.-", t.s[i], 3)))
		i++;
	if (!i || t.n - i < 5 || memcmp(t.s + i, " = ", 3))
		return false;
	for (i += 3; i < t.n && t.s[i] == '('; i++)
		;
	while (i < t.n && isalnum((unsigned char)t.s[i]))
		i++, letters++;
	return letters > 1 && i < t.n && t.s[i] == '[' && memchr(t.s + i, '(', t.n - i);
}

/* Lines of which the first is an instruction, as are most of the others. */
static bool is_hlo(const char *s, size_t n)
{
	const char *end = s + n;
	size_t lines = 0, instructions = 0;

	while (s < end) {
		struct slice line = take_line(&s, end);

		lines += line.n > 1;
		instructions += is_instruction(line);
		if (lines && !instructions)
			return false;
	}
	return instructions && instructions * 2 >= lines;
}

static bool is_mlir(const char *s, size_t n)
{
	static const char *const beginnings[] = { "module @", "module {", "module attributes", "#loc",
		"func.func ", "\"builtin.module\"", "builtin.module", "// -----" };
	const char *at = s, *end = s + n;
	struct slice first = { s, 0 };

	if (n >= 4 && !memcmp(s, "ML\xefR", 4)) /* bytecode */
		return true;
	while (at < end && !first.n)
		first = take_line(&at, end);
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (slice_begins(first, beginnings[i]))
			return true;
	return slice_begins(first, "%") && (has_text(s, n, " = stablehlo.") || has_text(s, n, " = mhlo."));
}

bool foreign_is_llo(const char *name, const char **pass)
{
	static const char *const passes[] = { "final_bundles", "final_hlo-static-per-bundle-utilization",
		"static-per-bundle-utilization", "packed-bundles", "critical-path" };
	size_t digits = strspn(name, "0123456789");
	struct slice plain = slice_of(name);
	const char *number = NULL;

	*pass = name;
	if (!slice_ends(plain, ".txt") || slice_ends(plain, "-hlo.txt"))
		return false;
	for (const char *p = name; (p = strchr(p, '-')); p++) /* the last number between two dashes */
		if (strspn(p + 1, "0123456789") > 1 && p[1 + strspn(p + 1, "0123456789")] == '-')
			number = p + 2 + strspn(p + 1, "0123456789");
	*pass = number ? number : name;
	if (digits >= TIME_DIGITS && name[digits] == '-')
		return true;
	for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
		if (strstr(name, passes[i]))
			return true;
	return false;
}

const char *foreign_text(const char *name, const char *s, size_t n)
{
	struct slice text = { s, n };
	const char *pass;

	if (has_text(s, n, "Execution profile for ") && has_text(s, n, " cycles ("))
		return hlo_profile;
	if (slice_begins(text, "= control target key start") || slice_begins(text, "== CAPACTIY:") ||
	    slice_begins(text, "== CAPACITY:") || foreign_is_llo(name, &pass))
		return llo;
	if (is_mlir(s, n))
		return mlir;
	return is_hlo(s, n) ? hlo : NULL;
}
