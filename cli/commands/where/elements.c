/* elements.c - a mask of each block, and what it leaves moved to the front of a copy */
#include "elements.h"

#include <stdlib.h>
#include <string.h>

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

static int no_memory(struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory for the elements that a condition leaves");
}

struct held_elements *held_elements_new(const struct condition *where, heddle_type type,
                                        const char *name, struct failure *why) {
  const struct expression *const e = condition_elements(where, name, why);
  struct held_elements *const h = e ? calloc(1, sizeof *h) : NULL;
  if (!h) {
    if (e) (void)no_memory(why);
    return NULL;
  }
  h->size = heddle_type_size(type);
  if (masks_start(&h->masks, e, type, why) == 0) return h;
  held_elements_free(h);
  return NULL;
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
    h->mask = malloc(*count);
    h->held = h->mask && *count <= SIZE_MAX / h->size ? malloc(*count * h->size) : NULL;
    if (!h->held) return no_memory(why);
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
