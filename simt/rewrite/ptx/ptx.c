/* The instruction's shape decides what writes it (ptx.h).
 *
 * Method  statement by statement: declarations of registers, braces, and instructions, each an
 *         assignment through simt/ptx.hpp. What computes a value is in table.c, what goes to
 *         memory in memory.c; conversions and barriers have their own shapes here
 * Limits  no branches and no labels; addresses of 32 bits are those of shared memory
 */
#include "memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Statements ------------------------------------------------------------------------------ */

/* .reg .u32 a, b<4>; */
static bool declare_registers(const struct ptx_context *c, const char *text, size_t length) {
  struct ptx_argument a = ptx_trim(text, length), names[PTX_ARGUMENTS];
  if (!a.length || *a.text != '.') return false;
  size_t type_length = 1;
  while (type_length < a.length && ptx_is_identifier(a.text[type_length])) type_length++;
  const char *type = ptx_type(a.text + 1, type_length - 1);
  const size_t count = ptx_split(ptx_trim(a.text + type_length, a.length - type_length), names);
  if (!type || !count) return false;
  for (size_t i = 0; i < count; i++) {
    struct ptx_argument name = names[i];
    while (name.length && *name.text == '%') name.text++, name.length--;
    const char *angle = memchr(name.text, '<', name.length);
    const size_t bare = angle ? (size_t)(angle - name.text) : name.length;
    const unsigned long copies = angle ? strtoul(angle + 1, NULL, 10) : 0;
    if (copies > 256) return false;
    for (unsigned long k = 0; k < (angle ? copies : 1); k++) {
      text_add_format(c->out, "%s ", type);
      if (!ptx_add_register(c->out, name.text, bare)) return false;
      if (angle) text_add_format(c->out, "%lu", k);
      text_add_string(c->out, " = {}; ");
    }
  }
  return true;
}

/* bar.sync 0: that of __syncthreads, of all threads. */
static bool is_whole_barrier(const struct ptx_statement *s, const char *as) {
  return strstr(as, "named_barrier") && s->count == 1 && s->arguments[0].length == 1 &&
         *s->arguments[0].text == '0';
}

/* What has no value: barriers, fences, hints. */
static bool add_effect(const struct ptx_context *c, const struct ptx_statement *s, bool *known) {
  static const struct {
    const char *opcode, *as;
    size_t arguments;
  } effects[] = {{"membar.cta", "__threadfence_block();", 0},
                 {"membar.gl", "__threadfence();", 0},
                 {"membar.sys", "__threadfence_system();", 0},
                 {"fence.sc.cta", "__threadfence_block();", 0},
                 {"fence.acq_rel.cta", "__threadfence_block();", 0},
                 {"fence.acquire.cta", "__threadfence_block();", 0},
                 {"fence.release.cta", "__threadfence_block();", 0},
                 {"fence.sc.gpu", "__threadfence();", 0},
                 {"fence.acq_rel.gpu", "__threadfence();", 0},
                 {"fence.acquire.gpu", "__threadfence();", 0},
                 {"fence.release.gpu", "__threadfence();", 0},
                 {"fence.", "__threadfence_system();", 0},
                 {"bar.warp.sync", "__syncwarp(~0);", 1},
                 {"bar.sync", "simt::named_barrier(~0, ~1);", 2},
                 {"bar.arrive", "simt::named_arrive(~0, ~1);", 2},
                 {"barrier.sync", "simt::named_barrier(~0, ~1);", 2},
                 {"barrier.arrive", "simt::named_arrive(~0, ~1);", 2},
                 {"barrier.cta.sync", "simt::named_barrier(~0, ~1);", 2},
                 {"barrier.cta.arrive", "simt::named_arrive(~0, ~1);", 2},
                 {"nanosleep", "__nanosleep(~0);", 1},
                 {"trap", "__trap();", 0},
                 {"brkpt", "__brkpt();", 0},
                 {"prefetch", "", 1},
                 {"discard", "", 2},
                 {"applypriority", "", 2},
                 {"cp.async.commit_group", "simt::async_committed();", 0},
                 {"cp.async.wait_group", "simt::async_wait(~0);", 1},
                 {"cp.async.wait_all", "simt::async_committed(); simt::async_wait(0);", 0},
                 {"griddepcontrol", "", 0}};
  for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
    if (strncmp(s->opcode, effects[i].opcode, strlen(effects[i].opcode))) continue;
    *known = true;
    if (is_whole_barrier(s, effects[i].as)) {
      text_add_string(c->out, "__syncthreads();");
      return true;
    }
    if (s->count != effects[i].arguments) return false;
    for (const char *p = effects[i].as; *p; p++) {
      if (*p != '~') {
        text_add(c->out, p, 1);
        continue;
      }
      const size_t number = (size_t)(*++p - '0');
      if (!ptx_add_typed(c, "uint32_t", s->arguments[number])) return false;
    }
    return true;
  }
  return false;
}

/* shfl.sync.up.b32 d|p, ..: whether the other lane was one of the segment */
static bool add_shuffle_predicate(const struct ptx_context *c, const struct ptx_statement *s,
                                  struct ptx_argument predicate) {
  const char *mode = strstr(s->opcode, ".sync.");
  if (!ptx_is(s, "shfl") || !mode || s->count != 5) return false;
  text_add_string(c->out, "simt::ptx::set(");
  if (!ptx_add_operand(c, predicate)) return false;
  text_add_format(c->out, ", simt::ptx::shuffles('%c', ", mode[6]);
  if (!ptx_add_typed(c, "uint32_t", s->arguments[2])) return false;
  text_add_string(c->out, ", ");
  if (!ptx_add_typed(c, "uint32_t", s->arguments[3])) return false;
  text_add_string(c->out, ")); ");
  return true;
}

static bool add_conversion(const struct ptx_context *c, const struct ptx_statement *s) {
  if (s->count != 2 || !s->type || !s->second_last) return false;
  const char *round = ptx_has(s, ".rni")   ? "rint"
                      : ptx_has(s, ".rmi") ? "floor"
                      : ptx_has(s, ".rpi") ? "ceil"
                                           : "";
  text_add_string(c->out, "simt::ptx::set(");
  if (!ptx_add_operand(c, s->arguments[0])) return false;
  text_add_format(c->out, ", (%s)%s(", s->second_last, round);
  if (!ptx_add_typed(c, s->type, s->arguments[1])) return false;
  text_add_string(c->out, ")); ");
  return true;
}

/* mov.b64 {lo, hi}, x and mov.b64 x, {lo, hi} */
static bool add_pack(const struct ptx_context *c, const struct ptx_statement *s) {
  struct ptx_argument parts[PTX_ARGUMENTS];
  const bool unpacks = *s->arguments[0].text == '{';
  const size_t count = ptx_elements(s->arguments[unpacks ? 0 : 1], parts);
  const unsigned width = strstr(s->opcode, "64") ? 64 : 32;
  if (count < 2 || !s->type) return false;
  const unsigned bits = width / (unsigned)count;
  const char *part = bits == 32 ? "uint32_t" : bits == 16 ? "uint16_t" : "uint8_t";
  if (!unpacks) {
    text_add_string(c->out, "simt::ptx::set(");
    if (!ptx_add_operand(c, s->arguments[0])) return false;
    text_add_format(c->out, ", (%s)(0", s->type);
  }
  for (size_t i = 0; i < count; i++) {
    const unsigned shift = bits * (unsigned)i;
    if (unpacks) {
      text_add_string(c->out, "simt::ptx::set(");
      if (!ptx_add_operand(c, parts[i])) return false;
      text_add_format(c->out, ", (%s)(", part);
      if (!ptx_add_typed(c, s->type, s->arguments[1])) return false;
      text_add_format(c->out, " >> %u)); ", shift);
    } else {
      text_add_format(c->out, " | (%s)", s->type);
      if (!ptx_add_typed(c, part, parts[i])) return false;
      text_add_format(c->out, " << %u", shift);
    }
  }
  if (!unpacks) text_add_string(c->out, ")); ");
  return true;
}

/* What the table says: set(destination, expression). */
static bool add_computation(const struct ptx_context *c, const struct ptx_statement *s) {
  size_t sources = 0;
  const char *expression = ptx_expression(s->opcode, &sources);
  const char *type = s->type ? s->type : "uint32_t";
  if (!expression || s->count != sources + 1) return false;
  struct ptx_argument result = s->arguments[0];
  const char *bar = memchr(result.text, '|', result.length);
  if (bar) {
    const size_t length = (size_t)(bar - result.text);
    if (!add_shuffle_predicate(c, s, ptx_trim(bar + 1, result.length - length - 1))) return false;
    result = ptx_trim(result.text, length);
  }
  text_add_string(c->out, "simt::ptx::set(");
  if (!ptx_add_operand(c, result)) return false;
  text_add_string(c->out, ", ");
  for (const char *p = expression; *p; p++) {
    if (*p == '@') {
      text_add_string(c->out, type);
      continue;
    }
    const bool source = p[1] >= '1' && p[1] <= '4' && strchr("$~^?", *p);
    if (!source) {
      text_add(c->out, p, 1);
      continue;
    }
    char *wide = text_format("typename simt::ptx::wide_of<%s>::type", type);
    const char *as = *p == '$' ? type : *p == '~' ? "uint32_t" : *p == '?' ? "bool" : wide;
    const bool fine = ptx_add_typed(c, as, s->arguments[p[1] - '0']);
    free(wide);
    if (!fine) return false;
    p++;
  }
  text_add_string(c->out, "); ");
  return true;
}

static void find_types(struct ptx_statement *s) {
  for (const char *p = strchr(s->opcode, '.'); p; p = strchr(p + 1, '.')) {
    const char *type = ptx_type(p + 1, strcspn(p + 1, "."));
    if (!type) continue;
    s->second_last = s->type;
    s->type = type;
  }
}

static bool add_instruction(const struct ptx_context *c, struct ptx_statement *s) {
  bool known = false;
  find_types(s);
  if (add_effect(c, s, &known) || known) return known && s->opcode[0] != 0;
  if (ptx_is(s, "ld") || ptx_is(s, "ldu")) return ptx_load_or_store(c, s, true);
  if (ptx_is(s, "st")) return ptx_load_or_store(c, s, false);
  if (ptx_is(s, "atom")) return ptx_atomic(c, s, true);
  if (ptx_is(s, "red")) return ptx_atomic(c, s, false);
  if (ptx_is(s, "cvt")) return add_conversion(c, s);
  if (!strncmp(s->opcode, "cp.async.c", 10)) return ptx_copy_async(c, s);
  if (ptx_is(s, "mov") && s->count == 2 &&
      (*s->arguments[0].text == '{' || *s->arguments[1].text == '{')) {
    return add_pack(c, s);
  }
  return add_computation(c, s);
}

static bool add_statement(const struct ptx_context *c, struct ptx_argument a, char **unknown) {
  if (a.length > 5 && !strncmp(a.text, ".reg", 4)) {
    if (declare_registers(c, a.text + 4, a.length - 4)) return true;
    *unknown = text_copy(a.text, a.length);
    return false;
  }
  bool guarded = false;
  if (*a.text == '@') {
    size_t end = 1;
    while (end < a.length &&
           (ptx_is_identifier(a.text[end]) || a.text[end] == '!' || a.text[end] == '%'))
      end++;
    text_add_string(c->out, "if (");
    if (!ptx_add_typed(c, "bool", ptx_trim(a.text + 1, end - 1))) end = a.length;
    text_add_string(c->out, ") { ");
    a = ptx_trim(a.text + end, a.length - end);
    guarded = true;
  }
  size_t name = 0;
  while (name < a.length && !isspace((unsigned char)a.text[name])) name++;
  struct ptx_statement s = {.opcode = text_copy(a.text, name)};
  s.count = ptx_split(ptx_trim(a.text + name, a.length - name), s.arguments);
  const bool fine = name && add_instruction(c, &s);
  if (guarded) text_add_string(c->out, " }");
  if (fine) {
    free(s.opcode);
  } else {
    *unknown = s.opcode;
  }
  return fine;
}

/* Comments become blanks. */
static char *without_comments(const char *text) {
  char *copy = text_copy(text, strlen(text));
  for (char *p = copy; *p; p++) {
    if (p[0] == '/' && p[1] == '/') {
      while (*p && *p != '\n') *p++ = ' ';
    } else if (p[0] == '/' && p[1] == '*') {
      while (*p && !(p[0] == '*' && p[1] == '/')) *p++ = ' ';
      if (*p) p[0] = p[1] = ' ';
    }
    if (!*p) break;
  }
  return copy;
}

bool ptx_translate(const char *text, const struct ptx_operand *operands, size_t count,
                   struct text *out, char **unknown) {
  const struct ptx_context c = {operands, count, out};
  char *copy = without_comments(text);
  bool fine = true;
  if (!copy[strspn(copy, " \t\n;")]) text_add_string(out, "__asm__ volatile(\"\" ::: \"memory\");");
  for (const char *p = copy; *p && fine;) {
    /* A brace that opens a scope stands where a statement begins. */
    if (isspace((unsigned char)*p) || *p == ';') {
      p++;
    } else if (*p == '{' || *p == '}') {
      text_add_format(out, "%c ", *p++);
    } else {
      const size_t length = strcspn(p, ";");
      const struct ptx_argument a = ptx_trim(p, length);
      if (a.length) fine = add_statement(&c, a, unknown);
      p += length;
    }
  }
  free(copy);
  return fine;
}
