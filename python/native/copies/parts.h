/* parts.h - rows of several folded axes, whose elements no row of the library reaches in order: some rows at a time,
 * copied in order to a buffer that stays in the first cache
 *
 * Result   those of the library's calls on a copy in C order, with the same bits */
#ifndef HEDDLE_PYTHON_PARTS_H
#define HEDDLE_PYTHON_PARTS_H

#include "lines.h"

/* Takes `rows` of neighbours at `data`, the first of which is the lines' row `first`. */
typedef heddle_status parts_taker(void *to, const char *data, const heddle_rows *rows,
                                  size_t first);

/* Whether lines that are to be copied are more than a part, and their rows not so near each other that they are
 * sooner copied as columns. */
bool parts_fit(const struct lines *l);
/* Every row, in order. */
heddle_status parts_each(const struct lines *l, parts_taker *take, void *to);

#endif
