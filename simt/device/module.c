/* The objects whose code is the user's (module.h).
 *
 * Method   a table that only grows at its end, written under a lock; a closed module keeps its place
 *          for the next one of the same path, and if nobody watches for any. Offsets of a path are
 *          the same each time, so that what was noted before it was closed still names its lines
 * Limits   4 GiB of modules in all, SD_MODULES of them
 */
#include "module.h"

#include "grid.h"
#include <link.h>
#include <string.h>

enum { PAGE = 4096 };

static struct simt_module modules[SD_MODULES];
static _Atomic size_t count;
static uint64_t used; /* of the space of all */
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
  if (header->p_type == PT_TLS) m->storage_bytes = header->p_memsz;
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
  for (int i = 0; i < info->dlpi_phnum; ++i) note_segment(&m, &info->dlpi_phdr[i]);
  if (search->inside && (search->inside < m.begin || search->inside >= m.end)) return 0;
  m.storage = info->dlpi_tls_modid;
  if (!m.writable) m.writable = m.end;
  search->found = m;
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  struct search search = {.inside = 0};
  dl_iterate_phdr(look, &search);
  modules[0] = search.found;
  used = (search.found.end - search.found.base + PAGE) & ~(uint64_t)(PAGE - 1);
  atomic_store(&count, 1);
}

/* ---- Opening and closing --------------------------------------------------------------------- */

/* The place of a module: that of the same path, a free one, a new one; SD_MODULES: none. */
static size_t place(const char *path, uint64_t bytes) {
  const size_t n = atomic_load(&count);
  for (size_t i = 1; i < n; ++i) {
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
  const size_t at = place(kept ? name : "", bytes), n = atomic_load(&count);
  if (at < SD_MODULES) {
    m = &modules[at];
    search.found.offset = at < n ? m->offset : (uint32_t)used;
    memcpy(search.found.path, name, sizeof name);
    *m = search.found;
    if (at == n) {
      used = (used + bytes + PAGE) & ~(uint64_t)(PAGE - 1);
      atomic_store(&count, n + 1);
    }
    SD_TELL(module_opened, m);
    if (!kept) m->path[0] = 0;
  }
  pthread_mutex_unlock(&lock);
  return m;
}

void simt_module_close(struct simt_module *module) {
  sd_forget_kernels(module->begin, module->end);
  sd_forget_module(module->begin, module->end);
  pthread_mutex_lock(&lock);
  SD_TELL(module_closed, module);
  module->base = module->text = module->text_bytes = 0;
  module->storage = module->storage_bytes = 0;
  atomic_store(&current, modules);
  pthread_mutex_unlock(&lock);
}

/* ---- Looking up -------------------------------------------------------------------------------- */

static bool is_code(const struct simt_module *m, const void *pc) {
  return (uintptr_t)pc - m->text < m->text_bytes;
}

static const struct simt_module *module_of_code(const void *pc) {
  const struct simt_module *m = atomic_load_explicit(&current, memory_order_relaxed);
  if (is_code(m, pc)) return m;
  const size_t n = atomic_load_explicit(&count, memory_order_acquire);
  for (size_t i = 0; i < n; ++i)
    if (is_code(&modules[i], pc)) return &modules[i];
  return NULL;
}

bool sd_in_program(const void *pc) { return module_of_code(pc) != NULL; }

const struct simt_module *sd_module_of(const void *address) {
  const uintptr_t a = (uintptr_t)address;
  const struct simt_module *m = atomic_load_explicit(&current, memory_order_relaxed);
  if (m->base && a >= m->begin && a < m->end) return m;
  const size_t n = atomic_load_explicit(&count, memory_order_acquire);
  for (size_t i = 0; i < n; ++i)
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

void sd_module_storage(const struct simt_module *module, uintptr_t *begin_, uintptr_t *end) {
  size_t where[2] = {module->storage, 0};
  *begin_ = module->storage_bytes ? (uintptr_t)__tls_get_addr(where) : 0;
  *end = *begin_ + module->storage_bytes;
}

const struct simt_module *sd_module_program(void) { return modules; }

const struct simt_module *sd_module_list(size_t *number) {
  *number = atomic_load(&count);
  return modules;
}
