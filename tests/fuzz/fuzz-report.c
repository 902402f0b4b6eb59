/* Fuzz target of the whole program without its screen: a file is opened, and every report that takes the options
 * is written.  The input is
 *
 *	NAME of the file, as a person would see it		x.xplane.pb
 *	OPTIONS of the reports, as on the command line		--format csv --core 1
 *	the bytes of the file
 *
 * with a newline behind each of the first two.  A text is triaged, too. */
#include "config.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memory/memory.h"
#include "cli/cli.h"
#include "../lib/mkreport.h"
#include "report/tool/triage.h"
#include "input.h"
#include "mutate.h"

#define MEMORY_LIMIT (256u << 20)
enum { WORDS_MAX = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 2;

/* Parses "tpuscope COMMAND... OPTIONS x"; false: the command does not take them. */
static bool take_options(struct options *o, const char *command, const char *tool, const char *options)
{
	static char line[1000], program[] = "tpuscope", path[] = "x";
	char *argv[WORDS_MAX + 5] = { program }, *rest = NULL;
	struct err err = { 0 };
	int argc = 1;

	snprintf(line, sizeof line, "%s %s %s", command, tool, options);
	for (char *word = strtok_r(line, " ", &rest); word && argc < WORDS_MAX;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[argc++] = path;
	optind = 0; /* from the start */
	if (options_parse(o, argc, argv, &err) || o->command >= CMD_HELP)
		return false;
	o->report.width = o->report.width ? o->report.width : 100;
	o->report.threads = 1;
	return true;
}

static void report_text(const char *name, const char *options, const uint8_t *bytes, size_t size, FILE *out)
{
	struct options o;
	struct triage t;
	struct err err = { 0 };

	if (!take_options(&o, "triage", "", options))
		return;
	triage_begin(&t);
	triage_file(&t, name);
	triage_text(&t, (const char *)bytes, size);
	triage_end(&t);
	report_triage(&t, &o.report, out, &err);
	triage_free(&t);
}

static void report_capture(const char *name, const char *options, const uint8_t *bytes, size_t size,
    FILE *out)
{
	const struct load_options load = { .threads = 1, .max_memory = MEMORY_LIMIT };
	struct err err = { 0 };
	struct dump *dump = load_memory(bytes, size, name, &load, &err);
	struct options o;

	if (!dump)
		return;
	memory_check_device(dump);
	for (const struct report_tool *t = report_tools; t->name; t++)
		if (take_options(&o, "report", t->name, options))
			report_dump(dump, t->name, &o.report, out, &err);
	dump_close(dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static FILE *null;
	const uint8_t *p = bytes, *end = bytes + size;
	char name[80], options[400];

	if (!null && !(null = fopen("/dev/null", "w")))
		abort();
	if (!take_line(&p, end, name, sizeof name) || !take_line(&p, end, options, sizeof options))
		return 0;
	report_capture(name, options, p, (size_t)(end - p), null);
	if (!memchr(p, 0, (size_t)(end - p)))
		report_text(name, options, p, (size_t)(end - p), null);
	return 0;
}
