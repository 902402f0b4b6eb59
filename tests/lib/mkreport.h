/* A report on a dump that stays open, by the name of the tool. */
#ifndef TESTS_LIB_MKREPORT_H
#define TESTS_LIB_MKREPORT_H

#include <stdlib.h>
#include <string.h>

#include "report/reports.h"

static inline int report_dump(struct dump *d, const char *tool, const struct report_options *o, FILE *f,
    struct err *e)
{
	const struct report_tool *t = report_named(tool);
	struct capture *c = capture_of(d, o->threads);
	int status;

	if (!t)
		abort();
	status = report_run(t, c, o, f, e);
	c->base = NULL;
	capture_close(c);
	return status;
}

#endif
