/* container.c - files that hold several things under names, and which of them is meant
 *
 * Method  Told by first bytes. An array is found by its room (array/), and the stream narrowed to it; a member of a
 *         zip file is then looked at as if it were a file of its own. Tables go to table/.
 *         FILE:NAME is FILE with the name where no file is called so as a whole. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/array.h"
#include "arrow/arrow.h"
#include "helper/hdf5.h"
#include "helper/parquet.h"
#include "internal.h"
#include "table/wav.h"

/* The colon between a file and a name, or NULL. */
static const char *member_colon(const char *path) {
  char file[PATH_MAX];
  if (strlen(path) >= sizeof file || strcmp(path, "-") == 0 || access(path, F_OK) == 0) return NULL;
  for (const char *colon = strchr(path, ':'); colon; colon = strchr(colon + 1, ':')) {
    if (colon == path || colon[1] == '\0') continue;
    memcpy(file, path, (size_t)(colon - path));
    file[colon - path] = '\0';
    if (access(file, F_OK) == 0) return colon;
  }
  return NULL;
}

bool input_is_there(const char *path) { return access(path, F_OK) == 0 || member_colon(path); }

int container_path(struct input *in, struct failure *why) {
  const char *const colon = in->options.member ? NULL : member_colon(in->options.path);
  if (!colon) return 0;
  in->own_path = strdup(in->options.path);
  if (!in->own_path) return fail(why, EXIT_DATA, "%s: no memory to read it", in->options.path);
  char *const end = in->own_path + (colon - in->options.path);
  *end = '\0';
  in->options.path = in->own_path;
  in->options.member = end + 1;
  return 0;
}

/* An array tells its type and has no columns. */
static int check_plain(const struct input *in, struct failure *why) {
  const struct input_options *const o = &in->options;
  if (o->type != HEDDLE_TYPE_DEFAULT)
    return fail(why, EXIT_USAGE, "%s tells its own type: leave the type %s out", in->name,
                heddle_type_name(o->type));
  if (o->column_count > 0)
    return fail(why, EXIT_USAGE, "%s is an array, which has no columns: leave --column out",
                in->name);
  return 0;
}

static int open_zip(struct input *in, struct failure *why) {
  const int status = stream_to_file(in->stream, why);
  if (status != 0) return -1;
  if (zip_narrow(in->stream, in->options.member, in->options.two_passes, why) != 0) return -1;
  in->options.member = NULL;
  return 0;
}

static int open_array(struct input *in,
                      int narrow(struct stream *, const char *, struct npy_header *,
                                 struct failure *),
                      struct failure *why) {
  if (check_plain(in, why) != 0 || stream_to_file(in->stream, why) != 0 ||
      narrow(in->stream, in->options.member, &in->npy, why) != 0)
    return -1;
  in->placed = true;
  in->format = INPUT_NPY;
  return 0;
}

/* An array that may lie in pieces, or stand for other numbers. */
static int open_view(struct input *in, array_finder *find, struct failure *why) {
  struct array_view view;
  char *name = NULL;
  if (check_plain(in, why) != 0 || stream_to_file(in->stream, why) != 0 ||
      find(in->stream, in->options.member, &in->npy, &view, &name, why) != 0)
    return -1;
  in->placed = true;
  in->format = INPUT_NPY;
  if (array_view_is_plain(&view)) {
    const struct stream_part part = {.name = name, .begin = view.begin, .bytes = view.bytes};
    in->npy.swapped = view.swapped;
    return stream_narrow(in->stream, &part, why);
  }
  if (array_view_open(&in->stream, &view, name, why) != 0) return -1;
  return in->options.two_passes ? stream_keep(in->stream, why) : 0;
}

static int arrow_table(struct input *in, bool again, struct table **out, struct failure *why) {
  if (again && stream_keep(in->stream, why) != 0) return -1;
  return arrow_open(in->stream, out, why);
}

int container_open(struct input *in, struct failure *why) {
  unsigned char bytes[STREAM_PEEK];
  size_t count;
  const enum input_format format = in->options.format;
  const bool unpacks = !in->options.as_is && format != INPUT_RAW && format != INPUT_BYTES;
  if (stream_peek(in->stream, bytes, &count, why) != 0) return -1;
  const bool tables = format == INPUT_AUTO || format == INPUT_TEXT;
  int status = 0;
  if (unpacks && zip_has_magic(bytes, count))
    status = open_zip(in, why);
  else if (format == INPUT_AUTO && safetensors_has_magic(bytes, count))
    status = open_array(in, safetensors_narrow, why);
  else if (format == INPUT_AUTO && fits_has_magic(bytes, count))
    status = open_view(in, fits_find, why);
  else if (format == INPUT_AUTO && netcdf_has_magic(bytes, count))
    status = open_view(in, netcdf_find, why);
  else if (format == INPUT_AUTO && hdf5_has_magic(bytes, count))
    status = check_plain(in, why) != 0 ? -1 : hdf5_open(in, why);
  else if (tables && wav_has_magic(bytes, count))
    status = table_open(in, wav_table, why);
  else if (tables && arrow_has_magic(bytes, count))
    status = table_open(in, arrow_table, why);
  else if (tables && parquet_has_magic(bytes, count))
    status = table_open(in, parquet_table, why);
  else if (in->options.member)
    return fail(why, EXIT_USAGE,
                "%s has no arrays under names: '%s' chooses one of .npz, .zip, safetensors, FITS "
                "and NetCDF files",
                in->name, in->options.member);
  in->name = stream_name(in->stream);
  return status;
}
