/* Code that is not simt's: PTX, NVIDIA's cubins and fat binaries, and the linker for them.
 *
 * Method   the first bytes tell what it is; it is refused as a driver does that lacks what it would
 *          take, and a line says what can be done, in the log that the program gave or on standard
 *          error
 * Source   CUDA Driver API 13.0, section Module Management
 */
#include "modules.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 8 }; /* bytes that are enough to tell */

/* As much of it as is there, through a pipe. */
static size_t read_start(const void *memory, char start[HEAD]) {
  int ends[2];
  size_t got = 0;
  if (pipe2(ends, O_CLOEXEC)) return 0;
  while (got < HEAD && module_write_memory(ends[1], (const char *)memory + got, 1) &&
         read(ends[0], start + got, 1) == 1)
    got++;
  close(ends[0]);
  close(ends[1]);
  return got;
}

/* The buffer and its size are two options; the size becomes what was written. */
static bool write_log(const struct jit_options *jit, const char *text) {
  char *log = NULL;
  void **size = NULL;
  for (unsigned i = 0; i < jit->count; i++) {
    if (jit->options[i] == CU_JIT_ERROR_LOG) log = jit->values[i];
    if (jit->options[i] == CU_JIT_ERROR_LOG_BYTES) size = &jit->values[i];
  }
  const size_t room = size ? (uintptr_t)*size & UINT32_MAX : 0; /* an unsigned int */
  if (!log || !room) return false;
  const int length = snprintf(log, room, "%s", text);
  const size_t whole = length > 0 ? (size_t)length + 1 : 0;
  *size = (void *)(whole < room ? whole : room);
  return true;
}

static CUresult refuse(const struct jit_options *jit, CUresult result, const char *what) {
  char text[256];
  snprintf(
      text, sizeof text,
      "%s cannot run on the software device, which takes images that its own NVRTC has made of "
      "CUDA C++ text",
      what);
  if (!write_log(jit, text)) fprintf(stderr, "simt: %s\n", text);
  return result;
}

CUresult foreign_refuse(const void *memory, const struct jit_options *jit) {
  static const unsigned char fat[] = {0x50, 0xED, 0x55, 0xBA}, wrapped[] = {0xB1, 0x43, 0x62, 0x46};
  char start[HEAD] = {0};
  const size_t length = read_start(memory, start), blank = strspn(start, "\n\r\t ");
  const bool is_code = !memcmp(start, "\177ELF", 4) || !memcmp(start, fat, sizeof fat) ||
                       !memcmp(start, wrapped, sizeof wrapped);
  if (length == HEAD && is_code)
    return refuse(jit, CUDA_ERROR_NO_BINARY_FOR_GPU, "code of a GPU (a cubin or fat binary)");
  if (length == HEAD && blank <= HEAD - 4 &&
      (!memcmp(start + blank, "//\n", 3) || !memcmp(start + blank, ".ver", 4)))
    return refuse(jit, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "PTX, such as Numba makes of kernels,");
  return CUDA_ERROR_INVALID_IMAGE;
}

/* ---- The linker of PTX and cubins: there is none --------------------------------------------- */

API_EXPORT CUresult cuLinkCreate_v2(unsigned count, const int *options, void **values,
                                    void **state) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  if (!state || (count && (!options || !values))) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const struct jit_options jit = {count, options, values};
  return api_leave(refuse(&jit, CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                          "PTX, such as Numba makes of kernels, and what is linked of it"));
}

/* Of linkers that were never made. */
static CUresult refuse_state(const char *name) {
  const CUresult refused = api_enter(name, API_INITIALISED);
  return refused ? refused : api_leave(CUDA_ERROR_INVALID_HANDLE);
}

API_EXPORT CUresult cuLinkAddData_v2(void *state, int type, void *data, size_t bytes,
                                     const char *name, unsigned count, const int *options,
                                     void **values) {
  (void)state, (void)type, (void)data, (void)bytes, (void)name;
  (void)count, (void)options, (void)values;
  return refuse_state(__func__);
}

API_EXPORT CUresult cuLinkAddFile_v2(void *state, int type, const char *path, unsigned count,
                                     const int *options, void **values) {
  (void)state, (void)type, (void)path, (void)count, (void)options, (void)values;
  return refuse_state(__func__);
}

API_EXPORT CUresult cuLinkComplete(void *state, void **image, size_t *bytes) {
  (void)state, (void)image, (void)bytes;
  return refuse_state(__func__);
}

API_EXPORT CUresult cuLinkDestroy(void *state) {
  (void)state;
  return refuse_state(__func__);
}
