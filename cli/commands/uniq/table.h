/* table.h - distinct keys in memory, each with the first line that has it and how many have it */
#ifndef HEDDLE_CLI_COMMANDS_UNIQ_TABLE_H
#define HEDDLE_CLI_COMMANDS_UNIQ_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

/* A line, in which its key stands, or behind which it stands. */
struct line_entry {
  size_t text;                                   /* where it begins, in the table's text */
  uint32_t line_bytes, key_at, key_bytes, bytes; /* bytes: of all of it */
  uint64_t count, place;                         /* how many there are; of the first of them */
};

struct line_table {
  struct line_entry *entries;
  size_t count, room;
  char *text;
  size_t used, text_room;
  uint64_t *
      slot; /* a tag and, in the low half, an entry's index and one; 0: free, as half of them are */
  size_t slots;     /* a power of two */
  uint32_t *order;  /* of line_table_order */
  uint64_t *prefix; /* of the keys, in that order */
};

/* A line to be counted; its key, which may stand in it. */
struct counted_line {
  const char *line, *key;
  size_t line_bytes, key_bytes;
  uint32_t tag;   /* line_table_tag of its key */
  uint64_t place; /* of equal keys the line of the lowest one stays */
};

uint32_t line_table_tag(const char *key, size_t bytes);
/* Which of `count` tables has the key's lines; the lower bits of a tag say where they are in it. */
static inline size_t line_table_of(uint32_t tag, size_t count) {
  return (size_t)((uint64_t)tag * count >> 32);
}
/* Have the processor fetch what line_table_add of a key with this tag will read: its slot; what it leads to. */
void line_table_fetch_slot(const struct line_table *t, uint32_t tag);
void line_table_fetch_entry(const struct line_table *t, uint32_t tag);
void line_table_fetch_text(const struct line_table *t, uint32_t tag);

/* Counts the line. full: it was not counted, since the table would take more than `memory` bytes. */
int line_table_add(struct line_table *t, const struct counted_line *line, size_t memory, bool *full,
                   struct failure *why);
/* Fills t->order: entries by their keys' bytes. */
int line_table_order(struct line_table *t, heddle_context *ctx, struct failure *why);
/* Entry i of that order, and the next ones on their way into the cache. */
const struct line_entry *line_table_ordered(const struct line_table *t, size_t i);
void line_table_clear(struct line_table *t); /* memory stays */
void line_table_free(struct line_table *t);

/* The first eight bytes of a key as a number that rises with them. */
uint64_t key_prefix(const char *key, size_t bytes);
int key_compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

#endif
