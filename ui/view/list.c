#include "config.h"
#include "core/view.h"

#include "view/files.h"

extern const struct view_ops view_timeline;

const struct view_ops *const view_list[] = { &view_timeline, &view_files, NULL };
