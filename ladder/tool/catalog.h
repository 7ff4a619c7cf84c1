/* catalog.h - the rungs that are there
 *
 * Result   every <family>/NN_name.cu below the ladder's folder, in the order of the course,
 *          with what its header lines say
 */
#ifndef LADDER_TOOL_CATALOG_H
#define LADDER_TOOL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "paths.h"

enum expect { EXPECT_RIGHT, EXPECT_CAUGHT, EXPECT_NEEDS_CHECK };

struct rung {
  char *family;
  char *name; /* 01_global_atomics */
  char *path;
  char *title;
  enum expect expect;
  char *class; /* of the planted bug; "" if EXPECT_RIGHT */
  bool links_heddle;
  bool fixed_size;        /* --size is not for it */
  char *observed_options; /* under checker and profiler, from '//! watched:'; or NULL */
  unsigned *mark;         /* lines of code with a comment that begins with BUG, ascending */
  size_t marks;
};

struct catalog {
  char *root; /* the ladder's folder */
  struct rung *rung;
  size_t count;
};

/* catalog_load - fails if there is no ladder, or a rung's header lines cannot be read */
void catalog_load(struct catalog *c);
void catalog_free(struct catalog *c);

/* catalog_is_family, and catalog_find: does `name` mean this rung? Its whole name, the number,
 * the part behind the number, family/name and a path all do. */
bool catalog_is_family(const struct catalog *c, const char *name);
bool catalog_means(const struct rung *r, const char *name);

#endif
