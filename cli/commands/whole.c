/* whole.c - whole blocks by the library, and 128-bit integers where 64 would wrap
 *
 * Method  Blocks by the library's verbs, which are exact for min, max, their places and bits; sums
 *         in 128 bits, which 2^63 elements cannot pass; products with a check. i64 and u64 agree on
 *         the bits of what came before u64 was needed, since none of it was negative. */
#include "whole.h"

#include <string.h>

#include "command.h"
#include "fold.h"
#include "text/element.h"

bool whole_is_total(int op) {
  return op == HEDDLE_SUM || op == HEDDLE_PROD || op == HEDDLE_SUM_SQUARES;
}

bool whole_takes(int op) {
  const bool picks = op == HEDDLE_MIN || op == HEDDLE_MAX || fold_is_indexed(op);
  const bool bits = op == HEDDLE_AND || op == HEDDLE_OR || op == HEDDLE_XOR;
  return whole_is_total(op) || picks || bits;
}

void whole_start(struct whole *w, int op) {
  memset(w, 0, sizeof *w);
  w->op = op;
  w->type = HEDDLE_I64;
  w->sum = op == HEDDLE_PROD;
  if (op == HEDDLE_AND) w->bits = UINT64_MAX;
}

static whole_wide widen(heddle_type type, uint64_t bits) {
  return type == HEDDLE_U64 ? (whole_wide)bits : (whole_wide)(int64_t)bits;
}

bool whole_init(heddle_context *ctx, struct whole *w, const char *init, struct failure *why) {
  uint64_t bits;
  const heddle_type type = element_parse(init, HEDDLE_I64, &bits) ? HEDDLE_I64 : HEDDLE_U64;
  if (type == HEDDLE_U64 && !element_parse(init, HEDDLE_U64, &bits)) return false;
  if (whole_is_total(w->op))
    w->sum = widen(type, bits); /* as it is, whatever elements count as */
  else if (whole_add(ctx, w, type, &bits, 1, why) != 0)
    return false;
  w->type = type;
  w->count = 0;
  w->started = true;
  return true;
}

static whole_wide sum_up(heddle_type type, const void *integers, size_t count) {
  const unsigned char *p = integers;
  whole_wide sum = 0;
  for (size_t i = 0; i < count; i++, p += sizeof(uint64_t)) {
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    sum += widen(type, bits);
  }
  return sum;
}

static void multiply(struct whole *w, heddle_type type, const void *integers, size_t count) {
  const unsigned char *p = integers;
  for (size_t i = 0; i < count && !w->over; i++, p += sizeof(uint64_t)) {
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    w->over = __builtin_mul_overflow(w->sum, widen(type, bits), &w->sum) ||
              w->sum > (whole_wide)UINT64_MAX || w->sum < (whole_wide)INT64_MIN;
  }
}

static void add_products(struct whole *w, heddle_type tx, const unsigned char *p, heddle_type ty,
                         const unsigned char *q, size_t count) {
  for (size_t i = 0; i < count; i++, p += sizeof(uint64_t), q += sizeof(uint64_t)) {
    uint64_t a, b;
    whole_wide product;
    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    w->over |= __builtin_mul_overflow(widen(tx, a), widen(ty, b), &product) ||
               __builtin_add_overflow(w->sum, product, &w->sum);
  }
}

/* More elements of a total: sum, product or sum of squares. */
static void accumulate(struct whole *w, heddle_type type, const void *integers, size_t count) {
  if (w->op == HEDDLE_PROD)
    multiply(w, type, integers, count);
  else if (w->op == HEDDLE_SUM_SQUARES)
    add_products(w, type, integers, type, integers, count);
  else
    w->sum += sum_up(type, integers, count);
}

static bool is_better(const struct whole *w, heddle_type type, uint64_t bits) {
  const whole_wide a = widen(type, bits), b = widen(type, w->bits);
  return w->op == HEDDLE_MIN || w->op == OP_ARGMIN ? a < b : a > b;
}

static int fold_block(heddle_context *ctx, struct whole *w, heddle_type type, const void *integers,
                      size_t count, struct failure *why) {
  uint64_t bits = 0, index = 0;
  const bool indexed = fold_is_indexed(w->op);
  const heddle_status status =
      indexed
          ? heddle_argreduce(ctx, fold_extreme(w->op), type, integers, count, &bits, &index, NULL)
          : heddle_reduce(ctx, (heddle_op)w->op, type, integers, count, &bits, NULL);
  if (command_check(status, NULL, why) != 0) return -1;
  if (w->op == HEDDLE_AND) {
    w->bits &= bits;
  } else if (w->op == HEDDLE_OR) {
    w->bits |= bits;
  } else if (w->op == HEDDLE_XOR) {
    w->bits ^= bits;
  } else if (!w->started || is_better(w, type, bits)) {
    w->bits = bits;
    w->index = w->count + index;
  }
  return 0;
}

int whole_add(heddle_context *ctx, struct whole *w, heddle_type type, const void *integers,
              size_t count, struct failure *why) {
  if (count == 0) return 0;
  int status = 0;
  if (whole_is_total(w->op))
    accumulate(w, type, integers, count);
  else
    status = fold_block(ctx, w, type, integers, count, why);
  w->type = type;
  w->started = true;
  w->count += count;
  return status;
}

void whole_add_products(struct whole *w, heddle_type tx, const void *x, heddle_type ty,
                        const void *y, size_t count) {
  add_products(w, tx, x, ty, y, count);
  w->count += count;
}

static size_t decimal(whole_wide value, char text[WHOLE_TEXT]) {
  char digits[WHOLE_TEXT];
  size_t used = 0, at = 0;
  const bool negative = value < 0;
  do {
    const int digit = (int)(value % 10);
    digits[used++] = (char)('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) text[at++] = '-';
  while (used > 0) text[at++] = digits[--used];
  text[at] = '\0';
  return at;
}

bool whole_text(const struct whole *w, char text[WHOLE_TEXT]) {
  const bool wide = whole_is_total(w->op);
  if (!w->over) (void)decimal(wide ? w->sum : widen(w->type, w->bits), text);
  return !w->over;
}

size_t whole_scan(struct whole *w, heddle_type type, const void *integers, size_t count,
                  bool exclusive, struct sink *out) {
  const unsigned char *p = integers;
  char text[WHOLE_TEXT + 1];
  w->type = type;
  for (size_t i = 0; i < count; i++, p += sizeof(uint64_t)) {
    uint64_t bits;
    memcpy(&bits, p, sizeof bits);
    const whole_wide before = w->sum, element = widen(type, bits);
    if (whole_is_total(w->op))
      accumulate(w, type, p, 1);
    else if (!w->started || (w->op == HEDDLE_MIN ? element < w->sum : element > w->sum))
      w->sum = element;
    w->started = true;
    if (w->over) return i;
    const size_t length = decimal(exclusive ? before : w->sum, text);
    text[length] = '\n';
    sink_write(out, text, length + 1);
  }
  return count;
}

bool whole_fits(struct whole *w, heddle_type type, const void *integers, size_t count, size_t *at) {
  const unsigned char *p = integers;
  const whole_wide least = type == HEDDLE_U64 ? 0 : INT64_MIN;
  const whole_wide most = type == HEDDLE_U64 ? (whole_wide)UINT64_MAX : INT64_MAX;
  for (*at = 0; *at < count; *at += 1, p += sizeof(uint64_t)) {
    accumulate(w, type, p, 1);
    if (w->over || w->sum < least || w->sum > most) return false;
  }
  w->count += count;
  return true;
}
