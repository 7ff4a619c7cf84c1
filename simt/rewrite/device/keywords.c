/* What is rewritten word by word: CUDA's qualifiers, printf and its kin, a second `const`.
 *
 * Limits  a function called through a name of the user's own (a pointer to printf) stays
 *         what it is
 */
#include <stdlib.h>

#include "rewrite/loops/loops.h"
#include "rewrite/passes.h"

/* Deletes token i and the parenthesis behind it; returns the last token deleted. */
static uint32_t delete_call(struct unit *u, uint32_t i) {
  edit_delete(u, i);
  if (!is_mark(u, i + 1, '(') || u->tokens[i + 1].match == NONE) return i;
  const uint32_t close = u->tokens[i + 1].match;
  for (uint32_t k = i + 1; k <= close; k++) edit_delete(u, k);
  return close;
}

/* A cluster is one block here: of no consequence unless its blocks work together. */
static void check_cluster(struct unit *u, uint32_t i) {
  const uint32_t close = is_mark(u, i + 1, '(') ? u->tokens[i + 1].match : NONE;
  bool larger = false, used = false;
  for (uint32_t k = i + 2; close != NONE && k < close; k++) {
    const struct token *t = &u->tokens[k];
    larger |= !is_mark(u, k, ',') && (t->length != 1 || u->text[t->start] != '1');
  }
  for (uint32_t k = 0; larger && k < u->token_count; k++)
    used |= is_keyword(u, k, KEYWORD_THIS_CLUSTER);
  if (used) unit_error(u, i, "simt has no clusters of more than one block");
}

static bool is_inline(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_INLINE) || is_keyword(u, i, KEYWORD_INLINE2) ||
         is_keyword(u, i, KEYWORD_INLINE3);
}

/* An `inline` earlier in the same specifiers, or a lambda's bracket: another would be one too
 * many. __forceinline__ and inline stand together in much code. */
static bool has_inline(const struct unit *u, uint32_t i) {
  for (uint32_t k = i; k-- > 0 && i - k < 32;) {
    const struct token *t = &u->tokens[k];
    if (t->kind == TOKEN_MARK && (t->name == ';' || t->name == '}' || t->name == '{')) break;
    if (is_mark(u, k, ']') || is_inline(u, k) || is_keyword(u, k, KEYWORD_FORCEINLINE)) return true;
  }
  return false;
}

/* A function of the C library that is called here: not a member, not being declared. */
static bool is_library_call(const struct unit *u, uint32_t i) {
  if (unit_is_member(u, i)) return false;
  if (!i) return true;
  if (is_mark(u, i - 1, MARK_SCOPE)) {
    if (i < 2 || !is_name(u, i - 2)) return true;
    return is_keyword(u, i - 2, KEYWORD_STD) && (i < 3 || !is_keyword(u, i - 3, KEYWORD_USING));
  }
  if (!is_name(u, i - 1)) return true;
  const uint32_t before = u->tokens[i - 1].name;
  return before == KEYWORD_RETURN || before == KEYWORD_ELSE || before == KEYWORD_DO;
}

static void replace_library_call(struct unit *u, uint32_t i, const char *by) {
  if (!is_library_call(u, i)) return;
  edit_replace(u, i, "%s", by);
  if (i && is_mark(u, i - 1, MARK_SCOPE)) {
    edit_delete(u, i - 1);
    if (i >= 2 && is_keyword(u, i - 2, KEYWORD_STD)) edit_delete(u, i - 2);
  }
}

/* const T const *p: nvcc takes it, g++ does not. Deletes the second one. */
static void delete_second_const(struct unit *u, uint32_t i) {
  for (uint32_t k = i + 1; k < i + 32; k++) {
    if (is_keyword(u, k, KEYWORD_CONST)) {
      edit_delete(u, k);
      return;
    }
    if (is_mark(u, k, '<')) {
      k = unit_angle_close(u, k);
      if (k == NONE) return;
    } else if (!is_name(u, k) && !is_mark(u, k, MARK_SCOPE)) {
      return;
    }
  }
}

static void rewrite_in_device(struct unit *u, uint32_t i) {
  const enum inside inside = (enum inside)u->inside[i];
  if ((inside != INSIDE_DEVICE && inside != INSIDE_BOTH) || !is_mark(u, i + 1, '(')) return;
  switch (u->tokens[i].name) {
  case KEYWORD_DEVICE_SYNC:
    /* Children run when their parent grid has ended: nobody could wait for them here. */
    if (inside == INSIDE_DEVICE && is_library_call(u, i))
      unit_error(u, i, "simt has no cudaDeviceSynchronize in kernels, as CUDA 12 has none");
    break;
  case KEYWORD_MALLOC: replace_library_call(u, i, "simt_malloc"); break;
  case KEYWORD_FREE: replace_library_call(u, i, "simt_free"); break;
  case KEYWORD_MEMCPY:
  case KEYWORD_MEMCPY2:
  case KEYWORD_MEMMOVE:
  case KEYWORD_MEMMOVE2:
    if (u->instrumented) replace_library_call(u, i, "simt::copy_memory");
    break;
  case KEYWORD_MEMSET:
  case KEYWORD_MEMSET2:
    if (u->instrumented) replace_library_call(u, i, "simt::set_memory");
    break;
  case KEYWORD_MEMCMP:
  case KEYWORD_MEMCMP2:
    if (u->instrumented) replace_library_call(u, i, "simt::compare_memory");
    break;
  case KEYWORD_CLOCK:
    if (inside == INSIDE_DEVICE) replace_library_call(u, i, "(clock_t)simt_clock64");
    break;
  default: break;
  }
}

/* The line is what makes lanes print together; a compiler may copy a call (a loop unrolled). */
static void print_call(struct unit *u, uint32_t i) {
  if (is_mark(u, i + 1, '(') && !is_mark(u, i + 2, ')') && is_library_call(u, i)) {
    replace_library_call(u, i, "simt_printf_at");
    edit_after(u, i + 1, "%u, ", u->tokens[i].line);
  } else {
    replace_library_call(u, i, "simt_printf");
  }
}

/* The `while` at i may be that of do { } while (...); or of do statement; while (...); */
static bool ends_do(const struct unit *u, uint32_t i) {
  if (i < 2 || is_mark(u, i - 1, '}')) return i >= 2;
  if (!is_mark(u, i - 1, ';')) return false;
  uint32_t k = i - 1;
  while (k-- > 0) {
    if (is_keyword(u, k, KEYWORD_DO)) return true;
    if (is_mark(u, k, ';') || is_mark(u, k, '{') || is_mark(u, k, '}')) return false;
  }
  return false;
}

/* `while (flag == 0);` in device code: somebody else must get a turn to set it. Nobody need come
 * between the turns of a loop that counts. */
static void fill_empty_loop(struct unit *u, uint32_t i) {
  const enum inside inside = (enum inside)u->inside[i];
  if ((inside != INSIDE_DEVICE && inside != INSIDE_BOTH) || !is_mark(u, i + 1, '(')) return;
  const uint32_t close = u->tokens[i + 1].match;
  if (close == NONE || ends_do(u, i) || loop_counts(u, i)) return;
  if (is_mark(u, close + 1, ';')) edit_before(u, close + 1, " simt_yield()");
  if (is_mark(u, close + 1, '{') && u->tokens[close + 1].match == close + 2)
    edit_after(u, close + 1, " simt_yield();");
}

/* texture<float, 2> t; of the days before CUDA 12. Many programs have a class of that name. */
static void rename_texture_reference(struct unit *u, uint32_t i) {
  if (!is_mark(u, i + 1, '<') || unit_is_member(u, i)) return;
  const uint32_t close = unit_angle_close(u, i + 1);
  if (close == NONE || !(is_name(u, close + 1) || is_mark(u, close + 1, '&'))) return;
  for (uint32_t k = 1; k < u->token_count; k++)
    if (is_keyword(u, k, KEYWORD_TEXTURE) &&
        (is_keyword(u, k - 1, KEYWORD_CLASS) || is_keyword(u, k - 1, KEYWORD_STRUCT)))
      return;
  edit_replace(u, i, "simt_texture_reference");
}

/* One name; returns the last token that it took. */
static uint32_t one_word(struct unit *u, uint32_t i) {
  const uint32_t word = u->tokens[i].name;
  const unsigned flags = keyword_flags(word);
  if (flags & DROPPED) {
    edit_delete(u, i);
    return i;
  }
  if (word == KEYWORD_CLUSTER_DIMS) check_cluster(u, i);
  if (flags & DROPPED_CALL) return delete_call(u, i);
  switch (word) {
  case KEYWORD_ATTRIBUTE:
    if (is_mark(u, i + 1, '(') && u->tokens[i + 1].match != NONE) return u->tokens[i + 1].match;
    break;
  case KEYWORD_FORCEINLINE: edit_replace(u, i, "%s", has_inline(u, i) ? "" : "inline"); break;
  case KEYWORD_INLINE:
  case KEYWORD_INLINE2:
  case KEYWORD_INLINE3:
    if (has_inline(u, i)) edit_delete(u, i);
    break;
  case KEYWORD_NOINLINE: edit_replace(u, i, "__attribute__((noinline))"); break;
  case KEYWORD_ALIGN:
    if (is_mark(u, i + 1, '(') && u->tokens[i + 1].match != NONE) {
      edit_replace(u, i, "__attribute__((aligned");
      edit_after(u, u->tokens[i + 1].match, "))");
    }
    break;
  case KEYWORD_CONST: delete_second_const(u, i); break;
  case KEYWORD_TEXTURE: rename_texture_reference(u, i); break;
  case KEYWORD_PRINTF: print_call(u, i); break;
  case KEYWORD_WHILE:
  case KEYWORD_FOR: fill_empty_loop(u, i); break;
  case KEYWORD_ASSERT_FAIL: replace_library_call(u, i, "simt_assert_fail"); break;
  default: rewrite_in_device(u, i); break;
  }
  return i;
}

void rewrite_keywords(struct unit *u) {
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (is_name(u, i) && u->tokens[i].name < KEYWORD_COUNT) i = one_word(u, i);
  }
}
