/* The files of the run: what each is, how many events it has, its problems and where they are, what it lacks,
 * and how the device clocks of its planes relate to the capture's.  The table is that of
 * analyze/tables/files.h. */
#ifndef VIEW_FILES_H
#define VIEW_FILES_H

#include "result/table.h"
#include "view/frame.h"

extern const struct view_ops view_files;

struct files {
	struct frame frame; /* first, see view/frame.h */
	struct sheet sheet;
	struct table table; /* a row per file; one more for the run when it has problems of its own */
	size_t problems;    /* number of problems known when it was made */
};

int files_view_here(const struct view *); /* the selected file; -1: the run as a whole */
const char *files_view_name(const struct view *);
int files_view_card(struct view *, struct canvas *, struct rect, enum frame_card);

#endif
