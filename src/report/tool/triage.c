#include "config.h"
#include "report/tool/triage.h"

#include <stdlib.h>
#include <string.h>

#include "report/parts.h"

#define MIB 1048576.0

static const struct {
	const char *name;
	size_t at;
	const char *shown;
} tables[] = {
#define TABLE(name, shown) \
	{ \
#name, offsetof(struct triage, name), shown \
	}
	TABLE(findings, NULL),
	TABLE(errors, "index file line count severity kind space needed_bytes limit_bytes module truncated"),
	TABLE(buffers, "error list rank size_bytes unpadded_bytes expansion shape op_name"),
	TABLE(requirement, "error name size_bytes unpadded_bytes fragmentation_percent fragmentation_bytes"),
	TABLE(spaces, "error label color total_bytes sections"),
	TABLE(report, "error label section rank size_bytes offset values shapes"),
	TABLE(logs, "file host format records warning error fatal first_time last_time"),
#undef TABLE
};
#define NTABLES (sizeof tables / sizeof *tables)

static const struct table *table_of(const struct triage *t, size_t i)
{
	return (const struct table *)(const void *)((const char *)t + tables[i].at);
}

/* The columns of a table that people look at first; the cells stay its own. */
static void put_columns(struct report *r, const struct table *t, const char *name, const char *ids)
{
	struct column columns[16];
	struct table shown;
	size_t from[16], n = 0;

	for (const char *s = ids; *s && n < 16; s += strspn(s, " ")) {
		char id[40] = "";
		int at;

		memcpy(id, s, strcspn(s, " "));
		s += strcspn(s, " ");
		if ((at = table_column(t, id)) < 0)
			continue;
		columns[n] = t->columns[at];
		if (!strcmp(columns[n].unit, "B"))
			columns[n].unit = "MiB", columns[n].type = COL_NUMBER;
		from[n++] = (size_t)at;
	}
	table_init(&shown, columns, n);
	for (size_t i = 0; i < t->nrows; i++) {
		struct cell *c = table_row(&shown);

		for (size_t k = 0; k < n; k++) {
			c[k] = t->cells[i * t->ncolumns + from[k]];
			if (columns[k].type == COL_NUMBER && c[k].type == CELL_INT)
				c[k] = cell_num((double)c[k].u.i / MIB);
		}
	}
	report_whole(r, name, &shown);
	table_free(&shown);
}

static void put_text(struct table *t, const char *s, const char *mark)
{
	char *line = xasprintf("%s%s", mark, s);
	struct cell *c;

	if (*s) {
		c = table_row(t);
		c[0] = cell_str("", 0);
		c[1] = cell_str(table_copy(t, line, strlen(line)), strlen(line));
	}
	free(line);
}

static const char *string(const struct table *t, size_t row, const char *id)
{
	const struct cell *c = &t->cells[row * t->ncolumns + (size_t)table_column(t, id)];

	return c->type == CELL_STR ? c->s : "";
}

static void put_findings(struct report *r, const struct triage *t)
{
	static const struct column columns[] = { { "severity", "", "", COL_STRING },
		{ "text", "finding", "", COL_STRING } };
	struct table lines;

	table_init(&lines, columns, 2);
	for (size_t i = 0; i < t->findings.nrows; i++) {
		const char *severity = string(&t->findings, i, "severity");
		const struct cell *error =
		    &t->findings
			 .cells[i * t->findings.ncolumns + (size_t)table_column(&t->findings, "error")];
		char *title = xasprintf("%s (error %lld)", string(&t->findings, i, "title"),
		    error->type == CELL_INT ? (long long)error->u.i : 0LL);
		char *advice = xstrdup(string(&t->findings, i, "advice")), *rest = advice;
		struct cell *c = table_row(&lines);

		c[0] = cell_str(severity, strlen(severity));
		c[1] = cell_str(table_copy(&lines, title, strlen(title)), strlen(title));
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

		const struct cell *bytes =
		    &t->logs.cells[i * t->logs.ncolumns + (size_t)table_column(&t->logs, "bytes")];

		dump_add_file(d,
		    &(struct file){ .path = path,
			.kind = FILE_TEXT,
			.host = -1,
			.bytes = (uint64_t)bytes->u.i });
		free(path);
	}
	return d;
}

const char *report_triage_table(size_t i)
{
	return i < NTABLES ? tables[i].name : NULL;
}

void report_triage_tables(struct report *r, const struct triage *t)
{
	report_facts(r, &t->summary);
	for (size_t i = 0; i < NTABLES; i++)
		report_whole(r, tables[i].name, table_of(t, i));
}

/* A word for the shell; false: it holds what a terminal must not see. */
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

/* For people: what opens the dumps of the programs that failed, to be copied, so in one piece. */
static void put_commands(FILE *f, const struct triage *t)
{
	const struct table *x = &t->errors;

	for (size_t i = 0; i < x->nrows; i++) {
		const char *dump = string(x, i, "dump"), *module = string(x, i, "module");

		if (!*dump)
			continue;
		fputs("\ntpuscope", f);
		if (put_word(f, dump)) {
			fputs(" --view memory --module", f);
			put_word(f, module);
		}
		fputc('\n', f);
	}
}

int report_triage(const struct triage *t, const struct report_options *o, FILE *f, struct err *err)
{
	struct dump *d;
	struct report *r;
	int bad;

	d = files_of(t);
	r = report_begin(f, o->format, o->width, "triage", d);
	report_csv_table(r, o->table ? o->table : "findings");
	report_facts(r, &t->summary);
	for (size_t i = 0; i < NTABLES; i++) {
		const struct table *x = table_of(t, i);

		if (o->format != REPORT_TEXT)
			report_whole(r, tables[i].name, x);
		else if (x->nrows && !tables[i].shown)
			put_findings(r, t);
		else if (x->nrows)
			put_columns(r, x, tables[i].name, tables[i].shown);
	}
	bad = report_end(r, err);
	if (!bad && o->format == REPORT_TEXT)
		put_commands(f, t);
	dump_close(d);
	return bad;
}
