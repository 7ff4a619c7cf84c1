/* host.c - select and runs of arrays of the host, or of which some are
 *
 * Method   A piece of the inputs is copied into scratch (cuda/staging), and what is selected of it from scratch to
 *          its place: all at once if the device has room, else in pieces half as large, and so on. Every piece
 *          waits for its count. Of a partition in several pieces all are counted before.
 * In place What a piece writes lies at or before it, and has been read, but for the one element that runs compare
 *          the next piece with: where that is written over all before it are selected, and it is
 *          written as it is. */
#include "cuda/core/inside.h"
#include "cuda/staging/move.h"
#include "host/status.h"
#include "select.h"

enum { LEAST_PIECE = 4096 };

struct pieces {
  const struct hd_cuda_select_job *job;
  const struct hd_cuda_select_operands *o;
  u64 count, most;                          /* elements; of a piece */
  bool same;                                /* `in` is `of` */
  cu_pointer of, in, out, positions, words; /* scratch */
  u64 done, rest;                           /* elements selected so far; where the others go */
};

/* A piece's first element of runs has its left neighbour before it. */
enum { NEIGHBOUR_BYTES = 16 };

/* ---- counts ---------------------------------------------------------------------------------- */

heddle_status hd_cuda_select_fetch(struct hd_cuda_call *call, cu_pointer word, u64 *found) {
  *found = 0;
  call->synchronous = true;
  if (call->preparing) return HEDDLE_OK;
  HD_TRY(hd_cuda_no_capture(call, "waiting for a count"));
  HD_TRY(hd_cuda_check(call, call->cu->copy_out(found, word, sizeof *found, call->stream),
                       "copying a count"));
  return hd_cuda_wait(call, call->stream);
}

heddle_status hd_cuda_select_tell(struct hd_cuda_call *call, const char *what, u64 found, u64 *to) {
  enum hd_cuda_memory_space space;
  HD_TRY(hd_cuda_find_space(call, what, to, sizeof *to, sizeof *to, &space));
  if (call->preparing) return HEDDLE_OK;
  if (space != HD_SPACE_DEVICE) {
    HD_TRY(hd_cuda_no_capture(call, "a result in host memory"));
    *to = found;
    return HEDDLE_OK;
  }
  if (!found) return hd_cuda_zero(call, (cu_pointer)(uintptr_t)to, sizeof *to);
  return hd_cuda_upload(call, (cu_pointer)(uintptr_t)to, &found, sizeof found);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static heddle_status find(struct hd_cuda_call *call, struct hd_cuda_select_operand *o, u64 count,
                          bool *host) {
  o->space = HD_SPACE_DEVICE;
  if (!o->bytes || !o->at) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(call, o->what, o->at, (size_t)count * o->bytes, o->bytes, &o->space));
  *host = *host || o->space != HD_SPACE_DEVICE;
  return HEDDLE_OK;
}

heddle_status hd_cuda_select_spaces(struct hd_cuda_call *call, struct hd_cuda_select_operands *o,
                                    u64 count, bool ends, bool *host) {
  *host = false;
  HD_TRY(find(call, &o->of, count, host));
  HD_TRY(find(call, &o->in, count, host));
  HD_TRY(find(call, &o->out, count, host));
  return find(call, &o->positions, count + ends, host);
}

static heddle_status take(struct pieces *p, const struct hd_cuda_select_operand *o, u64 n,
                          cu_pointer *at) {
  if (!o->bytes) return HEDDLE_OK;
  return hd_cuda_scratch(p->job->call, (size_t)(n * o->bytes + NEIGHBOUR_BYTES), at);
}

static heddle_status take_all(struct pieces *p) {
  const struct hd_cuda_select_operands *o = p->o;
  HD_TRY(hd_cuda_scratch(p->job->call, 2 * sizeof(u64), &p->words));
  HD_TRY(take(p, &o->of, p->most, &p->of));
  if (!p->same) HD_TRY(take(p, &o->in, p->most, &p->in));
  HD_TRY(take(p, &o->out, p->most, &p->out));
  return take(p, &o->positions, p->most + p->job->ends, &p->positions);
}

/* Room for all, or for pieces. */
static heddle_status find_room(struct pieces *p) {
  struct hd_cuda_call *call = p->job->call;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(call);
  struct hd_message kept;
  hd_message_keep(&kept);
  for (p->most = p->count;; p->most = (p->most + 1) / 2) {
    const heddle_status status = take_all(p);
    if (!status) hd_message_restore(&kept);
    if (status != HEDDLE_OUT_OF_MEMORY || p->most <= LEAST_PIECE) return status;
    hd_cuda_scratch_retry(call, mark);
  }
}

/* Elements first to first + n - 1. */
static heddle_status move_in(const struct pieces *p, const struct hd_cuda_select_operand *o,
                             u64 first, u64 n, cu_pointer to) {
  const struct hd_cuda_operand operand = {.what = o->what,
                                          .in = (const char *)o->at + first * o->bytes,
                                          .element_bytes = 1,
                                          .space = o->space};
  return hd_cuda_move(p->job->call, operand, to, (size_t)(n * o->bytes));
}

/* n elements from number `from` on of scratch, to those from `first` on. */
static heddle_status move_out(const struct pieces *p, const struct hd_cuda_select_operand *o,
                              cu_pointer scratch, u64 from, u64 first, u64 n) {
  const struct hd_cuda_operand operand = {.what = o->what,
                                          .out = (char *)o->at + first * o->bytes,
                                          .element_bytes = 1,
                                          .space = o->space};
  if (!o->bytes || !n) return HEDDLE_OK;
  return hd_cuda_move(p->job->call, operand, scratch + from * o->bytes, (size_t)(n * o->bytes));
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The piece's inputs in scratch. */
static heddle_status bring(const struct pieces *p, u64 first, u64 n, bool counts,
                           struct hd_cuda_select_arrays *a) {
  const struct hd_cuda_select_operands *o = p->o;
  const u64 with = p->job->runs && first ? 1 : 0;
  *a = (struct hd_cuda_select_arrays){
      .of = p->of + with * o->of.bytes, .count = n, .first = first, .left = with ? p->of : 0};
  HD_TRY(move_in(p, &o->of, first - with, n + with, p->of));
  if (counts || !p->job->value_bytes) return HEDDLE_OK;
  a->in = a->of;
  if (p->same) return HEDDLE_OK;
  a->in = p->in;
  return move_in(p, &o->in, first, n, p->in);
}

static heddle_status count_all(struct pieces *p, u64 *found) {
  struct hd_cuda_select_arrays a;
  *found = 0;
  for (u64 first = 0, n; first < p->count; first += n) {
    u64 here;
    n = p->count - first < p->most ? p->count - first : p->most;
    HD_TRY(bring(p, first, n, true, &a));
    a.total = p->words;
    HD_TRY(hd_cuda_select_count(p->job, &a));
    HD_TRY(hd_cuda_select_fetch(p->job->call, p->words, &here));
    *found += here;
  }
  return HEDDLE_OK;
}

static heddle_status work_on(struct pieces *p, u64 first, u64 n) {
  const struct hd_cuda_select_operands *o = p->o;
  struct hd_cuda_select_job job = *p->job;
  struct hd_cuda_select_arrays a;
  u64 found;
  job.ends = p->job->ends && first + n == p->count;
  HD_TRY(bring(p, first, n, false, &a));
  a.out = p->out, a.positions = p->positions, a.total = p->words;
  /* Others of a piece lie behind what is selected of it, wherever it begins. */
  if (job.rest) a.first = 0;
  HD_TRY(hd_cuda_select_dense(&job, &a));
  HD_TRY(hd_cuda_select_fetch(job.call, p->words, &found));
  HD_TRY(move_out(p, &o->out, p->out, 0, p->done, found));
  HD_TRY(move_out(p, &o->positions, p->positions, 0, p->done, found + job.ends));
  p->done += found;
  if (!job.rest) return HEDDLE_OK;
  if (n == p->count) p->rest = found;
  HD_TRY(move_out(p, &o->out, p->out, found, p->rest, n - found));
  p->rest += n - found;
  return HEDDLE_OK;
}

heddle_status hd_cuda_select_host(const struct hd_cuda_select_job *job,
                                  const struct hd_cuda_select_operands *o, u64 count, u64 *found) {
  struct hd_cuda_call *call = job->call;
  struct pieces p = {.job = job, .o = o, .count = count};
  p.same = o->in.at == o->of.at && job->value_bytes == job->key_bytes;
  call->synchronous = true;
  HD_TRY(find_room(&p));
  if (job->rest && p.most < count) HD_TRY(count_all(&p, &p.rest));
  for (u64 first = 0, n; first < count; first += n) {
    const struct hd_cuda_mark mark = hd_cuda_scratch_mark(call);
    n = count - first < p.most ? count - first : p.most;
    if (hd_poll(&call->token)) return hd_cancellation_status(&call->token, call->entry);
    HD_TRY(work_on(&p, first, n));
    hd_cuda_scratch_reset(call, mark); /* pieces follow each other on the stream */
  }
  *found = p.done;
  return HEDDLE_OK;
}
