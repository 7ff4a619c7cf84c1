/* netcdf.c - a variable of a NetCDF file of the classic formats (CDF-1, CDF-2, CDF-5)
 *
 * Layout    "CDF", the version; how many records; dimensions, attributes, variables: each list a tag and a count. A
 *           variable has its dimensions, attributes, type and the place of its elements, which have their highest
 *           byte first. Those with the unlimited dimension in front lie record by record, side by side.
 * Method    The header is read whole and walked through by a cursor that stops at its end. Attributes of the chosen
 *           variable are followed as others do: add_offset + scale_factor x value, _FillValue or missing_value for
 *           none (f64 then).
 * Limits    A header of at most 64 MiB. Characters are not numbers. Fill values that no attribute tells are numbers.
 * Source    docs.unidata.ucar.edu, NetCDF Classic Format Specification */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "little.h"
#include "names.h"

enum {
  HEADER_FIRST = 1 << 20,
  HEADER_MOST = 64 << 20,
  DIMENSIONS_MOST = 1 << 20,
  DIMENSIONS_TAG = 10,
  VARIABLES_TAG = 11,
  ATTRIBUTES_TAG = 12
};

struct cursor {
  const unsigned char *p, *end;
  bool wide; /* counts have 8 bytes */
  bool wide_places;
  bool short_of; /* the header goes on behind the end */
};

struct variable {
  const char *name;
  size_t name_bytes, dimensions;
  uint64_t length[NPY_MAX_DIMENSIONS];
  bool record; /* the first is the unlimited one */
  heddle_type type;
  uint64_t begin, bytes; /* of one record, or of all; without padding */
  double scale, zero, blank;
  bool scaled, has_blank;
};

struct header {
  uint64_t records, record_bytes; /* of all record variables side by side, padded */
  uint64_t record_variables, only_record_bytes;
  uint64_t *lengths; /* of the dimensions */
  uint64_t dimension_count;
};

bool netcdf_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 4 && memcmp(bytes, "CDF", 3) == 0 &&
         (bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5);
}

/* ---- the cursor ---------------------------------------------------------------------------- */

static const unsigned char *take(struct cursor *c, uint64_t bytes) {
  static const unsigned char nothing[8];
  if (bytes > (uint64_t)(c->end - c->p)) {
    c->short_of = true;
    c->p = c->end;
    return nothing;
  }
  const unsigned char *const p = c->p;
  c->p += bytes;
  return p;
}

static uint64_t take_32(struct cursor *c) { return big_32(take(c, 4)); }
static uint64_t take_count(struct cursor *c) { return c->wide ? big_64(take(c, 8)) : take_32(c); }

static const char *take_name(struct cursor *c, size_t *bytes) {
  const uint64_t count = take_count(c);
  const uint64_t padded = count > UINT64_MAX - 3 ? count : (count + 3) / 4 * 4;
  const char *const name = (const char *)take(c, padded);
  *bytes = c->short_of ? 0 : (size_t)count;
  return name;
}

static size_t size_of(uint64_t type) {
  static const unsigned char sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return type < sizeof sizes ? sizes[type] : 0;
}

static heddle_type number_type(uint64_t type) {
  static const heddle_type types[] = {
      HEDDLE_TYPE_DEFAULT, HEDDLE_I8, HEDDLE_TYPE_DEFAULT, HEDDLE_I16, HEDDLE_I32, HEDDLE_F32,
      HEDDLE_F64,          HEDDLE_U8, HEDDLE_U16,          HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};
  return type < sizeof types / sizeof *types ? types[type] : HEDDLE_TYPE_DEFAULT;
}

/* The first number of an attribute. */
static bool attribute_number(uint64_t type, const unsigned char *values, uint64_t count,
                             double *out) {
  unsigned char turned[8];
  const heddle_type number = number_type(type);
  const size_t size = size_of(type);
  if (number == HEDDLE_TYPE_DEFAULT || count == 0) return false;
  const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  for (size_t i = 0; i < size; i++) turned[i] = values[little ? size - 1 - i : i];
  return heddle_convert(number, turned, HEDDLE_F64, out, 1) == HEDDLE_OK;
}

static bool is_called(const char *name, size_t bytes, const char *text) {
  return bytes == strlen(text) && memcmp(name, text, bytes) == 0;
}

/* Of a variable, or passed over where that is NULL. */
static bool take_attributes(struct cursor *c, struct variable *v) {
  const uint64_t tag = take_32(c), count = take_count(c);
  if (count > 0 && tag != ATTRIBUTES_TAG) return false;
  for (uint64_t i = 0; i < count && !c->short_of; i++) {
    size_t bytes;
    uint64_t room;
    double number = 0;
    const char *const name = take_name(c, &bytes);
    const uint64_t type = take_32(c), values = take_count(c);
    if (size_of(type) == 0 && !c->short_of) return false;
    if (__builtin_mul_overflow(values, size_of(type), &room) || room > UINT64_MAX - 3) return false;
    const unsigned char *const data = take(c, (room + 3) / 4 * 4);
    if (c->short_of || !v || !attribute_number(type, data, values, &number)) continue;
    if (is_called(name, bytes, "scale_factor")) v->scale = number;
    if (is_called(name, bytes, "add_offset")) v->zero = number;
    v->scaled |= is_called(name, bytes, "scale_factor") || is_called(name, bytes, "add_offset");
    const bool fill = is_called(name, bytes, "_FillValue");
    if (fill || (is_called(name, bytes, "missing_value") && !v->has_blank)) {
      v->has_blank = true;
      v->blank = number;
    }
  }
  return true;
}

/* ---- variables ----------------------------------------------------------------------------- */

static bool take_variable(struct cursor *c, const struct header *h, struct variable *v) {
  memset(v, 0, sizeof *v);
  v->scale = 1;
  v->name = take_name(c, &v->name_bytes);
  const uint64_t dimensions = take_count(c);
  if (c->short_of) return true;
  if (dimensions > NPY_MAX_DIMENSIONS) return false;
  v->dimensions = (size_t)dimensions;
  v->bytes = 1;
  for (size_t d = 0; d < v->dimensions; d++) {
    const uint64_t id = take_count(c);
    if (c->short_of) return true;
    if (id >= h->dimension_count) return false;
    v->length[d] = h->lengths[id];
    if (v->length[d] == 0 && d == 0)
      v->record = true;
    else if (__builtin_mul_overflow(v->bytes, v->length[d], &v->bytes))
      return false;
  }
  if (!take_attributes(c, v)) return false;
  const uint64_t type = take_32(c);
  (void)take_count(c); /* the size, which is not to be trusted, and follows from the rest */
  v->begin = c->wide_places ? big_64(take(c, 8)) : take_32(c);
  v->type = number_type(type);
  if (c->short_of) return true;
  return size_of(type) > 0 && !__builtin_mul_overflow(v->bytes, size_of(type), &v->bytes) &&
         v->bytes <= UINT64_MAX / 8;
}

static bool take_variables(struct cursor *c, struct header *h, struct names *names,
                           struct variable *chosen) {
  const uint64_t tag = take_32(c), count = take_count(c);
  if (count > 0 && tag != VARIABLES_TAG) return false;
  for (uint64_t i = 0; i < count && !c->short_of; i++) {
    struct variable v;
    if (!take_variable(c, h, &v)) return false;
    if (c->short_of) break;
    if (v.type != HEDDLE_TYPE_DEFAULT && names_add(names, v.name, v.name_bytes)) *chosen = v;
    if (!v.record) continue;
    h->record_variables += 1;
    h->only_record_bytes = v.bytes;
    if (__builtin_add_overflow(h->record_bytes, (v.bytes + 3) / 4 * 4, &h->record_bytes))
      return false;
  }
  if (h->record_variables == 1) h->record_bytes = h->only_record_bytes;
  return true;
}

static bool take_header(struct cursor *c, struct header *h, struct names *names,
                        struct variable *chosen) {
  const unsigned version = take(c, 4)[3];
  c->wide = version == 5;
  c->wide_places = version != 1;
  *h = (struct header){.records = take_count(c)};
  if (h->records == (c->wide ? UINT64_MAX : UINT32_MAX)) h->records = UINT64_MAX;
  const uint64_t tag = take_32(c);
  h->dimension_count = take_count(c);
  if (h->dimension_count > 0 && tag != DIMENSIONS_TAG) return false;
  if (h->dimension_count > DIMENSIONS_MOST) return false;
  h->lengths = calloc((size_t)h->dimension_count + 1, sizeof *h->lengths);
  if (!h->lengths) return false;
  for (uint64_t i = 0; i < h->dimension_count && !c->short_of; i++) {
    size_t bytes;
    (void)take_name(c, &bytes);
    h->lengths[i] = take_count(c);
  }
  return take_attributes(c, NULL) && take_variables(c, h, names, chosen);
}

/* ---- the chosen one ------------------------------------------------------------------------ */

static int describe(const struct stream *s, struct header *h, const struct variable *v,
                    uint64_t file, struct npy_header *array, struct array_view *view,
                    struct failure *why) {
  const bool single = v->record && h->record_bytes > 0;
  if (single && h->records == UINT64_MAX) /* written by a stream: as many as there are */
    h->records =
        file > v->begin ? (file - v->begin + h->record_bytes - v->bytes) / h->record_bytes : 0;
  const uint64_t records = v->record ? h->records : 1;
  *view = (struct array_view){.begin = v->begin,
                              .piece = v->bytes > 0 ? v->bytes : 1,
                              .stride = v->record ? h->record_bytes : v->bytes,
                              .stored = v->type,
                              .swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                              .values = v->scaled || v->has_blank ? VIEW_SCALED : VIEW_STORED,
                              .scale = v->scale,
                              .zero = v->zero,
                              .blank = v->blank,
                              .has_blank = v->has_blank};
  uint64_t last = 0;
  if (__builtin_mul_overflow(records, v->bytes, &view->bytes) || v->begin > file ||
      (view->bytes > 0 && (__builtin_mul_overflow(records - 1, view->stride, &last) ||
                           last > file - v->begin || v->bytes > file - v->begin - last)))
    return fail(
        why, EXIT_DATA,
        "%s: variable '%.*s' lies behind the end of the file, which is cut off or damaged; get "
        "it again",
        stream_name(s), (int)(v->name_bytes < 60 ? v->name_bytes : 60), v->name);
  memset(array, 0, sizeof *array);
  array->type = array_view_type(view);
  array->dimensions = v->dimensions;
  for (size_t d = 0; d < v->dimensions; d++) array->shape[d] = (size_t)v->length[d];
  if (v->record) array->shape[0] = (size_t)records;
  array->count = (size_t)(view->bytes / heddle_type_size(v->type));
  return 0;
}

static int find_in(struct stream *stream, const unsigned char *bytes, size_t count, uint64_t file,
                   const char *member, struct npy_header *array, struct array_view *view,
                   char **name, bool *short_of, struct failure *why) {
  struct cursor c = {.p = bytes, .end = bytes + count};
  struct header h = {0};
  struct names names;
  struct variable chosen = {0};
  names_start(&names, member, NULL);
  const bool good = take_header(&c, &h, &names, &chosen);
  free(h.lengths);
  *short_of = good && c.short_of && count < file;
  if (*short_of) return 0;
  if (!good || c.short_of)
    return fail(why, EXIT_DATA, "%s: the NetCDF header is cut off or damaged; get the file again",
                stream_name(stream));
  if (names_check(&names, stream_name(stream), "variable", "--member", why) != 0) return -1;
  if (describe(stream, &h, &chosen, file, array, view, why) != 0) return -1;
  *name = names_join(stream_name(stream), chosen.name, chosen.name_bytes);
  return *name ? 0 : fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(stream));
}

int netcdf_find(struct stream *stream, const char *member, struct npy_header *array,
                struct array_view *view, char **name, struct failure *why) {
  int fd, status = 0;
  uint64_t begin, file;
  bool short_of = true;
  (void)stream_is_file(stream, &fd, &begin, &file);
  for (size_t most = HEADER_FIRST; status == 0 && short_of && most <= HEADER_MOST; most *= 64) {
    const size_t count = file < most ? (size_t)file : most;
    unsigned char *const bytes = malloc(count + 1);
    if (!bytes) return fail(why, EXIT_DATA, "%s: no memory for its header", stream_name(stream));
    status = stream_at(stream, 0, bytes, count, why);
    if (status == 0)
      status = find_in(stream, bytes, count, file, member, array, view, name, &short_of, why);
    free(bytes);
  }
  if (status == 0 && short_of)
    return fail(why, EXIT_DATA, "%s: its header has more than 64 MiB, which are not read",
                stream_name(stream));
  return status;
}
