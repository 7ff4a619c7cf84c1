/* spill.h - rows that memory does not hold, in temporary files by their keys' hashes */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_SPILL_H
#define HEDDLE_CLI_COMMANDS_GROUP_SPILL_H

#include "commands/group/rows/asked.h"
#include "commands/group/rows/batch.h"
#include "commands/sort/runs.h"

enum { SPILL_BITS = 4, SPILL_PARTS = 1 << SPILL_BITS, SPILL_LEVELS = 64 / SPILL_BITS };

struct spill {
  const struct asked *q;
  bool open;
  struct spill_part {
    struct runs runs; /* one, once something is in it */
    struct run_writer writer;
    bool writing;
  } part[SPILL_PARTS];
  unsigned char *row;
  size_t room;
};

/* A row on its way: a key, of each column a value of its type, or a text. */
struct spill_row {
  const char *key;
  size_t key_bytes;
  uint64_t hash;
  heddle_type type[INPUT_MAX_COLUMNS];
  uint64_t value[INPUT_MAX_COLUMNS];
  const char *text[INPUT_MAX_COLUMNS];
  size_t text_bytes[INPUT_MAX_COLUMNS];
};

void spill_start(struct spill *s, const struct asked *q);
/* level: which bits of the hash say where it goes. */
int spill_write(struct spill *s, unsigned level, const struct spill_row *row, struct failure *why);
/* What is in buffers goes to disk. */
int spill_end(struct spill *s, struct failure *why);
/* All rows of a part to take(user, batch), batch by batch, and the part is closed. Columns have the types of
 * `types`. */
typedef int spill_take(void *user, struct batch *b, struct failure *why);
int spill_read(struct spill *s, size_t part, const heddle_type *types, spill_take *take, void *user,
               struct failure *why);
void spill_free(struct spill *s);

#endif
