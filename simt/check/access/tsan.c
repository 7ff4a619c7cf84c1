/* The calls that g++ -fsanitize=thread puts before every access.
 *
 * Result   each access is made known to the checker or the profiler; with neither of them these
 *          do nothing. An atomic operation is observed and then done
 * Method   no runtime of the sanitizer is linked: these are all it would have been asked for. The
 *          frame pointer leads to the caller's caller: this file is compiled with one
 * Source   the interface of GCC's thread sanitizer
 */
#include "access.h"
#include "atomic.h"
#include "host/host.h"
#include "profile.h"
#include "usual.h"

#define ENTRY __attribute__((visibility("default")))
#define PC __builtin_return_address(0)
#define FRAME (*(void *const *)__builtin_frame_address(0))

/* Host code matters where it touches memory of the device. */
static inline bool on_device(const struct worker *me) { return me && me->lane; }

static void host(uintptr_t address, size_t bytes, bool writes, const void *pc, const void *frame) {
  struct cell *cell = ck_global_cell(address);
  ck_host_access(address, bytes, writes, pc, frame);
  if (!writes || !cell) return;
  for (size_t n = (address + bytes - 1) / 4 - address / 4 + 1; n; n--, cell++)
    if (!cell->writer) cell->writer = CK_WRITTEN_BEFORE;
}

CK_INLINE void any(const volatile void *memory, size_t bytes, enum finding_access kind,
                   const void *pc, const void *frame, bool aligned) {
  struct worker *me = sd_current;
  const uintptr_t address = (uintptr_t)memory;
  const bool writes = kind == FINDING_WRITE || kind == FINDING_VOLATILE_WRITE;
  const bool is_volatile = kind == FINDING_VOLATILE_READ || kind == FINDING_VOLATILE_WRITE;
  if (ck_on) {
    if (on_device(me))
      ck_access(me, address, bytes, kind, !writes, writes, pc, frame, aligned);
    else if (address - ck_current.arena < ck_current.arena_bytes) {
      if (!writes) ck_host_reads_again(address, is_volatile);
      if (!is_volatile) host(address, bytes, writes, pc, frame);
    } else if (address - ck_device_variables.begin < ck_device_variables.bytes)
      ck_host_variable_access(address, bytes, writes, is_volatile, pc, frame);
    else if (address - ck_expected.begin < ck_expected.bytes && !is_volatile)
      ck_host_expected_access(address, bytes, writes, pc, frame);
  } else if (pr_on) {
    pr_access(me, (const void *)memory, bytes, (int)kind, pc);
  }
}

void ck_host_range(const void *memory, size_t bytes, bool writes, const void *pc,
                   const void *frame) {
  if (ck_on && bytes && !on_device(sd_current))
    any(memory, bytes, writes ? FINDING_WRITE : FINDING_READ, pc, frame, false);
}

static __attribute__((noinline)) void unusual(const volatile void *memory, size_t bytes,
                                              enum finding_access kind, const void *pc,
                                              const void *frame) {
  any(memory, bytes, kind, pc, frame, true);
}

/* Inlined into the entries: PC and FRAME are theirs. */
CK_INLINE void plain(const volatile void *memory, size_t bytes, enum finding_access kind,
                     const void *pc, const void *frame) {
  const bool small = bytes <= 4 && (kind == FINDING_READ || kind == FINDING_WRITE);
  if (!small) {
    any(memory, bytes, kind, pc, frame, true);
    return;
  }
  if (ck_usual_access(sd_current, (uintptr_t)memory, bytes, kind == FINDING_WRITE, pc, frame))
    return;
  CK_RELOAD;
  if (pr_on)
    pr_access(sd_current, (const void *)memory, bytes, (int)kind, PC);
  else
    unusual(memory, bytes, kind, PC, FRAME);
}

/* Volatile reads and writes may be how threads talk: what they acquire and release. */
static void volatile_access(const volatile void *memory, size_t bytes, bool writes, const void *pc,
                            const void *frame) {
  struct worker *me = sd_current;
  if (!ck_on || !on_device(me)) {
    plain(memory, bytes, writes ? FINDING_VOLATILE_WRITE : FINDING_VOLATILE_READ, pc, frame);
    return;
  }
  const bool polls = me->lane->polling != 0;
  const enum finding_access kind = polls    ? FINDING_ATOMIC
                                   : writes ? FINDING_VOLATILE_WRITE
                                            : FINDING_VOLATILE_READ;
  const uintptr_t address = (uintptr_t)memory;
  ck_current.looked_at = address;
  if (!writes) ck_observe(address, SIMT_FENCE_SYSTEM, false, false);
  ck_current.polled = polls && !writes;
  ck_any_access(me, address, bytes, kind, !writes, writes, pc, frame);
  ck_current.polled = false;
  if (writes) ck_publish_write(address, false, SIMT_FENCE_SYSTEM, false);
}

static void loose_read(const volatile void *memory, size_t bytes, const void *pc,
                       const void *frame) {
  volatile_access(memory, bytes, false, pc, frame);
}

/* X-list of the sizes. */
#define SIZES(X) X(1) X(2) X(4) X(8) X(16)

#define READ(n) \
  ENTRY void __tsan_read##n(const void *p) { plain(p, n, FINDING_READ, PC, FRAME); }
#define WRITE(n) \
  ENTRY void __tsan_write##n(void *p) { plain(p, n, FINDING_WRITE, PC, FRAME); }
#define UNALIGNED_READ(n) \
  ENTRY void __tsan_unaligned_read##n(const void *p) { any(p, n, FINDING_READ, PC, FRAME, false); }
#define UNALIGNED_WRITE(n) \
  ENTRY void __tsan_unaligned_write##n(void *p) { any(p, n, FINDING_WRITE, PC, FRAME, false); }
#define VOLATILE_READ(n) \
  ENTRY void __tsan_volatile_read##n(const void *p) { volatile_access(p, n, false, PC, FRAME); }
#define VOLATILE_WRITE(n) \
  ENTRY void __tsan_volatile_write##n(void *p) { volatile_access(p, n, true, PC, FRAME); }
#define LOOSE_READ(n) \
  ENTRY void __tsan_unaligned_volatile_read##n(const void *p) { loose_read(p, n, PC, FRAME); }
#define LOOSE_WRITE(n) \
  ENTRY void __tsan_unaligned_volatile_write##n(void *p) { volatile_access(p, n, true, PC, FRAME); }

SIZES(READ)
SIZES(WRITE)
SIZES(UNALIGNED_READ)
SIZES(UNALIGNED_WRITE)
SIZES(VOLATILE_READ)
SIZES(VOLATILE_WRITE)
SIZES(LOOSE_READ)
SIZES(LOOSE_WRITE)

ENTRY void __tsan_read_range(const void *p, unsigned long bytes) {
  if (bytes) any(p, bytes, FINDING_READ, PC, FRAME, false);
}
ENTRY void __tsan_write_range(void *p, unsigned long bytes) {
  if (bytes) any(p, bytes, FINDING_WRITE, PC, FRAME, false);
}
ENTRY void __tsan_vptr_update(void *p, const void *value) {
  (void)value;
  plain(p, sizeof(void *), FINDING_WRITE, PC, FRAME);
}
ENTRY void __tsan_vptr_read(const void *p) { plain(p, sizeof(void *), FINDING_READ, PC, FRAME); }
ENTRY void __tsan_init(void) {}
ENTRY void __tsan_func_entry(const void *pc) { (void)pc; }
ENTRY void __tsan_func_exit(void) {}

/* ---- Atomic operations ----------------------------------------------------------------------- */

#define T unsigned char
#define BITS 8
#include "atomic_tmpl.h"
#define T unsigned short
#define BITS 16
#include "atomic_tmpl.h"
#define T unsigned
#define BITS 32
#include "atomic_tmpl.h"
#define T unsigned long
#define BITS 64
#include "atomic_tmpl.h"

ENTRY void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (order != __ATOMIC_RELAXED && sd_current && sd_current->lane)
    SD_NOTIFY(fence, SIMT_FENCE_SYSTEM);
}
ENTRY void __tsan_atomic_signal_fence(int order) { (void)order; }
