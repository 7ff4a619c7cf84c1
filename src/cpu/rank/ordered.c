/* ordered.c - keys of given ranks where elements are in order already: they lie at their ranks
 *
 * Method   A few elements from all over tell whether it is worth a look at all neighbours, which reads the elements once
 *          and compares them as they are, by vectors of any set. Threads take parts.
 * Limits   Types of 32 and 64 bits, neighbours in memory, rising, without NaN and without zeros of falling signs. */
#include <stdatomic.h>
#include <string.h>

#include "find.h"
#include "host/status.h"

enum {
  SOME = 64,      /* elements that are looked at first */
  BLOCK = 1 << 12 /* elements between two looks whether one has fallen */
};

#define RISES_T f32
#define RISES_U u32
#include "rises_tmpl.h"
#define RISES_T f64
#define RISES_U u64
#include "rises_tmpl.h"
#define RISES_T i32
#define RISES_U u32
#include "rises_tmpl.h"
#define RISES_T u32
#define RISES_U u32
#include "rises_tmpl.h"
#define RISES_T i64
#define RISES_U u64
#include "rises_tmpl.h"
#define RISES_T u64
#define RISES_U u64
#include "rises_tmpl.h"

typedef bool rises(const char *x, size_t n);

/* NULL: of a type that is not looked at. */
static rises *rises_of(heddle_type type) {
  switch (type) {
  case HEDDLE_F32: return rises_f32;
  case HEDDLE_F64: return rises_f64;
  case HEDDLE_I32: return rises_i32;
  case HEDDLE_U32: return rises_u32;
  case HEDDLE_I64: return rises_i64;
  case HEDDLE_U64: return rises_u64;
  default: return NULL;
  }
}

struct looking {
  struct hd_cpu_rank_call *call;
  rises *rises;
  size_t n, workers, size;
  atomic_bool falls;
};

static void look_task(void *arg, size_t worker) {
  struct looking *l = arg;
  const size_t pairs = l->n - 1, share = (pairs + l->workers - 1) / l->workers;
  const size_t first = worker * share < pairs ? worker * share : pairs;
  const size_t end = pairs - first < share ? pairs : first + share;
  const char *x = l->call->sort.io.keys;
  for (size_t i = first, m; i < end; i += m) {
    m = end - i < BLOCK ? end - i : BLOCK;
    if (atomic_load_explicit(&l->falls, memory_order_relaxed)) return;
    if (!l->rises(x + i * l->size, m) || hd_poll(&l->call->sort.token))
      atomic_store_explicit(&l->falls, true, memory_order_relaxed);
  }
}

static u64 key_at(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                  size_t at) {
  u64 room[1];
  return hd_cpu_rank_key_at(call, hd_cpu_rank_keys(call, set, at, 1, room), 0);
}

bool hd_cpu_rank_ordered(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                         struct hd_cpu_rank_query *query) {
  const struct hd_cpu_sort_io *io = &call->sort.io;
  struct looking l = {.call = call, .n = set->n, .size = io->map.bits / 8};
  l.rises = rises_of(call->sort.sort->type);
  if (set->keys || !l.rises || !query->rank_count || io->keys_step != (i64)l.size) return false;
  u64 last = 0;
  for (size_t i = 0; i < SOME;
       i++) { /* keys of another order than the type's fall here, but for equal ones */
    const u64 key = key_at(call, set, i < SOME - 1 ? i * (set->n / SOME) : set->n - 1);
    if (key < last) return false;
    last = key;
  }
  if (query->count && last >= query->from) return false;
  l.workers = hd_cpu_rank_workers(call, set->n);
  atomic_init(&l.falls, false);
  hd_cpu_sort_run(call->ctx, l.workers, look_task, &l);
  if (atomic_load(&l.falls)) return false;
  for (size_t j = 0; j < query->rank_count; j++)
    query->found[j] = key_at(call, set, (size_t)query->ranks[j]);
  query->above = 0;
  return true;
}
