/* TensorFlow graphs for tests, made with pbuild.h:
 *
 *	struct pb g = { 0 };
 *	tf_node(&g, 1, "a/b", "MatMul", "/device:TPU:0", "x", "^y", NULL);
 *	struct dump *d = tf_dump(&g);	frees g; the dump lives as long as its bytes, so they are leaked to it */
#ifndef TESTS_MKTF_H
#define TESTS_MKTF_H

#include <stdarg.h>

#include "load/load.h"
#include "pbuild.h"

/* Adds a NodeDef as that field: 1 of a GraphDef, 3 of a FunctionDef.  The inputs end with NULL. */
static inline void tf_node(struct pb *to, unsigned field, const char *name, const char *op,
    const char *device, ...)
{
	struct pb node = { 0 };
	const char *input;
	va_list ap;

	pb_s(&node, 1, name);
	if (*op)
		pb_s(&node, 2, op);
	va_start(ap, device);
	while ((input = va_arg(ap, const char *)))
		pb_s(&node, 3, input);
	va_end(ap);
	if (*device)
		pb_s(&node, 4, device);
	pb_sub(to, field, &node);
}

/* A FunctionDef with that name, to which nodes are added as field 3. */
static inline struct pb tf_function(const char *name)
{
	struct pb signature = { 0 }, f = { 0 };

	pb_s(&signature, 1, name);
	pb_sub(&f, 1, &signature);
	return f;
}

/* Opens the bytes as a file of that name; the dump borrows them. */
static inline struct dump *tf_open(const struct pb *bytes, const char *name, struct err *err)
{
	*err = (struct err){ 0 };
	return load_memory(bytes->b, bytes->n, name, NULL, err);
}

#endif
