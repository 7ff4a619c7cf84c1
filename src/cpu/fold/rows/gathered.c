/* gathered.c - strided rows that are gathered piece by piece
 *
 * Method   A piece is a chunk, of a row and of its neighbours, if these share cache lines: then every one is
 *          read once. A kernel that takes elements where they lie (apart_tmpl.h) does so with the chunks of one
 *          row, as far as what it reads is of the row. Where no order binds a total a row takes the pieces as they come, the first of
 *          which is short, in case it settles them; else the counter of chunks.
 * Memory   one chunk and one counter for each row gathered at once. */
#include "gathered.h"

#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "places.h"

enum {
  CACHE_LINE = 64,
  TOGETHER = 16, /* rows: a cache line of f32 */
  FEW = 8, /* elements of a first piece of bytes, in case it settles a row; of others it is one */
  FIRST = 64, /* and of the next ones */
  SECOND = 512,
  CHUNKS_POLL = 16 /* taken where they lie between two polls */
};

size_t hd_cpu_fold_gathered_rows(const struct hd_cpu_fold_kernel *kernel) {
  return kernel->merge.bytes <= HD_TOTAL_BYTES_MOST ? TOGETHER : 1;
}

/* The counters' slots, which are the first of the scratch; then come gathered chunks of x and of y. */
static size_t slots_bytes(const struct hd_cpu_fold_kernel *kernel) {
  return HD_COUNTER_SLOTS * (size_t)kernel->merge.bytes;
}

/* Bytes between gathered chunks: more than a power of two, lest they share the sets of a cache. */
static size_t pitch_of(const struct hd_cpu_fold_kernel *kernel) {
  return ((size_t)kernel->chunk * kernel->element_bytes + 127) & ~(size_t)63;
}

size_t hd_cpu_fold_gathered_bytes(const struct hd_cpu_fold_kernel *kernel, bool is_dot) {
  const size_t a_row = slots_bytes(kernel) + (is_dot ? 2 : 1) * pitch_of(kernel);
  return (hd_cpu_fold_gathered_rows(kernel) * a_row + 63) & ~(size_t)63;
}

/* ---- a piece --------------------------------------------------------------------------------------- */

/* `rows` gathered rows, `step` elements apart along themselves, `apart` from each other: element e
 * of row g goes to to[g * pitch + e * size]. Each caller's size is a constant. */
static inline void gather_sized(char *to, const char *from, i64 step, i64 apart, size_t n,
                                size_t rows, size_t pitch, size_t size) {
  for (size_t e = 0; e < n; e++) {
    const char *line = from + (i64)e * step * (i64)size;
    for (size_t g = 0; g < rows; g++)
      memcpy(to + g * pitch + e * size, line + (i64)g * apart * (i64)size, size);
  }
}

/* Side by side where neighbours share cache lines, else one after the other. */
static void gather(const struct hd_cpu_gathered *g, char *to, const char *from, size_t n) {
  const size_t pitch = pitch_of(g->kernel), bytes = g->kernel->element_bytes;
  const bool in_line = (u64)llabs(g->step) * bytes <= CACHE_LINE;
  if (n == 1 && g->rows == 1) {
    memcpy(to, from, bytes);
    return;
  }
  if (n <= FEW && g->rows == 1 && bytes == 1) {
    for (size_t e = 0; e < n; e++) to[e] = from[(i64)e * g->step];
    return;
  }
  if (g->gather && (g->rows == 1 || in_line || llabs(g->step) <= llabs(g->apart))) {
    for (size_t r = 0; r < g->rows; r++)
      g->gather(from + (i64)r * g->apart * (i64)bytes, g->step, n, to + r * pitch);
    return;
  }
  switch (bytes) {
  case 1: gather_sized(to, from, g->step, g->apart, n, g->rows, pitch, 1); break;
  case 2: gather_sized(to, from, g->step, g->apart, n, g->rows, pitch, 2); break;
  case 4: gather_sized(to, from, g->step, g->apart, n, g->rows, pitch, 4); break;
  case 8: gather_sized(to, from, g->step, g->apart, n, g->rows, pitch, 8); break;
  default: gather_sized(to, from, g->step, g->apart, n, g->rows, pitch, bytes);
  }
}

/* n elements of each row. */
struct piece {
  const char *x, *y;
  size_t n;
};

/* Whether the kernel takes elements where they lie. Vectors of 16 bytes are too short for the lanes of a row to stay
 * in registers where an order binds: then it does for short steps alone. */
static bool is_apart(const struct hd_cpu_gathered *g) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  const u64 step = (u64)llabs(g->step);
  if (!kernel->apart || g->rows > 1 || g->y || !step || step > HD_APART_MOST) return false;
  const bool in_registers = kernel->columns->least * kernel->columns->bytes > HD_ROW_BYTES / 32;
  return kernel->merge.order_free || in_registers || step * kernel->element_bytes <= sizeof(u64);
}

/* Whether n elements from `at` on have one above them, so that what `apart` reads is of the row's span. */
static bool has_above(const struct hd_cpu_gathered *g, u64 at, u64 n) {
  return g->step == -1 || (g->step > 0 ? g->length - at > n : at > 0);
}

/* The n elements from `at` on. */
static struct piece piece_at(const struct hd_cpu_gathered *g, u64 at, size_t n) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  const size_t together = hd_cpu_fold_gathered_rows(kernel);
  const i64 offset = (i64)at * g->step * (i64)kernel->element_bytes;
  char *x = (char *)g->scratch + together * slots_bytes(kernel);
  char *y = g->y ? x + together * pitch_of(kernel) : NULL;
  gather(g, x, g->x + offset, n);
  if (y) gather(g, y, g->y + offset, n);
  return (struct piece){x, y, n};
}

static struct hd_fold_out out_of(const struct hd_cpu_gathered *g, size_t r) {
  struct hd_fold_out out = g->out;
  if (out.value) out.value = (char *)out.value + r * g->out_bytes;
  if (out.index) out.index += r;
  if (out.description) out.description += r;
  return out;
}

static heddle_status result(const struct hd_cpu_gathered *g, const void *total, size_t r) {
  return hd_cpu_fold_result(g->fold, g->kernel, total, g->length, true, out_of(g, r));
}

/* ---- in order -------------------------------------------------------------------------------------- */

/* The results of rows whose chunks are in the counters, with what is left behind them. */
static heddle_status results(const struct hd_cpu_gathered *g, struct hd_counter *counters, u64 at,
                             const struct piece *p) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  const size_t pitch = pitch_of(kernel);
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  heddle_status status = HEDDLE_OK;
  for (size_t r = 0; r < g->rows && !status; r++) {
    status = hd_counter_prefix(&counters[r], total);
    if (!status && p->n)
      status = kernel->tail(p->x + r * pitch, p->y ? p->y + r * pitch : NULL, at, p->n, total,
                            g->fold->custom);
    if (!status) status = result(g, total, r);
  }
  return status;
}

static heddle_status fold_in_order(const struct hd_cpu_gathered *g) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  const size_t pitch = pitch_of(kernel);
  struct hd_counter counter[TOGETHER];
  for (size_t r = 0; r < g->rows; r++)
    hd_counter_start(&counter[r], &kernel->merge, g->fold->custom,
                     g->scratch + r * slots_bytes(kernel));
  const bool apart = is_apart(g);
  for (u64 at = 0;; at += kernel->chunk) {
    const u64 left = g->length - at;
    if (hd_poll(g->token)) return HEDDLE_CANCELLED;
    if (apart && left >= kernel->chunk && has_above(g, at, kernel->chunk)) {
      u64 total;
      kernel->apart(g->x + (i64)at * g->step * (i64)kernel->element_bytes, g->step, 1, &total);
      const heddle_status status = hd_counter_push(counter, 0, &total);
      if (status) return status;
      continue;
    }
    const struct piece p = piece_at(g, at, left < kernel->chunk ? (size_t)left : kernel->chunk);
    if (left < kernel->chunk) return results(g, counter, at, &p);
    for (size_t r = 0; r < g->rows; r++) {
      const heddle_status status =
          hd_cpu_fold_chunks(kernel, &counter[r], p.x + r * pitch, p.y ? p.y + r * pitch : NULL, 1);
      if (status) return status;
    }
  }
}

/* ---- in any order ---------------------------------------------------------------------------------- */

/* *total = *total op the piece of row r, whose first element is `at`. */
static heddle_status take(const struct hd_cpu_gathered *g, const struct piece *p, u64 at, size_t r,
                          void *total) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  const heddle_custom *custom = g->fold->custom;
  _Alignas(64) unsigned char right[HD_TOTAL_BYTES_MOST];
  const char *x = p->x + r * pitch_of(kernel), *y = p->y ? p->y + r * pitch_of(kernel) : NULL;
  if (p->n < kernel->chunk) return kernel->tail(x, y, at, p->n, total, custom);
  const heddle_status status = kernel->chunks(x, y, at, 1, right, custom);
  return status ? status : kernel->merge.combine(total, right, custom);
}

/* The same of as many chunks from element `at` on as may be taken where they lie between two polls; their
 * elements. 0: none are. */
static u64 take_apart(const struct hd_cpu_gathered *g, u64 at, void *total) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  u64 chunks = (g->length - at) / kernel->chunk;
  if (chunks > CHUNKS_POLL) chunks = CHUNKS_POLL;
  if (chunks && !has_above(g, at, chunks * kernel->chunk)) chunks--;
  if (!chunks) return 0;
  u64 right;
  kernel->apart(g->x + (i64)at * g->step * (i64)kernel->element_bytes, g->step, (size_t)chunks,
                &right);
  (void)kernel->merge.combine(total, &right, g->fold->custom);
  return chunks * kernel->chunk;
}

static heddle_status fold_in_any_order(const struct hd_cpu_gathered *g) {
  const struct hd_cpu_fold_kernel *kernel = g->kernel;
  _Alignas(64) unsigned char total[TOGETHER][HD_TOTAL_BYTES_MOST];
  const bool apart = is_apart(g);
  bool settled = false;
  for (size_t r = 0; r < g->rows; r++) kernel->merge.identity(total[r], g->fold->custom);
  for (u64 at = 0, n; at < g->length && !settled; at += n) {
    const u64 left = g->length - at, first = kernel->element_bytes == 1 ? FEW : 1;
    const u64 few = !at ? first : at == first ? FIRST : SECOND;
    const u64 most = kernel->settled && at < SECOND ? few : kernel->chunk;
    n = left < most ? left : most;
    if (at && hd_poll(g->token)) return HEDDLE_CANCELLED;
    if (apart && at) {
      const u64 taken = take_apart(g, at, total[0]);
      settled = taken && hd_cpu_fold_is_settled(kernel, total[0]);
      if (taken) n = taken;
      if (taken) continue;
    }
    const struct piece p = piece_at(g, at, (size_t)n);
    settled = kernel->settled != NULL;
    for (size_t r = 0; r < g->rows; r++) {
      const heddle_status status = take(g, &p, at, r, total[r]);
      if (status) return status;
      settled = settled && kernel->settled(total[r]);
    }
  }
  heddle_status status = HEDDLE_OK;
  for (size_t r = 0; r < g->rows && !status; r++) status = result(g, total[r], r);
  return status;
}

heddle_status hd_cpu_fold_gathered(const struct hd_cpu_gathered *g) {
  if (g->length <= g->kernel->chunk && hd_cpu_fold_places_rows(g->kernel, g->length, g->rows)) {
    const struct piece p = piece_at(g, 0, (size_t)g->length);
    hd_cpu_fold_places_of(g->fold, g->kernel, p.x, (i64)pitch_of(g->kernel), g->rows, p.n, g->out);
    return HEDDLE_OK;
  }
  return g->kernel->merge.order_free ? fold_in_any_order(g) : fold_in_order(g);
}
