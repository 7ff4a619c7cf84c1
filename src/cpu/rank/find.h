/* find.h - keys of given ranks among many: what the parts of the search share
 *
 * A set of keys is the elements of the call's io, or keys that an earlier read has kept. */
#ifndef HEDDLE_CPU_RANK_FIND_H
#define HEDDLE_CPU_RANK_FIND_H

#include <stdatomic.h>

#include "cpu/sort/sort.h"
#include "kernels.h"

enum {
  HD_RANK_BANDS = 32,       /* that a read keeps apart */
  HD_RANK_NEAR = 2048,      /* keys that are sorted on the stack */
  HD_RANK_BLOCK = 512,      /* keys that are looked at together */
  HD_RANK_RANKS_MOST = 4096 /* beyond, a sort */
};

struct hd_cpu_rank_call {
  heddle_context *ctx;
  struct hd_cpu_sort_call sort; /* its io and the order of its keys */
  const struct hd_cpu_rank_kernel *kernel;
  char *
      room; /* a thread's of its own, for rows that are searched side by side; NULL: the context's */
  size_t room_bytes, room_used;
  u32 key_bytes; /* 4 or 8 */
  u64 most;      /* the greatest key there may be */
};

struct hd_cpu_rank_set {
  void *keys; /* NULL: the elements of io */
  size_t n;
};

/* What is asked of a set. */
struct hd_cpu_rank_query {
  const u64 *ranks; /* rising, each once, below n */
  size_t rank_count;
  u64 *found; /* their keys */
  bool count; /* `above` is wanted */
  u64 from;   /* a key */
  u64 below;  /* of one rank: how many keys are below it, where a read has counted them; else ~0 */
  u64 above;  /* how many keys are `from` or greater */
};

/* Keys from low to low + width, kept in a region or counted alone. */
struct hd_cpu_rank_band {
  u64 low, width;
  size_t room; /* keys; 0: counted alone */
  char *region;
  atomic_size_t used; /* keys that would have been kept: more than `room` are not all there */
  atomic_uint_fast64_t below, inside; /* counts */
};

/* Of a call with elements at io, `canonical` as a sort by positions has it. */
void hd_cpu_rank_call_make(struct hd_cpu_rank_call *call, heddle_context *ctx,
                           const struct hd_sort *sort, u64 count, bool canonical);
/* Elements without gaps. */
void hd_cpu_rank_point(struct hd_cpu_rank_call *call, const void *in);

/* Memory of a call, aligned to 64 bytes, given back in reverse; NULL with the message set. */
void *hd_cpu_rank_hold(struct hd_cpu_rank_call *call, size_t bytes);
void hd_cpu_rank_give(struct hd_cpu_rank_call *call, void *memory, size_t bytes);
/* What a search in `n` keys of a call with a room of its own holds at most. */
size_t hd_cpu_rank_room_bytes(const struct hd_cpu_rank_call *call, size_t n);
/* Threads that n elements are worth. */
size_t hd_cpu_rank_workers(const struct hd_cpu_rank_call *call, size_t n);

/* Keys of set first .. first + n, n <= HD_RANK_BLOCK: where they are, or in `room`. */
const void *hd_cpu_rank_keys(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                             size_t first, size_t n, void *room);
/* Elements first .. first + n of the set are wanted soon: while a block in the nearest cache is looked at several
 * times, the one behind it is on its way. */
void hd_cpu_rank_expect(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                        size_t first, size_t n);
u64 hd_cpu_rank_key_at(const struct hd_cpu_rank_call *call, const void *keys, size_t i);

/* All that the query asks, of n > 0 keys, which may be moved. The context's lock is held. */
heddle_status hd_cpu_rank_find(struct hd_cpu_rank_call *call, struct hd_cpu_rank_set set,
                               struct hd_cpu_rank_query *query);

/* bands.c: of all ranks, at most `most` bands; 0 with *status: none. 0: more bands than that, or they hold most
 * of the set. */
heddle_status hd_cpu_rank_bands(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                const struct hd_cpu_rank_query *query,
                                struct hd_cpu_rank_band *bands, size_t *count);
/* A key that rank elements are below surely, nearly, and the keys up to it; *room is 0 where it is one of many. */
heddle_status hd_cpu_rank_limit(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                u64 rank, u64 *limit, size_t *room);
/* read.c: one read of the set fills the bands; regions are the caller's. */
heddle_status hd_cpu_rank_read(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                               struct hd_cpu_rank_band *bands, size_t count);
/* ordered.c: all that the query asks, of elements that are in order; false: they are not, or it was not looked at. */
bool hd_cpu_rank_ordered(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                         struct hd_cpu_rank_query *query);
/* digits.c: one rank, by counts of digits, whatever the keys are. */
heddle_status hd_cpu_rank_by_digits(struct hd_cpu_rank_call *call,
                                    const struct hd_cpu_rank_set *set, u64 rank, u64 *found);
/* counts.c: of elements of few values; and whether this is for them. */
bool hd_cpu_rank_is_counted(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                            size_t ranks);
heddle_status hd_cpu_rank_by_counts(struct hd_cpu_rank_call *call,
                                    const struct hd_cpu_rank_set *set,
                                    struct hd_cpu_rank_query *query);

#endif
