/* printf in kernels.
 *
 * Method   a call is a convergence point: lanes that come to the same line print in lane
 *          order, as a warp in lockstep does. A block's text is kept until all blocks before
 *          it, in the order of the schedule, have finished: the output does not depend on the
 *          number of OS threads. What a grid prints whose launch has returned is written when the host
 *          next waits, as CUDA does it
 * Limits   a block with more than 1 MiB of text writes it at once
 */
#include "grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_TEXT = 1 << 20, FIRST_ROOM = 1 << 14, MOST_HELD = 1 << 24 };

struct waiting_text {
  struct waiting_text *next;
  uint64_t sequence;
  struct text text;
};

/* Of grids whose launch has returned, until the host waits. */
static struct waiting_text *held, **last_held = &held;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool any_held;
static size_t held_bytes;

static void write_out(const struct text *text) { fwrite(text->bytes, 1, text->used, stdout); }

static bool grow(struct text *text, size_t wanted) {
  size_t room = text->room ? text->room : FIRST_ROOM;
  while (room < wanted) room *= 2;
  char *bytes = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return false;
  if (text->bytes) {
    memcpy(bytes, text->bytes, text->used);
    munmap(text->bytes, text->room);
  }
  text->bytes = bytes;
  text->room = room;
  return true;
}

static void append(struct block *block, const char *format, va_list arguments) {
  struct text *text = &block->text;
  va_list again;
  va_copy(again, arguments);
  const size_t room = text->room - text->used;
  int n = vsnprintf(text->bytes ? text->bytes + text->used : NULL, room, format, arguments);
  if (n > 0 && (size_t)n >= room) {
    if (grow(text, text->used + (size_t)n + 1))
      n = vsnprintf(text->bytes + text->used, (size_t)n + 1, format, again);
    else
      n = 0;
  }
  va_end(again);
  if (n > 0) text->used += (size_t)n;
  if (text->used < MOST_TEXT) return;
  pthread_mutex_lock(&block->grid->lock);
  write_out(text);
  pthread_mutex_unlock(&block->grid->lock);
  text->used = 0;
}

static int count_conversions(const char *format) {
  int n = 0;
  for (; *format; format++)
    if (*format == '%') {
      if (format[1] == '%')
        format++;
      else
        n++;
    }
  return n;
}

static int print(uintptr_t site, const char *format, va_list arguments) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return vprintf(format, arguments);
  if (!format) return -1;
  me->locked = 1;
  me->lane->site = site;
  me->block->warp->converging |= sd_lane_bit();
  sd_suspend();
  me->locked = 1;
  append(me->block, format, arguments);
  me->locked = 0;
  return count_conversions(format);
}

int simt_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = print((uintptr_t)__builtin_return_address(0), format, arguments);
  va_end(arguments);
  return n;
}

int simt_printf_at(int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = print((uintptr_t)line, format, arguments);
  va_end(arguments);
  return n;
}

/* Everything that no unfinished block stands before, in order. */
static void write_list(struct waiting_text **list, uint64_t limit) {
  while (*list && (*list)->sequence < limit) {
    struct waiting_text *first = *list;
    *list = first->next;
    write_out(&first->text);
    munmap(first->text.bytes, first->text.room);
    free(first);
  }
}

static void write_held(void) {
  write_list(&held, UINT64_MAX);
  last_held = &held;
  held_bytes = 0;
  atomic_store(&any_held, false);
}

/* Text that waits for the host takes memory: too much is written at once. */
static void hold_list(struct waiting_text **list, uint64_t limit) {
  pthread_mutex_lock(&held_lock);
  while (*list && (*list)->sequence < limit) {
    struct waiting_text *first = *list;
    *list = first->next;
    first->next = NULL;
    *last_held = first;
    last_held = &first->next;
    held_bytes += first->text.room;
    atomic_store(&any_held, true);
  }
  if (held_bytes > MOST_HELD) write_held();
  pthread_mutex_unlock(&held_lock);
}

static void write_ready(struct grid *grid, uint64_t limit) {
  if (grid->late)
    hold_list(&grid->texts, limit);
  else
    write_list(&grid->texts, limit);
}

static uint64_t oldest_elsewhere(const struct worker *me, const struct grid *grid) {
  struct worker *workers = sd_workers();
  uint64_t oldest = UINT64_MAX;
  for (unsigned w = 0; w < grid->workers; w++) {
    const uint64_t n = atomic_load(&workers[w].oldest);
    if (&workers[w] != me && n < oldest) oldest = n;
  }
  return oldest;
}

void sd_text_commit(struct worker *me, struct block *block) {
  struct grid *grid = block->grid;
  struct waiting_text *entry = malloc(sizeof *entry);
  if (!entry) {
    write_out(&block->text);
    block->text.used = 0;
    return;
  }
  *entry = (struct waiting_text){NULL, block->sequence, block->text};
  block->text = (struct text){NULL, 0, 0};
  pthread_mutex_lock(&grid->lock);
  struct waiting_text **at = &grid->texts;
  while (*at && (*at)->sequence < entry->sequence) at = &(*at)->next;
  entry->next = *at;
  *at = entry;
  uint64_t limit = oldest_elsewhere(me, grid);
  const uint64_t own = atomic_load(&me->oldest);
  if (own < limit) limit = own == block->sequence ? own + 1 : own;
  write_ready(grid, limit);
  pthread_mutex_unlock(&grid->lock);
}

void sd_text_flush(struct grid *grid) {
  if (grid->texts) write_ready(grid, UINT64_MAX);
}

void sd_text_release(void) {
  if (!atomic_load_explicit(&any_held, memory_order_relaxed)) return;
  pthread_mutex_lock(&held_lock);
  write_held();
  pthread_mutex_unlock(&held_lock);
}

/* ---- assert and trap ------------------------------------------------------------------------- */

void simt_assert_fail(const char *expression, const char *file, unsigned line,
                      const char *function) {
  struct worker *me = sd_current;
  if (!me || !me->lane) {
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
  }
  me->locked = 1;
  char text[1024];
  const int n = snprintf(text, sizeof text,
                         "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
                         "failed.\n",
                         file, line, function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                         threadIdx.y, threadIdx.z, expression);
  if (n > 0) fwrite(text, 1, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1, stderr);
  const struct sd_location locations[2] = {{file, (int)line}, {NULL, 0}};
  snprintf(text, sizeof text, "assertion `%s' in %s", expression, function);
  SD_NOTIFY(finding, SD_ASSERT, locations, text);
  atomic_store(&me->grid->soft_error, 710 /* cudaErrorAssert */);
  sd_abandon_lane();
}

void simt_trap(void) {
  struct worker *me = sd_current;
  if (!me || !(me->lane || me->plain)) abort();
  if (sd_observer)
    sd_report_illegal_call(SD_ASSERT, __builtin_frame_address(0), "__trap() ends the launch");
  sd_fail_launch(719 /* cudaErrorLaunchFailure */);
}
