/* Exports a view, and checks that its columns are those of a sheet.  Include it after cmocka.h. */
#ifndef TESTS_MKEXPORT_H
#define TESTS_MKEXPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/internal.h"
#include "report/write/writer.h"
#include "widget/sheet/sheet.h"

/* The document; the caller frees. */
static inline char *exported(struct view *v)
{
	struct err err = { .at = ERR_NOWHERE };
	static char *text; /* static: gcc -O2 takes what the stream keeps of a local for dangling */
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_int_equal(export_write(v, f, REPORT_JSON, &err), 0);
	fclose(f);
	return text;
}

/* Every id of a form is a column. */
static inline void check_form(const struct schema *s, const char *form)
{
	char id[80];

	for (const char *at = form ? form : ""; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
		snprintf(id, sizeof id, "%.*s", (int)strcspn(at + (*at == '-'), " |"), at + (*at == '-'));
		if (schema_column(s, id) == SIZE_MAX)
			fail_msg("the form \"%s\" names %s, which is no column", form, id);
	}
}

/* Checks that all columns of a sheet are those of a table of the document (NULL: its only one), with the same
 * ids, labels and units, in that order. */
static inline void is_exported(const char *text, const char *table, const struct sheet *s)
{
	char want[400];
	const char *at, *end;

	snprintf(want, sizeof want, "\"%s\":{\n", table ? table : "");
	at = table ? strstr(text, want) : text;
	if (!at)
		fail_msg("no table %s", table);
	at = strstr(at, "\"columns\":[");
	assert_non_null(at);
	end = strchr(at, '\n');
	for (const struct column *c = s->schema->columns; c < s->schema->columns + s->schema->n; c++) {
		snprintf(want, sizeof want, "{\"id\":\"%s\",\"label\":\"%s\",", c->id, c->label);
		at = strstr(at, want);
		if (!at || at > end)
			fail_msg("%s: column %s (%s) is not in the export", table ? table : "", c->id,
			    c->label);
		snprintf(want, sizeof want, "\"unit\":\"%s\"}", c->unit);
		assert_int_equal(strncmp(strstr(at, "\"unit\""), want, strlen(want)), 0);
	}
}

#endif
