#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "analyze/kernels/kernels.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

static bool table_is_wanted(const struct report_options *o, const char *table)
{
	return !o->table || !strcmp(o->table, table);
}

static void put_summary(struct report *r, const struct kernels *k)
{
	double busy = NAN;

	for (size_t i = 0; i < k->ndevices; i++)
		busy = (i ? busy : 0) + kernels_busy(k, k->devices[i].busy) / (double)k->ndevices;
	report_sum_int(r, "kernels", (int64_t)k->sum.n);
	report_sum_int(r, "kernel_ns", k->sum.total);
	report_sum_int(r, "rows", (int64_t)k->n);
	report_sum_num(r, "busy_percent", busy);
	report_sum_num(r, "memcpy_us", (double)k->copies / 1e6);
}

static void put_head(struct report *r, const struct kernels *k)
{
	report_dump_warnings(r, k->dump);
	if (!kernels_any(k->dump))
		report_warning(r, "no GPU in this capture: op tables of TPUs are in hlo_stats");
	if (k->odd_registers)
		report_warning(r,
		    "more than %d registers per thread are meaningless (old ROCm) and shown as unknown (%llu "
		    "runs)",
		    KERNEL_REGISTERS_MAX, (unsigned long long)k->odd_registers);
	put_summary(r, k);
}

static int by_table(const struct report_options *o, enum kernels_table *which, struct err *e)
{
	static const char *const words[] = { "kernel", "op", "stream" };

	*which = KERNELS_BY_KERNEL;
	for (size_t i = 0; o->by && i < sizeof words / sizeof *words; i++) {
		if (!strcmp(o->by, words[i])) {
			*which = (enum kernels_table)i;
			return 0;
		}
	}
	return o->by ? err_set(e, EXIT_USAGE, ERR_NOWHERE,
			   "--by %s: report kernels has rows by kernel, op or stream", o->by)
		     : 0;
}

int report_kernels(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct kernels *k;
	struct table main, devices;
	struct table *const tables[] = { &main, &devices };
	enum kernels_table which;
	struct report *r;
	int bad;

	if (report_check(c, o, e) || by_table(o, &which, e) || !(k = capture_get(c, RESULT_KERNELS, NULL, e)))
		return -1;
	kernels_table(k, which, o->format == REPORT_TEXT, &main);
	kernels_table(k, KERNELS_DEVICES, o->format == REPORT_TEXT, &devices);
	bad = report_order_tables(o, "kernels", tables, 2, 0, e);
	if (!bad) {
		r = report_open(o, f, "kernels", c->base);
		put_head(r, k);
		if (table_is_wanted(o, "kernels"))
			report_whole(r, NULL, &main);
		if (table_is_wanted(o, "devices"))
			report_whole(r, "devices", &devices);
		bad = report_end(r, e);
	}
	table_free(&main);
	table_free(&devices);
	return bad ? -1 : EXIT_OK;
}
