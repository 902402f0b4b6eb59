/* Removes a folder that a test made, with all that is in it. */
#ifndef TESTS_RMTREE_H
#define TESTS_RMTREE_H

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static inline int rmtree_one(const char *path, const struct stat *st, int kind, struct FTW *w)
{
	(void)st;
	(void)kind;
	(void)w;
	return remove(path);
}

static inline int rmtree(const char *path)
{
	return nftw(path, rmtree_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
