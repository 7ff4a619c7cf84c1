/* Accesses of the device to what is neither its memory nor the running thread's own stack.
 *
 * Result   a finding for memory of the host, for a null pointer and for another thread's local
 *          variables; silence for what a program may read: constants, the copy of a kernel's
 *          parameters, pinned and registered memory
 * Method   the system's list of mappings says what an address is; a verdict is kept for its page
 */
#include "invalid.h"
#include "memory/allocations.h"
#include "memory/describe.h"
#include "memory/symbols.h"
#include "shadow/cells.h"

#include "runtime.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAGE_SHIFT = 12, VERDICTS = 256, ILLEGAL_ADDRESS = 700 };

enum verdict { UNKNOWN, FINE, HOST, OTHER_STACK, NULL_PAGE, NOTHING };

static struct {
  uintptr_t page;
  uint32_t launch;
  enum verdict verdict;
} verdicts[VERDICTS];

struct mapping {
  uintptr_t begin, end;
  char permissions[8], name[256];
};

/* One line of the list: "begin-end rwxp offset device inode name". */
static bool parse(const char *line, struct mapping *m) {
  unsigned long begin, end;
  m->name[0] = 0;
  const int n =
      sscanf(line, "%lx-%lx %7s %*s %*s %*s %255[^\n]", &begin, &end, m->permissions, m->name);
  m->begin = begin;
  m->end = end;
  return n >= 3;
}

/* Reads the list with a buffer of its own: the heap may be closed to the kernel. */
static bool mapping_of(uintptr_t address, struct mapping *found) {
  static char buffer[16384];
  size_t kept = 0;
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  bool done = false;
  if (file < 0) return false;
  while (!done) {
    const ssize_t got = read(file, buffer + kept, sizeof buffer - 1 - kept);
    if (got <= 0) break;
    kept += (size_t)got;
    buffer[kept] = 0;
    char *line = buffer, *end;
    while (!done && (end = strchr(line, '\n'))) {
      *end = 0;
      done = parse(line, found) && address >= found->begin && address < found->end;
      line = end + 1;
    }
    kept -= (size_t)(line - buffer);
    memmove(buffer, line, kept);
  }
  close(file);
  return done;
}

static bool is_program(const struct mapping *m) {
  static char name[256];
  if (!name[0]) {
    const ssize_t n = readlink("/proc/self/exe", name, sizeof name - 1);
    name[n > 0 ? n : 0] = 0;
  }
  return name[0] && !strcmp(m->name, name);
}

/* Other lanes of the block have their stacks in mappings like the running one's. */
static bool is_lane_stack(uintptr_t address) {
  const struct block *block = sd_current->block;
  for (unsigned t = 0; t < block->threads; t++) {
    const struct stack *stack = block->lanes[t].stack;
    const struct warp *warp = &block->warp_list[t / LANES];
    if (!stack || ((warp->unstarted | warp->finished) >> t % LANES & 1)) continue;
    if (address - (uintptr_t)stack->base < stack->bytes) return true;
  }
  return false;
}

static bool is_parameters(uintptr_t address) {
  const struct grid *grid = sd_current->grid;
  return address - (uintptr_t)grid->body < grid->kernel->body_bytes;
}

/* Thread-local variables of the program and its libraries: around the thread's own control
 * block. */
static bool is_thread_local(uintptr_t address) {
  const uintptr_t here = (uintptr_t)__builtin_thread_pointer();
  return address - (here - (1u << 20)) < (1u << 20) + 8192;
}

/* Below the running lane's own stack: that fault is its overflow. */
static bool is_overflow(uintptr_t address) {
  const uintptr_t base = (uintptr_t)sd_current->lane->stack->base;
  return address < base && address + (64u << PAGE_SHIFT) >= base;
}

static enum verdict judge(uintptr_t address) {
  struct mapping m;
  if (is_overflow(address)) return FINE;
  if (address < 65536) return NULL_PAGE;
  if (is_lane_stack(address)) return OTHER_STACK;
  if (rt_is_constant((const void *)address)) return FINE;
  switch (sd_space_of((const void *)address)) {
  case SD_DEVICE_MEMORY:
  case SD_HOST_MEMORY_OPEN: return FINE;
  case SD_NOWHERE:
  case SD_HOST_MEMORY: break;
  }
  if (!mapping_of(address, &m)) return NOTHING;
  if (m.permissions[0] == '-') return sd_guarded((const void *)address) ? HOST : NOTHING;
  if (m.permissions[1] != 'w') return FINE;
  if (!strcmp(m.name, "[heap]") || !strcmp(m.name, "[stack]")) return HOST;
  if (is_program(&m)) return ck_is_behind_variables(address) ? NOTHING : HOST;
  if (sd_module_of((const void *)address)) return ck_is_behind_variables(address) ? NOTHING : FINE;
  if (m.name[0]) return FINE; /* a library's variables */
  if (ck_is_ours(address)) return NOTHING;
  return is_thread_local(address) ? FINE : HOST;
}

static enum verdict verdict_of(uintptr_t address) {
  const uintptr_t page = address >> PAGE_SHIFT;
  const size_t i = (page ^ page >> 8) % VERDICTS;
  if (verdicts[i].page == page && verdicts[i].launch == ck_current.launch)
    return verdicts[i].verdict;
  const enum verdict verdict = judge(address);
  if (is_overflow(address)) return verdict;
  verdicts[i].page = page;
  verdicts[i].launch = ck_current.launch;
  verdicts[i].verdict = verdict;
  return verdict;
}

static void report(enum sd_class class, uintptr_t address, size_t bytes, enum finding_access kind,
                   const void *pc, const void *frame, const char *object) {
  if (ck_current.quiet) { /* the index that led there has been reported */
    ck_current.quiet = 0;
    return;
  }
  struct finding *f = ck_finding(class, (uintptr_t)pc, 0);
  if (!f) return;
  ck_add_stack(&f->sides[0], pc, frame);
  ck_add_thread(&f->sides[0]);
  f->sides[0].access = kind;
  f->sides[0].bytes = (uint32_t)bytes;
  f->address = address;
  if (class == SD_OUT_OF_BOUNDS && is_lane_stack(address))
    snprintf(f->space, sizeof f->space, "local");
  snprintf(f->object, sizeof f->object, "%s", object);
  ck_publish(f);
}

/* Where an index of a shared array leads that is far outside. */
static bool is_near_shared(uintptr_t address) {
  enum { NEAR = 1 << 16 };
  return address - (ck_current.static_begin - NEAR) < ck_current.static_bytes + 2 * (uintptr_t)NEAR;
}

/* The pointer to constants of the program, which the lane has just read, was copied from the host: that of an
 * object's virtual functions, or the program's own. */
static bool came_from_host(uintptr_t address) {
  enum { FAR = 4096 };
  const uintptr_t at = ck_current.reads[(ck_current.read_count - 1) % CK_READS].address;
  const struct cell *cell = ck_global_cell(at);
  if (!cell || at % sizeof(uintptr_t) || !ck_accessible(at, sizeof(uintptr_t))) return false;
  uintptr_t pointer;
  memcpy(&pointer, (const void *)at, sizeof pointer);
  const uint32_t group = ck_group_of(cell->writer);
  return address - pointer < FAR && group >= CK_FIRST_GROUP &&
         ck_groups[group].access == FINDING_COPY_WRITE && ck_groups[group].of_host &&
         sd_module_of((const void *)address) && !rt_is_constant((const void *)address);
}

void ck_check_other_space(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                          const void *frame) {
  char text[256];
  if (ck_current.quiet && is_near_shared(address)) {
    ck_known_outside(address, bytes, CK_SHARED);
    return;
  }
  if (is_parameters(address)) return;
  /* Around a module's shared memory there is nothing else. */
  if (sd_current->grid->module != sd_module_program() && is_near_shared(address)) {
    ck_name_shared(address, text, sizeof text);
    report(SD_OUT_OF_BOUNDS, address, bytes, kind, pc, frame, text);
    sd_fail_launch(ILLEGAL_ADDRESS);
  }
  switch (verdict_of(address)) {
  case UNKNOWN: return;
  case FINE:
    if (kind != FINDING_READ || !came_from_host(address)) return;
    report(SD_HOST_POINTER, address, bytes, kind, pc, frame,
           "constants of the host, by an address that was copied from there (an object with "
           "virtual functions "
           "has to be made on the device)");
    break;
  case OTHER_STACK:
    report(SD_OUT_OF_BOUNDS, address, bytes, kind, pc, frame, "local memory of another thread");
    return;
  case NULL_PAGE:
    report(SD_NULL_POINTER, address, bytes, kind, pc, frame, "no memory: a null pointer");
    break;
  case HOST:
    sd_describe_address((const void *)address, text, sizeof text);
    report(SD_HOST_POINTER, address, bytes, kind, pc, frame, text);
    break;
  case NOTHING:
    sd_describe_address((const void *)address, text, sizeof text);
    report(SD_OUT_OF_BOUNDS, address, bytes, kind, pc, frame, text);
    break;
  }
  sd_fail_launch(ILLEGAL_ADDRESS);
}
