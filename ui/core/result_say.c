#include "config.h"
#include "core/results.h"

#include <stdio.h>
#include <string.h>

#include "core/job.h"
#include "model/toolfile.h"

char *result_what(const struct app *app, enum result k, char *buf, size_t size)
{
	int percent;
	const char *what = jobs_what(app, &percent);

	snprintf(buf, size, "%s", what ? what : result_name(k));
	if (what && percent >= 0)
		snprintf(buf + strlen(buf), size - strlen(buf), " %d %%", percent);
	return buf;
}

void result_draw_what(const struct app *app, enum result k, struct canvas *c, struct rect r)
{
	char text[256];

	canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_DIM, 0, result_what(app, k, text, sizeof text));
}

void results_draw_what(const struct app *app, unsigned which, struct canvas *c, struct rect r)
{
	int last = RESULT_COUNT - 1;

	while (last > 0 && !(which & 1u << last))
		last--;
	result_draw_what(app, (enum result)last, c, r);
}

char *result_of_file(const struct app *app, enum file_kind kind, char *buf, size_t size)
{
	const struct dump *d = app->cap->dump;
	size_t more = 0;

	*buf = 0;
	if (!d || !toolfile_alone(d, kind, capture_host(app->cap), &more))
		return buf;
	if (more)
		snprintf(buf, size, "the profiler's own numbers, file 1 of %zu", more + 1);
	else
		snprintf(buf, size, "the profiler's own numbers");
	return buf;
}
