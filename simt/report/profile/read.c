/* Addresses as lines, and figures added up by line (read.h).
 *
 * Method  a place belongs to the innermost line of the user's own code that it was inlined into:
 *         what our headers do counts for the line that called them. What has no such line is the
 *         kernel's own. Files are told apart by their real paths
 */
#include "read.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "source_files.h"
#include "toolchain/symbols/symbols.h"

struct reader {
  struct profile *profile;
  struct symbols *symbols;
  size_t *rooms; /* of each kernel's lines */
};

/* ---- Figures into lines ---------------------------------------------------------------------- */

static struct profile_line *line_of(struct reader *r, uint32_t kernel, const char *file,
                                    unsigned number) {
  struct profile_kernel *k = &r->profile->kernels[kernel];
  const char *path = profile_source_path(file);
  for (size_t i = 0; i < k->line_count; i++)
    if (k->lines[i].line == number && k->lines[i].file == path) return &k->lines[i];
  k->lines = array_room(k->lines, k->line_count, &r->rooms[kernel], sizeof *k->lines);
  struct profile_line *line = &k->lines[k->line_count++];
  *line = (struct profile_line){.file = path, .line = number};
  line->text = profile_source_line(path, number);
  return line;
}

static void add_memory(struct profile_memory *m, const struct figures_record *r) {
  m->requests += r->issues;
  m->lanes += r->lanes;
  m->units += r->units;
  m->ideal += r->ideal;
  if (r->worst > m->worst) m->worst = r->worst;
  m->bytes_read += r->bytes_read;
  m->bytes_written += r->bytes_written;
}

static void add_record(struct profile_figures *f, const struct figures_record *r) {
  if (r->kind == FIGURES_BLOCK) {
    f->issues += r->issues;
    f->lanes += r->lanes;
    return;
  }
  add_memory(r->kind == FIGURES_SHARED ? &f->shared : &f->global, r);
  if (!r->atomic) return;
  f->atomics.requests += r->issues;
  f->atomics.lanes += r->lanes;
  f->atomics.turns += r->turns;
  if (r->contention > f->atomics.worst) f->atomics.worst = r->contention;
  if (r->at_one > f->atomics.at_one) f->atomics.at_one = r->at_one;
}

static void place_record(struct reader *r, const struct figures_record *record) {
  struct profile_kernel *k = &r->profile->kernels[record->kernel];
  const struct frame *frames = NULL;
  const size_t n = symbols_find(r->symbols, record->pc, &frames);
  const char *file = k->file;
  unsigned number = k->line;
  for (size_t i = 0; i < n; i++)
    if (!frames[i].own && frames[i].file && frames[i].line) {
      file = frames[i].file;
      number = frames[i].line;
      break;
    }
  struct profile_line *line = line_of(r, record->kernel, file, number);
  add_record(&line->figures, record);
  add_record(&k->figures, record);
  if (record->lanes > line->executions) line->executions = record->lanes;
}

static void place_barrier(struct reader *r, const struct figures_barrier *b) {
  struct profile_kernel *k = &r->profile->kernels[b->kernel];
  line_of(r, b->kernel, b->file, b->line)->figures.barriers += b->count;
  k->figures.barriers += b->count;
}

static int by_place(const void *a, const void *b) {
  const struct profile_line *x = a, *y = b;
  const int files = x->file == y->file ? 0 : strcmp(x->file, y->file);
  if (files) return files;
  return (x->line > y->line) - (x->line < y->line);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static void read_kernel(struct profile *p, struct profile_kernel *k,
                        const struct figures_kernel *from) {
  k->name = text_copy(from->name, strlen(from->name));
  k->file = profile_source_path(from->file);
  k->line = from->line;
  k->launches = from->launches;
  k->blocks = from->blocks;
  k->warps = from->warps;
  k->threads = from->threads;
  memcpy(k->grid, from->grid, sizeof k->grid);
  memcpy(k->block, from->block, sizeof k->block);
  k->uniform = !from->uneven;
  const uint64_t threads = (uint64_t)k->block[0] * k->block[1] * k->block[2];
  k->block_threads = threads < UINT_MAX ? (unsigned)threads : UINT_MAX;
  k->shared_static = from->shared_static;
  k->shared_dynamic = from->shared_dynamic;
  k->steps = from->steps;
  gpu_occupancy(p->gpu, k->block_threads, p->registers, k->shared_static + k->shared_dynamic,
                &k->occupancy);
}

void profile_read(struct profile *p, const struct figures *f, const char *program, const char *own,
                  struct text *why) {
  struct reader r = {p, symbols_open(program, own), NULL};
  p->lost = f->lost;
  p->limits = text_copy(f->limits, strlen(f->limits));
  p->kernel_count = f->kernel_count;
  p->kernels = text_allocate((p->kernel_count + 1) * sizeof *p->kernels);
  r.rooms = text_allocate((p->kernel_count + 1) * sizeof *r.rooms);
  for (size_t i = 0; i < p->kernel_count; i++) read_kernel(p, &p->kernels[i], &f->kernels[i]);
  for (size_t i = 0; i < f->record_count; i++) symbols_add(r.symbols, f->records[i].pc);
  symbols_resolve(r.symbols, why);
  for (size_t i = 0; i < f->record_count; i++) place_record(&r, &f->records[i]);
  for (size_t i = 0; i < f->barrier_count; i++) place_barrier(&r, &f->barriers[i]);
  for (size_t i = 0; i < p->kernel_count; i++) {
    struct profile_kernel *k = &p->kernels[i];
    k->work = k->figures.lanes;
    if (k->line_count) qsort(k->lines, k->line_count, sizeof *k->lines, by_place);
  }
  free(r.rooms);
  symbols_close(r.symbols);
}

void profile_free(struct profile *p) {
  for (size_t i = 0; i < p->kernel_count; i++) {
    free((char *)(uintptr_t)p->kernels[i].name);
    free(p->kernels[i].lines);
  }
  free(p->kernels);
  free((char *)(uintptr_t)p->limits);
  profile_source_forget();
}
