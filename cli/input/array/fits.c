/* fits.c - an image of a FITS file
 *
 * Layout    Units of a header and data, each padded to 2880 bytes. A header is cards of 80 characters, "KEYWORD = value
 *           / comment", up to END. BITPIX is the type (negative for floats), NAXIS1 .. NAXISn the shape, the fastest
 *           first; the elements have their highest byte first, and stand for BZERO + BSCALE x value, BLANK for none.
 * Method    All headers are walked through, and the images that have data counted. An image without scaling keeps its
 *           type; BZERO at half of the range makes it the unsigned (of bytes the signed) one; any other is f64.
 * Limits    Tables, random groups and packed images (in tables) are no images here. At most 64 dimensions.
 * Source    The FITS Standard 4.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "names.h"
#include "text/element.h"

enum { BLOCK = 2880, CARD = 80, UNITS_MOST = 1 << 20 };

struct unit {
  long bitpix, axes;
  double length[NPY_MAX_DIMENSIONS], pcount, gcount, scale, zero, blank;
  bool image, groups, has_blank, ended;
  char name[72];
  uint64_t data;  /* where its data begin */
  uint64_t bytes; /* of them, without padding */
};

bool fits_has_magic(const unsigned char *bytes, size_t count) {
  return count >= 30 && memcmp(bytes, "SIMPLE  =                    T", 30) == 0;
}

static int damaged(const struct stream *s, const char *what, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: the FITS file is cut off or damaged: %s; get it again",
              stream_name(s), what);
}

/* ---- cards --------------------------------------------------------------------------------- */

/* The number of a card, or `otherwise`; FITS allows D for the exponent. */
static double card_number(const char *card, double otherwise) {
  char text[72];
  size_t n = 0;
  double value;
  for (const char *p = card + 10; p < card + CARD && n + 1 < sizeof text && *p != '/'; p++)
    if (*p != ' ' && *p != '+') text[n++] = *p == 'D' || *p == 'd' ? 'e' : *p;
  text[n] = '\0';
  return element_parse(text, HEDDLE_F64, &value) ? value : otherwise;
}

static void card_text(const char *card, char out[72]) {
  size_t n = 0;
  const char *p = memchr(card + 10, '\'', CARD - 10);
  for (p = p ? p + 1 : card + CARD; p < card + CARD && *p != '\'' && n < 71; p++) out[n++] = *p;
  while (n > 0 && out[n - 1] == ' ') n--;
  out[n] = '\0';
}

static bool is_key(const char *card, const char *key) {
  const size_t bytes = strlen(key);
  if (memcmp(card, key, bytes) != 0) return false;
  for (size_t i = bytes; i < 8; i++)
    if (card[i] != ' ') return false;
  return true;
}

static void take_card(struct unit *u, const char *card) {
  char text[72];
  const double number = card_number(card, 0);
  if (is_key(card, "END")) u->ended = true;
  if (memcmp(card + 8, "= ", 2) != 0) return;
  if (is_key(card, "BITPIX")) u->bitpix = (long)number;
  if (is_key(card, "NAXIS"))
    u->axes = number >= 0 && number <= NPY_MAX_DIMENSIONS ? (long)number : -1;
  if (is_key(card, "PCOUNT")) u->pcount = number;
  if (is_key(card, "GCOUNT")) u->gcount = number;
  if (is_key(card, "BSCALE")) u->scale = card_number(card, 1);
  if (is_key(card, "BZERO")) u->zero = number;
  if (is_key(card, "GROUPS")) u->groups = memchr(card + 10, 'T', 21) != NULL;
  if (is_key(card, "EXTNAME")) card_text(card, u->name);
  if (is_key(card, "XTENSION")) {
    card_text(card, text);
    u->image = strcmp(text, "IMAGE") == 0;
  }
  if (is_key(card, "BLANK")) {
    u->has_blank = true;
    u->blank = number;
  }
  for (long k = 0; k < NPY_MAX_DIMENSIONS && memcmp(card, "NAXIS", 5) == 0; k++) {
    char key[32];
    (void)snprintf(key, sizeof key, "NAXIS%ld", k + 1);
    if (is_key(card, key)) u->length[k] = number;
  }
}

static bool is_type(long bitpix) {
  return bitpix == 8 || bitpix == 16 || bitpix == 32 || bitpix == 64 || bitpix == -32 ||
         bitpix == -64;
}

/* Bytes of the data; false where they make no sense. */
static bool count_bytes(struct unit *u) {
  uint64_t elements = u->axes > 0;
  if (!is_type(u->bitpix) || u->axes < 0) return false;
  if (!(u->pcount >= 0 && u->pcount < 0x1p53) || !(u->gcount >= 0 && u->gcount < 0x1p53))
    return false;
  for (long k = 0; k < u->axes; k++) {
    const double n = u->length[k];
    if (!(n >= 0 && n < 0x1p53) || n != floor(n)) return false;
    if (u->groups && k == 0) continue; /* 0, and not counted */
    if (__builtin_mul_overflow(elements, (uint64_t)n, &elements)) return false;
  }
  const uint64_t size = (uint64_t)labs(u->bitpix) / 8;
  return !__builtin_add_overflow(elements, (uint64_t)u->pcount, &elements) &&
         !__builtin_mul_overflow(elements, (uint64_t)u->gcount, &elements) &&
         !__builtin_mul_overflow(elements, size, &u->bytes) && u->bytes <= UINT64_MAX / 4;
}

/* The unit whose header begins at `at`. */
static int read_unit(const struct stream *s, uint64_t at, struct unit *u, struct failure *why) {
  char block[BLOCK];
  *u = (struct unit){.image = at == 0, .gcount = 1, .scale = 1};
  while (!u->ended) {
    if (stream_at(s, at, block, BLOCK, why) != 0) return -1;
    for (size_t i = 0; i < BLOCK && !u->ended; i += CARD) take_card(u, block + i);
    at += BLOCK;
  }
  u->data = at;
  return count_bytes(u) ? 0 : damaged(s, "a header has no sense", why);
}

/* ---- the image ----------------------------------------------------------------------------- */

static heddle_type type_of(long bitpix) {
  return bitpix == 8     ? HEDDLE_U8
         : bitpix == 16  ? HEDDLE_I16
         : bitpix == 32  ? HEDDLE_I32
         : bitpix == 64  ? HEDDLE_I64
         : bitpix == -32 ? HEDDLE_F32
                         : HEDDLE_F64;
}

static void describe(const struct unit *u, struct npy_header *array, struct array_view *view) {
  const double half = u->bitpix == 8 ? -128 : u->bitpix > 0 ? ldexp(1, (int)u->bitpix - 1) : 0;
  const bool has_blank = u->has_blank && u->bitpix > 0;
  *view = (struct array_view){.begin = u->data,
                              .piece = u->bytes,
                              .stride = u->bytes,
                              .bytes = u->bytes,
                              .stored = type_of(u->bitpix),
                              .swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                              .scale = u->scale,
                              .zero = u->zero,
                              .blank = u->blank,
                              .has_blank = has_blank};
  if (has_blank || u->scale != 1 || (u->zero != 0 && u->zero != half))
    view->values = VIEW_SCALED;
  else if (u->zero != 0)
    view->values = VIEW_FLIPPED;
  memset(array, 0, sizeof *array);
  array->type = array_view_type(view);
  array->dimensions = (size_t)u->axes;
  for (long k = 0; k < u->axes; k++) array->shape[u->axes - 1 - k] = (size_t)u->length[k];
  array->count = (size_t)(u->bytes / heddle_type_size(view->stored));
}

static bool is_there(const struct unit *u) { return u->image && !u->groups && u->bytes > 0; }

int fits_find(struct stream *stream, const char *member, struct npy_header *array,
              struct array_view *view, char **name, struct failure *why) {
  struct unit unit, chosen = {0};
  struct names names;
  char label[72], number[24];
  int fd;
  uint64_t begin, bytes, at = 0;
  names_start(&names, member, NULL);
  (void)stream_is_file(stream, &fd, &begin, &bytes);
  for (size_t i = 0; (i == 0 || at < bytes) && i < UNITS_MOST; i++) {
    char first[8] = "";
    const size_t some = bytes - at < sizeof first ? (size_t)(bytes - at) : sizeof first;
    if (stream_at(stream, at, first, some, why) != 0) return -1;
    if (i > 0 && memcmp(first, "XTENSION", sizeof first) != 0) break; /* special records */
    if (read_unit(stream, at, &unit, why) != 0) return -1;
    const uint64_t padded = (unit.bytes + BLOCK - 1) / BLOCK * BLOCK;
    if (unit.bytes > bytes - unit.data && (is_there(&unit) || at == 0))
      return damaged(stream, "an image lies behind its end", why);
    (void)snprintf(number, sizeof number, "%zu", i);
    const bool numbered = *unit.name == '\0' || (member && strcmp(member, number) == 0);
    (void)snprintf(label, sizeof label, "%s", numbered ? number : unit.name);
    if (is_there(&unit) && names_add(&names, label, strlen(label))) chosen = unit;
    if (padded > bytes - unit.data) break;
    at = unit.data + padded;
  }
  if (names_check(&names, stream_name(stream), "image", "--member", why) != 0) return -1;
  describe(&chosen, array, view);
  *name = names_join(stream_name(stream), *chosen.name != '\0' ? chosen.name : "image",
                     *chosen.name != '\0' ? strlen(chosen.name) : 5);
  return *name ? 0 : fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(stream));
}
