/* near.c - arrays that are sorted in a cache, on one thread */
#include "sort.h"

enum { LOOKED_AT = 512 }; /* items: fewer are sorted as fast as they are turned around */

void hd_cpu_sort_near(const struct hd_cpu_sort_call *call, const struct hd_cpu_sort_io *io,
                      size_t n, void *a, void *b) {
  const struct hd_cpu_sort_engine *engine = call->engine;
  struct hd_cpu_sort_look look = {
      .all = ~(u64)0, .rising = true, .falling = true, .weak = call->weak};
  call->kernels->pack(io, 0, n, a);
  if (n >= LOOKED_AT)
    engine->look(a, n, call->mask, &look);
  else
    look.rising = look.falling = false;
  if (look.rising) {
    /* as it is */
  } else if (look.falling) {
    engine->reverse(a, n);
  } else if (engine->sort(a, b, n, call->mask, call->exponent)) {
    a = b;
  }
  call->kernels->unpack(io, 0, n, a);
}
