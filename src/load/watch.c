#include "config.h"

#include "load/watch.h"

#include <stdio.h>

#include "base/mem.h"
#include "load/source/source.h"

static const struct {
	enum problem_level level;
	const char *text;
} news[] = {
	[SOURCE_GONE] = { PROBLEM_WARN,
	    "was deleted after it was opened; what is shown is right, but cannot be read again" },
	[SOURCE_REPLACED] = { PROBLEM_WARN,
	    "was replaced after it was opened; what is shown is the old file" },
	[SOURCE_WRITTEN] = { PROBLEM_WARN,
	    "was written to after it was opened; names and details may be wrong until it is read again" },
	[SOURCE_SHRUNK] = { PROBLEM_DAMAGE,
	    "shrank after it was opened; names and details may be blank until it is read again" },
	[SOURCE_MIXED] = { PROBLEM_DAMAGE,
	    "changed while it was read; what is shown may be of two versions until it is read again" },
};

static const char no_memory[] =
    "there was not enough memory: numbers and details may be missing; allow more with --memory, end other "
    "programs, or open fewer files, and read it again";

size_t load_watch(struct dump *d, bool ask, char *text, size_t size)
{
	enum source_change worst = SOURCE_SAME;
	size_t n = 0, first = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		struct file *f = &d->files[i];
		enum source_change now = f->source ? source_news(f->source, ask) : SOURCE_SAME;

		if (now == SOURCE_SAME)
			continue;
		n++;
		problem_add(&d->problems, news[now].level, (int)i, ERR_NOWHERE, 1, "%s", news[now].text);
		f->partial |= now >= SOURCE_SHRUNK;
		if (now > worst) {
			worst = now;
			first = i;
		}
	}
	if (mem_refusals() != d->refusals) {
		d->refusals = mem_refusals();
		problem_add(&d->problems, PROBLEM_DAMAGE, -1, ERR_NOWHERE, 1, "%s", no_memory);
		if (!n++)
			snprintf(text, size, "%s", no_memory);
	} else if (n > 1)
		snprintf(text, size, "%s and %zu more: %s", d->files[first].base, n - 1, news[worst].text);
	else if (n)
		snprintf(text, size, "%s %s", d->files[first].base, news[worst].text);
	return n;
}
