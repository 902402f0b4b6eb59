#include "config.h"

#include "fetch/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/natural.h"
#include "base/text/slice.h"
#include "base/text/words.h"
#include "load/probe/logdir.h"
#include "load/probe/run_time.h"

static bool is_capture(const struct fetch_file *f, struct logdir_form *form)
{
	return logdir_form_of(f->name, form) && !form->result;
}

static bool is_program(const struct fetch_file *f)
{
	return slice_ends(slice_of(f->name), ".hlo_proto.pb");
}

static struct slice folder_of(const struct fetch_file *f)
{
	return (struct slice){ f->url, f->folder };
}

/* The last component of a folder: the name of the run. */
static struct slice run_of(const struct fetch_file *f)
{
	struct slice t = folder_of(f);

	for (size_t i = t.n; i-- > 0;)
		if (t.s[i] == '/')
			return (struct slice){ t.s + i + 1, t.n - i - 1 };
	return t;
}

static bool is_newer(const struct fetch_file *a, const struct fetch_file *b)
{
	struct slice x = run_of(a), y = run_of(b);
	char *of[] = { xstrndup(x.s, x.n), xstrndup(y.s, y.n) };
	int64_t at[] = { run_began(of[0], a->time), run_began(of[1], b->time) };

	free(of[0]);
	free(of[1]);
	return at[0] != at[1] ? at[0] > at[1] : natural_cmp(x.s, x.n, y.s, y.n) > 0;
}

/* A file of the newest run, or of the run that is asked for; NULL: there is none. */
static const struct fetch_file *find_run(const struct fetch_list *l, const char *run)
{
	const struct fetch_file *best = NULL;
	struct logdir_form form;

	for (size_t i = 0; i < l->n; i++) {
		const struct fetch_file *f = &l->v[i];

		if (!is_capture(f, &form) || (run && !slice_is(run_of(f), run)))
			continue;
		if (!best || is_newer(f, best))
			best = f;
	}
	return best;
}

/* A file of the run; of the captures of a host those are kept that a folder of them would open. */
struct candidate {
	const struct fetch_file *f;
	struct logdir_form form;
	bool kept;
};

static int by_host(const void *a, const void *b)
{
	const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;
	size_t n = x->form.host < y->form.host ? x->form.host : y->form.host;
	int order = memcmp(x->f->name, y->f->name, n);

	if (order || x->form.host != y->form.host)
		return order ? order : x->form.host < y->form.host ? -1 : 1;
	return logdir_goes_before(&y->form, &x->form) - logdir_goes_before(&x->form, &y->form);
}

static bool same_host(const struct candidate *a, const struct candidate *b)
{
	return a->form.host == b->form.host && !memcmp(a->f->name, b->f->name, a->form.host);
}

static void choose_captures(struct candidate *v, size_t n)
{
	struct candidate **order = xcalloc(n + 1, sizeof *order), *best = NULL;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!v[i].kept)
			order[k++] = &v[i];
	qsort(order, k, sizeof *order, by_host);
	for (size_t i = 0; i < k; i++) {
		if (!best || !same_host(best, order[i]))
			best = order[i];
		order[i]->kept = !logdir_goes_before(&best->form, &order[i]->form);
	}
	free(order);
}

static int refuse_run(const struct fetch_list *l, const char *url, const char *run, struct err *err)
{
	char all[200] = "";
	struct slice last = { "", 0 };
	struct logdir_form form;

	for (size_t i = 0; i < l->n; i++) {
		char *name;

		if (!is_capture(&l->v[i], &form) || slice_same(run_of(&l->v[i]), last))
			continue;
		last = run_of(&l->v[i]);
		name = xstrndup(last.s, last.n);
		words_add(all, sizeof all, ", ", name);
		free(name);
	}
	if (*all)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "no run %.60s there; runs: %s", run, all);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no capture in %.200s (%zu files)", url, l->n);
}

int fetch_choose(struct fetch_list *l, const char *url, const char *run, char **name, struct err *err)
{
	const struct fetch_file *of = find_run(l, run);
	struct fetch_list kept = { 0 };
	struct candidate *v;
	struct slice folder;
	size_t n = 0;

	if (!of)
		return refuse_run(l, url, run, err);
	folder = folder_of(of);
	*name = xstrndup(run_of(of).s, run_of(of).n);
	v = xcalloc(l->n, sizeof *v);
	for (size_t i = 0; i < l->n; i++) {
		struct candidate *c = &v[n];

		*c = (struct candidate){ .f = &l->v[i], .kept = is_program(&l->v[i]) };
		n += slice_same(folder_of(c->f), folder) && (c->kept || is_capture(c->f, &c->form));
	}
	choose_captures(v, n);
	for (size_t i = 0; i < n; i++)
		if (v[i].kept) {
			VEC_ADD(kept.v, kept.n, kept.cap, *v[i].f);
			kept.v[kept.n - 1].url = xstrdup(v[i].f->url);
			kept.v[kept.n - 1].name = kept.v[kept.n - 1].url + v[i].f->folder + 1;
		}
	free(v);
	fetch_list_free(l);
	*l = kept;
	return 0;
}
