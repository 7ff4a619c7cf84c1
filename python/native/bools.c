/* bools.c - plain loops over lanes of bytes, which compilers make vectors of and which run as fast
 * as a processor reads memory; of large arrays, where a context has many threads, the library's
 * maximum and its sum instead */
#include "bools.h"

#include "axes.h"
#include "fast.h"

#include <string.h>

enum {
  LANES = 64,
  MOST_ROWS = UINT8_MAX,
  LARGE = 4 * 1024 * 1024,
  FEW_THREADS = 4,
  UNASKED = 256 * 1024 * 1024, /* bytes between looks at signals: some 10 ms */
};

/* True bytes of up to MOST_ROWS rows of LANES: a byte counts each lane. */
static uint64_t count_rows(const uint8_t *x, size_t rows) {
  uint8_t lanes[LANES] = {0};
  uint64_t total = 0;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < LANES; i++) lanes[i] = (uint8_t)(lanes[i] + (x[r * LANES + i] != 0));
  for (size_t i = 0; i < LANES; i++) total += lanes[i];
  return total;
}

static uint64_t count_some(const uint8_t *x, size_t count) {
  uint64_t total = 0;
  for (size_t rows; count >= LANES; x += rows * LANES, count -= rows * LANES) {
    rows = count / LANES < MOST_ROWS ? count / LANES : MOST_ROWS;
    total += count_rows(x, rows);
  }
  for (size_t i = 0; i < count; i++) total += x[i] != 0;
  return total;
}

static bool are_numbers(const uint8_t *x, size_t count) {
  uint8_t lanes[LANES] = {0}, any = 0;
  for (; count >= LANES; x += LANES, count -= LANES)
    for (size_t i = 0; i < LANES; i++) lanes[i] |= x[i];
  for (size_t i = 0; i < LANES; i++) any |= lanes[i];
  for (size_t i = 0; i < count; i++) any |= x[i];
  return any <= 1;
}

/* Either loop over all of an array, with a look at signals now and then. */
static heddle_status look(const uint8_t *x, size_t count, uint64_t *total) {
  for (size_t done = 0, n; done < count; done += n) {
    n = count - done < UNASKED ? count - done : UNASKED;
    if (done && heddle_py_poll(NULL)) return HEDDLE_CANCELLED;
    if (total)
      *total += count_some(x + done, n);
    else if (!are_numbers(x + done, n))
      return HEDDLE_BAD_ARGUMENT;
  }
  return HEDDLE_OK;
}

/* Whether the library, whose threads share the work, is faster than one loop that knows bools. */
static bool bools_are_shared(heddle_context *ctx, size_t count) {
  if (count < LARGE) return false;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  return heddle_info(ctx, &info) == HEDDLE_OK && !strncmp(info.device, "cpu", 3) &&
         info.threads > FEW_THREADS;
}

heddle_status bools_are_numbers(heddle_context *ctx, const void *data, size_t count) {
  uint8_t most = 0;
  if (!bools_are_shared(ctx, count)) return look(data, count, NULL);
  const heddle_status status = heddle_reduce(ctx, HEDDLE_MAX, HEDDLE_U8, data, count, &most, NULL);
  return status == HEDDLE_OK && most > 1 ? HEDDLE_BAD_ARGUMENT : status;
}

heddle_status bools_count(heddle_context *ctx, const void *data, size_t count, uint64_t *result) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_status status = HEDDLE_BAD_ARGUMENT;
  options.out_type = HEDDLE_U64;
  *result = 0;
  if (bools_are_shared(ctx, count)) status = bools_are_numbers(ctx, data, count);
  if (status == HEDDLE_OK)
    return heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_U8, data, count, result, &options);
  return status == HEDDLE_BAD_ARGUMENT ? look(data, count, result) : status;
}

/* ---- bools with gaps between them ------------------------------------------------------------------ */

/* The elements from x on of axes [from, count). */
static bool numbers_each(const unsigned char *x, const struct axes *axes, size_t from) {
  const size_t last = axes->count - 1;
  unsigned char any = 0;
  if (from > last) return *x <= 1;
  for (size_t i = 0; from < last && i < axes->n[from]; i++)
    if (!numbers_each(x + (ptrdiff_t)i * axes->stride[from], axes, from + 1)) return false;
  for (size_t i = 0; from == last && i < axes->n[from]; i++)
    any |= x[(ptrdiff_t)i * axes->stride[from]];
  return any <= 1;
}

/* The inner axes in whose span at least one byte in GAPS is an element: with what lies between them, it is read
 * as one. */
static size_t spanned(const struct axes *axes, size_t *span) {
  enum { GAPS = 4 };
  size_t from = axes->count, elements = 1;
  for (*span = 1; from; from--) {
    const size_t n = axes->n[from - 1];
    const size_t more = *span + (n - 1) * (size_t)axes->stride[from - 1];
    if (more > GAPS * elements * n) break;
    *span = more, elements *= n;
  }
  return from;
}

/* Other bytes than 0 and 1 in a gap are not the array's: its own are looked at one by one then. */
heddle_status bools_apart_are_numbers(heddle_context *ctx, const struct lines *l) {
  struct axes all;
  ptrdiff_t first = 0, mask = 0;
  size_t at[HEDDLE_MAX_DIMS] = {0}, span, d;
  all.count = 0;
  for (d = 0; d < l->rows.dims; d++) axes_add(&all, l->shape[d], l->strides[d], 0);
  const struct axes axes = axes_sorted(&all, &first, &mask);
  const size_t from = spanned(&axes, &span);
  const unsigned char *x = (const unsigned char *)l->data + first;
  size_t unasked = 0;
  do {
    heddle_status status = bools_are_numbers(ctx, x, span);
    unasked += span < LANES ? LANES : span;
    if (unasked >= UNASKED && heddle_py_poll(NULL)) return HEDDLE_CANCELLED;
    if (unasked >= UNASKED) unasked = 0;
    if (status == HEDDLE_BAD_ARGUMENT && axes.count && numbers_each(x, &axes, from))
      status = HEDDLE_OK;
    if (status != HEDDLE_OK) return status;
    for (d = from; d-- > 0;) {
      x += axes.stride[d];
      if (++at[d] < axes.n[d]) break;
      x -= (ptrdiff_t)axes.n[d] * axes.stride[d];
      at[d] = 0;
    }
  } while (d != SIZE_MAX);
  return HEDDLE_OK;
}

/* ---- places ----------------------------------------------------------------------------------------
 * A row of neighbours is read by words of eight bytes, and what is long by blocks of words, until there
 * is one that has it: rows of random bools end with their first word. Rows side by side are read by vectors of
 * them until each has it, others byte by byte; one of many bytes that has it not soon is for the library, whose
 * vectors read what is far faster. */

enum { WORD = 8, BLOCK = 64 };
static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);

/* The bits of bytes that are searched, in the order of memory: of the first such byte there is one. */
static inline uint64_t found(uint64_t word, bool zero) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return zero ? (word - EACH_BYTE) & ~word & EACH_BYTE << 7 : word;
}

static inline uint64_t word_at(const unsigned char *p, bool zero) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return found(word, zero);
}

static inline size_t first_of(uint64_t bits) { return (size_t)__builtin_ctzll(bits) / WORD; }

/* Of fewer bytes than a word. */
static inline size_t place_in_few(const unsigned char *p, size_t n, bool zero) {
  for (size_t i = 0; i < n; i++)
    if (!p[i] == zero) return i;
  return 0;
}

static inline size_t place(const unsigned char *p, size_t n, bool zero) {
  size_t i = 0;
  uint64_t bits;
  if (n < WORD) return place_in_few(p, n, zero);
  if ((bits = word_at(p, zero)) != 0) return first_of(bits);
  for (i = WORD; i + BLOCK <= n; i += BLOCK) {
    uint64_t any = 0;
    for (size_t k = 0; k < BLOCK; k += WORD) any |= word_at(p + i + k, zero);
    if (any) break;
  }
  for (; i + WORD <= n; i += WORD)
    if ((bits = word_at(p + i, zero)) != 0) return i + first_of(bits);
  bits = word_at(p + n - WORD, zero);
  return bits ? n - WORD + first_of(bits) : 0;
}

/* Rows of n bytes, `step` apart, which begin `next` bytes apart. */
struct bool_rows {
  size_t rows, n;
  ptrdiff_t next, step;
};

enum { LOOKED_AT = 64 /* lines of rows that are not neighbours' */ };

#define PLACES_LANES 16
#include "bools_tmpl.h"
#define PLACES_LANES 8
#include "bools_tmpl.h"

/* At least eight rows side by side; the last vector may overlap the one before. False: one has it not. */
static inline bool places_beside(const unsigned char *p, const struct bool_rows *b, bool zero,
                                 uint64_t *out) {
  enum { FEW = 8, MANY = 16 };
  size_t r = 0;
  for (; r + MANY <= b->rows; r += MANY)
    if (!places_of_16(p + r, b, zero, out + r)) return false;
  if (b->rows - r >= FEW) {
    if (!places_of_8(p + r, b, zero, out + r)) return false;
    r += FEW;
  }
  return r == b->rows || places_of_8(p + b->rows - FEW, b, zero, out + b->rows - FEW);
}

static inline bool place_apart(const unsigned char *p, const struct bool_rows *b, bool zero,
                               uint64_t *out) {
  const size_t most = b->n < LOOKED_AT ? b->n : LOOKED_AT;
  size_t i = 0;
  while (i < most && !p[(ptrdiff_t)i * b->step] != zero) i++;
  *out = i < most ? i : 0;
  return i < most || most == b->n;
}

static inline bool places_of_run(const unsigned char *p, const struct bool_rows *b, bool zero,
                                 uint64_t *out) {
  enum { FEW = 8 };
  if (b->step == 1 || b->n == 1) {
    for (size_t r = 0; r < b->rows; r++) out[r] = place(p + (ptrdiff_t)r * b->next, b->n, zero);
    return true;
  }
  if (b->next == 1 && b->rows >= FEW) return places_beside(p, b, zero, out);
  for (size_t r = 0; r < b->rows; r++)
    if (!place_apart(p + (ptrdiff_t)r * b->next, b, zero, out + r)) return false;
  return true;
}

bool bools_have_places(heddle_context *ctx, const struct lines *l) {
  return l->a.is_bool && !l->in_pieces && l->rest == 1 && l->shape[l->rows.axis] < UNASKED &&
         !bools_are_shared(ctx, l->a.count);
}

heddle_status bools_places(const struct lines *l, heddle_extreme which, uint64_t *out,
                           bool *found_all) {
  const size_t axis = l->rows.axis, dims = l->rows.dims;
  const size_t last = dims == 1 ? dims : dims - 1 == axis ? dims - 2 : dims - 1;
  const struct bool_rows b = {last < dims ? l->shape[last] : 1, l->shape[axis],
                              last < dims ? l->strides[last] : 0, l->strides[axis]};
  const unsigned char *p = (const unsigned char *)l->data;
  size_t at[HEDDLE_MAX_DIMS + 1] = {0}, unasked = 0;
  for (;;) {
    *found_all =
        which == HEDDLE_ARGMIN ? places_of_run(p, &b, true, out) : places_of_run(p, &b, false, out);
    if (!*found_all) return HEDDLE_OK;
    out += b.rows;
    unasked += b.rows * b.n;
    if (unasked >= UNASKED && heddle_py_poll(NULL)) return HEDDLE_CANCELLED;
    if (unasked >= UNASKED) unasked = 0;
    size_t d = dims;
    while (d-- > 0) {
      if (d == axis || d == last) continue;
      p += l->strides[d];
      if (++at[d] < l->shape[d]) break;
      p -= (ptrdiff_t)l->shape[d] * l->strides[d];
      at[d] = 0;
    }
    if (d == (size_t)-1) return HEDDLE_OK;
  }
}
