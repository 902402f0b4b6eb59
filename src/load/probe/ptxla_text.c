#include "config.h"
#include "load/probe/ptxla_text.h"

#include <string.h>

static const struct {
	const char *text;
	enum file_kind kind;
} phrases[] = {
	{ "[MetricsData; step=", FILE_PTXLA_METRICS },
	{ "TotalSamples: ", FILE_PTXLA_METRICS },
	{ "Compilation Analysis: ", FILE_PTXLA_DEBUG },
	{ "Execution Analysis: ", FILE_PTXLA_DEBUG },
	{ "pt-xla-profiler: ", FILE_PTXLA_DEBUG },
	{ "## BEGIN_GRAPH\n", FILE_PTXLA_DEBUG },
	{ "Unlowered Op", FILE_PTXLA_DEBUG },
	{ " IR graph hash ", FILE_PTXLA_DEBUG },
	{ "IR {\n  %0 = ", FILE_PTXLA_DEBUG },
	{ "digraph G {\n  node0 [label=\"", FILE_PTXLA_DEBUG },
	{ "digraph G {\n  node0\n[label=\"", FILE_PTXLA_DEBUG }, /* wrapped between words */
	{ "[HLO Graph ", FILE_PTXLA_DEBUG },
	{ "C++ Frames:\n*** Begin stack trace ***", FILE_PTXLA_DEBUG },
	{ ">>> Dumping Computation ", FILE_PTXLA_DEBUG },
};

/* "Counter: NAME", and "Value: N" in the next line */
static const char *counter_in(const char *s, size_t n)
{
	static const char counter[] = "Counter: ", value[] = "Value: ";
	const char *at = s, *end = s + n, *line, *next;

	while ((at = memmem(at, (size_t)(end - at), counter, strlen(counter)))) {
		line = memchr(at, '\n', (size_t)(end - at));
		next = line ? memchr(line + 1, '\n', (size_t)(end - line - 1)) : NULL;
		next = next ? next : end;
		if (line && memmem(line, (size_t)(next - line), value, strlen(value)))
			return at;
		at += strlen(counter);
	}
	return NULL;
}

enum file_kind ptxla_text_kind(const char *s, size_t n)
{
	const char *first = counter_in(s, n);
	enum file_kind kind = first ? FILE_PTXLA_METRICS : FILE_UNKNOWN;

	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
		size_t most = first ? (size_t)(first - s) : n;
		const char *at = memmem(s, most, phrases[i].text, strlen(phrases[i].text));

		if (!at)
			continue;
		first = at;
		kind = phrases[i].kind;
	}
	return kind;
}
