/* firsts.h - the first elements, in order, of data that come in pieces
 *
 * Method   A list of those so far, by their keys and, of equal ones, by their positions. What a piece has first joins
 *          it, and what lies behind the k-th falls out; two states are joined in the same way. An element that is
 *          among the first of all is among the first of every piece that it is in. */
#ifndef HEDDLE_API_STATE_FIRSTS_H
#define HEDDLE_API_STATE_FIRSTS_H

#include "api/api.h"

/* Elements and where they were: positions begin the memory. */
struct hd_first_list {
  u64 *at;
  unsigned char *elements;
  size_t room;
};

struct hd_firsts {
  struct hd_sort sort; /* HD_SORT_POSITIONS, of 8 bytes */
  size_t k, held;
  u64 start, end; /* the least position that came and behind the greatest, where the next one is */
  u64 count;      /* elements that came */
  struct hd_first_list list, piece, joined;
};

/* A state of no elements; *out is to be freed by hd_firsts_free. */
heddle_status hd_firsts_begin(heddle_context *ctx, const struct hd_sort *sort, size_t k, u64 start,
                              struct hd_firsts **out);
heddle_status hd_firsts_merge(const char *entry, heddle_context *ctx, struct hd_firsts *into,
                              const struct hd_firsts *from);
/* Room for n, of which nothing is kept. */
heddle_status hd_firsts_room(heddle_context *ctx, const struct hd_firsts *f,
                             struct hd_first_list *list, size_t n);
/* Whether element a of one list comes before element b of the other; *same: both are one. */
bool hd_firsts_before(const struct hd_firsts *f, const struct hd_first_list *x, size_t a,
                      const struct hd_first_list *y, size_t b, bool *same);

/* firsts_bytes.c: as bytes and back. */
struct hd_writer;
struct hd_reader;
void hd_firsts_put_head(struct hd_writer *w, const struct hd_firsts *f);
size_t hd_firsts_list_bytes(const struct hd_firsts *f);
void hd_firsts_put_list(struct hd_writer *w, const struct hd_firsts *f);
/* What is wrong with them, or NULL; *status where it is something else. */
const char *hd_firsts_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                          heddle_status *status);

#endif
