/* plan.h - how the elements of one job find their slots
 *
 * A plan is made once a job from its type and its bins; it says which strategy leads from elements
 * to slots (index.h) and holds the tables of that strategy. The back ends have the kernels. */
#ifndef HEDDLE_BINS_PLAN_H
#define HEDDLE_BINS_PLAN_H

#include "host/context.h"
#include "index.h"

enum hd_plan_strategy {
  HD_PLAN_SEARCH,  /* few elements: binary search in `edges` */
  HD_PLAN_VALUES,  /* types of 8 bits: value_slot */
  HD_PLAN_INTEGER, /* a subtraction */
  HD_PLAN_EVEN,    /* computed, settled at an edge where in doubt */
  HD_PLAN_BUCKETS  /* a table of buckets */
};

struct hd_plan {
  enum hd_plan_strategy strategy;
  heddle_type type;
  size_t element_bytes;
  heddle_bins bins;    /* resolved: lo and hi are known */
  f64 *edges;          /* bins.count + 1; NULL for integer bins */
  u32 value_slot[256]; /* HD_PLAN_VALUES: of each bit pattern */
  bool narrow;         /* keys are f32, else f64 */
  f64 half;            /* 0.5 where keys lie half a unit below whole edges, else 0 */
  struct hd_index index;
  heddle_context *ctx;
  void *tables; /* the memory behind index.key_*.edges and `buckets` */
  u32 *buckets; /* index.buckets, while they are made */
  size_t tables_bytes;
};

/* For `expected` elements on a CPU. *plan is to be ended by hd_plan_free, also after a failure. */
heddle_status hd_plan_make(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                           const heddle_bins *bins, u64 expected);
/* For any number of elements elsewhere: never by search, and by buckets without the table of them. */
heddle_status hd_plan_make_keys(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                                const heddle_bins *bins);
void hd_plan_free(struct hd_plan *plan);

/* A number below x such that no element of the type lies between them; x is finite. */
f64 hd_element_below(heddle_type type, f64 x);

/* The slot of one element, by its edges alone: the definition that every other strategy must meet. */
u32 hd_plan_slot(const struct hd_plan *plan, const void *element);

#endif
