/* gpu.h - a GPU for the benchmark: memory, copies and events by the CUDA driver API
 *
 * Method   libcuda.so.1 is opened at run time; its primary context is made current, and the library
 *          under test finds it there
 * Limits   any failure ends the program with a message */
#ifndef HEDDLE_BENCH_GPU_H
#define HEDDLE_BENCH_GPU_H

#include <stddef.h>
#include <stdint.h>

void gpu_open(const char *library); /* NULL: libcuda.so.1 */
const char *gpu_name(void);

void *gpu_memory(size_t bytes);
void gpu_forget(void *memory);
void *gpu_pinned(size_t bytes);
void gpu_unpin(void *memory);
void gpu_copy(void *to, const void *from, size_t bytes);       /* any direction; waits */
void gpu_copy_async(void *to, const void *from, size_t bytes); /* on the default stream */
void gpu_fill(void *memory, unsigned char byte, size_t bytes);
void gpu_wait(void);

void gpu_start(void);   /* an event in the default stream */
double gpu_stop(void);  /* milliseconds since gpu_start, on the device; waits */
double gpu_clock(void); /* milliseconds of the host's clock */

_Noreturn void gpu_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
