/* partition.c - arrays that are larger than a cache, as buckets that are not
 *
 * Method   One read tells which bits differ, whether the array is in order or in reverse, and how many
 *          keys each value of the topmost bits has; how many of these bits, a sample tells beforehand.
 *          A second read moves items into a bucket each, by whole lines past the caches; buckets are
 *          sorted in a cache and unpacked. A bucket that is too large is partitioned by its own bits.
 *          Offsets are by bucket, then by thread: stable, and the same for any number of threads.
 * Memory   Keys alone are moved within the output; anything else to items beside it. Items of buckets
 *          that are too large go to and fro between that and a second buffer of n items.
 * Limits   A level takes at least HD_SORT_DIGIT_LEAST of the bits that differ, or all of them. */
#include "partition.h"

#include <stdatomic.h>
#include <string.h>

#include "digit.h"
#include "host/machine.h"
#include "host/status.h"

enum {
  UNEVEN_LEVELS = 3, /* that may have prefixes */
  LEVELS = 64 / HD_SORT_DIGIT_LEAST + 2 + UNEVEN_LEVELS,
  KEYS_A_SAMPLE = 64,
  POLL_ITEMS = 1 << 16, /* between polls */
  BUCKETS_MOST = 1 << HD_SORT_DIGIT_MOST,
  COUNTS = HD_SORT_TABLES * BUCKETS_MOST, /* of a worker */
  WIDE_DIGIT_MOST = 10 /* for items of 16 bytes and more, whose stages are large */
};

struct region {
  size_t first, n;
  int side; /* which buffer items lie in; -1: elements, as they were given */
  u64 mask; /* of an item's first word: what is still to be sorted by */
};

struct partition {
  struct hd_cpu_sort_call *call;
  size_t workers, all; /* items of the array */
  char *side[2];       /* NULL: not there yet */
  char *near_memory;   /* of each worker: its stage, its items of a bucket */
  size_t stage_bytes, near_bytes;
  size_t *counts; /* [worker][table][bucket] */
  u32 *heads;     /* [worker][bucket] */
  size_t *ends;   /* [level][bucket], from the region's start */
  struct hd_cpu_sort_sample sample;
  bool nontemporal;
  bool direct; /* elements are their items */
};

/* One step over a region. */
struct step {
  struct partition *p;
  struct region at;
  size_t workers;
  struct hd_cpu_sort_digit
      digit;     /* of an item's first word, or of a key as it is loaded if side < 0 */
  bool counting; /* the look is likely to be all otherwise */
  bool looking;  /* looks as well as counts */
  struct hd_cpu_sort_look *look; /* [worker] */
  const size_t *ends;            /* of buckets */
  int to;                        /* the side that buckets are in */
  atomic_size_t ticket;
};

/* ---- memory -------------------------------------------------------------------------------- */

static u32 digit_most(const struct hd_cpu_sort_call *call) {
  return call->engine->bytes >= 16 ? WIDE_DIGIT_MOST : HD_SORT_DIGIT_MOST;
}
static size_t stage_bytes(const struct hd_cpu_sort_call *call) {
  return ((size_t)1 << digit_most(call)) * call->engine->line_items * call->engine->bytes;
}
static size_t near_bytes(const struct hd_cpu_sort_call *call) {
  return (call->near_items * call->engine->bytes + 63) & ~(size_t)63;
}
static size_t worker_bytes(const struct hd_cpu_sort_call *call) {
  return stage_bytes(call) + near_bytes(call) +
         BUCKETS_MOST * (HD_SORT_TABLES * sizeof(size_t) + sizeof(u32)) +
         sizeof(struct hd_cpu_sort_look);
}
static size_t level_bytes(void) {
  return (size_t)LEVELS * BUCKETS_MOST * sizeof(size_t) + HD_SORT_SAMPLE_MOST * sizeof(u64) +
         HD_SORT_PREFIXES * sizeof(u32);
}

size_t hd_cpu_sort_partition_bytes(const struct hd_cpu_sort_call *call, size_t n) {
  return worker_bytes(call) * hd_cpu_sort_workers(call->ctx, n) + level_bytes();
}

/* An array can hold items. */
static bool holds_items(const struct hd_cpu_sort_call *call, const char *array, i64 step) {
  const size_t bytes = call->engine->bytes;
  return call->io.layout == HD_SORT_KEY && bytes == call->io.map.bits / 8 && step == (i64)bytes &&
         (uintptr_t)array % bytes == 0;
}

static heddle_status take_side(struct partition *p, int side) {
  size_t bytes;
  if (p->side[side]) return HEDDLE_OK;
  if (!hd_product(p->all, p->call->engine->bytes, &bytes))
    return hd_fail(HEDDLE_OUT_OF_MEMORY,
                   "%s: %zu elements and their values are more than memory holds",
                   p->call->sort->entry, p->all);
  p->side[side] = hd_cpu_sort_take(p->call, bytes);
  return p->side[side] ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
}

/* Everything but the second buffer, which only buckets that are too large need. */
static heddle_status take_memory(struct partition *p, size_t n) {
  struct hd_cpu_sort_call *call = p->call;
  const struct hd_cpu_sort_io *io = &call->io;
  const bool output = io->keys_out && holds_items(call, io->keys_out, io->keys_out_step);
  p->all = n;
  p->direct = holds_items(call, io->keys, io->keys_step) && !io->map.is_float && !io->map.flip;
  p->workers = hd_cpu_sort_workers(call->ctx, n);
  p->stage_bytes = stage_bytes(call);
  p->near_bytes = near_bytes(call);
  p->nontemporal = n > hd_machine_near_cache() * 2 / call->engine->bytes;
  char *memory = hd_cpu_sort_take(call, hd_cpu_sort_partition_bytes(call, n));
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  p->near_memory = memory;
  memory += p->workers * (p->stage_bytes + p->near_bytes);
  p->ends = (size_t *)(void *)memory;
  p->sample.wanted = call->near_items;
  p->sample.most = digit_most(call);
  p->counts = p->ends + (size_t)LEVELS * BUCKETS_MOST;
  p->sample.key = (u64 *)(p->counts + p->workers * COUNTS);
  p->sample.prefix = (u32 *)(p->sample.key + HD_SORT_SAMPLE_MOST);
  p->heads = p->sample.prefix + HD_SORT_PREFIXES;
  if (output && io->keys != io->keys_out) {
    p->side[0] = io->keys_out;
    if (call->sort->overwrite && holds_items(call, io->keys, io->keys_step))
      p->side[1] = (char *)(uintptr_t)io->keys;
    return HEDDLE_OK;
  }
  if (output) p->side[1] = io->keys_out; /* after the first move, which reads it */
  return take_side(p, 0);
}

/* ---- a look, and counts ---------------------------------------------------------------------- */

static void part_of(const struct step *s, size_t worker, size_t *first, size_t *n) {
  const size_t share = (s->at.n + s->workers - 1) / s->workers;
  const size_t from = worker * share < s->at.n ? worker * share : s->at.n;
  *first = s->at.first + from;
  *n = s->at.n - from < share ? s->at.n - from : share;
}

static const struct hd_cpu_sort_engine *engine_of(const struct step *s) {
  return s->at.side < 0 ? s->p->call->keys : s->p->call->engine;
}

/* Items that lie somewhere as they are; NULL: they have to be made. */
static const char *lying_at(const struct step *s, size_t first) {
  const struct hd_cpu_sort_call *call = s->p->call;
  if (s->at.side >= 0) return s->p->side[s->at.side] + first * call->engine->bytes;
  return s->p->direct ? call->io.keys + first * call->engine->bytes : NULL;
}

/* Keys or items first .. first + n of a region, and items; n <= HD_SORT_BLOCK. */
static const void *keys_at(const struct step *s, size_t first, size_t n, u64 *room) {
  const char *items = lying_at(s, first);
  if (!items) s->p->call->kernels->load(&s->p->call->io, first, n, room);
  return items ? (const void *)items : room;
}
static const void *items_at(const struct step *s, size_t first, size_t n, u64 *room) {
  const char *items = lying_at(s, first);
  if (!items) s->p->call->kernels->pack(&s->p->call->io, first, n, room);
  return items ? (const void *)items : room;
}

static void count_task(void *arg, size_t worker) {
  struct step *s = arg;
  struct hd_cpu_sort_call *call = s->p->call;
  const struct hd_cpu_sort_engine *engine = engine_of(s);
  struct hd_cpu_sort_look look = {
      .all = ~(u64)0, .rising = true, .falling = s->at.side < 0, .weak = call->weak};
  size_t *counts = s->p->counts + worker * COUNTS;
  u64 room[HD_SORT_BLOCK];
  size_t first, n;
  part_of(s, worker, &first, &n);
  memset(counts, 0, COUNTS * sizeof *counts);
  /* The part before ends with the key that this one has to be compared with. */
  if (s->looking && first > s->at.first)
    engine->look(keys_at(s, first - 1, 1, room), 1, s->at.mask, &look);
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    const void *keys = keys_at(s, first + i, m, room);
    if (s->looking) engine->look(keys, m, s->at.mask, &look);
    if (s->counting) engine->count(keys, m, &s->digit, counts);
    if ((first + i) % POLL_ITEMS < HD_SORT_BLOCK && hd_poll(&call->token)) return;
  }
  for (size_t k = BUCKETS_MOST; k < COUNTS; k++) counts[k % BUCKETS_MOST] += counts[k];
  if (s->looking) s->look[worker] = look;
}

static heddle_status count(struct step *s) {
  hd_cpu_sort_run(s->p->call->ctx, s->workers, count_task, s);
  return hd_cancellation_status(&s->p->call->token, s->p->call->sort->entry);
}

/* Some of the keys, and what differs among them; *ordered: they are in order, or in reverse. */
static u64 take_sample(const struct step *s, bool *ordered) {
  struct hd_cpu_sort_look look = {
      .all = ~(u64)0, .rising = true, .falling = s->at.side < 0, .weak = s->p->call->weak};
  struct hd_cpu_sort_sample *sample = &s->p->sample;
  const size_t worth = s->at.n / KEYS_A_SAMPLE + 1;
  const size_t most = worth < HD_SORT_SAMPLE_MOST ? worth : HD_SORT_SAMPLE_MOST;
  const size_t stride = s->at.n / most;
  u64 room[1];
  sample->keys = 0, sample->of = s->at.n;
  sample->top = hd_top_bit(s->at.mask) + 1;
  for (; sample->keys < most; sample->keys++) {
    const void *key = keys_at(s, s->at.first + sample->keys * stride, 1, room);
    engine_of(s)->look(key, 1, s->at.mask, &look);
    u64 word = 0;
    memcpy(&word, key, engine_of(s)->bytes < sizeof word ? sizeof(u32) : sizeof word);
    sample->key[sample->keys] = word & s->at.mask;
  }
  *ordered = look.rising || look.falling;
  return (look.any ^ look.all) & s->at.mask;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void scatter_task(void *arg, size_t worker) {
  struct step *s = arg;
  struct partition *p = s->p;
  struct hd_cpu_sort_call *call = p->call;
  const size_t bytes = call->engine->bytes;
  const size_t skew = (uintptr_t)p->side[s->to] % HD_SORT_LINE / bytes;
  struct hd_cpu_sort_scatter scatter = {.base = p->side[s->to] - skew * bytes,
                                        .stage = p->near_memory +
                                                 worker * (p->stage_bytes + p->near_bytes),
                                        .place = p->counts + worker * COUNTS,
                                        .head = p->heads + worker * BUCKETS_MOST,
                                        .digit = s->digit,
                                        .nontemporal = p->nontemporal};
  u64 room[HD_SORT_BLOCK * HD_SORT_WORDS_MOST];
  size_t first, n;
  part_of(s, worker, &first, &n);
  for (size_t d = 0; d < s->digit.buckets; d++) {
    scatter.place[d] += skew;
    const u32 head = (u32)(scatter.place[d] % call->engine->line_items);
    scatter.head[d] = head ? head : HD_SORT_NOTHING;
  }
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    call->engine->scatter(&scatter, items_at(s, first + i, m, room), m);
    if ((first + i) % POLL_ITEMS < HD_SORT_BLOCK && hd_poll(&call->token)) break;
  }
  call->engine->finish(&scatter);
}

/* Counts become places, and `ends` of buckets; the items of the largest one. */
static size_t place(const struct step *s, size_t *ends) {
  size_t sum = 0, largest = 0;
  for (size_t d = 0; d < s->digit.buckets; d++) {
    const size_t start = sum;
    for (size_t w = 0; w < s->workers; w++) {
      size_t *at = s->p->counts + w * COUNTS + d;
      const size_t items = *at;
      *at = s->at.first + sum;
      sum += items;
    }
    ends[d] = sum;
    if (sum - start > largest) largest = sum - start;
  }
  return largest;
}

static void unpack_task(void *arg, size_t worker) {
  struct step *s = arg;
  const struct hd_cpu_sort_call *call = s->p->call;
  u64 room[HD_SORT_BLOCK * HD_SORT_WORDS_MOST];
  size_t first, n;
  part_of(s, worker, &first, &n);
  if (s->at.side < 0 && holds_items(call, call->io.keys_out, call->io.keys_out_step) &&
      call->io.keys_step == call->io.keys_out_step) { /* keys alone, from one array to another */
    const size_t bytes = call->engine->bytes;
    memcpy(call->io.keys_out + first * bytes, call->io.keys + first * bytes, n * bytes);
    return;
  }
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    call->kernels->unpack(&call->io, first + i, m, items_at(s, first + i, m, room));
    if ((first + i) % POLL_ITEMS < HD_SORT_BLOCK && hd_poll(&s->p->call->token)) return;
  }
}

/* Both ends of the array at once, so that the output may be the input. */
static void reverse_task(void *arg, size_t worker) {
  struct step *s = arg;
  const struct hd_cpu_sort_call *call = s->p->call;
  const size_t total = s->at.n, half = (total + 1) / 2;
  const size_t share = (half + s->workers - 1) / s->workers;
  const size_t end = (worker + 1) * share < half ? (worker + 1) * share : half;
  u64 low[HD_SORT_BLOCK * HD_SORT_WORDS_MOST], high[HD_SORT_BLOCK * HD_SORT_WORDS_MOST];
  for (size_t i = worker * share, m; i < end; i += m) {
    m = end - i < HD_SORT_BLOCK ? end - i : HD_SORT_BLOCK;
    call->kernels->pack(&call->io, i, m, low);
    call->kernels->pack(&call->io, total - i - m, m, high);
    call->engine->reverse(low, m);
    call->engine->reverse(high, m);
    call->kernels->unpack(&call->io, i, m, high);
    call->kernels->unpack(&call->io, total - i - m, m, low);
    if (i % POLL_ITEMS < HD_SORT_BLOCK && hd_poll(&s->p->call->token)) return;
  }
}

static void near_task(void *arg, size_t worker) {
  struct step *s = arg;
  const struct partition *p = s->p;
  struct hd_cpu_sort_call *call = p->call;
  char *room = p->near_memory + worker * (p->stage_bytes + p->near_bytes) + p->stage_bytes;
  for (;;) {
    const size_t d = atomic_fetch_add_explicit(&s->ticket, 1, memory_order_relaxed);
    if (d >= s->digit.buckets || hd_poll(&call->token)) return;
    const size_t start = d ? s->ends[d - 1] : 0, n = s->ends[d] - start;
    if (!n || n > call->near_items) continue;
    const size_t first = s->at.first + start;
    char *items = p->side[s->to] + first * call->engine->bytes;
    if (s->at.mask && call->engine->sort(items, room, n, s->at.mask, call->exponent)) items = room;
    call->kernels->unpack(&call->io, first, n, items);
  }
}

static heddle_status finish(struct step *s, heddle_task *task) {
  const struct hd_cpu_sort_io *io = &s->p->call->io;
  const bool in_place = io->keys == io->keys_out && io->values == io->values_out;
  if (task == unpack_task && s->at.side < 0 && in_place) return HEDDLE_OK;
  hd_cpu_sort_run(s->p->call->ctx, s->workers, task, s);
  return hd_cancellation_status(&s->p->call->token, s->p->call->sort->entry);
}

/* Looks at the region and counts; *done if that was all there was to do, else places are chosen. */
static heddle_status look_and_count(struct step *s, bool *done) {
  struct hd_cpu_sort_look *look = s->look;
  *done = true;
  if (!s->at.mask) return finish(s, unpack_task);
  bool ordered;
  const u64 guess = take_sample(s, &ordered);
  s->counting = !ordered, s->looking = true;
  s->digit = hd_cpu_sort_digit_choose(&s->p->sample, guess ? guess : s->at.mask);
  HD_TRY(count(s));
  for (size_t w = 1; w < s->workers; w++) {
    look[0].any |= look[w].any;
    look[0].all &= look[w].all;
    look[0].rising &= look[w].rising;
    look[0].falling &= look[w].falling;
  }
  const u64 bits = (look[0].any ^ look[0].all) & s->at.mask;
  if (look[0].rising || !bits) return finish(s, unpack_task);
  if (look[0].falling) return finish(s, reverse_task);
  *done = false;
  if (!ordered && hd_top_bit(bits) < s->digit.top) return HEDDLE_OK;
  s->looking = false;
  s->counting = true;
  s->digit = hd_cpu_sort_digit_choose(&s->p->sample, bits);
  return count(s);
}

static heddle_status sort_region(struct partition *p, struct region at, size_t level) {
  struct hd_cpu_sort_call *call = p->call;
  struct step s = {.p = p, .at = at, .to = at.side == 0, .ends = p->ends + level * BUCKETS_MOST};
  bool done = false;
  p->sample.even_only = level >= UNEVEN_LEVELS;
  s.workers = hd_cpu_sort_workers(call->ctx, at.n);
  s.look = (struct hd_cpu_sort_look *)(void *)(p->heads + p->workers * BUCKETS_MOST);
  if (at.side < 0) s.at.mask = call->keys_mask;
  HD_TRY(look_and_count(&s, &done));
  if (done) return HEDDLE_OK;
  /* items have the key in their upper half */
  if (at.side < 0 && call->mask != call->keys_mask) s.digit.shift += 32;
  const size_t largest = place(&s, p->ends + level * BUCKETS_MOST);
  if (largest > call->near_items) HD_TRY(take_side(p, !s.to));
  HD_TRY(take_side(p, s.to));
  if (at.side < 0)
    HD_TRY(hd_cpu_sort_touch(call, p->side[s.to], at.n * call->engine->bytes, s.workers));
  hd_cpu_sort_run(call->ctx, s.workers, scatter_task, &s);
  HD_TRY(hd_cancellation_status(&call->token, call->sort->entry));
  const u64 below = s.digit.prefix ? at.mask : at.mask & (((u64)1 << s.digit.shift) - 1);
  s.at.mask = below;
  atomic_init(&s.ticket, 0);
  hd_cpu_sort_run(call->ctx, s.workers, near_task, &s);
  HD_TRY(hd_cancellation_status(&call->token, call->sort->entry));
  if (largest <= call->near_items) return HEDDLE_OK;
  for (size_t d = 0; d < s.digit.buckets; d++) {
    const size_t start = d ? s.ends[d - 1] : 0, n = s.ends[d] - start;
    if (n <= call->near_items) continue;
    HD_TRY(sort_region(p, (struct region){at.first + start, n, s.to, below}, level + 1));
  }
  return HEDDLE_OK;
}

heddle_status hd_cpu_sort_far(struct hd_cpu_sort_call *call, size_t n) {
  struct partition p = {.call = call};
  HD_TRY(take_memory(&p, n));
  return sort_region(&p, (struct region){0, n, -1, call->mask}, 0);
}
