/* safetensors.c - a tensor by the JSON header of a safetensors file
 *
 * Layout    The header's length, eight bytes, least first; the header, {"NAME": {"dtype": "F32", "shape": [2, 3],
 *           "data_offsets": [0, 24]}, ..., "__metadata__": {"key": "text"}}; the elements, in C order.
 * Method    A parser for exactly that JSON. Each number and each product is checked against overflow, each range
 *           against the file's size, before it is used; all tensors are checked, whichever is wanted.
 * Limits    A header of at most 100 MB, the format's own limit; names of up to 1024 bytes.
 * Source    github.com/huggingface/safetensors, README.md, Format */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "little.h"
#include "names.h"

enum { HEADER_MOST = 100 * 1000 * 1000, NAME_MOST = 1024, PREFIX = 8 };

struct tensor {
  char name[NAME_MOST + 1];
  size_t name_bytes;
  char dtype[16];
  size_t shape[NPY_MAX_DIMENSIONS], dimensions;
  uint64_t begin, end;
  unsigned seen; /* keys */
};

struct cursor {
  const char *p, *begin, *end;
  const char *file;
  struct failure *why;
};

bool safetensors_has_magic(const unsigned char *bytes, size_t count) {
  return count > PREFIX && bytes[PREFIX] == '{' && little_64(bytes) >= 2 &&
         little_64(bytes) <= HEADER_MOST;
}

static int malformed(const struct cursor *at, const char *expected) {
  return fail(at->why, EXIT_DATA,
              "%s: the safetensors header is damaged: %s expected at byte %zu of it", at->file,
              expected, (size_t)(at->p - at->begin));
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void pass_blanks(struct cursor *at) {
  while (at->p < at->end && (*at->p == ' ' || *at->p == '\n' || *at->p == '\t' || *at->p == '\r'))
    at->p++;
}

static bool take(struct cursor *at, char c) {
  pass_blanks(at);
  if (at->p == at->end || *at->p != c) return false;
  at->p++;
  return true;
}

/* Four hexadecimal digits as UTF-8; surrogates one by one, as names in messages alone need them. */
static bool take_unicode(struct cursor *at, char *out, size_t *used) {
  unsigned code = 0;
  if (at->end - at->p < 4) return false;
  for (int i = 0; i < 4; i++, at->p++) {
    const char c = *at->p;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    code = code << 4 | (unsigned)digit;
  }
  if (code < 0x80) {
    out[(*used)++] = (char)code;
  } else if (code < 0x800) {
    out[(*used)++] = (char)(0xc0 | code >> 6);
    out[(*used)++] = (char)(0x80 | (code & 0x3f));
  } else {
    out[(*used)++] = (char)(0xe0 | code >> 12);
    out[(*used)++] = (char)(0x80 | (code >> 6 & 0x3f));
    out[(*used)++] = (char)(0x80 | (code & 0x3f));
  }
  return true;
}

/* A string; what does not fit `room` is an error, or passed over where out is NULL. */
static int take_string(struct cursor *at, char *out, size_t room, size_t *bytes) {
  static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
  char scratch[4];
  if (!take(at, '"')) return malformed(at, "a string");
  *bytes = 0;
  while (at->p < at->end && *at->p != '"') {
    size_t used = 0;
    char c = *at->p++;
    if ((unsigned char)c < ' ') return malformed(at, "a character of a string");
    if (c != '\\') {
      scratch[used++] = c;
    } else {
      if (at->p == at->end) break;
      c = *at->p++;
      const char *e = escapes;
      while (*e != '\0' && *e != c) e += 2;
      if (c != 'u' && *e == '\0') return malformed(at, "an escape");
      if (c != 'u')
        scratch[used++] = e[1];
      else if (!take_unicode(at, scratch, &used))
        return malformed(at, "four hexadecimal digits");
    }
    if (!out) continue;
    if (used >= room - *bytes) return malformed(at, "a shorter string");
    memcpy(out + *bytes, scratch, used);
    *bytes += used;
  }
  if (!take(at, '"')) return malformed(at, "the end of a string");
  if (out) out[*bytes] = '\0';
  return 0;
}

static int take_number(struct cursor *at, uint64_t *out) {
  uint64_t value = 0;
  pass_blanks(at);
  const char *const first = at->p;
  for (; at->p < at->end && *at->p >= '0' && *at->p <= '9'; at->p++)
    if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(*at->p - '0'), &value))
      return malformed(at, "a number below 2^64");
  if (at->p == first) return malformed(at, "a whole number");
  *out = value;
  return 0;
}

/* ---- one tensor ---------------------------------------------------------------------------- */

enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4, ALL = 7 };

static int take_shape(struct cursor *at, struct tensor *t) {
  uint64_t value;
  t->dimensions = 0;
  if (!take(at, '[')) return malformed(at, "a list of dimensions");
  if (take(at, ']')) return 0;
  do {
    if (t->dimensions == NPY_MAX_DIMENSIONS) return malformed(at, "at most 64 dimensions");
    if (take_number(at, &value) != 0) return -1;
    if (value > SIZE_MAX) return malformed(at, "a smaller dimension");
    t->shape[t->dimensions++] = (size_t)value;
  } while (take(at, ','));
  return take(at, ']') ? 0 : malformed(at, "a comma or ]");
}

static int take_offsets(struct cursor *at, struct tensor *t) {
  if (!take(at, '[')) return malformed(at, "two offsets");
  if (take_number(at, &t->begin) != 0) return -1;
  if (!take(at, ',')) return malformed(at, "a comma");
  if (take_number(at, &t->end) != 0) return -1;
  return take(at, ']') ? 0 : malformed(at, "]");
}

static int take_tensor(struct cursor *at, struct tensor *t) {
  char key[16];
  size_t bytes;
  t->seen = 0;
  if (!take(at, '{')) return malformed(at, "{");
  do {
    if (take_string(at, key, sizeof key, &bytes) != 0) return -1;
    if (!take(at, ':')) return malformed(at, "a colon");
    const unsigned which = strcmp(key, "dtype") == 0          ? DTYPE
                           : strcmp(key, "shape") == 0        ? SHAPE
                           : strcmp(key, "data_offsets") == 0 ? OFFSETS
                                                              : 0;
    if (which == 0 || (t->seen & which)) return malformed(at, "dtype, shape or data_offsets, once");
    t->seen |= which;
    const int status = which == DTYPE   ? take_string(at, t->dtype, sizeof t->dtype, &bytes)
                       : which == SHAPE ? take_shape(at, t)
                                        : take_offsets(at, t);
    if (status != 0) return -1;
  } while (take(at, ','));
  if (!take(at, '}')) return malformed(at, "a comma or }");
  return t->seen == ALL ? 0 : malformed(at, "dtype, shape and data_offsets before this");
}

static int pass_metadata(struct cursor *at) {
  size_t bytes;
  if (!take(at, '{')) return malformed(at, "{");
  if (take(at, '}')) return 0;
  do {
    if (take_string(at, NULL, 0, &bytes) != 0) return -1;
    if (!take(at, ':')) return malformed(at, "a colon");
    if (take_string(at, NULL, 0, &bytes) != 0) return -1;
  } while (take(at, ','));
  return take(at, '}') ? 0 : malformed(at, "a comma or }");
}

/* ---- the file ------------------------------------------------------------------------------ */

static const struct {
  const char *dtype;
  heddle_type type;
} types[] = {{"F64", HEDDLE_F64}, {"F32", HEDDLE_F32}, {"F16", HEDDLE_F16}, {"BF16", HEDDLE_BF16},
             {"I64", HEDDLE_I64}, {"I32", HEDDLE_I32}, {"I16", HEDDLE_I16}, {"I8", HEDDLE_I8},
             {"U64", HEDDLE_U64}, {"U32", HEDDLE_U32}, {"U16", HEDDLE_U16}, {"U8", HEDDLE_U8},
             {"BOOL", HEDDLE_U8}};

static int place(const char *file, const struct tensor *t, uint64_t data, struct npy_header *array,
                 struct failure *why) {
  size_t known = 0, bytes;
  const int shown = (int)(t->name_bytes < 60 ? t->name_bytes : 60);
  while (known < sizeof types / sizeof *types && strcmp(types[known].dtype, t->dtype) != 0) known++;
  if (known == sizeof types / sizeof *types)
    return fail(why, EXIT_DATA,
                "%s: tensor '%.*s' is of type %s, which is not read; F64 to F16, BF16, I64 to I8, "
                "U64 to U8 and BOOL are",
                file, shown, t->name, t->dtype);
  memset(array, 0, sizeof *array);
  array->type = types[known].type;
  array->swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  array->dimensions = t->dimensions;
  memcpy(array->shape, t->shape, sizeof t->shape);
  bytes = heddle_type_size(array->type);
  for (size_t i = 0; i < t->dimensions; i++)
    if (__builtin_mul_overflow(bytes, t->shape[i], &bytes))
      return fail(why, EXIT_DATA, "%s: the shape of tensor '%.*s' passes all memory", file, shown,
                  t->name);
  if (t->begin > t->end || t->end > data || t->end - t->begin != bytes)
    return fail(why, EXIT_DATA,
                "%s: tensor '%.*s' claims bytes %llu to %llu of %llu for elements of %zu bytes in "
                "all; the file is cut off or damaged, get it again",
                file, shown, t->name, (unsigned long long)t->begin, (unsigned long long)t->end,
                (unsigned long long)data, bytes);
  array->count = bytes / heddle_type_size(array->type);
  return 0;
}

/* All tensors are passed over; the chosen one stays in *chosen. */
static int find_tensor(struct cursor *at, const char *member, struct tensor *chosen) {
  struct names names;
  names_start(&names, member, NULL);
  if (!take(at, '{')) return malformed(at, "{");
  bool more = !take(at, '}');
  while (more) {
    struct tensor t;
    memset(&t, 0, sizeof t);
    if (take_string(at, t.name, sizeof t.name, &t.name_bytes) != 0) return -1;
    if (!take(at, ':')) return malformed(at, "a colon");
    const bool metadata = strcmp(t.name, "__metadata__") == 0;
    if ((metadata ? pass_metadata(at) : take_tensor(at, &t)) != 0) return -1;
    if (!metadata && names_add(&names, t.name, t.name_bytes)) *chosen = t;
    more = take(at, ',');
    if (!more && !take(at, '}')) return malformed(at, "a comma or }");
  }
  pass_blanks(at);
  if (at->p < at->end) return malformed(at, "nothing more");
  return names_check(&names, at->file, "tensor", "--tensor", at->why);
}

int safetensors_narrow(struct stream *stream, const char *member, struct npy_header *array,
                       struct failure *why) {
  unsigned char prefix[PREFIX];
  struct tensor tensor;
  const char *const file = stream_name(stream);
  int fd;
  uint64_t begin, bytes;
  (void)stream_is_file(stream, &fd, &begin, &bytes);
  if (stream_at(stream, 0, prefix, sizeof prefix, why) != 0) return -1;
  const uint64_t header = little_64(prefix);
  if (header > HEADER_MOST || header > bytes - PREFIX)
    return fail(
        why, EXIT_DATA,
        "%s: its safetensors header claims %llu bytes, and the file has %llu; it is cut off "
        "or damaged, get it again",
        file, (unsigned long long)header, (unsigned long long)bytes);
  char *const text = malloc((size_t)header + 1);
  if (!text) return fail(why, EXIT_DATA, "%s: no memory for its header", file);
  struct cursor at = {text, text, text + header, file, why};
  int status = stream_at(stream, PREFIX, text, (size_t)header, why);
  if (status == 0) status = find_tensor(&at, member, &tensor);
  if (status == 0) status = place(file, &tensor, bytes - PREFIX - header, array, why);
  if (status == 0) {
    struct stream_part part = {.name = names_join(file, tensor.name, tensor.name_bytes),
                               .begin = PREFIX + header + tensor.begin,
                               .bytes = tensor.end - tensor.begin};
    status = part.name ? stream_narrow(stream, &part, why)
                       : fail(why, EXIT_DATA, "%s: no memory to read it", file);
  }
  free(text);
  return status;
}
