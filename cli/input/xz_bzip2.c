/* xz_bzip2.c - liblzma.so.5 and libbz2.so.1.0 by dlopen
 *
 * Method  Their functions and structures are part of their fixed binary interfaces, and declared here. Several
 *         streams one after the other are one, as for xz and bzip2.
 * Limits  xz may ask for a dictionary of up to 256 MiB.
 * Source  the headers of XZ Utils 5 (liblzma, base and container) and of bzip2 1.0 */
#include "xz_bzip2.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>

struct lzma_stream {
  const uint8_t *next_in;
  size_t avail_in;
  uint64_t total_in;
  uint8_t *next_out;
  size_t avail_out;
  uint64_t total_out;
  const void *allocator;
  void *internal;
  void *reserved_pointers[4];
  uint64_t seek_pos, reserved_int2;
  size_t reserved_int3, reserved_int4;
  int reserved_enum1, reserved_enum2;
};

struct bz_stream {
  char *next_in;
  unsigned avail_in, total_in_lo32, total_in_hi32;
  char *next_out;
  unsigned avail_out, total_out_lo32, total_out_hi32;
  void *state;
  void *(*bzalloc)(void *, int, int);
  void (*bzfree)(void *, void *);
  void *opaque;
};

enum {
  LZMA_OK = 0,
  LZMA_STREAM_END = 1,
  LZMA_MEM_ERROR = 5,
  LZMA_MEMLIMIT_ERROR = 6,
  LZMA_BUF_ERROR = 10
};
enum { LZMA_RUN = 0, LZMA_FINISH = 3, LZMA_CONCATENATED = 8, LZMA_MEMORY = 256 << 20 };
enum { BZ_OK = 0, BZ_STREAM_END = 4, BZ_MEM_ERROR = -3 };

struct unpacker {
  void *library;
  const char *name;
  bool bzip2, inside; /* inside a stream of bzip2 */
  struct lzma_stream xz;
  struct bz_stream bz;
  int (*lzma_decoder)(struct lzma_stream *, uint64_t memory, uint32_t flags);
  int (*lzma_code)(struct lzma_stream *, int action);
  void (*lzma_end)(struct lzma_stream *);
  int (*bz_begin)(struct bz_stream *, int verbosity, int small);
  int (*bz_code)(struct bz_stream *);
  int (*bz_end)(struct bz_stream *);
};

/* ISO C has no way from an object pointer to a function pointer but through memory. */
static bool find(struct unpacker *u, const char *symbol, void *function) {
  void *const found = dlsym(u->library, symbol);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

static int missing(const struct unpacker *u, const char *library, struct failure *why) {
  const char *const said = dlerror();
  return fail(
      why, EXIT_DATA,
      "%s: to unpack it needs %s, which cannot be loaded (%s); install it, or %s -dc FILE | "
      "heddle ...",
      u->name, library, said ? said : "a function of it is missing", u->bzip2 ? "bzip2" : "xz");
}

static bool load(struct unpacker *u, const char *library) {
  u->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!u->library) return false;
  if (u->bzip2)
    return find(u, "BZ2_bzDecompressInit", &u->bz_begin) &&
           find(u, "BZ2_bzDecompress", &u->bz_code) && find(u, "BZ2_bzDecompressEnd", &u->bz_end);
  return find(u, "lzma_stream_decoder", &u->lzma_decoder) && find(u, "lzma_code", &u->lzma_code) &&
         find(u, "lzma_end", &u->lzma_end);
}

int unpacker_open(bool bzip2, const char *name, struct unpacker **out, struct failure *why) {
  const char *const library = bzip2 ? "libbz2.so.1.0" : "liblzma.so.5";
  struct unpacker *const u = calloc(1, sizeof *u);
  if (!u) return fail(why, EXIT_DATA, "%s: no memory to unpack it", name);
  u->name = name;
  u->bzip2 = bzip2;
  *out = u;
  if (!load(u, library)) return missing(u, library, why);
  if (!bzip2 && u->lzma_decoder(&u->xz, LZMA_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
    return fail(why, EXIT_DATA, "%s: no memory to unpack it", name);
  return 0;
}

void unpacker_close(struct unpacker *u) {
  if (!u) return;
  if (u->lzma_end) u->lzma_end(&u->xz);
  if (u->bz_end && u->inside) (void)u->bz_end(&u->bz);
  if (u->library) (void)dlclose(u->library);
  free(u);
}

static int wrong(const struct unpacker *u, bool memory, struct failure *why) {
  if (memory) return fail(why, EXIT_DATA, "%s: no memory to unpack it", u->name);
  return fail(why, EXIT_DATA, "%s: the %s data are damaged; get the file again", u->name,
              u->bzip2 ? "bzip2" : "xz");
}

static int cut_off(const struct unpacker *u, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the %s data end too early: the file is cut off; get it again",
              u->name, u->bzip2 ? "bzip2" : "xz");
}

static int go_xz(struct unpacker *u, struct unpacker_step *s, struct failure *why) {
  u->xz.next_in = s->from;
  u->xz.avail_in = s->from_bytes;
  u->xz.next_out = s->to;
  u->xz.avail_out = s->to_bytes;
  const int status = u->lzma_code(&u->xz, s->last ? LZMA_FINISH : LZMA_RUN);
  s->from += s->from_bytes - u->xz.avail_in;
  s->from_bytes = u->xz.avail_in;
  s->to += s->to_bytes - u->xz.avail_out;
  s->to_bytes = u->xz.avail_out;
  s->ended = status == LZMA_STREAM_END;
  if (status == LZMA_MEMLIMIT_ERROR)
    return fail(why, EXIT_DATA,
                "%s: the xz data need more than 256 MiB to unpack; unpack them by xz -dc and pipe "
                "them in",
                u->name);
  if (status == LZMA_BUF_ERROR) return s->last && s->to_bytes > 0 ? cut_off(u, why) : 0;
  return status == LZMA_OK || s->ended ? 0 : wrong(u, status == LZMA_MEM_ERROR, why);
}

static int go_bzip2(struct unpacker *u, struct unpacker_step *s, struct failure *why) {
  if (!u->inside) {
    s->ended = s->last && s->from_bytes == 0;
    if (s->from_bytes == 0) return 0;
    memset(&u->bz, 0, sizeof u->bz);
    if (u->bz_begin(&u->bz, 0, 0) != BZ_OK) return wrong(u, true, why);
    u->inside = true;
  }
  const size_t before = s->from_bytes, room = s->to_bytes < UINT_MAX ? s->to_bytes : UINT_MAX;
  char *in; /* it takes a pointer to what may be written, and only reads */
  memcpy(&in, &s->from, sizeof in);
  u->bz.next_in = in;
  u->bz.avail_in = (unsigned)(before < UINT_MAX ? before : UINT_MAX);
  u->bz.next_out = (char *)s->to;
  u->bz.avail_out = (unsigned)room;
  const unsigned given = u->bz.avail_in;
  const int status = u->bz_code(&u->bz);
  s->from += given - u->bz.avail_in;
  s->from_bytes -= given - u->bz.avail_in;
  s->to += room - u->bz.avail_out;
  s->to_bytes -= room - u->bz.avail_out;
  if (status == BZ_STREAM_END) {
    (void)u->bz_end(&u->bz);
    u->inside = false;
    return 0;
  }
  if (status != BZ_OK) return wrong(u, status == BZ_MEM_ERROR, why);
  return before == 0 && s->last && u->bz.avail_out == room ? cut_off(u, why) : 0;
}

int unpacker_go(struct unpacker *u, struct unpacker_step *step, struct failure *why) {
  step->ended = false;
  return u->bzip2 ? go_bzip2(u, step, why) : go_xz(u, step, why);
}
