/* valid.h - which elements of a column are not null, and moving those together or apart
 *
 * Owner    the bits or bytes must stay while they are read */
#ifndef HEDDLE_PYTHON_COLUMNS_VALID_H
#define HEDDLE_PYTHON_COLUMNS_VALID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct valid {
  const uint8_t *bits;  /* Arrow's, element 0's is bit `offset`: set where an element is none; or */
  const uint8_t *nulls; /* a byte each, not 0 where one is; both NULL: no element is */
  size_t offset, length;
};

enum { VALID_ROOM = 64 }; /* bytes that valid_together may write behind what it is to write */

/* Whether some element may be null. */
static inline bool valid_is_part(const struct valid *v) { return v->bits || v->nulls; }
/* How many are not. */
size_t valid_count(const struct valid *v);
/* Those of elements [first, first + length) of `from`, a multiple of 64 or all that are left, go to `to`, one
 * behind the other, and in front of VALID_ROOM bytes. Of 1, 2, 4 or 8 bytes. Returns how many. */
size_t valid_together(const struct valid *v, size_t first, size_t length, const char *from,
                      size_t bytes, char *to);
/* The same of bits from bit `first` on, which become bytes. */
void valid_bits_together(const struct valid *v, const uint8_t *from, size_t first, char *to);
/* All of elements [first, first + length), as for valid_together, of 4 or 8 bytes, go to `to`, where one that is
 * null becomes *fill. */
void valid_filled(const struct valid *v, size_t first, size_t length, const char *from,
                  size_t bytes, const void *fill, char *to);
/* Where element `index` of those that are not null was among all of them. */
size_t valid_place(const struct valid *v, size_t index);
/* n elements that are not null, one behind the other in memory for all of them, go to their places, and 0 to
 * the others; which: which ones they are. */
void valid_apart(const struct valid *v, char *x, size_t n, size_t bytes, bool *which);

#endif
