#include "config.h"
#include "cli/cli.h"

#include <string.h>

#include "analyze/communication/digest.h"
#include "analyze/device/digest.h"
#include "analyze/diff/digest.h"
#include "analyze/idle/digest.h"
#include "analyze/ops/digest_make.h"
#include "analyze/scopes/digest.h"
#include "base/file/outfile.h"
#include "base/text/slice.h"
#include "capture/results.h"
#include "load/tool/digest.h"

/* What pieces of time say, of all cores and steps */
static void add_pieces(struct capture *c, struct digest_part *part)
{
	const struct communication *comm = capture_get(c, RESULT_COMMUNICATION, NULL, NULL);
	const struct core_times *times = capture_get(c, RESULT_CORE_TIMES, NULL, NULL);
	const struct idle *idle = capture_get(c, RESULT_IDLE, NULL, NULL);

	if (comm && comm->ncores)
		communication_digest(comm, part);
	if (idle && idle->ncores)
		idle_digest(idle, part);
	if (times && times->ncores)
		scopes_digest(times, part);
}

static int write_digest(struct options *o, struct capture *c, struct err *err)
{
	const struct findings *findings = capture_get(c, RESULT_FINDINGS, NULL, err);
	struct digest_part *part;
	struct outfile out;
	size_t n;
	int bad;

	if (!findings)
		return -1;
	part = digest_make(c->dump, capture_steps(c), o->report.threads, &n);
	if (n) {
		diff_digest_findings(findings, &part[0]);
		add_pieces(c, &part[0]);
	}
	if (!n)
		bad = err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "no XSpace with a TPU device plane: nothing to make a digest of");
	else if (!(bad = cli_output_open(o, &out, err))) {
		bad = digest_write(c->dump, part, n, slice_ends(slice_of(o->output), ".gz"), out.f, err);
		bad = cli_output_close(o, &out, bad, err);
	}
	digest_parts_free(part, n);
	return bad;
}

static bool has_digest(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].digest)
			return true;
	return false;
}

static int several_hosts(const struct dump *d, struct err *err)
{
	char hosts[300];

	dump_host_names(d, hosts, sizeof hosts);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "a digest holds one host, but there are %zu; make one per host, with --host: %s", d->nhosts,
	    hosts);
}

int cli_digest(struct options *o, struct err *err)
{
	struct capture *c;
	struct dump *d;
	int bad;

	if (!o->output)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "digest needs -o FILE (- is standard output)");
	if (!(d = cli_load(o, err)))
		return -1;
	c = capture_of(d, o->report.threads);
	if (has_digest(d))
		bad = err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "this is already a digest; make digests from captures");
	else if (d->nhosts > 1)
		bad = several_hosts(d, err);
	else
		bad = write_digest(o, c, err);
	cli_problems(d);
	if (!bad && dump_status(d) == EXIT_DAMAGED)
		bad = EXIT_DAMAGED;
	capture_close(c);
	return bad;
}
