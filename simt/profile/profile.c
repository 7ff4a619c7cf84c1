/* Profiling: a process that SIMT_PROFILE names a file for counts what its kernels do.
 *
 * Result   in the file (figures.h): for each kernel its launches, for each of its basic blocks and
 *          accesses the figures, and barriers by line
 * Method   a constructor maps the file and becomes the device's observer; lanes run in lockstep
 *          (device/schedule/lockstep.h), and the accesses of an issue are measured when it ends
 * Limits   the program must be compiled for it. Without SIMT_PROFILE such a program just runs
 */
#include "profile.h"

#include "observer.h"
#include "runtime.h"
#include "schedule/lockstep.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool pr_on;
struct pr_current pr_current;
struct figures *pr_figures;

/* ---- Kernels --------------------------------------------------------------------------------- */

static bool same(const uint32_t a[3], struct uint3 b) {
  return a[0] == b.x && a[1] == b.y && a[2] == b.z;
}

/* The configuration of the largest launch is what the report shows. */
static void note_configuration(struct figures_kernel *k, const struct grid *grid) {
  const struct simt_config *c = &grid->config;
  const uint64_t before =
      (uint64_t)k->grid[0] * k->grid[1] * k->grid[2] * k->block[0] * k->block[1] * k->block[2];
  if (k->launches && !(same(k->grid, c->grid) && same(k->block, c->block))) k->uneven = 1;
  if (k->launches && grid->blocks * grid->threads <= before) return;
  k->grid[0] = c->grid.x, k->grid[1] = c->grid.y, k->grid[2] = c->grid.z;
  k->block[0] = c->block.x, k->block[1] = c->block.y, k->block[2] = c->block.z;
  k->shared_dynamic = c->shared_bytes;
  k->shared_static = grid->kernel->shared_bytes ? *grid->kernel->shared_bytes : 0;
}

static void grid_begin(struct grid *grid) {
  uintptr_t end = 0;
  pr_current.kernel = pr_kernel(grid);
  rt_arena(&pr_current.arena, &end);
  pr_current.arena_bytes = end - pr_current.arena;
  pr_current.body = (uintptr_t)grid->body;
  pr_current.body_bytes = grid->kernel->body_bytes;
  pr_current.steps = 0;
  pr_current.warp = NULL;
  pr_contention_forget();
  struct figures_kernel *k = &pr_figures->kernels[pr_current.kernel];
  note_configuration(k, grid);
  k->launches++;
}

static void grid_end(struct grid *grid) {
  (void)grid;
  pr_flush();
  pr_figures->kernels[pr_current.kernel].steps += pr_current.steps;
  pr_current.steps = 0;
}

static void block_begin(struct block *block) {
  struct figures_kernel *k = &pr_figures->kernels[pr_current.kernel];
  k->blocks++;
  k->warps += block->warps;
  k->threads += block->threads;
}

static void block_enter(struct block *block) {
  const struct worker *me = sd_workers();
  pr_flush();
  pr_current.block = block->sequence;
  pr_current.static_begin = (uintptr_t)me->static_shared;
  pr_current.static_bytes = me->static_shared_bytes;
  pr_current.dynamic_begin = simt_shared.dynamic_begin;
  pr_current.dynamic_bytes = simt_shared.dynamic_end - simt_shared.dynamic_begin;
}

static void block_end(struct block *block) {
  for (unsigned w = 0; w < block->warps; w++)
    if (block->warp_list[w].issues > pr_current.steps)
      pr_current.steps = block->warp_list[w].issues;
}

static void barrier(struct block *block) { pr_barrier_at(block->file, block->line, 1); }

static void grid_barrier(struct grid *grid) {
  pr_barrier_at(grid->barrier_location.file, grid->barrier_location.line, grid->blocks);
}

/* ---- Lockstep -------------------------------------------------------------------------------- */

static void issue(struct block *block, struct warp *warp, const void *pc, unsigned lanes) {
  (void)block;
  struct figures_record *record = pr_record(pc, FIGURES_BLOCK);
  warp->issues++;
  if (!record) return;
  record->issues++;
  record->lanes += (unsigned)__builtin_popcount(lanes);
}

/* ---- The file -------------------------------------------------------------------------------- */

static const struct sd_observer observer = {
    .grid_begin = grid_begin,
    .grid_end = grid_end,
    .block_begin = block_begin,
    .block_enter = block_enter,
    .block_end = block_end,
    .barrier = barrier,
    .grid_barrier = grid_barrier,
};

static int find_program(struct dl_phdr_info *info, size_t size, void *load) {
  (void)size;
  *(uintptr_t *)load = info->dlpi_addr;
  return 1;
}

static struct figures *map_file(const char *path) {
  struct stat status;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && (size_t)status.st_size >= sizeof(struct figures))
    memory = mmap(NULL, sizeof(struct figures), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return NULL;
  struct figures *f = memory;
  if (f->magic == FIGURES_MAGIC && f->version == FIGURES_VERSION &&
      f->record_bytes == sizeof(struct figures_record))
    return f;
  munmap(memory, sizeof(struct figures));
  return NULL;
}

/* A process that the program starts would count into the same file: the first alone does. */
static bool take(struct figures *f) {
  uint32_t free = 0;
  return __atomic_compare_exchange_n(&f->taken, &free, 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/* A child goes on with a copy that nobody reads. */
static void forked(void) {
  struct figures *f = pr_figures;
  void *memory = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) _exit(127);
  memcpy(memory, f, offsetof(struct figures, records) + f->record_count * sizeof *f->records);
  pr_figures = memory;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("SIMT_PROFILE");
  if (!path || !*path || sd_observer) return;
  struct figures *f = map_file(path);
  if (!f) {
    sd_note("SIMT_PROFILE: %s is no file of heddle-profile's: nothing is counted", path);
    return;
  }
  if (!take(f)) return;
  dl_iterate_phdr(find_program, &pr_current.load);
  pr_figures = f;
  pr_on = true;
  sd_lockstep = (struct sd_lockstep){.on = true, .end = pr_flush, .issue = issue};
  sd_observer = &observer;
  pthread_atfork(NULL, NULL, forked);
}
