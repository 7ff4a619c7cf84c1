/* text.c - columns of numbers out of text, in blocks
 *
 * Method    One buffer of whole lines. text_quick_rows reads lines that consist of plain numbers
 *           where they are wanted; at any other line it stops, and careful_row passes over it
 *           (blank, comment), reads it by the rules of text/record.h, or says what is wrong.
 *           Behind the first buffer several threads parse blocks (text_pool.c). One that does not parse without
 *           a word comes as bytes into the buffer, and is read from there as all text is by one thread: so
 *           rows and messages are the same with any number of threads.
 * Limits    a record has at most RECORD_MAX bytes, so memory is bounded. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "text/record.h"
#include "text_reader.h"

size_t text_buffer_bytes = 1 << 20;

enum { RECORD_MAX = 16 << 20 };

/* ---- the buffer ---------------------------------------------------------------------------- */

static int grow(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  if (r->room >= RECORD_MAX)
    return fail(why, EXIT_DATA,
                "%s:%llu: the line, or a quoted field on it, is longer than %d MiB; is this text?",
                in->name, (unsigned long long)r->line, RECORD_MAX >> 20);
  char *const larger = realloc(r->buffer, 2 * r->room + NUMBER_PADDING + 1);
  if (!larger) return fail(why, EXIT_DATA, "%s: no memory for a long line", in->name);
  r->buffer = larger;
  r->room *= 2;
  return 0;
}

/* A lone CR that ends the first line ends all of them, as it did on old machines: it becomes LF in
 * what has been read from `fresh` on. A CR before LF is a blank, and stays. */
static void turn_line_ends(struct text_reader *r, size_t fresh) {
  char *const begin = r->buffer, *const end = begin + r->end;
  if (r->ends == ENDS_UNKNOWN) {
    const char *const lf = memchr(begin, '\n', r->end), *const limit = lf ? lf : end;
    const char *const cr = memchr(begin, '\r', (size_t)(limit - begin));
    if (cr && (cr + 1 < limit || (!lf && r->ended)))
      r->ends = ENDS_CR;
    else if (lf)
      r->ends = ENDS_LF;
    fresh = 0;
  }
  if (r->ends != ENDS_CR) return;
  for (char *p = begin + fresh; p < end && (p = memchr(p, '\r', (size_t)(end - p))); p++) *p = '\n';
}

/* Lines from `from` on to the filter. Where it stops the record is not whole, or bad: its end is not told, so that it is
 * not read. */
static void filter(struct input *in, size_t from) {
  struct text_reader *const r = in->text;
  if (!r->filtering || from >= r->whole) return;
  char *const end = r->buffer + r->whole;
  const char *const stop =
      text_filter_records(&r->filter, r->buffer + from, end, in->options.skip_bad ? &r->bad : NULL);
  r->whole = (size_t)(stop - r->buffer);
}

void text_start_filter(struct input *in) {
  struct text_reader *const r = in->text;
  r->filtering = r->filter.ask != NULL;
  filter(in, r->begin);
}

int text_refill(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const size_t filtered = r->whole > r->begin ? r->whole - r->begin : 0;
  memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
  r->end -= r->begin;
  r->begin = 0;
  if (r->end == r->room && grow(in, why) != 0) return -1;
  size_t got;
  char *const rest = r->buffer + r->end;
  const size_t room = r->room - r->end;
  if (r->pool) {
    if (text_pool_feed(r->pool, rest, room, &got, &r->ended, why) != 0) return -1;
  } else {
    if (stream_read(in->stream, rest, room, &got, why) != 0) return -1;
    r->ended = got < room;
  }
  r->end += got;
  turn_line_ends(r, r->end - got);
  if (r->ended && r->end > 0 && r->buffer[r->end - 1] != '\n') r->buffer[r->end++] = '\n';
  memset(r->buffer + r->end, 0, NUMBER_PADDING);
  const char *const last = memrchr(r->buffer, '\n', r->end);
  r->whole = last ? (size_t)(last - r->buffer) + 1 : 0;
  filter(in, filtered);
  return 0;
}

/* ---- one record --------------------------------------------------------------------------- */

int text_report(const struct input *in, const char *record, const struct text_complaint *about,
                struct failure *why) {
  size_t line = 0;
  const size_t column = text_column_of(record, about->at, &line);
  return fail(why, EXIT_DATA, "%s:%llu:%zu: %s; --skip-bad passes over such lines", in->name,
              (unsigned long long)(in->text->line + line), column, about->text);
}

int text_no_line(const struct input *in, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: no memory for its lines", in->name);
}

void text_pass_record(struct text_reader *r, const char *end) {
  r->line += text_lines_within(r->buffer + r->begin, end);
  r->begin = (size_t)(end - r->buffer) + 1;
}

int text_pass_over(struct input *in, const char *end, struct failure *why) {
  struct text_reader *const r = in->text;
  if (r->own.lines &&
      text_lines_pass(r->own.lines, r->buffer + r->begin, end + 1, in->options.comment) != 0)
    return text_no_line(in, why);
  text_pass_record(r, end);
  return 0;
}

/* The record at begin. */
static int careful_row(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const char *const record = r->buffer + r->begin, *const limit = r->buffer + r->end, *end;
  struct text_complaint about;
  const enum text_record what = text_block_record(&r->own, record, limit, &end, &about);
  if (what == RECORD_NO_MEMORY) return text_no_line(in, why);
  if (what == RECORD_OPEN && !r->ended && r->end - r->begin < RECORD_MAX)
    return text_refill(in, why);
  const bool good = what == RECORD_ROW || what == RECORD_PASSED;
  if (!good && !in->options.skip_bad) return text_report(in, record, &about, why);
  r->bad += !good;
  text_pass_record(r, end);
  return 0;
}

/* At a record at which the filter stopped, if it did. One that is never whole is read as what it is: bad. */
static int pass_stop(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  struct text_complaint about = {.at = NULL};
  const char *const record = r->buffer + r->begin;
  if (!r->filtering || r->begin == r->end) return 0;
  if (text_filter_complaint(&r->filter, record, r->buffer + r->end, about.text, &about.at))
    return text_report(in, record, &about, why);
  if (!r->ended) return 0;
  if (careful_row(in, why) != 0) return -1;
  r->whole = r->end;
  filter(in, r->begin);
  return 0;
}

/* ---- reading by one thread ----------------------------------------------------------------- */

/* All whole lines were read, so that several threads may go on from here. */
static bool may_start_pool(const struct input *in) {
  const struct text_reader *const r = in->text;
  return in->options.threads > 1 && !r->pool && !r->alone && !r->ended && r->begin >= r->whole &&
         r->ends != ENDS_UNKNOWN && r->end - r->begin <= text_block_bytes &&
         (!r->own.lines || r->own.lines->begun);
}

/* Nothing is left in the buffer, and what comes next is a block of the pool. */
static bool is_at_pool(const struct text_reader *r) {
  return r->pool && r->begin == r->end && text_pool_is_between(r->pool);
}

static int fill_block(struct input *in, size_t limit, struct failure *why) {
  struct text_reader *const r = in->text;
  struct text_block *const b = &r->own;
  b->count = 0;
  if (b->lines) b->lines->rows = b->lines->used = 0;
  while (b->count < limit && !(b->lines && b->lines->used >= TEXT_LINES_BYTES)) {
    if (r->begin >= r->whole) {
      if (pass_stop(in, why) != 0) return -1;
      if (r->begin < r->whole) continue;
      if (r->ended || is_at_pool(r) || (may_start_pool(in) && b->count > 0)) break;
      if (text_refill(in, why) != 0) return -1;
      continue;
    }
    const char *const begin = r->buffer + r->begin;
    const size_t before = b->count;
    const char *const stop = text_block_quick(b, begin, r->buffer + r->whole, limit);
    if (!stop) return text_no_line(in, why);
    r->begin += (size_t)(stop - begin);
    r->line += b->count - before;
    if (b->count < limit && r->begin < r->whole && careful_row(in, why) != 0) return -1;
  }
  if (r->finds) found_block(&b->found, &b->rows, b->count);
  return 0;
}

/* ---- reading by several -------------------------------------------------------------------- */

/* With what is left in the buffer. Without memory or threads one thread reads on. */
static void start_pool(struct input *in) {
  struct text_reader *const r = in->text;
  const struct text_pool_spec spec = {.stream = in->stream,
                                      .model = &r->own,
                                      .carry = r->buffer + r->begin,
                                      .carry_bytes = r->end - r->begin,
                                      .threads = in->options.threads,
                                      .filter = r->filter.ask ? &r->filter : NULL,
                                      .finds = r->finds,
                                      .lone_cr = r->ends == ENDS_CR,
                                      .skip_bad = in->options.skip_bad};
  r->pool = text_pool_start(&spec);
  r->alone = !r->pool;
  if (r->pool) r->begin = r->end = r->whole = 0;
}

/* The pool's next block, if it may be had as it is: *out, else NULL. */
static int take_block(struct input *in, uint64_t left, struct text_slot **out,
                      struct failure *why) {
  struct text_reader *const r = in->text;
  struct found_state state;
  struct text_slot *slot;
  *out = NULL;
  if (r->finds) found_get(&r->own.found, &r->own.rows, &state);
  if (text_pool_next(r->pool, r->finds ? &state : NULL, &slot, why) != 0) return -1;
  r->ended = !slot;
  if (!slot) return 0;
  r->done = slot->done;
  r->total = slot->total;
  const struct text_block *const b = &slot->block;
  if (!slot->clean || b->count > left) return 0;
  if (r->finds) {
    if (!found_follow(&b->found, &b->rows, &slot->before, &state)) return 0;
    found_set(&r->own.found, &r->own.rows, &state);
  }
  r->line += slot->lines;
  r->bad += slot->bad;
  if (r->own.lines) r->own.lines->comments += b->lines->comments;
  *out = slot;
  return 0;
}

/* Rows, at most `left`: r->latest. None only at the end. */
static int next_block(struct input *in, uint64_t left, struct failure *why) {
  struct text_reader *const r = in->text;
  for (;;) {
    struct text_slot *slot = NULL;
    if (r->latest != &r->own) text_pool_pass(r->pool);
    r->latest = &r->own;
    r->own.count = 0;
    if (left > 0 && may_start_pool(in)) start_pool(in);
    if (left > 0 && is_at_pool(r) && take_block(in, left, &slot, why) != 0) return -1;
    if (slot) {
      r->latest = &slot->block;
    } else if (r->pool && left > 0 && r->begin == r->end && !r->ended &&
               text_refill(in, why) != 0) {
      return -1;
    } else if (fill_block(in, left < r->own.capacity ? (size_t)left : r->own.capacity, why) != 0) {
      return -1;
    }
    if (r->latest->count > 0 || left == 0 || (!slot && r->ended && r->begin >= r->whole)) return 0;
  }
}

int text_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  struct text_reader *const r = in->text;
  for (;;) {
    const bool skipping = r->to_skip > 0;
    const uint64_t left = skipping ? r->to_skip : in->options.count - r->delivered;
    if (next_block(in, left, why) != 0) return -1;
    const struct text_block *const b = r->latest;
    if (skipping && b->count > 0) {
      r->to_skip -= b->count;
      continue;
    }
    for (size_t k = 0; k < r->layout.wanted; k++)
      data[k] = found_reals(&b->found, &b->rows, r->source[k]);
    r->delivered += b->count;
    *count = b->count;
    return 0;
  }
}

void text_progress(const struct input *in, uint64_t *done, uint64_t *total) {
  const struct text_reader *const r = in->text;
  *done = r->done;
  *total = r->total;
  if (!r->pool) stream_progress(in->stream, done, total);
}
