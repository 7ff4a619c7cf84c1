/* Findings of the first access of a cell, and of those that a GPU would end the launch for.
 *
 * Method   asked when a cell that nobody has written is accessed: only then can it be outside of
 *          an allocation or a variable. What can fault ends the launch here, as on a GPU
 */
#include "invalid.h"
#include "memory/allocations.h"
#include "memory/describe.h"
#include "memory/symbols.h"
#include "race/race.h"
#include "shadow/cells.h"

#include "runtime.h"

#include <stdio.h>
#include <string.h>

enum { ILLEGAL_ADDRESS = 700, MISALIGNED_ADDRESS = 716 };

static uint64_t key_of(const struct ck_access *a) {
  return ck_group_hash(&ck_groups[ck_group_of(a->word)]);
}

static const char *space_name(const struct ck_access *a) {
  return a->space == CK_SHARED ? "shared" : "global";
}

static struct finding *start(enum sd_class class, const struct ck_access *a, uint64_t more) {
  struct finding *f = ck_finding(class, key_of(a), more);
  if (!f) return NULL;
  snprintf(f->space, sizeof f->space, "%s", space_name(a));
  f->address = a->address;
  ck_add_access(&f->sides[0], a);
  return f;
}

/* ---- Global memory --------------------------------------------------------------------------- */

/* The allocation's own pages can be accessed as a whole: nothing faults there. */
static bool is_open(const struct ck_allocation *near, uintptr_t address, size_t bytes) {
  return address >> 12 >= near->begin >> 12 &&
         (address + bytes - 1) >> 12 <= (near->begin + near->bytes - 1) >> 12;
}

void ck_fault_if_closed(uintptr_t address, size_t bytes) {
  const struct ck_allocation *near = ck_allocation_at(address);
  if (!near || !near->live || !is_open(near, address, bytes)) sd_fail_launch(ILLEGAL_ADDRESS);
}

void ck_report_outside(const struct ck_access *a) {
  const struct ck_allocation *near = ck_allocation_at(a->address);
  const bool freed = near && !near->live && ck_covers(near, a->address, 1);
  struct finding *f = start(freed ? SD_USE_AFTER_FREE : SD_OUT_OF_BOUNDS, a, 0);
  if (f) {
    ck_describe_address(a->address, a->bytes, f->object, sizeof f->object, f);
    ck_publish(f);
  }
  ck_fault_if_closed(a->address, a->bytes);
}

static void unwritten(const struct ck_access *a) {
  ck_note_unwritten(a);
  struct finding *f = start(SD_UNINITIALISED, a, 0);
  if (!f) return;
  ck_name_memory(f, a->space, a->at, a->bytes);
  f->address = a->at;
  ck_publish(f);
}

static bool first_access_of_symbol(const struct ck_access *a) {
  uintptr_t begin;
  size_t bytes;
  const char *name;
  const bool known = ck_symbol(a->address, false, &name, &begin, &bytes);
  if (known && a->address + a->bytes <= begin + bytes) return true;
  /* The linker puts the host's own variables between them: one that lies far behind is no overrun. */
  enum { OVERRUN = 64 };
  const bool host = ck_is_of_host(a->address) && (!known || a->address - begin >= bytes + OVERRUN);
  struct finding *f = start(host ? SD_HOST_POINTER : SD_OUT_OF_BOUNDS, a, 0);
  if (!f) return false;
  if (host)
    snprintf(f->object, sizeof f->object, "host memory, which a GPU cannot reach");
  else if (known)
    snprintf(f->object, sizeof f->object, "%zu bytes behind the %zu bytes of __device__ %s",
             (size_t)(a->address - (begin + bytes)), bytes, name);
  else
    snprintf(f->object, sizeof f->object, "between the program's __device__ variables");
  ck_publish(f);
  if (host) sd_fail_launch(ILLEGAL_ADDRESS);
  return false;
}

static bool first_access_global(const struct ck_access *a, struct cell *cell, bool reads) {
  if (a->address - ck_current.symbols < ck_current.symbols_bytes) {
    if (!first_access_of_symbol(a)) return false;
    cell->writer = CK_WRITTEN_BEFORE;
    return true;
  }
  if (!ck_accessible(a->address, a->bytes)) {
    ck_report_outside(a);
    if (ck_accessible(a->at, 1)) cell->writer = CK_WRITTEN_BEFORE;
    return false;
  }
  const struct ck_allocation *allocation = ck_allocation_at(a->address);
  const bool fresh = allocation && (allocation->kind == RT_DEVICE || allocation->kind == RT_HEAP ||
                                    allocation->kind == RT_ARRAY);
  if (reads && fresh && sd_options()->sample_blocks <= 1 && sd_options()->sample_launches <= 1)
    unwritten(a);
  if (!fresh)
    cell->writer = CK_WRITTEN_BEFORE;
  else if (reads)
    cell->writer = CK_READ_BEFORE;
  return true;
}

/* ---- Shared memory --------------------------------------------------------------------------- */

static bool inside_dynamic(uintptr_t address, size_t bytes) {
  const uintptr_t begin = simt_shared.dynamic_begin;
  return address >= begin && address + bytes <= begin + sd_current->grid->config.shared_bytes;
}

/* The variable that was found last: most accesses go to the same. */
static bool inside_static(uintptr_t address, size_t bytes) {
  static uintptr_t last_begin;
  static size_t last_bytes;
  if (address - last_begin < last_bytes && address + bytes <= last_begin + last_bytes) return true;
  const char *name;
  uintptr_t begin;
  size_t size;
  if (!ck_have_symbols()) return true;
  if (!ck_symbol(address, true, &name, &begin, &size)) return false;
  if (address + bytes > begin + size) return false;
  last_begin = begin;
  last_bytes = size;
  return true;
}

/* Of an access that begins inside, the first byte that is not. */
static uintptr_t first_outside(const struct ck_access *a) {
  const bool dynamic = ck_is_dynamic(a->address);
  uintptr_t at = a->address;
  const uintptr_t last = a->address + a->bytes - 1;
  while (at < last && (dynamic ? inside_dynamic(at, 1) : inside_static(at, 1))) at++;
  return at;
}

/* The compiler's own byte beside a variable with a constructor: nobody's business. */
static bool is_guard(uintptr_t address) {
  const char *name;
  uintptr_t begin;
  size_t size;
  return !ck_is_dynamic(address) && ck_symbol(address, true, &name, &begin, &size) && !name[0] &&
         address < begin + size;
}

static bool first_access_shared(const struct ck_access *a, struct cell *cell, bool reads) {
  if (is_guard(a->address)) return false;
  const bool fine = ck_is_dynamic(a->address) ? inside_dynamic(a->address, a->bytes)
                                              : inside_static(a->address, a->bytes);
  if (fine) {
    if (reads) {
      unwritten(a);
      cell->writer = ck_current.first << CK_GROUP_SHIFT; /* no bytes: conflicts with nobody */
    }
    return true;
  }
  struct finding *f = start(SD_OUT_OF_BOUNDS, a, 0);
  if (f) {
    ck_name_shared(first_outside(a), f->object, sizeof f->object);
    ck_publish(f);
  }
  if (ck_is_dynamic(a->address) &&
      a->address + a->bytes > (uintptr_t)sd_current->block->dynamic->end)
    sd_fail_launch(ILLEGAL_ADDRESS);
  return false;
}

bool ck_check_first_access(const struct ck_access *a, struct cell *cell, bool reads) {
  return a->space == CK_SHARED ? first_access_shared(a, cell, reads)
                               : first_access_global(a, cell, reads);
}

void ck_report_constant_write(const struct ck_access *a) {
  struct finding *f = start(SD_CONSTANT_WRITE, a, 0);
  if (!f) return;
  snprintf(f->space, sizeof f->space, "constant");
  ck_name_memory(f, a->space, a->address, a->bytes);
  ck_publish(f);
}

/* A GPU ends the kernel; so do we, once it has been said. */
void ck_report_misaligned(const struct ck_access *a, size_t multiple) {
  struct finding *f = start(SD_MISALIGNED, a, a->bytes);
  if (f) {
    ck_name_memory(f, a->space, a->address, a->bytes);
    snprintf(f->text, sizeof f->text,
             "an access of %zu bytes at an address that is %zu off a "
             "multiple of %zu",
             a->bytes, (size_t)(a->address % multiple), multiple);
    ck_publish(f);
  }
  sd_fail_launch(MISALIGNED_ADDRESS);
}

/* ---- An index that has been reported ------------------------------------------------------ */

/* The index is looked at before the statement's other operands are read: the first shared access
 * is the one, or a global one that is outside. A local array has none; the operands near it
 * are then not looked at. */
bool ck_known_outside(uintptr_t address, size_t bytes, enum ck_space space) {
  struct finding *f = ck_current.outside;
  ck_current.quiet--;
  const bool arena = address - ck_current.arena < ck_current.arena_bytes;
  if (space == CK_GLOBAL && !(arena && !ck_accessible(address, bytes))) {
    struct cell *cell = ck_global_cell(address);
    if (cell && !cell->writer) cell->writer = CK_WRITTEN_BEFORE;
    return true;
  }
  ck_current.quiet = 0;
  if (f && !f->space[0]) {
    snprintf(f->space, sizeof f->space, "%s", space == CK_SHARED ? "shared" : "global");
    f->address = address;
  }
  if (space == CK_GLOBAL) ck_fault_if_closed(address, bytes);
  return true;
}
