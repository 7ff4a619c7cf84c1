/* hdf5_child.c - libhdf5 by dlopen: a dataset, block by block, as .npy on descriptor 4
 *
 * Method  The file is descriptor 3. Numbers are read as this machine has them; a block is as many rows of the first axis
 *         that is short enough behind it as 8 MiB have, whole chunks where the dataset has such.
 * Limits  HDF5 1.10 and later. Integers, floats and truth values (enumerations); no text, no compounds. Floats of 2
 *         bytes become f32. Scale factors and fill values of NetCDF-4 are not followed.
 * Source  the headers of HDF5 1.10, whose functions and numbers here are the same in 1.12, 1.14 and 2 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dlfcn.h>

#include "child.h"
#include "hdf5.h"
#include "input/array/names.h"
#include "output/npy.h"

typedef int64_t id;
typedef unsigned long long length;

enum { DIMENSIONS_MOST = 32, BLOCK_BYTES = 8 << 20, DEFAULT = 0, SELECT_SET = 0 };
enum {
  CLASS_INTEGER = 0,
  CLASS_FLOAT = 1,
  CLASS_ENUM = 8,
  LAYOUT_CHUNKED = 2,
  BY_NAME = 0,
  ANY_ORDER = 2
};

typedef int visitor(id group, const char *name, const void *info, void *user);

static struct {
  int (*open)(void);
  int (*get_libversion)(unsigned *, unsigned *, unsigned *);
  int (*eset_auto)(id stack, void *function, void *data);
  id (*fopen)(const char *path, unsigned flags, id access);
  id (*dopen)(id file, const char *name, id access);
  int (*dclose)(id dataset);
  id (*dget_space)(id dataset);
  id (*dget_type)(id dataset);
  id (*dget_create_plist)(id dataset);
  int (*dread)(id dataset, id memory_type, id memory, id file, id transfer, void *to);
  int (*sdims)(id space, length *dims, length *most);
  int (*sndims)(id space);
  id (*screate)(int dimensions, const length *dims, const length *most);
  int (*sselect)(id space, int how, const length *start, const length *stride, const length *count,
                 const length *block);
  int (*sclose)(id space);
  int (*tclass)(id type);
  size_t (*tsize)(id type);
  int (*tsign)(id type);
  id (*tsuper)(id type);
  int (*playout)(id plist);
  int (*pchunk)(id plist, int most, length *dims);
  int (*visit)(id group, int index, int order, visitor *each, void *user);
} h;

static const struct {
  void *function;
  const char *name, *other; /* of older or newer versions, or NULL */
} functions[] = {{&h.open, "H5open", NULL},
                 {&h.get_libversion, "H5get_libversion", NULL},
                 {&h.eset_auto, "H5Eset_auto2", NULL},
                 {&h.fopen, "H5Fopen", NULL},
                 {&h.dopen, "H5Dopen2", NULL},
                 {&h.dclose, "H5Dclose", NULL},
                 {&h.dget_space, "H5Dget_space", NULL},
                 {&h.dget_type, "H5Dget_type", NULL},
                 {&h.dget_create_plist, "H5Dget_create_plist", NULL},
                 {&h.dread, "H5Dread", NULL},
                 {&h.sdims, "H5Sget_simple_extent_dims", NULL},
                 {&h.sndims, "H5Sget_simple_extent_ndims", NULL},
                 {&h.screate, "H5Screate_simple", NULL},
                 {&h.sselect, "H5Sselect_hyperslab", NULL},
                 {&h.sclose, "H5Sclose", NULL},
                 {&h.tclass, "H5Tget_class", NULL},
                 {&h.tsize, "H5Tget_size", NULL},
                 {&h.tsign, "H5Tget_sign", NULL},
                 {&h.tsuper, "H5Tget_super", NULL},
                 {&h.playout, "H5Pget_layout", NULL},
                 {&h.pchunk, "H5Pget_chunk", NULL},
                 {&h.visit, "H5Lvisit1", "H5Lvisit"}};

static void *library;

static int stop(const char *what) {
  (void)fprintf(stderr, "%s\n", what);
  return 1;
}

static bool find(const char *name, void *to) {
  void *const found = dlsym(library, name);
  memcpy(to, &found, sizeof found);
  return found != NULL;
}

static int load(void) {
  static const char *const known[] = {
      "libhdf5.so",     "libhdf5.so.320",    "libhdf5.so.310",        "libhdf5.so.200",
      "libhdf5.so.103", "libhdf5_serial.so", "libhdf5_serial.so.310", "libhdf5_serial.so.103"};
  const char *const given = getenv("HEDDLE_HDF5");
  unsigned major = 0, minor = 0, release = 0;
  (void)setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  if (given && *given != '\0') library = dlopen(given, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; !given && !library && i < sizeof known / sizeof *known; i++)
    library = dlopen(known[i], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return stop("it needs libhdf5, which is not found: install it (apt install libhdf5-103-1, dnf "
                "install hdf5), name "
                "it by HEDDLE_HDF5, or save the dataset as .npy");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!find(functions[i].name, functions[i].function) &&
        !(functions[i].other && find(functions[i].other, functions[i].function)))
      return stop("libhdf5 is not a version that is known, 1.10 and later are");
  if (h.get_libversion(&major, &minor, &release) < 0 || (major == 1 && minor < 10) || h.open() < 0)
    return stop("libhdf5 is older than 1.10, which is needed");
  (void)h.eset_auto(DEFAULT, NULL, NULL);
  return 0;
}

/* ---- which dataset ------------------------------------------------------------------------- */

struct search {
  struct names names;
  id file;
  char *found; /* the last that was wanted */
};

static int look(id group, const char *name, const void *info, void *user) {
  struct search *const s = user;
  (void)group, (void)info;
  const id dataset = h.dopen(s->file, name, DEFAULT);
  if (dataset < 0) return 0; /* a group, or a link that leads nowhere */
  (void)h.dclose(dataset);
  if (!names_add(&s->names, name, strlen(name))) return 0;
  free(s->found);
  s->found = strdup(name);
  return s->found ? 0 : -1;
}

static int open_dataset(id file, const char *member, id *dataset) {
  struct search search = {.file = file};
  struct failure why = {.text = ""};
  while (member && *member == '/') member++;
  names_start(&search.names, member, NULL);
  (void)h.visit(file, BY_NAME, ANY_ORDER, look, &search);
  const int status = names_check(&search.names, "the file", "dataset", "--dataset", &why);
  *dataset = status == 0 && search.found ? h.dopen(file, search.found, DEFAULT) : -1;
  free(search.found);
  if (status != 0) return stop(why.text);
  return *dataset >= 0 ? 0 : stop("the dataset cannot be opened");
}

/* ---- its elements -------------------------------------------------------------------------- */

static const struct {
  int kind, is_signed; /* -1: either */
  size_t size;
  heddle_type type;
  const char *native;
} types[] = {{CLASS_INTEGER, 0, 1, HEDDLE_U8, "H5T_NATIVE_UINT8_g"},
             {CLASS_INTEGER, 0, 2, HEDDLE_U16, "H5T_NATIVE_UINT16_g"},
             {CLASS_INTEGER, 0, 4, HEDDLE_U32, "H5T_NATIVE_UINT32_g"},
             {CLASS_INTEGER, 0, 8, HEDDLE_U64, "H5T_NATIVE_UINT64_g"},
             {CLASS_INTEGER, 1, 1, HEDDLE_I8, "H5T_NATIVE_INT8_g"},
             {CLASS_INTEGER, 1, 2, HEDDLE_I16, "H5T_NATIVE_INT16_g"},
             {CLASS_INTEGER, 1, 4, HEDDLE_I32, "H5T_NATIVE_INT32_g"},
             {CLASS_INTEGER, 1, 8, HEDDLE_I64, "H5T_NATIVE_INT64_g"},
             {CLASS_FLOAT, -1, 2, HEDDLE_F32, "H5T_NATIVE_FLOAT_g"},
             {CLASS_FLOAT, -1, 4, HEDDLE_F32, "H5T_NATIVE_FLOAT_g"},
             {CLASS_FLOAT, -1, 8, HEDDLE_F64, "H5T_NATIVE_DOUBLE_g"}};

struct dataset {
  id dataset, space, memory_type;
  heddle_type type;
  int dimensions;
  length dims[DIMENSIONS_MOST], chunk[DIMENSIONS_MOST];
  int axis;     /* along which blocks are cut: the axes before it are walked one by one */
  length block; /* rows of a block */
  size_t row;   /* elements of one */
};

static int find_type(struct dataset *d) {
  id type = h.dget_type(d->dataset);
  const bool is_enum = h.tclass(type) == CLASS_ENUM;
  if (is_enum) type = h.tsuper(type);
  const int kind = h.tclass(type), is_signed = h.tsign(type) > 0;
  const size_t size = h.tsize(type);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (types[i].kind != kind || types[i].size != size) continue;
    if (types[i].is_signed >= 0 && types[i].is_signed != is_signed) continue;
    const id *const native = dlsym(library, types[i].native);
    if (!native) break;
    d->type = types[i].type;
    d->memory_type = is_enum ? h.dget_type(d->dataset) : *native;
    return 0;
  }
  return stop("the dataset holds no integers or floats of 2 to 8 bytes; save it as numbers");
}

static int find_shape(struct dataset *d) {
  d->space = h.dget_space(d->dataset);
  d->dimensions = h.sndims(d->space);
  if (d->dimensions < 0 || d->dimensions > DIMENSIONS_MOST ||
      (d->dimensions > 0 && h.sdims(d->space, d->dims, NULL) < 0))
    return stop("the dataset has no simple shape");
  const id plist = h.dget_create_plist(d->dataset);
  for (int k = 0; k < d->dimensions; k++) d->chunk[k] = 1;
  if (plist >= 0 && h.playout(plist) == LAYOUT_CHUNKED)
    (void)h.pchunk(plist, d->dimensions, d->chunk);
  return 0;
}

/* The first axis behind which a row is short enough, and how many rows of it. */
static void cut(struct dataset *d) {
  const size_t most = BLOCK_BYTES / heddle_type_size(d->type);
  d->row = 1;
  d->axis = d->dimensions - 1;
  while (d->axis > 0 && d->dims[d->axis] <= most / d->row) d->row *= (size_t)d->dims[d->axis--];
  length rows = most / d->row;
  const length chunk = d->chunk[d->axis] > 0 ? d->chunk[d->axis] : 1;
  if (rows > chunk) rows -= rows % chunk;
  d->block = rows;
}

static bool put(const void *data, size_t bytes) {
  const char *p = data;
  while (bytes > 0) {
    const ssize_t n = write(CHILD_DATA, p, bytes);
    if (n <= 0) return false; /* nobody reads any more */
    p += n;
    bytes -= (size_t)n;
  }
  return true;
}

static int put_header(const struct dataset *d) {
  unsigned char header[NPY_WRITTEN_MAX];
  size_t shape[DIMENSIONS_MOST], bytes;
  struct failure why;
  for (int k = 0; k < d->dimensions; k++) shape[k] = (size_t)d->dims[k];
  if (npy_write_header(d->type, (size_t)d->dimensions, shape, false, header, &bytes, &why) != 0)
    return stop(why.text);
  return put(header, bytes) ? 0 : stop("nobody reads it");
}

/* One block: rows from start[axis] on of what start says of the axes before. */
static int put_block(const struct dataset *d, const length *start, length rows, void *buffer) {
  length count[DIMENSIONS_MOST];
  for (int k = 0; k < d->dimensions; k++)
    count[k] = k < d->axis ? 1 : k == d->axis ? rows : d->dims[k];
  const length elements = rows * d->row;
  const id memory = h.screate(1, &elements, NULL);
  if (memory < 0 || h.sselect(d->space, SELECT_SET, start, NULL, count, NULL) < 0 ||
      h.dread(d->dataset, d->memory_type, memory, d->space, DEFAULT, buffer) < 0)
    return stop(
        "the dataset cannot be read: it is damaged, or packed by a filter that libhdf5 lacks");
  (void)h.sclose(memory);
  return put(buffer, (size_t)elements * heddle_type_size(d->type)) ? 0 : stop("nobody reads it");
}

/* The next place of the axes before the cut one; false behind the last. */
static bool next_place(const struct dataset *d, length *start) {
  for (int k = d->axis - 1; k >= 0; k--) {
    if (++start[k] < d->dims[k]) return true;
    start[k] = 0;
  }
  return false;
}

static int put_elements(struct dataset *d) {
  length start[DIMENSIONS_MOST] = {0};
  for (int k = 0; k < d->dimensions; k++)
    if (d->dims[k] == 0) return 0;
  unsigned char *const buffer = malloc(BLOCK_BYTES);
  if (!buffer) return stop("no memory to read it");
  int status = 0;
  if (d->dimensions == 0) {
    status = h.dread(d->dataset, d->memory_type, DEFAULT, DEFAULT, DEFAULT, buffer) < 0 ||
             !put(buffer, heddle_type_size(d->type));
    free(buffer);
    return status ? stop("the dataset cannot be read") : 0;
  }
  cut(d);
  do {
    for (length at = 0; at < d->dims[d->axis] && status == 0; at += d->block) {
      const length left = d->dims[d->axis] - at;
      start[d->axis] = at;
      status = put_block(d, start, left < d->block ? left : d->block, buffer);
    }
    start[d->axis] = 0;
  } while (status == 0 && next_place(d, start));
  free(buffer);
  return status;
}

int hdf5_child(const char *member) {
  struct dataset d;
  memset(&d, 0, sizeof d);
  if (load() != 0) return 1;
  const id file = h.fopen("/dev/fd/3", 0, DEFAULT);
  if (file < 0)
    return stop("it is no HDF5 file that libhdf5 opens: cut off or damaged; get it again");
  if (open_dataset(file, member, &d.dataset) != 0 || find_type(&d) != 0 || find_shape(&d) != 0)
    return 1;
  return put_header(&d) != 0 || put_elements(&d) != 0;
}
