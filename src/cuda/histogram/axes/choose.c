/* choose.c - which kernel takes points, where its counters lie, and how large the launch is
 *
 * Method   Counters lie in shared memory if they fit there, two a word if need be. Otherwise, and for few points,
 *          points are added in global memory, as long as the second-level cache holds the grid. Weights, and
 *          points of a larger grid, go the way of one axis (../choose.c), for which their slots are written
 *          first. The results do not depend on the choice. */
#include "choose.h"

#include "kernels/histogram/args.h"
#include "order/types.h"

enum {
  STATIC_BYTES = 1 << 10, /* of shared memory, which the kernel and the driver take besides */
  EXTRA = 3,              /* counters behind the grid's */
  THREADS = 512,
  MANY_THREADS = 1024, /* where counters leave room for one block */
  SOFTWARE_THREADS = 128,
  LOADS = 4,        /* of 16 bytes in flight a thread, of all axes */
  SINGLE_LOADS = 8, /* of an element */
  AHEAD_LOADS = 4,  /* more would not stay in registers twice */
  WIDE_DIMS = 5,    /* so many axes take more registers */
  FEW = 2048,       /* counters that are always worth adding up */
  WORTH = 8,        /* points a counter that pay for adding it up */
  SOFTWARE_WORTH = 1,
  SOFTWARE_CACHE_BYTES = 1 << 16 /* so that grids are tested that no cache holds */
};

typedef const struct hd_cuda_axes_job job_t;
typedef struct hd_cuda_axes_choice choice_t;

static u64 counters_of(job_t *job) { return job->slots + EXTRA; }

u32 hd_cuda_axes_room(const struct hd_cuda_limits *limits) {
  return ((u32)limits->shared_per_block - STATIC_BYTES) / (u32)sizeof(u32);
}

/* What tables leave for counters, less a word that may lie between the two. */
static u64 room_of(job_t *job) { return hd_cuda_axes_room(job->limits) - job->table_words - 1; }

static bool are_few(job_t *job) {
  const u64 worth = job->limits->software ? SOFTWARE_WORTH : WORTH;
  return counters_of(job) > FEW && job->n / worth < counters_of(job);
}

/* ---- the kernel's shape ---------------------------------------------------------------------- */

/* What a thread has in flight, and how many there are. */
static void set_threads(job_t *job, choice_t *s) {
  const size_t bytes = heddle_type_size(job->type);
  const bool wide = job->dims >= WIDE_DIMS || (job->packed && bytes < 4);
  const u32 loads = job->packed ? (bytes < 4 ? 1 : LOADS) : SINGLE_LOADS;
  s->vectors = loads / (u32)job->dims;
  if (!s->vectors) s->vectors = 1;
  s->ahead = !wide && job->packed && s->vectors * job->dims <= AHEAD_LOADS;
  s->launch.threads = THREADS;
  s->min_blocks = wide ? 1 : 2;
  if (s->launch.shared_bytes > (u32)job->limits->shared_per_block / 2) {
    s->min_blocks = 1;
    if (!wide) s->launch.threads = MANY_THREADS;
  }
  if (job->limits->software) s->launch.threads = SOFTWARE_THREADS;
}

/* ---- strategies ------------------------------------------------------------------------------ */

static bool fits_shared(job_t *job) {
  return !job->weighted && counters_of(job) <= room_of(job) && !are_few(job);
}

static bool fits_halves(job_t *job) {
  return !job->weighted && counters_of(job) <= 2 * (room_of(job) - 1) && !are_few(job);
}

/* A table that half the cache holds; a larger one, too, if there are few points. */
static bool fits_cache(job_t *job) {
  const u64 room = job->limits->software ? SOFTWARE_CACHE_BYTES : (u64)job->limits->l2_bytes / 2;
  return !job->weighted && (counters_of(job) * sizeof(u32) <= room || are_few(job));
}

static bool are_any(job_t *job) { return (void)job, true; }

static void lay_out_shared(job_t *job, choice_t *s) {
  s->where = HD_WHERE_SHARED;
  s->span = (u32)counters_of(job);
  s->launch.shared_bytes = ((s->span + 1) / 2 * 2 + job->table_words) * (u32)sizeof(u32);
}

static void lay_out_halves(job_t *job, choice_t *s) {
  s->where = HD_WHERE_SHARED;
  s->halves = true;
  s->span = (u32)counters_of(job);
  s->launch.shared_bytes = ((s->span / 2 + 2) / 2 * 2 + job->table_words) * (u32)sizeof(u32);
}

static void lay_out_global(job_t *job, choice_t *s) {
  s->where = HD_WHERE_GLOBAL;
  s->launch.shared_bytes = job->table_words * (u32)sizeof(u32);
}

static void lay_out_slots(job_t *job, choice_t *s) {
  s->where = HD_WHERE_SLOTS;
  s->launch.shared_bytes = job->table_words * (u32)sizeof(u32);
}

static const struct strategy {
  const char *name;
  bool (*takes)(job_t *);
  void (*lay_out)(job_t *, choice_t *);
} table[] = {
    {"points_shared", fits_shared, lay_out_shared},
    {"points_halves", fits_halves, lay_out_halves},
    {"points_global", fits_cache, lay_out_global},
    {"points_slots", are_any, lay_out_slots},
};

void hd_cuda_axes_choose(job_t *job, choice_t *choice) {
  const struct strategy *line = table;
  while (!line->takes(job)) line++;
  *choice = (struct hd_cuda_axes_choice){
      .launch = {.strategy = line->name, .file = "axes/points.cu", .kernel = "heddle_axes_points"}};
  line->lay_out(job, choice);
  set_threads(job, choice);
}
