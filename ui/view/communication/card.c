#include "config.h"
#include "view/communication/communication.h"

#include <math.h>
#include <stdio.h>

#include "core/app.h"
#include "widget/fields.h"

enum { LABEL = 14, WIDE = 72 };

static const char *const forms[COMM_PAGES] = {
	[PAGE_OPS] = "?kind mode axis groups count wall_us hidden_us exposed_us transfer_us wait_us other_us "
		     "barrier_us "
		     "bytes algbw_gbps busbw_gbps bandwidth_is ici_peak_gbps ici_percent save_us hidden_by "
		     "hidden_runs partial_runs exposed_runs "
		     "done_name",
	[PAGE_KINDS] = "count wall_us hidden_us exposed_us other_us wait_us bytes_total busbw_gbps share",
	[PAGE_CORES] = "host core inflight_us hidden_us exposed_us other_us wait_us last first",
	[PAGE_STEPS] = "host core step inflight_us hidden_us exposed_us other_us wait_us",
	[PAGE_COPIES] =
	    "?kind count wall_us hidden_us exposed_us other_us hidden_runs partial_runs exposed_runs",
};

/* Which core sits in communication how long: who has least of it comes last. */
static void put_cores(struct pen *p, const struct communication *c)
{
	double steps = c->steps ? (double)c->steps : 1;

	pen_head(p, "per core", c->steps ? "exposed in a step, all ops" : "exposed, all ops");
	for (size_t i = 0; i < c->ncores; i++) {
		char label[32];

		snprintf(label, sizeof label, "core %d", c->core[i].core);
		pen_fields(p, FIELDS({ label, "us", .v = (double)c->core[i].exposed / 1e6 / steps }));
	}
}

int communication_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct communication_view *s = v->state;
	const struct table *t = &s->pages.table[s->pages.page];
	size_t row = sheet_row(&s->pages.sheet[s->pages.page]);
	bool op = s->pages.page == PAGE_OPS || s->pages.page == PAGE_COPIES;
	const char *form = forms[s->pages.page] ? forms[s->pages.page] : forms[PAGE_KINDS];
	struct pen p = { .c = c, .r = r, .y = r.y, .label = how == FRAME_BESIDE ? 0 : LABEL };

	if (row >= t->nrows)
		return r.y;
	p.across = how == FRAME_BESIDE || r.w < WIDE ? 1 : 2;
	if (op || s->pages.page < PAGE_CORES)
		pen_name(&p, table_str(t, row, (size_t)table_column(t, op ? "name" : "key")));
	if (op) {
		pen_path(&p, table_str(t, row, (size_t)table_column(t, "tf_op")));
		pen_path(&p, table_str(t, row, (size_t)table_column(t, "source")));
	}
	pen_row(&p, t, row, form, how == FRAME_FULL);
	if (how != FRAME_BELOW && s->pages.page == PAGE_OPS)
		put_cores(&p, s->c);
	return p.y;
}
