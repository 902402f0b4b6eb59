#include "config.h"
#include "capture/internal.h"

const char *result_name(enum result k)
{
	return result_kinds[k].what;
}

bool result_is_single(enum result k)
{
	return result_singles & 1u << k;
}

static bool has_more(const struct capture *c, uint64_t events)
{
	return c->base && (c->base->trace.events > events || c->base->trace.ntracks > CAPTURE_WIDE);
}

bool capture_is_large(const struct capture *c)
{
	return has_more(c, CAPTURE_LARGE);
}

bool capture_is_huge(const struct capture *c)
{
	return has_more(c, CAPTURE_HUGE);
}

enum result capture_soon_findings(const struct capture *c)
{
	return capture_is_large(c) ? RESULT_FIRST_FINDINGS : RESULT_FINDINGS;
}

unsigned capture_needs(const struct capture *c, enum result k)
{
	unsigned without = 0;

	if (k == RESULT_DIFF) /* two large captures are compared without what needs pieces of time */
		without = FINDINGS_EITHER & ~(1u << capture_soon_findings(c));
	if (k == RESULT_FINDINGS && capture_is_huge(c))
		without = RESULT_PIECES;
	if (k == RESULT_MENDED && capture_is_huge(c))
		without = 1u << RESULT_REPLAY;
	return result_kinds[k].needs & ~without;
}

/* Results come after those they are made from. */
unsigned result_users(enum result k)
{
	unsigned which = 1u << k;

	for (int i = k + 1; i < RESULT_COUNT; i++)
		if (result_kinds[i].needs & which)
			which |= 1u << i;
	return which;
}

const void *capture_has(const struct capture *c, enum result k)
{
	return c->slot[k].value;
}

unsigned long capture_serial(const struct capture *c, enum result k)
{
	return c->slot[k].value ? c->slot[k].serial : 0;
}

void *capture_make(const struct capture *c, enum result k, struct progress *p, struct err *err)
{
	void *made = result_kinds[k].make(&(struct result_env){ c, p, err });

	/* the next result may look at others */
	for (uint32_t i = 0; i < c->base->trace.nplanes; i++)
		dump_let_go(c->base, i);
	if (made && progress_canceled(p)) { /* a partial result is useless */
		result_kinds[k].free(made);
		return NULL;
	}
	return made;
}

void result_free(enum result k, void *made)
{
	if (made)
		result_kinds[k].free(made);
}

void capture_keep(struct capture *c, enum result k, void *made)
{
	struct result_slot *s = &c->slot[k];

	result_free(k, s->old);
	*s = (struct result_slot){ .value = made, .serial = ++c->serial };
}

void capture_forget(struct capture *c, unsigned which)
{
	for (int i = 0; i < RESULT_COUNT; i++) {
		struct result_slot *s = &c->slot[i];

		if (!(which & 1u << i) || !s->value)
			continue;
		result_free((enum result)i, s->old);
		*s = (struct result_slot){ .old = s->value };
	}
}

const void *capture_get(struct capture *c, enum result k, struct progress *p, struct err *err)
{
	struct err none;
	void *made;

	if (c->slot[k].value)
		return c->slot[k].value;
	for (int i = 0; i < RESULT_COUNT; i++)
		if (capture_needs(c, k) & 1u << i && !capture_get(c, (enum result)i, p, err))
			return NULL;
	capture_steps(c);
	if ((made = capture_make(c, k, p, err ? err : &none)))
		capture_keep(c, k, made);
	return made;
}
