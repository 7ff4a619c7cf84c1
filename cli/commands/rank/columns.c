/* columns.c - one column where it lies if its file is mapped, several in memory that grows by halves */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

void columns_free(struct columns *c) {
  for (size_t i = 0; i < INPUT_MAX_COLUMNS; i++) free(c->data[i]);
  free(c->owned);
}

static int grow(struct columns *c, size_t columns, size_t size, size_t *room, size_t n,
                struct failure *why) {
  size_t more = *room / 2 > n ? *room / 2 : n;
  if (n <= *room - c->count) return 0;
  if (more > SIZE_MAX / 2 / size - *room) more = n;
  for (size_t i = 0; i < columns; i++) {
    unsigned char *larger = realloc(c->data[i], (*room + more) * size);
    if (!larger) return fail(why, EXIT_DATA, "out of memory after %zu elements", c->count);
    c->data[i] = larger;
  }
  *room += more;
  return 0;
}

int columns_read(struct source *src, size_t columns, struct columns *c, struct failure *why) {
  const size_t size = heddle_type_size(input_type(src->in));
  size_t room = 0, n = 0;
  if (columns == 1) return source_all(src, &c->whole, &c->count, &c->owned, why);
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (grow(c, columns, size, &room, n, why) != 0) return -1;
    for (size_t i = 0; i < columns; i++) memcpy(c->data[i] + c->count * size, data[i], n * size);
    c->count += n;
  }
}
