/* text_pool.h - text that is read, cut and parsed by several threads, handed on in order
 *
 * Result   Blocks that parse without a word come as rows; all others as bytes, which the reader of one thread
 *          then reads by itself: what it says about them is what it says without a pool.
 * Memory   Two blocks a thread, of text_block_bytes each and of the rows in them: 9 bytes of rows a byte of
 *          text at most. */
#ifndef HEDDLE_CLI_INPUT_TEXT_POOL_H
#define HEDDLE_CLI_INPUT_TEXT_POOL_H

#include "input/stream.h"
#include "text_block.h"
#include "text_filter.h"

struct text_pool;

struct text_pool_spec {
  struct stream *stream;            /* the pool's alone until it is stopped */
  const struct text_block *model;   /* columns, types, delimiter; whether lines are kept */
  const struct text_filter *filter; /* NULL: none */
  const char *carry;                /* what was read before, and belongs in front */
  size_t carry_bytes, threads;      /* 2 at least, the caller's own counted */
  bool finds, lone_cr, skip_bad;
};

/* A block in its turn. */
struct text_slot {
  struct text_block block;
  bool clean;                /* block has its rows; else only bytes are there */
  struct found_state before; /* of its columns, as was assumed */
  uint64_t lines, bad;
  uint64_t done, total; /* of stream_progress */
};

/* NULL without memory or threads: then nothing was taken from the stream. */
struct text_pool *text_pool_start(const struct text_pool_spec *spec);
/* NULL is allowed. `for_good`: the stream is not read again, and a read that waits for a pipe is given up;
 * else it is waited for, and what was read is in the stream's copy for a second pass. */
void text_pool_stop(struct text_pool *pool, bool for_good);

/* The next block, valid until text_pool_pass or the last byte of it is fed; *out NULL at the end. The caller
 * parses as well while it waits. Columns are as `state` says in front of it, NULL if nothing is found out. */
int text_pool_next(struct text_pool *pool, const struct found_state *state, struct text_slot **out,
                   struct failure *why);
/* Its rows are not needed any more. */
void text_pool_pass(struct text_pool *pool);
/* Bytes of the next block, up to its end; *ended with the last ones of the text. */
int text_pool_feed(struct text_pool *pool, char *buffer, size_t capacity, size_t *got, bool *ended,
                   struct failure *why);
/* Whether the next byte is the first of a block. */
bool text_pool_is_between(const struct text_pool *pool);

#endif
