/* device.h - a CPU's side of the calls for devices, and the entries that two back ends share */
#ifndef HEDDLE_CPU_DEVICE_H
#define HEDDLE_CPU_DEVICE_H

#include "../backend.h"

struct hd_kernels;

/* cpu.c */
/* The table that HEDDLE_ISA asks for, or the best that this machine has; a note tells why not. */
const struct hd_kernels *hd_cpu_kernels(char *note, size_t bytes);
heddle_status hd_cpu_open(heddle_context *ctx, const char *rest);
void hd_cpu_close(heddle_context *ctx);
heddle_status hd_cpu_info(heddle_context *ctx, heddle_device_info *out);

/* device.c */
heddle_status hd_cpu_set_stream(heddle_context *ctx, void *stream);
heddle_status hd_cpu_sync(heddle_context *ctx);
heddle_status hd_cpu_device_alloc(heddle_context *ctx, size_t bytes, void **out);
heddle_status hd_cpu_device_free(heddle_context *ctx, void *memory);
heddle_status hd_cpu_copy(heddle_context *ctx, void *to, const void *from, size_t bytes);
heddle_status hd_cpu_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                                          heddle_device_release *release, void *user);
heddle_status hd_cpu_prepare_begin(heddle_context *ctx);
heddle_status hd_cpu_prepare_end(heddle_context *ctx, size_t *scratch_bytes);
heddle_status hd_cpu_set_scratch(heddle_context *ctx, void *memory, size_t bytes);

#endif
