#include "config.h"

#include "load/build/builder.h"

struct wire wire_map_value(const struct wire *entry)
{
	struct wire w = wire_open(entry->s, entry->n), value = wire_open("", 0);

	while (wire_next(&w))
		if (w.field == 2 && w.type == 2)
			value = wire_open(w.s, w.n);
	return value;
}

static void add_resource(struct build *b, int64_t pid, struct wire w, bool sorted)
{
	const char *name = "";
	size_t n = 0;
	int64_t id = 0, sort = BUILD_NO_SORT;
	struct build_track *t;
	uint32_t i;

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 2) {
			name = (const char *)w.s;
			n = w.n;
		} else if (w.field == 2 && w.type == 0) {
			id = (int64_t)w.u;
		} else if (w.field == 3 && w.type == 0 && sorted) {
			sort = (int32_t)w.u;
		}
	}
	i = build_thread(b, pid, id);
	t = &b->tracks[i];
	t->t.name = strtab_add(&b->dump->str, name, n);
	t->sort = sort == BUILD_NO_SORT ? id : sort;
}

void build_device(struct build *b, struct wire device, bool sorted)
{
	struct wire w = device;
	strid name = 0;
	int64_t id = 0;
	uint32_t proc;

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 2)
			name = strtab_add(&b->dump->str, (const char *)w.s, w.n);
		else if (w.field == 2 && w.type == 0)
			id = (int64_t)w.u;
	}
	proc = build_proc(b, id);
	b->procs[proc].name = name;
	b->procs[proc].sort = id;
	for (w = device; wire_next(&w);)
		if (w.field == 3 && w.type == 2)
			add_resource(b, id, wire_map_value(&w), sorted);
}
