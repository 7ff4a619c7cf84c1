/* bulk_copy.h - whole cache lines copied by non-temporal stores, which leave the caches alone */
#ifndef HEDDLE_HOST_BULK_COPY_H
#define HEDDLE_HOST_BULK_COPY_H

#include <stddef.h>

enum { HD_LINE_BYTES = 64 };

/* Copies `bytes`, a multiple of HD_LINE_BYTES, from anywhere to an aligned line. What the calling
 * thread stores afterwards is seen after the lines. */
typedef void hd_copy_lines(void *to, const void *from, size_t bytes);

/* NULL: this processor has no such stores. */
hd_copy_lines *hd_nontemporal_copy(void);

#endif
