/* choose.c - which kernel counts, where its counters lie, and how large the launch is
 *
 * Method   Counters lie in shared memory if they fit there. If a few processors together have room
 *          for them, each counts a range of them and all read everything. Otherwise, and for few
 *          elements, they lie in global memory. Elements for still more counters are grouped by ranges
 *          first, so that each is counted once. Of few counters there are several copies. The
 *          results do not depend on the choice. */
#include "choose.h"

#include "cuda/core/tune.h"
#include "kernels/histogram/parts.h"

enum {
  STATIC_BYTES = 1 << 10, /* of shared memory, which kernels and the driver take besides */
  SMALL_COUNTERS = 2048,  /* so few that two blocks an SM have room, and sorted data is faster so */
  SMALL_THREADS = 512,
  THREADS = 1024,
  WEIGHT_THREADS = 768, /* more would leave too few registers */
  WIDE_THREADS =
      512, /* with weights of 8 bytes, or exact ones in a word, which take more registers */
  SOFTWARE_THREADS = 128,
  LOADS = 4,
  SHORT_LOADS = 2, /* of 2-byte elements, of which registers would not hold more */
  WORTH = 8,       /* elements a counter that pay for adding it up */
  SOFTWARE_WORTH = 1,
  MOST_RANGES = 24,
  MOST_WEIGHT_RANGES = 4, /* of weights, which take longer to find than to add in global memory */
  MOST_COPIES = 32,
  COPIES_WORTH = 1 << 22, /* elements */
  SOFTWARE_COPIES_WORTH = 2500,
  LEAST_COPIES = 16, /* of counters: fewer gain nothing */
  BYTES_LEAST_COPIES = 4,
  BYTES_STATIC = 6 << 10, /* as STATIC_BYTES, of bytes.cu */
  PART_STATIC = 10 << 10, /* of parts.cu */
  PART_THREADS = 512,
  PART_UNIT = 8 << 10,
  MOST_PART_SPAN = 48 << 10, /* numbers have 16 bits */
  LEAST_PARTS = 5
};

/* What a choice is for. */
struct job {
  const struct hd_cuda_limits *limits;
  const struct hd_cuda_count *c;
  u64 n, counters;
  u32 planes; /* words of shared memory a counter */
  bool weighted;
};
typedef const struct job job_t;
typedef struct hd_cuda_count_choice choice_t;

static u32 planes_of(const struct hd_cuda_count *c) {
  if (c->weights_type == HEDDLE_TYPE_DEFAULT || c->thin) return 1;
  bool wide = heddle_type_size(c->weights_type) == 8;
  return (wide ? 3u : 2u) + (c->counted ? 1u : 0u);
}

/* ---- counters in shared memory --------------------------------------------------------------- */

u32 hd_cuda_count_room(const struct hd_cuda_limits *limits) {
  return ((u32)limits->shared_per_block - STATIC_BYTES) / (u32)sizeof(u32);
}

static bool has_table(job_t *job) {
  const u32 strategy = job->c->bins->strategy;
  return strategy == HD_STRATEGY_BUCKETS || strategy == HD_STRATEGY_STEPS;
}

/* Words of buckets and, with `near_edges`, edges behind the counters. */
static u32 table_words(job_t *job, bool near_edges) {
  const struct hd_cuda_bins *bins = job->c->bins;
  if (!has_table(job)) return 0;
  const u32 edges = HD_EDGES((u32)bins->bins.count, bins->steps);
  return (bins->find.words + 1) / 2 * 2 + (near_edges ? (bins->narrow ? 1 : 2) * edges : 0);
}

/* How many counters of a counter lie side by side, where elements crowd at the banks of shared memory
 * otherwise: more work than the table of buckets leaves time for, or two elements in a word. */
static void choose_copies(job_t *job, u32 room, choice_t *s) {
  const struct hd_cuda_bins *bins = job->c->bins;
  const u64 each = job->counters * job->planes;
  if (job->c->thin || job->n < (job->limits->software ? SOFTWARE_COPIES_WORTH : COPIES_WORTH))
    return;
  if (!job->weighted && !has_table(job) && heddle_type_size(bins->type) != 2) return;
  u32 copies = MOST_COPIES;
  while (copies > 1 && each * copies > room) copies /= 2;
  if (job->weighted || copies >= LEAST_COPIES) s->copies = copies;
}

static u32 counter_words(job_t *job, const choice_t *s) {
  if (s->halves) return s->span / 2 + 1;
  return s->span * job->planes * s->copies + (s->where == HD_WHERE_RANGES);
}

/* Tells whether the edges fit in shared memory beside everything else. */
static bool fits_edges(job_t *job, const choice_t *s, u32 all) {
  return has_table(job) && counter_words(job, s) + 1 + table_words(job, true) <= all;
}

static u32 threads_of(job_t *job, const choice_t *s, u32 words) {
  if (job->limits->software) return SOFTWARE_THREADS;
  if (job->weighted)
    return heddle_type_size(job->c->weights_type) == 8 || (job->c->thin && job->c->exact)
               ? WIDE_THREADS
               : WEIGHT_THREADS;
  const bool half = words <= (u32)job->limits->shared_per_block / sizeof(u32) / 2;
  return job->counters <= SMALL_COUNTERS && s->copies == 1 && half ? SMALL_THREADS : THREADS;
}

/* ---- where counters lie ---------------------------------------------------------------------- */

/* room: words for counters. */
static void place_counters(job_t *job, u32 room, choice_t *s) {
  /* Integers are found so fast that it is better to read them twice. */
  s->halves = s->halves ||
              (!job->weighted && job->counters > room && job->counters <= (room - 1) * (u64)2 &&
               job->c->bins->strategy != HD_STRATEGY_INTEGER);
  const u64 each = s->halves ? (room - 1) * (u64)2 : room / job->planes;
  s->where = HD_WHERE_SHARED;
  s->span = (u32)(job->counters < each ? job->counters : each);
  if (job->counters > each) {
    s->where = HD_WHERE_RANGES;
    u64 ranges = (job->counters + each - 1) / each;
    const u64 most = job->weighted ? MOST_WEIGHT_RANGES : MOST_RANGES;
    s->ranges = (u32)(ranges <= most ? ranges : 1);
    s->span = (u32)((job->counters + ranges - 1) / ranges);
    if (ranges > most || ranges > (u64)job->limits->sms) s->where = HD_WHERE_GLOBAL;
  }
  const u64 worth = job->limits->software ? SOFTWARE_WORTH : WORTH;
  if (job->counters > SMALL_COUNTERS && job->n / worth < job->counters) s->where = HD_WHERE_GLOBAL;
  if (s->where == HD_WHERE_GLOBAL) s->span = 0, s->ranges = 1, s->halves = false;
}

static void lay_out(job_t *job, choice_t *s) {
  const struct hd_cuda_bins *bins = job->c->bins;
  const u32 all = hd_cuda_count_room(job->limits);
  s->span = (u32)job->counters;
  /* Edges before more counters only where there is much to search for. */
  s->near_edges = (bins->find.crowded || bins->steps || job->weighted) && fits_edges(job, s, all);
  if (bins->steps && !job->weighted && !s->near_edges) {
    s->halves = true; /* if that makes room for the edges */
    s->near_edges = s->halves = fits_edges(job, s, all);
  }
  const u32 room = all - table_words(job, s->near_edges);
  place_counters(job, room, s);
  if (s->where == HD_WHERE_SHARED) choose_copies(job, room, s);
  if (s->where == HD_WHERE_SHARED && !s->near_edges) s->near_edges = fits_edges(job, s, all);
  const u32 words = (counter_words(job, s) + 1) / 2 * 2 + table_words(job, s->near_edges);
  const bool narrow = heddle_type_size(bins->type) <= 2 &&
                      (bins->strategy != HD_STRATEGY_INTEGER || job->c->args.channels > 1);
  s->loads = narrow || (s->halves && heddle_type_size(bins->type) == 2) ? SHORT_LOADS : LOADS;
  s->launch.shared_bytes = words * (u32)sizeof(u32);
  s->launch.threads = threads_of(job, s, words);
  s->min_blocks = s->launch.threads == SMALL_THREADS ? 2 : 1;
}

/* The 256 values are counted, whatever the bins are. */
static void lay_out_bytes(job_t *job, choice_t *s) {
  const struct hd_cuda_tune_bytes *tune = &hd_cuda_tune(job->limits)->bytes;
  const u32 room = (u32)job->limits->shared_per_block - BYTES_STATIC;
  const u32 set = 256 * (u32)sizeof(u32) * job->c->args.channels;
  s->where = HD_WHERE_SHARED;
  s->copies = tune->copies;
  while (s->copies > BYTES_LEAST_COPIES && set * s->copies > room) s->copies /= 2;
  s->loads = tune->loads;
  s->launch.threads = tune->threads;
  s->launch.shared_bytes = set * s->copies;
}

/* ---- grouped by ranges first ------------------------------------------------------------------- */

/* Counters of a block that counts a range: a round number, so that dividing by it is cheap. */
static u32 part_span(job_t *job) {
  const u32 all = ((u32)job->limits->shared_per_block - PART_STATIC) / (u32)sizeof(u32);
  const u32 most = (all - 1) / PART_UNIT * PART_UNIT;
  return most < MOST_PART_SPAN ? most : MOST_PART_SPAN;
}

static u64 parts_of(job_t *job) { return (job->counters + part_span(job) - 1) / part_span(job); }

static bool are_many(job_t *job) {
  const u32 worth = job->limits->software ? SOFTWARE_WORTH : WORTH;
  const u32 threads = job->limits->software ? SOFTWARE_THREADS : PART_THREADS;
  if (job->weighted || has_table(job) || job->c->bins->strategy == HD_STRATEGY_VALUES) return false;
  return parts_of(job) >= LEAST_PARTS && parts_of(job) <= threads &&
         job->n / worth >= job->counters;
}

static void lay_out_parts(job_t *job, choice_t *s) {
  const u64 size = heddle_type_size(job->c->bins->type);
  s->where = HD_WHERE_PARTS;
  s->span = part_span(job);
  s->ranges = (u32)parts_of(job);
  s->loads = size == 2 ? SHORT_LOADS : LOADS;
  /* Where 64 registers are too few for that, one. */
  const bool two = job->limits->cc >= 80 && size > 2 && job->c->args.channels == 1 &&
                   job->c->bins->strategy != HD_STRATEGY_SEARCH;
  s->min_blocks = two ? 2 : 1;
  s->launch.threads = job->limits->software ? SOFTWARE_THREADS : PART_THREADS;
  const u32 tile = s->launch.threads * s->loads * 16 / (u32)size;
  s->launch.shared_bytes =
      (tile + s->ranges * HD_PART_PAD) * (u32)sizeof(u16) + s->ranges * (u32)sizeof(u32);
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool are_bytes(job_t *job) {
  return !job->weighted && job->c->bins->strategy == HD_STRATEGY_VALUES;
}
static bool are_thin(job_t *job) { return job->c->thin; }
static bool are_weighted(job_t *job) { return job->weighted; }
static bool are_any(job_t *job) { return (void)job, true; }

static const struct strategy {
  const char *name[HD_WHERE_PARTS]; /* by where counters lie */
  const char *file, *kernel;
  bool (*takes)(job_t *);
  void (*lay_out)(job_t *, choice_t *);
} table[] = {
    {{"bytes"}, "histogram/bytes.cu", "heddle_histogram_bytes", are_bytes, lay_out_bytes},
    {{NULL, NULL, NULL, "count_parts"},
     "histogram/partition.cu",
     "heddle_histogram_partition",
     are_many,
     lay_out_parts},
    {{"weights_thin", "weights_thin_ranges", "weights_global"},
     "histogram/weights.cu",
     "heddle_histogram_weights",
     are_thin,
     lay_out},
    {{"weights_shared", "weights_ranges", "weights_global"},
     "histogram/weights.cu",
     "heddle_histogram_weights",
     are_weighted,
     lay_out},
    {{"count_shared", "count_ranges", "count_global"},
     "histogram/count.cu",
     "heddle_histogram_count",
     are_any,
     lay_out},
};

static struct job job_of(const struct hd_cuda_limits *limits, const struct hd_cuda_count *c,
                         u64 n) {
  return (struct job){limits,
                      c,
                      n,
                      (u64)c->args.slots * c->args.channels,
                      planes_of(c),
                      c->weights_type != HEDDLE_TYPE_DEFAULT};
}

bool hd_cuda_count_thin_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_count *c,
                               u64 n) {
  struct hd_cuda_count thin = *c;
  struct hd_cuda_count_choice others, ours;
  const bool sampled = c->exact || c->args.attempt == HD_ATTEMPT_GUESS;
  if (c->weights_type != HEDDLE_F32 || c->counted || !sampled || n >> 32) return false;
  thin.thin = true;
  hd_cuda_count_choose(limits, c, n, &others);
  hd_cuda_count_choose(limits, &thin, n, &ours);
  return ours.where != HD_WHERE_GLOBAL &&
         (others.where == HD_WHERE_GLOBAL || others.ranges > ours.ranges);
}

void hd_cuda_count_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_count *c, u64 n,
                          struct hd_cuda_count_choice *choice) {
  const struct job job = job_of(limits, c, n);
  const struct strategy *line = table;
  while (!line->takes(&job)) line++;
  *choice = (struct hd_cuda_count_choice){
      .launch = {.file = line->file, .kernel = line->kernel}, .ranges = 1, .copies = 1};
  line->lay_out(&job, choice);
  choice->launch.strategy = line->name[choice->where - HD_WHERE_SHARED];
}
