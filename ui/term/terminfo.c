#include "config.h"
#include "term/terminfo.h"

#include <curses.h>
#include <term.h>

void *terminfo_open(int fd)
{
	int why;

	return setupterm(NULL, fd, &why) == OK ? cur_term : NULL;
}

void terminfo_close(void *description)
{
	if (description)
		del_curterm(description);
}

const char *terminfo_string(const char *capability)
{
	const char *s = tigetstr((char *)capability);

	return s == (char *)-1 ? NULL : s;
}
