#include "config.h"
#include "analyze/cover/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LINE_MAX ((size_t)4 << 20) /* longer lines are cut */

static const struct cover_kind *const kinds[] = { &cover_json, &cover_literal, &cover_returns,
	&cover_doubled };

struct cover *cover_new(void (*give)(void *ctx, const char *, size_t n, uint64_t line), void *ctx)
{
	struct cover *c = xcalloc(1, sizeof *c);

	c->give = give;
	c->ctx = ctx;
	return c;
}

/* Chats put those of Markdown beside the text. */
static size_t without_fence(char *s, size_t n)
{
	if (n > 3 && !memcmp(s, "```", 3) && memchr(s, ' ', n))
		memmove(s, s + 3, n -= 3);
	return n > 3 && !memcmp(s + n - 3, "```", 3) ? n - 3 : n;
}

void cover_end_line(struct cover *c, bool empty)
{
	if (!c->nout && !empty)
		return;
	if (!c->nout)
		c->out_line = c->line + 1;
	if (c->kind == &cover_json)
		c->nout = without_fence(c->out, c->nout);
	VEC_ADD(c->out, c->nout, c->out_cap, '\n');
	c->give(c->ctx, c->out, c->nout, c->out_line);
	c->nout = 0;
}

void cover_put(struct cover *c, const char *s, size_t n)
{
	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t take = end ? (size_t)(end - s) : n;

		if (!c->nout)
			c->out_line = c->line + 1;
		if (c->nout + take > c->out_cap) {
			c->out_cap = 2 * (c->nout + take) + 64;
			c->out = xrealloc(c->out, c->out_cap, 1);
		}
		if (take)
			memcpy(c->out + c->nout, s, take);
		c->nout += take;
		if (end || c->nout > LINE_MAX)
			cover_end_line(c, true);
		take += end != NULL;
		s += take;
		n -= take;
	}
}

static void keep_head(struct cover *c, const char *s, size_t n)
{
	if (c->nhead + n > c->head_cap) {
		c->head_cap = 2 * (c->nhead + n);
		c->head = xrealloc(c->head, c->head_cap, 1);
	}
	memcpy(c->head + c->nhead, s, n);
	c->nhead += n;
}

static void read_text(struct cover *c, const char *s, size_t n)
{
	c->open = s[n - 1] != '\n';
	if (c->kind)
		c->kind->read(c, (struct slice){ s, n });
	else
		c->give(c->ctx, s, n, 0);
}

static void find_kind(struct cover *c, struct slice head)
{
	c->known = true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !c->kind; i++)
		if (kinds[i]->is(head))
			c->kind = kinds[i];
	c->json.pieces = slice_find(head, "\\n\"") != NULL;
}

static void look_at_head(struct cover *c)
{
	find_kind(c, (struct slice){ c->head, c->nhead });
	read_text(c, c->head, c->nhead);
	c->nhead = 0;
}

void cover_text(struct cover *c, const char *s, size_t n)
{
	if (!n)
		return;
	if (!c->known && !c->nhead && n >= COVER_HEAD)
		find_kind(c, (struct slice){ s, COVER_HEAD });
	if (c->known) {
		read_text(c, s, n);
		return;
	}
	keep_head(c, s, n);
	if (c->nhead >= COVER_HEAD)
		look_at_head(c);
}

uint64_t cover_end(struct cover *c)
{
	uint64_t lines;

	if (!c->known && c->nhead)
		look_at_head(c);
	if (c->kind)
		cover_end_line(c, false);
	lines = c->kind ? c->line + c->open : 0;
	c->kind = NULL;
	c->known = false;
	c->nhead = c->nout = 0;
	c->line = 0;
	c->json = (struct cover_json){ 0 };
	c->quote = 0;
	return lines;
}

void cover_free(struct cover *c)
{
	if (!c)
		return;
	free(c->head);
	free(c->out);
	free(c);
}
