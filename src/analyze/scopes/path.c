#include "config.h"
#include "analyze/pieces/hlo_line.h"
#include "analyze/scopes/scopes.h"

#include "base/text/digit.h"

/* Parts are separated by slashes outside of brackets; what follows the colon of the last one is the kind of op. */
size_t scope_path(struct slice t, struct slice *part)
{
	size_t n = 0, from = 0;
	int depth = 0;

	if (!t.n)
		return 0;
	for (size_t i = 0; i <= t.n; i++) {
		char c = i < t.n ? t.s[i] : '/';
		bool last = i == t.n;

		depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
		if (!last && (c != '/' || depth > 0 || n == PATH_PARTS - 1))
			continue;
		part[n] = (struct slice){ t.s + from, i - from };
		if (last) {
			const char *colon = part[n].n ? memchr(part[n].s, ':', part[n].n) : NULL;

			part[n].n = colon ? (size_t)(colon - part[n].s) : part[n].n;
		}
		n += part[n].n > 0;
		from = i + 1;
	}
	return n;
}

static const char *const transforms[] = { "jit", "pjit", "jvp", "transpose", "vmap", "pmap", "xmap", "remat",
	"checkpoint", "custom_jvp", "custom_vjp", "shard_map" };

/* What the framework puts between the scopes of a program. */
static const char *const machinery[] = { "while", "body", "cond", "closed_call", "checkpoint",
	"rematted_computation", "remat", "remat2", "shard_map", "shmap_body", "pjit", "core_call",
	"named_call", "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "scan", "fori_loop" };

/* Takes "jvp(" and its bracket off. */
static bool unwrap_transform(struct slice *s)
{
	if (!s->n || s->s[s->n - 1] != ')')
		return false;
	for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
		struct slice rest = *s;

		if (!slice_cut(&rest, transforms[i]) || !slice_cut(&rest, "("))
			continue;
		rest.n--;
		*s = rest;
		return true;
	}
	return false;
}

static bool is_branch(struct slice s)
{
	if (!slice_cut(&s, "branch_") || !s.n || !is_digit(*s.s))
		return false;
	while (s.n && is_digit(*s.s)) {
		s.s++;
		s.n--;
	}
	return slice_is(s, "_fun");
}

static bool is_machinery(struct slice s)
{
	for (size_t i = 0; i < sizeof machinery / sizeof *machinery; i++)
		if (slice_is(s, machinery[i]))
			return true;
	return is_branch(s);
}

/* Scopes as the author of the program wrote them.  The last part, the op itself, stays. */
size_t scope_fold(const struct slice *part, size_t n, struct slice *out)
{
	struct slice inner[PATH_PARTS];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		struct slice s = part[i];
		size_t m;

		while (unwrap_transform(&s))
			;
		if (!s.n || (i < n - 1 && is_machinery(s)))
			continue;
		m = memchr(s.s, '/', s.n) ? scope_path(s, inner) : 1;
		inner[0] = m == 1 && !memchr(s.s, '/', s.n) ? s : inner[0];
		for (size_t j = 0; j < m && k < PATH_PARTS; j++)
			out[k++] = inner[j];
	}
	return k;
}

/* Does the part, or a bracket in it, begin so? */
static bool opens(struct slice s, const char *what)
{
	for (size_t i = 0; i < s.n; i++)
		if ((!i || s.s[i - 1] == '(') && slice_begins((struct slice){ s.s + i, s.n - i }, what))
			return true;
	return false;
}

static bool any_opens(const struct slice *part, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (opens(part[i], what))
			return true;
	return false;
}

enum scope_phase scope_phase_of(const struct slice *part, size_t n, struct slice text)
{
	for (size_t i = 0; i < n; i++)
		if (slice_is(part[i], "rematted_computation"))
			return PHASE_RECOMPUTE;
	if (slice_find(hlo_text_head(text), ".remat")) /* XLA's own */
		return PHASE_RECOMPUTE;
	return any_opens(part, n, "transpose(") ? PHASE_BACKWARD
	    : any_opens(part, n, "jvp(")        ? PHASE_FORWARD
						: PHASE_OTHER;
}
