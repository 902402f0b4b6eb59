/* The core and the module that tables of ops are made of: app->core and app->program, -1 and 0 for all.  A
 * choice makes RESULT_TABLE_OPS anew. */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include <stddef.h>

struct app;

/* menus */
void choice_core(struct app *);
void choice_module(struct app *);
void choice_all_modules(struct app *);                        /* takes the choice of a module back */
void choice_text(const struct app *, char *buf, size_t size); /* "core 3   module jit_f   "; "" = all */

#endif
