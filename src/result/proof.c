#include "config.h"
#include "result/proof.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "model/dump.h"

#define MODULE_MAX 60 /* longer module names are left out where the ID tells which module it is */

static const struct {
	const char *name, *view;
} kinds[EVIDENCE_COUNT] = {
	[EVIDENCE_INPUT] = { "input", "input" },
	[EVIDENCE_STEP_TIME] = { "step_time", "overview" },
	[EVIDENCE_EVENTS] = { "events", "timeline" },
	[EVIDENCE_OP_TIME] = { "op_time", "ops" },
	[EVIDENCE_OP_BOUNDS] = { "op_bounds", "roofline" },
	[EVIDENCE_CORES] = { "cores", "pod" },
	[EVIDENCE_KERNELS] = { "kernels", "kernels" },
	[EVIDENCE_BUFFERS] = { "buffers", "memory" },
	[EVIDENCE_ALLOCATIONS] = { "allocations", "memory_profile" },
	[EVIDENCE_TF_GRAPH] = { "tf_graph", "tf_graph" },
	[EVIDENCE_PTXLA] = { "ptxla", "ptxla" },
	[EVIDENCE_TEXTS] = { "texts", "triage" },
	[EVIDENCE_LLO] = { "llo", "llo" },
	[EVIDENCE_FILES] = { "files", "files" },
};

int evidence_named(const char *name)
{
	for (int i = 0; i < EVIDENCE_COUNT; i++)
		if (!strcmp(kinds[i].name, name))
			return i;
	return -1;
}

const char *evidence_view(enum evidence e)
{
	return kinds[e].view;
}

struct proof proof_of(enum evidence e)
{
	return (
	    struct proof){ .evidence = e, .text = "", .module = "", .members = "", .host = -1, .core = -1 };
}

/* Like snprintf() at buf + at; returns the new length. */
static __attribute__((format(printf, 4, 5))) size_t append(char *buf, size_t size, size_t at, const char *fmt,
    ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(at < size ? buf + at : NULL, at < size ? size - at : 0, fmt, ap);
	va_end(ap);
	return at + (size_t)n;
}

/* Hosts are shown by name; with a single host, not at all. */
static size_t append_core(const struct proof *p, const struct dump *d, char *buf, size_t size, size_t at)
{
	const struct host *h = d && p->host >= 0 && (size_t)p->host < d->nhosts ? &d->hosts[p->host] : NULL;

	if (h && d->nhosts > 1)
		return append(buf, size, at, "core %d of %.*s", p->core, (int)strtab_len(&d->str, h->name),
		    strtab_str(&d->str, h->name));
	if (h || p->host < 0)
		return append(buf, size, at, "core %d", p->core);
	return append(buf, size, at, "core %d:%d", p->host, p->core);
}

static size_t append_module(const struct proof *p, char *buf, size_t size, size_t at)
{
	at = append(buf, size, at, "module ");
	if (!p->program)
		return append(buf, size, at, "%s", p->module);
	if (strlen(p->module) > MODULE_MAX)
		return append(buf, size, at, "%" PRIu64, p->program);
	return append(buf, size, at, "%s(%" PRIu64 ")", p->module, p->program);
}

/* Appends what the proof refers to after the first `at` bytes.  d NULL: hosts are shown by number. */
static size_t append_subject(const struct proof *p, const struct dump *d, char *buf, size_t size, size_t at)
{
	switch (p->kind) {
	case REF_OP:
	case REF_NODE:
		return append(buf, size, at, "%s", p->text);
	case REF_STEP:
		at = append(buf, size, at, "step %s%s", p->text, p->core < 0 ? "" : " ");
		return p->core < 0 ? at : append_core(p, d, buf, size, at);
	case REF_CORE:
		return append_core(p, d, buf, size, at);
	case REF_MODULE:
		return append_module(p, buf, size, at);
	case REF_BUFFER:
		at = append(buf, size, at, "buffer %s%s", p->text, p->program ? " " : "");
		return p->program ? append_module(p, buf, size, at) : at;
	case REF_CHANNEL:
		return append(buf, size, at, "channel %s", p->text);
	case REF_COLLECTIVE:
		return append(buf, size, at, "collective %s", p->text);
	default:
		return at;
	}
}

char *proof_where(const struct proof *p)
{
	const char *view = evidence_view(p->evidence);
	size_t n = append_subject(p, NULL, NULL, 0, strlen(view) + 1) + 1;
	char *text = xmalloc(n);

	append_subject(p, NULL, text, n, append(text, n, 0, "%s:", view));
	return text;
}

/* Names are quoted, so that nothing in them has a meaning; one that would end the quote is left out. */
char *proof_filter(const struct proof *p)
{
	const char *what = p->evidence == EVIDENCE_BUFFERS ? "buffer" : "op", *s = p->members;
	size_t size = strlen(s) + 7 * p->nmembers + 64, at;
	char *text;

	if (!*s)
		return NULL;
	text = xmalloc(size);
	at = append(text, size, 0, "(?#%zu %s%s of the finding)^(?:", p->nmembers, what,
	    p->nmembers == 1 ? "" : "s");
	for (bool first = true; *s;) {
		size_t n = strcspn(s, "\n");

		if (!memmem(s, n, "\\E", 2)) {
			at = append(text, size, at, "%s\\Q%.*s\\E", first ? "" : "|", (int)n, s);
			first = false;
		}
		s += n + (s[n] == '\n');
	}
	append(text, size, at, ")$");
	return text;
}

char *proof_say(const struct proof *p, const struct dump *d, char *buf, size_t size)
{
	char time[40];

	*buf = 0;
	if (p->kind == REF_TIME)
		snprintf(buf, size, "%s", units_time_exact(time, sizeof time, p->first, false));
	else
		append_subject(p, d, buf, size, 0);
	return buf;
}
