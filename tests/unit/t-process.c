/* Several files of one host: what their names say, processes and their chips, copies. */
#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/mkriegeli.h"
#include "../lib/rmtree.h"
#include "analyze/device/core_details.h"
#include "load/source/file_name.h"

static char top[] = "process-XXXXXX";

static void names(void **state)
{
	static const struct {
		const char *path, *host, *folder;
		int rank, of;
	} v[] = {
		{ "dp0_vm.xplane.pb", "vm", "", 0, 0 },
		{ "run/dp12_vm-3.trace.json.gz", "vm-3", "", 12, 0 },
		{ "rank_7_a_b.xplane.riegeli", "a_b", "", 7, 0 },
		{ "rank7_vm.xplane.pb", "vm", "", 7, 0 },
		{ "dp_rank_3_vm.xplane.pb", "vm", "", 3, 0 },
		{ "pprank_1_ppworldsize_4_vm.xplane.pb", "vm", "", 1, 4 },
		{ "dp_rank_1/plugins/profile/r/vm.xplane.pb", "vm", "dp_rank_1", 1, 0 },
		{ "/a/pprank_0_ppworldsize_2/plugins/profile/r/vm.xplane.pb", "vm", "pprank_0_ppworldsize_2",
		    0, 2 },
		{ "rank2/x/y/plugins/profile/r/vm.xplane.pb", "vm", "rank2", 2, 0 },
		{ "dp_rank_1/plugins/profile/r/dp5_vm.xplane.pb", "vm", "", 5, 0 },
	};
	static const char *const none[] = { "rank-7.xplane.pb", "ranker-1.xplane.pb", "gdp1-host.xplane.pb",
		"host-rank2.xplane.pb", "dp1.xplane.pb", "dp1_.xplane.pb", "dp1234567_vm.xplane.pb",
		"dp_vm.xplane.pb", "pprank_1_ppworldsize_vm.xplane.pb", "dp_rank_1/vm.xplane.pb",
		"rank2/x/y/z/plugins/profile/r/vm.xplane.pb", "dp1/dp1x/plugins2/profile/r/vm.xplane.pb",
		"" };
	struct file_rank r;

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		if (!file_name_rank(v[i].path, &r))
			fail_msg("%s", v[i].path);
		assert_int_equal(r.rank, v[i].rank);
		assert_int_equal(r.of, v[i].of);
		assert_true(slice_is(r.host, v[i].host) && slice_is(r.folder, v[i].folder));
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (file_name_rank(none[i], &r))
			fail_msg("%s: %d", none[i], r.rank);
}

/* Cores of a process from 0 on, each on a chip, the first of which is `chip`; -1: it does not say. */
static void put(const char *path, const char *host, int cores, int chip)
{
	struct pb space = { 0 };
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	for (int i = 0; i < 2 * cores; i++) {
		char name[48];
		struct pb p, l = pb_line(1, "XLA Ops", 0), e = pb_event(1, 10, 5), details = { 0 },
			     stat = pb_stat(1);

		snprintf(name, sizeof name, i < cores ? "/device:TPU:%d" : "/device:TPU:%d SparseCore 0",
		    i % cores);
		p = pb_plane(2 + i, name);
		pb_sub(&l, 4, &e);
		pb_sub(&p, 3, &l);
		pb_meta(&p, 1, "fusion", NULL);
		pb_stat_name(&p, 1, "core_details");
		if (chip >= 0)
			pb_u(&details, 5, (uint64_t)(chip + i % cores));
		pb_bytes(&stat, 6, details.b, details.n);
		if (chip >= 0)
			pb_sub(&p, 6, &stat);
		pb_free(&details);
		pb_free(&stat);
		pb_sub(&space, 1, &p);
	}
	if (host)
		pb_s(&space, 4, host);
	if (space.n)
		assert_int_equal(fwrite(space.b, 1, space.n, f), space.n);
	fclose(f);
	pb_free(&space);
}

static struct dump *load(const char *path, const char *host)
{
	const struct load_options options = { .threads = 1, .host = host };
	struct err err = { .status = 0 };

	return dump_checked(load_paths(&path, 1, &options, NULL, &err), &err);
}

static bool has_problem(const struct dump *d, const char *part)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (strstr(d->problems->v[i].text, part))
			return true;
	return false;
}

static int64_t chip_of(const struct dump *d, const char *host, const char *plane)
{
	for (uint32_t i = 0; i < d->trace.nplanes; i++)
		if (dump_host_is(d, d->trace.planes[i].host, host) &&
		    slice_is(dump_text(d, d->trace.planes[i].name), plane))
			return core_details_of(d, i).chip;
	return -2;
}

static void make_folder(const char *name)
{
	assert_int_equal(mkdir(name, 0777), 0);
}

/* Every process says chip 0: they are counted by rank, 2 before 10, without gaps. */
static void isolated(void **state)
{
	struct dump *d;

	(void)state;
	make_folder("dp");
	put("dp/dp2_vm.xplane.pb", "vm", 2, 0);
	put("dp/dp10_vm.xplane.pb", NULL, 1, 0);
	put("dp/dp11_vm.xplane.pb", NULL, 1, -1);
	d = load("dp", NULL);
	assert_int_equal(d->nhosts, 3);
	assert_true(dump_host_is(d, 0, "dp2_vm") && dump_host_is(d, 1, "dp10_vm"));
	for (int i = 0; i < 3; i++)
		assert_true(dump_host_is(d, i, "vm"));
	assert_int_equal(d->hosts[1].rank, 10);
	assert_true(
	    slice_is(dump_host_label(d, 1), "rank 10 · vm") && slice_is(dump_host_short(d, 1), "rank 10"));
	assert_int_equal(dump_machines(d), 1);
	assert_int_equal(chip_of(d, "dp2_vm", "/device:TPU:1"), 1);
	assert_int_equal(chip_of(d, "dp2_vm", "/device:TPU:1 SparseCore 0"), 1);
	assert_int_equal(chip_of(d, "dp10_vm", "/device:TPU:0"), 2);
	assert_int_equal(chip_of(d, "dp11_vm", "/device:TPU:0"), 3);
	assert_true(has_problem(d, "chips of vm are counted in the order of its ranks"));
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	d = load("dp", "dp10_vm");
	assert_int_equal(d->nfiles, 1);
	assert_true(dump_host_is(d, 0, "dp10_vm"));
	dump_close(d);
	d = load("dp", "vm");
	assert_int_equal(d->nfiles, 3);
	dump_close(d);
}

static void known_chips(void **state)
{
	struct dump *d;

	(void)state;
	make_folder("known");
	put("known/rank0_vm.xplane.pb", "vm", 2, 2);
	put("known/rank1_vm.xplane.pb", "vm", 2, 0);
	d = load("known", NULL);
	assert_int_equal(d->nhosts, 2);
	assert_int_equal(d->problems->n, 0);
	assert_int_equal(chip_of(d, "rank0_vm", "/device:TPU:1"), 3);
	assert_int_equal(chip_of(d, "rank1_vm", "/device:TPU:0"), 0);
	dump_close(d);
}

static void without_ranks(void **state)
{
	const char *paths[] = { "plain/a/vm.xplane.pb", "plain/b/vm.xplane.pb" };
	struct err err = { .status = 0 };
	struct dump *d;

	(void)state;
	make_folder("plain");
	make_folder("plain/a");
	make_folder("plain/b");
	put(paths[0], NULL, 1, 0);
	put(paths[1], NULL, 2, 0);
	d = load_paths(paths, 2, NULL, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nhosts, 2);
	assert_true(dump_host_is(d, 0, "process1_vm") && dump_host_is(d, 1, "process2_vm"));
	assert_true(has_problem(d, "in the order of its processes"));
	assert_true(slice_is(dump_host_label(d, 1), "vm · process 2") &&
	    slice_is(dump_host_short(d, 1), "process 2"));
	assert_int_equal(chip_of(d, "process2_vm", "/device:TPU:1"), 2);
	dump_close(d);
}

/* Servers of profiles on several ports of one host; a port alone is a part of the name. */
static void ports(void **state)
{
	struct dump *d;

	(void)state;
	assert_int_equal(file_name_port(slice_of("10.0.0.1_8466")), 5);
	assert_int_equal(file_name_port(slice_of("vm_8")) + file_name_port(slice_of("a_vm_8466")) +
		file_name_port(slice_of("_8466")) + file_name_port(slice_of("vm8466")),
	    0);
	make_folder("ports");
	put("ports/10.0.0.1_8466.xplane.pb", NULL, 1, 0);
	put("ports/10.0.0.1_8467.xplane.pb", NULL, 1, 0);
	put("ports/10.0.0.2_8466.xplane.pb", NULL, 1, 0);
	d = load("ports", NULL);
	assert_int_equal(d->nhosts, 3);
	assert_int_equal(dump_machines(d), 2);
	assert_true(dump_host_is(d, 0, "10.0.0.1_8466") && dump_host_is(d, 1, "10.0.0.1"));
	assert_true(slice_is(dump_host_label(d, 1), "10.0.0.1 · process 2"));
	assert_true(dump_host_is(d, 2, "10.0.0.2_8466") && slice_is(dump_host_short(d, 2), "10.0.0.2_8466"));
	dump_close(d);
}

static void copies(void **state)
{
	struct dump *d;

	(void)state;
	make_folder("copies");
	put("copies/rank0_vm.xplane.pb", "vm", 1, 0);
	put("copies/rank1_vm.xplane.pb", "vm", 1, 0);
	put("copies/other.xplane.pb", "vm", 1, 0);
	d = load("copies", NULL);
	assert_int_equal(d->nfiles, 2);
	assert_true(has_problem(d, "rank1_vm.xplane.pb is a copy of rank0_vm.xplane.pb: left out"));
	assert_true(
	    has_problem(d, "rank0_vm.xplane.pb has the same bytes as other.xplane.pb, of another host"));
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
}

static void put_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* An XSpace and records of one host: the one with events is read.  An empty XSpace: its trace is. */
static void other_forms(void **state)
{
	struct pb rec = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "main", 0),
		  e = pb_event(1, 10, 5), f = { 0 };
	static const char trace[] =
	    "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2,\"name\":\"a\"}]}";
	struct dump *d;

	(void)state;
	pb_sub(&l, 4, &e);
	pb_sub(&p, 3, &l);
	pb_sub(&rec, 1, &p);
	rie_signature(&f);
	rie_records(&f, 0, &rec, 1);
	make_folder("twins");
	put("twins/vm.xplane.pb", NULL, 0, -1);
	put_bytes("twins/vm.xplane.riegeli", f.b, f.n);
	d = load("twins", NULL);
	assert_int_equal(d->nfiles, 1);
	assert_string_equal(d->files[0].base, "vm.xplane.riegeli");
	assert_true(has_problem(d, "vm.xplane.pb has no events and is left out: vm.xplane.riegeli is read"));
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	put("twins/vm.xplane.pb", NULL, 1, -1);
	d = load("twins", NULL);
	assert_int_equal(d->nfiles, 1);
	assert_string_equal(d->files[0].base, "vm.xplane.pb");
	assert_true(has_problem(d, "left out, as when opening the folder"));
	dump_close(d);
	make_folder("empty");
	put_bytes("empty/vm.xplane.pb", "", 0);
	put_bytes("empty/vm.trace.json", trace, sizeof trace - 1);
	d = load("empty", NULL);
	assert_int_equal(d->trace.events, 1);
	assert_int_equal(d->nhosts, 1);
	assert_true(has_problem(d, "the XSpace was probably over 2 GiB"));
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	pb_free(&f);
	pb_free(&rec);
}

/* A run of a rank has those of the other ranks that began with it. */
static void folders_of_ranks(void **state)
{
	static const char *const folders[] = { "ranks", "ranks/dp_rank_0", "ranks/dp_rank_0/plugins",
		"ranks/dp_rank_0/plugins/profile", "ranks/dp_rank_0/plugins/profile/2026_01_02_03_04_05",
		"ranks/dp_rank_0/plugins/profile/2026_01_02_04_04_05", "ranks/dp_rank_1",
		"ranks/dp_rank_1/plugins", "ranks/dp_rank_1/plugins/profile",
		"ranks/dp_rank_1/plugins/profile/2026_01_02_04_04_06" };
	const struct load_options first = { .threads = 1, .run = "2026_01_02_03_04_05" };
	const char *path = "ranks";
	struct err err = { .status = 0 };
	struct dump *d;

	(void)state;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		make_folder(folders[i]);
	put("ranks/dp_rank_0/plugins/profile/2026_01_02_03_04_05/vm.xplane.pb", "vm", 3, 0);
	put("ranks/dp_rank_0/plugins/profile/2026_01_02_04_04_05/vm.xplane.pb", "vm", 2, 0);
	put("ranks/dp_rank_1/plugins/profile/2026_01_02_04_04_06/vm.xplane.pb", "vm", 1, 0);
	d = load("ranks", NULL);
	assert_int_equal(d->nfiles, 2);
	assert_int_equal(d->nruns, 2);
	assert_true(dump_host_is(d, 0, "dp_rank_0_vm") && dump_host_is(d, 1, "dp_rank_1_vm"));
	assert_int_equal(chip_of(d, "dp_rank_1_vm", "/device:TPU:0"), 2);
	dump_close(d);
	d = load_paths(&path, 1, &first, NULL, &err);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 1);
	assert_int_equal(d->trace.nplanes, 6);
	dump_close(d);
}

static int begin(void **state)
{
	(void)state;
	return !mkdtemp(top) || chdir(top);
}

static int end(void **state)
{
	(void)state;
	return chdir("..") || rmtree(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(isolated),
		cmocka_unit_test(known_chips),
		cmocka_unit_test(without_ranks),
		cmocka_unit_test(ports),
		cmocka_unit_test(copies),
		cmocka_unit_test(other_forms),
		cmocka_unit_test(folders_of_ranks),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
