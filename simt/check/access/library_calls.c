/* Memory that the C library's functions read and write for host code: copies, fills and comparisons, blocks
 * of files.
 *
 * Result   as if the host's own code had made each access, at the line that calls
 * Method   heddle-cc --check links with --wrap, so that these calls come here first
 * Limits   calls of the program's own objects, of these functions
 */
#include "access.h"
#include "host/host.h"

#include <stdio.h>
#include <string.h>

#define ENTRY __attribute__((visibility("default")))
#define PC __builtin_return_address(0)
#define FRAME (*(void *const *)__builtin_frame_address(0))

ENTRY void *__wrap_memcpy(void *to, const void *from, size_t bytes) {
  ck_host_range(from, bytes, false, PC, FRAME);
  ck_host_range(to, bytes, true, PC, FRAME);
  return memcpy(to, from, bytes);
}

ENTRY void *__wrap_memmove(void *to, const void *from, size_t bytes) {
  ck_host_range(from, bytes, false, PC, FRAME);
  ck_host_range(to, bytes, true, PC, FRAME);
  return memmove(to, from, bytes);
}

ENTRY void *__wrap_memset(void *to, int value, size_t bytes) {
  ck_host_range(to, bytes, true, PC, FRAME);
  return memset(to, value, bytes);
}

ENTRY int __wrap_memcmp(const void *a, const void *b, size_t bytes) {
  ck_host_range(a, bytes, false, PC, FRAME);
  ck_host_range(b, bytes, false, PC, FRAME);
  return memcmp(a, b, bytes);
}

ENTRY size_t __wrap_fwrite(const void *from, size_t bytes, size_t count, FILE *to) {
  ck_host_range(from, bytes * count, false, PC, FRAME);
  return fwrite(from, bytes, count, to);
}

ENTRY size_t __wrap_fread(void *to, size_t bytes, size_t count, FILE *from) {
  ck_host_range(to, bytes * count, true, PC, FRAME);
  return fread(to, bytes, count, from);
}
