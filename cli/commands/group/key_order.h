/* key_order.h - the order of keys: field by field, by number where all of that field are such, then by bytes */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_KEY_ORDER_H
#define HEDDLE_CLI_COMMANDS_GROUP_KEY_ORDER_H

#include "commands/group/rows/asked.h"
#include "commands/group/rows/keys.h"

struct key_order {
  size_t keys;
  bool numbers[INPUT_MAX_COLUMNS];
};
int key_order_compare(const struct key_order *o, const char *a, size_t a_bytes, const char *b,
                      size_t b_bytes);
/* Rises with keys, as far as eight bytes do. */
uint64_t key_order_prefix(const struct key_order *o, const char *key, size_t bytes);
/* ids[r]: the key that comes r-th of all. */
int key_order_ids(const struct key_order *o, heddle_context *ctx, const struct keys *keys,
                  uint32_t *ids, struct failure *why);

#endif
