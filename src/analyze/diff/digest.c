#include "config.h"
#include "analyze/diff/digest.h"

#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/diff/internal.h"

void diff_digest_findings(const struct findings *f, struct digest_part *part)
{
	Pb__DigestFindings m = PB__DIGEST_FINDINGS__INIT;
	Pb__DigestFinding *v = xcalloc(f->n + 1, sizeof *v);
	uint8_t *bytes;

	m.finding = xcalloc(f->n + 1, sizeof *m.finding);
	m.n_finding = f->n;
	for (size_t i = 0; i < f->n; i++) {
		pb__digest_finding__init(&v[i]);
		v[i].id = (char *)f->v[i].id;
		v[i].title = (char *)f->v[i].title;
		v[i].has_severity = v[i].has_cost_kind = v[i].has_cost = true;
		v[i].severity = f->v[i].severity;
		v[i].cost_kind = f->v[i].cost_kind;
		v[i].cost = f->v[i].cost;
		m.finding[i] = &v[i];
	}
	bytes = xmalloc(pb__digest_findings__get_packed_size(&m) + 1);
	digest_part_add(part, DIGEST_FINDINGS_STAT, bytes, pb__digest_findings__pack(&m, bytes));
	free(m.finding);
	free(v);
}

static void take_finding(const Pb__DigestFinding *f, struct side *s)
{
	if (!f->id || !f->title || f->severity > SEVERITY_LOW || f->cost_kind > COST_BYTES)
		return;
	s->finding[s->nfindings++] =
	    (struct side_finding){ side_text(s, slice_of(f->id)), severity_name((enum severity)f->severity),
		    side_text(s, slice_of(f->title)), (enum cost_kind)f->cost_kind, f->cost };
}

bool side_digest_findings(const struct dump *d, struct side *s)
{
	Pb__DigestFindings *m = NULL;
	const uint8_t *bytes = NULL;
	size_t n;

	for (uint32_t i = 0; i < d->trace.nplanes && d->nfiles == 1 && !bytes; i++)
		bytes = digest_stat(d, i, DIGEST_FINDINGS_STAT, &n);
	if (bytes)
		m = pb__digest_findings__unpack(NULL, n, bytes);
	if (!m)
		return false;
	s->has_findings = s->has_pieces = true;
	s->finding = xcalloc(m->n_finding + 1, sizeof *s->finding);
	for (size_t i = 0; i < m->n_finding; i++)
		take_finding(m->finding[i], s);
	pb__digest_findings__free_unpacked(m, NULL);
	return true;
}
