/* The clipboard: y copies the name of what is selected, Y offers more of it in a menu.  Nothing is written to
 * a file. */
#include "config.h"
#include "app/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ops/opdb.h"
#include "base/helper.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "term/terminfo.h"
#include "widget/sheet/sheet.h"

enum copy_part { COPY_NAME, COPY_ROW, COPY_TABLE, COPY_DETAILS, COPY_HLO, COPY_COMMAND, COPY_PARTS };

enum { NOTE_COLS = 40, SAID_BYTES = 200 };

/* Removes control characters other than newlines and tabs, because the text may be pasted into a shell. */
static char *make_safe(const char *text)
{
	const char *s = text, *end = text + strlen(text);
	/* the visible symbol of a control character takes three bytes */
	char *safe = xmalloc((size_t)(end - s) * 3 + 1), *to = safe;

	while (s < end) {
		uint32_t c = utf8_next(&s, end);

		if (c == '\r' && s < end && *s == '\n') /* CSV ends its lines so */
			continue;
		to += utf8_put(to, c == '\n' || c == '\t' ? c : utf8_safe(c));
	}
	*to = 0;
	return safe;
}

/* --- what can be copied --- */

static char *short_name(const struct dump *d, strid id)
{
	struct slice name = op_name_in(dump_text(d, id));

	return xstrndup(name.s, name.n);
}

static char *name_of_ref(const struct app *app, const struct ref *r)
{
	const struct dump *d = app->cap->dump;

	switch (r->kind) {
	case REF_EVENT:
	case REF_NAME:
	case REF_OP:
		return r->name ? short_name(d, r->name) : NULL;
	case REF_STEP:
		return xasprintf("step %s", r->text);
	case REF_FILE:
		return r->file < 0 ? NULL : xstrdup(d->files[r->file].path);
	default:
		if (r->track < d->trace.ntracks)
			return short_name(d, d->trace.tracks[r->track].name);
		return *r->text ? xstrdup(r->text) : NULL;
	}
}

static char *name_text(struct app *app, struct view *v)
{
	const struct sheet *s = app_sheet(v);
	char *name = v->ops->name ? v->ops->name(v) : NULL;
	struct ref ref;

	if (name)
		return name;
	if (s && (name = sheet_row_name(s)))
		return name;
	ref = v->ops->here ? v->ops->here(v) : REF_EMPTY;
	return name_of_ref(app, &ref);
}

/* The text of the compiler about the op that is selected. */
static char *hlo_text(struct app *app, struct view *v)
{
	const struct trace *t = &app->cap->dump->trace;
	struct ref r = v->ops->here ? v->ops->here(v) : REF_EMPTY;

	if (r.kind == REF_EVENT && r.track < t->ntracks && r.event < t->tracks[r.track].n) {
		const struct evmeta *m = &t->metas[track_meta(&t->tracks[r.track], r.event)];

		return m->full && *m->full == '%' ? xstrndup(m->full, m->full_len) : NULL;
	}
	for (size_t i = 0; r.kind == REF_OP && i < t->nmetas; i++)
		if (t->metas[i].name == r.name && t->metas[i].full && *t->metas[i].full == '%')
			return xstrndup(t->metas[i].full, t->metas[i].full_len);
	return NULL;
}

/* The table as it is on the screen; views that show no sheet have one in their export. */
static int write_table(struct view *v, FILE *f)
{
	struct sheet *s = app_sheet(v);

	if (s)
		sheet_copy_shown(s, f);
	else if (!v->ops->report || export_waits(v))
		return -1;
	else
		return export_write(v, f, REPORT_CSV, &(struct err){ 0 });
	return 0;
}

static int write_row(struct view *v, FILE *f)
{
	struct sheet *s = app_sheet(v);

	if (!s || sheet_row(s) == SIZE_MAX)
		return -1;
	sheet_copy_row(s, f);
	return 0;
}

char *written_by(int (*write)(struct view *, FILE *), struct view *v)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = write ? open_memstream(&text, &n) : NULL;
	int none = !f || write(v, f);

	if (f && fclose(f))
		none = -1;
	if (!none && n)
		return text;
	free(text);
	return NULL;
}

static char *part_text(struct app *app, struct view *v, enum copy_part part)
{
	switch (part) {
	case COPY_NAME:
		return name_text(app, v);
	case COPY_ROW:
		return written_by(write_row, v);
	case COPY_TABLE:
		return written_by(write_table, v);
	case COPY_DETAILS:
		return written_by(v->ops->copy, v);
	case COPY_HLO:
		return hlo_text(app, v);
	default:
		return place_command(app);
	}
}

/* --- copying --- */

static const struct {
	char letter;
	const char *label, *said;
} parts[COPY_PARTS] = {
	[COPY_NAME] = { 'n', "name", "name" },
	[COPY_ROW] = { 'r', "row", "row" },
	[COPY_TABLE] = { 't', "table", "table" },
	[COPY_DETAILS] = { 'd', "details", "details" },
	[COPY_HLO] = { 'h', "HLO", "HLO" },
	[COPY_COMMAND] = { 'c', "command that reopens this place", "command" },
};

/* Without the helper: tmux drops what programs send to the clipboard unless it was told otherwise, and does not say
 * which. */
#define TMUX_NOTE "   (passed on only after: tmux set -g set-clipboard on)"

static void say_copied(struct app *app, enum copy_part part, const char *text, const char *note)
{
	char bytes[32], said[SAID_BYTES + 1];
	size_t n = strlen(text);

	if (part == COPY_NAME && !strchr(text, '\n')) {
		utf8_clean(said, sizeof said, text, n, false);
		app_say(app, "name copied: %s%s", said, note);
	} else if (part == COPY_NAME) {
		size_t lines = 0;

		for (const char *s = text; (s = strchr(s, '\n')); s++)
			lines++;
		app_say(app, "%zu names copied%s", lines, note);
	} else {
		app_say(app, "%s copied: %s%s", parts[part].said, units_bytes(bytes, sizeof bytes, (double)n),
		    note);
	}
}

static void copy_part(struct app *app, enum copy_part part)
{
	struct view *v = app_here(app);
	struct term *t = app->p->term;
	char *text = v ? part_text(app, v, part) : NULL, *safe, bytes[32];
	int sent = -1;
	size_t n;

	if (!text && v && view_computes(v)) {
		app_say(app, "still computing; try again");
		return;
	}
	if (!text) {
		app_say(app, "nothing to copy: nothing is selected");
		return;
	}
	safe = make_safe(text);
	n = strlen(safe);
	if (n <= CLIPBOARD_MAX && terminfo_in_tmux() &&
	    !helper_ask(app->opt->helper, HELPER_TMUX, 0, "", safe, n))
		sent = 0;
	else if (n <= CLIPBOARD_MAX && t->ops->clipboard)
		sent = t->ops->clipboard(t, safe, n);
	if (n > CLIPBOARD_MAX)
		app_error(app, "not copied: %s is too large for the clipboard; %s writes it to a file",
		    units_bytes(bytes, sizeof bytes, (double)n),
		    keymap_key_text(&app->keymap, ACT_EXPORT, app_scope(app), (char[32]){ 0 }, 32));
	else if (sent < 0)
		app_error(app, "not copied: this terminal has no clipboard");
	else
		say_copied(app, part, safe, sent ? TMUX_NOTE : "");
	free(safe);
	free(text);
}

void app_copy(struct app *app)
{
	struct view *v = app_here(app);
	char *name = v ? name_text(app, v) : NULL;

	copy_part(app, name ? COPY_NAME : COPY_DETAILS); /* a line of a log has no name */
	free(name);
}

/* --- the menu --- */

static void picked_part(struct app *app, int i)
{
	copy_part(app, (enum copy_part)app->p->copy_parts[i]);
}

static void note_of(char *note, size_t size, enum copy_part part, const char *text)
{
	size_t n = strlen(text), cut = utf8_fit(text, n, NOTE_COLS);
	char bytes[32];

	if (part == COPY_NAME || part == COPY_HLO) {
		utf8_clean(note, size - sizeof " …", text, cut, false);
		snprintf(note + strlen(note), size - strlen(note), "%s", cut < n ? " …" : "");
	} else {
		snprintf(note, size, "%s", units_bytes(bytes, sizeof bytes, (double)n));
	}
}

void app_copy_menu(struct app *app)
{
	struct menu_item items[COPY_PARTS];
	char note[COPY_PARTS][4 * NOTE_COLS + 8];
	struct view *v = app_here(app);
	int n = 0;

	for (int i = 0; v && i < COPY_PARTS; i++) {
		char *text = part_text(app, v, (enum copy_part)i);

		if (!text)
			continue;
		note_of(note[n], sizeof note[n], (enum copy_part)i, text);
		items[n] = (struct menu_item){ parts[i].letter, parts[i].label, note[n], NULL };
		app->p->copy_parts[n++] = i;
		free(text);
	}
	if (n)
		app_menu(app, "copy", items, n, 0, picked_part);
	else
		app_say(app, "nothing to copy here");
}
