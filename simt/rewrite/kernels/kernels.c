/* Kernels: a definition becomes its own launch stub.
 *
 * Result  void k(P) { simt::enter<FLAGS>([=](uint3 threadIdx, ...) mutable { B }, "k", ...); }
 *         and behind it an object that registers the stub's address
 * Method  the kernel's name keeps its meaning, so overloads, templates and default arguments
 *         are C++'s own business. `return` in a kernel that may wait says on which line
 */
#include <stdlib.h>
#include <string.h>

#include "guards.h"
#include "phases.h"
#include "rewrite/passes.h"
#include "signature.h"

/* Ends of what is nested in a body and has returns of its own; NONE: nothing begins at i. */
static uint32_t nested_end(const struct unit *u, uint32_t i) {
  bool marked = false;
  uint32_t body = unit_lambda_body(u, i, &marked);
  if (body == NONE) body = unit_class_body(u, i);
  return body == NONE ? NONE : u->tokens[body].match;
}

static bool has_nested(const struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    if (nested_end(u, i) != NONE) return true;
  }
  return false;
}

/* A local variable with the name of a coordinate would be a second parameter of that name. */
static bool hides_coordinates(const struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    if (is_name(u, i) && (keyword_flags(u->tokens[i].name) & COORDINATE) && is_name(u, i - 1) &&
        !is_keyword(u, i - 1, KEYWORD_RETURN)) {
      return true;
    }
  }
  return false;
}

static void rewrite_returns(struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    const uint32_t end = nested_end(u, i);
    if (end != NONE && end < d->end) {
      i = end;
    } else if (is_keyword(u, i, KEYWORD_RETURN) && is_mark(u, i + 1, ';')) {
      edit_after(u, i, " simt_return(%u)", u->tokens[i].line);
    }
  }
  edit_before(u, d->end, "simt_return(%u);", u->tokens[d->end].line);
}

/* The parameters as types: default arguments left out. */
static char *parameter_types(const struct unit *u, const struct declaration *d) {
  struct text out = {0};
  text_add(&out, "", 0);
  for (uint32_t i = d->open + 1; i < d->close;) {
    uint32_t end = i, value = NONE;
    for (; end < d->close && !is_mark(u, end, ','); end++) {
      if (is_mark(u, end, '=') && value == NONE) value = end;
      if (is_mark(u, end, '<') && value == NONE) {
        const uint32_t close = unit_angle_close(u, end);
        if (close != NONE && close < d->close) end = close;
      } else if (u->tokens[end].match != NONE && u->tokens[end].match > end) {
        end = u->tokens[end].match;
      }
    }
    char *type = unit_render(u, i, value == NONE ? end : value);
    text_add_format(&out, "%s%s", out.length ? ", " : "", type);
    free(type);
    i = end + 1;
  }
  return out.data;
}

static void register_stub(struct unit *u, const struct declaration *d, uint32_t number) {
  uint32_t from = d->name;
  while (from >= 2 && is_mark(u, from - 1, MARK_SCOPE) && is_name(u, from - 2)) from -= 2;
  uint32_t end = d->name + 1; /* a specialisation's arguments belong to its name */
  if (is_mark(u, end, '<') && unit_angle_close(u, end) != NONE) end = unit_angle_close(u, end) + 1;
  char *name = unit_render(u, from, end), *types = parameter_types(u, d);
  char *plain = unit_spelling(u, d->name);
  edit_after(u, d->end,
             " static simt::registered simt_kernel_%u(static_cast<void (*)(%s)>(&%s), \"%s\");",
             number, types, name, plain);
  free(name);
  free(types);
  free(plain);
}

/* The name of the template parameter that ends before token `end`: its last name that is no
 * part of a default argument; NONE where it has none. */
static uint32_t parameter_name(const struct unit *u, uint32_t from, uint32_t end) {
  uint32_t stop = from;
  while (stop < end && !is_mark(u, stop, '=')) {
    const uint32_t close =
        is_mark(u, stop, '<') ? unit_angle_close(u, stop) : u->tokens[stop].match;
    stop = close != NONE && close > stop && close < end ? close + 1 : stop + 1;
  }
  const bool named =
      stop > from + 1 && is_name(u, stop - 1) &&
      (is_name(u, stop - 2) || is_mark(u, stop - 2, '.') || is_mark(u, stop - 2, '>') ||
       is_mark(u, stop - 2, '*') || is_mark(u, stop - 2, '&'));
  return named ? stop - 1 : NONE;
}

/* template <class T, int N, class... A> as the arguments "T, N, A...". */
static char *own_arguments(const struct unit *u, const struct declaration *d) {
  struct text out = {0};
  text_add(&out, "", 0);
  const uint32_t open = d->first + 1;
  const uint32_t close = is_mark(u, open, '<') ? unit_angle_close(u, open) : NONE;
  for (uint32_t i = open + 1; close != NONE && i < close;) {
    uint32_t end = i;
    while (end < close && !is_mark(u, end, ',')) {
      const uint32_t inner = is_mark(u, end, '<') ? unit_angle_close(u, end) : u->tokens[end].match;
      end = inner != NONE && inner > end && inner < close ? inner + 1 : end + 1;
    }
    const uint32_t name = parameter_name(u, i, end);
    if (name == NONE) break;
    char *spelled = unit_spelling(u, name);
    text_add_format(&out, "%s%s%s", out.length ? ", " : "", spelled,
                    is_mark(u, name - 1, '.') ? "..." : "");
    free(spelled);
    i = end + 1;
  }
  return out.data;
}

/* Only programs that handle kernels by address need to know those of templates. */
static bool handles_addresses(const struct unit *u) {
  static const char *const uses[] = {"cudaLaunch", "cudaFunc", "cudaOccupancy", "cudaGraph"};
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (!is_name(u, i)) continue;
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
      const size_t length = strlen(uses[k]);
      const struct token *t = &u->tokens[i];
      if (t->length > length && !memcmp(u->text + t->start, uses[k], length)) return true;
    }
  }
  return false;
}

/* True: a brace has been opened before the body. */
static bool register_instances(struct unit *u, const struct declaration *d) {
  char *arguments = own_arguments(u, d), *types = parameter_types(u, d);
  char *name = unit_spelling(u, d->name);
  const bool possible = *arguments != 0;
  if (possible) {
    edit_before(u, d->body, "{ simt::instance<void (*)(%s), &%s<%s>>::use(); ", types, name,
                arguments);
  }
  free(arguments);
  free(types);
  free(name);
  return possible;
}

/* Inside the lambda these names would be the lambda's. True: a brace has been opened. */
static bool name_function(struct unit *u, const struct declaration *d) {
  bool used = false;
  for (uint32_t i = d->body; i < d->end; i++) {
    if (is_keyword(u, i, KEYWORD_PRETTY)) {
      edit_replace(u, i, "simt_signature");
      used = true;
    } else if (is_keyword(u, i, KEYWORD_FUNC) || is_keyword(u, i, KEYWORD_FUNCTION)) {
      char *name = unit_spelling(u, d->name);
      edit_replace(u, i, "\"%s\"", name);
      free(name);
    }
  }
  if (used) {
    edit_before(u, d->body, "{ static const char *const simt_signature = __PRETTY_FUNCTION__; ");
  }
  return used;
}

/* "256" of __launch_bounds__(256, 2) as an argument of simt::enter, or "0". */
static char *launch_bound(const struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->first; i < d->body; i++) {
    if (!is_keyword(u, i, KEYWORD_LAUNCH_BOUNDS) || u->tokens[i + 1].match == NONE) continue;
    const uint32_t close = u->tokens[i + 1].match;
    struct text out = {0};
    text_add_string(&out, "static_cast<unsigned>(");
    for (uint32_t k = i + 2; k < close && !is_mark(u, k, ','); k++) {
      const uint32_t inner = is_mark(u, k, '<') ? unit_angle_close(u, k) : u->tokens[k].match;
      const uint32_t to = inner != NONE && inner > k && inner < close ? inner : k;
      text_add(&out, u->text + u->tokens[k].start,
               u->tokens[to].start + u->tokens[to].length - u->tokens[k].start);
      text_add(&out, " ", 1);
      k = to;
    }
    text_add(&out, ")", 1);
    for (size_t k = 0; k < out.length; k++) {
      if (out.data[k] == '\n') out.data[k] = ' ';
    }
    return out.data;
  }
  return text_copy("0", 1);
}

static const char quiet[] =
    "__attribute__((no_sanitize_thread, no_sanitize_coverage, no_sanitize(\"alignment\")))";

/* The kernel's text as the lambda that is launched. An instrumented one is a function in a lambda:
 * the outer hands it the parameters unseen. */
static void wrap_body(struct unit *u, const struct declaration *d, bool plain, bool unnamed,
                      const char *phases, const char *phases_flags, const char *guards) {
  const bool coordinates = unnamed || d->coordinates || u->all_coordinates;
  const char *flags = plain && coordinates ? "SIMT_PLAIN | SIMT_COORDINATES"
                      : plain              ? "SIMT_PLAIN"
                      : phases             ? phases_flags
                                           : "0";
  const char *parameters = unnamed || !plain
                               ? "uint3, uint3, uint3, uint3"
                               : "uint3 threadIdx, uint3 blockIdx, uint3 blockDim, uint3 gridDim";
  const char *own = d->has_shared ? "struct simt_own {}; " : "";
  char *references = kernel_references(u, d);
  if (u->instrumented) {
    struct text declared = {0}, named = {0};
    kernel_parameters(u, d, &declared, &named);
    edit_before(u, d->body, "{ %ssimt::enter<0>([=%s]() mutable %s { [&](%s) ", own, references,
                quiet, declared.data);
    edit_after(u, d->end, "(%s); }", named.data);
    text_free(&declared);
    text_free(&named);
  } else {
    edit_before(u, d->body, "{ %ssimt::enter<%s%s>(%s[=%s](%s%s) mutable ", own, flags,
                d->rounds ? " | SIMT_ROUNDS" : "",
                phases   ? "simt::phased("
                : guards ? "simt::guarded("
                         : "",
                references, parameters,
                d->rounds ? ", unsigned long long simt_round, int &simt_more"
                : guards  ? ", bool simt_inside"
                          : "");
    if (phases)
      edit_after(u, d->end,
                 ", [=](uint3 blockIdx, uint3 blockDim, uint3 gridDim, unsigned long long "
                 "&simt_barriers) mutable __attribute__((always_inline)) %s)",
                 phases);
    if (guards) edit_after(u, d->end, ", [=%s](%s) mutable { %s})", references, parameters, guards);
  }
  free(references);
}

/* The kernel's text as loops over its threads, to be freed; NULL: it is none of phases. *flags: which
 * blocks it is for. */
static char *kernel_phases(struct unit *u, const struct declaration *d, bool unnamed,
                           const char **flags) {
  struct phases *p = NULL;
  char *references = kernel_references(u, d);
  const bool possible =
      d->barriers && !u->all_general && !u->instrumented && !u->fibres && !unnamed && !*references;
  const bool found = possible && phases_find(u, d, phases_needs_coordinates(u, d), &p);
  char *text = found ? phases_write(p) : NULL;
  static const char *const all[2][3] = {
      {"SIMT_PHASES", "SIMT_PHASES | SIMT_ROWS", "SIMT_PHASES | SIMT_ROWS | SIMT_WHOLE"},
      {"SIMT_PHASES | SIMT_GRID", "SIMT_PHASES | SIMT_GRID | SIMT_ROWS",
       "SIMT_PHASES | SIMT_GRID | SIMT_ROWS | SIMT_WHOLE"}};
  if (text) *flags = all[p->grid][!p->rows ? 0 : p->whole ? 2 : 1];
  phases_free(p);
  free(references);
  return text;
}

static void rewrite_kernel(struct unit *u, uint32_t number, bool addresses) {
  const struct declaration *d = &u->declarations[number];
  const bool plain = !d->waits && !u->all_general;
  const bool unnamed = has_nested(u, d) || hides_coordinates(u, d);
  const bool template = (d->flags & (IS_TEMPLATE | IS_SPECIAL)) == IS_TEMPLATE;
  const char *flags = "";
  char *phases = plain ? NULL : kernel_phases(u, d, unnamed, &flags);
  char *guards = plain && !unnamed && !d->rounds ? guards_write(u, d) : NULL;
  if (!plain) rewrite_returns(u, d);
  const bool registers = template && addresses && register_instances(u, d);
  const bool names = name_function(u, d);
  char *name = unit_spelling(u, d->name);
  struct text file = {0};
  text_add_literal(&file, u->files[u->tokens[d->name].file].name);
  char *bound = launch_bound(u, d);
  wrap_body(u, d, plain, unnamed, phases, flags, guards);
  free(phases);
  free(guards);
  edit_after(u, d->end, ", \"%s\", %s, %u, %u, %s%s); }%s%s", name, file.data,
             u->tokens[d->name].line, u->tokens[d->end].line, bound,
             d->has_shared ? ", &simt::shared_total<simt_own>::bytes" : "", registers ? " }" : "",
             names ? " }" : "");
  free(bound);
  text_free(&file);
  free(name);
  if (!template && !(d->flags & IS_MEMBER)) register_stub(u, d, number);
}

void rewrite_kernels(struct unit *u) {
  const bool addresses = handles_addresses(u);
  for (uint32_t i = 0; i < u->declaration_count; i++) {
    struct declaration *d = &u->declarations[i];
    if (d->body == NONE || d->name == NONE) continue;
    if (d->flags & IS_GLOBAL)
      rewrite_kernel(u, i, addresses);
    else if (!u->all_general && !u->instrumented && !u->fibres && !hides_coordinates(u, d))
      rewrite_helper(u, d);
  }
}
