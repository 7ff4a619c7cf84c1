/* bins.c - bins with their tables on the device, kept from call to call
 *
 * Method   A list, looked through by type and bins (explicit edges: by their values). What is not
 *          used by a state or a graph leaves when more than MOST_PLANS others were used since, or
 *          when the tables of all pass MOST_BYTES.
 * Limits   a captured graph keeps its tables until the context closes */
#include "bins.h"

#include <stdlib.h>
#include <string.h>

#include "buckets.h"
#include "choose.h"
#include "cuda/core/inside.h"
#include "histogram.h"
#include "host/status.h"

enum {
  MOST_PLANS = 8,
  MOST_BYTES = 64 << 20,
  FEW_BUCKETS = 16 << 10, /* packed; twice as many leave less room for counters */
  MANY_BINS = 2048,       /* more leave no room for 16 counters of each (launch.c) */
  FEW_PAIRS = 64,         /* one edge of so many may share a bucket with the one before it */
  MOST_STEPS = 3,         /* that an element takes without a branch */
  LEAST_NEAR_BUCKETS = 8 << 10,
  BUCKETS_A_BIN = 4, /* in global memory */
  MOST_BUCKETS = 1 << 22
};

/* ---- the list ------------------------------------------------------------------------------ */

static bool same_edges(const heddle_bins *a, const heddle_bins *b) {
  return !memcmp(a->edges, b->edges, (a->count + 1) * sizeof *a->edges);
}

static bool same_bins(const heddle_bins *a, const heddle_bins *b) {
  if (a->kind != b->kind || a->count != b->count) return false;
  switch (a->kind) {
  case HEDDLE_BINS_INTEGER: return a->first == b->first;
  case HEDDLE_BINS_EDGES: return same_edges(a, b);
  case HEDDLE_BINS_EVEN:
  case HEDDLE_BINS_LOG: break;
  }
  /* By bits: the edge -0.0 is not the edge +0.0. */
  return !memcmp(&a->lo, &b->lo, sizeof a->lo) && !memcmp(&a->hi, &b->hi, sizeof a->hi) &&
         !a->auto_range == !b->auto_range;
}

static void forget(struct hd_cuda_context *cuda, struct hd_cuda_bins *bins, bool alive) {
  if (alive && bins->memory) hd_cuda_give_back(cuda, bins->memory);
  free((void *)(uintptr_t)bins->bins.edges);
  free(bins);
}

void hd_cuda_bins_close(struct hd_cuda_context *cuda, bool alive) {
  while (cuda->bins) {
    struct hd_cuda_bins *bins = cuda->bins;
    cuda->bins = bins->next;
    forget(cuda, bins, alive);
  }
}

/* Makes room for tables of `bytes`: the least recently used leave. */
static void make_room(struct hd_cuda_context *cuda, size_t bytes) {
  for (;;) {
    struct hd_cuda_bins **oldest = NULL;
    unsigned plans = 0;
    size_t all = bytes;
    for (struct hd_cuda_bins **link = &cuda->bins; *link; link = &(*link)->next) {
      const struct hd_cuda_bins *b = *link;
      if (b->holders || b->kept) continue;
      plans++;
      all += b->bytes;
      if (!oldest || b->used < (*oldest)->used) oldest = link;
    }
    if (!oldest || (plans < MOST_PLANS && all <= MOST_BYTES)) return;
    struct hd_cuda_bins *gone = *oldest;
    *oldest = gone->next;
    forget(cuda, gone, true);
  }
}

/* ---- making tables --------------------------------------------------------------------------- */

/* Parts of one allocation. */
struct part {
  const void *from;
  size_t bytes;
  cu_pointer *to;
};

static heddle_status copy_parts(struct hd_cuda_call *call, struct hd_cuda_bins *b,
                                const struct part *parts, unsigned count) {
  for (unsigned i = 0; i < count; i++) b->bytes += (parts[i].bytes + 255) & ~(size_t)255;
  if (!b->bytes) return HEDDLE_OK;
  make_room(call->cuda, b->bytes);
  HD_TRY(hd_cuda_memory(call, b->bytes, &b->memory));
  cu_pointer at = b->memory;
  for (unsigned i = 0; i < count; i++) {
    *parts[i].to = at;
    HD_TRY(hd_cuda_upload(call, at, parts[i].from, parts[i].bytes));
    at += (parts[i].bytes + 255) & ~(size_t)255;
  }
  return HEDDLE_OK;
}

static void set_keys(const struct hd_plan *plan, struct hist_slots *find) {
  const struct hd_index *index = &plan->index;
  const struct hd_keys_f32 *n = &index->key_f32;
  const struct hd_keys_f64 *w = &index->key_f64;
  const u32 first_inner = UINT32_C(1) << index->fraction;
  find->bins = index->bins;
  find->key_f32 = (struct hist_keys_f32){n->first, n->last, n->origin, n->scale};
  find->key_f64 = (struct hist_keys_f64){w->first, w->last, w->origin, w->scale};
  find->fraction = index->fraction;
  find->lift = index->lift - first_inner;
  find->doubt = index->doubt;
  find->limit = index->limit - first_inner;
}

/* Whether inner edges come out of a formula of linspace: then no table of them is read. */
static bool gives_edges(const struct hd_plan *plan, const struct hist_slots *find, bool narrow) {
  for (u32 i = 1; i < find->bins; i++) {
    if (plan->narrow) {
      f32 edge = narrow ? (f32)i * (f32)find->step + (f32)find->from - (f32)find->half
                        : (f32)((f64)i * find->step + find->from) - (f32)find->half;
      if (edge != plan->index.key_f32.edges[i]) return false;
    } else if ((f64)i * find->step + find->from - find->half != plan->index.key_f64.edges[i]) {
      return false;
    }
  }
  return true;
}

static void set_formula(const struct hd_plan *plan, struct hist_slots *find) {
  f64 lo = plan->edges[0], hi = plan->edges[plan->bins.count];
  if (plan->bins.kind == HEDDLE_BINS_EVEN && plan->bins.lo != plan->bins.hi)
    lo = plan->bins.lo, hi = plan->bins.hi; /* not yet rounded to the type */
  find->from = lo;
  find->half = plan->half;
  find->step = (hi - lo) / (f64)plan->bins.count;
  if (gives_edges(plan, find, false)) {
    find->formula = 64;
    return;
  }
  find->step = ((f32)hi - (f32)lo) / (f32)plan->bins.count;
  if (plan->narrow && gives_edges(plan, find, true)) find->formula = 32;
}

static struct part keys_part(const struct hd_plan *plan, struct hd_cuda_bins *b) {
  size_t keys = HD_EDGES(plan->bins.count, b->steps);
  if (plan->narrow) return (struct part){plan->index.key_f32.edges, keys * 4, &b->find.edges};
  return (struct part){plan->index.key_f64.edges, keys * 8, &b->find.edges};
}

/* Packed buckets lie in shared memory beside the counters. */
static bool has_room(const struct hd_cuda_call *call, u32 buckets) {
  return buckets * sizeof(u32) <= (u32)hd_cuda_limits(call->cuda)->shared_per_block / 5 * 3;
}

/* Chooses at most how many buckets, and how places are found; returns the former. */
static u32 choose_packed(const struct hd_cuda_call *call, const struct hd_plan *plan,
                         struct hist_slots *find) {
  const size_t bins = plan->bins.count;
  const struct hist_slots keys = *find;
  /* Where there is no room for copies of counters, buckets take it. */
  u32 buckets = bins > MANY_BINS ? 2 * FEW_BUCKETS : FEW_BUCKETS;
  while (!has_room(call, buckets)) buckets /= 2;
  if (hd_cuda_buckets_choose(plan, buckets, true, 1, find) * FEW_PAIRS <= bins) return buckets;
  if (!has_room(call, 2 * buckets)) return buckets;
  buckets *= 2;
  *find = keys; /* choosing has moved the ends */
  (void)hd_cuda_buckets_choose(plan, buckets, true, 1, find);
  return buckets;
}

/* Buckets of 16 bits: few enough that the edges have room, too, beside two counters a word; or as many as
 * have room without. */
static u32 most_steps_buckets(const struct hd_cuda_call *call, const struct hd_plan *plan) {
  const size_t bins = plan->bins.count, edges = HD_EDGES(bins, MOST_STEPS);
  const size_t words = (bins + HD_EXTRA_SLOTS) / 2 + (plan->narrow ? 1 : 2) * edges + 4;
  const size_t room = hd_cuda_count_room(hd_cuda_limits(call->cuda));
  u32 buckets = 2 * FEW_BUCKETS, near = buckets;
  while (!has_room(call, buckets / 2)) buckets /= 2;
  while (near > LEAST_NEAR_BUCKETS && words + near / 2 > room) near /= 2;
  return words + near / 2 > room || near > buckets ? buckets : near;
}

/* The same for entries of 16 bits; also how many steps settle most elements. */
static u32 choose_steps(const struct hd_cuda_call *call, const struct hd_plan *plan,
                        struct hist_slots *find, u32 *steps) {
  const struct hist_slots keys = *find;
  const u32 most = most_steps_buckets(call, plan);
  for (*steps = 1;; ++*steps) {
    const u32 share = (UINT32_C(1) << *steps) - 1;
    *find = keys;
    const size_t crowded = hd_cuda_buckets_choose(plan, most, true, share, find);
    if (crowded * FEW_PAIRS <= plan->bins.count || *steps == MOST_STEPS) return most;
  }
}

static void choose_open(const struct hd_plan *plan, struct hist_slots *find) {
  u32 buckets = FEW_BUCKETS;
  while (buckets < MOST_BUCKETS && buckets < BUCKETS_A_BIN * plan->bins.count) buckets *= 2;
  (void)hd_cuda_buckets_choose(plan, buckets, false, 1, find);
}

/* The strategy, and the words that what shared memory gets of its tables has at most. */
static u32 choose_buckets(struct hd_cuda_call *call, struct hd_plan *plan, struct hd_cuda_bins *b) {
  const size_t bins = plan->bins.count;
  if (bins <= HD_BUCKETS_MOST_BINS) {
    const u32 buckets = choose_packed(call, plan, &b->find);
    b->strategy = HD_STRATEGY_BUCKETS;
    return buckets + hd_cuda_buckets_parts(buckets);
  }
  if (bins <= HD_STEPS_MOST_BINS) {
    b->strategy = HD_STRATEGY_STEPS;
    return choose_steps(call, plan, &b->find, &b->steps) / 2 + 1;
  }
  b->strategy = HD_STRATEGY_SEARCH;
  choose_open(plan, &b->find);
  return 0;
}

static heddle_status make_buckets(struct hd_cuda_call *call, struct hd_plan *plan,
                                  struct hd_cuda_bins *b) {
  hd_cuda_buckets_close(plan);
  const u32 room = choose_buckets(call, plan, b);
  const u32 buckets = (b->find.place_last >> b->find.place_bits) + 1;
  u32 *tables = calloc((size_t)buckets + 1 + room, sizeof *tables);
  if (!tables)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no host memory for a table of %u buckets",
                   call->entry, buckets);
  u32 *words = tables + buckets + 1;
  const bool packed = b->strategy == HD_STRATEGY_BUCKETS;
  hd_cuda_buckets_fill(plan, &b->find, room, tables, packed ? words : NULL);
  if (b->strategy == HD_STRATEGY_STEPS) {
    hd_cuda_buckets_steps(tables, buckets, b->steps, (u16 *)words);
    b->find.words = buckets / 2 + 1;
  }
  const struct part parts[] = {keys_part(plan, b),
                               {tables, (buckets + (size_t)1) * sizeof *tables, &b->find.buckets},
                               {words, b->find.words * sizeof *tables, &b->packed}};
  heddle_status status = copy_parts(call, b, parts, room ? 3 : 2);
  free(tables);
  return status;
}

static heddle_status make_tables(struct hd_cuda_call *call, struct hd_plan *plan,
                                 struct hd_cuda_bins *b) {
  b->narrow = plan->narrow;
  set_keys(plan, &b->find);
  switch (plan->strategy) {
  case HD_PLAN_SEARCH:
  case HD_PLAN_BUCKETS: return make_buckets(call, plan, b);
  case HD_PLAN_INTEGER:
    b->strategy = HD_STRATEGY_INTEGER;
    hd_cuda_histogram_integers(plan, &b->find);
    return HEDDLE_OK;
  case HD_PLAN_VALUES: {
    const struct part part = {plan->value_slot, sizeof plan->value_slot, &b->value_slot};
    b->strategy = HD_STRATEGY_VALUES;
    HD_TRY(copy_parts(call, b, &part, 1));
    b->find.buckets = b->value_slot;
    return HEDDLE_OK;
  }
  case HD_PLAN_EVEN: {
    const struct part part = keys_part(plan, b);
    b->strategy = HD_STRATEGY_EVEN;
    set_formula(plan, &b->find);
    return copy_parts(call, b, &part, 1);
  }
  }
  return HEDDLE_OK;
}

/* The key of the list: the caller's edges may change. */
static heddle_status copy_bins(struct hd_cuda_call *call, const heddle_bins *bins,
                               struct hd_cuda_bins *b) {
  b->bins = *bins;
  b->bins.edges = NULL;
  if (bins->kind != HEDDLE_BINS_EDGES) return HEDDLE_OK;
  size_t bytes = (bins->count + 1) * sizeof *bins->edges;
  f64 *edges = malloc(bytes);
  if (!edges)
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no host memory for %zu edges", call->entry,
                   bins->count + 1);
  memcpy(edges, bins->edges, bytes);
  b->bins.edges = edges;
  return HEDDLE_OK;
}

static heddle_status make_bins(struct hd_cuda_call *call, heddle_type type, const heddle_bins *bins,
                               struct hd_cuda_bins *b) {
  struct hd_plan plan;
  b->type = type;
  heddle_status status = copy_bins(call, bins, b);
  if (status) return status;
  status = hd_plan_make_keys(&plan, call->ctx, type, bins);
  if (!status) status = make_tables(call, &plan, b);
  b->lo = plan.edges ? plan.edges[0] : (f64)bins->first;
  b->hi = plan.edges ? plan.edges[bins->count] : (f64)bins->first + (f64)bins->count;
  hd_plan_free(&plan);
  return status;
}

/* ---- finding -------------------------------------------------------------------------------- */

heddle_status hd_cuda_bins_find(struct hd_cuda_call *call, heddle_type type,
                                const heddle_bins *bins, struct hd_cuda_bins **out) {
  struct hd_cuda_context *cuda = call->cuda;
  struct hd_cuda_bins *b = cuda->bins;
  while (b && !(b->type == type && same_bins(&b->bins, bins))) b = b->next;
  if (!b) {
    HD_TRY(hd_cuda_no_capture(call, "making the tables of new bins"));
    b = calloc(1, sizeof *b);
    if (!b) return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no host memory for a plan", call->entry);
    heddle_status status = make_bins(call, type, bins, b);
    if (status) {
      forget(cuda, b, true);
      return status;
    }
    b->next = cuda->bins;
    cuda->bins = b;
  }
  b->used = ++cuda->bins_used;
  if (call->preparing || call->captured) b->kept = true;
  *out = b;
  return HEDDLE_OK;
}
