/* The pod on the screen: the cells of cores at any size, moving between cells, numbers of a step, and the
 * time to draw the largest pods. */
#include "config.h"

#include "view/pod/pod.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/mem.h"

/* X x Y x Z chips in host blocks of 2x2x1, `cpc` cores each; cores in the order of hosts.  place:
 * false = no coordinates. */
static void make_pod(struct pod *p, int x, int y, int z, int cpc, bool place)
{
	size_t n = (size_t)x * (size_t)y * (size_t)z * (size_t)cpc, k = 0;
	int hosts = 0;

	*p = (struct pod){ .nhosts = n / (size_t)(4 * cpc) };
	p->topology = (struct topology){ .x = x,
		.y = y,
		.z = z,
		.host_x = place ? 2 : 0,
		.host_y = place ? 2 : 0,
		.host_z = place ? 1 : 0,
		.cores_per_chip = cpc,
		.source = place ? TOPOLOGY_FILE : TOPOLOGY_NONE,
		.ncores = n };
	p->topology.core = xcalloc(n, sizeof *p->topology.core);
	p->cores.core = xcalloc(n, sizeof *p->cores.core);
	p->cores.ncores = n;
	for (int host = 0; host < (int)p->nhosts; host++, hosts++)
		for (int i = 0; i < 4 * cpc; i++, k++) {
			int hx = host % (x / 2), hy = host / (x / 2) % (y / 2), hz = host / (x / 2) / (y / 2),
			    chip = i / cpc;

			p->topology.core[k] = (struct topology_core){ -1, -1, -1, i % cpc, -1 };
			if (place)
				p->topology.core[k] = (struct topology_core){ hx * 2 + chip % 2,
					hy * 2 + chip / 2, hz, i % cpc, 0 };
			p->cores.core[k] = (struct step_core_info){ .host = host,
				.core = i,
				.chip = -1,
				.core_on_chip = i % cpc };
		}
	assert_int_equal(k, n);
}

/* Steps 7, 8…, all alike. */
static void add_step(struct pod *p)
{
	size_t n = p->cores.ncores, steps = p->cores.nsteps + 1;

	p->cores.step = xrealloc(p->cores.step, steps, sizeof *p->cores.step);
	memset(&p->cores.step[steps - 1], 0, sizeof *p->cores.step);
	p->cores.nsteps = steps;
	p->cores.step[steps - 1].everywhere = true;
	snprintf(p->cores.step[steps - 1].number, sizeof p->cores.step->number, "%zu", steps + 6);
	p->cores.v = xrealloc(p->cores.v, n * steps, sizeof *p->cores.v);
	memset(p->cores.v, 0, n * steps * sizeof *p->cores.v);
	for (size_t i = 0; i < n * steps; i++) {
		struct step_core *c = &p->cores.v[i];

		c->total = 1000000;
		c->ps[METRIC_HIGH_FLOPS] = 500000 + (int64_t)(i / steps % 7) * 1000;
		c->ps[METRIC_SEND] = 1000;
		c->ps[METRIC_RECV] = 2000;
		c->ps[METRIC_IDLE] = c->total - c->ps[METRIC_HIGH_FLOPS] - 3000;
		step_core_kinds(c);
	}
	p->step = xrealloc(p->step, steps, sizeof *p->step);
	p->step[steps - 1] = (struct pod_step){ .straggler = SIZE_MAX };
}

static void free_pod(struct pod *p)
{
	free(p->topology.core);
	free(p->cores.core);
	free(p->cores.step);
	free(p->cores.v);
	free(p->step);
}

/* Every core is in one cell; cells are inside the map and do not overlap. */
static void check_grid(const struct pod *p, const struct pod_grid *g, int cols)
{
	uint32_t *cores = xcalloc(g->ncells + 1, sizeof *cores);
	char *taken = xcalloc((size_t)(g->height + 1) * (size_t)(cols + 1), 1);

	for (size_t i = 0; i < p->cores.ncores; i++) {
		assert_true(g->of[i] < g->ncells);
		cores[g->of[i]]++;
	}
	for (size_t i = 0; i < g->ncells; i++) {
		const struct pod_cell *c = &g->cell[i];

		assert_int_equal(cores[i], c->n);
		for (int y = c->y; y < c->y + g->level->h; y++)
			for (int x = c->x; x < c->x + g->level->w; x++) {
				assert_true(y >= 0 && y < g->height && x >= 0 && x < cols);
				assert_false(taken[y * cols + x]);
				taken[y * cols + x] = 1;
			}
	}
	free(cores);
	free(taken);
}

static void finest_cells_that_fit(void **state)
{
	static const struct {
		int x, y, z, cpc, rows, little;
		enum pod_unit unit;
		int w, h;
	} want[] = {
		{ 2, 2, 2, 2, 29, 9, POD_CORE, 8, 3 },
		{ 2, 2, 2, 2, 9, 4, POD_CORE, 4, 1 },
		{ 4, 4, 4, 1, 29, 9, POD_CORE, 4, 3 },
		{ 4, 4, 4, 2, 29, 9, POD_CHIP, 4, 3 },
		{ 16, 16, 1, 1, 29, 9, POD_CORE, 2, 1 },
		{ 32, 32, 1, 1, 32, 9, POD_CHIP, 2, 1 },
		{ 16, 16, 16, 1, 29, 9, POD_HOST, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct pod p;
		struct pod_grid g = { 0 };

		make_pod(&p, want[i].x, want[i].y, want[i].z, want[i].cpc, true);
		pod_view_grid_make(&g, &p, want[i].rows, 80, want[i].little);
		assert_int_equal(g.level->unit, want[i].unit);
		assert_int_equal(g.level->w, want[i].w);
		assert_int_equal(g.level->h, want[i].h);
		assert_true(g.placed && g.height <= want[i].rows);
		check_grid(&p, &g, 80);
		pod_view_grid_free(&g);
		free_pod(&p);
	}
}

static void whatever_the_room(void **state)
{
	static const int side[][4] = { { 2, 2, 1, 1 }, { 2, 2, 2, 2 }, { 4, 4, 4, 2 }, { 16, 16, 1, 1 },
		{ 8, 8, 16, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof side / sizeof *side; i++)
		for (int place = 0; place < 2; place++)
			for (int rows = 0; rows < 40; rows += 3)
				for (int cols = 30; cols < 200; cols += 47) {
					struct pod p;
					struct pod_grid g = { 0 };

					make_pod(&p, side[i][0], side[i][1], side[i][2], side[i][3], place);
					pod_view_grid_make(&g, &p, rows, cols, rows / 3);
					assert_int_equal(g.placed, place);
					check_grid(&p, &g,
					    g.level->left + g.per_row * (g.plane_w + g.level->plane_gap));
					pod_view_grid_free(&g);
					free_pod(&p);
				}
}

/* Hosts are separated by gaps, the cores of a chip are adjacent. */
static void gaps(void **state)
{
	struct pod p;
	struct pod_grid g = { 0 };

	(void)state;
	make_pod(&p, 4, 4, 1, 2, true);
	pod_view_grid_make(&g, &p, 29, 80, 9);
	assert_int_equal(g.level->unit, POD_CORE);
	assert_int_equal(g.level->w, 4);
	assert_int_equal(g.cell[g.of[1]].x - g.cell[g.of[0]].x, 4); /* on the same chip */
	assert_int_equal(g.cell[g.of[2]].x - g.cell[g.of[1]].x, 4); /* the next chip of the host */
	assert_int_equal(g.cell[g.of[8]].x - g.cell[g.of[3]].x, 5); /* the next host */
	assert_int_equal(g.cell[g.of[16]].y - g.cell[g.of[4]].y, 4);
	pod_view_grid_free(&g);
	free_pod(&p);
}

static void moves(void **state)
{
	struct pod p;
	struct pod_grid g = { 0 };
	size_t at;

	(void)state;
	make_pod(&p, 4, 4, 4, 1, true);
	pod_view_grid_make(&g, &p, 29, 80, 9);
	at = g.of[0];
	for (int i = 0; i < 4; i++)
		at = pod_view_grid_move(&g, at, 1, 0);
	assert_int_equal(g.cell[at].gx, 0); /* past the edge, into the next plane */
	assert_int_equal(g.cell[at].gz, 1);
	at = pod_view_grid_move(&g, at, 0, 1);
	assert_int_equal(g.cell[at].gy, 1);
	assert_int_equal(pod_view_grid_move(&g, g.of[0], -1, 0), g.of[0]);
	assert_int_equal(pod_view_grid_move(&g, g.of[0], 0, -1), g.of[0]);
	at = pod_view_grid_plane(&g, at, 2);
	assert_true(g.cell[at].gz == 3 && g.cell[at].gy == 1 && g.cell[at].gx == 0);
	assert_int_equal(pod_view_grid_plane(&g, at, 9), at);
	assert_int_equal(pod_view_grid_at(&g, g.cell[at].y + 2, g.cell[at].x + 3), at);
	assert_true(pod_view_grid_at(&g, 0, 0) == SIZE_MAX);
	pod_view_grid_free(&g);
	free_pod(&p);
}

/* A cell of several cores shows the largest value; cores without the step have none. */
static void worst_of_a_cell(void **state)
{
	struct pod p;
	struct pod_grid g = { 0 };
	double *value;

	(void)state;
	make_pod(&p, 16, 16, 16, 1, true);
	value = xcalloc(p.cores.ncores, sizeof *value);
	for (size_t i = 0; i < p.cores.ncores; i++)
		value[i] = i % 4 ? .5 : NAN;
	value[1234] = .9;
	pod_view_grid_make(&g, &p, 29, 80, 9);
	pod_view_grid_values(&g, value, p.cores.ncores);
	assert_int_equal(g.level->unit, POD_HOST);
	assert_int_equal(g.cell[g.of[1234]].worst, 1234);
	for (size_t i = 0; i < g.ncells; i++) {
		assert_int_equal(g.of[g.cell[i].worst], i);
		assert_false(isnan(value[g.cell[i].worst]));
	}
	free(value);
	pod_view_grid_free(&g);
	free_pod(&p);
}

static void numbers(void **state)
{
	struct pod_stats s = { 0 };
	struct pod p;

	(void)state;
	make_pod(&p, 2, 2, 1, 2, true);
	add_step(&p);
	p.cores.v[3].ps[METRIC_HIGH_FLOPS] = 700000;
	step_core_kinds(&p.cores.v[3]);
	p.cores.v[6].total = -1;
	pod_view_stats_make(&s, &p, 0, TAB_MATMUL);
	assert_int_equal(s.n, 7);
	assert_int_equal(s.order[0], 3);
	assert_int_equal(s.rank[3], 0);
	assert_true(s.rank[6] == UINT32_MAX && isnan(s.value[6]));
	assert_true(fabs(s.high - .7) < 1e-9 && fabs(s.low - .5) < 1e-9);
	assert_true(fabs(s.median - .502) < 1e-9); /* 500 500 501 502 504 505 700 */
	assert_true(pod_view_stats_z(&s, .7) > 3.5 && isnan(pod_view_stats_z(&s, NAN)));
	pod_view_stats_make(&s, &p, 0, TAB_SEND_RECV);
	assert_true(fabs(s.value[0] - .003) < 1e-9);
	pod_view_stats_free(&s);
	free_pod(&p);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct pod_channel link_of(int64_t id, size_t step, uint32_t *ends, double us, const char *ops)
{
	return (struct pod_channel){ .id = id,
		.step = step,
		.src = ends,
		.nsrc = 1,
		.dst = ends + 1,
		.ndst = 1,
		.occurrences = 1,
		.duration_us = us,
		.hlo_names = ops };
}

static struct ref named(enum ref_kind kind, const char *text, int host, int core)
{
	struct ref r = { .kind = kind, .host = host, .core = core };

	snprintf(r.text, sizeof r.text, "%s", text);
	return r;
}

static int goes(struct pod_view *v, enum ref_kind kind, const char *text, int host, int core)
{
	struct ref r = named(kind, text, host, core);

	return pod_view_show(v, &r);
}

/* Tabs stand in the order of the kinds of time, a part with its kind; together they are the step. */
static void tabs_are_the_step(void **state)
{
	enum time_kind last = KIND_MATMUL;
	struct step_core c = { .total = 1000 };
	double ps[POD_TABS], sum = 0;

	(void)state;
	for (int m = 0; m < METRIC_COUNT; m++)
		c.ps[m] = 10 + m;
	c.ps[METRIC_IDLE] = 0;
	step_core_kinds(&c);
	c.ps[METRIC_IDLE] = c.total;
	for (int k = 0; k < KIND_OPS; k++)
		c.ps[METRIC_IDLE] -= c.kind[k];
	pod_view_tabs_ps(&c, ps);
	for (int t = 0; t < POD_TABS; t++) {
		enum time_kind kind = pod_tab[t] == KIND_SEND_RECV ? KIND_COLLECTIVE
		    : pod_tab[t] > KIND_IDLE                       ? KIND_IO
								   : pod_tab[t];

		assert_true(kind >= last);
		assert_true(ps[t] > 0 || pod_tab[t] == KIND_COPY);
		last = kind;
		sum += ps[t];
	}
	assert_float_equal(sum, 1000, 0);
}

/* The map opens with what takes most of the mean step, counted over the steps that all cores have. */
static void largest_kind_of_time(void **state)
{
	struct pod p;

	(void)state;
	make_pod(&p, 2, 2, 1, 2, true);
	add_step(&p);
	add_step(&p);
	assert_int_equal(pod_view_largest_tab(&p.cores), 0); /* matmul */
	for (size_t i = 0; i < p.cores.ncores * p.cores.nsteps; i++) {
		struct step_core *c = &p.cores.v[i];

		c->ps[METRIC_HIGH_FLOPS] = i % 2 ? 900000 : 100000; /* mostly in step 1 */
		c->ps[METRIC_IDLE] = c->total - c->ps[METRIC_HIGH_FLOPS] - 3000;
		step_core_kinds(c);
	}
	assert_int_equal(pod_view_largest_tab(&p.cores), 0);
	p.cores.step[1].everywhere = false;
	p.cores.incomplete = 1;
	assert_int_equal(pod_view_largest_tab(&p.cores), 8); /* idle */
	free_pod(&p);
}

/* Goes to what findings name: the step, the channel or collective, the core, the metric that explains it. */
static void places(void **state)
{
	static struct pod_collective collective[] = {
		{ .step = 0, .name = "all-reduce.1", .duration_us = 5, .sync_us = NAN },
		{ .step = 0, .name = "all-reduce.2", .duration_us = 9, .sync_us = NAN },
		{ .step = 1, .name = "all-gather.3", .duration_us = 7, .sync_us = NAN },
	};
	static uint32_t ends[] = { 2, 3, 5, 0 };
	struct pod_channel channel[] = {
		link_of(7, 0, ends, 4, "send.1,recv-done.2"),
		link_of(8, 0, ends + 2, 6, "send.3,recv-done.4"),
		link_of(8, 1, ends + 2, 9, "send.3,recv-done.4"),
		link_of(-1, 1, ends, 9, "collective-permute-start.5"),
	};
	const char *host[] = { "h" };
	struct pod_view v = { .group_of = SIZE_MAX, .stats_tab = -1, .wanted_host = -1, .wanted_core = -1 };
	struct pod p;

	(void)state;
	make_pod(&p, 2, 2, 1, 2, true);
	add_step(&p);
	add_step(&p);
	p.host = host;
	p.channel = channel;
	p.nchannels = 4;
	p.collective = collective;
	p.ncollectives = 3;
	v.pod = &p;
	v.host = xcalloc(1, sizeof *v.host);
	v.nhosts = 1;
	pod_view_count(&v);

	assert_int_equal(goes(&v, REF_CHANNEL, "8", -1, -1), 0);
	assert_int_equal(v.tab, TAB_SEND_RECV);
	/* because that step has it, too */
	assert_true(v.below == POD_CHANNELS && v.below_focus && v.step == 0);
	assert_ptr_equal(pod_view_channel_here(&v), &channel[1]);
	assert_int_equal(v.core, 5);
	assert_int_equal(goes(&v, REF_CHANNEL, "recv-done.2", -1, -1), 0);
	assert_ptr_equal(pod_view_channel_here(&v), &channel[0]);
	assert_int_equal(goes(&v, REF_CHANNEL, "collective-permute-start.5", -1, -1), 0);
	assert_int_equal(v.step, 1);
	assert_ptr_equal(pod_view_channel_here(&v), &channel[3]);
	assert_int_equal(goes(&v, REF_CHANNEL, "8", -1, -1), 0);
	assert_ptr_equal(pod_view_channel_here(&v), &channel[2]);
	pod_view_go_step(&v, 0); /* the same channel in another step */
	assert_ptr_equal(pod_view_channel_here(&v), &channel[1]);
	assert_int_equal(goes(&v, REF_CHANNEL, "9", -1, -1), -1);
	assert_int_equal(goes(&v, REF_CHANNEL, "send", -1, -1), -1);
	assert_ptr_equal(pod_view_channel_here(&v), &channel[1]); /* nothing moved */

	assert_int_equal(goes(&v, REF_COLLECTIVE, "all-gather.3", -1, -1), 0);
	assert_true(v.below == POD_COLLECTIVES && v.step == 1);
	assert_int_equal(v.tab, TAB_COLLECTIVES);
	assert_ptr_equal(pod_view_collective_here(&v), &collective[2]);
	assert_null(pod_view_channel_here(&v));
	assert_int_equal(goes(&v, REF_COLLECTIVE, "all-reduce.1", -1, -1), 0);
	assert_ptr_equal(pod_view_collective_here(&v), &collective[0]);
	assert_int_equal(goes(&v, REF_COLLECTIVE, "all-reduce", -1, -1), -1);

	p.cores.v[6 * p.cores.nsteps].ps[METRIC_INFEED] = 200000; /* of step 0 */
	step_core_kinds(&p.cores.v[6 * p.cores.nsteps]);
	v.stats_tab = -1;
	pod_view_count(&v);
	assert_int_equal(goes(&v, REF_CORE, "", 0, 6), 0);
	assert_true(v.below == POD_BARS && v.core == 6 && v.chosen);
	assert_int_equal(v.tab, 5); /* infeed */
	assert_true(v.stats.order[0] == 6);
	assert_int_equal(v.line[v.bars.at].core, 6);
	assert_int_equal(goes(&v, REF_STEP, "8", -1, -1), 0);
	assert_true(v.step == 1 && v.stats_step == 1 && v.core == 6);
	assert_int_equal(goes(&v, REF_STEP, "7", 0, 3), 0);
	assert_true(v.step == 0 && v.core == 3);
	assert_int_equal(goes(&v, REF_STEP, "9", 0, 2), -1);
	assert_int_equal(goes(&v, REF_CORE, "", 1, 2), -1);
	assert_int_equal(v.core, 3);
	pod_view_links_free(&v);
	free(v.line);
	free(v.host);
	pod_view_stats_free(&v.stats);
	free_pod(&p);
}

/* The colors are for the range of the values, but noise is not stretched over all of them. */
static void scale_is_that_of_the_values(void **state)
{
	static const double of[][4] = { /* least, most, and the scale */
		{ .031, .088, .03, .09 }, { .369, .374, .36, .41 }, { .367, .504, .35, .55 },
		{ .98, 1, .95, 1 }, { 0, 0, 0, .05 }, { .02, .97, 0, 1 }
	};
	struct pod_view v = { 0 };
	double low, high;

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		v.stats = (struct pod_stats){ .n = 2, .low = of[i][0], .high = of[i][1] };
		v.narrow = true;
		pod_view_scale(&v, &low, &high);
		assert_true(fabs(low - of[i][2]) < 1e-6 && fabs(high - of[i][3]) < 1e-6);
		v.narrow = false;
		pod_view_scale(&v, &low, &high);
		assert_true(low == 0 && high == 1);
	}
}

/* A map that does not fit says which planes are in sight, and shows in which one the worst core is. */
static void planes_out_of_sight(void **state)
{
	struct pod_view v = { .group_of = SIZE_MAX };
	struct canvas c;
	struct pod p;
	size_t len;
	char *text;

	(void)state;
	make_pod(&p, 16, 16, 16, 1, true);
	add_step(&p);
	p.cores.v[4095].ps[METRIC_HIGH_FLOPS] = 900000;
	step_core_kinds(&p.cores.v[4095]);
	v.pod = &p;
	pod_view_stats_make(&v.stats, &p, 0, TAB_MATMUL);
	canvas_init(&c, 14, 80, &glyphs_ascii, true);
	pod_view_heat_draw(&v, &c, (struct rect){ 0, 0, 14, 80 });
	text = canvas_dump(&c, 0, &len);
	assert_non_null(strstr(text, " of 16 ["));
	assert_non_null(strstr(text, "9\n")); /* in the last plane, which is not in sight */
	free(text);
	v.core = 4095; /* scrolls to it */
	canvas_clear(&c);
	pod_view_heat_draw(&v, &c, (struct rect){ 0, 0, 14, 80 });
	text = canvas_dump(&c, 0, &len);
	assert_non_null(strstr(text, "15 of 16 "));
	assert_non_null(strstr(text, "9]\n"));
	free(text);
	canvas_free(&c);
	pod_view_grid_free(&v.grid);
	pod_view_stats_free(&v.stats);
	free_pod(&p);
}

/* 1,024 hosts of 4 cores: the hot spot is visible, and drawing is fast (the limit allows for slow
 * machines). */
static void largest_pod(void **state)
{
	struct pod_view v = { .group_of = SIZE_MAX };
	struct rect r = { 2, 0, 35, 80 };
	struct canvas c;
	struct pod p;
	double begin, took;
	int marks = 0;

	(void)state;
	make_pod(&p, 16, 16, 16, 1, true);
	add_step(&p);
	p.cores.v[2222].ps[METRIC_HIGH_FLOPS] = 900000;
	step_core_kinds(&p.cores.v[2222]);
	p.host = xcalloc(p.nhosts, sizeof *p.host);
	for (size_t i = 0; i < p.nhosts; i++)
		p.host[i] = "host";
	v.pod = &p;
	v.host = xcalloc(1, sizeof *v.host);
	pod_view_stats_make(&v.stats, &p, 0, TAB_MATMUL);
	pod_view_bars_make(&v);
	canvas_init(&c, 40, 120, &glyphs_blocks, false);
	pod_view_heat_draw(&v, &c, r);
	begin = seconds();
	for (int i = 0; i < 20; i++) {
		canvas_clear(&c);
		pod_view_heat_draw(&v, &c, r);
		pod_view_card_draw(&v, &c, (struct rect){ 2, 82, 35, 37 });
	}
	took = (seconds() - begin) / 20;
	print_message("a frame of 4,096 cores: %.2f ms\n", took * 1e3);
	assert_true(took < .05);
	for (int i = 0; i < c.rows * 80; i++)
		marks += c.cells[i / 80 * c.cols + i % 80].ch == 0x25b2;
	assert_int_equal(marks, 1); /* the worst, in the cell of its host */
	canvas_free(&c);
	free(v.line);
	free(v.host);
	free(p.host);
	pod_view_grid_free(&v.grid);
	pod_view_stats_free(&v.stats);
	free_pod(&p);
}

/* Adjacent parts of a bar differ without colors, in ASCII, too. */
static void signs(void **state)
{
	static const struct glyphs *const sets[] = { &glyphs_blocks, &glyphs_ascii };
	struct canvas c;

	(void)state;
	for (size_t g = 0; g < 2; g++) {
		canvas_init(&c, 1, POD_TABS, sets[g], true);
		for (int i = 0; i < POD_TABS; i++) {
			struct bar_part p = kind_part(pod_tab[i], false, 0);

			canvas_put(&c, 0, i, p.sign, p.role, 0);
			assert_int_not_equal(c.cells[i].ch, '?');
			for (int k = 0; k < i; k++)
				assert_int_not_equal(c.cells[i].ch, c.cells[k].ch);
		}
		canvas_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finest_cells_that_fit),
		cmocka_unit_test(whatever_the_room),
		cmocka_unit_test(gaps),
		cmocka_unit_test(moves),
		cmocka_unit_test(worst_of_a_cell),
		cmocka_unit_test(numbers),
		cmocka_unit_test(signs),
		cmocka_unit_test(tabs_are_the_step),
		cmocka_unit_test(largest_kind_of_time),
		cmocka_unit_test(places),
		cmocka_unit_test(scale_is_that_of_the_values),
		cmocka_unit_test(planes_out_of_sight),
		cmocka_unit_test(largest_pod),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
