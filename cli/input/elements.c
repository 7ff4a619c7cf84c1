/* elements.c - .npy files, raw elements and the bytes of any file
 *
 * Method    Blocks of BLOCK_BYTES by stream_read into one buffer: what is resident does not grow
 *           with the file, and a file that shrinks is a message, not a signal. Elements of the
 *           other byte order are turned in the buffer. A plain file in this machine's order is
 *           mapped as well, for input_whole only: a map takes no memory until it is read. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "map.h"

enum { BLOCK_BYTES = 4 << 20 };

/* ---- turning bytes ------------------------------------------------------------------------- */

static void swap_16(unsigned char *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint16_t v;
    memcpy(&v, p + 2 * i, sizeof v);
    v = __builtin_bswap16(v);
    memcpy(p + 2 * i, &v, sizeof v);
  }
}

static void swap_32(unsigned char *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t v;
    memcpy(&v, p + 4 * i, sizeof v);
    v = __builtin_bswap32(v);
    memcpy(p + 4 * i, &v, sizeof v);
  }
}

static void swap_64(unsigned char *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t v;
    memcpy(&v, p + 8 * i, sizeof v);
    v = __builtin_bswap64(v);
    memcpy(p + 8 * i, &v, sizeof v);
  }
}

static void swap_elements(unsigned char *p, size_t count, size_t element_bytes) {
  if (element_bytes == 2) swap_16(p, count);
  if (element_bytes == 4) swap_32(p, count);
  if (element_bytes == 8) swap_64(p, count);
}

/* ---- opening ------------------------------------------------------------------------------- */

static int read_npy_header(struct input *in, struct failure *why) {
  unsigned char prefix[NPY_PREFIX];
  unsigned char peeked[STREAM_PEEK];
  size_t count, begin, length, got;
  if (stream_peek(in->stream, peeked, &count, why) != 0) return -1;
  if (count > NPY_PREFIX) count = NPY_PREFIX;
  if (npy_read_prefix(peeked, count, in->name, &begin, &length, why) != 0) return -1;
  if (stream_read(in->stream, prefix, begin, &got, why) != 0) return -1;
  char *const text = malloc(length + 1);
  if (!text) return fail(why, EXIT_DATA, "%s: no memory for its header", in->name);
  int status = stream_read(in->stream, text, length, &got, why);
  if (status == 0 && got < length)
    status = fail(why, EXIT_DATA,
                  "%s: the .npy file ends inside its header: the header has %zu bytes, the file "
                  "%zu of them",
                  in->name, length, got);
  if (status == 0) status = npy_read_dictionary(text, length, in->name, &in->npy, why);
  free(text);
  in->npy.data_offset = begin + length;
  return status;
}

/* What is delivered is in C order of the reversed shape. */
static void reverse_shape(struct npy_header *npy) {
  for (size_t i = 0, j = npy->dimensions; i + 1 < j; i++) {
    const size_t kept = npy->shape[i];
    npy->shape[i] = npy->shape[--j];
    npy->shape[j] = kept;
  }
}

static int truncated(const struct input *in, uint64_t actual, struct failure *why) {
  const uint64_t bytes = in->npy.count * heddle_type_size(in->type);
  return fail(why, EXIT_DATA,
              "%s: the file is cut off: its header promises %llu bytes of data (%llu %s elements), "
              "it has %llu; write or copy it again",
              in->name, (unsigned long long)bytes, (unsigned long long)in->npy.count,
              heddle_type_name(in->type), (unsigned long long)actual);
}

static int open_npy(struct input *in, struct failure *why) {
  if (!in->placed && read_npy_header(in, why) != 0) return -1;
  if (in->npy.fortran) reverse_shape(&in->npy);
  const size_t size = heddle_type_size(in->npy.type);
  const uint64_t count = in->npy.count;
  int fd;
  uint64_t begin, bytes;
  in->type = in->npy.type;
  in->swapped = in->npy.swapped;
  if (stream_is_file(in->stream, &fd, &begin, &bytes)) {
    const uint64_t data = bytes > in->npy.data_offset ? bytes - in->npy.data_offset : 0;
    if (data < count * size) return truncated(in, data, why);
  }
  const uint64_t offset = in->options.offset;
  if (offset > count)
    return fail(why, EXIT_USAGE, "%s: offset %llu lies behind the last of its %llu elements",
                in->name, (unsigned long long)offset, (unsigned long long)count);
  in->first_byte = in->npy.data_offset + offset * size;
  in->count = count - offset < in->options.count ? count - offset : in->options.count;
  in->cut = in->count != count;
  return 0;
}

static int open_raw(struct input *in, struct failure *why) {
  in->type = in->format == INPUT_BYTES ? HEDDLE_U8 : in->options.type;
  const size_t size = heddle_type_size(in->type);
  if (size == 0)
    return fail(why, EXIT_USAGE, "%s: raw elements need a type, for example --type f32", in->name);
  in->swapped = in->options.big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  in->first_byte = in->options.offset;
  in->count = in->options.count;
  int fd;
  uint64_t begin, bytes;
  if (!stream_is_file(in->stream, &fd, &begin, &bytes)) return 0;
  if (in->options.offset > bytes)
    return fail(why, EXIT_USAGE, "%s: offset %llu lies behind its last byte: it has %llu", in->name,
                (unsigned long long)in->options.offset, (unsigned long long)bytes);
  const uint64_t data = bytes - in->options.offset;
  if (data / size < in->options.count) {
    if (data % size != 0)
      return fail(
          why, EXIT_DATA,
          "%s: %llu bytes are not a whole number of %s elements; check the type, or set offset "
          "and count",
          in->name, (unsigned long long)data, heddle_type_name(in->type));
    in->count = data / size;
  }
  return 0;
}

static void map_whole(struct input *in) {
  int fd;
  uint64_t begin, bytes;
  if (in->options.no_map || in->swapped || in->count == 0 || in->count == UINT64_MAX) return;
  if (!stream_is_file(in->stream, &fd, &begin, &bytes)) return;
  const uint64_t end = begin + in->first_byte + in->count * heddle_type_size(in->type);
  if (end > SIZE_MAX / 2) return;
  in->map = map_file(fd, (size_t)end, in->name);
  if (in->map) in->whole = (const char *)in->map + begin + in->first_byte;
}

/* Passes over what lies in front of the first element; `passed` bytes are behind already. */
static int go_to_first(struct input *in, uint64_t passed, struct failure *why) {
  uint64_t done;
  in->delivered = 0;
  if (stream_skip(in->stream, in->first_byte - passed, &done, why) != 0) return -1;
  if (done == in->first_byte - passed) return 0;
  if (in->format == INPUT_NPY) return truncated(in, passed + done - in->npy.data_offset, why);
  return fail(why, EXIT_USAGE, "%s: offset %llu lies behind its last byte: it has %llu", in->name,
              (unsigned long long)in->first_byte, (unsigned long long)(passed + done));
}

int elements_open(struct input *in, struct failure *why) {
  const int status = in->format == INPUT_NPY ? open_npy(in, why) : open_raw(in, why);
  if (status != 0) return -1;
  if (heddle_type_size(in->type) == 1) in->swapped = false;
  in->block = malloc(BLOCK_BYTES);
  if (!in->block) return fail(why, EXIT_DATA, "%s: no memory for a block", in->name);
  map_whole(in);
  return go_to_first(in, in->format == INPUT_NPY ? in->npy.data_offset : 0, why);
}

void elements_close(struct input *in) {
  unmap_file(in->map);
  free(in->block);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* The stream has ended inside, or in front of, the elements that were promised. */
static int ended_early(struct input *in, size_t bytes, struct failure *why) {
  const size_t size = heddle_type_size(in->type);
  const uint64_t had = in->delivered * size + bytes;
  if (in->format == INPUT_NPY) return truncated(in, in->options.offset * size + had, why);
  return fail(
      why, EXIT_DATA,
      "%s: %llu bytes are not a whole number of %s elements; check the type, or set offset and "
      "count",
      in->name, (unsigned long long)had, heddle_type_name(in->type));
}

uint64_t elements_count(const struct input *in) {
  int fd;
  uint64_t begin, bytes;
  if (in->format == INPUT_NPY) return in->count;
  return stream_is_file(in->stream, &fd, &begin, &bytes) ? in->count : UINT64_MAX;
}

int elements_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  const size_t size = heddle_type_size(in->type);
  const uint64_t left = in->count - in->delivered;
  size_t wanted = BLOCK_BYTES / size;
  if (left < wanted) wanted = (size_t)left;
  size_t got;
  data[0] = in->block;
  if (stream_read(in->stream, in->block, wanted * size, &got, why) != 0) return -1;
  const bool promised = in->format == INPUT_NPY || elements_count(in) != UINT64_MAX;
  if (got < wanted * size && (got % size != 0 || promised)) return ended_early(in, got, why);
  *count = got / size;
  if (in->swapped) swap_elements(in->block, *count, size);
  in->delivered += *count;
  return 0;
}

int elements_rewind(struct input *in, struct failure *why) {
  if (stream_rewind(in->stream, why) != 0) return -1;
  return go_to_first(in, 0, why);
}
