/* The composition root: the only file of src that knows ui.  Options become what the app wants, and nothing else happens here. */
#include "config.h"

#include <locale.h>

#include "cli/cli.h"
#include "core/app.h"
#include "core/bench.h"

static struct app_options app_options_of(const struct options *o, const struct sample *s)
{
	return (struct app_options){
		.paths = o->paths, .npaths = o->npaths, .sample = s->bytes, .sample_size = s->size, .sample_name = s->name,
		.load = { .threads = o->threads, .run = o->run, .host = o->report.host }, .view = o->view,
		.theme = o->mono ? "mono" : NULL, .ascii = o->ascii, .colors = o->mono ? 0 : o->colors,
		.clock = o->plain_clock ? CLOCK_PLAIN : CLOCK_DEVICE,
	};
}

static int view(const struct options *o, const struct sample *s, struct err *err)
{
	struct app_options a = app_options_of(o, s);

	return app_run(&a, err);
}

static int snapshot(const struct options *o, const struct sample *s, FILE *out, struct err *err)
{
	struct app_options a = app_options_of(o, s);

	return app_snapshot(&a, o->tool, o->keys, o->rows ? o->rows : 40, o->cols ? o->cols : 120, o->colors < 0 ? 0 : o->colors, out, err);
}

static int bench(const struct options *o, const struct sample *s, FILE *out, struct err *err)
{
	struct app_options a = app_options_of(o, s);

	return app_bench(&a, o->rows ? o->rows : 60, o->cols ? o->cols : 300, out, err);
}

int main(int argc, char **argv)
{
	static const struct frontend frontend = { view, snapshot, bench, action_list };

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	return cli_main(argc, argv, &frontend);
}
