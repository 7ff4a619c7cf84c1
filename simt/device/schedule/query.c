/* Small questions of device code: who am I, where is shared memory, what time is it. */
#include "lockstep.h"

#include <stdlib.h>
#include <time.h>

__thread struct simt_shared_ranges simt_shared;

int simt_on_device(void) {
  const struct worker *me = sd_current;
  return me && (me->lane || me->plain);
}

static unsigned thread_number(void) {
  const struct worker *me = sd_current;
  if (me && me->lane && !me->grid->by_blocks) return sd_lane_number(me->lane);
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

unsigned simt_lane(void) {
  const struct worker *me = sd_current;
  if (me && me->lane && !me->grid->by_blocks) return (unsigned)__builtin_ctz(me->lane->bit);
  return thread_number() % LANES;
}

unsigned simt_warp(void) { return thread_number() / LANES; }

void simt_return(int line) {
  const struct worker *me = sd_current;
  if (!me || !me->lane) return;
  me->lane->return_line = line;
  if (sd_is_checked()) {
    sd_note_position(me->lane, __builtin_frame_address(0));
    sd_note_return();
  }
}

void *simt_dynamic_shared(void) { return (void *)simt_shared.dynamic_begin; }

size_t simt_dynamic_shared_bytes(void) {
  const struct worker *me = sd_current;
  return me && me->grid ? me->grid->config.shared_bytes : 0;
}

size_t simt_static_shared_bytes(void) { return simt_shared.static_end - simt_shared.static_begin; }

int simt_is_shared(const void *address) {
  const uintptr_t p = (uintptr_t)address;
  return (p >= simt_shared.static_begin && p < simt_shared.static_end) ||
         (p >= simt_shared.dynamic_begin && p < simt_shared.dynamic_end);
}

int simt_is_global(const void *address) { return sd_space_of(address) != SD_HOST_MEMORY; }

unsigned simt_multiprocessor(void) {
  const struct worker *me = sd_current;
  return me && me->block ? (unsigned)(me->block->sequence % 132) : 0;
}

static long long nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

long long simt_clock64(void) { return nanoseconds(CLOCK_MONOTONIC); }
long long simt_globaltimer(void) { return nanoseconds(CLOCK_REALTIME); }

void *simt_malloc(size_t bytes) {
  return simt_on_device() ? sd_heap_allocate(bytes) : malloc(bytes);
}

void simt_free(void *memory) {
  if (!memory || sd_heap_free(memory) || sd_heap_refuses(memory)) return;
  free(memory);
}
