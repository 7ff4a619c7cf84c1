/* wide.c - groups of rows of several elements, folded column by column
 *
 * Method   A strip of columns of a group's rows is gathered, and goes down the lines in order v1 as the columns
 *          of an array do (cpu/fold/columns/strip.h). Of a large group a chunk of lines is gathered at a time, and a counter
 *          holds strips of the totals of blocks of chunks. Exact sums: lines are transposed, each column is summed. */
#include <string.h>

#include "host/status.h"
#include "reduce.h"

enum {
  CHUNK_COLUMNS = 32,  /* of a strip that is a chunk long */
  COLUMNS_MOST = 1024, /* of a strip of shorter groups */
  LEAF_SLOTS = 16,     /* of blocks of lines within a chunk */
  AHEAD = 4,           /* lines between asking for one and reading it */
  LINE = 64,           /* bytes of a cache line */
  SIDE = 32,           /* columns that are transposed at once, for exact sums */
  SIDE_LINES = 512
};

static size_t at_least(size_t a, size_t b) { return a > b ? a : b; }
static size_t at_most(size_t a, size_t b) { return a < b ? a : b; }

/* ---- lines ---------------------------------------------------------------------------------------- */

static const char *line_of(const struct hd_cpu_groups_reduce *call, size_t i) {
  const struct hd_cpu_groups *groups = call->groups;
  const size_t row_bytes = call->width * call->element_bytes;
  u32 narrow;
  u64 at = i;
  if (groups->order && groups->index_bytes == 4) {
    memcpy(&narrow, (const char *)groups->order + i * sizeof narrow, sizeof narrow);
    at = narrow;
  } else if (groups->order) {
    memcpy(&at, (const char *)groups->order + i * sizeof at, sizeof at);
  }
  return call->in + at * row_bytes;
}

/* Columns first .. first + columns of n rows of the gathered order, `pitch` bytes apart. */
static void gather_lines(const struct hd_cpu_groups_reduce *call, size_t begin, size_t n,
                         size_t first, size_t columns, size_t pitch, unsigned char *to) {
  const size_t bytes = columns * call->element_bytes, skip = first * call->element_bytes;
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n) {
      const char *next = line_of(call, begin + i + AHEAD) + skip;
      for (size_t b = 0; b < bytes; b += LINE) __builtin_prefetch(next + b);
    }
    memcpy(to + i * pitch, line_of(call, begin + i) + skip, bytes);
  }
}

/* ---- a strip of a group ----------------------------------------------------------------------------- */

/* Columns of a strip of groups of n rows. */
static size_t strip_width(const struct hd_cpu_groups_reduce *call, size_t n) {
  const size_t least = at_least(CHUNK_COLUMNS, call->kernel->columns->least);
  if (n >= call->kernel->chunk) return least;
  const size_t fit = HD_GROUPS_PIECE / (n * call->element_bytes) / LINE * LINE;
  return at_most(at_most(at_least(fit, least), COLUMNS_MOST), at_least(call->width, least));
}

/* Where in a thread's room a strip's accumulators are: behind the lines. */
static struct hd_cpu_column_strip strip_in(const struct hd_cpu_groups_reduce *call, size_t results,
                                           unsigned char *room, size_t lines_bytes) {
  const size_t width = at_least(results, call->kernel->columns->least);
  const size_t bytes = width * call->kernel->columns->bytes;
  unsigned char *at = room + lines_bytes;
  return (struct hd_cpu_column_strip){.kernel = call->kernel,
                                      .pitch = (i64)(width * call->element_bytes),
                                      .results = results,
                                      .width = width,
                                      .bytes = bytes,
                                      .whole = HD_U64_MAX,
                                      .acc = at,
                                      .spare = at + bytes,
                                      .slots = at + 2 * bytes,
                                      .lanes = at + (2 + LEAF_SLOTS) * bytes,
                                      .token = call->token};
}

/* The next n lines of the strip are those gathered in room. */
static void point(struct hd_cpu_column_strip *s, const unsigned char *room) {
  s->x = s->y = (const char *)room;
  s->whole = HD_U64_MAX;
}

/* acc = the total of a group's chunks; false: cancelled. */
static bool fold_chunks(const struct hd_cpu_groups_reduce *call, struct hd_cpu_column_strip *s,
                        size_t begin, u64 chunks, size_t first, unsigned char *room) {
  const struct hd_cpu_fold_columns *columns = call->kernel->columns;
  const size_t chunk = call->kernel->chunk;
  const struct hd_cpu_strip_blocks none = {0};
  unsigned char *slots = s->lanes + chunk / HD_CHUNK_ROWS * s->bytes;
  for (u64 k = 0; k < chunks; k++) {
    gather_lines(call, begin + (size_t)k * chunk, chunk, first, s->results, (size_t)s->pitch, room);
    point(s, room);
    s->any = false;
    if (!hd_cpu_strip_fold(s, chunk, &none)) return false;
    u32 level = 0;
    for (; k >> level & 1; level++) {
      columns->each(slots + level * s->bytes, s->acc, s->width);
      memcpy(s->acc, slots + level * s->bytes, s->bytes);
    }
    memcpy(slots + level * s->bytes, s->acc, s->bytes);
  }
  const u32 top = hd_top_bit(chunks);
  memcpy(s->acc, slots + top * s->bytes, s->bytes);
  for (u32 level = top; level-- > 0;)
    if (chunks >> level & 1) columns->each(s->acc, slots + level * s->bytes, s->width);
  s->any = true;
  return true;
}

/* Where no order binds: as many lines at a time as are gathered. */
static bool fold_lines(const struct hd_cpu_groups_reduce *call, struct hd_cpu_column_strip *s,
                       size_t begin, size_t n, size_t first, unsigned char *room) {
  const struct hd_cpu_strip_blocks none = {0};
  const size_t most = HD_GROUPS_PIECE / (size_t)s->pitch;
  for (size_t m; n; begin += m, n -= m) {
    m = n < most ? n : most;
    gather_lines(call, begin, m, first, s->results, (size_t)s->pitch, room);
    point(s, room);
    if (!hd_cpu_strip_fold(s, m, &none)) return false;
  }
  return true;
}

static heddle_status fold_group(const struct hd_cpu_groups_reduce *call, size_t group,
                                unsigned char *room) {
  const struct hd_cpu_fold_kernel *kernel = call->kernel;
  const size_t begin = (size_t)call->groups->offsets[group];
  const size_t n = (size_t)call->groups->offsets[group + 1] - begin, strip = strip_width(call, n);
  const struct hd_cpu_strip_blocks none = {0};
  const bool order_free = kernel->merge.order_free;
  for (size_t first = 0, columns; first < call->width; first += columns) {
    columns = at_most(strip, call->width - first);
    struct hd_cpu_column_strip s = strip_in(call, columns, room, HD_GROUPS_PIECE);
    const u64 chunks = order_free ? 0 : n / kernel->chunk;
    const size_t done = (size_t)chunks * kernel->chunk, left = n - done;
    if (order_free) {
      if (!fold_lines(call, &s, begin, n, first, room)) return HEDDLE_CANCELLED;
    } else {
      if (chunks && !fold_chunks(call, &s, begin, chunks, first, room)) return HEDDLE_CANCELLED;
      gather_lines(call, begin + done, left, first, columns, (size_t)s.pitch, room);
      point(&s, room);
      if (!hd_cpu_strip_fold(&s, left, &none)) return HEDDLE_CANCELLED;
    }
    HD_TRY(hd_cpu_fold_results(call->fold, kernel, s.acc, columns, n,
                               hd_cpu_groups_out(call, group) + first * call->out_bytes));
  }
  return HEDDLE_OK;
}

size_t hd_cpu_groups_wide_bytes(const struct hd_cpu_groups_reduce *call) {
  const size_t side = 2 * SIDE * SIDE_LINES * sizeof(u64) + SIDE * sizeof(struct hd_exact) + LINE;
  const struct hd_cpu_fold_columns *columns = call->kernel->columns;
  if (call->fold->exact) return side;
  const size_t chunk = at_least(CHUNK_COLUMNS, columns->least) * columns->bytes *
                       (2 + LEAF_SLOTS + call->kernel->chunk / HD_CHUNK_ROWS + HD_GROUPS_SLOTS);
  const size_t less = (size_t)COLUMNS_MOST * columns->bytes * (2 + LEAF_SLOTS);
  return (HD_GROUPS_PIECE + at_least(chunk, less) + 63) & ~(size_t)63;
}

heddle_status hd_cpu_groups_wide(const struct hd_cpu_groups_reduce *call, size_t first, size_t end,
                                 unsigned char *room) {
  const u64 *offsets = call->groups->offsets;
  memset(room, 0, HD_GROUPS_PIECE); /* vectors go beyond the last column */
  for (; first < end; first++) {
    if (offsets[first + 1] > offsets[first])
      HD_TRY(fold_group(call, first, room));
    else
      HD_TRY(hd_cpu_groups_empty(call, first));
  }
  return HEDDLE_OK;
}

/* ---- exact sums ----------------------------------------------------------------------------------- */

static void sum_columns(const struct hd_cpu_groups_reduce *call, size_t begin, size_t n,
                        size_t first, size_t columns, unsigned char *room, char *to) {
  const struct hd_cpu_kernels *kernels = call->groups->ctx->kernels;
  const size_t bytes = call->element_bytes, pitch = columns * bytes;
  hd_cpu_transpose_kernel *transpose = kernels->transpose[hd_top_bit(bytes)];
  unsigned char *x = room + SIDE * SIDE_LINES * sizeof(u64);
  struct hd_exact *sums = (void *)(x + SIDE * SIDE_LINES * sizeof(u64));
  struct hd_exact_guess guess = {0, 0};
  for (size_t c = 0; c < columns; c++) hd_exact_clear(&sums[c], call->exact.span);
  for (size_t m; n; begin += m, n -= m) {
    m = at_most(n, SIDE_LINES);
    gather_lines(call, begin, m, first, columns, pitch, room);
    transpose(room, (i64)pitch, m, columns, x, SIDE_LINES);
    for (size_t c = 0; c < columns; c++)
      hd_cpu_exact_take(&call->exact, &guess, &sums[c], x + c * SIDE_LINES * bytes, NULL, m);
  }
  for (size_t c = 0; c < columns; c++)
    hd_cpu_exact_result(&call->exact, &sums[c], to + c * call->out_bytes);
}

heddle_status hd_cpu_groups_wide_exact(const struct hd_cpu_groups_reduce *call, size_t first,
                                       size_t end, unsigned char *room) {
  const u64 *offsets = call->groups->offsets;
  for (; first < end; first++) {
    const size_t begin = (size_t)offsets[first], n = (size_t)offsets[first + 1] - begin;
    if (!n) HD_TRY(hd_cpu_groups_empty(call, first));
    for (size_t c = 0, columns; n && c < call->width; c += columns) {
      columns = at_most(call->width - c, SIDE);
      sum_columns(call, begin, n, c, columns, room,
                  hd_cpu_groups_out(call, first) + c * call->out_bytes);
    }
  }
  return HEDDLE_OK;
}
