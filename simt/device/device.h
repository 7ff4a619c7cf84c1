/* The interface between the two halves of libsimt.so.
 *
 * device/   runs kernels: fibres, warps, blocks, workers, faults, the watchdog, printf
 * runtime/  the CUDA runtime API: memory, copies, streams, events, errors, properties
 */
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include "simt/abi.h"
#include <stdbool.h>

/* ---- device/ offers ------------------------------------------------------------------------ */

enum sd_order { SD_FORWARD, SD_REVERSE, SD_RANDOM };

/* Read once from SIMT_SCHEDULE (forward, reverse, random:SEED), SIMT_THREADS (OS threads),
 * SIMT_TIMEOUT (seconds without progress, 0 = never), SIMT_LAUNCH_BLOCKING and CUDA_LAUNCH_BLOCKING (1:
 * a launch returns when its grid is over), SIMT_COUNTS (a file for counters),
 * SIMT_CHECK and SIMT_PROFILE (files for findings and for figures: the process has an observer, and
 * one OS thread whatever SIMT_THREADS says), SIMT_SAMPLE (N or N,M: check every Nth launch,
 * and of that every Mth block). */
struct sd_options {
  enum sd_order order;
  uint64_t seed;
  unsigned threads;
  double timeout_seconds;
  bool blocking;
  const char *counts_path, *check_path, *profile_path; /* NULL: not wanted */
  unsigned sample_launches, sample_blocks;             /* 1: every one */
};
const struct sd_options *sd_options(void);

/* sd_report - one finding, as printf, to standard error; the process will end with status 3 */
void sd_report(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* sd_report_end - the same for what ends a grid with an error; a program whose calls return
 * errors as results (simt_results_are_seen) keeps its status */
void sd_report_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* sd_note - the same without touching the status */
void sd_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* sd_fail_launch - called on a device thread: ends the running grid with this cudaError */
void sd_fail_launch(int error) __attribute__((noreturn));

/* sd_drain - returns when all that the host has issued is done, and what kernels printed is written; at
 * once on the device and inside an operation of the queue */
void sd_drain(void);
/* sd_launch_waits - a launch of this thread has returned to let the host go on, since its kernel polls
 * memory that the host may write; sd_resume_launch - the kernel goes on, until it polls in vain again,
 * or to its end. Only under the checker (schedule/grid_launch.c) */
bool sd_launch_waits(void);
void sd_resume_launch(bool to_the_end);

/* sd_launches_return - this process's launches may return before their grid is over */
bool sd_launches_return(void);
void sd_text_release(void); /* writes what kernels have printed whose grids are over */

/* ---- runtime/ offers ------------------------------------------------------------------------ */

/* sd_check_launch - 0, or the cudaError that a GPU would give at the launch (limits, sticky
 * errors, an attribute not set); it has then been made the thread's last error too */
int sd_check_launch(const struct simt_kernel *kernel, const struct simt_config *config);

/* sd_may_return - nothing of the runtime's speaks against launches that return before the end */
bool sd_may_return(void);
/* sd_issued - the stream's last operation has this place in the queue */
void sd_issued(void *stream, uint64_t place);
/* sd_launch_begins - on the thread that is about to run the grid; false: it never runs, since an
 * earlier one has failed */
bool sd_launch_begins(const struct simt_kernel *kernel);

/* sd_capture_launch - true: the launch's stream records a graph, the launch is now a node of it and
 * must not run. Asked after sd_check_launch, on the host */
bool sd_capture_launch(const struct simt_kernel *kernel, const struct simt_config *config,
                       const void *body);

bool sd_results_are_seen(void); /* simt_results_are_seen has been called */

/* sd_launch_failed - an error while a kernel ran: given by the next synchronising call, and
 * by every call after it where a GPU's context would be lost */
void sd_launch_failed(int error);

/* sd_describe_address - writes what `address` is to a reader: "24 bytes behind the 4000 bytes
 * at 0x... from cudaMalloc", "inside freed memory", "host memory", "no memory at all".
 * Called from a signal handler: no locks held by device code, no allocation. */
void sd_describe_address(const void *address, char *text, size_t bytes);
enum sd_space { SD_NOWHERE, SD_DEVICE_MEMORY, SD_HOST_MEMORY_OPEN, SD_HOST_MEMORY };
/* sd_space_of - DEVICE: ours and live, or a __device__ variable; HOST_OPEN: pinned, managed or
 * registered; HOST: any other memory of the process. */
enum sd_space sd_space_of(const void *address);
/* sd_is_foreign - memory of a device that the calling thread's has no access to: the pages of its
 * own that it has */
bool sd_is_foreign(const void *address, uintptr_t *begin, uintptr_t *end);
/* sd_guarded - closed while the grid runs, since no kernel may touch it (fault/host_guard.c) */
bool sd_guarded(const void *address);

/* sd_forget_module - the object mapped there goes: its variables and kernels are no more */
void sd_forget_module(uintptr_t begin, uintptr_t end);

void *sd_heap_allocate(size_t bytes); /* malloc in a kernel; NULL when the heap is full */
/* sd_heap_refuses - true: memory that neither this heap nor the host's gave; it has been
 * reported */
bool sd_heap_refuses(const void *memory);
bool sd_heap_free(void *memory); /* false: not from this heap */
size_t sd_stack_limit(void);     /* cudaLimitStackSize */
size_t sd_printf_limit(void);

#endif
