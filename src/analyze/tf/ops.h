/* Which ops of TensorFlow a TPU runs: the table data/tpu_ops.tsv, which is compiled in, and a file of the user whose
 * rows are added to it or replace its rows.  It says of each op where that is known from.  The caller frees
 * (tf_ops_free). */
#ifndef ANALYZE_TF_OPS_H
#define ANALYZE_TF_OPS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text/strtab.h"

/* VALID: in TensorBoard's list.  PROBABLE: XLA compiles it, which the list does not know.  UNKNOWN: neither. */
enum tf_class { TF_VALID, TF_PROBABLE, TF_UNKNOWN, TF_CLASSES };

struct tf_ops {
	struct strtab names;
	/* by name */
	struct tf_op_entry {
		uint8_t class;
		uint8_t kernel; /* a kernel of XLA is registered by TensorFlow 2.21 */
		uint8_t own;    /* a row of the user's file */
	} * v;
	struct arena text;
};

/* The file of the user that tf_ops_read() takes, too.  To be called before anything else, in one
 * thread.  -1 with EXIT_USAGE: there is a mistake in it, and it is not taken. */
int tf_ops_own(const char *path, struct err *);
int tf_ops_read(struct tf_ops *, struct err *);
void tf_ops_free(struct tf_ops *);
const struct tf_op_entry *tf_ops_find(const struct tf_ops *, struct slice op); /* NULL: it is in no row */
const char *tf_class_name(enum tf_class);                                      /* "valid" */

#endif
