/* What a checker or a profiler is told while a program runs.
 *
 * Result   sd_observer: a table of functions, NULL while nobody watches (the usual run, which
 *          pays one comparison). It is set before main and never changes
 * Rules    an entry may be NULL. All are called with the device's lock on the running lane (no
 *          preemption) and never allocate with malloc. While somebody watches one OS thread
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
  SD_RACE,
  SD_BARRIER_DIVERGENCE,
  SD_WARP_MASK,
  SD_OUT_OF_BOUNDS,
  SD_USE_AFTER_FREE,
  SD_DOUBLE_FREE,    /* a second free of one allocation */
  SD_INVALID_FREE,   /* of what no allocation begins at */
  SD_HOST_POINTER,   /* memory of the host used on the device */
  SD_DEVICE_POINTER, /* memory of the device used on the host */
  SD_NULL_POINTER,
  SD_UNINITIALISED,
  SD_LEAK,
  SD_MISALIGNED,
  SD_UNCHECKED_ERROR, /* a failed launch or call that nobody asked about */
  SD_NO_PROGRESS,     /* deadlock, endless loop */
  SD_STACK_OVERFLOW,
  SD_BAD_CALL,       /* what CUDA refuses or leaves undefined: a kernel called like a function */
  SD_CONSTANT_WRITE, /* of a __constant__ variable, by a kernel */
  SD_ASSERT,         /* a kernel ends itself: assert, __trap */
  SD_CLASSES
};

/* A place by source line, for those who know it; pc by pc otherwise. */
struct sd_place {
  const char *file;
  int line;
};

enum sd_operation { SD_KERNEL, SD_COPY, SD_FILL, SD_HOST_FUNCTION, SD_FREE };

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
  /* ---- kernels; the running block and lane are in sd_me (grid.h) ---- */
  void (*grid_begin)(struct grid *grid);
  void (*grid_end)(struct grid *grid); /* failed or not */
  void (*block_begin)(struct block *block);
  void (*block_enter)(struct block *block); /* the worker turns to it, first time or again */
  void (*block_end)(struct block *block);
  void (*barrier)(struct block *block); /* all live threads have come, none has gone on */
  void (*grid_barrier)(struct grid *grid);
  void (*warp_sync)(struct block *block, struct warp *warp, unsigned int lanes); /* __syncwarp */
  void (*warp_exchange)(struct block *block, struct warp *warp, unsigned int lanes); /* others */
  void (*fence)(int scope); /* SIMT_FENCE_*, by the running lane */
  void (*polled)(void);     /* the running lane found no change */
  /* what the running lane did before is in order before what is done after an acquire of the
   * same object by another thread of the scope, SIMT_FENCE_* */
  void (*release)(const void *object, int scope);
  void (*acquire)(const void *object, int scope);
  void (*lane_end)(void);

  /* ---- findings that the device itself makes. `text` is the whole sentence without the
   * class; places may be fewer than 2, NULL file ends them ---- */
  void (*finding)(enum sd_class class, const struct sd_place places[2], const char *text);
  /* a fault of device code at `pc`; what the address is has been described in `text` */
  void (*fault)(enum sd_class class, const void *address, const void *pc, const void *frame,
                const char *text);

  /* ---- modules besides the program (module.h), under a lock of theirs ---- */
  void (*module_opened)(const struct simt_module *module);
  void (*module_closed)(const struct simt_module *module);

  /* ---- memory; called by runtime/ on the host, or on a lane for the device's heap ---- */
  void (*allocated)(const void *memory, size_t bytes, int kind); /* enum rt_kind */
  void (*freed)(const void *memory, size_t bytes, int kind);
  void (*freeing)(const void *memory, void *stream); /* cudaFreeAsync, before it is freed */
  void (*bad_free)(const void *memory);              /* cudaFree and its kin refused it */
  void (*reset)(void); /* cudaDeviceReset begins, and again: it is over */
  /* before the bytes are moved; nothing is moved if there is an error */
  void (*copied)(const struct sd_copy *copy, int error);
  void (*filled)(const struct sd_copy *fill, int error); /* src is NULL */

  /* ---- order between streams and the host ---- */
  void (*stream_made)(void *stream, bool blocking); /* blocking: waits for the legacy stream */
  void (*stream_gone)(void *stream);
  void (*event_recorded)(void *event, void *stream);
  void (*event_gone)(void *event);
  void (*stream_waits)(void *stream, void *event); /* cudaStreamWaitEvent */
  void (*host_waits_stream)(void *stream);
  void (*host_waits_event)(void *event); /* also a query that said cudaSuccess */
  void (*host_waits_all)(void);
  /* a host function that a stream runs */
  void (*host_begin)(void *stream);
  void (*host_end)(void);
  /* A graph runs in a stream: its nodes are done one after the other, each between its own
   * graph_node and the next; `before` are numbers of nodes that it depends on. What operations of
   * nodes say about streams and waiting does not count */
  void (*graph_begin)(void *stream, size_t nodes);
  void (*graph_node)(size_t node, const size_t *before, size_t count);
  void (*graph_end)(void);

  /* ---- errors ---- */
  void (*error_made)(int error); /* an API call is about to return it */
  void (*error_asked)(void);     /* cudaGetLastError, cudaPeekAtLastError */
  void (*configured)(void);      /* <<<>>> on the host, before its arguments are known */
  /* each <<<>>> of the host, before it runs or becomes a node of a graph; `error`: it was refused */
  void (*launched)(const struct simt_kernel *kernel, const struct simt_config *config, int error);
};

extern const struct sd_observer *sd_observer;

/* sd_wrong - something that is wrong with the program, known by source line: a finding for who
 * watches; else a line on standard error, and for most classes the end with status 3. `places`
 * may be NULL; the text is as printf and without the class (report.c) */
void sd_wrong(enum sd_class class, const struct sd_place places[2], const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* sd_illegal - a call of device code that is about to end the launch: a finding for who watches, at
 * the program's call; else a note. frame: __builtin_frame_address(0) of what the program called, for
 * as long as that is not left (fault.c) */
void sd_illegal(enum sd_class class, const void *frame, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* sd_preempt - for who watches: the running lane has run long enough without waiting, others
 * have their turn. It goes on when this returns (wait.c) */
void sd_preempt(void);

/* SD_TELL(entry, ...) - tells whoever watches; SD_TELL_ALONE: without arguments */
#define SD_WATCHED(entry) (__builtin_expect(sd_observer != NULL, 0) && sd_observer->entry)
#define SD_TELL(entry, ...) (SD_WATCHED(entry) ? sd_observer->entry(__VA_ARGS__) : (void)0)
#define SD_TELL_ALONE(entry) (SD_WATCHED(entry) ? sd_observer->entry() : (void)0)

#endif
