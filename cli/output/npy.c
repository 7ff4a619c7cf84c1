/* npy.c - a parser for the Python literal that a header is, and a writer of one form of it
 *
 * Layout    "\x93NUMPY", version (two bytes), the dictionary's length (two bytes in version 1,
 *           four in 2 and 3, least byte first), the dictionary, then the elements.
 * Method    the dictionary is a Python literal; the parser here takes exactly what NumPy has ever
 *           written (keys in any order, either quote, a comma at the end, "10L" of Python 2),
 *           comments and the longer names of types, and refuses everything else. Each number and
 *           the product of the shape is checked against overflow before it is used.
 * Limits    refused: Python objects, records, strings, complex numbers, dates, long double. */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool npy_has_magic(const void *bytes, size_t count) {
  return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

int npy_read_prefix(const void *bytes, size_t count, const char *name, size_t *dictionary_offset,
                    size_t *dictionary_bytes, struct failure *why) {
  const unsigned char *const b = bytes;
  if (!npy_has_magic(bytes, count))
    return fail(why, EXIT_DATA,
                "%s is not a .npy file: it does not begin with \\x93NUMPY; say what it is, for "
                "example by --type f32 for raw numbers",
                name);
  if (count < 10)
    return fail(why, EXIT_DATA, "%s: the .npy file ends inside its header, after %zu bytes", name,
                count);
  if (b[6] < 1 || b[6] > 3 || b[7] != 0)
    return fail(why, EXIT_DATA, "%s: .npy version %u.%u is not known; versions 1.0 to 3.0 are",
                name, b[6], b[7]);
  *dictionary_offset = b[6] == 1 ? 10 : 12;
  if (count < *dictionary_offset)
    return fail(why, EXIT_DATA, "%s: the .npy file ends inside its header, after %zu bytes", name,
                count);
  *dictionary_bytes = (size_t)b[8] | (size_t)b[9] << 8;
  if (b[6] > 1) *dictionary_bytes |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
  if (*dictionary_bytes > NPY_MAX_HEADER)
    return fail(why, EXIT_DATA,
                "%s: the .npy header claims %zu bytes, more than %d are not read; the file is "
                "damaged",
                name, *dictionary_bytes, NPY_MAX_HEADER);
  return 0;
}

/* ---- element types ------------------------------------------------------------------------- */

static const struct {
  const char code[3];
  heddle_type type;
} types[] = {{"u1", HEDDLE_U8},  {"b1", HEDDLE_U8},  {"u2", HEDDLE_U16}, {"u4", HEDDLE_U32},
             {"u8", HEDDLE_U64}, {"i1", HEDDLE_I8},  {"i2", HEDDLE_I16}, {"i4", HEDDLE_I32},
             {"i8", HEDDLE_I64}, {"f2", HEDDLE_F16}, {"f4", HEDDLE_F32}, {"f8", HEDDLE_F64}};

static const struct {
  char kind;
  const char *what;
} refused[] = {
    {'O', "Python objects; save an array of numbers"},
    {'V', "records or raw bytes of a type that NumPy does not know; save one field as numbers"},
    {'S', "byte strings; save numbers, for example a.astype(float)"},
    {'a', "byte strings; save numbers, for example a.astype(float)"},
    {'U', "strings; save numbers, for example a.astype(float)"},
    {'c', "complex numbers; save a.real and a.imag"},
    {'M', "dates; save a.view('i8')"},
    {'m', "time differences; save a.view('i8')"},
    {'f', "floats of a size other than 2, 4 and 8 bytes; save a.astype('f8')"},
};

/* Names that NumPy reads as well, of this machine's byte order. */
static const struct {
  const char *name;
  heddle_type type;
} names[] = {{"bool", HEDDLE_U8},     {"?", HEDDLE_U8},        {"uint8", HEDDLE_U8},
             {"uint16", HEDDLE_U16},  {"uint32", HEDDLE_U32},  {"uint64", HEDDLE_U64},
             {"int8", HEDDLE_I8},     {"int16", HEDDLE_I16},   {"int32", HEDDLE_I32},
             {"int64", HEDDLE_I64},   {"float16", HEDDLE_F16}, {"float32", HEDDLE_F32},
             {"float64", HEDDLE_F64}, {"half", HEDDLE_F16},    {"single", HEDDLE_F32},
             {"double", HEDDLE_F64}};

static bool read_name(const char *text, size_t length, struct npy_header *header) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strlen(names[i].name) != length || memcmp(names[i].name, text, length) != 0) continue;
    header->type = names[i].type;
    header->swapped = false;
    return true;
  }
  return false;
}

static bool is_size(const char *text, const char *end) {
  while (text < end && *text >= '0' && *text <= '9') text++;
  return text == end;
}

static int read_descr(const char *text, size_t length, const char *name, struct npy_header *header,
                      struct failure *why) {
  const char *code = text;
  const char order = length > 0 && strchr("<>=|", text[0]) ? text[0] : '\0';
  if (order != '\0') code++;
  const size_t code_length = length - (size_t)(code - text);
  const char *const end = text + length;
  if (read_name(text, length, header)) return 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (code_length != 2 || memcmp(code, types[i].code, 2) != 0) continue;
    const bool one_byte = code[1] == '1';
    const char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
    header->type = types[i].type;
    header->swapped = order == other && !one_byte;
    return 0;
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (code_length > 0 && code[0] == refused[i].kind && (code[0] != 'f' || is_size(code + 1, end)))
      return fail(why, EXIT_DATA, "%s: dtype '%.*s' holds %s", name,
                  (int)(length > 40 ? 40 : length), text, refused[i].what);
  return fail(why, EXIT_DATA,
              "%s: dtype '%.*s' in the .npy header is not known; known are u1 to u8, i1 to i8, f2, "
              "f4, f8 and b1, with <, >, = or | in front, and names such as float64",
              name, (int)(length > 40 ? 40 : length), text);
}

/* ---- the dictionary ------------------------------------------------------------------------ */

struct cursor {
  const char *p, *end, *begin;
  const char *name;
  struct failure *why;
};

static int malformed(const struct cursor *at, const char *expected) {
  return fail(at->why, EXIT_DATA,
              "%s: the .npy header is damaged: %s expected at byte %zu of the dictionary", at->name,
              expected, (size_t)(at->p - at->begin));
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Comments too, as Python has them. */
static void pass_blanks(struct cursor *at) {
  bool comment = false;
  for (; at->p < at->end && (comment || is_blank(*at->p) || *at->p == '#'); at->p++) {
    if (*at->p == '#') comment = true;
    if (*at->p == '\n') comment = false;
  }
}

/* Passes over the character, and blanks around it, if it comes next. */
static bool take(struct cursor *at, char c) {
  pass_blanks(at);
  if (at->p == at->end || *at->p != c) return false;
  at->p++;
  pass_blanks(at);
  return true;
}

static int read_string(struct cursor *at, const char **text, size_t *length) {
  pass_blanks(at);
  if (at->p == at->end || (*at->p != '\'' && *at->p != '"')) return malformed(at, "a string");
  const char quote = *at->p++;
  *text = at->p;
  while (at->p < at->end && *at->p != quote) {
    /* Printable ASCII without escapes: all that keys and type codes are made of. */
    if (*at->p < ' ' || *at->p > '~' || *at->p == '\\') return malformed(at, "a plain string");
    at->p++;
  }
  if (at->p == at->end) return malformed(at, "the end of a string");
  *length = (size_t)(at->p - *text);
  at->p++;
  return 0;
}

static int read_dimension(struct cursor *at, size_t *out) {
  pass_blanks(at);
  if (at->p < at->end && *at->p == '-')
    return fail(at->why, EXIT_DATA, "%s: the .npy header has a negative dimension", at->name);
  if (at->p == at->end || *at->p < '0' || *at->p > '9') return malformed(at, "a dimension");
  size_t value = 0;
  for (; at->p < at->end && *at->p >= '0' && *at->p <= '9'; at->p++)
    if (__builtin_mul_overflow(value, (size_t)10, &value) ||
        __builtin_add_overflow(value, (size_t)(*at->p - '0'), &value))
      return fail(at->why, EXIT_DATA, "%s: a dimension in the .npy header passes 2^64", at->name);
  if (at->p < at->end && *at->p == 'L') at->p++;
  *out = value;
  return 0;
}

static int read_shape(struct cursor *at, struct npy_header *header) {
  if (!take(at, '(')) return malformed(at, "the tuple of dimensions");
  header->dimensions = 0;
  while (!take(at, ')')) {
    if (header->dimensions == NPY_MAX_DIMENSIONS)
      return fail(at->why, EXIT_DATA, "%s: the .npy header has more than %d dimensions", at->name,
                  NPY_MAX_DIMENSIONS);
    if (read_dimension(at, &header->shape[header->dimensions++]) != 0) return -1;
    const bool comma = take(at, ',');
    if (!comma && header->dimensions == 1) return malformed(at, "a comma behind one dimension");
    if (!comma && (at->p == at->end || *at->p != ')')) return malformed(at, "a comma or )");
  }
  return 0;
}

static int read_bool(struct cursor *at, bool *out) {
  const size_t left = (size_t)(at->end - at->p);
  if (left >= 4 && memcmp(at->p, "True", 4) == 0) {
    *out = true;
    at->p += 4;
  } else if (left >= 5 && memcmp(at->p, "False", 5) == 0) {
    *out = false;
    at->p += 5;
  } else {
    return malformed(at, "True or False");
  }
  return 0;
}

enum key { KEY_DESCR = 1, KEY_FORTRAN = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

static const struct {
  const char *text;
  enum key key;
} keys[] = {{"descr", KEY_DESCR}, {"fortran_order", KEY_FORTRAN}, {"shape", KEY_SHAPE}};

static int read_key(struct cursor *at, enum key *key) {
  const char *text;
  size_t length;
  if (read_string(at, &text, &length) != 0) return -1;
  if (!take(at, ':')) return malformed(at, "a colon");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    *key = keys[i].key;
    if (length == strlen(keys[i].text) && memcmp(text, keys[i].text, length) == 0) return 0;
  }
  return fail(at->why, EXIT_DATA, "%s: the .npy header has a key '%.*s' that is not known",
              at->name, (int)(length > 40 ? 40 : length), text);
}

static int read_value(struct cursor *at, enum key key, struct npy_header *header) {
  if (key == KEY_FORTRAN) return read_bool(at, &header->fortran);
  if (key == KEY_SHAPE) return read_shape(at, header);
  if (at->p < at->end && *at->p == '[')
    return fail(at->why, EXIT_DATA,
                "%s: the array has records of several fields; save one field, for example a['x']",
                at->name);
  const char *text;
  size_t length;
  if (read_string(at, &text, &length) != 0) return -1;
  return read_descr(text, length, at->name, header, at->why);
}

static int count_elements(const char *name, struct npy_header *header, struct failure *why) {
  /* Zero dimensions are left out of the product that is checked, as NumPy does. */
  size_t bytes = heddle_type_size(header->type);
  bool empty = false;
  for (size_t i = 0; i < header->dimensions; i++) {
    if (header->shape[i] == 0)
      empty = true;
    else if (__builtin_mul_overflow(bytes, header->shape[i], &bytes) || bytes > SIZE_MAX / 2)
      return fail(why, EXIT_DATA,
                  "%s: the shape in the .npy header multiplies to more bytes than a machine can "
                  "address; the file is damaged",
                  name);
  }
  header->count = empty ? 0 : bytes / heddle_type_size(header->type);
  return 0;
}

int npy_read_dictionary(const char *text, size_t bytes, const char *name, struct npy_header *header,
                        struct failure *why) {
  struct cursor at = {text, text + bytes, text, name, why};
  unsigned seen = 0;
  if (!take(&at, '{')) return malformed(&at, "{");
  while (!take(&at, '}')) {
    enum key key = KEY_ALL;
    if (read_key(&at, &key) != 0) return -1;
    if (seen & key) return fail(why, EXIT_DATA, "%s: the .npy header has a key twice", name);
    seen |= key;
    if (read_value(&at, key, header) != 0) return -1;
    if (!take(&at, ',') && (at.p == at.end || *at.p != '}')) return malformed(&at, "a comma or }");
  }
  pass_blanks(&at);
  if (at.p < at.end) return malformed(&at, "nothing more");
  if (seen != KEY_ALL)
    return fail(why, EXIT_DATA, "%s: the .npy header lacks descr, fortran_order or shape", name);
  return count_elements(name, header, why);
}

/* ---- writing ------------------------------------------------------------------------------- */

static const char *descr_of(heddle_type type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type) return types[i].code;
  return NULL;
}

int npy_write_header(heddle_type type, size_t dimensions, const size_t *shape, bool fortran,
                     unsigned char out[NPY_WRITTEN_MAX], size_t *bytes, struct failure *why) {
  const char *const code = descr_of(type);
  if (!code)
    return fail(why, EXIT_USAGE,
                ".npy has no type for %s elements; convert them to another one, for example f32",
                heddle_type_name(type));
  if (dimensions > NPY_MAX_DIMENSIONS)
    return fail(why, EXIT_USAGE, ".npy takes at most %d dimensions, not %zu", NPY_MAX_DIMENSIONS,
                dimensions);
  const char native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  char *const text = (char *)out + 10;
  /* 64 dimensions of at most 20 digits and two more characters each: 1408 bytes. */
  const size_t room = NPY_WRITTEN_MAX - 10;
  size_t used = (size_t)snprintf(text, room, "{'descr': '%c%.2s', 'fortran_order': %s, 'shape': (",
                                 code[1] == '1' ? '|' : native, code, fortran ? "True" : "False");
  for (size_t i = 0; i < dimensions; i++)
    used += (size_t)snprintf(text + used, room - used, i == 0 ? "%zu," : " %zu,", shape[i]);
  if (dimensions > 1) used -= 1; /* only a tuple of one keeps its comma */
  used += (size_t)snprintf(text + used, room - used, "), }");
  const size_t whole = used + 11 <= 128 ? 128 : (used + 11 + 63) / 64 * 64;
  memset(text + used, ' ', whole - 10 - used);
  out[whole - 1] = '\n';
  memcpy(out, magic, sizeof magic);
  out[6] = 1;
  out[7] = 0;
  out[8] = (unsigned char)((whole - 10) & 0xff);
  out[9] = (unsigned char)((whole - 10) >> 8);
  *bytes = whole;
  return 0;
}
