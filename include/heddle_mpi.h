/* heddle_mpi.h - one array over the ranks of an MPI communicator
 *
 * Every rank holds `count` elements of one array, in the order of the ranks; a rank may hold none. Each
 * call below is heddle.h's of the same name on the whole array: it has its bits, on every rank, however
 * many ranks there are and wherever they cut. Only states travel, mostly less than a KiB each.
 *
 * Use       #include <heddle_mpi.h> in C or C++ and compile with your own MPI: these are inline
 *           functions over its C interface (MPI 2 or later) and over heddle.h. Link to libheddle.
 * Calls     are collective: all ranks of comm, with the same operator, types, options and bins.
 *           options->start has to be 0. Arrays are those of heddle.h: a rank's context may be on a GPU,
 *           and ranks may use different devices. Point-to-point messages have HEDDLE_MPI_TAG
 * Errors    A status other than HEDDLE_OK on one rank is returned by all of them: that of the lowest
 *           rank that failed. heddle_mpi_message() tells which and why; results are undefined then, on
 *           every rank. A failure of MPI itself, on a communicator that returns its errors, is
 *           HEDDLE_DEVICE_ERROR on the ranks that meet it
 * Cost      the plain call on count elements, and about 4 log2(ranks) messages one after the other
 * Threads   as of comm: one collective call on it at a time
 *
 * Longer than 400 lines because whoever takes it takes one file. */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef HEDDLE_MPI_TAG
#define HEDDLE_MPI_TAG 18500
#endif

/* A message is cut into pieces of so many bytes: most states are one, and whoever lacks the memory for one
 * can still receive it. */
#ifndef HEDDLE_MPI_PIECE
#define HEDDLE_MPI_PIECE 32768
#endif
enum { HEDDLE_MPI_TEXT = 1024 };

static inline char *hd_mpi_text(void) {
  static char text[HEDDLE_MPI_TEXT];
  return text;
}

/* Of the last failing call from this source file: the rank that failed, what, where, why and what to do. */
static inline const char *heddle_mpi_message(void) { return hd_mpi_text(); }

/* ---- statuses that all ranks share ------------------------------------------------------- */

static inline heddle_status hd_mpi_fail(heddle_status status, const char *why) {
  char *text = hd_mpi_text();
  if (why != text) (void)snprintf(text, HEDDLE_MPI_TEXT, "%s", why);
  return status;
}

/* status of a call of the library, whose message is kept. */
static inline heddle_status hd_mpi_check(heddle_status status) {
  return status == HEDDLE_OK ? status : hd_mpi_fail(status, heddle_message());
}

static inline heddle_status hd_mpi_did(int code) {
  char why[MPI_MAX_ERROR_STRING + 16] = "MPI: ";
  int length = 0;
  if (code == MPI_SUCCESS) return HEDDLE_OK;
  if (MPI_Error_string(code, why + 5, &length) != MPI_SUCCESS) length = 0;
  why[5 + length] = '\0';
  return hd_mpi_fail(HEDDLE_DEVICE_ERROR, why);
}

/* The status of the lowest rank that failed, and its message, on all ranks. */
static inline heddle_status hd_mpi_agree(MPI_Comm comm, heddle_status mine) {
  struct {
    int ranks_after, status; /* of the lowest rank that failed; 0: none did */
  } said, all;
  char text[HEDDLE_MPI_TEXT], *kept = hd_mpi_text();
  int rank = 0, ranks = 0;
  heddle_status done = hd_mpi_did(MPI_Comm_rank(comm, &rank));
  if (done == HEDDLE_OK) done = hd_mpi_did(MPI_Comm_size(comm, &ranks));
  if (done != HEDDLE_OK) return done;
  said.ranks_after = mine == HEDDLE_OK ? 0 : ranks - rank;
  said.status = (int)mine;
  done = hd_mpi_did(MPI_Allreduce(&said, &all, 1, MPI_2INT, MPI_MAXLOC, comm));
  if (done != HEDDLE_OK || all.ranks_after == 0) return done;
  (void)snprintf(text, sizeof text, "rank %d: %.*s", rank, HEDDLE_MPI_TEXT - 32, kept);
  done = hd_mpi_did(MPI_Bcast(text, HEDDLE_MPI_TEXT, MPI_CHAR, ranks - all.ranks_after, comm));
  return done == HEDDLE_OK ? hd_mpi_fail((heddle_status)all.status, text) : done;
}

/* ---- states as messages ------------------------------------------------------------------ */

/* Bytes of a state; none: its rank failed, and says so by hd_mpi_agree. */
struct hd_mpi_bytes {
  unsigned char *data;
  unsigned long long size;
};

static inline heddle_status hd_mpi_room(struct hd_mpi_bytes *b, unsigned long long size) {
  b->data = NULL;
  b->size = size;
  if (size == 0) return HEDDLE_OK;
  if (size <= (size_t)-1) b->data = (unsigned char *)malloc((size_t)size);
  return b->data ? HEDDLE_OK
                 : hd_mpi_fail(HEDDLE_OUT_OF_MEMORY, "no memory for the bytes of a state");
}

static inline heddle_status hd_mpi_save(heddle_state *state, struct hd_mpi_bytes *b) {
  size_t size = 0;
  b->data = NULL;
  b->size = 0;
  if (!state) return HEDDLE_OK;
  heddle_status status = heddle_state_save(state, NULL, &size);
  if (size == 0) return hd_mpi_check(status);
  status = hd_mpi_room(b, size);
  if (status == HEDDLE_OK) status = hd_mpi_check(heddle_state_save(state, b->data, &size));
  if (status == HEDDLE_OK) return status;
  free(b->data);
  b->data = NULL;
  b->size = 0;
  return status;
}

static inline int hd_mpi_piece(const struct hd_mpi_bytes *b, unsigned long long at) {
  return at >= b->size                     ? 0
         : b->size - at < HEDDLE_MPI_PIECE ? (int)(b->size - at)
                                           : HEDDLE_MPI_PIECE;
}

/* Sends `sent` to a rank while the bytes from another come, either of which may be MPI_PROC_NULL. What
 * there is no memory for is received all the same, so that nobody waits; got->size is 0 then. */
static inline heddle_status hd_mpi_exchange(MPI_Comm comm, const struct hd_mpi_bytes *sent, int to,
                                            struct hd_mpi_bytes *got, int from) {
  unsigned char lost[HEDDLE_MPI_PIECE];
  unsigned long long size = 0, at;
  heddle_status status, room;
  status = hd_mpi_did(MPI_Sendrecv(&sent->size, 1, MPI_UNSIGNED_LONG_LONG, to, HEDDLE_MPI_TAG,
                                   &size, 1, MPI_UNSIGNED_LONG_LONG, from, HEDDLE_MPI_TAG, comm,
                                   MPI_STATUS_IGNORE));
  room = hd_mpi_room(got, from == MPI_PROC_NULL ? 0 : size);
  for (at = 0; status == HEDDLE_OK && (at < sent->size || at < got->size); at += HEDDLE_MPI_PIECE) {
    const int out = hd_mpi_piece(sent, at), in = hd_mpi_piece(got, at);
    status = hd_mpi_did(
        MPI_Sendrecv(out ? sent->data + at : lost, out, MPI_BYTE, out ? to : MPI_PROC_NULL,
                     HEDDLE_MPI_TAG, in && got->data ? got->data + at : lost, in, MPI_BYTE,
                     in ? from : MPI_PROC_NULL, HEDDLE_MPI_TAG, comm, MPI_STATUS_IGNORE));
  }
  if (status == HEDDLE_OK) status = room;
  if (status != HEDDLE_OK) {
    free(got->data);
    got->data = NULL;
    got->size = 0;
  }
  return status;
}

/* *into = left merged with what it was; NULL: left itself. Both are gone if that fails. */
static inline heddle_status hd_mpi_prepend(heddle_context *ctx, const struct hd_mpi_bytes *left,
                                           const heddle_options *options, heddle_state **into) {
  heddle_state *both = NULL;
  heddle_status status =
      hd_mpi_check(heddle_state_load(ctx, left->data, (size_t)left->size, options, &both));
  if (status == HEDDLE_OK && *into) status = hd_mpi_check(heddle_state_merge(both, *into));
  if (status != HEDDLE_OK) {
    heddle_state_free(both);
    both = NULL;
  }
  heddle_state_free(*into);
  *into = both;
  return status;
}

static inline heddle_status hd_mpi_append(heddle_context *ctx, heddle_state *into,
                                          const struct hd_mpi_bytes *right,
                                          const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_status status =
      hd_mpi_check(heddle_state_load(ctx, right->data, (size_t)right->size, options, &state));
  if (status == HEDDLE_OK) status = hd_mpi_check(heddle_state_merge(into, state));
  heddle_state_free(state);
  return status;
}

/* The state of all ranks on rank 0, by a binary tree of neighbours: in turn i the ranks r, r + 2^i, of
 * which each stands for 2^i ranks. (All states to all ranks would be ranks^2 of them, and on every rank as many
 * merges.) *state is NULL where a rank below it in the tree failed. */
static inline heddle_status hd_mpi_gather(MPI_Comm comm, heddle_context *ctx,
                                          const heddle_options *options, heddle_state **state) {
  struct hd_mpi_bytes mine, other, none = {NULL, 0};
  heddle_status status = HEDDLE_OK;
  int rank = 0, ranks = 0, step;
  status = hd_mpi_did(MPI_Comm_rank(comm, &rank));
  if (status == HEDDLE_OK) status = hd_mpi_did(MPI_Comm_size(comm, &ranks));
  if (status != HEDDLE_OK) return status;
  for (step = 1; step < ranks && !(rank & step); step *= 2) {
    if (rank + step >= ranks) continue;
    heddle_status done = hd_mpi_exchange(comm, &none, MPI_PROC_NULL, &other, rank + step);
    if (done == HEDDLE_OK && *state && other.size)
      done = hd_mpi_append(ctx, *state, &other, options);
    if (status == HEDDLE_OK) status = done;
    if (!other.size || done != HEDDLE_OK) {
      heddle_state_free(*state);
      *state = NULL;
    }
    free(other.data);
  }
  if (step >= ranks) return status;
  heddle_status saved = hd_mpi_save(*state, &mine);
  if (status == HEDDLE_OK) status = saved;
  saved = hd_mpi_exchange(comm, &mine, rank - step, &other, MPI_PROC_NULL);
  free(mine.data);
  return status == HEDDLE_OK ? saved : status;
}

/* The bytes of rank 0 on every rank. */
static inline heddle_status hd_mpi_broadcast(MPI_Comm comm, int rank, struct hd_mpi_bytes *b) {
  unsigned char lost[HEDDLE_MPI_PIECE];
  unsigned long long at;
  heddle_status room = HEDDLE_OK;
  heddle_status status = hd_mpi_did(MPI_Bcast(&b->size, 1, MPI_UNSIGNED_LONG_LONG, 0, comm));
  if (status == HEDDLE_OK && rank) room = hd_mpi_room(b, b->size);
  for (at = 0; status == HEDDLE_OK && at < b->size; at += HEDDLE_MPI_PIECE)
    status = hd_mpi_did(
        MPI_Bcast(b->data ? b->data + at : lost, hd_mpi_piece(b, at), MPI_BYTE, 0, comm));
  return status == HEDDLE_OK ? room : status;
}

/* ---- pieces ------------------------------------------------------------------------------ */

static inline heddle_status hd_mpi_place(MPI_Comm comm, uint64_t count, uint64_t *start) {
  /* by halves of 32 bits, whose sums over any number of ranks have no carry to lose */
  unsigned long long half[2], before[2] = {0, 0}, high;
  heddle_status status;
  half[0] = count & 0xFFFFFFFFu;
  half[1] = count >> 32;
  *start = 0;
  status = hd_mpi_did(MPI_Exscan(half, before, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm));
  if (status != HEDDLE_OK) return status;
  high = before[1] + (before[0] >> 32);
  *start = (uint64_t)high << 32 | (before[0] & 0xFFFFFFFFu);
  if (high >> 32 == 0 && *start + count >= count) return HEDDLE_OK;
  return hd_mpi_fail(
      HEDDLE_BAD_ARGUMENT,
      "count: the elements up to this rank's are more than 2^64 - 1; is it negative?");
}

/* heddle_mpi_start - where this rank's elements begin in the whole array
 *
 * Result    *start = how many the ranks before have: options->start of its state
 * Errors    HEDDLE_BAD_ARGUMENT: 2^64 elements or more */
static inline heddle_status heddle_mpi_start(MPI_Comm comm, uint64_t count, uint64_t *start) {
  return hd_mpi_agree(comm, hd_mpi_place(comm, count, start));
}

/* heddle_mpi_merge, of a rank whose message is kept already. */
static inline heddle_status hd_mpi_merge(MPI_Comm comm, heddle_context *ctx, heddle_status status,
                                         const heddle_options *options, heddle_state **state) {
  struct hd_mpi_bytes bytes = {NULL, 0};
  int rank = 0;
  heddle_status done = hd_mpi_did(MPI_Comm_rank(comm, &rank));
  if (status != HEDDLE_OK) {
    heddle_state_free(*state);
    *state = NULL;
  }
  if (done == HEDDLE_OK) done = hd_mpi_gather(comm, ctx, options, state);
  if (status == HEDDLE_OK) status = done;
  if (status == HEDDLE_OK && rank == 0) status = hd_mpi_save(*state, &bytes);
  heddle_state_free(*state);
  *state = NULL;
  status = hd_mpi_agree(comm, status);
  if (status == HEDDLE_OK) {
    status = hd_mpi_broadcast(comm, rank, &bytes);
    if (status == HEDDLE_OK) status = hd_mpi_prepend(ctx, &bytes, options, state);
    status = hd_mpi_agree(comm, status);
  }
  free(bytes.data);
  if (status == HEDDLE_OK) return status;
  heddle_state_free(*state);
  *state = NULL;
  return status;
}

/* heddle_mpi_merge - the state of the whole array, of the states of its pieces
 *
 * Result    *state, on every rank, stands for all elements: its finish has the result of the whole array.
 *           The state that was given is gone; after an error *state is NULL
 * Arguments local    HEDDLE_OK, or the status with which this rank has failed before: *state may be NULL then
 *           why      that failure's message; NULL: heddle_message()
 *           options  NULL, or those with the custom operator, as heddle_state_load takes them
 *           state    begun with the options->start of heddle_mpi_start, if its verb has one */
static inline heddle_status heddle_mpi_merge(MPI_Comm comm, heddle_context *ctx,
                                             heddle_status local, const char *why,
                                             const heddle_options *options, heddle_state **state) {
  if (local != HEDDLE_OK && why)
    (void)hd_mpi_fail(local, why);
  else
    local = hd_mpi_check(local);
  return hd_mpi_merge(comm, ctx, local, options, state);
}

/* ---- the calls of heddle.h --------------------------------------------------------------- */

/* The options of a rank's piece. */
static inline heddle_status hd_mpi_options(MPI_Comm comm, const heddle_options *given, size_t count,
                                           heddle_options *out) {
  const heddle_options standard = HEDDLE_OPTIONS_INIT;
  heddle_status status;
  uint64_t start = 0;
  *out = standard;
  if (given) memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
  out->size = sizeof *out;
  status = hd_mpi_place(comm, count, &start);
  if (status == HEDDLE_OK && out->start != 0)
    status =
        hd_mpi_fail(HEDDLE_BAD_ARGUMENT, "options->start: leave it 0, the ranks' counts say it");
  out->start = start;
  return status;
}

/* heddle_mpi_reduce - heddle_reduce of the whole array */
static inline heddle_status heddle_mpi_reduce(MPI_Comm comm, heddle_context *ctx, heddle_op op,
                                              heddle_type type, const void *in, size_t count,
                                              void *out, const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_mpi_options(comm, options, count, &piece);
  if (status == HEDDLE_OK)
    status = hd_mpi_check(heddle_reduce_begin(ctx, op, type, &piece, &state));
  if (status == HEDDLE_OK && count) status = hd_mpi_check(heddle_reduce_update(state, in, count));
  status = hd_mpi_merge(comm, ctx, status, options, &state);
  if (status != HEDDLE_OK) return status;
  status = hd_mpi_check(heddle_reduce_finish(state, out));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* heddle_mpi_argreduce - heddle_argreduce of the whole array, *index counting from rank 0's first element */
static inline heddle_status heddle_mpi_argreduce(MPI_Comm comm, heddle_context *ctx,
                                                 heddle_extreme which, heddle_type type,
                                                 const void *in, size_t count, void *value,
                                                 uint64_t *index, const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_mpi_options(comm, options, count, &piece);
  if (status == HEDDLE_OK)
    status = hd_mpi_check(heddle_argreduce_begin(ctx, which, type, &piece, &state));
  if (status == HEDDLE_OK && count)
    status = hd_mpi_check(heddle_argreduce_update(state, in, count));
  status = hd_mpi_merge(comm, ctx, status, options, &state);
  if (status != HEDDLE_OK) return status;
  status = hd_mpi_check(heddle_argreduce_finish(state, value, index));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* heddle_mpi_dot - heddle_dot of two arrays that are cut alike */
static inline heddle_status heddle_mpi_dot(MPI_Comm comm, heddle_context *ctx, heddle_type type,
                                           const void *x, const void *y, size_t count, void *out,
                                           const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_mpi_options(comm, options, count, &piece);
  if (status == HEDDLE_OK) status = hd_mpi_check(heddle_dot_begin(ctx, type, &piece, &state));
  if (status == HEDDLE_OK && count) status = hd_mpi_check(heddle_dot_update(state, x, y, count));
  status = hd_mpi_merge(comm, ctx, status, options, &state);
  if (status != HEDDLE_OK) return status;
  status = hd_mpi_check(heddle_dot_finish(state, out));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* heddle_mpi_describe - heddle_describe of the whole array */
static inline heddle_status heddle_mpi_describe(MPI_Comm comm, heddle_context *ctx,
                                                heddle_type type, const void *in, size_t count,
                                                heddle_description *out,
                                                const heddle_options *options) {
  heddle_state *state = NULL;
  heddle_options piece;
  heddle_status status = hd_mpi_options(comm, options, count, &piece);
  if (status == HEDDLE_OK) status = hd_mpi_check(heddle_describe_begin(ctx, type, &piece, &state));
  if (status == HEDDLE_OK && count) status = hd_mpi_check(heddle_describe_update(state, in, count));
  status = hd_mpi_merge(comm, ctx, status, options, &state);
  if (status != HEDDLE_OK) return status;
  status = hd_mpi_check(heddle_describe_finish(state, out));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* heddle_mpi_histogram - heddle_histogram of the whole array
 *
 * Arguments weights  NULL, or one weight an element, of options->weights_type; options->weights is not read
 *           counts, result, options->sums  as heddle_histogram, on every rank
 *           count    a multiple of channels on every rank
 * Errors    as heddle_histogram_begin: bins->auto_range and HEDDLE_FIND_EXPONENT need all elements first
 *           (heddle_mpi_describe finds the extremes) */
static inline heddle_status
heddle_mpi_histogram(MPI_Comm comm, heddle_context *ctx, heddle_type type, const void *in,
                     const void *weights, size_t count, const heddle_bins *bins, uint64_t *counts,
                     heddle_histogram_result *result, const heddle_histogram_options *options) {
  heddle_state *state = NULL;
  heddle_status status = hd_mpi_check(heddle_histogram_begin(ctx, type, bins, options, &state));
  if (status == HEDDLE_OK && count)
    status = hd_mpi_check(heddle_histogram_update(state, in, weights, count));
  status = hd_mpi_merge(comm, ctx, status, NULL, &state);
  if (status != HEDDLE_OK) return status;
  status = hd_mpi_check(
      heddle_histogram_finish(state, counts, result, options && weights ? options->sums : NULL));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* heddle_mpi_quantiles - heddle_quantiles of the whole array
 *
 * Result    out has q_count doubles on every rank
 * Arguments q, options  the same on every rank; no weights
 * Errors    HEDDLE_EMPTY: no rank has an element, or, skipping, none but NaN
 * Cost      two or three passes over in (heddle_quantiles_round), and after each the ranks' counters: 512 KiB for types
 *           up to 4 bytes, 2 MiB for wider ones, at most 32 MiB */
static inline heddle_status heddle_mpi_quantiles(MPI_Comm comm, heddle_context *ctx,
                                                 heddle_type type, const void *in, size_t count,
                                                 const double *q, size_t q_count, double *out,
                                                 const heddle_quantile_options *options) {
  heddle_state *state = NULL;
  int again = 1;
  heddle_status status =
      hd_mpi_check(heddle_quantiles_begin(ctx, type, q, q_count, options, &state));
  while (again) {
    if (status == HEDDLE_OK && count)
      status = hd_mpi_check(heddle_quantiles_update(state, in, count));
    status = hd_mpi_merge(comm, ctx, status, NULL, &state);
    if (status != HEDDLE_OK) return status;
    status = hd_mpi_agree(comm, hd_mpi_check(heddle_quantiles_round(state, &again)));
    if (status == HEDDLE_OK) continue;
    heddle_state_free(state);
    return status;
  }
  status = hd_mpi_check(heddle_quantiles_finish(state, out));
  heddle_state_free(state);
  return hd_mpi_agree(comm, status);
}

/* *before = the state of all lower ranks, NULL on rank 0; *state is spent. In turn i a rank's state stands
 * for the 2^i ranks up to it, and goes to the rank that is 2^i further on (Hillis and Steele 1986). */
static inline heddle_status hd_mpi_before(MPI_Comm comm, heddle_context *ctx, heddle_status status,
                                          const heddle_options *options, heddle_state **state,
                                          heddle_state **before) {
  struct hd_mpi_bytes mine, other;
  int rank = 0, ranks = 0, step;
  heddle_status done = hd_mpi_did(MPI_Comm_rank(comm, &rank));
  if (done == HEDDLE_OK) done = hd_mpi_did(MPI_Comm_size(comm, &ranks));
  if (status == HEDDLE_OK) status = done;
  for (step = 1; step < ranks; step *= 2) { /* to the end, for others wait, whatever failed here */
    const int from = rank >= step ? rank - step : MPI_PROC_NULL;
    heddle_status merged = hd_mpi_save(status == HEDDLE_OK ? *state : NULL, &mine);
    done = hd_mpi_exchange(comm, &mine, rank + step < ranks ? rank + step : MPI_PROC_NULL, &other,
                           from);
    if (merged == HEDDLE_OK) merged = done;
    if (merged == HEDDLE_OK && other.size) merged = hd_mpi_prepend(ctx, &other, options, state);
    if (merged == HEDDLE_OK && other.size) merged = hd_mpi_prepend(ctx, &other, options, before);
    if (status == HEDDLE_OK) status = merged;
    free(mine.data);
    free(other.data);
  }
  heddle_state_free(*state);
  *state = NULL;
  return status;
}

/* heddle_mpi_scan - heddle_scan of the whole array: out has this rank's count of its results
 *
 * Overlap   as heddle_scan
 * Cost      two reads and a write an element */
static inline heddle_status heddle_mpi_scan(MPI_Comm comm, heddle_context *ctx, heddle_op op,
                                            heddle_scan_kind kind, heddle_type type, const void *in,
                                            size_t count, void *out,
                                            const heddle_options *options) {
  heddle_state *state = NULL, *before = NULL;
  heddle_options piece, scan;
  heddle_status status = hd_mpi_options(comm, options, count, &piece);
  scan = piece;
  scan.start = 0;
  piece.init = NULL;
  piece.out_type = HEDDLE_TYPE_DEFAULT;
  if (status == HEDDLE_OK && piece.prefix)
    status =
        hd_mpi_fail(HEDDLE_BAD_ARGUMENT, "options->prefix: leave it NULL, the ranks before are it");
  if (status == HEDDLE_OK)
    status = hd_mpi_check(heddle_reduce_begin(ctx, op, type, &piece, &state));
  if (status == HEDDLE_OK && count) status = hd_mpi_check(heddle_reduce_update(state, in, count));
  status = hd_mpi_agree(comm, hd_mpi_before(comm, ctx, status, options, &state, &before));
  if (status == HEDDLE_OK) {
    scan.prefix = before;
    status = hd_mpi_check(heddle_scan(ctx, op, kind, type, in, count, out, &scan));
    status = hd_mpi_agree(comm, status);
  }
  heddle_state_free(before);
  return status;
}

#ifdef __cplusplus
}
#endif
#endif
