#include "config.h"
#include "report/tool/triage.h"

#include <stdlib.h>
#include <string.h>

#include "capture/results.h"
#include "report/blocks.h"

/* in the order of report/tables.def */
static const size_t tables[] = {
	offsetof(struct triage, findings),
	offsetof(struct triage, errors),
	offsetof(struct triage, buffers),
	offsetof(struct triage, requirement),
	offsetof(struct triage, spaces),
	offsetof(struct triage, report),
	offsetof(struct triage, logs),
};
#define NTABLES (sizeof tables / sizeof *tables)

static const struct table *table_of(const struct triage *t, size_t i)
{
	return (const struct table *)(const void *)((const char *)t + tables[i]);
}

static void put_text(struct table *t, const char *s, const char *mark)
{
	if (*s)
		report_blocks_line(t, mark, s, strlen(s));
}

static const char *string(const struct table *t, size_t row, const char *id)
{
	const struct cell *c = table_get(t, row, id);

	return c->type == CELL_STR ? c->s : "";
}

static void put_findings(struct report *r, const struct triage *t)
{
	struct table lines;

	report_blocks_begin(&lines, BLOCKS_BARE);
	for (size_t i = 0; i < t->findings.nrows; i++) {
		const char *severity = string(&t->findings, i, "severity");
		const struct cell *error = table_get(&t->findings, i, "error");
		const char *name = string(&t->findings, i, "title");
		char *title = error->type == CELL_INT
		    ? xasprintf("%s (error %lld)", name, (long long)error->u.i)
		    : xstrdup(name);
		char *advice = xstrdup(string(&t->findings, i, "advice")), *rest = advice;

		report_blocks_head(&lines, cell_str(severity, strlen(severity)), table_text(&lines, title));
		put_text(&lines, string(&t->findings, i, "evidence"), "");
		while (rest && *rest) {
			char *next = strstr(rest, " | ");

			if (next)
				*next = 0;
			put_text(&lines, rest, "- ");
			rest = next ? next + 3 : NULL;
		}
		free(title);
		free(advice);
	}
	report_whole(r, "findings", &lines);
	table_free(&lines);
}

static struct dump *files_of(const struct triage *t)
{
	struct dump *d = dump_new();

	for (size_t i = 0; i < t->logs.nrows; i++) {
		char *path = xstrdup(string(&t->logs, i, "file"));
		const struct cell *bytes = table_get(&t->logs, i, "bytes");

		dump_add_file(d,
		    &(struct file){ .path = path,
			.kind = FILE_TEXT,
			.host = -1,
			.bytes = (uint64_t)bytes->u.i });
		free(path);
	}
	return d;
}

/* Prints a word, quoted for the shell; false: it has characters that must not reach a terminal. */
static bool put_word(FILE *f, const char *s)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+,:=@%-";

	for (const char *c = s; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~' || *c == '\'')
			return false;
	fprintf(f, strspn(s, plain) == strlen(s) ? " %s" : " '%s'", s);
	return true;
}

static void put_command(FILE *f, const char *dump, const char *module)
{
	fputs("\ntpuscope", f);
	if (put_word(f, dump)) {
		fputs(*module ? " --view memory --module" : " --view memory", f);
		if (*module)
			put_word(f, module);
	}
	fputc('\n', f);
}

/* Text: prints the commands that open the dumps of the programs that failed, each on one line for copying. */
static void put_commands(FILE *f, const struct triage *t)
{
	const struct table *x = &t->errors;

	for (int rank = 0; rank < TRIAGE_RANKS; rank++)
		for (size_t i = 0; i < x->nrows; i++)
			if (triage_rank(t, i) == rank && *string(x, i, "dump"))
				put_command(f, string(x, i, "dump"), string(x, i, "module"));
}

/* Whether the text was nothing that triage knows, which is not the same as a log without errors. */
static bool is_strange(const struct triage *t)
{
	for (size_t i = 0; i < t->logs.nrows; i++)
		if (table_get(&t->logs, i, "records")->u.i > 0)
			return false;
	return !t->errors.nrows && !t->findings.nrows && !t->buffers.nrows;
}

int report_triage(const struct triage *t, const struct report_options *o, FILE *f, struct err *err)
{
	struct dump *d;
	struct report *r;
	int bad;

	d = files_of(t);
	r = report_open(o, f, "triage", d);
	if (!o->screen)
		report_csv_table(r, o->table ? o->table : "findings");
	if (is_strange(t))
		report_warning(r, "nothing recognized: no log record, known error or list of buffers");
	report_facts(r, &t->summary);
	for (size_t i = 0; i < NTABLES; i++) {
		const struct table *x = table_of(t, i);

		if (o->format == REPORT_TEXT && x == &t->findings && x->nrows)
			put_findings(r, t);
		else if (o->format != REPORT_TEXT || x->nrows)
			report_whole(r, report_table_name("triage", i), x);
	}
	bad = report_end(r, err);
	if (!bad && o->format == REPORT_TEXT)
		put_commands(f, t);
	dump_close(d);
	return bad;
}

static int run(struct capture *c, const struct report_options *o, FILE *f, struct err *err)
{
	const struct triage *t = capture_get(c, RESULT_TRIAGE, NULL, err);

	return t && !report_triage(t, o, f, err) ? EXIT_OK : -1;
}

const struct report_tool report_triage_tool = { "triage", NULL, READS_TEXTS, run, 1u << RESULT_TRIAGE };
