/* npz.c - an archive of .npy arrays, one a column, stored
 *
 * Method  Columns come side by side, and members lie one behind the other: each column goes to a nameless file first,
 *         since how long it gets and its checksum stand in front of it.
 *         Every member has a zip64 header, as NumPy writes them, so that none can be too large.
 * Source  PKWARE APPNOTE.TXT 6.3.10; numpy.savez */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zlib.h>

#include "bytes.h"
#include "commands/command.h"
#include "input/spool.h"
#include "output/npy.h"
#include "tables.h"

enum { COPY_BYTES = 1 << 20, VERSION_ZIP64 = 45, DAY_1980 = 0x21 };

struct member {
  struct spool *spool;
  char *name;
  uint64_t local, bytes; /* where its header is; bytes of the whole .npy */
  uint32_t crc;          /* of the elements, then of the .npy */
};

struct npz {
  struct member member[INPUT_MAX_COLUMNS];
  uint64_t rows, position;
  struct bytes out;
};

static int no_memory(struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory for an archive");
}

/* "NAME.npy" where no part of a name is a folder. */
static char *member_name(const struct writer *w, size_t k) {
  const char *const name = w->named || w->columns > 1 ? w->name[k] : "arr_0";
  const size_t bytes = strlen(name) + 5;
  char *const out = malloc(bytes);
  if (!out) return NULL;
  (void)snprintf(out, bytes, "%s.npy", name);
  for (char *p = out; *p != '\0'; p++)
    if (*p == '/' || *p == '\\') *p = '_';
  return out;
}

/* Each column has a file of its own until the end. */
static void allow_files(size_t count) {
  enum { OTHERS = 32 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count + OTHERS) return;
  limit.rlim_cur = limit.rlim_max < count + OTHERS ? limit.rlim_max : count + OTHERS;
  (void)setrlimit(RLIMIT_NOFILE, &limit); /* opening them says it */
}

static int begin(struct writer *w, struct failure *why) {
  static const struct spool_use use = {"the archive", NULL, "is put together column by column",
                                       "set TMPDIR to a folder"};
  struct npz *const z = calloc(1, sizeof *z);
  w->own = z;
  if (!z) return no_memory(why);
  if (w->type == HEDDLE_BF16)
    return fail(why, EXIT_USAGE, ".npy has no type for bf16 elements; add --out-type f32");
  allow_files(w->columns);
  for (size_t k = 0; k < w->columns; k++) {
    z->member[k].name = member_name(w, k);
    if (!z->member[k].name) return no_memory(why);
    if (strlen(z->member[k].name) > UINT16_MAX)
      return fail(why, EXIT_USAGE, "a name of more than 65535 bytes has no place in an archive");
    if (spool_open(&use, &z->member[k].spool, why) != 0) return -1;
  }
  return 0;
}

static int block(struct writer *w, const void *const data[], size_t rows, struct failure *why) {
  struct npz *const z = w->own;
  const size_t bytes = rows * heddle_type_size(w->type);
  for (size_t k = 0; k < w->columns; k++)
    if (spool_append(z->member[k].spool, data[k], bytes, why) != 0) return -1;
  z->rows += rows;
  return 0;
}

static void emit(struct writer *w, const void *data, size_t bytes) {
  struct npz *const z = w->own;
  sink_write(&w->sink, data, bytes);
  z->position += bytes;
}

/* The part that a local header and an entry of the directory share. */
static void put_common(struct bytes *b, const struct member *m) {
  bytes_number(b, VERSION_ZIP64, 2);
  bytes_number(b, 0x800, 2); /* names are UTF-8 */
  bytes_number(b, 0, 2);     /* stored */
  bytes_number(b, (uint64_t)DAY_1980 << 16, 4);
  bytes_number(b, m->crc, 4);
  bytes_number(b, UINT32_MAX, 4);
  bytes_number(b, UINT32_MAX, 4);
  bytes_number(b, strlen(m->name), 2);
}

static int copy_elements(struct writer *w, struct member *m, unsigned char *buffer, bool write,
                         struct failure *why) {
  size_t got = 1;
  for (uint64_t at = 0; got > 0; at += got) {
    if (spool_read(m->spool, at, buffer, COPY_BYTES, &got, why) != 0) return -1;
    if (write)
      emit(w, buffer, got);
    else
      m->crc = (uint32_t)crc32_z(m->crc, buffer, got);
  }
  return 0;
}

static int write_member(struct writer *w, struct member *m, unsigned char *buffer,
                        struct failure *why) {
  struct npz *const z = w->own;
  unsigned char header[NPY_WRITTEN_MAX];
  const size_t *shape;
  size_t bytes, count = (size_t)z->rows,
                dims = w->columns == 1 ? input_shape(w->src->in, &shape) : 0;
  size_t turned[NPY_MAX_DIMENSIONS];
  const bool fortran = dims > 1 && input_fortran(w->src->in);
  for (size_t d = 0; d < dims; d++) turned[d] = fortran ? shape[dims - 1 - d] : shape[d];
  if (npy_write_header(w->type, dims > 0 ? dims : 1, dims > 0 ? turned : &count, fortran, header,
                       &bytes, why) != 0)
    return -1;
  m->bytes = bytes + spool_bytes(m->spool);
  m->local = z->position;
  m->crc = (uint32_t)crc32_z(0, header, bytes);
  if (copy_elements(w, m, buffer, false, why) != 0) return -1;
  struct bytes *const b = &z->out;
  b->used = 0;
  bytes_number(b, 0x04034b50, 4);
  put_common(b, m);
  bytes_number(b, 20, 2);
  bytes_put(b, m->name, strlen(m->name));
  bytes_number(b, 1, 2);
  bytes_number(b, 16, 2);
  bytes_number(b, m->bytes, 8);
  bytes_number(b, m->bytes, 8);
  if (b->full) return no_memory(why);
  emit(w, b->data, b->used);
  emit(w, header, bytes);
  return copy_elements(w, m, buffer, true, why);
}

static void put_entry(struct bytes *b, const struct member *m) {
  bytes_number(b, 0x02014b50, 4);
  bytes_number(b, VERSION_ZIP64, 2);
  put_common(b, m);
  bytes_number(b, 28, 2);
  bytes_zeros(b, 2 + 2 + 2 + 4); /* no comment, disk 0, no attributes */
  bytes_number(b, UINT32_MAX, 4);
  bytes_put(b, m->name, strlen(m->name));
  bytes_number(b, 1, 2);
  bytes_number(b, 24, 2);
  bytes_number(b, m->bytes, 8);
  bytes_number(b, m->bytes, 8);
  bytes_number(b, m->local, 8);
}

static void put_end(struct bytes *b, const struct writer *w, uint64_t directory, uint64_t bytes) {
  bytes_number(b, 0x06064b50, 4);
  bytes_number(b, 44, 8);
  bytes_number(b, VERSION_ZIP64, 2);
  bytes_number(b, VERSION_ZIP64, 2);
  bytes_zeros(b, 8);
  bytes_number(b, w->columns, 8);
  bytes_number(b, w->columns, 8);
  bytes_number(b, bytes, 8);
  bytes_number(b, directory, 8);
  bytes_number(b, 0x07064b50, 4);
  bytes_zeros(b, 4);
  bytes_number(b, directory + bytes, 8);
  bytes_number(b, 1, 4);
  bytes_number(b, 0x06054b50, 4);
  bytes_zeros(b, 4);
  bytes_number(b, UINT16_MAX, 2);
  bytes_number(b, UINT16_MAX, 2);
  bytes_number(b, UINT32_MAX, 4);
  bytes_number(b, UINT32_MAX, 4);
  bytes_zeros(b, 2);
}

static int end(struct writer *w, struct failure *why) {
  struct npz *const z = w->own;
  unsigned char *const buffer = malloc(COPY_BYTES);
  int status = buffer ? 0 : no_memory(why);
  for (size_t k = 0; k < w->columns && status == 0; k++)
    status = write_member(w, &z->member[k], buffer, why);
  free(buffer);
  if (status != 0) return -1;
  struct bytes *const b = &z->out;
  const uint64_t directory = z->position;
  b->used = 0;
  for (size_t k = 0; k < w->columns; k++) put_entry(b, &z->member[k]);
  put_end(b, w, directory, b->used);
  if (b->full) return no_memory(why);
  emit(w, b->data, b->used);
  return 0;
}

static void release(struct writer *w) {
  struct npz *const z = w->own;
  if (!z) return;
  for (size_t k = 0; k < w->columns; k++) {
    spool_close(z->member[k].spool);
    free(z->member[k].name);
  }
  free(z->out.data);
  free(z);
}

const struct writer_format npz_writer = {begin, block, NULL, end, release};
