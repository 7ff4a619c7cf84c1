/* What a checker or a profiler is notified of while a program runs.
 *
 * Result   sd_observer: a table of functions, NULL without one (the usual run, which
 *          pays one comparison). It is set before main and never changes
 * Rules    an entry may be NULL. All are called with the device's lock on the running lane (no
 *          preemption) and never allocate with malloc. While there is an observer one OS thread
 *          runs all blocks, and lanes are preempted by count, not by time: a run can be
 *          repeated exactly
 */
#ifndef SIMT_OBSERVER_H
#define SIMT_OBSERVER_H

#include "simt/abi.h"
#include <stdbool.h>

struct grid;
struct simt_module;
struct block;
struct warp;

/* What is wrong, as a finding's class. */
enum sd_class {
#define FINDING(id, name, headline, advice) SD_##id,
#include "findings.def"
  SD_CLASSES
};

/* A location in the source, for those who know it; pc by pc otherwise. */
struct sd_location {
  const char *file;
  int line;
};

/* A box of rows that a copy or fill moves; pitch and slice: bytes from row to row, from layer to
 * layer. `stream` is NULL for the legacy stream; `waits`: an ordinary copy, not an Async one */
struct sd_copy {
  void *dst;
  const void *src;
  size_t dpitch, spitch, dslice, sslice;
  size_t width, height, depth;
  int kind; /* enum cudaMemcpyKind */
  void *stream;
  bool waits;
};

struct sd_observer {
#define OBSERVATION(name, ...) void (*name)(__VA_ARGS__);
#include "observations.def"
};

extern const struct sd_observer *sd_observer;

/* sd_report_finding - something that is wrong with the program, known by source line: a finding for
 * the observer; else a line on standard error, and for most classes the end with status 3.
 * `locations` may be NULL; the text is as printf and without the class (report.c) */
void sd_report_finding(enum sd_class class, const struct sd_location locations[2],
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* sd_report_illegal_call - a call of device code that is about to end the launch: a finding for the
 * observer, at the program's call; else a note. frame: __builtin_frame_address(0) of what the
 * program called, for as long as that is not left (fault.c) */
void sd_report_illegal_call(enum sd_class class, const void *frame, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* sd_preempt - for the observer: the running lane has run long enough without waiting, others
 * have their turn. It goes on when this returns (wait.c) */
void sd_preempt(void);

/* SD_NOTIFY(entry, ...) - notifies the observer, if there is one; SD_NOTIFY_BARE: without
 * arguments */
#define SD_OBSERVED(entry) (__builtin_expect(sd_observer != NULL, 0) && sd_observer->entry)
#define SD_NOTIFY(entry, ...) (SD_OBSERVED(entry) ? sd_observer->entry(__VA_ARGS__) : (void)0)
#define SD_NOTIFY_BARE(entry) (SD_OBSERVED(entry) ? sd_observer->entry() : (void)0)

#endif
