/* Loads, stores, atomics and asynchronous copies (memory.h).
 *
 * Method  a plain load or store is one of an object at the address; what names an order, and
 *         every atomic, is a function of simt/atomic/atomic_core.hpp with the order and the scope
 */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

bool ptx_has(const struct ptx_statement *s, const char *modifier) {
  return strstr(s->opcode, modifier) != NULL;
}

bool ptx_is(const struct ptx_statement *s, const char *base) {
  const size_t length = strlen(base);
  return !strncmp(s->opcode, base, length) && (s->opcode[length] == 0 || s->opcode[length] == '.');
}

size_t ptx_elements(struct ptx_argument a, struct ptx_argument *out) {
  if (a.length > 1 && a.text[0] == '{' && a.text[a.length - 1] == '}') {
    return ptx_split(ptx_trim(a.text + 1, a.length - 2), out);
  }
  out[0] = a;
  return 1;
}

/* The order that a memory instruction names, or NULL: it is a plain one. */
static const char *order_of(const struct ptx_statement *s) {
  static const char *const orders[][2] = {{".relaxed", "relaxed"},
                                          {".acquire", "acquire"},
                                          {".release", "release"},
                                          {".acq_rel", "acq_rel"}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    if (ptx_has(s, orders[i][0])) return orders[i][1];
  }
  return NULL;
}

/* An instruction that names no scope is of the whole device. */
static void add_how(const struct ptx_context *c, const struct ptx_statement *s, const char *order) {
  const char *scope = ptx_has(s, ".cta")   ? "SIMT_FENCE_BLOCK"
                      : ptx_has(s, ".sys") ? "SIMT_FENCE_SYSTEM"
                                           : "SIMT_FENCE_DEVICE";
  text_add_format(c->out, "simt::ptx::%s | (%s + 1) << 16", order, scope);
}

/* One element of a load or store; `more` is added to its address. */
static bool add_element(const struct ptx_context *c, const struct ptx_statement *s, bool load,
                        struct ptx_argument part, struct ptx_argument memory, const char *more) {
  const char *order = order_of(s);
  char *type =
      order ? text_copy(s->type, strlen(s->type))
            : text_format(ptx_has(s, ".volatile") ? "volatile %s" : "simt::ptx::weak<%s>", s->type);
  bool fine = true;
  if (load) {
    text_add_string(c->out, "simt::ptx::set(");
    fine = ptx_add_operand(c, part);
    text_add_format(c->out, ", (%s)%s", s->type, order ? "simt::load(&" : "");
  } else if (order) {
    text_add_string(c->out, "simt::store(&");
  }
  fine = fine && ptx_add_memory(c, type, memory, more);
  if (!load) {
    text_add_string(c->out, order ? ", " : " = ");
    fine = fine && ptx_add_typed(c, s->type, part);
  }
  if (order) {
    text_add_string(c->out, ", ");
    add_how(c, s, order);
    text_add_string(c->out, ")");
  }
  text_add_string(c->out, load ? "); " : "; ");
  free(type);
  return fine;
}

bool ptx_load_or_store(const struct ptx_context *c, const struct ptx_statement *s, bool load) {
  struct ptx_argument parts[PTX_ARGUMENTS];
  if (s->count != 2 || !s->type) return false;
  const struct ptx_argument memory = s->arguments[load ? 1 : 0];
  const size_t count = ptx_elements(s->arguments[load ? 0 : 1], parts);
  bool fine = count > 0;
  if (count > 1) {
    text_add_format(c->out, "simt::ptx::aligned_%s<%zu * sizeof(%s)>(&", load ? "read" : "write",
                    count, s->type);
    fine = ptx_add_memory(c, s->type, memory, "");
    text_add_string(c->out, "); ");
  }
  for (size_t i = 0; i < count && fine; i++) {
    char *more = i ? text_format(" + %zu * sizeof(%s)", i, s->type) : text_copy("", 0);
    fine = add_element(c, s, load, parts[i], memory, more);
    free(more);
  }
  return fine;
}

bool ptx_atomic(const struct ptx_context *c, const struct ptx_statement *s, bool result) {
  static const char *const names[][2] = {{".add", "fetch_add"}, {".min", "fetch_min"},
                                         {".max", "fetch_max"}, {".and", "fetch_and"},
                                         {".or", "fetch_or"},   {".xor", "fetch_xor"},
                                         {".exch", "exchange"}, {".cas", "compare_exchange"},
                                         {".inc", "fetch_inc"}, {".dec", "fetch_dec"}};
  const size_t first = result ? 1 : 0;
  const char *function = NULL, *type = s->type, *order = order_of(s);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (ptx_has(s, names[i][0])) function = names[i][1];
  }
  if (!function || !type || s->count < first + 2) return false;
  if (result) {
    text_add_string(c->out, "simt::ptx::set(");
    if (!ptx_add_operand(c, s->arguments[0])) return false;
    text_add_string(c->out, ", ");
  }
  text_add_format(c->out, "simt::%s(&", function);
  if (!ptx_add_memory(c, type, s->arguments[first], "")) return false;
  for (size_t i = first + 1; i < s->count; i++) {
    text_add_string(c->out, ", ");
    if (!ptx_add_typed(c, type, s->arguments[i])) return false;
  }
  text_add_string(c->out, ", ");
  add_how(c, s, order ? order : "relaxed");
  text_add_string(c->out, result ? ")); " : "); ");
  return true;
}

/* cp.async [shared], [global], bytes, bytes that are copied, the rest becoming 0 */
bool ptx_copy_async(const struct ptx_context *c, const struct ptx_statement *s) {
  if (s->count < 3 || s->count > 4) return false;
  text_add_string(c->out, "simt::ptx::copy(&");
  if (!ptx_add_memory(c, "unsigned char", s->arguments[0], "")) return false;
  text_add_string(c->out, ", &");
  if (!ptx_add_memory(c, "const unsigned char", s->arguments[1], "")) return false;
  for (size_t i = 2; i < 4; i++) {
    text_add_string(c->out, ", ");
    if (!ptx_add_typed(c, "uint32_t", s->arguments[i < s->count ? i : 2])) return false;
  }
  text_add_string(c->out, "); ");
  return true;
}
