/* keys.h - texts to ids, counted from 0 as they come; and the order of texts */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_KEYS_H
#define HEDDLE_CLI_COMMANDS_GROUP_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct keys {
  size_t count, room;
  size_t *end; /* of each text, in text */
  char *text;
  size_t used, text_room;
  uint32_t *slot; /* an id and 1; 0: empty */
  size_t slots;   /* a power of two */
};

/* The id of a text, which is a new one where it did not come before. */
int keys_id(struct keys *k, const char *text, size_t length, uint32_t *id, struct failure *why);
const char *keys_text(const struct keys *k, uint32_t id, size_t *length);
/* order[r] = the id of the text that comes r-th: by number if all are numbers, else by bytes. */
int keys_order(const struct keys *k, uint32_t *order, struct failure *why);
void keys_free(struct keys *k);

#endif
