/* The passes in their order, over one text or over two merged (rewrite.h). */
#include "rewrite.h"

#include <stdint.h>
#include <string.h>

#include "arch.h"
#include "passes.h"

enum { LONGEST_TEXT = 1 << 30 };

static void open_unit(struct unit *u, const char *text, size_t length,
                      const struct rewrite_options *options, struct text *messages) {
  *u = (struct unit){.text = text,
                     .length = length,
                     .names = names_new(),
                     .own_headers = options->own_headers,
                     .separate = options->separate,
                     .instrumented = options->instrumented,
                     .check = options->check,
                     .device_default = options->device_default,
                     .fibres = options->fibres,
                     .messages = messages};
  unit_lex(u);
  unit_match_brackets(u);
  unit_find_declarations(u);
}

static bool rewrite_one(const char *text, size_t length, const struct rewrite_options *options,
                        struct text *out, struct text *messages, bool is_device) {
  struct unit u;
  open_unit(&u, text, length, options, messages);
  if (is_device) rewrite_refuse_host_calls(&u);
  rewrite_mark_waiting(&u);
  u.all_general |= u.instrumented;
  if (u.instrumented) {
    rewrite_classes(&u);
  } else {
    rewrite_strides(&u);
  }
  rewrite_lockstep(&u);
  if (u.check) rewrite_polling(&u);
  if (u.check) rewrite_local_arrays(&u);
  if (u.instrumented && !u.check) rewrite_endless(&u);
  rewrite_keywords(&u);
  rewrite_shared(&u);
  rewrite_asm(&u);
  rewrite_linkage(&u);
  rewrite_variables(&u);
  rewrite_static_locals(&u);
  rewrite_kernels(&u);
  rewrite_launches(&u);
  unit_write(&u, out);
  const bool fine = !u.failed;
  unit_free(&u);
  return fine;
}

bool rewrite_cuda(const char *text, size_t length, const char *device, size_t device_length,
                  const struct rewrite_options *options, struct text *out, struct text *messages) {
  if (length > LONGEST_TEXT || device_length > LONGEST_TEXT) {
    text_add_string(messages, "error: the preprocessed source is larger than 1 GiB\n");
    return false;
  }
  if (!device || (length == device_length && !memcmp(text, device, length))) {
    return rewrite_one(text, length, options, out, messages, true);
  }
  struct unit h, d;
  struct text merged = {0};
  open_unit(&h, text, length, options, messages);
  open_unit(&d, device, device_length, options, messages);
  rewrite_merge_arch(&h, &d, &merged);
  const bool called = rewrite_refuse_host_calls(&d);
  unit_free(&h);
  unit_free(&d);
  const bool fine =
      called && rewrite_one(merged.data, merged.length, options, out, messages, false);
  text_free(&merged);
  return fine;
}
