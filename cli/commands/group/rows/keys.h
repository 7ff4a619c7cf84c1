/* keys.h - texts to ids, counted from 0 as they come; keys of several fields as one text
 *
 * A key of several fields is one text: each field but the last with its length, 4 bytes, in front. */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_KEYS_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct keys {
  size_t count, room;
  size_t *end; /* of each text, in text */
  size_t end_room;
  uint32_t *tag; /* the low half of its hash */
  char *text;
  size_t used, text_room;
  uint64_t *slot; /* a tag and, in the low half, an id and 1; 0: empty */
  size_t slots;   /* a power of two */
  bool filled;    /* some slot is taken */
};

#define KEYS_NONE UINT32_MAX /* no id */

uint64_t keys_hash(const char *text, size_t length);
/* The id of a text with its tag, which is a new one where it did not come before. */
int keys_id(struct keys *k, const char *text, size_t length, uint32_t tag, uint32_t *id,
            struct failure *why);
/* A new id, without a look at those that are there; none of them is found then. */
int keys_append(struct keys *k, const char *text, size_t length, uint32_t tag, uint32_t *id,
                struct failure *why);
/* The id of a text that came before; else KEYS_NONE. */
uint32_t keys_find(const struct keys *k, const char *text, size_t length, uint32_t tag);
/* Has the processor fetch what keys_id of texts with some of the `count` tags that come next will read: slots, then
 * where the texts that are there end, then these. */
void keys_fetch(const struct keys *k, const uint32_t *tags, size_t count);
const char *keys_text(const struct keys *k, uint32_t id, size_t *length);
/* Those with ids from `count` on go; memory stays. */
void keys_cut(struct keys *k, size_t count);
size_t keys_bytes(const struct keys *k);
void keys_free(struct keys *k);

/* The next field of a key that has `left` of them; *at goes behind it. */
const char *key_field(const char **at, const char *end, size_t left, size_t *length);

#endif
