/* A table of loaded objects, and the thread-local storage of those that come late.
 *
 * Method   a table that only grows at its end, written under a lock; a closed module keeps its slot
 *          for the next one of the same path, and without an observer for any. Offsets of a path
 *          are the same each time, so that what was noted before it was closed still names its
 *          lines. Their thread-local storage, which is static shared memory, would come from malloc
 *          when a module is loaded late: it would lie among the host's data, which are closed to
 *          kernels (host_guard.c). So their code asks us instead of the loader, by the linker's
 *          --wrap. Shared libraries of the program that are there from the start have theirs beside
 *          its own
 * Limits   4 GiB of modules in all, SD_MODULES of them
 */
#include "module.h"

#include "grid.h"
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, CLOSED = 1 << 16 };

static struct simt_module modules[SD_MODULES];
static _Atomic size_t count;
static uint64_t used;    /* of the space of all */
static uint64_t serials; /* given */
static const struct simt_module *_Atomic current = modules;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The loader's own: the calling thread's part of an object's thread-local storage. */
extern void *__tls_get_addr(size_t where[2]);

/* ---- Reading what the loader has loaded ------------------------------------------------------ */

struct search {
  uintptr_t inside; /* 0: the program, which comes first */
  struct simt_module found;
};

static void note_segment(struct simt_module *m, const ElfW(Phdr) * header) {
  const uintptr_t begin = m->base + header->p_vaddr, end = begin + header->p_memsz;
  if (header->p_type == PT_TLS) {
    m->storage_bytes = header->p_memsz;
    m->storage_align = header->p_align;
    m->image = (const void *)begin;
    m->image_bytes = header->p_filesz;
  }
  if (header->p_type != PT_LOAD) return;
  if (!m->begin || begin < m->begin) m->begin = begin;
  if (end > m->end) m->end = end;
  if (header->p_flags & PF_X) {
    if (!m->text_bytes) m->text = begin;
    m->text_bytes = end - m->text;
  }
  if ((header->p_flags & PF_W) && (!m->writable || begin < m->writable)) m->writable = begin;
}

static int look(struct dl_phdr_info *info, size_t size, void *user) {
  struct search *search = user;
  struct simt_module m = {.base = info->dlpi_addr};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) note_segment(&m, &info->dlpi_phdr[i]);
  if (search->inside && (search->inside < m.begin || search->inside >= m.end)) return 0;
  m.storage = info->dlpi_tls_modid;
  if (!m.writable) m.writable = m.end;
  search->found = m;
  return 1;
}

/* Whether the object was linked with libsimt.so: it may have kernels. */
static bool needs_us(const struct dl_phdr_info *info) {
  const ElfW(Dyn) *dynamic = NULL, *d;
  uintptr_t strings = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (d = dynamic; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = d->d_un.d_ptr;
  if (strings && strings < info->dlpi_addr) strings += info->dlpi_addr; /* not relocated */
  for (d = dynamic; strings && d->d_tag != DT_NULL; d++) {
    const char *name = (const char *)strings + (d->d_tag == DT_NEEDED ? d->d_un.d_val : 0);
    const char *slash = d->d_tag == DT_NEEDED ? strrchr(name, '/') : NULL;
    if (d->d_tag == DT_NEEDED && !strcmp(slash ? slash + 1 : name, "libsimt.so")) return true;
  }
  return false;
}

/* Shared libraries of the program that were loaded with it; not those of the driver API. */
static int look_beside(struct dl_phdr_info *info, size_t size, void *user) {
  char path[PATH_MAX];
  const char *slash = strrchr(info->dlpi_name, '/');
  struct search search = {.inside = 0};
  const size_t at = atomic_load(&count);
  (void)user;
  if (!slash || !strncmp(slash + 1, "libsimt", 7) || at >= SD_MODULES || !needs_us(info)) return 0;
  look(info, size, &search);
  struct simt_module *m = &modules[at];
  const uint64_t bytes = search.found.end - search.found.base;
  if (search.found.base == modules[0].base || used + bytes + PAGE >= UINT32_MAX) return 0;
  *m = search.found;
  m->offset = (uint32_t)used;
  m->loaded_first = true;
  m->serial = ++serials;
  if (realpath(info->dlpi_name, path) && strlen(path) < sizeof m->path) strcpy(m->path, path);
  used = (used + bytes + PAGE) & ~(uint64_t)(PAGE - 1);
  atomic_store(&count, at + 1);
  SD_NOTIFY(module_opened, m);
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  struct search search = {.inside = 0};
  dl_iterate_phdr(look, &search);
  modules[0] = search.found;
  used = (search.found.end - search.found.base + PAGE) & ~(uint64_t)(PAGE - 1);
  atomic_store(&count, 1);
  dl_iterate_phdr(look_beside, NULL);
}

/* ---- Opening and closing --------------------------------------------------------------------- */

/* The slot of a module: that of the same path, a free one, a new one; SD_MODULES: none. */
static size_t slot_of(const char *path, uint64_t bytes) {
  const size_t n = atomic_load(&count);
  for (size_t i = 1; i < n; i++) {
    const struct simt_module *m = &modules[i];
    const bool same = path[0] && !strcmp(m->path, path);
    if (!m->base && (same || !sd_observer)) return i;
  }
  return n < SD_MODULES && used + bytes + PAGE < UINT32_MAX ? n : SD_MODULES;
}

struct simt_module *simt_module_open(const void *inside, const char *path, int kept) {
  struct search search = {.inside = (uintptr_t)inside};
  char name[SD_MODULE_PATH] = "";
  if (!dl_iterate_phdr(look, &search)) return NULL;
  if (strlen(path) < sizeof name) memcpy(name, path, strlen(path) + 1);
  struct simt_module *m = NULL;
  pthread_mutex_lock(&lock);
  const uint64_t bytes = search.found.end - search.found.base;
  const size_t at = slot_of(kept ? name : "", bytes), n = atomic_load(&count);
  if (at < SD_MODULES) {
    m = &modules[at];
    search.found.offset = at < n ? m->offset : (uint32_t)used;
    memcpy(search.found.path, name, sizeof name);
    search.found.serial = ++serials;
    *m = search.found;
    if (at == n) {
      used = (used + bytes + PAGE) & ~(uint64_t)(PAGE - 1);
      atomic_store(&count, n + 1);
    }
    SD_NOTIFY(module_opened, m);
    if (!kept) m->path[0] = 0;
  }
  pthread_mutex_unlock(&lock);
  return m;
}

void simt_module_close(struct simt_module *module) {
  sd_drain();
  sd_forget_kernels(module->begin, module->end);
  sd_forget_module(module->begin, module->end);
  pthread_mutex_lock(&lock);
  SD_NOTIFY(module_closed, module);
  module->base = module->text = module->text_bytes = 0;
  module->storage = module->storage_bytes = 0;
  atomic_store(&current, modules);
  pthread_mutex_unlock(&lock);
}

/* ---- Looking up ------------------------------------------------------------------------------ */

static bool is_code(const struct simt_module *m, const void *pc) {
  return (uintptr_t)pc - m->text < m->text_bytes;
}

static const struct simt_module *module_of_code(const void *pc) {
  const struct simt_module *m = atomic_load_explicit(&current, memory_order_relaxed);
  if (is_code(m, pc)) return m;
  const size_t n = atomic_load_explicit(&count, memory_order_acquire);
  for (size_t i = 0; i < n; i++)
    if (is_code(&modules[i], pc)) return &modules[i];
  return NULL;
}

bool sd_in_program(const void *pc) { return module_of_code(pc); }

const struct simt_module *sd_module_of(const void *address) {
  const uintptr_t a = (uintptr_t)address;
  const struct simt_module *m = atomic_load_explicit(&current, memory_order_relaxed);
  if (m->base && a >= m->begin && a < m->end) return m;
  const size_t n = atomic_load_explicit(&count, memory_order_acquire);
  for (size_t i = 0; i < n; i++)
    if ((i == 0 || modules[i].base) && a >= modules[i].begin && a < modules[i].end)
      return &modules[i];
  return NULL;
}

uint32_t sd_module_offset(const void *address) {
  const struct simt_module *m = sd_module_of(address);
  return m ? m->offset + (uint32_t)((uintptr_t)address - m->base) : 0;
}

void sd_module_use(const struct simt_module *module) {
  atomic_store_explicit(&current, module ? module : modules, memory_order_relaxed);
}

const struct simt_module *sd_module_program(void) { return modules; }

const struct simt_module *sd_module_list(size_t *number) {
  *number = atomic_load(&count);
  return modules;
}

/* ---- Thread-local storage -------------------------------------------------------------------- */

/* Larger ones get a mapping of their own each time they come; what was there is nobody's any
 * more. */
static bool make_room(struct sd_storage *own, size_t bytes) {
  const size_t room = (bytes + CLOSED) & ~(size_t)(CLOSED - 1);
  if (own->room >= bytes) return true;
  if (own->begin) munmap(own->begin - CLOSED, own->room + 2 * (size_t)CLOSED);
  memset(own, 0, sizeof *own);
  unsigned char *memory = mmap(NULL, room + 2 * (size_t)CLOSED, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  if (mprotect(memory + CLOSED, room, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, room + 2 * (size_t)CLOSED);
    return false;
  }
  own->begin = memory + CLOSED;
  own->room = room;
  return true;
}

/* false: there is no memory for it, or its alignment is more than a page's. */
static bool make_ready(struct sd_storage *own, const struct simt_module *module) {
  own->number = 0;
  if (module->storage_align > PAGE || !make_room(own, module->storage_bytes)) return false;
  if (own->serial != module->serial) {
    memcpy(own->begin, module->image, module->image_bytes);
    memset(own->begin + module->image_bytes, 0, module->storage_bytes - module->image_bytes);
  }
  own->serial = module->serial;
  own->number = module->storage;
  return true;
}

void sd_module_storage(const struct simt_module *module, struct sd_storage *own, uintptr_t *begin_,
                       uintptr_t *end) {
  size_t where[2] = {module->storage, 0};
  own->number = 0;
  *begin_ = 0;
  if (module->storage_bytes) {
    const bool ours = module != modules && !module->loaded_first && make_ready(own, module);
    *begin_ = ours ? (uintptr_t)own->begin : (uintptr_t)__tls_get_addr(where);
  }
  *end = *begin_ + module->storage_bytes;
}

/* What modules call for __tls_get_addr: the address of a variable by its module's number and its
 * offset there. In kernels only; what else there may be is the loader's. */
SIMT_API void *simt_storage_at(size_t where[2]) __asm__("__wrap___tls_get_addr");

void *simt_storage_at(size_t where[2]) {
  const struct worker *me = sd_current;
  if (me && me->storage.number == where[0]) return me->storage.begin + where[1];
  return __tls_get_addr(where);
}
