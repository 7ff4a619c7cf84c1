/* What the driver API's library asks beyond the runtime API (simt/driver.h). */
#include "simt/driver.h"
#include "module.h"
#include "observer.h"
#include "runtime.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

struct simt_memory simt_memory_of(const void *address) {
  static const enum simt_memory_kind kinds[] = {[RT_DEVICE] = SIMT_MEMORY_DEVICE,
                                                [RT_PINNED] = SIMT_MEMORY_PINNED,
                                                [RT_MANAGED] = SIMT_MEMORY_MANAGED,
                                                [RT_ARRAY] = SIMT_MEMORY_UNKNOWN,
                                                [RT_HEAP] = SIMT_MEMORY_UNKNOWN};
  struct simt_memory memory = {.kind = SIMT_MEMORY_UNKNOWN, .device = rt_device()};
  struct rt_block block;
  if (rt_find(address, &block)) {
    memory = (struct simt_memory){kinds[block.kind], block.begin, block.bytes, block.serial,
                                  block.device};
  } else if (rt_registered(address, &memory.begin, &memory.bytes)) {
    memory.kind = SIMT_MEMORY_REGISTERED;
  } else if (rt_is_symbol(address)) {
    memory.kind = SIMT_MEMORY_VARIABLE;
    memory.begin = (uintptr_t)address;
    memory.bytes = rt_symbol_room(address);
  }
  return memory;
}

/* The loader's symbol knows its size. */
size_t simt_variable_bytes(const void *address) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  if (!rt_is_symbol(address) && !rt_is_constant(address)) return 0;
  if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return 0;
  return info.dli_saddr == address ? symbol->st_size : 0;
}

cudaGraph_t simt_capture_info(cudaStream_t stream, unsigned long long *number) {
  const struct rt_capture *c = rt_stream_ok(stream) ? rt_capture_of(stream) : NULL;
  *number = c && c->graph ? c->number : 0;
  return c ? c->graph : NULL;
}

void simt_capture_spoil(cudaStream_t stream) {
  struct rt_capture *c = rt_stream_ok(stream) ? rt_capture_of(stream) : NULL;
  if (c && c->graph) c->invalid = true;
}

/* A profiled process keeps lanes in lockstep; a checked one has findings to make. */
enum simt_instrumentation simt_instrumented_for(void) {
  if (!sd_observer) return SIMT_UNINSTRUMENTED;
  return sd_observer->fault ? SIMT_CHECKED : SIMT_PROFILED;
}
