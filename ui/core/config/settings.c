#include "config.h"
#include "core/config/settings.h"

#include <stdio.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "base/text/roff.h"
#include "base/text/words.h"

const struct setting_info setting_info[SET_COUNT] = {
#define SETTING(id, name, values, value, apply, help) [SET_##id] = { name, values, value, apply, help },
#include "core/config/settings.def"
#undef SETTING
};

static void list_man(FILE *f, const struct setting_info *info)
{
	bool open = info->values[0] == '<';

	fputs(".TP\n\\fB", f);
	roff_text(f, info->name);
	fputs(open ? "\\fR \\fI" : "\\fR ", f);
	for (const char *p = info->values; *p; p++)
		if (!strchr("<>", *p))
			fputs((char[2]){ *p, 0 }, f);
	fprintf(f, open ? "\\fR (%s)\n" : " (%s)\n", info->value);
	roff_text(f, info->help);
	fputc('\n', f);
}

int settings_list(FILE *f, const struct settings *all, const char *format)
{
	bool man = format && !strcmp(format, "man");

	if (format && !man && strcmp(format, "text"))
		return -1;
	for (int i = 0; i < SET_COUNT; i++)
		if (man)
			list_man(f, &setting_info[i]);
		else
			fprintf(f, "%-8s %-10s %s (%s)\n", setting_info[i].name,
			    settings_get(all, (enum setting)i), setting_info[i].help, setting_info[i].values);
	return 0;
}

enum setting setting_by_name(const char *name)
{
	int s = 0;

	while (s < SET_COUNT && strcmp(setting_info[s].name, name))
		s++;
	return (enum setting)s;
}

static bool is_open(enum setting s)
{
	return setting_info[s].values[0] == '<';
}

const char *setting_value(enum setting s, size_t i, char *buf, size_t size)
{
	const char *p = setting_info[s].values;

	if (is_open(s))
		return NULL;
	for (; i; i--) {
		p += strcspn(p, "|");
		if (!*p++)
			return NULL;
	}
	snprintf(buf, size, "%.*s", (int)strcspn(p, "|"), p);
	return buf;
}

int setting_check(enum setting s, const char *value, struct err *err)
{
	const struct setting_info *info = &setting_info[s];
	char one[SETTING_MAX + 1], all[200] = "";

	if (strlen(value) > SETTING_MAX || !*value)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s: should be 1 to %d bytes", info->name,
		    SETTING_MAX);
	if (s == SET_PEAKS && strcmp(value, "file") && peaks_parse(value, &(double){ 0 }, &(double){ 0 }))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "peaks %s: should be file, or TFLOP/s and GB/s of a core: 459,2765", value);
	if (is_open(s))
		return 0;
	for (size_t i = 0; setting_value(s, i, one, sizeof one); i++) {
		if (!strcmp(one, value))
			return 0;
		words_add(all, sizeof all, ", ", one);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%s %s: should be one of %s", info->name, value, all);
}

int settings_set(struct settings *all, enum setting s, const char *value, enum setting_source source,
    struct err *err)
{
	if (setting_check(s, value, err))
		return -1;
	if (source < all->source[s])
		return 1;
	snprintf(all->value[s], sizeof all->value[s], "%s", value);
	all->source[s] = source;
	return 0;
}

int settings_put(struct settings *all, const char *name, const char *value, enum setting_source source,
    struct err *err)
{
	enum setting s = setting_by_name(name);
	char list[300] = "";

	if (s != SET_COUNT)
		return settings_set(all, s, value, source, err);
	for (int i = 0; i < SET_COUNT; i++)
		words_add(list, sizeof list, ", ", setting_info[i].name);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown setting '%.40s'; settings: %s", name, list);
}

const char *settings_get(const struct settings *all, enum setting s)
{
	return all->source[s] == SET_BY_DEFAULT ? setting_info[s].value : all->value[s];
}

bool settings_on(const struct settings *all, enum setting s)
{
	return !strcmp(settings_get(all, s), "on");
}

bool settings_ask_colors(const struct settings *all)
{
	return all->source[SET_COLORS] >= SET_BY_OPTION || all->source[SET_THEME] >= SET_BY_OPTION;
}
