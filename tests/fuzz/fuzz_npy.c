/* fuzz_npy.c - any bytes as a .npy header
 *
 * Checked: nothing is read outside the bytes; a header that is taken describes an array that fits
 * the address space, with the product of its shape as count; written again and read back, it is
 * the same header. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

static void check_shape(const struct npy_header *h) {
  const size_t element = heddle_type_size(h->type);
  require(element > 0 && h->dimensions <= NPY_MAX_DIMENSIONS);
  require(h->count <= SIZE_MAX / 2 / element);
  unsigned __int128 product = 1;
  for (size_t i = 0; i < h->dimensions; i++) {
    if (h->shape[i] == 0) {
      require(h->count == 0);
      return;
    }
    product *= h->shape[i];
    require(product <= SIZE_MAX);
  }
  require(product == h->count);
}

static void check_round_trip(const struct npy_header *h) {
  static unsigned char bytes[NPY_WRITTEN_MAX];
  struct failure why;
  struct npy_header again;
  size_t count, begin, length;
  require(npy_write_header(h->type, h->dimensions, h->shape, h->fortran, bytes, &count, &why) == 0);
  require(count % 64 == 0 && bytes[count - 1] == '\n');
  require(npy_read_prefix(bytes, count, "x", &begin, &length, &why) == 0);
  require(begin + length == count);
  require(npy_read_dictionary((char *)bytes + begin, length, "x", &again, &why) == 0);
  require(again.type == h->type && again.fortran == h->fortran && !again.swapped);
  require(again.dimensions == h->dimensions && again.count == h->count);
  require(memcmp(again.shape, h->shape, h->dimensions * sizeof *h->shape) == 0);
}

static void read_dictionary(const uint8_t *data, size_t size) {
  /* A copy of exactly this size: the sanitizer sees a read behind it. */
  char *const text = malloc(size + (size == 0));
  if (!text) return;
  memcpy(text, data, size);
  struct npy_header header;
  struct failure why;
  if (npy_read_dictionary(text, size, "x", &header, &why) == 0) {
    check_shape(&header);
    check_round_trip(&header);
  } else {
    require(why.text[0] != '\0' && why.exit_code == EXIT_DATA);
  }
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct failure why;
  size_t begin, length;
  if (npy_read_prefix(data, size, "x", &begin, &length, &why) == 0) {
    require(begin <= size && length <= NPY_MAX_HEADER);
    read_dictionary(data + begin, length < size - begin ? length : size - begin);
  }
  read_dictionary(data, size); /* without a prefix, most mutations reach the parser */
  return 0;
}
