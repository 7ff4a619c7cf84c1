/* Operands by their first character: register, number, [address], {vector} (operands.h). */
#include "operands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool ptx_is_identifier(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

struct ptx_argument ptx_trim(const char *from, size_t length) {
  while (length && isspace((unsigned char)*from)) from++, length--;
  while (length && isspace((unsigned char)from[length - 1])) length--;
  return (struct ptx_argument){from, length};
}

size_t ptx_split(struct ptx_argument all, struct ptx_argument *out) {
  size_t count = 0, begin = 0;
  int depth = 0;
  if (!all.length) return 0;
  for (size_t i = 0; i <= all.length; i++) {
    const char c = i < all.length ? all.text[i] : ',';
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c != ',' || (depth && i < all.length)) continue;
    if (count == PTX_ARGUMENTS) return 0;
    out[count++] = ptx_trim(all.text + begin, i - begin);
    begin = i + 1;
  }
  return count;
}

bool ptx_add_register(struct text *out, const char *name, size_t length) {
  if (!length || isdigit((unsigned char)*name)) return false;
  text_add_string(out, "simt_r_");
  for (size_t i = 0; i < length; i++) {
    if (!ptx_is_identifier(name[i])) return false;
    text_add(out, name[i] == '$' ? "_" : name + i, 1);
  }
  return true;
}

static bool add_number(struct text *out, struct ptx_argument a) {
  const bool bits = a.length > 2 && a.text[0] == '0' && strchr("fFdD", a.text[1]);
  if (bits) {
    const bool is_float = a.text[1] == 'f' || a.text[1] == 'F';
    text_add_format(out, "simt::ptx::get<%s>((%s)0x%.*s)", is_float ? "float" : "double",
                    is_float ? "uint32_t" : "uint64_t", (int)a.length - 2, a.text + 2);
    return a.length == (is_float ? 10 : 18);
  }
  for (size_t i = 0; i < a.length; i++) {
    if (!isxdigit((unsigned char)a.text[i]) && !strchr("xXuU.+-", a.text[i])) return false;
  }
  text_add_format(out, "%.*s", (int)a.length, a.text);
  return true;
}

bool ptx_add_operand(const struct ptx_context *c, struct ptx_argument a) {
  if (!a.length) return false;
  if (a.text[0] == '%') {
    while (a.length && *a.text == '%') a.text++, a.length--;
    if (a.length && isdigit((unsigned char)*a.text)) {
      const size_t number = strtoul(a.text, NULL, 10);
      if (number >= c->count) return false;
      text_add_format(c->out, "(%s)", c->operands[number].expression);
      return true;
    }
    if (a.length > 2 && *a.text == '[') {
      for (size_t i = 0; i < c->count; i++) {
        const char *name = c->operands[i].name;
        if (!name || strlen(name) != a.length - 2 || strncmp(name, a.text + 1, a.length - 2))
          continue;
        text_add_format(c->out, "(%s)", c->operands[i].expression);
        return true;
      }
      return false;
    }
    const char *special = ptx_special(a.text, a.length);
    if (special) {
      text_add_string(c->out, special);
      return true;
    }
    return ptx_add_register(c->out, a.text, a.length);
  }
  if (isdigit((unsigned char)*a.text) || *a.text == '-') return add_number(c->out, a);
  return ptx_add_register(c->out, a.text, a.length);
}

bool ptx_add_typed(const struct ptx_context *c, const char *type, struct ptx_argument a) {
  const bool inverse = a.length > 1 && *a.text == '!';
  if (inverse) a = ptx_trim(a.text + 1, a.length - 1);
  text_add_format(c->out, "%ssimt::ptx::get<%s>(", inverse ? "!" : "", type);
  if (!ptx_add_operand(c, a)) return false;
  text_add_string(c->out, ")");
  return true;
}

bool ptx_add_memory(const struct ptx_context *c, const char *type, struct ptx_argument a,
                    const char *more) {
  if (a.length < 3 || a.text[0] != '[' || a.text[a.length - 1] != ']') return false;
  a = ptx_trim(a.text + 1, a.length - 2);
  size_t split = a.length;
  for (size_t i = 1; i < a.length; i++) {
    if (a.text[i] == '+') split = i;
  }
  text_add_format(c->out, "simt::ptx::at<%s>(", type);
  if (!ptx_add_operand(c, ptx_trim(a.text, split))) return false;
  if (split < a.length) {
    text_add_string(c->out, ", ");
    if (!ptx_add_operand(c, ptx_trim(a.text + split + 1, a.length - split - 1))) return false;
    text_add_string(c->out, more);
  } else if (*more) {
    text_add_format(c->out, ", 0%s", more);
  }
  text_add_string(c->out, ")");
  return true;
}
