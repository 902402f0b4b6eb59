/* Answers of SQL that are kept, and where their rows lead. */
#include "config.h"
#include "sql/sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file/embedded.h"
#include "load/load.h"

static struct capture *open_sample(void **state)
{
	const struct embedded *e = embedded_find("simulated-v5e-4chip.xplane.pb.gz");
	struct load_options options = { .threads = 1 };
	struct err err = { 0 };

	(void)state;
	return capture_of(load_memory(e->bytes, e->size, e->name, &options, &err), 1);
}

static struct sql_answer *ask(struct capture *c, struct capture *base, const char *text)
{
	const struct sql_options o = { .text = text, .limit = -1, .threads = 1 };
	struct err err = { 0 };
	struct sql_answer *a = sql_ask(c, base, &o, &err);

	if (!a)
		print_error("%s: %s\n", text, err.msg);
	assert_non_null(a);
	return a;
}

static void rows_lead_to_what_they_say(void **state)
{
	static const struct {
		const char *text;
		enum ref_kind kind;
	} v[] = {
		{ "SELECT id FROM slices WHERE name = 'fusion.163'", REF_EVENT },
		{ "SELECT slice_id, wait_ps FROM collectives", REF_EVENT },
		{ "SELECT name, start_ps FROM slices WHERE name = 'fusion.163'", REF_EVENT },
		{ "SELECT name, step, core FROM slices WHERE name = 'fusion.163'", REF_EVENT },
		{ "SELECT core, start_ps FROM gaps", REF_TIME },
		{ "SELECT name FROM slices WHERE name = 'fusion.163'", REF_OP },
		{ "SELECT hlo_op_name FROM ops", REF_OP },
		{ "SELECT name, opcode, module FROM instructions", REF_NODE },
		{ "SELECT name, bytes, shape FROM buffers", REF_BUFFER },
		{ "SELECT 'no such op' AS name", REF_NONE },
		{ "SELECT 7 AS seven", REF_NONE },
		{ "SELECT -1 AS id", REF_NONE },
	};
	struct capture *c = open_sample(state);

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct sql_answer *a = ask(c, NULL, v[i].text);

		assert_true(a->rows.nrows > 0);
		if (sql_place_of(a, c, 0).kind != v[i].kind)
			print_error("%s: %d\n", v[i].text, (int)sql_place_of(a, c, 0).kind);
		assert_int_equal(sql_place_of(a, c, 0).kind, v[i].kind);
		sql_answer_free(a);
	}
	capture_close(c);
}

static void an_event_is_the_one_of_the_row(void **state)
{
	struct capture *c = open_sample(state);
	struct sql_answer *a = ask(c, NULL, "SELECT id, start_ps FROM slices ORDER BY id DESC");

	for (size_t i = 0; i < a->rows.nrows; i += 97) {
		struct sql_place p = sql_place_of(a, c, i);

		assert_int_equal(p.kind, REF_EVENT);
		assert_int_equal(track_start(&c->base->trace.tracks[p.track], p.event),
		    table_at(&a->rows, i, 1)->u.i);
	}
	assert_true(a->cut);
	sql_answer_free(a);
	capture_close(c);
}

static void the_base_has_the_same_tables(void **state)
{
	struct capture *c = open_sample(state), *base = capture_beside(c);
	struct sql_answer *a = ask(c, base,
	    "SELECT (SELECT count(*) FROM slices) = (SELECT count(*) FROM base.slices), (SELECT count(*) "
	    "FROM "
	    "steps) = (SELECT count(*) FROM base.steps), (SELECT count(*) FROM collectives) = (SELECT "
	    "count(*) "
	    "FROM base.collectives), (SELECT sum(bytes) FROM buffers) = (SELECT sum(bytes) FROM "
	    "base.buffers)");

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(table_at(&a->rows, 0, i)->u.i, 1);
	sql_answer_free(a);
	capture_close(base);
	capture_close(c);
}

static void values_are_bound(void **state)
{
	struct capture *c = open_sample(state);
	const struct sql_value v[] = { { "$from", 5 }, { "$to", 7 } };
	const struct sql_options o = { .text = "SELECT $from, $to, $step",
		.limit = -1,
		.value = v,
		.nvalues = 2 };
	struct err err = { 0 };
	struct sql_answer *a = sql_ask(c, NULL, &o, &err);

	assert_int_equal(table_at(&a->rows, 0, 0)->u.i, 5);
	assert_int_equal(table_at(&a->rows, 0, 1)->u.i, 7);
	assert_int_equal(table_at(&a->rows, 0, 2)->type, CELL_NULL);
	sql_answer_free(a);
	capture_close(c);
}

static void a_canceled_query_ends(void **state)
{
	struct capture *c = open_sample(state);
	struct progress p = { .cancel = true };
	const struct sql_options o = { .text =
					   "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
					   "SELECT count(*) FROM c",
		.progress = &p };
	struct err err = { 0 };

	assert_null(sql_ask(c, NULL, &o, &err));
	assert_string_equal(err.msg, "canceled");
	capture_close(c);
}

static void a_table_that_is_made_ends_too(void **state)
{
	struct capture *c = open_sample(state);
	struct progress p = { .cancel = true };
	const struct sql_options o = { .text = "SELECT name FROM trace LIMIT 1", .progress = &p };
	struct err err = { 0 };

	assert_null(sql_ask(c, NULL, &o, &err));
	assert_string_equal(err.msg, "canceled");
	capture_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_lead_to_what_they_say),
		cmocka_unit_test(an_event_is_the_one_of_the_row),
		cmocka_unit_test(the_base_has_the_same_tables),
		cmocka_unit_test(values_are_bound),
		cmocka_unit_test(a_canceled_query_ends),
		cmocka_unit_test(a_table_that_is_made_ends_too),
	};

	return sql_built_in() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
