/* tally.c - keys of a block, and a run ends where the key is another */
#include "tally.h"

#include <inttypes.h>
#include <string.h>

#include "options/format.h"
#include "text/element.h"
#include "writer.h"

enum { BLOCK = 512 };

int tally_open(void *user, heddle_type type, struct failure *why) {
  struct tally *const t = user;
  const enum array_format format = output_array_format(t->s->output);
  t->order = sort_order_of(type, false);
  t->size = heddle_type_size(type);
  if (t->s->counts && format != ARRAY_TEXT)
    return fail(why, EXIT_USAGE,
                "-o %s asks for one array, and --counts gives two columns; -o FILE.csv has both",
                t->s->output);
  if (array_open(&t->out, t->s->output, format, type, 0, NULL, ARRAY_C, why) != 0) return -1;
  if (t->s->style == STYLE_CSV && format == ARRAY_TEXT)
    sink_text(&t->out.sink, t->s->counts ? "count,value\n" : "value\n");
  return 0;
}

static void end_run(struct tally *t) {
  char text[NUMBER_TEXT];
  if (!t->any || !writer_takes(t->s, t->count)) return;
  if (!t->s->counts) {
    array_write(&t->out, t->element, 1);
    return;
  }
  writer_count(&t->out.sink, t->s->style == STYLE_CSV ? ',' : '\0', t->count);
  (void)element_text(text, t->order.type, t->element);
  sink_text(&t->out.sink, text);
  sink_text(&t->out.sink, "\n");
}

int tally_take(void *user, const void *elements, size_t count, struct failure *why) {
  struct tally *const t = user;
  const unsigned char *from = elements;
  uint64_t keys[BLOCK];
  for (size_t n; count > 0; count -= n, from += n * t->size) {
    n = count < BLOCK ? count : BLOCK;
    sort_keys(&t->order, from, n, keys);
    for (size_t i = 0; i < n; i++) {
      const uint64_t key = sort_tied(&t->order, keys[i]);
      t->count += 1;
      if (t->any && key == t->key) continue;
      t->count -= 1;
      end_run(t);
      t->any = true;
      t->key = key;
      t->count = 1;
      memcpy(t->element, from + i * t->size, t->size);
    }
  }
  if (!t->out.sink.failed) return 0;
  *why = t->out.sink.why;
  return -1;
}

int tally_close(void *user, int status, struct failure *why) {
  struct tally *const t = user;
  if (status != 0) {
    sink_drop(&t->out.sink);
    return -1;
  }
  end_run(t);
  return array_close(&t->out, why);
}
