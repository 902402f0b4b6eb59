#include "config.h"
#include "sql/internal.h"

const char *sql_example(size_t at)
{
	static const char *const examples[] = {
		"the ops that take longest:\n"
		"SELECT name, category, count(*) AS n, sum(self_ps) AS ps FROM slices WHERE kind = 'ops' "
		"GROUP BY name ORDER BY ps "
		"DESC LIMIT 5",
		"one op in each step:\n"
		"SELECT step, count(*) AS n, sum(duration_ps) AS ps FROM slices WHERE name = 'fusion.1' "
		"GROUP BY step",
		"the longest gaps of the cores, and what is around them:\n"
		"SELECT core, step, before, after, us(duration_ps) AS us FROM gaps ORDER BY us DESC LIMIT 5",
		"how long each core waits for others:\n"
		"SELECT core, count(*) AS n, sum(wait_ps) AS wait_ps FROM collectives GROUP BY core",
		"median and ninth decile of the steps:\n"
		"SELECT core, median(duration_ps) AS median, quantile_cont(duration_ps, 0.9) AS p90 FROM "
		"steps GROUP BY core",
		"the args of one kind of event:\n"
		"SELECT a.key, count(*) AS n FROM args AS a JOIN slices AS s ON s.id = a.slice_id WHERE "
		"s.kind = 'modules' GROUP BY "
		"a.key",
		"who reads a buffer:\n"
		"SELECT u.name, u.opcode FROM edges AS e JOIN instructions AS p ON p.id = e.src_id JOIN "
		"instructions AS u ON u.id = "
		"e.dst_id WHERE p.name = 'param.1'",
		"what each kind of op costs:\n"
		"SELECT i.opcode, count(*) AS n, sum(s.self_ps) AS ps FROM slices AS s JOIN instructions AS "
		"i ON i.name = s.name "
		"WHERE s.kind = 'ops' GROUP BY i.opcode ORDER BY ps DESC",
	};

	return at < sizeof examples / sizeof *examples ? examples[at] : NULL;
}

void sql_say_examples(FILE *f)
{
	for (size_t i = 0; sql_example(i); i++)
		fprintf(f, "%s-- %s\n", i ? "\n" : "", sql_example(i));
}
