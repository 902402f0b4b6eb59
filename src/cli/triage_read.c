#include "config.h"
#include "cli/triage_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "load/probe/foreign.h"
#include "load/probe/logdir.h"
#include "load/probe/ptxla_text.h"
#include "load/source/archive.h"
#include "load/source/source.h"

#define HEAD 4096
#define LOOK ((size_t)64 << 10)  /* in which a text of PyTorch/XLA is recognized */
#define MOST ((size_t)256 << 20) /* bytes of one that are judged */

static void say_of_file(const char *path, const struct err *e)
{
	struct options one = { .npaths = 1, .paths = &path };

	cli_complain(&one, e);
}

static void complain_of_file(struct triage_read *w, const char *path, const struct err *e)
{
	say_of_file(path, e);
	w->failed++;
}

/* Says what a text is that is no log. */
static void name_foreign(const char *path, const uint8_t *s, size_t n)
{
	const char *slash = strrchr(path, '/');
	const char *is = foreign_text(slash ? slash + 1 : path, (const char *)s, n < LOOK ? n : LOOK);
	struct err e;

	if (!is)
		return;
	err_set(&e, EXIT_NOTHING, ERR_NOWHERE, "%s", is);
	say_of_file(path, &e);
}

/* --- texts --- */

/* A text of PyTorch/XLA, as it is read. */
struct kept {
	enum file_kind kind;
	char *bytes;
	size_t n, cap;
};

static void keep_piece(struct kept *k, const char *s, size_t n, bool first)
{
	if (first)
		k->kind = ptxla_text_kind(s, n < LOOK ? n : LOOK);
	n = n < MOST - k->n ? n : MOST - k->n;
	if (k->kind == FILE_UNKNOWN || !n)
		return;
	if (k->n + n > k->cap) {
		k->cap = 2 * (k->n + n);
		k->bytes = xrealloc(k->bytes, k->cap, 1);
	}
	memcpy(k->bytes + k->n, s, n);
	k->n += n;
}

static void judge_text(struct triage_read *w, const struct kept *k, const char *path, const char *opens)
{
	struct triage_seen *seen = &w->seen[k->kind];

	if (k->kind == FILE_UNKNOWN)
		return;
	if (!w->any)
		ptxla_begin(&w->x);
	w->any = true;
	ptxla_file(&w->x, path);
	ptxla_text(&w->x, k->bytes, k->n);
	if (seen->n++)
		return;
	seen->path = xstrdup(path);
	seen->opens = xstrdup(opens);
}

static void read_text(struct triage_read *w, struct source *s, const char *path, const char *opens)
{
	struct err e = { .at = ERR_NOWHERE };
	struct kept kept = { .kind = FILE_UNKNOWN };
	const uint8_t *piece;
	uint64_t offset;
	int64_t n = -1;
	bool first = true;

	triage_file(w->triage, path);
	if (!source_stream_start(s, NULL, &e)) {
		while ((n = source_stream_block(s, 0, &piece, &offset, &e)) > 0) {
			triage_text(w->triage, (const char *)piece, (size_t)n);
			keep_piece(&kept, (const char *)piece, (size_t)n, first);
			if (first)
				name_foreign(path, piece, (size_t)n);
			first = false;
		}
		source_stream_stop(s);
	}
	judge_text(w, &kept, path, opens);
	free(kept.bytes);
	if (n < 0)
		complain_of_file(w, path, &e);
}

static bool is_text_source(struct source *s)
{
	uint8_t head[HEAD];
	size_t n = source_peek(s, head, sizeof head);

	return n && !memchr(head, 0, n);
}

/* --- archives --- */

static bool is_archive(struct source *s)
{
	uint8_t head[HEAD];

	return archive_is(head, source_peek(s, head, sizeof head));
}

static void read_archive(struct triage_read *w, struct source *s, const char *path)
{
	struct err e = { .at = ERR_NOWHERE };
	struct archive a = { .at = 0 };
	struct archive_member m;
	uint64_t damaged = ERR_NOWHERE;

	a.bytes = source_bytes(s, &a.n, &damaged, NULL, &e);
	while (a.bytes && archive_next(&a, &m)) {
		char *name = xasprintf("%s/%s", path, m.name);
		struct source *member = source_of_memory(m.bytes, m.n, name);

		if (m.own)
			source_own(member);
		if (is_text_source(member))
			read_text(w, member, name, path);
		source_close(member);
		free(name);
	}
	if (a.left_out) {
		err_set(&e, EXIT_OK, ERR_NOWHERE,
		    "members that are encrypted, or packed in another way than deflate, and are left out: "
		    "%zu; unzip it first",
		    a.left_out);
		say_of_file(path, &e);
	}
	if (a.bytes && (a.damaged || damaged != ERR_NOWHERE))
		err_set(&e, EXIT_DAMAGED, a.damaged ? a.where : damaged,
		    "%s: the files before that were read",
		    a.trap ? "its members unpack to far more than its size; if you trust it, unzip it first"
			   : "the archive is damaged or cut off");
	if (e.status)
		complain_of_file(w, path, &e);
}

/* --- files --- */

static void read_file(struct triage_read *w, const char *path, bool asked)
{
	struct err e = { .at = ERR_NOWHERE };
	struct source *s = source_open_once(path, &e);
	bool archive = s && is_archive(s);

	/* an archive is read as a whole, so a pipe must be read to its end */
	if (!s || (archive && source_rest(s, &e)))
		complain_of_file(w, path, &e);
	else if (archive)
		read_archive(w, s, path);
	else if (asked || is_text_source(s))
		read_text(w, s, path, path);
	if (s)
		source_close(s);
}

void triage_read_file(struct triage_read *w, const char *path)
{
	read_file(w, path, true);
}

void triage_read_folder(struct triage_read *w, const char *path)
{
	struct err e = { .at = ERR_NOWHERE };
	struct logdir ld;

	if (logdir_files(path, &ld, &e)) {
		complain_of_file(w, path, &e);
		return;
	}
	for (size_t i = 0; i < ld.nfiles; i++) {
		const char *name = strrchr(ld.files[i], '/') + 1, *pass;

		if (logdir_is_dump(name))
			triage_dump(w->triage, ld.files[i]);
		else if (!foreign_is_llo(name, &pass))
			read_file(w, ld.files[i], false);
	}
	if (logdir_tell_llo(&ld, &e))
		say_of_file(path, &e);
	logdir_free(&ld);
}

/* --- what texts of PyTorch/XLA say --- */

static void name_texts(struct triage_read *w, enum file_kind kind, const char *id, const char *title,
    const char *report)
{
	const struct triage_seen *seen = &w->seen[kind];
	char *evidence, *advice;

	if (!seen->n)
		return;
	evidence = seen->n > 1 ? xasprintf("%s and %zu more", seen->path, seen->n - 1) : xstrdup(seen->path);
	advice = xasprintf("tpuscope report %s %s prints what is in it, tpuscope %s opens it.", report,
	    seen->opens, seen->opens);
	triage_note(w->triage, id, "low", title, evidence, advice);
	free(evidence);
	free(advice);
}

/* Paragraphs of an advice are lines in findings, and separated by RULE_BETWEEN in triage. */
static void note_finding(struct triage *t, const struct finding *f)
{
	char *advice = xstrdup(""), *rest = xstrdup(f->advice), *lines = rest, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *longer = xasprintf("%s%s%s", advice, *advice ? RULE_BETWEEN : "", line);

		free(advice);
		advice = longer;
	}
	triage_note(t, f->id, severity_name(f->severity), f->title, f->evidence, advice);
	free(advice);
	free(lines);
}

static void note_findings(struct triage_read *w)
{
	struct findings f;

	findings_of_ptxla(&w->x, PTXLA_FIRST_PLACE, &f);
	for (size_t i = 0; i < f.n; i++)
		note_finding(w->triage, &f.v[i]);
	findings_free(&f);
}

void triage_read_end(struct triage_read *w)
{
	if (!w->any)
		return;
	ptxla_end(&w->x);
	note_findings(w);
	name_texts(w, FILE_PTXLA_METRICS, "ptxla_metrics", "A metrics report of PyTorch/XLA", "metrics");
	name_texts(w, FILE_PTXLA_DEBUG, "ptxla_debug",
	    "What PT_XLA_DEBUG or XLA_SAVE_TENSORS_FILE of PyTorch/XLA wrote", "ptxla_debug");
}

void triage_read_free(struct triage_read *w)
{
	if (w->any)
		ptxla_free(&w->x);
	for (int i = 0; i < FILE_KIND_COUNT; i++) {
		free(w->seen[i].path);
		free(w->seen[i].opens);
	}
}
