/* elements.c - a mask of each block, and what it leaves moved to the front of a copy
 *
 * Limits  What depends on where an element stands (--axis, weights or channels beside it) is refused. */
#include "elements.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "masks.h"

struct held_elements {
  struct masks masks;
  size_t size, room; /* of an element; elements of a block */
  uint8_t *mask;
  unsigned char *held;
};

void held_elements_free(struct held_elements *h) {
  if (!h) return;
  masks_free(&h->masks);
  free(h->mask);
  free(h->held);
  free(h);
}

int elements_where(struct source *src, const struct condition *where, struct failure *why) {
  const struct settings *const s = src->settings;
  const char *const name = command_file_label(src->path);
  const char *const option = s->part           ? "heddle mpi"
                             : s->axis         ? "--axis"
                             : s->weights      ? "--weights"
                             : s->channels > 1 ? "--channels"
                                               : NULL;
  if (option)
    return fail(why, EXIT_USAGE,
                "%s is no table: with %s its elements are told by where they stand, and --where "
                "would move them; heddle select writes those for which it holds",
                name, option);
  const struct expression *const e = condition_elements(where, name, why);
  struct held_elements *const h = e ? command_allocate(1, sizeof *h, "a condition", why) : NULL;
  if (!h) return -1;
  memset(h, 0, sizeof *h);
  src->elements = h;
  h->size = heddle_type_size(input_type(src->in));
  return masks_start(&h->masks, e, input_type(src->in), why);
}

int held_elements_take(struct held_elements *h, const void **data, size_t *count,
                       struct failure *why) {
  const unsigned char *from = *data;
  size_t n = 0;
  if (*count > h->room) {
    free(h->mask);
    free(h->held);
    h->room = 0;
    h->held = NULL;
    h->mask = command_allocate(*count, 1, "a mask", why);
    h->held = h->mask ? command_allocate(*count, h->size, "elements", why) : NULL;
    if (!h->held) return -1;
    h->room = *count;
  }
  if (masks_make(&h->masks, from, *count, h->mask, why) != 0) return -1;
  for (size_t i = 0; i < *count; i++, from += h->size) {
    memcpy(h->held + n * h->size, from, h->size);
    n += h->mask[i];
  }
  *data = h->held;
  *count = n;
  return 0;
}
