/* write-levels EVENTS NAME: a trace table with all levels, and the table of names beside it: NAME.SSTABLE and
 * NAME.trie.SSTABLE (mklevels.h). */
#include "config.h"

#include "mklevels.h"

#include <stdio.h>

#include "load/load.h"

static void write_file(const char *name, const char *suffix, struct pb *file)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s%s", name, suffix);
	f = fopen(path, "wb");
	if (!f || fwrite(file->b, 1, file->n, f) != file->n || fclose(f)) {
		perror(path);
		exit(1);
	}
	pb_free(file);
}

int main(int argc, char **argv)
{
	struct pb table, names;
	struct dump *d;

	if (argc != 3)
		return 2;
	table = levels_table(false, strtoull(argv[1], NULL, 10), 4);
	d = load_memory(table.b, table.n, "written.SSTABLE", NULL, NULL);
	if (!d)
		return 1;
	names = levels_trie(d, TRIE_PREFIXES);
	dump_close(d);
	write_file(argv[2], ".SSTABLE", &table);
	write_file(argv[2], ".trie.SSTABLE", &names);
	return 0;
}
