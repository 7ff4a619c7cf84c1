/* __device__, __constant__ and __managed__ variables by their addresses.
 *
 * Method   the rewriter puts them in a section of their own, whose bounds each module of the
 *          program makes known before main; constants with an initialiser that are const stand
 *          with the program's read-only data
 * Limits   of a variable that is const only reading is possible; a reset gives back initial values
 *          only where a module's variables have 1 MiB at most
 * Source   CUDA Runtime API 13.0, section Memory Management
 */
#include "module.h"
#include "observer.h"
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MODULES = 4096, REMEMBERED = 1 << 20 };

struct span {
  uintptr_t begin, end;
  bool constant;
  void *initial; /* what stood there before main */
};
static struct span modules[MODULES];
static size_t module_count;

static void remember(struct span *span) {
  const size_t bytes = span->end - span->begin;
  if (bytes > REMEMBERED) return;
  void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return;
  memcpy(copy, (const void *)span->begin, bytes);
  span->initial = copy;
}

void rt_reset_symbols(void) {
  for (size_t i = 0; i < module_count; i++) {
    const size_t bytes = modules[i].end - modules[i].begin;
    if (modules[i].initial) memcpy((void *)modules[i].begin, modules[i].initial, bytes);
  }
}

static void add(const void *begin, const void *end, bool constant) {
  const struct span span = {(uintptr_t)begin, (uintptr_t)end, constant, NULL};
  if (span.begin == span.end) return;
  rt_lock();
  size_t i = 0, free_slot = module_count;
  for (; i < module_count && modules[i].begin != span.begin; i++)
    if (!modules[i].end) free_slot = i;
  if (i == module_count && free_slot < MODULES) {
    modules[free_slot] = span;
    remember(&modules[free_slot]);
    if (free_slot == module_count) module_count++;
  }
  rt_unlock();
}

void simt_register_symbols(const void *begin, const void *end) { add(begin, end, false); }

void simt_register_constants(const void *begin, const void *end) { add(begin, end, true); }

void rt_constants(uintptr_t begin, uintptr_t end, uintptr_t *first, size_t *bytes) {
  *first = *bytes = 0;
  for (size_t i = 0; i < module_count; i++) {
    const struct span *span = &modules[i];
    if (!span->constant || span->begin < begin || span->begin >= end) continue;
    *first = span->begin;
    *bytes = span->end - span->begin;
  }
}

static void forget(struct span *span) {
  if (span->initial) munmap(span->initial, span->end - span->begin);
  *span = (struct span){0};
}

void sd_forget_module(uintptr_t begin, uintptr_t end) {
  rt_slack_look(NULL); /* while its last kernel can be named */
  rt_lock();
  for (size_t i = 0; i < module_count; i++)
    if (modules[i].begin >= begin && modules[i].begin < end) forget(&modules[i]);
  rt_unlock();
  rt_forget_functions(begin, end);
}

static const struct span *find(const struct span *spans, size_t count, const void *address) {
  for (size_t i = 0; i < count; i++)
    if ((uintptr_t)address >= spans[i].begin && (uintptr_t)address < spans[i].end) return &spans[i];
  return NULL;
}

bool rt_is_symbol(const void *address) { return find(modules, module_count, address); }

size_t rt_symbol_room(const void *address) {
  const struct span *span = find(modules, module_count, address);
  return span ? span->end - (uintptr_t)address : 0;
}

/* In a module's read-only data: neither code nor in front of it where it can be written. */
bool rt_is_constant(const void *address) {
  const struct simt_module *m = sd_module_of(address);
  const uintptr_t a = (uintptr_t)address;
  return m && a < m->writable && a - m->text >= m->text_bytes;
}

cudaError_t simt_check_symbol(const void *symbol, size_t bytes, size_t offset, size_t count) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!rt_is_symbol(symbol) && !rt_is_constant(symbol)) return rt_end(cudaErrorInvalidSymbol);
  if (offset <= bytes && count <= bytes - offset) return cudaSuccess;
  static const struct sd_location nowhere[2];
  char text[160];
  snprintf(text, sizeof text,
           "%zu bytes at offset %zu do not fit into the %zu bytes of the variable", count, offset,
           bytes);
  SD_NOTIFY(finding, SD_OUT_OF_BOUNDS, nowhere, text);
  return rt_end(cudaErrorInvalidValue);
}

static cudaError_t check_copy(const void *symbol, enum cudaMemcpyKind kind,
                              enum cudaMemcpyKind usual) {
  const bool into = usual == cudaMemcpyHostToDevice;
  const cudaError_t error = rt_begin();
  if (error) return error;
  if (!rt_is_symbol(symbol) && (into || !rt_is_constant(symbol))) return cudaErrorInvalidSymbol;
  if (kind != usual && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
  const cudaError_t error = check_copy(symbol, kind, cudaMemcpyHostToDevice);
  if (error) return rt_end(error);
  return cudaMemcpy((char *)(uintptr_t)symbol + offset, src, count, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
  const cudaError_t error = check_copy(symbol, kind, cudaMemcpyDeviceToHost);
  if (error) return rt_end(error);
  return cudaMemcpy(dst, (const char *)symbol + offset, count, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = check_copy(symbol, kind, cudaMemcpyHostToDevice);
  if (error) return rt_end(error);
  return cudaMemcpyAsync((char *)(uintptr_t)symbol + offset, src, count, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = check_copy(symbol, kind, cudaMemcpyDeviceToHost);
  if (error) return rt_end(error);
  return cudaMemcpyAsync(dst, (const char *)symbol + offset, count, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  const cudaError_t error = rt_begin();
  if (error) return rt_end(error);
  if (!devPtr) return rt_end(cudaErrorInvalidValue);
  if (!rt_is_symbol(symbol) && !rt_is_constant(symbol)) return rt_end(cudaErrorInvalidSymbol);
  SD_NOTIFY(symbol_asked, symbol);
  *devPtr = (void *)(uintptr_t)symbol;
  return cudaSuccess;
}
