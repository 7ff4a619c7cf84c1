/* magic.c - a table of first bytes and endings, and what to do with those that are not read */
#include "magic.h"

#include <string.h>

#include "heddle.h"
#include "output/npy.h"
#include "text/number.h"

enum use { READ, REFUSED };

static const struct {
  const char *ending; /* NULL: none that promises it */
  const char *bytes;
  size_t count;
  const char *what;
  enum use use;
  const char *remedy; /* what to do instead, behind the file's name */
} formats[] = {
    {".gz", "\x1f\x8b\x08", 3, "gzip", READ, NULL},
    {".zst", "\x28\xb5\x2f\xfd", 4, "zstd", READ, NULL},
    {".npy", "\x93NUMPY", 6, ".npy", READ, NULL},
    {".npz", "PK\x03\x04", 4, "zip (.npz)", READ, NULL},
    {".zip", "PK\x03\x04", 4, "zip", READ, NULL},
    {".xz", "\xfd\x37zXZ\x00", 6, "xz", READ, NULL},
    {".bz2", "BZh", 3, "bzip2", READ, NULL},
    {NULL, "\x04\x22\x4d\x18", 4, "lz4", REFUSED, "unpack it: lz4 -dc FILE | heddle ..."},
    {NULL, "\x1f\x9d", 2, "compress", REFUSED, "unpack it: gzip -dc FILE | heddle ..."},
    {NULL, "FEA1", 4, "Feather of version 1", REFUSED,
     "write it again: pyarrow.feather.write_feather(t, FILE)"},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool ends_in(const char *path, size_t length, const char *ending) {
  const size_t count = strlen(ending);
  return length > count && memcmp(path + length - count, ending, count) == 0;
}

/* Whether the path ends in .npy, with an ending of a packer behind it or not. */
static bool is_called_npy(const char *path) {
  size_t length = strlen(path);
  if (ends_in(path, length, ".gz")) length -= 3;
  if (ends_in(path, length, ".zst")) length -= 4;
  return ends_in(path, length, ".npy");
}

/* Nothing, or a part of the signature and no more. */
static bool is_cut(size_t format, const unsigned char *bytes, size_t count) {
  return count < formats[format].count &&
         (count == 0 || memcmp(bytes, formats[format].bytes, count) == 0);
}

static int cut_off(const char *name, size_t format, size_t count, struct failure *why) {
  if (count == 0)
    return fail(why, EXIT_DATA,
                "%s is empty, which no %s file is: it was not written to its end; get it again",
                name, formats[format].what);
  return fail(why, EXIT_DATA, "%s ends after the first %zu byte%s of a %s file; get it again", name,
              count, count == 1 ? "" : "s", formats[format].what);
}

int magic_check_packed(const char *path, const unsigned char *bytes, size_t count,
                       struct failure *why) {
  for (size_t i = 0; i < FORMATS; i++) {
    if (!formats[i].ending || !ends_in(path, strlen(path), formats[i].ending)) continue;
    if (strcmp(formats[i].ending, ".npy") == 0) continue; /* looked at once it is unpacked */
    if (is_cut(i, bytes, count)) return cut_off(path, i, count, why);
  }
  return 0;
}

static size_t npy_format(void) {
  size_t i = 0;
  while (formats[i].bytes[0] != '\x93') i++;
  return i;
}

int magic_check_npy(const char *path, const unsigned char *bytes, size_t count,
                    struct failure *why) {
  if (!is_called_npy(path) || !is_cut(npy_format(), bytes, count)) return 0;
  return cut_off(path, npy_format(), count, why);
}

static bool begins(size_t format, const unsigned char *bytes, size_t count) {
  return count >= formats[format].count &&
         memcmp(bytes, formats[format].bytes, formats[format].count) == 0;
}

int magic_check_text(const char *path, const char *name, const unsigned char *bytes, size_t count,
                     struct failure *why) {
  for (size_t i = 0; i < FORMATS; i++) {
    if (formats[i].use == REFUSED && begins(i, bytes, count))
      return fail(why, EXIT_DATA, "%s is a %s file, which is not read here; %s", name,
                  formats[i].what, formats[i].remedy);
    const bool words = count == 0 || (bytes[0] >= ' ' && bytes[0] < 0x7f && count == 1);
    if (!words && formats[i].use == READ && is_cut(i, bytes, count))
      return cut_off(name, i, count, why);
  }
  if (!is_called_npy(path)) return 0;
  return fail(why, EXIT_DATA,
              "%s is called .npy and does not begin as one: it is damaged, or not what its name "
              "says; --format text reads it as text",
              name);
}

/* ---- text ---------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool separates(char c) { return is_space(c) || c == ',' || c == ';' || c == '|'; }

static bool is_printable(const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_space(bytes[i]) && (bytes[i] < ' ' || bytes[i] > '~')) return false;
  return true;
}

/* Whether all is numbers and what separates them; the last may be cut unless it is `whole`. */
static bool are_numbers(const char *p, const char *end, bool whole) {
  size_t numbers = 0;
  while (p < end) {
    const char *const begin = p;
    while (p < end && !separates(*p)) p++;
    if (p == end && !whole && numbers > 0) break;
    double value;
    if (p > begin && number_parse(begin, (size_t)(p - begin), HEDDLE_F64, &value) != NUMBER_OK)
      return false;
    numbers += p > begin;
    p += p < end;
  }
  return numbers > 0;
}

bool magic_is_text(const char *bytes, size_t count, bool whole, size_t element_bytes) {
  enum { LONG = 64 }; /* random bytes are printable so far with a chance below 1e-26 */
  if (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) return true;
  if (!is_printable(bytes, count)) return false;
  if (element_bytes > 1 && count >= LONG) return true;
  const char *const end = bytes + count;
  if (are_numbers(bytes, end, whole)) return true;
  const char *const line = memchr(bytes, '\n', count); /* the first may have names */
  return line && are_numbers(line, end, whole);
}

int magic_no_table(const char *name, const unsigned char *bytes, size_t count,
                   struct failure *why) {
  if (!npy_has_magic(bytes, count)) return 0;
  return fail(
      why, EXIT_DATA,
      "%s is a .npy array, which has no columns under names: heddle convert FILE.npy -o FILE.csv "
      "makes a table of one of two dimensions, and heddle select '> 3' FILE.npy has elements",
      name);
}

int magic_no_zeros(const char *name, const unsigned char *bytes, size_t count,
                   struct failure *why) {
  if (!memchr(bytes, '\0', count)) return 0;
  return fail(why, EXIT_DATA,
              "%s is not text: it has zero bytes; say what it is: --type f32 for raw numbers, "
              "--bytes, or --format text if it is text all the same",
              name);
}
