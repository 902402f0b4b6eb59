#include "config.h"
#include "analyze/memory/memory.h"

/* Its message, where it has one; scratch NULL: it stays with the dump. */
static const Pb__HloProto *message_of(const struct dump *d, size_t module, struct arena *scratch,
    struct err *err)
{
	struct err damaged = { .at = ERR_NOWHERE };
	const Pb__HloProto *proto;

	if (!scratch)
		return hlo_module_proto(d, module, err);
	proto = hlo_module_read(d, module, scratch, &damaged, err);
	if (proto && damaged.status)
		*err = damaged;
	return proto;
}

int memory_make(const struct dump *d, size_t module, int space, int64_t said, struct arena *scratch,
    struct memory *m, struct err *err)
{
	const struct hlo_module *h = &d->modules[module];
	bool message = !h->result && h->origin != HLO_TEXT, other = h->result && space;
	bool is_said = said >= 0 && space == MEMORY_HBM;
	const Pb__HloProto *proto;

	*err = (struct err){ .at = ERR_NOWHERE };
	proto = message ? message_of(d, module, scratch, err) : NULL;
	if (space == MEMORY_VMEM)
		hlo_module_scoped(d, module);
	memory_build(other ? NULL : h, proto, space, is_said ? said : memory_limit_of(d, space), m);
	m->limit_said = is_said;
	if (other)
		m->problem = "the file has only memory space 0";
	return message && !proto && !h->ntexts ? -1 : 0;
}
