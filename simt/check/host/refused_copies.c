/* Copies and fills that CUDA refuses: which end is wrong, and how. */
#include "call_stack.h"
#include "check.h"
#include "copies.h"
#include "host.h"
#include "memory/allocations.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

enum { NOTHING = -1 };

/* The class of what is wrong with an end that must be on that side; NOTHING if it is fine. */
static int wrong(const struct ck_end *end, enum rt_side side) {
  const void *address = (const void *)end->address;
  uintptr_t begin;
  size_t bytes;
  if (end->address < 4096) return SD_NULL_POINTER;
  if (rt_in_arena(address)) {
    const struct ck_allocation *a = ck_allocation_at(end->address);
    if (!a || !ck_covers(a, end->address, 1)) return SD_OUT_OF_BOUNDS;
    if (!a->live) return SD_USE_AFTER_FREE;
    if (a->kind == RT_HEAP || a->kind == RT_ARRAY) return SD_BAD_CALL;
    return ck_covers(a, end->address, end->bytes) ? NOTHING : SD_OUT_OF_BOUNDS;
  }
  if (side != RT_DEVICE_SIDE) return NOTHING;
  if (rt_registered(address, &begin, &bytes))
    return end->bytes <= bytes - (end->address - begin) ? NOTHING : SD_OUT_OF_BOUNDS;
  const size_t room = rt_symbol_room(address);
  if (room) return end->bytes <= room ? NOTHING : SD_OUT_OF_BOUNDS;
  return SD_HOST_POINTER;
}

static const char *kind_name(int kind) {
  static const char *const names[] = {
      [cudaMemcpyHostToHost] = "cudaMemcpyHostToHost",
      [cudaMemcpyHostToDevice] = "cudaMemcpyHostToDevice",
      [cudaMemcpyDeviceToHost] = "cudaMemcpyDeviceToHost",
      [cudaMemcpyDeviceToDevice] = "cudaMemcpyDeviceToDevice",
      [cudaMemcpyDefault] = "cudaMemcpyDefault",
  };
  return (unsigned)kind <= cudaMemcpyDefault ? names[kind] : "an unknown kind";
}

static void say_host_pointer(struct finding *f, const struct sd_copy *copy,
                             const struct ck_end *end, const struct ck_end *other, bool fill) {
  if (fill) {
    snprintf(f->text, sizeof f->text, "a fill needs memory of the device, this is the host's");
    return;
  }
  const char *name = end->writes ? "destination" : "source";
  const bool swapped = other->device;
  snprintf(f->text, sizeof f->text,
           "the %s is memory of the host, but %s needs memory of the device there%s", name,
           kind_name(copy->kind),
           swapped ? "; the other end is the device's: are the first two arguments swapped, or is "
                     "it the wrong direction?"
                   : "");
}

static void report(const struct sd_copy *copy, const struct ck_end *end, const struct ck_end *other,
                   enum sd_class class, bool fill) {
  uint64_t pcs[FINDING_PCS];
  const uint64_t hash = ck_host_stack(pcs);
  ck_call_explained();
  struct finding *f = ck_finding(class, hash, end->writes);
  if (!f) return;
  memcpy(f->sides[0].pcs, pcs, sizeof pcs);
  f->sides[0].access = end->writes ? FINDING_COPY_WRITE : FINDING_COPY_READ;
  f->sides[0].bytes = end->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)end->bytes;
  snprintf(f->space, sizeof f->space, "global");
  ck_describe_address(end->address, end->bytes, f->object, sizeof f->object, f);
  if (class == SD_HOST_POINTER) say_host_pointer(f, copy, end, other, fill);
  if (class == SD_NULL_POINTER)
    snprintf(f->text, sizeof f->text, "the %s is a null pointer",
             end->writes ? "destination" : "source");
  if (class == SD_OUT_OF_BOUNDS)
    snprintf(f->text, sizeof f->text, "%zu bytes do not fit there", end->bytes);
  ck_publish(f);
}

void ck_report_refused(const struct sd_copy *copy, bool fill) {
  enum rt_side to_side = RT_DEVICE_SIDE, from_side = RT_ANY_SIDE;
  if (!fill && !rt_sides((enum cudaMemcpyKind)copy->kind, &to_side, &from_side)) return;
  const struct ck_end to = ck_end_of(copy, true), from = ck_end_of(copy, false);
  const int to_class = wrong(&to, to_side);
  const int from_class = fill ? NOTHING : wrong(&from, from_side);
  if (to_class != NOTHING) report(copy, &to, &from, (enum sd_class)to_class, fill);
  if (from_class != NOTHING && from_class != to_class)
    report(copy, &from, &to, (enum sd_class)from_class, fill);
}
