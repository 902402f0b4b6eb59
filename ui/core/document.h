/* What E writes of a view: a report of the capture on the screen, with the options that stand for what the view
 * shows.  Of the table that has the rows of the sheet shown, those that the filter keeps are written, in the
 * sheet's order.  A view fills it for one call: what it points to stays the view's. */
#ifndef CORE_DOCUMENT_H
#define CORE_DOCUMENT_H

#include <string.h>

#include "base/mem.h"
#include "model/hlo.h"
#include "report/reports.h"

struct document {
	struct arena text;  /* for what the options point to */
	const char *report; /* that of the view; may be set to another one */
	struct report_options options;
	struct report_screen screen;
};

/* the name by which a report finds that module */
static inline const char *document_module(struct document *d, const struct dump *dump, size_t module)
{
	char title[HLO_TITLE];

	hlo_module_title(dump, module, title, sizeof title);
	return arena_strndup(&d->text, title, strlen(title));
}

#endif
