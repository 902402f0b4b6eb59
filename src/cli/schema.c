/* What documents and queries can hold: from the tables of columns that print them. */
#include "config.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/file/outfile.h"
#include "sql/sql.h"

static void put_member(struct json_out *j, const char *key, const char *text)
{
	json_key(j, key);
	if (text && *text)
		json_strz(j, text);
	else
		json_null(j);
}

static const char *const types[] = { [COL_INTEGER] = "integer",
	[COL_NUMBER] = "number",
	[COL_STRING] = "string",
	[COL_BOOLEAN] = "boolean",
	[COL_OBJECT] = "object" };

/* --- everything --- */

/* The columns of a table of the SQL room, which says them as SQLite reads them. */
static void put_sql_columns(struct json_out *j, const char *text)
{
	json_arr(j);
	while (*text) {
		bool quoted = *text == '"';
		const char *name = text + quoted;
		size_t n = strcspn(name, quoted ? "\"" : " ,");
		const char *type = name + n + quoted;
		size_t end;

		type += *type == ' ';
		end = strcspn(type, ",");
		json_obj(j);
		json_key(j, "id");
		json_str(j, name, n);
		json_key(j, "type");
		if (end)
			json_str(j, type, end);
		else
			json_null(j);
		json_end(j);
		text = type + end + (type[end] == ',');
		text += *text == ' ';
	}
	json_end(j);
}

struct listing {
	struct json_out *j;
	bool names;
};

static void put_sql_table(void *ctx, const char *name, const char *columns)
{
	const struct listing *l = ctx;

	if (l->names) {
		json_strz(l->j, name);
		return;
	}
	json_newline(l->j);
	json_key(l->j, name);
	put_sql_columns(l->j, columns);
}

static void put_tools(struct json_out *j)
{
	json_arr(j);
	for (const struct report_tool *t = report_tools; t->name; t++) {
		const char *table;

		json_newline(j);
		json_obj(j);
		put_member(j, "name", t->name);
		put_member(j, "help", t->help);
		json_key(j, "tables");
		json_arr(j);
		for (size_t i = 0; (table = report_table_name(t->name, i)); i++)
			json_strz(j, table);
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void put_reasons(struct json_out *j)
{
	json_arr(j);
	for (int i = 0; reason_info((enum reason)i); i++) {
		const struct reason_info *r = reason_info((enum reason)i);

		json_newline(j);
		json_obj(j);
		put_member(j, "code", r->code);
		put_member(j, "meaning", r->meaning);
		put_member(j, "remedy", r->remedy);
		json_end(j);
	}
	json_end(j);
}

static void put_everything(struct json_out *j, bool names)
{
	const struct listing l = { j, names };

	json_obj(j);
	put_member(j, "tool", "schema");
	put_member(j, "version", PACKAGE_VERSION);
	json_key(j, "schema");
	json_int(j, 1);
	put_member(j, "status", "ok");
	put_member(j, "reason", NULL);
	put_member(j, "remedy", NULL);
	json_newline(j);
	json_key(j, "reports");
	put_tools(j);
	json_newline(j);
	json_key(j, "query");
	if (names)
		json_arr(j);
	else
		json_obj(j);
	sql_names(put_sql_table, (void *)&l);
	json_end(j);
	json_newline(j);
	json_key(j, "reasons");
	put_reasons(j);
	json_end(j);
}

/* --- one report --- */

static void put_text_type(struct json_out *j, const char *meaning)
{
	json_obj(j);
	json_key(j, "type");
	json_arr(j);
	json_strz(j, "string");
	json_strz(j, "null");
	json_end(j);
	if (meaning && *meaning)
		put_member(j, "description", meaning);
	json_end(j);
}

/* {"columns": [...], "rows": [[...], ...]}: the members of a table */
static void put_table_members(struct json_out *j, const struct schema *s)
{
	json_key(j, "columns");
	json_obj(j);
	put_member(j, "type", "array");
	json_end(j);
	json_key(j, "rows");
	json_obj(j);
	put_member(j, "type", "array");
	json_key(j, "items");
	json_obj(j);
	put_member(j, "type", "array");
	json_key(j, "prefixItems");
	json_arr(j);
	for (size_t i = 0; i < s->n; i++) {
		const struct column *c = &s->columns[i];

		json_newline(j);
		json_obj(j);
		put_member(j, "title", c->id);
		json_key(j, "type");
		json_arr(j);
		if (c->type == COL_OBJECT)
			json_strz(j, "array");
		json_strz(j, types[c->type]);
		json_strz(j, "null");
		json_end(j);
		if (*c->unit)
			put_member(j, "unit", c->unit);
		put_member(j, "description", c->meaning);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	json_end(j);
}

static void put_summary(struct json_out *j, const char *tool)
{
	const struct fact_info *x;

	json_key(j, "summary");
	json_obj(j);
	put_member(j, "type", "object");
	json_key(j, "properties");
	json_obj(j);
	for (size_t i = 0; (x = fact_info(i)); i++)
		if (fact_is_of(x, tool)) {
			json_newline(j);
			json_key(j, x->id);
			json_obj(j);
			if (*x->unit)
				put_member(j, "unit", x->unit);
			put_member(j, "description", x->meaning);
			json_end(j);
		}
	json_end(j);
	json_end(j);
}

static void put_tables(struct json_out *j, const char *tool)
{
	struct report_table t;
	const char *last = "";
	bool open = false;

	for (size_t i = 0; report_table_at(i, &t); i++) {
		if (strcmp(t.tool, tool) || (t.table && !strcmp(t.table, last)))
			continue;
		if (!t.table) {
			put_table_members(j, t.schema);
			continue;
		}
		if (!open) {
			json_key(j, "tables");
			json_obj(j);
			put_member(j, "type", "object");
			json_key(j, "properties");
			json_obj(j);
		}
		open = true;
		last = t.table;
		json_newline(j);
		json_key(j, t.table);
		json_obj(j);
		put_member(j, "type", "object");
		json_key(j, "properties");
		json_obj(j);
		put_table_members(j, t.schema);
		json_end(j);
		json_end(j);
	}
	if (open) {
		json_end(j);
		json_end(j);
	}
}

static void put_words(struct json_out *j, const char *key, const char *const *word, size_t n)
{
	json_key(j, key);
	json_obj(j);
	json_key(j, "enum");
	json_arr(j);
	for (size_t i = 0; i < n; i++)
		json_strz(j, word[i]);
	if (!strcmp(key, "reason"))
		json_null(j);
	json_end(j);
	json_end(j);
}

static void put_envelope(struct json_out *j, const char *tool)
{
	static const char *const status[] = { "ok", "partial", "cannot_answer" };
	const char *code[REASONS];

	for (int i = 0; i < REASONS; i++)
		code[i] = reason_info((enum reason)i)->code;
	json_key(j, "tool");
	json_obj(j);
	put_member(j, "const", tool);
	json_end(j);
	json_key(j, "version");
	put_text_type(j, "Of the program");
	put_words(j, "status", status, sizeof status / sizeof *status);
	put_words(j, "reason", code, REASONS);
	json_key(j, "remedy");
	put_text_type(j, "What to do where the status is not ok");
}

static void put_report(struct json_out *j, const char *tool)
{
	json_obj(j);
	put_member(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put_member(j, "title", tool);
	put_member(j, "type", "object");
	json_key(j, "required");
	json_arr(j);
	json_strz(j, "tool");
	json_strz(j, "version");
	json_strz(j, "schema");
	json_strz(j, "status");
	json_end(j);
	json_newline(j);
	json_key(j, "properties");
	json_obj(j);
	put_envelope(j, tool);
	json_newline(j);
	put_summary(j, tool);
	json_newline(j);
	put_tables(j, tool);
	json_end(j);
	json_end(j);
}

static bool has_report(const char *tool)
{
	struct report_table t;

	for (size_t i = 0; report_table_at(i, &t); i++)
		if (!strcmp(t.tool, tool))
			return true;
	return report_named(tool);
}

int cli_schema(struct options *o, struct err *err)
{
	const char *tool = o->npaths ? o->paths[0] : NULL;
	struct outfile out;
	struct json_out *j;
	int bad;

	if (tool && !has_report(tool))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "no report '%.60s'; tpuscope schema --list lists them", tool);
	if (cli_output_open(o, &out, err))
		return -1;
	j = json_out_file(out.f);
	if (tool)
		put_report(j, tool);
	else
		put_everything(j, o->list);
	bad = json_out_end(j, NULL, NULL);
	fputc('\n', out.f);
	return cli_output_close(o, &out, bad ? -1 : EXIT_OK, err);
}
