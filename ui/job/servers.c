#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "job/internal.h"

int servers_begin(struct servers *s, const char *list, struct err *err)
{
	*s = (struct servers){ 0 };
	if (!address_network())
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "this viewer has no network access; start it with --live");
	if (address_list(&s->address, &s->n, list, 0, err))
		return -1;
	s->to = xcalloc(s->n + 1, sizeof *s->to);
	return 0;
}

int servers_look_up(struct servers *s, bool allow_remote, struct err *err)
{
	*s->warning = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct address *a = &s->address[i];

		if (address_look_up(a, &s->to[i], err))
			return -1;
		if (!s->to[i].loopback && !allow_remote)
			return err_set(err, EXIT_USAGE, ERR_NOWHERE,
			    "%s is another machine: use a tunnel (ssh -L %d:localhost:%d %s), or tpuscope "
			    "capture "
			    "--allow-remote",
			    a->text, a->port, a->port, a->host);
		if (s->to[i].loopback && a->port)
			address_ambiguous(a->port, s->warning, sizeof s->warning);
	}
	return 0;
}

void servers_end(struct servers *s)
{
	free(s->address);
	free(s->to);
	*s = (struct servers){ 0 };
}
