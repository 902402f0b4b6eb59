/* Source lines that texts name: found, mapped to folders of this machine, read, and handed to editors. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/helper.h"
#include "core/source.h"

static void finds_the_first_line_of_source(void **state)
{
	char file[64];
	int line = 0;

	(void)state;
	assert_true(source_find("op x\nsource  /m/train.py:96\nstack /m/a.py:1:2", file, sizeof file, &line));
	assert_string_equal(file, "/m/train.py");
	assert_int_equal(line, 96);
	assert_true(source_find("/m/a.py:7:19 then\nsource /m/b.cc:3", file, sizeof file, &line));
	assert_string_equal(file, "/m/b.cc");
	assert_true(source_find("{f=\"lib/x.py:12\"}", file, sizeof file, &line));
	assert_string_equal(file, "lib/x.py");
	assert_int_equal(line, 12);
	assert_false(source_find("at 15:03:20 on host.example:8431", file, sizeof file, &line));
	assert_false(source_find("a.py:0 b.py: c.py:99999999999 .py:3", file, sizeof file, &line));
	assert_false(source_find("", file, sizeof file, &line));
	assert_false(source_find("/a/very/long/name/that/has/no/room/in/the/buffer/of/the/caller/x.py:3",
	    file, sizeof file, &line));
}

static void check_path(const char *map, const char *file, const char *want)
{
	char *path = source_path(map, file);

	assert_string_equal(path, want);
	free(path);
}

static void folders_are_mapped(void **state)
{
	(void)state;
	check_path("", "/m/a.py", "/m/a.py");
	check_path("/m=/here", "/m/a.py", "/here/a.py");
	check_path("/m=/here", "/model/a.py", "/model/a.py");
	check_path("/m/=/here/", "/m/a.py", "/here/a.py");
	check_path("/x=/y,/m=/here", "/m/a.py", "/here/a.py");
	check_path("=,/m", "/m/a.py", "/m/a.py");
	check_path(".=/here", "./a.py", "/here/a.py");
}

static char *excerpt(const char *text, const char *line)
{
	char name[] = "t-source-lines.XXXXXX.py", *place, *got;
	int fd = mkstemps(name, 3);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	assert_true(asprintf(&place, "%s:%s", name, line) > 0);
	got = source_excerpt("", place);
	unlink(name);
	free(place);
	return got;
}

static void the_lines_around(void **state)
{
	char *got = excerpt("a\n\tb\n\t\tc\n\n\td\ne\n", "3");

	(void)state;
	assert_string_equal(got, " 1 a\n 2         b\n>3                 c\n 4 \n 5         d\n");
	free(got);
	got = excerpt("\tfirst\r\n\tse\033cond\n", "1");
	assert_string_equal(got,
	    ">1 first\n 2 se\xe2\x90\x9b"
	    "cond\n");
	free(got);
	assert_null(excerpt("one\n", "2"));
	assert_null(source_excerpt("", "/nowhere/x.py:1"));
	assert_null(source_excerpt("/x.py=/dev/zero", "/x.py:1"));
}

static void check_editor(const char *command, int line, const char *want)
{
	char buf[200], *argv[8], got[200] = "";
	int n = helper_editor(command, "/m/a b.py", line, buf, sizeof buf, argv, 8);

	for (int i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "[%s]", argv[i]);
	assert_string_equal(got, want);
	if (n)
		assert_null(argv[n]);
}

static void editors_take_lines_in_two_ways(void **state)
{
	(void)state;
	check_editor("vi", 7, "[vi][+7][/m/a b.py]");
	check_editor("vi", 0, "[vi][/m/a b.py]");
	check_editor(" emacs  -nw ", 7, "[emacs][-nw][+7][/m/a b.py]");
	check_editor("/usr/bin/code -w", 7, "[/usr/bin/code][-w][-g][/m/a b.py:7]");
	check_editor("hx", 7, "[hx][/m/a b.py:7]");
	check_editor("vi; rm -r x", 1, "[vi;][rm][-r][x][+1][/m/a b.py]"); /* words, not a shell's */
	check_editor("\"/my editor/vi\" --cmd 'set nu'", 7, "[/my editor/vi][--cmd][set nu][+7][/m/a b.py]");
	check_editor("", 7, "");
	check_editor("a b c d e f g h i", 7, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(finds_the_first_line_of_source),
		cmocka_unit_test(folders_are_mapped), cmocka_unit_test(the_lines_around),
		cmocka_unit_test(editors_take_lines_in_two_ways) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
