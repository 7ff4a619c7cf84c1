/* histogram_plan.h - how the elements of one job find their slots
 *
 * A plan is made once a job from its type, its bins and a guess of how many elements will come;
 * then it turns blocks of elements into slot numbers (histogram_kernels.h says what a slot is). */
#ifndef HEDDLE_CPU_HISTOGRAM_PLAN_H
#define HEDDLE_CPU_HISTOGRAM_PLAN_H

#include "../backend.h"
#include "kernels.h"

struct hd_plan {
  heddle_type type;
  size_t element_bytes;
  heddle_bins bins;        /* resolved: lo and hi are known */
  f64 *edges;              /* bins.count + 1; NULL for integer bins */
  hd_index_kernel *kernel; /* NULL: 8-bit types by `value_slot`, or few elements by search */
  bool by_value;           /* value_slot is filled */
  u32 value_slot[256];     /* of each bit pattern of an 8-bit type */
  f64 half;                /* 0.5 where keys lie half a unit below whole edges, else 0 */
  struct hd_index index;
  heddle_context *ctx;
  void *tables; /* the memory behind index.key_*.edges and `cells` */
  u32 *cells;   /* index.cells, while they are made */
  size_t tables_bytes;
};

/* *plan is to be ended by hd_plan_free, also after a failure. */
heddle_status hd_plan_make(struct hd_plan *plan, heddle_context *ctx, heddle_type type,
                           const heddle_bins *bins, u64 expected);
void hd_plan_free(struct hd_plan *plan);

/* index[i] = slot << plan->index.shift for n <= HD_INDEX_BLOCK elements; index has HD_INDEX_ROOM. */
void hd_plan_index(const struct hd_plan *plan, const void *in, size_t n, u32 *index);

/* The slot of one element, by its edges alone: the definition that every other way must meet. */
u32 hd_plan_slot(const struct hd_plan *plan, const void *element);

#endif
