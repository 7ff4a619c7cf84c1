/* The two ends of a copy: whose memory each is, from the tables of the runtime and of the
 * checker. */
#include "copies.h"
#include "memory/allocations.h"
#include "shadow/shadow.h"

#include "runtime.h"

struct ck_end ck_end_of(const struct sd_copy *copy, bool writes) {
  struct ck_end end = {.address = writes ? (uintptr_t)copy->dst : (uintptr_t)copy->src,
                       .pitch = writes ? copy->dpitch : copy->spitch,
                       .slice = writes ? copy->dslice : copy->sslice,
                       .writes = writes};
  end.bytes = (copy->depth - 1) * end.slice + (copy->height - 1) * end.pitch + copy->width;
  const struct ck_allocation *a =
      rt_in_arena((const void *)end.address) ? ck_allocation_at(end.address) : NULL;
  const bool pinned = a && a->kind == RT_PINNED, managed = a && a->kind == RT_MANAGED;
  uintptr_t begin;
  size_t bytes;
  end.device = (a && !pinned && !managed) || (!a && rt_is_symbol((const void *)end.address));
  end.fresh = a && (a->kind == RT_DEVICE || a->kind == RT_ARRAY);
  end.pageable = !a && !end.device && !rt_registered((const void *)end.address, &begin, &bytes);
  end.tracked = ck_cells(end.address);
  return end;
}
