#include "config.h"
#include "core/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "core/overlay.h"
#include "core/results.h"

static int cores_of(const struct dump *d, int *core, int most)
{
	int n = 0;

	for (size_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		int at = 0;

		if (p->kind != PLANE_TPU || p->core < 0)
			continue;
		while (at < n && core[at] < p->core)
			at++;
		if ((at < n && core[at] == p->core) || n == most)
			continue;
		memmove(core + at + 1, core + at, (size_t)(n - at) * sizeof *core);
		core[at] = p->core;
		n++;
	}
	return n;
}

enum { CORES_MOST = 1024 };

static void picked_core(struct app *app, int i)
{
	int core[CORES_MOST], n = cores_of(app->cap->dump, core, CORES_MOST);

	results_renew(app, RESULT_TABLE_OPS); /* first, because a job may read the scope */
	results_renew(app, RESULT_ACCOUNT);
	app->cap->scope.op_core = i > 0 && i <= n ? core[i - 1] : -1;
}

void choice_core(struct app *app)
{
	int core[CORES_MOST], n = cores_of(app->cap->dump, core, CORES_MOST), here = 0;
	struct menu_item *item;
	char(*name)[24];

	if (n < 2) {
		app_say(app, n ? "this capture has only one core" : "this capture has no TPU cores");
		return;
	}
	item = xcalloc((size_t)n + 1, sizeof *item);
	name = xcalloc((size_t)n, sizeof *name);
	item[0] = (struct menu_item){ 'a', "all", "", NULL };
	for (int i = 0; i < n; i++) {
		snprintf(name[i], sizeof *name, "core %d", core[i]);
		item[i + 1] = (struct menu_item){ 0, name[i], "", NULL };
		if (core[i] == app->cap->scope.op_core)
			here = i + 1;
	}
	app_menu(app, "cores", item, n + 1, here, picked_core);
	free(name);
	free(item);
}

/* The programs that ran, each once; how many. */
static int programs_of(const struct opdb *db, uint64_t *id, int most)
{
	int n = 0;

	for (size_t i = 0; db && i < db->n && n < most; i++) {
		int k = 0;

		if (db->v[i].module)
			continue;
		while (k < n && id[k] != db->v[i].program)
			k++;
		if (k == n)
			id[n++] = db->v[i].program;
	}
	return n;
}

enum { MODULES_MOST = 200 };

static void choose_program(struct app *app, uint64_t program)
{
	results_renew(app, RESULT_TABLE_OPS);
	app->cap->scope.program = program;
}

void choice_all_modules(struct app *app)
{
	choose_program(app, 0);
}

static void picked_module(struct app *app, int i)
{
	uint64_t id[MODULES_MOST];
	int n = programs_of(result_get(app, RESULT_OPS), id, MODULES_MOST);

	choose_program(app, i > 0 && i <= n ? id[i - 1] : 0);
}

void choice_module(struct app *app)
{
	const struct opdb *db = result_get(app, RESULT_OPS);
	struct menu_item item[MODULES_MOST + 1] = { { 'a', "all", "", NULL } };
	char *name[MODULES_MOST];
	uint64_t id[MODULES_MOST];
	int n = programs_of(db, id, MODULES_MOST), here = 0;

	if (n < 2 && !app->cap->scope.program) {
		app_say(app, n ? "this capture has only one module" : "this capture has no module names");
		return;
	}
	for (int k = 0; k < n; k++) {
		struct slice t = op_program_name(app->cap->dump, id[k]);

		name[k] = xstrndup(t.s, t.n);
		item[k + 1] = (struct menu_item){ 0, name[k], "", NULL };
		here = id[k] == app->cap->scope.program ? k + 1 : here;
	}
	app_menu(app, "modules", item, n + 1, here, picked_module);
	for (int k = 0; k < n; k++)
		free(name[k]);
}

void choice_text(const struct app *app, char *buf, size_t size)
{
	size_t n = 0;

	*buf = 0;
	if (app->cap->scope.op_core >= 0)
		n = (size_t)snprintf(buf, size, "core %d   ", app->cap->scope.op_core);
	if (app->cap->scope.program) {
		struct slice t = op_program_name(app->cap->dump, app->cap->scope.program);

		snprintf(buf + n, size - n, "module %.*s   ", (int)t.n, t.s);
	}
}
