#include "config.h"

#include "load/xspace/process.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "load/source/file_name.h"

#define COMPARED 1000 /* files of a host whose names are compared: with more than that, all are numbered */

static int by_machine(const void *a, const void *b)
{
	const struct xprocess *x = a, *y = b;
	int order = slice_order(x->machine, y->machine);

	return order ? order : x->file - y->file;
}

VEC_ORDER(by_rank, struct xprocess, UP(first) UP(rank) UP(file));

/* The name of a file up to its suffix, with the folder that says its rank. */
static char *name_of(const struct file *f)
{
	struct slice stem = file_name_host(f->base);
	struct file_rank rank;

	if (!file_name_rank(f->path, &rank) || !rank.folder.n)
		return xstrndup(stem.s, stem.n);
	return xasprintf("%.*s_%.*s", (int)rank.folder.n, rank.folder.s, (int)stem.n, stem.s);
}

static bool others_have(const struct dump *d, const struct xprocess *v, size_t n, size_t i, const char *name)
{
	bool taken = false;

	for (size_t k = 0; k < n && !taken; k++) {
		char *other = k == i ? NULL : name_of(&d->files[v[k].file]);

		taken = slice_is(slice_of(other), name);
		free(other);
	}
	return taken;
}

/* The files of one host, in the order of their names: those without names of their own are numbered. */
static void name_processes(struct dump *d, const struct xprocess *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct file *f = &d->files[v[i].file];
		char *name = name_of(f);

		if (f->process) {
			free(name);
			continue;
		}
		if (n > COMPARED || others_have(d, v, n, i, name)) {
			char *numbered = xasprintf("process%zu_%s", i + 1, name);

			free(name);
			name = numbered;
		}
		f->process = arena_strndup(&d->arena, name, strlen(name));
		free(name);
	}
}

/* "rank 0 · vm", and for those whose rank is not known "vm · process 1" */
static strid label_of(struct dump *d, const struct xprocess *p)
{
	char *label;
	int nth = 1;
	strid id;

	for (size_t i = 0; i + 1 < d->nhosts; i++)
		nth += slice_same(dump_text(d, d->hosts[i].machine), p->machine);
	label = p->rank >= 0 ? xasprintf("rank %d · %.*s", p->rank, (int)p->machine.n, p->machine.s)
			     : xasprintf("%.*s · process %d", (int)p->machine.n, p->machine.s, nth);
	id = strtab_addz(&d->str, label);
	free(label);
	return id;
}

static int add_host(struct dump *d, const struct xprocess *p)
{
	const char *process = d->files[p->file].process;
	int host;

	if (!process)
		return dump_host(d, p->machine.s, p->machine.n + p->port);
	host = dump_host(d, process, strlen(process));
	d->hosts[host].machine = strtab_add(&d->str, p->machine.s, p->machine.n);
	d->hosts[host].rank = p->rank;
	d->hosts[host].label = label_of(d, p);
	return host;
}

void process_hosts(struct dump *d, struct xprocess *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct file *f = &d->files[v[i].file];
		struct file_rank r;
		bool ranked = file_name_rank(f->path, &r);

		v[i].rank = ranked ? r.rank : -1;
		v[i].machine = v[i].stated.n ? v[i].stated : ranked ? r.host : file_name_host(f->base);
		v[i].port = v[i].stated.n ? 0 : file_name_port(v[i].machine);
		v[i].machine.n -= v[i].port;
	}
	VEC_SORT(v, n, by_machine);
	for (size_t a = 0, end; a < n; a = end) {
		for (end = a; end < n && slice_same(v[end].machine, v[a].machine); end++)
			v[end].first = v[a].file;
		if (end - a > 1 || (!v[a].stated.n && v[a].rank >= 0))
			name_processes(d, v + a, end - a);
	}
	VEC_SORT(v, n, by_rank);
	for (size_t i = 0; i < n; i++)
		d->files[v[i].file].host = add_host(d, &v[i]);
}
