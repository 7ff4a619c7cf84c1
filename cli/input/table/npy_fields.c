/* npy_fields.c - the list that stands for a type in the header: [('x', '<f8'), ('name', '<U8'), ('v', '<f4', (3,))]
 *
 * Method  What is around the list is read by output/npy.c, with the type of one byte in the list's place.
 * Limits  Fields that have fields, Python objects and names with backslashes are refused; complex numbers, dates,
 *         differences of time, long double, raw bytes and arrays in a field are columns that are not read. */
#define _GNU_SOURCE
#include "npy_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
  const char *p, *end;
  const char *name;
  struct failure *why;
};

static int damaged(const struct cursor *at, const char *expected) {
  return fail(at->why, EXIT_DATA,
              "%s: the .npy header's list of fields is damaged, or is not read: %s expected",
              at->name, expected);
}

static int no_memory(const char *name, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: no memory for its columns", name);
}

static void pass_blanks(struct cursor *at) {
  while (at->p < at->end && (*at->p == ' ' || *at->p == '\n' || *at->p == '\t')) at->p++;
}

static bool take(struct cursor *at, char c) {
  pass_blanks(at);
  if (at->p == at->end || *at->p != c) return false;
  at->p++;
  pass_blanks(at);
  return true;
}

static int take_string(struct cursor *at, const char **text, size_t *length) {
  if (at->p == at->end || (*at->p != '\'' && *at->p != '"')) return damaged(at, "a string");
  const char quote = *at->p++;
  *text = at->p;
  while (at->p < at->end && *at->p != quote) {
    if ((unsigned char)*at->p < ' ' || *at->p == '\\') return damaged(at, "a plain string");
    at->p++;
  }
  if (at->p == at->end) return damaged(at, "the end of a string");
  *length = (size_t)(at->p++ - *text);
  return 0;
}

/* Up to 2^31. */
static int take_number(struct cursor *at, size_t *out) {
  pass_blanks(at);
  if (at->p == at->end || *at->p < '0' || *at->p > '9') return damaged(at, "a number");
  for (*out = 0; at->p < at->end && *at->p >= '0' && *at->p <= '9'; at->p++) {
    *out = *out * 10 + (size_t)(*at->p - '0');
    if (*out > INT32_MAX) return damaged(at, "a size below 2^31");
  }
  return 0;
}

/* ---- types --------------------------------------------------------------------------------- */

static const struct {
  char kind;
  size_t unit; /* bytes of one that its size counts */
  const char *what;
} others[] = {{'c', 1, "complex"},
              {'M', 1, "datetime64"},
              {'m', 1, "timedelta64"},
              {'V', 1, "void"},
              {'f', 1, "float of another size"}};

static bool find_number(struct npy_field *f, char kind, size_t size) {
  static const heddle_type types[][9] = {
      {[1] = HEDDLE_U8, [2] = HEDDLE_U16, [4] = HEDDLE_U32, [8] = HEDDLE_U64},
      {[1] = HEDDLE_I8, [2] = HEDDLE_I16, [4] = HEDDLE_I32, [8] = HEDDLE_I64},
      {[2] = HEDDLE_F16, [4] = HEDDLE_F32, [8] = HEDDLE_F64}};
  static const char kinds[] = "uif";
  const char *const found = strchr(kinds, kind == 'b' ? 'u' : kind);
  if (size > 8 || !found || (kind == 'b' && size != 1)) return false;
  f->type = types[found - kinds][size];
  f->kind = TABLE_NUMBERS;
  return f->type != HEDDLE_TYPE_DEFAULT;
}

/* Of "<f8": f->bytes and what it is. */
static int take_type(struct cursor *at, struct npy_field *f) {
  const char *text;
  size_t length, size;
  if (at->p < at->end && *at->p == '[')
    return fail(at->why, EXIT_DATA,
                "%s: field '%s' has fields of its own; save it as an array: numpy.save(FILE, "
                "a['%s'])",
                at->name, f->name, f->name);
  if (take_string(at, &text, &length) != 0) return -1;
  struct cursor code = {text, text + length, at->name, at->why};
  const char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';
  f->swapped = length > 0 && *text == other;
  if (length > 0 && strchr("<>=|", *text)) code.p++;
  const char kind = code.p < code.end ? *code.p++ : '\0';
  if (kind == 'O')
    return fail(at->why, EXIT_DATA,
                "%s: field '%s' holds Python objects; save the other fields alone", at->name,
                f->name);
  if (take_number(&code, &size) != 0) return -1;
  f->bytes = size;
  if (find_number(f, kind, size)) return code.p == code.end ? 0 : damaged(at, "a known type");
  f->kind = TABLE_TEXT;
  f->text = kind == 'U' ? FIELD_UCS4 : FIELD_BYTES;
  if (kind == 'U') f->bytes = 4 * size;
  if (kind == 'U' || kind == 'S' || kind == 'a')
    return code.p == code.end ? 0 : damaged(at, "a known type");
  f->kind = TABLE_OTHER;
  f->text = FIELD_NONE;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].kind == kind) f->what = others[i].what;
  return f->what ? 0 : damaged(at, "a known type");
}

/* (3,) or 3: so many in a field. */
static int take_shape(struct cursor *at, struct npy_field *f) {
  size_t n;
  bool ended = !take(at, '(');
  for (bool first = true; first || !ended; first = false) {
    if (!first && take(at, ')')) break;
    if (take_number(at, &n) != 0) return -1;
    if (__builtin_mul_overflow(f->bytes, n, &f->bytes) || f->bytes > NPY_RECORD_MOST)
      return damaged(at, "a record of at most 16 MiB");
    if (ended) break;
    if (take(at, ',')) continue;
    if (!take(at, ')')) return damaged(at, "a comma or )");
    ended = true;
  }
  f->kind = TABLE_OTHER;
  f->text = FIELD_NONE;
  f->what = "array";
  return 0;
}

/* ---- fields -------------------------------------------------------------------------------- */

static struct npy_field *add_field(struct npy_fields *fields) {
  if (fields->count == fields->room) {
    const size_t room = 2 * fields->room + 16;
    struct npy_field *const larger = realloc(fields->field, room * sizeof *larger);
    if (!larger) return NULL;
    fields->field = larger;
    fields->room = room;
  }
  struct npy_field *const f = &fields->field[fields->count++];
  memset(f, 0, sizeof *f);
  f->offset = fields->record_bytes;
  return f;
}

/* ('x', '<f8') or ('x', '<f8', (2,)); a name may be ('title', 'x'). Those without a name are padding. */
static int take_field(struct cursor *at, struct npy_fields *fields) {
  const char *text;
  size_t length;
  if (!take(at, '(')) return damaged(at, "(");
  const bool titled = take(at, '(');
  if (take_string(at, &text, &length) != 0) return -1;
  if (titled && (!take(at, ',') || take_string(at, &text, &length) != 0 || !take(at, ')')))
    return damaged(at, "a title and a name");
  if (fields->count == NPY_COLUMNS_MOST) return damaged(at, "at most 65536 fields");
  struct npy_field *const f = add_field(fields);
  if (f) f->name = strndup(text, length);
  if (!f || !f->name) return no_memory(at->name, at->why);
  if (!take(at, ',')) return damaged(at, "a comma");
  if (take_type(at, f) != 0) return -1;
  if (take(at, ',') && at->p < at->end && *at->p != ')' && take_shape(at, f) != 0) return -1;
  if (!take(at, ')')) return damaged(at, ")");
  fields->record_bytes += f->bytes;
  if (f->bytes > NPY_RECORD_MOST || fields->record_bytes > NPY_RECORD_MOST)
    return damaged(at, "a record of at most 16 MiB");
  if (length > 0) return 0;
  free(f->name);
  fields->count -= 1;
  return 0;
}

static int take_fields(struct cursor *at, struct npy_fields *fields) {
  if (!take(at, '[')) return damaged(at, "[");
  while (!take(at, ']')) {
    if (take_field(at, fields) != 0) return -1;
    if (!take(at, ',') && (at->p == at->end || *at->p != ']')) return damaged(at, "a comma or ]");
  }
  if (fields->record_bytes == 0) return damaged(at, "a field that has bytes");
  return 0;
}

const char *npy_fields_begin(const char *text, size_t bytes) {
  struct cursor at = {text, text + bytes, "", NULL};
  for (; at.p + 7 <= at.end; at.p++) {
    if (memcmp(at.p, "'descr'", 7) != 0 && memcmp(at.p, "\"descr\"", 7) != 0) continue;
    at.p += 7;
    return take(&at, ':') && at.p < at.end && *at.p == '[' ? at.p : NULL;
  }
  return NULL;
}

int npy_fields_read(const char *text, size_t bytes, const char *name, struct npy_fields *fields,
                    struct npy_header *header, struct failure *why) {
  static const char type[] = "'|u1'";
  const char *const begin = npy_fields_begin(text, bytes);
  struct cursor at = {begin, text + bytes, name, why};
  size_t records;
  *fields = (struct npy_fields){.count = 0};
  if (!begin) return damaged(&at, "a list");
  if (take_fields(&at, fields) != 0) return -1;
  const size_t front = (size_t)(begin - text), rest = (size_t)(at.end - at.p);
  char *const around = malloc(front + sizeof type + rest);
  if (!around) return no_memory(name, why);
  memcpy(around, text, front);
  memcpy(around + front, type, sizeof type - 1);
  memcpy(around + front + sizeof type - 1, at.p, rest);
  const int status = npy_read_dictionary(around, front + sizeof type - 1 + rest, name, header, why);
  free(around);
  if (status == 0 && (__builtin_mul_overflow(header->count, fields->record_bytes, &records) ||
                      records > SIZE_MAX / 2))
    return damaged(&at, "a shape of fewer bytes than a machine can address");
  return status;
}

int npy_fields_columns(const struct npy_header *header, const char *name, struct npy_fields *fields,
                       struct failure *why) {
  *fields = (struct npy_fields){.count = 0};
  for (size_t c = 0; c < header->shape[1]; c++) {
    char label[24];
    struct npy_field *const f = add_field(fields);
    (void)snprintf(label, sizeof label, "%zu", c + 1);
    if (f) f->name = strdup(label);
    if (!f || !f->name) return no_memory(name, why);
    f->kind = TABLE_NUMBERS;
    f->type = header->type;
    f->swapped = header->swapped;
    f->bytes = heddle_type_size(header->type);
    fields->record_bytes += f->bytes;
  }
  return 0;
}

void npy_fields_free(struct npy_fields *fields) {
  for (size_t i = 0; i < fields->count; i++) free(fields->field[i].name);
  free(fields->field);
}
