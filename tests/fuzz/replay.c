/* Runs a fuzz target without libFuzzer: replay-NAME takes every file of tests/fuzz/corpus/NAME as it is, cut
 * off at many places, and with changed bits and bytes, fields and values (the same ones in every run).  Prints TAP, one
 * case per file.  A crash or a hang ends the program; the input that caused it is kept in replay-NAME.input. */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mutate.h"

#define CUTS 128
#define CHANGES 400
#define MUTATIONS 300
#define GROWTH 4096 /* by which a mutation may make an input larger */
#define SECONDS_PER_INPUT 20
#define CORPUS_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static int input_fd = -1; /* replay-NAME.input: the current input */

static void die(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(1);
}

static void run(const uint8_t *bytes, size_t size)
{
	/* exactly as large as the input, so that sanitizers see every read beyond it */
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		die("out of memory");
	memcpy(copy, bytes, size);
	if (ftruncate(input_fd, (off_t)size) || pwrite(input_fd, bytes, size, 0) != (ssize_t)size)
		die("cannot keep the input");
	alarm(SECONDS_PER_INPUT);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	free(copy);
}

static void change(uint8_t *bytes, size_t size, uint32_t *state)
{
	static const uint8_t extremes[] = { 0x00, 0x7f, 0x80, 0xff };
	size_t at = mutate_random(state, size), how = mutate_random(state, 16);

	if (how & 1)
		bytes[at] ^= (uint8_t)(1 << how / 2);
	else
		bytes[at] = extremes[how / 2 % 4];
}

/* What libFuzzer has of its own */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max)
{
	static uint32_t state = 88172645u;
	size_t at = mutate_random(&state, size + 1);

	if (size < max && mutate_rarely(&state, 3)) {
		memmove(bytes + at + 1, bytes + at, size++ - at);
		bytes[at] = (uint8_t)mutate_random(&state, 256);
	} else if (size > 1 && at < size && mutate_rarely(&state, 3)) {
		memmove(bytes + at, bytes + at + 1, --size - at);
	} else if (size) {
		change(bytes, size, &state);
	}
	return size;
}

static void replay(const uint8_t *bytes, size_t size)
{
	uint32_t state = 2463534242u;
	uint8_t *copy = malloc(size + GROWTH);

	if (!copy)
		die("out of memory");
	run(bytes, size);
	for (size_t i = 0; i < CUTS && size; i++) {
		run(bytes, size * i / CUTS);
		if (i < size)
			run(bytes, size - i);
	}
	for (size_t i = 0; i < CHANGES && size; i++) {
		memcpy(copy, bytes, size);
		for (size_t n = 1 + i % 4; n; n--)
			change(copy, size, &state);
		run(copy, size);
	}
	for (unsigned i = 0; i < MUTATIONS; i++) {
		memcpy(copy, bytes, size);
		run(copy, LLVMFuzzerCustomMutator(copy, size, size + GROWTH, i + 1));
	}
	free(copy);
}

static size_t read_file(const char *dir, const char *name, uint8_t *out, size_t max)
{
	int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	    fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "rb");
	size_t n;

	if (!f)
		die(name);
	n = fread(out, 1, max, f);
	fclose(f);
	close(folder);
	return n;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir"), *dash = strstr(argv[0], "replay-");
	char dir[4096], input[4096];
	struct dirent **names;
	uint8_t *bytes = malloc(CORPUS_MAX);
	int n;

	if (argc > 1 || !top || !dash || !bytes)
		die("run by make check, as replay-NAME");
	snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/%s", top, dash + strlen("replay-"));
	snprintf(input, sizeof input, "%s.input", argv[0]);
	if ((n = scandir(dir, &names, visible, alphasort)) <= 0)
		die(dir);
	if ((input_fd = open(input, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
		die(input);
	printf("1..%d\n# the input in work: %s\n", n, input);
	fflush(stdout);
	for (int i = 0; i < n; i++) {
		replay(bytes, read_file(dir, names[i]->d_name, bytes, CORPUS_MAX));
		printf("ok %d - %s\n", i + 1, names[i]->d_name);
		fflush(stdout);
		free(names[i]);
	}
	unlink(input);
	free(names);
	free(bytes);
	return 0;
}
