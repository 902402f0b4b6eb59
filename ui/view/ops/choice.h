/* What all views of ops share: the core and the module chosen (app->core, app->program; a change makes
 * RESULT_TABLE_OPS anew) and the way from one such view to the next. */
#ifndef VIEW_OPS_CHOICE_H
#define VIEW_OPS_CHOICE_H

#include "core/view.h"

/* menus */
void ops_view_choose_core(struct app *);
void ops_view_choose_module(struct app *);
void ops_view_all_modules(struct app *);                          /* takes the choice back */
void ops_view_choice(const struct app *, char *buf, size_t size); /* "core 3   module jit_f   "; "" = all */
/* ops, HLO stats, framework ops, roofline, and round again: those that there are */
void ops_view_views_next(struct view *);

#endif
