#include "config.h"
#include "analyze/hlo/usage_report.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/sizes.h"

/* Parses "Memory Space: vmem (color=1)". */
static bool space_line(struct usage_report *o, struct slice s, struct arena *text)
{
	const char *at;
	struct slice label = { s.s + 14, s.n - 14 };
	struct usage_space x = { .color = SIZE_NONE, .total = SIZE_NONE };

	if (!(at = slice_find(s, "(color=")) || at < label.s)
		return false;
	label.n = (size_t)(at - label.s);
	label = slice_trim(label);
	size_read_after(s, "(color=", &x.color);
	x.label = label.n ? arena_strndup(text, label.s, label.n) : NULL;
	VEC_ADD(o->spaces, o->nspaces, o->spaces_cap, x);
	o->open = true;
	return true;
}

/* A row that is cut off inside its shapes has an open bracket, or ends where a shape should begin. */
static bool whole_shapes(struct slice s)
{
	int depth = 0;

	if (!s.n || s.s[s.n - 1] == ',' || (s.s[s.n - 1] & 0x80))
		return false;
	for (size_t i = 0; i < s.n; i++)
		depth += (s.s[i] == '[' || s.s[i] == '(') - (s.s[i] == ']' || s.s[i] == ')');
	return depth == 0 &&
	    (s.s[s.n - 1] == ']' || s.s[s.n - 1] == ')' || s.s[s.n - 1] == '.' || s.s[s.n - 1] == '}');
}

static bool skip_text(struct slice *s, const char *what)
{
	*s = slice_trim(*s);
	return slice_cut(s, what);
}

/* Parses " 24.00GiB( 99%); 4.00GiB; 21474836480; 2; 2×f32[8192,1024,128]". */
static bool row_of(struct slice s, struct usage_slot *x)
{
	return size_read(&s, &x->cumulative) && skip_text(&s, "(") && size_read(&s, &x->percent) &&
	    skip_text(&s, "%)") && skip_text(&s, ";") && size_read(&s, &x->size) && skip_text(&s, ";") &&
	    size_read(&s, &x->offset) && skip_text(&s, ";") && size_read(&s, &x->values) &&
	    skip_text(&s, ";") && whole_shapes(s = slice_trim(s)) && (x->shapes = s.s) &&
	    (x->rank = (int64_t)s.n);
}

bool usage_report_line(struct usage_report *o, struct slice s, struct arena *text)
{
	struct usage_space *x;
	struct usage_slot row = { 0 };
	int64_t v;

	if (slice_begins(s, "Memory Space: "))
		return space_line(o, s, text);
	if (slice_begins(s, "Memory usage report:"))
		return true;
	if (!o->open || !o->nspaces)
		return false;
	x = &o->spaces[o->nspaces - 1];
	if (slice_cut(&s, "Total bytes: ")) {
		if (size_read(&s, &v))
			x->total = v;
		return true;
	}
	if (slice_begins(s, "cumulative_size;")) {
		x->sections++;
		return true;
	}
	if (slice_begins(s, "----"))
		return true;
	if (*s.s < '0' || *s.s > '9' || !x->sections)
		return false;
	row.space = o->nspaces - 1;
	row.section = x->sections - 1;
	if (!row_of(s, &row)) {
		o->cut |= slice_find(s, "iB") || slice_find(s, "B(");
		return o->cut;
	}
	row.shapes = arena_strndup(text, row.shapes, (size_t)row.rank);
	row.rank = o->nslots && o->slots[o->nslots - 1].space == row.space &&
		o->slots[o->nslots - 1].section == row.section
	    ? o->slots[o->nslots - 1].rank + 1
	    : 1;
	VEC_ADD(o->slots, o->nslots, o->slots_cap, row);
	x->rows++;
	return true;
}

void usage_report_free(struct usage_report *o)
{
	free(o->spaces);
	free(o->slots);
	*o = (struct usage_report){ 0 };
}
