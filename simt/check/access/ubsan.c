/* What g++ -fsanitize=bounds,alignment calls when an index is outside of its array's type, and when
 * a pointer is misaligned for its own.
 *
 * Result   out-of-bounds findings inside one variable: a row of a shared tile, a local array, a
 *          member of a struct; what alignment.c judges accesses by
 * Method   the compiler hands over the source line and the array's type. The access itself follows;
 *          it is not looked at again. A pointer is no finding before an access goes through it: a
 *          member may need less than the whole
 * Source   the interface of GCC's undefined behaviour sanitizer
 */
#include "access.h"
#include "alignment.h"

#include <stdio.h>
#include <string.h>

struct location {
  const char *file;
  uint32_t line, column;
};

struct type {
  uint16_t kind, info; /* kind 0: integer; info: log2 of its bits * 2 + signed */
  char name[];
};

struct out_of_bounds {
  struct location location;
  const struct type *array, *index;
};

enum { LOAD, STORE, REFERENCE, MEMBER }; /* those behind them are calls and casts */
struct type_mismatch {
  struct location location;
  const struct type *type;
  uint8_t log2_alignment, kind;
};

static long long value_of(const struct type *type, uintptr_t value) {
  const unsigned bits = 1u << (type->info >> 1);
  if (type->kind != 0 || !(type->info & 1)) return (long long)value;
  if (bits == 64) return (long long)(int64_t)value;
  const unsigned shift = 64 - bits;
  return (long long)((int64_t)((uint64_t)value << shift) >> shift);
}

/* A name stands in quotes. */
static void array_name(const struct type *type, char *text, size_t size) {
  const char *name = type->name;
  snprintf(text, size, "%s", name[0] == '\'' ? name + 1 : name);
  char *quote = strrchr(text, '\'');
  if (quote) *quote = 0;
}

/* `T x[1]` at the end of a struct is as long as the memory behind it. */
static bool is_open_ended(const struct type *array) {
  char name[128];
  array_name(array, name, sizeof name);
  const size_t length = strlen(name);
  return length > 3 && (!strcmp(name + length - 3, "[1]") || !strcmp(name + length - 3, "[0]"));
}

__attribute__((visibility("default"))) void
__ubsan_handle_out_of_bounds(const struct out_of_bounds *data, uintptr_t index) {
  const struct worker *me = sd_current;
  if (!ck_on || !me || !me->lane || ck_current.skipped) return;
  if (ck_current.unsettled) ck_race_settle();
  if (is_open_ended(data->array)) return;
  ck_current.quiet = 3;
  ck_current.outside = NULL;
  const struct location *at = &data->location;
  struct finding *f = ck_finding(SD_OUT_OF_BOUNDS, (uintptr_t)at->file, at->line);
  if (!f) return;
  char name[128];
  array_name(data->array, name, sizeof name);
  snprintf(f->sides[0].file, sizeof f->sides[0].file, "%s", at->file);
  f->sides[0].line = at->line;
  ck_add_thread(&f->sides[0]);
  snprintf(f->text, sizeof f->text, "index %lld in an array of type %s",
           value_of(data->index, index), name);
  ck_current.outside = f;
  ck_publish(f);
}

__attribute__((visibility("default"))) void
__ubsan_handle_out_of_bounds_abort(const struct out_of_bounds *data, uintptr_t index) {
  __ubsan_handle_out_of_bounds(data, index);
}

__attribute__((visibility("default"))) void
__ubsan_handle_type_mismatch_v1(const struct type_mismatch *data, uintptr_t pointer) {
  const struct worker *me = sd_current;
  if (!ck_on || !me || !me->lane) return;
  const unsigned kind = data->kind;
  const bool accessed = kind == LOAD || kind == STORE || kind == MEMBER;
  ck_note_misaligned(me, pointer, (size_t)1 << data->log2_alignment, accessed);
}

__attribute__((visibility("default"))) void
__ubsan_handle_type_mismatch_v1_abort(const struct type_mismatch *data, uintptr_t pointer) {
  __ubsan_handle_type_mismatch_v1(data, pointer);
}
