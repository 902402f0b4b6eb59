/* The core and the program that tables of ops are made of (capture_scope).  After a choice RESULT_TABLE_OPS is
 * made again. */
#ifndef CORE_CHOICE_H
#define CORE_CHOICE_H

#include <stddef.h>

struct app;

/* menus */
void choice_core(struct app *);
void choice_module(struct app *);
void choice_all_modules(struct app *);                        /* clears the choice of a module */
void choice_text(const struct app *, char *buf, size_t size); /* "core 3   module jit_f   "; "" = all */

#endif
