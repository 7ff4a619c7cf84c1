/* order.c - bits flipped so that they rise with the value
 *
 * Method  An integer's key is its bits, the sign flipped. A float's: of negative numbers all bits are
 *         flipped, of others the sign; an addition modulo 2^bits moves the NaN of one sign to those of the
 *         other. For the reverse all bits are flipped before that addition, so that NaN stay last. */
#include "order.h"

#include <math.h>
#include <string.h>

#include "text/types.h"

static uint64_t low_bits(unsigned bits) { return UINT64_MAX >> (64 - bits); }

static uint64_t infinity_of(heddle_type type) {
  const double infinity = INFINITY;
  unsigned char raw[8] = {0};
  uint64_t bits = 0;
  if (heddle_convert(HEDDLE_F64, &infinity, type, raw, 1) != HEDDLE_OK) return 0;
  const size_t size = heddle_type_size(type);
  for (size_t i = 0; i < size; i++)
    bits |= (uint64_t)raw[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i] << 8 * i;
  return bits;
}

struct sort_order sort_order_of(heddle_type type, bool reverse) {
  struct sort_order o = {.type = type, .is_float = type_is_float(type)};
  o.bits = (unsigned)(8 * heddle_type_size(type));
  const uint64_t sign = (uint64_t)1 << (o.bits - 1);
  o.flip = reverse ? low_bits(o.bits) : 0;
  if (type_is_signed(type)) o.flip ^= sign;
  if (!o.is_float) return o;
  const uint64_t nans = sign - 1 - infinity_of(type); /* of one sign */
  o.turn = 0 - nans;
  o.zero = sign - 1 - nans; /* the middle, which both directions share */
  o.nan = low_bits(o.bits) - 2 * nans + 1;
  return o;
}

static void widen(const void *elements, unsigned bits, size_t n, uint64_t *raw) {
  const unsigned char *const from = elements;
  if (bits == 8)
    for (size_t i = 0; i < n; i++) raw[i] = from[i];
  for (size_t i = 0; bits == 16 && i < n; i++) {
    uint16_t x;
    memcpy(&x, from + 2 * i, sizeof x);
    raw[i] = x;
  }
  for (size_t i = 0; bits == 32 && i < n; i++) {
    uint32_t x;
    memcpy(&x, from + 4 * i, sizeof x);
    raw[i] = x;
  }
  if (bits == 64 && n > 0) memmove(raw, from, n * sizeof *raw);
}

void sort_keys(const struct sort_order *order, const void *elements, size_t n, uint64_t *keys) {
  const uint64_t all = low_bits(order->bits), sign = (uint64_t)1 << (order->bits - 1);
  const uint64_t flip = order->flip, turn = order->turn;
  const unsigned top = order->bits - 1;
  widen(elements, order->bits, n, keys);
  if (!order->is_float) {
    for (size_t i = 0; i < n; i++) keys[i] ^= flip;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const uint64_t negative = 0 - (keys[i] >> top);
    keys[i] = ((keys[i] ^ ((negative | sign) & all) ^ flip) + turn) & all;
  }
}

static uint64_t element_of(const struct sort_order *order, uint64_t key) {
  if (!order->is_float) return key ^ order->flip;
  const uint64_t all = low_bits(order->bits), sign = (uint64_t)1 << (order->bits - 1);
  key = ((key - order->turn) & all) ^ order->flip;
  return key ^ ((key & sign) != 0 ? sign : all);
}

void sort_elements_of(const struct sort_order *order, const uint64_t *keys, size_t n,
                      void *elements) {
  unsigned char *const to = elements;
  const unsigned bits = order->bits;
  for (size_t i = 0; bits == 8 && i < n; i++) to[i] = (unsigned char)element_of(order, keys[i]);
  for (size_t i = 0; bits == 16 && i < n; i++) {
    const uint16_t x = (uint16_t)element_of(order, keys[i]);
    memcpy(to + 2 * i, &x, sizeof x);
  }
  for (size_t i = 0; bits == 32 && i < n; i++) {
    const uint32_t x = (uint32_t)element_of(order, keys[i]);
    memcpy(to + 4 * i, &x, sizeof x);
  }
  for (size_t i = 0; bits == 64 && i < n; i++) {
    const uint64_t x = element_of(order, keys[i]);
    memcpy(to + 8 * i, &x, sizeof x);
  }
}

/* ---- the first of each --------------------------------------------------------------------- */

static bool is_first(const struct sort_order *order, struct sort_first *first, uint64_t key) {
  const uint64_t tied = sort_tied(order, key);
  const bool is = !first->any || tied != first->last;
  first->any = true;
  first->last = tied;
  return is;
}

static size_t first_positions(const struct sort_order *order, struct sort_first *first,
                              uint64_t *keys, uint64_t *positions, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    const bool is = is_first(order, first, keys[i]);
    keys[kept] = keys[i];
    positions[kept] = positions[i];
    kept += is;
  }
  return kept;
}

size_t sort_first_of_each(const struct sort_order *order, struct sort_first *first, void *elements,
                          uint64_t *positions, size_t n) {
  enum { BLOCK = 512 };
  uint64_t keys[BLOCK];
  const size_t size = order->bits / 8;
  unsigned char *const all = elements;
  size_t kept = 0;
  if (positions) return first_positions(order, first, elements, positions, n);
  for (size_t i = 0, m; i < n; i += m) {
    size_t some = 0;
    m = n - i < BLOCK ? n - i : BLOCK;
    sort_keys(order, all + i * size, m, keys);
    for (size_t k = 0; k < m; k++) {
      const bool is = is_first(order, first, keys[k]);
      keys[some] = keys[k];
      some += is;
    }
    sort_elements_of(order, keys, some, all + kept * size);
    kept += some;
  }
  return kept;
}
