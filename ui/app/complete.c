/* Tab in a prompt completes the word before the cursor: commands, settings, keys; paths; fields of queries and
 * what the capture has in them; names in the table on the screen. */
#include "config.h"
#include "app/internal.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "analyze/device/kinds.h"
#include "analyze/events/query.h"
#include "analyze/ops/opdb.h"
#include "base/mem.h"
#include "core/input/command.h"
#include "model/stat.h"
#include "sql/sql.h"
#include "widget/sheet/sheet.h"

enum { WORDS_MAX = 200, METAS_MAX = 2000 };

/* `n` counts them, `common` is their common prefix, and as many as fit are listed. */
struct candidates {
	const char *typed;
	size_t len, n;
	char common[PROMPT_MAX + 1], list[256];
	bool full;             /* the list has no more room */
	bool more;             /* another word follows the one typed */
	bool inside;           /* words that have it inside, because none begins with it */
	char *word[WORDS_MAX]; /* the first of them, to offer each once */
};

static bool is_new(struct candidates *c, const char *word)
{
	for (size_t i = 0; i < c->n && i < WORDS_MAX; i++)
		if (!strcmp(c->word[i], word))
			return false;
	if (c->n < WORDS_MAX)
		c->word[c->n] = xstrdup(word);
	return true;
}

static void offer_word(struct candidates *c, const char *word)
{
	size_t same = 0;

	if (c->inside ? !strstr(word, c->typed) : strncmp(word, c->typed, c->len))
		return;
	if (!is_new(c, word))
		return;
	if (!c->n++)
		snprintf(c->common, sizeof c->common, "%s", word);
	while (c->common[same] && c->common[same] == word[same])
		same++;
	while (same && ((unsigned char)c->common[same] & 0xc0) == 0x80) /* do not cut UTF-8 characters */
		same--;
	c->common[same] = 0;
	if (c->full)
		return;
	c->full = strlen(c->list) + strlen(word) + sizeof "  …" > sizeof c->list;
	snprintf(c->list + strlen(c->list), sizeof c->list - strlen(c->list), "%s%s", *c->list ? " " : "",
	    c->full ? "…" : word);
}

/* The word begins later in the line. */
static void skip_typed(struct candidates *c, size_t n)
{
	c->typed += n;
	c->len -= n;
}

/* --- paths --- */

static void offer_entry(struct candidates *c, const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name), *word;
	struct stat st;

	if (*name != '.' || *c->typed == '.') {
		word = xasprintf("%s%s", name, !stat(path, &st) && S_ISDIR(st.st_mode) ? "/" : "");
		offer_word(c, word);
		free(word);
	}
	free(path);
}

static void offer_paths(struct candidates *c)
{
	const char *slash = strrchr(c->typed, '/');
	char *typed = slash ? xstrndup(c->typed, (size_t)(slash + 1 - c->typed)) : xstrdup("."),
	     *dir = export_home(typed);
	DIR *d = opendir(dir);
	const struct dirent *e;

	skip_typed(c, slash ? (size_t)(slash + 1 - c->typed) : 0);
	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			offer_entry(c, dir, e->d_name);
	if (d)
		closedir(d);
	free(dir);
	free(typed);
}

/* --- searches and filters --- */

/* A text of the capture as a word of a query; an op by its name. */
static void offer_text(struct candidates *c, struct slice text)
{
	struct slice t = op_name_in(text);
	char *word;

	if (!t.n || t.n > PROMPT_MAX / 2 || memchr(t.s, '"', t.n) || memchr(t.s, '\\', t.n))
		return;
	word = memchr(t.s, ' ', t.n) ? xasprintf("\"%.*s\"", (int)t.n, t.s) : xstrndup(t.s, t.n);
	offer_word(c, word);
	free(word);
}

static void offer_strid(struct candidates *c, const struct dump *d, strid id)
{
	if (id)
		offer_text(c, dump_text(d, id));
}

static bool offer_stat(void *ctx, const struct stat_value *v)
{
	char *word = xstrndup(v->name, v->name_len);

	offer_word(ctx, word);
	free(word);
	return true;
}

static void offer_stats(struct candidates *c, const struct dump *d, const struct ref *here)
{
	const struct trace *t = &d->trace;

	for (size_t i = 0; i < t->nmetas && i < METAS_MAX; i++)
		stats_of_meta(d, (uint32_t)i, offer_stat, c);
	if (here->kind == REF_EVENT && here->track < t->ntracks && here->event < t->tracks[here->track].n)
		stats_of_event(d, &t->tracks[here->track], here->event, offer_stat, c);
}

static void offer_values(struct candidates *c, const struct dump *d, const char *field)
{
	const struct trace *t = &d->trace;
	bool cat = !strcmp(field, "cat");

	for (int i = 0; cat && i < CLASS_COUNT; i++)
		offer_word(c, class_info(i)->id);
	for (size_t i = 0; i < t->nmetas && (cat || !strcmp(field, "name")); i++)
		offer_strid(c, d, cat ? t->metas[i].category : t->metas[i].name);
	for (size_t i = 0; i < t->nplanes && !strcmp(field, "track"); i++)
		offer_text(c, plane_label(dump_text(d, t->planes[i].name)));
}

/* Where the last term of a query begins: after the last blank outside of quotes. */
static size_t last_term(const char *text)
{
	bool quoted = false;
	size_t at = 0;

	for (size_t i = 0; text[i]; i++) {
		quoted ^= text[i] == '"';
		if (text[i] == ' ' && !quoted)
			at = i + 1;
	}
	return at;
}

static void offer_query(struct candidates *c, const struct dump *d, const struct ref *here)
{
	size_t field, sign;
	char name[16];

	skip_typed(c, last_term(c->typed));
	skip_typed(c, *c->typed == '!');
	field = strcspn(c->typed, ".~=<>!");
	sign = field + strspn(c->typed + field, ".~=<>!");
	if (sign == field) {
		for (size_t i = 0; query_word(i, name, sizeof name); i++)
			offer_word(c, name);
		if (c->len)
			offer_values(c, d, "name");
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)field, c->typed);
	if (!strcmp(name, "arg") && c->typed[field] == '.') {
		skip_typed(c, field + 1);
		offer_stats(c, d, here);
		return;
	}
	if (query_word_is(name)) {
		skip_typed(c, sign);
		offer_values(c, d, name);
	} else {
		offer_values(c, d, "name");
	}
}

/* Names of the rows of the sheet on the screen; where there is none, those of the trace. */
static void offer_rows(struct candidates *c, struct view *v)
{
	const struct sheet *s = app_sheet(v);

	if (!s)
		offer_values(c, v->cap->dump, "name");
	for (size_t i = 0; s && i < s->table->nrows; i++) {
		char *name = sheet_name_of_row(s, i);

		if (name)
			offer_word(c, name);
		free(name);
	}
}

static void offer_words(struct candidates *c, const char *words)
{
	char one[32];

	for (size_t n; words && *words; words += n + strspn(words + n, " ")) {
		n = strcspn(words, " ");
		snprintf(one, sizeof one, "%.*s", (int)n, words);
		offer_word(c, one);
	}
}

/* --- SQL --- */

struct sql_offer {
	struct candidates *c;
	const char *text;
	bool named;  /* it names a table: only columns of such */
	bool tables; /* nothing else can stand here */
};

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool names_table(const char *text, const char *table)
{
	size_t n = strlen(table);

	for (const char *at = text; (at = strstr(at, table)); at += n)
		if ((at == text || !is_in_name(at[-1])) && !is_in_name(at[n]))
			return true;
	return false;
}

static void look_for_table(void *ctx, const char *table, const char *columns)
{
	struct sql_offer *o = ctx;

	(void)columns;
	o->named |= names_table(o->text, table);
}

/* "start_ps INTEGER, ..." */
static void offer_columns(struct candidates *c, const char *columns)
{
	char one[64];

	for (const char *at = columns; at && *at; at = strchr(at, ',')) {
		at += strspn(at, ", \"");
		snprintf(one, sizeof one, "%.*s", (int)strcspn(at, " ,\""), at);
		if (*one)
			offer_word(c, one);
	}
}

static void offer_table(void *ctx, const char *table, const char *columns)
{
	const struct sql_offer *o = ctx;

	offer_word(o->c, table);
	if (!o->tables && (!o->named || names_table(o->text, table)))
		offer_columns(o->c, columns);
}

/* Is the word before that one of those that a table follows? */
static bool wants_table(const char *text, size_t at)
{
	while (at && text[at - 1] == ' ')
		at--;
	for (size_t i = 0; i < 2 && at >= strlen("FROM"); i++)
		if (!strncasecmp(text + at - strlen("FROM"), i ? "JOIN" : "FROM", strlen("FROM")))
			return true;
	return false;
}

static void offer_sql(struct candidates *c, const char *text)
{
	struct sql_offer o = { c, text, false, false };
	size_t at = strlen(text);

	while (at && is_in_name(text[at - 1]))
		at--;
	o.tables = wants_table(text, at);
	skip_typed(c, strlen(c->typed) - strlen(text + at));
	sql_names(look_for_table, &o);
	sql_names(offer_table, &o);
	if (!c->len || o.tables)
		return;
	offer_words(c, "SELECT FROM WHERE GROUP BY ORDER LIMIT JOIN HAVING DISTINCT");
	offer_words(c, "select from where group by order limit join having distinct");
}

/* --- commands --- */

static void offer_first_word(const struct app *app, struct candidates *c)
{
	for (int i = 0; i < DO_COUNT; i++)
		if (command_applies(app, command_info[i].scope))
			offer_word(c, command_info[i].name);
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (action_applies(app, a) && command_by_name(action_info[a].name) == DO_COUNT)
			offer_word(c, action_info[a].name);
}

/* First the name of a setting, then its values. */
static void offer_setting(struct candidates *c)
{
	size_t n = strcspn(c->typed, " ");
	char name[SETTING_MAX + 1], one[SETTING_MAX + 1];
	enum setting s;

	c->more = !c->typed[n];
	for (int i = 0; c->more && i < SET_COUNT; i++)
		offer_word(c, setting_info[i].name);
	if (!c->typed[n])
		return;
	snprintf(name, sizeof name, "%.*s", (int)n, c->typed);
	s = setting_by_name(name);
	c->typed += n + strspn(c->typed + n, " ");
	c->len = strlen(c->typed);
	for (size_t i = 0; s != SET_COUNT && setting_value(s, i, one, sizeof one); i++)
		offer_word(c, one);
}

static void offer_presets(struct candidates *c)
{
	char one[KEYMAP_WORD];

	for (size_t i = 0; keymap_preset_name(i, one, sizeof one); i++)
		offer_word(c, one);
}

/* First a scope, then, after the key, the actions of that scope; the key itself is not completed. */
static void offer_binding(struct candidates *c, bool actions)
{
	char scope[KEYMAP_WORD];
	const char *s = c->typed;
	size_t word = 0, n = strcspn(s, " ");
	enum scope in;

	snprintf(scope, sizeof scope, "%.*s", (int)n, s);
	for (; s[n]; word++) {
		s += n + strspn(s + n, " ");
		n = strcspn(s, " ");
	}
	c->typed = s;
	c->len = strlen(s);
	c->more = !word;
	for (int i = 0; c->more && i < SCOPE_COUNT; i++)
		offer_word(c, scope_name[i]);
	if (word != 2 || !actions || (in = scope_by_name(scope)) == SCOPE_COUNT)
		return;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (keymap_may(in, (enum action)a))
			offer_word(c, action_info[a].name);
	offer_word(c, "none");
}

static void offer_to(void *c, const char *word)
{
	offer_word(c, word);
}

static void offer_argument(struct app *app, struct candidates *c, enum command_id id)
{
	struct view *v = app_here(app);

	switch (id) {
	case DO_EXPORT:
	case DO_AGAINST:
		offer_paths(c);
		break;
	case DO_VIEW:
		for (size_t i = 0; i < app->nviews; i++)
			offer_word(c, app->views[i].ops->id);
		break;
	case DO_SET:
		offer_setting(c);
		break;
	case DO_KEYS:
		offer_presets(c);
		break;
	case DO_BIND:
	case DO_UNBIND:
		offer_binding(c, id == DO_BIND);
		break;
	case DO_SQL:
		offer_sql(c, c->typed);
		break;
	default:
		if (!command_applies(app, command_info[id].scope))
			break;
		offer_words(c, command_info[id].words);
		if (v && v->ops->words)
			v->ops->words(v, command_info[id].name, offer_to, c);
	}
}

/* The last of several. */
static void offer_change(struct app *app, struct candidates *c)
{
	const char *comma = strrchr(c->typed, ',');

	skip_typed(c, comma ? (size_t)(comma + 1 - c->typed) : 0);
	offer_argument(app, c, DO_WHATIF);
}

static void offer_command(struct app *app, struct candidates *c, const char *text)
{
	size_t first = strcspn(text, " ");
	bool has_arg = text[first] == ' ';
	enum command_id id;
	char name[32];

	c->more = !has_arg;
	if (!has_arg) {
		offer_first_word(app, c);
		c->inside = !c->n && c->len;
		if (c->inside)
			offer_first_word(app, c);
		return;
	}
	skip_typed(c, first + strspn(text + first, " "));
	snprintf(name, sizeof name, "%.*s", (int)(first < sizeof name ? first : sizeof name - 1), text);
	if ((id = command_by_name(name)) != DO_COUNT)
		offer_argument(app, c, id);
}

void app_complete(struct app *app, struct prompt *p)
{
	struct view *v = app_here(app);
	struct candidates c = { .typed = p->text, .len = strlen(p->text) };
	struct ref here = v && v->ops->here ? v->ops->here(v) : REF_EMPTY;
	char line[2 * PROMPT_MAX + 4];

	if (p->label == ':')
		offer_command(app, &c, p->text);
	else if (p->label == EXPORT_PROMPT)
		offer_paths(&c);
	else if (p->label == SQL_PROMPT)
		offer_sql(&c, p->text);
	else if (p->label == CHANGE_PROMPT)
		offer_change(app, &c);
	else if (v && (p->label == '/' || p->label == '&') && v->ops->scope == SCOPE_TIMELINE)
		offer_query(&c, app->cap->dump, &here);
	else if (v && (p->label == '/' || p->label == '&'))
		offer_rows(&c, v);
	if (c.n && (!c.inside || c.n == 1)) {
		snprintf(line, sizeof line, "%.*s%s%s", (int)(c.typed - p->text), p->text, c.common,
		    c.n == 1 && c.more ? " " : "");
		prompt_set(p, line);
	}
	if (c.n > 1)
		snprintf(p->hint, sizeof p->hint, "%s", c.list);
	else if (!c.n)
		snprintf(p->hint, sizeof p->hint, "nothing to complete");
	for (size_t i = 0; i < c.n && i < WORDS_MAX; i++)
		free(c.word[i]);
}
