/* progress.c - a line that is drawn over itself, at most ten times a second
 *
 * Method  A carriage return and "erase to the end of the line" before each drawing.
 * Source  pv(1) for what the line says; ECMA-48 for the escape */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text/element.h"

static const double interval = 0.1;

double progress_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *p, enum progress_mode mode) {
  memset(p, 0, sizeof *p);
  p->on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && isatty(STDERR_FILENO));
  p->delay = mode == PROGRESS_ALWAYS ? 0 : 1;
  p->start = progress_clock();
}

static void draw(const struct progress *p, uint64_t done, uint64_t total) {
  char amount[NUMBER_TEXT], rate[NUMBER_TEXT], whole[NUMBER_TEXT];
  double seconds = p->last - p->start, speed = seconds > 0 ? (double)done / seconds : 0;
  bytes_text(amount, (double)done);
  bytes_text(rate, speed);
  fprintf(stderr, "\r\033[K%s", amount);
  if (total > 0) {
    bytes_text(whole, (double)total);
    fprintf(stderr, " of %s (%.0f%%)", whole, 100 * (double)done / (double)total);
  }
  fprintf(stderr, ", %s/s", rate);
  if (total > done && speed > 0) {
    double left = (double)(total - done) / speed;
    double minutes = (double)(uint64_t)(left / 60);
    if (left < 6e6)
      fprintf(stderr, ", %.0f:%02.0f left", minutes, (double)(int)(left - 60 * minutes));
  }
  fflush(stderr);
}

void progress_update(struct progress *p, uint64_t done, uint64_t total) {
  if (!p->on) return;
  double now = progress_clock();
  if (now - p->start < p->delay || (p->drawn && now - p->last < interval)) return;
  p->last = now;
  p->drawn = true;
  draw(p, done, total);
}

void progress_again(struct progress *p) { p->start = progress_clock(); }

void progress_end(struct progress *p) {
  if (p->drawn) fputs("\r\033[K", stderr);
  p->drawn = p->on = false;
}
