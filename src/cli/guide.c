#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/embedded.h"
#include "base/file/outfile.h"

#define GUIDE \
	"agent-guide" \
	".md"

static int make_folder(const char *path, struct err *err)
{
	return !mkdir(path, 0777) || errno == EEXIST
	    ? 0
	    : err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", path, strerror(errno));
}

/* Prints the guide, or writes it where agents look for skills: DIR/tpuscope/SKILL.md. */
int cli_guide(struct options *o, struct err *err)
{
	const struct embedded *e = embedded_find(GUIDE);
	struct outfile out;
	char *folder, *path;
	int bad;

	if (!e)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "this program was built without the guide");
	if (!o->install)
		return fwrite(e->bytes, 1, e->size, stdout) != e->size || fflush(stdout)
		    ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "stdout: %s", strerror(errno))
		    : EXIT_OK;
	folder = xasprintf("%s/tpuscope", o->install);
	path = xasprintf("%s/SKILL.md", folder);
	bad = make_folder(o->install, err) || make_folder(folder, err) ||
	    outfile_open(&out, path, o->force, err);
	if (!bad) {
		fwrite(e->bytes, 1, e->size, out.f);
		bad = outfile_close(&out, err);
		if (!bad)
			fprintf(stderr, "tpuscope: wrote %s\n", path);
	}
	free(folder);
	free(path);
	return bad ? -1 : EXIT_OK;
}
