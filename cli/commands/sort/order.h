/* order.h - elements as unsigned keys that rise in the order of the sort
 *
 * One key an element, u64 for every type: what is merged, filtered and compared knows no types. The order
 * is that of heddle_sort: -0.0 before +0.0, all NaN last with those of positive sign first. */
#ifndef HEDDLE_CLI_COMMANDS_SORT_ORDER_H
#define HEDDLE_CLI_COMMANDS_SORT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"

struct sort_order {
  heddle_type type;
  unsigned bits;
  bool is_float;
  uint64_t flip, turn; /* as order.c has them */
  uint64_t zero, nan;  /* floats: the lesser key of a zero, the least of a NaN */
};

struct sort_order sort_order_of(heddle_type type, bool reverse);
/* The keys of n elements, and back; both arrays may begin at one place if elements have 8 bytes. */
void sort_keys(const struct sort_order *order, const void *elements, size_t n, uint64_t *keys);
void sort_elements_of(const struct sort_order *order, const uint64_t *keys, size_t n,
                      void *elements);
/* Of elements that compare as equal one key: zeros of both signs, all NaN. */
static inline uint64_t sort_tied(const struct sort_order *order, uint64_t key) {
  if (!order->is_float) return key;
  if (key >= order->nan) return order->nan;
  return key - order->zero <= 1 ? order->zero : key;
}

/* What came before, from one call to the next; {0} at the start. */
struct sort_first {
  bool any;
  uint64_t last;
};
/* Of n sorted elements, or of keys with their positions, the first of each that are equal; returns how
 * many there are. */
size_t sort_first_of_each(const struct sort_order *order, struct sort_first *first, void *elements,
                          uint64_t *positions, size_t n);

#endif
