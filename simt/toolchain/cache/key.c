/* A hash, and text that identifies a machine (key.h).
 *
 * Method  the compiler is known by the file that PATH leads to, its size and time: asking it
 *         for its version would cost more than a cached start has
 */
#include "key.h"

#include <cpuid.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/files.h"

static void add_compiler(struct text *out) {
  const char *path = getenv("PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    char *whole = text_format("%.*s/g++", (int)length, path);
    char *real = access(whole, X_OK) ? NULL : realpath(whole, NULL);
    free(whole);
    if (real) {
      text_add_string(out, "compiler ");
      if (!files_stamp(real, out, NULL)) text_add_string(out, "missing");
      text_add_string(out, "\n");
      free(real);
      return;
    }
    path += length + (path[length] == ':');
  }
  text_add_string(out, "compiler none\n");
}

/* What -march=native goes by. */
static void add_processor(struct text *out) {
  static const unsigned leaves[][2] = {{0, 0},  {1, 0},  {7, 0},          {7, 1},
                                       {13, 1}, {20, 0}, {0x80000001u, 0}};
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaves[i][0], leaves[i][1], &a, &b, &c, &d);
    if (leaves[i][0] == 1) b &= 0xffu; /* the upper part says which core asks */
    if (leaves[i][0] == 13) b = 0;     /* the size of what is in use now */
    text_add_format(out, "%x %x %x %x\n", a, b, c, d);
  }
}

static void add_environment(struct text *out) {
  static const char *const names[] = {"CPATH",        "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH",
                                      "LIBRARY_PATH", "COMPILER_PATH",      "GCC_EXEC_PREFIX"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value) text_add_format(out, "%s=%s\n", names[i], value);
  }
}

void cache_add_machine(struct text *out) {
  add_compiler(out);
  add_processor(out);
  add_environment(out);
}

void cache_key(const struct text *t, char name[33]) {
  static const char digits[] = "0123456789abcdef";
  uint64_t h[2] = {14695981039346656037u, 0x9e3779b97f4a7c15u};
  for (size_t i = 0; i < t->length; i++) {
    h[0] = (h[0] ^ (unsigned char)t->data[i]) * 1099511628211u;
    h[1] = (h[1] ^ h[0] ^ (unsigned char)t->data[i]) * 0xd6e8feb86659fd93u;
    h[1] ^= h[1] >> 32;
  }
  for (int i = 0; i < 32; i++) name[i] = digits[h[i / 16] >> (i % 16 * 4) & 15];
  name[32] = 0;
}
