/* fuzz_rewrite.c - any bytes as a preprocessed CUDA source
 *
 * The first byte says whether the second half of the rest is the same source as preprocessed
 * for the device. Checked:
 *   - the rewriter ends, with a text or with a message;
 *   - the number of lines is kept, since g++'s messages go by it;
 *   - a text in which no word of CUDA's stands comes out as it went in. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/rewrite.h"
#include "rewrite/unit/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TEXT = 1 << 14 };

static void require(bool condition) {
  if (!condition) abort();
}

static size_t lines(const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += text[i] == '\n';
  return count;
}

/* Nothing that any pass looks for. */
static bool is_plain(const char *text, size_t length) {
  struct text messages = {0};
  struct unit u = {.text = text, .length = length, .names = names_new(), .messages = &messages};
  unit_lex(&u);
  bool plain = true;
  for (uint32_t i = 0; i + 1 < u.token_count && plain; i++) {
    plain = !(is_name(&u, i) && u.tokens[i].name < KEYWORD_COUNT) && !is_mark(&u, i, '<');
  }
  unit_free(&u);
  return plain;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > MAX_TEXT) return 0;
  const char *const text = (const char *)data + 1;
  const size_t whole = size - 1, host = data[0] & 1 ? whole / 2 : whole;
  const char *const device = data[0] & 1 ? text + host : NULL;
  const struct rewrite_options options = {.own_headers = "/own", .separate = (data[0] & 2) != 0};
  struct text out = {0}, messages = {0};
  const bool fine = rewrite_cuda(text, host, device, whole - host, &options, &out, &messages);
  require(fine == (messages.length == 0));
  if (fine && !device) {
    require(lines(out.data, out.length) == lines(text, host));
    if (is_plain(text, host)) {
      require(out.length == host && (host == 0 || !memcmp(out.data, text, host)));
    }
  }
  text_free(&out);
  text_free(&messages);
  return 0;
}
