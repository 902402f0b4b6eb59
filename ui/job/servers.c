#include "config.h"

#include <stdlib.h>

#include "base/mem.h"
#include "job/internal.h"

int servers_begin(struct servers *s, const char *list, struct err *err)
{
	int bad;

	if (!address_network()) {
		*s = (struct servers){ 0 };
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "this viewer gave up the network before it opened its files; start it with --live");
	}
	bad = address_list(&s->address, &s->n, list, 0, err);
	s->to = xcalloc(s->n + 1, sizeof *s->to);
	for (size_t i = 0; i < s->n && !bad; i++) {
		bad = address_look_up(&s->address[i], &s->to[i], err);
		if (!bad && !s->to[i].loopback)
			bad = err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "%s is another machine: use a tunnel (ssh -L %d:localhost:%d %s), or tpuscope "
			    "capture "
			    "--allow-remote",
			    s->address[i].text, s->address[i].port, s->address[i].port, s->address[i].host);
	}
	if (bad)
		servers_end(s);
	return bad;
}

void servers_end(struct servers *s)
{
	free(s->address);
	free(s->to);
	*s = (struct servers){ 0 };
}
