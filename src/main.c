/* The composition root: the only file of src that knows ui.  It turns options into struct app_options and
 * calls the app. */
#include "config.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "analyze/tf/ops.h"
#include "analyze/triage/triage.h"
#include "app/bench.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "cli/cli.h"
#include "core/app.h"
#include "core/input/conf.h"

/* Prints mistakes in the config file, for commands without a screen. */
static void tell_notes(const struct config *c)
{
	char text[1600];

	for (size_t i = 0; i < c->nnotes; i++) {
		utf8_clean_text(text, sizeof text, c->notes[i]);
		fprintf(stderr, "tpuscope: %s\n", text);
	}
}

/* Takes peaks from the config file if no option gave them; its value "file" means those of the capture. */
static void take_peaks(const struct config *c, double *flops, double *hbm)
{
	if (!(*flops > 0))
		peaks_parse(settings_get(&c->settings, SET_PEAKS), flops, hbm);
}

/* A table that an option names has to be right; a mistake in the one beside the config file is told. */
static int take_table(struct config *c, int (*take)(const char *, struct err *), const char *named,
    const char *beside, struct err *err)
{
	struct err e = { .at = ERR_NOWHERE };

	if (named)
		return take(named, err);
	if (beside && take(beside, &e))
		config_note(c, "%s", e.msg);
	return 0;
}

static int take_tables(struct config *c, const struct options *o, struct err *err)
{
	return take_table(c, triage_more_kinds, o->errors, c->errors, err) ||
		take_table(c, tf_ops_own, o->tpu_ops, c->tpu_ops, err)
	    ? -1
	    : 0;
}

static int check_numbers(struct options *o, struct err *err)
{
	struct config c;
	int status = config_read(&c, o->config, NULL, err);

	if (!status)
		status = take_tables(&c, o, err);
	if (!status) {
		tell_notes(&c);
		take_peaks(&c, &o->peak_flops, &o->peak_hbm);
	}
	config_free(&c);
	return status;
}

static void take_command(const struct config *c, enum setting s, char *to, size_t size)
{
	const char *value = settings_get(&c->settings, s);

	snprintf(to, size, "%s", strcmp(value, "auto") ? value : "");
}

static int read_commands(struct options *o, struct err *err)
{
	struct config c;
	int status = config_read(&c, o->config, NULL, err);

	if (!status) {
		take_command(&c, SET_FETCH_GS, o->fetch_gs, sizeof o->fetch_gs);
		take_command(&c, SET_FETCH_S3, o->fetch_s3, sizeof o->fetch_s3);
	}
	config_free(&c);
	return status;
}

static struct app_options app_options_of(const struct options *o, const struct sample *s)
{
	return (struct app_options){
		.paths = o->paths,
		.npaths = o->npaths,
		.sample = s->bytes,
		.sample_size = s->size,
		.sample_name = s->name,
		.load = { .threads = o->report.threads,
		    .run = o->run,
		    .host = o->report.host,
		    .texts = true,
		    .peak_flops = o->peak_flops,
		    .peak_hbm = o->peak_hbm,
		    .device = o->device },
		.view = o->view,
		.place = o->at,
		.where = o->where,
		.module = o->report.module,
		.theme = o->mono ? "mono" : o->theme,
		.bg = o->bg,
		.glyphs = o->ascii ? "ascii" : o->glyphs,
		.slow = o->slow,
		.colors = o->mono ? 0 : o->colors,
		.clock = o->plain_clock ? CLOCK_PLAIN : CLOCK_DEVICE,
		.topology = o->report.topology,
		.against = o->report.against,
		.helper = o->helper,
	};
}

/* Reads the config file for the options; `c` must live as long as they do. */
static int options_with_config(struct app_options *a, const struct options *o, struct config *c,
    struct err *err)
{
	if (config_read(c, o->config, o->keymap, err) || take_tables(c, o, err))
		return -1;
	a->settings = c->settings;
	a->keymap = &c->keymap;
	a->notes = (const char *const *)c->notes;
	a->nnotes = c->nnotes;
	take_peaks(c, &a->load.peak_flops, &a->load.peak_hbm);
	if (o->clock_said)
		settings_set(&a->settings, SET_CLOCK, o->plain_clock ? "plain" : "device", SET_BY_OPTION,
		    NULL);
	a->clock = strcmp(settings_get(&a->settings, SET_CLOCK), "plain") ? CLOCK_DEVICE : CLOCK_PLAIN;
	if (o->peaks)
		settings_set(&a->settings, SET_PEAKS, o->peaks, SET_BY_OPTION, NULL);
	if (o->mouse)
		settings_set(&a->settings, SET_MOUSE, "on", SET_BY_OPTION, NULL);
	if (o->no_state)
		settings_set(&a->settings, SET_STATE, "off", SET_BY_OPTION, NULL);
	return 0;
}

static int run_viewer(const struct options *o, const struct sample *s, struct err *err)
{
	struct app_options a = app_options_of(o, s);
	struct config c;
	int status = options_with_config(&a, o, &c, err);

	if (!status)
		status = app_run(&a, err);
	config_free(&c);
	return status;
}

static int run_live(const struct options *o, const struct live *l, struct err *err)
{
	const struct app_live live = { .servers = l->servers,
		.allow_remote = true,
		.monitor = o->command == CMD_MONITOR,
		.interval_ms = l->interval_ms,
		.level = o->remote.level ? o->remote.level : 2,
		.queries = l->queries,
		.duration_ms = o->remote.duration_ms ? o->remote.duration_ms : 1000,
		.attempts = o->remote.attempts,
		.grace_s = o->remote.grace_s };
	struct app_options a = app_options_of(o, &(struct sample){ 0 });
	struct config c;
	int status = options_with_config(&a, o, &c, err);

	a.npaths = 0;
	a.live = &live;
	if (!status)
		status = app_run(&a, err);
	config_free(&c);
	return status;
}

static int run_snapshot(const struct options *o, const struct sample *s, FILE *out, struct err *err)
{
	static const enum shot_form forms
	    [] = { [REPORT_MARKDOWN] = SHOT_MARKDOWN, [FORMAT_SVG] = SHOT_SVG, [FORMAT_HTML] = SHOT_HTML };
	enum shot_form picture = forms[o->report.format];
	struct app_options a = app_options_of(o, s);
	struct config c;
	int status = options_with_config(&a, o, &c, err);

	if (!status)
		status = app_snapshot(&a, o->tool, o->keys, o->rows ? o->rows : 40, o->cols ? o->cols : 120,
		    o->colors >= 0     ? o->colors
			: picture != 0 ? 256
				       : 0,
		    picture, out, err);
	config_free(&c);
	return status;
}

static int run_bench(const struct options *o, const struct sample *s, FILE *out, struct err *err)
{
	struct app_options a = app_options_of(o, s);

	return app_bench(&a, o->rows ? o->rows : 60, o->cols ? o->cols : 300, out, err);
}

/* Returns the settings that would be in force on a screen. */
static struct settings settings_in_force(const struct app_options *a)
{
	struct settings s = look_settings(a);
	const char *no_color = getenv("NO_COLOR");

	if (no_color && *no_color && !settings_ask_colors(&s))
		settings_set(&s, SET_COLORS, "never", SET_BY_OPTION, NULL);
	return s;
}

static int list_keys_or_settings(const struct options *o, FILE *out, struct err *err)
{
	bool keys = o->command == CMD_LIST_KEYS;
	struct app_options a = app_options_of(o, &(struct sample){ 0 });
	struct settings s;
	struct config c;
	int status = options_with_config(&a, o, &c, err);

	if (!status && !(status = look_check(&a, err))) {
		tell_notes(&c);
		s = settings_in_force(&a);
		status = keys ? keymap_list(out, &c.keymap, o->list_format)
			      : settings_list(out, &s, o->list_format);
		if (status)
			err_set(err, EXIT_USAGE, ERR_NOWHERE, "--list-%s=%s: must be text or man",
			    keys ? "keys" : "settings", o->list_format);
	}
	config_free(&c);
	return status;
}

static const char *option_value(const char *option, size_t i, char *buf, size_t size)
{
	size_t n = 0;
	enum setting s = setting_by_name(option);

	while (view_list[n])
		n++;
	if (!strcmp(option, "view"))
		return i < n ? view_list[i]->id : NULL;
	if (!strcmp(option, "keymap"))
		return keymap_preset_name(i, buf, size);
	return s != SET_COUNT ? setting_value(s, i, buf, size) : NULL;
}

static int check_screen(const struct options *o, struct checks *checks, struct err *err)
{
	struct app_options a = app_options_of(o, &(struct sample){ 0 });
	struct config c;
	int status = options_with_config(&a, o, &c, err);

	if (!status)
		app_doctor(&a, &c, checks);
	config_free(&c);
	return status;
}

/* The i-th table that is written only by the export of a view. */
static bool view_table_at(size_t i, struct report_table *t)
{
	for (size_t k = 0; view_list[k]; k++)
		for (const struct view_table *v = view_list[k]->tables; v && v->schema; v++)
			if (!i--) {
				*t = (struct report_table){ view_list[k]->id, v->name, v->schema };
				return true;
			}
	return false;
}

int main(int argc, char **argv)
{
	static const struct frontend frontend = { run_viewer, run_live, run_snapshot, run_bench,
		list_keys_or_settings, check_numbers, read_commands, option_value, check_screen,
		view_table_at };

	mem_keep_freed();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	return cli_main(argc, argv, &frontend);
}
