#include "config.h"
#include "analyze/hlo/host_memory.h"

#include <math.h>
#include <string.h>

#include "analyze/hlo/shape.h"

#define SPACE_OF_HOST 5

/* A tuple is what a copy that goes on has: its start only reads, its end only writes. */
static double host_bytes(const struct shape *s)
{
	bool is = shape_is_array(s) && s->layout && s->layout->space == SPACE_OF_HOST;

	return is ? fmax(0, (double)shape_padded(s)) : 0;
}

static double take_shape(struct slice *text, struct arena *a)
{
	struct shape s;
	size_t n = shape_parse(a, text->s, text->n, &s);

	text->s += n;
	text->n -= n;
	return n ? host_bytes(&s) : 0;
}

/* Skips what comes before one of the bytes of `stops`, and that. */
static char skip_to(struct slice *text, const char *stops)
{
	while (text->n) {
		char c = *text->s++;

		text->n--;
		if (strchr(stops, c))
			return c;
	}
	return 0;
}

/* "%copy.1 = f32[8]{0} copy(f32[8]{0:S(5)} %a, f32[] %b), …" */
double host_memory_bytes(struct slice text, double read, double written)
{
	double operands = 0, result;
	struct arena a = { 0 };

	if (!slice_find(text, "S(5)") || !skip_to(&text, "=") || !skip_to(&text, " "))
		return 0;
	result = take_shape(&text, &a);
	for (char c = skip_to(&text, "("); c && c != ')'; c = skip_to(&text, ",)")) {
		text = slice_trim(text);
		if (slice_begins(text, "/*") && skip_to(&text, "*") && skip_to(&text, "*"))
			skip_to(&text, "/");
		operands += take_shape(&text, &a);
	}
	arena_free(&a);
	return isnan(written) ? fmin(read, operands + result) : fmin(read, operands) + fmin(written, result);
}
