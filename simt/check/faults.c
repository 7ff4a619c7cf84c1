/* Findings that the device itself makes, and faults of device code. */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "memory/allocations.h"

#include <stdio.h>
#include <string.h>

static uint64_t text_hash(const char *text, uint64_t hash) {
  for (; text && *text; text++) hash = ck_hash(hash, (unsigned char)*text);
  return hash;
}

static uint64_t location_hash(const struct sd_location *location) {
  return location && location->file ? text_hash(location->file, (uint64_t)location->line) : 0;
}

static void set_location(struct finding_side *side, const struct sd_location *location,
                         bool barrier) {
  if (!location->file) return;
  snprintf(side->file, sizeof side->file, "%s", location->file);
  side->line = (uint32_t)location->line;
  side->access = barrier ? FINDING_BARRIER : FINDING_CALL;
}

void ck_on_finding(enum sd_class class, const struct sd_location locations[2], const char *text) {
  const bool known = locations && locations[0].file;
  const uint64_t first = known ? location_hash(&locations[0]) : text_hash(text, 0);
  const uint64_t second = known ? location_hash(&locations[1]) : 0;
  struct finding *f = ck_finding(class, first, second);
  if (!f) return;
  snprintf(f->text, sizeof f->text, "%s", text);
  ck_add_thread(&f->sides[0]);
  for (int i = 0; known && i < 2 && locations[i].file; i++)
    set_location(&f->sides[i], &locations[i], class == SD_BARRIER_DIVERGENCE);
  if (!known) {
    ck_host_stack(f->sides[0].pcs);
    f->sides[0].access = FINDING_CALL;
  }
  ck_publish(f);
}

void ck_on_fault(enum sd_class class, const void *address, const void *pc, const void *frame,
                 const char *text) {
  struct finding_side side = {.access = FINDING_NO_ACCESS};
  ck_add_thread(&side);
  ck_add_stack(&side, pc, frame);
  struct finding *f = ck_finding(class, ck_hash(side.pcs[0], side.pcs[1]), side.pcs[2]);
  if (!f) return;
  f->sides[0] = side;
  snprintf(f->text, sizeof f->text, "%s", text);
  if ((address || class == SD_NULL_POINTER) && class != SD_STACK_OVERFLOW &&
      class != SD_NO_PROGRESS)
    ck_describe_address((uintptr_t)address, 1, f->object, sizeof f->object, f);
  ck_publish(f);
}
