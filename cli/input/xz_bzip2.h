/* xz_bzip2.h - xz and bzip2 unpacked by their libraries, which are found when they are needed
 *
 * Neither is needed to build or to install: where one is missing, the message says what to do. */
#ifndef HEDDLE_CLI_INPUT_XZ_BZIP2_H
#define HEDDLE_CLI_INPUT_XZ_BZIP2_H

#include <stdbool.h>
#include <stddef.h>

#include "report/failure.h"

struct unpacker;

/* `name` stands in front of messages and must stay valid. */
int unpacker_open(bool bzip2, const char *name, struct unpacker **out, struct failure *why);
void unpacker_close(struct unpacker *u); /* NULL is allowed */

struct unpacker_step {
  const unsigned char *from;
  size_t from_bytes; /* there, then left */
  bool last;         /* there are no more behind them */
  unsigned char *to;
  size_t to_bytes; /* room, then what is left of it */
  bool ended;      /* set at the end of the last stream */
};
/* Takes and makes what it can. Where nothing is left to take and `last` is set, it ends or fails. */
int unpacker_go(struct unpacker *u, struct unpacker_step *step, struct failure *why);

#endif
