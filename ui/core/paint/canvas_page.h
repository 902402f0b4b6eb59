/* A frame as a picture for a page: SVG, HTML with dark and light colors, Markdown.  Each says the command that opens
 * the place again, and has no script and no outer reference.  Texts are escaped. */
#ifndef CORE_PAINT_CANVAS_PAGE_H
#define CORE_PAINT_CANVAS_PAGE_H

#include <stdio.h>

#include "core/paint/canvas.h"

enum shot_form { SHOT_NONE, SHOT_SVG, SHOT_HTML, SHOT_MARKDOWN };

/* command NULL: it cannot be opened again */
void canvas_page(const struct canvas *, enum shot_form, const char *title, const char *command, FILE *);

#endif
