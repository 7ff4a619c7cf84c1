/* The records of figures: kernels, basic blocks and accesses, barriers.
 *
 * Method   a table in this process leads from kernel and address to a record in the shared file;
 *          it is half empty, so that a look-up is one or two steps
 * Limits   what finds no room is counted
 */
#include "profile.h"

#include <string.h>

enum { TABLE = 2 * FIGURES_RECORDS };

static uint32_t table[TABLE]; /* number of the record + 1 */
static const struct simt_kernel *known[FIGURES_KERNELS];

static void copy_name(char *to, const char *name) {
  if (!name) name = "?";
  const size_t length = strlen(name);
  memcpy(to, name, length < FIGURES_NAME ? length : FIGURES_NAME - 1);
}

struct figures_record *pr_record(const void *pc, enum figures_kind kind) {
  struct figures *f = pr_figures;
  const uint64_t site = (uintptr_t)pc - pr_current.load;
  const uint64_t mix =
      (site * 4 + kind) * UINT64_C(0x9E3779B97F4A7C15) + pr_current.kernel * 0x85EBu;
  for (size_t i = mix >> 40;; i++) {
    uint32_t *entry = &table[i % TABLE];
    if (!*entry) {
      if (f->record_count >= FIGURES_RECORDS) {
        f->lost++;
        return NULL;
      }
      struct figures_record *record = &f->records[f->record_count];
      record->pc = site;
      record->kernel = pr_current.kernel;
      record->kind = (uint16_t)kind;
      *entry = (uint32_t)++f->record_count;
      return record;
    }
    struct figures_record *record = &f->records[*entry - 1];
    if (record->pc == site && record->kernel == pr_current.kernel && record->kind == kind)
      return record;
  }
}

/* A launch's kernel; the last entry stands for all that come too late. */
uint32_t pr_kernel(const struct grid *grid) {
  struct figures *f = pr_figures;
  const struct simt_kernel *kernel = grid->kernel;
  uint32_t i = 0;
  while (i < f->kernel_count && known[i] != kernel) i++;
  if (i < f->kernel_count) return i;
  if (i == FIGURES_KERNELS) {
    f->lost++;
    return FIGURES_KERNELS - 1;
  }
  known[i] = kernel;
  copy_name(f->kernels[i].name, kernel->name);
  copy_name(f->kernels[i].file, kernel->file);
  f->kernels[i].line = (uint32_t)kernel->line;
  f->kernel_count++;
  return i;
}

static struct figures_barrier *find_barrier(const char *file, int line) {
  struct figures *f = pr_figures;
  for (uint64_t i = 0; i < f->barrier_count; i++) {
    struct figures_barrier *b = &f->barriers[i];
    if (b->line == (uint32_t)line && b->kernel == pr_current.kernel &&
        !strncmp(b->file, file, FIGURES_NAME - 1))
      return b;
  }
  if (f->barrier_count == FIGURES_BARRIERS) return NULL;
  struct figures_barrier *b = &f->barriers[f->barrier_count++];
  copy_name(b->file, file);
  b->line = (uint32_t)line;
  b->kernel = pr_current.kernel;
  return b;
}

/* The one before is often the same: a string of the program's is known by its address. */
void pr_barrier_at(const char *file, int line, uint64_t count) {
  static const char *last_file;
  static struct figures_barrier *last;
  static const struct figures *in;
  if (!file) return;
  const bool same = last && in == pr_figures && last_file == file && last->line == (uint32_t)line &&
                    last->kernel == pr_current.kernel;
  if (!same) last = find_barrier(file, line);
  last_file = file;
  in = pr_figures;
  if (last)
    last->count += count;
  else
    pr_figures->lost++;
}
