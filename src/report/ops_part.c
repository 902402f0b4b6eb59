#include "config.h"
#include "report/ops_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int ops_check(const struct report_options *o, const char *tool, const char *table, const char *other, struct err *e)
{
	struct report_options rest = *o;

	rest.table = NULL;
	if (report_check(&rest, tool, TAKES_CORE, e))
		return -1;
	if (o->table && strcmp(o->table, table) && strcmp(o->table, other))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no table \"%s\" in report %s — there are: %s, %s", o->table, tool,
		    table, other);
	return 0;
}

void ops_build(const struct dump *d, const struct report_options *o, struct opdb *db)
{
	struct opdb_options options = { .host = o->host, .core = o->core, .threads = o->threads };

	opdb_build(d, &options, db);
}

struct cell ops_text(struct optext t)
{
	return cell_str(t.s, t.n);
}

struct cell ops_program(struct table *t, uint64_t program)
{
	char text[24];
	size_t n = (size_t)snprintf(text, sizeof text, "%" PRIu64, program);

	return cell_str(table_copy(t, text, n), n);
}

struct cell ops_us(double ps)
{
	return cell_num(ps / 1e6);
}

static void warn_stats(struct report *r, const struct opdb *db)
{
	if (db->n && db->no_flops == db->n)
		report_warning(r,
		    "no op has the stat flops: FLOP rates are not known, shown as 0 — capture with a "
		    "profiler that adds the compiler's cost to XLA ops");
	if (db->n && db->no_bytes == db->n)
		report_warning(r,
		    "no op has the stat bytes_accessed: memory rates are not known, shown as 0 — capture "
		    "with a profiler that adds the compiler's cost to XLA ops");
	else if (db->n && db->no_mem)
		report_warning(r,
		    "%" PRIu32 " of %zu ops have no memory_access_breakdown: all their bytes are taken for "
		    "HBM",
		    db->no_mem, db->n);
	if (db->dropped)
		report_warning(r,
		    "%" PRIu64
		    " op events without program_id or symbol_id are left out, as in XProf — capture "
		    "with the trace of the compiler's HLO on",
		    db->dropped);
	if (db->overlap)
		report_warning(
		    r, "ops of a core took longer than the core was traced: overlapping or damaged times");
}

static void warn_peaks(struct report *r, const struct op_peaks *p)
{
	if (p->assumed)
		report_warning(r,
		    "the capture does not state the peaks of %s: %.1f TFLOP/s and %.1f GB/s of HBM are "
		    "assumed",
		    p->device, p->tflops, p->bw[PEAK_HBM]);
	else if (!(p->tflops > 0) || !(p->bw[PEAK_HBM] > 0))
		report_warning(r,
		    "peaks are not known (plane stats peak_teraflops_per_second and "
		    "peak_hbm_bw_gigabytes_per_second are missing): nothing is said about utilization");
}

void ops_warnings(struct report *r, const struct dump *d, const struct opdb *db)
{
	bool ops = false, tpu = false;

	for (size_t i = 0; i < d->trace.ntracks; i++)
		ops |= d->trace.tracks[i].role == TRACK_OPS && d->trace.tracks[i].n;
	for (size_t i = 0; i < d->trace.nplanes; i++)
		tpu |= d->trace.planes[i].kind == PLANE_TPU;
	report_dump_warnings(r, d);
	if (!tpu)
		report_warning(
		    r, "no /device:TPU plane: there are no HLO ops to count — capture while the device runs");
	else if (!ops)
		report_warning(r, "no line \"XLA Ops\": there are no HLO ops to count — capture with tracing "
				  "of the device on");
	warn_stats(r, db);
	if (tpu)
		warn_peaks(r, &db->peaks);
}

void ops_table(struct report *r, const struct report_options *o, const char *name, const struct table *t,
    const char *const *ids)
{
	struct column *columns = xcalloc(t->ncolumns, sizeof *columns);
	struct cell *row = xcalloc(t->ncolumns, sizeof *row);
	int *from = xcalloc(t->ncolumns, sizeof *from);
	size_t n = 0;

	for (; o->format == REPORT_TEXT && n < t->ncolumns && ids[n]; n++) {
		from[n] = table_column(t, ids[n]);
		columns[n] = t->columns[from[n]];
	}
	if (!n) {
		report_whole(r, name, t);
	} else {
		report_table(r, name, columns, n);
		for (size_t i = 0; i < t->nrows; i++) {
			for (size_t k = 0; k < n; k++)
				row[k] = t->cells[i * t->ncolumns + (size_t)from[k]];
			report_row(r, row);
		}
		report_table_end(r);
	}
	free(columns);
	free(row);
	free(from);
}
