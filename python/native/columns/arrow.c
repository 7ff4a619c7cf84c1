/* arrow.c - structures of a producer, looked at as far as the interface tells: it gives no sizes of buffers */
#include "arrow.h"

#include <string.h>

/* The letter of a type of the library, or 'b', booleans; 0 for all others. */
static char letter_of(const struct arrow_schema *s) {
  const char *f = s->format;
  if (!f || s->dictionary || !f[0] || f[1] || !strchr("bcCsSiIlLefg", f[0])) return 0;
  return f[0];
}

static size_t bytes_of(char letter) {
  switch (letter) {
  case 's':
  case 'S':
  case 'e': return 2;
  case 'i':
  case 'I':
  case 'f': return 4;
  case 'l':
  case 'L':
  case 'g': return 8;
  default: return 1;
  }
}

static bool can_be(const struct arrow_array *a, size_t bytes) {
  const int64_t most = PTRDIFF_MAX / (int64_t)bytes;
  return a->length >= 0 && a->offset >= 0 && a->length <= most - a->offset && a->null_count >= -1 &&
         a->null_count <= a->length && a->buffers_count == 2 && !a->children_count &&
         !a->dictionary && a->buffers && (a->buffers[1] || !a->length) &&
         (a->buffers[0] || a->null_count <= 0);
}

static bool read_chunk(struct arrow_column *c, const struct arrow_array *a, char letter) {
  static const char nothing[1] = {0};
  const size_t bytes = bytes_of(letter);
  if (!can_be(a, bytes)) return false;
  c->letter = letter;
  c->length = (size_t)a->length;
  c->offset = (size_t)a->offset;
  const char *first = a->buffers[1] ? a->buffers[1] : nothing;
  c->values = letter == 'b' ? first : first + (a->length ? c->offset * bytes : 0);
  c->validity = a->length && a->null_count ? a->buffers[0] : NULL;
  return true;
}

bool arrow_begin_array(struct arrow_column *c, python_object *schema, python_object *array) {
  static const char *const names[] = {"arrow_schema", "arrow_array"};
  c->chunk.release = NULL;
  if (!python.is_capsule(schema, names[0]) || !python.is_capsule(array, names[1])) return false;
  const struct arrow_schema *s = python.capsule_pointer(schema, names[0]);
  const struct arrow_array *a = python.capsule_pointer(array, names[1]);
  const char letter = s->release && a->release ? letter_of(s) : 0;
  return letter && read_chunk(c, a, letter);
}

/* The type of a stream's chunks; 0: it fails, or has none of the library's. */
static char stream_letter(struct arrow_stream *stream) {
  struct arrow_schema schema = {0};
  if (stream->get_schema(stream, &schema) || !schema.release) return 0;
  const char letter = letter_of(&schema);
  schema.release(&schema);
  return letter;
}

/* The next chunk that has elements, or none: an array that is released. False: the stream fails. */
static bool next_chunk(struct arrow_stream *stream, struct arrow_array *chunk) {
  for (;;) {
    memset(chunk, 0, sizeof *chunk);
    if (stream->get_next(stream, chunk)) return false;
    if (!chunk->release || chunk->length) return true;
    chunk->release(chunk);
  }
}

/* The only chunk that has elements, or an empty one. */
static bool read_stream(struct arrow_column *c, struct arrow_stream *stream) {
  static const void *none[2];
  struct arrow_array more;
  const char letter = stream_letter(stream);
  if (!letter || !next_chunk(stream, &c->chunk)) return false;
  if (!c->chunk.release) {
    const struct arrow_array empty = {.buffers_count = 2, .buffers = none};
    return read_chunk(c, &empty, letter);
  }
  const bool is_last = next_chunk(stream, &more) && !more.release;
  if (more.release) more.release(&more);
  return is_last && read_chunk(c, &c->chunk, letter);
}

static const char stream_name[] = "arrow_array_stream";

bool arrow_is_stream(python_object *object) { return python.is_capsule(object, stream_name); }

bool arrow_begin_stream(struct arrow_column *c, python_object *capsule) {
  c->chunk.release = NULL;
  if (!arrow_is_stream(capsule)) return false;
  struct arrow_stream *stream = python.capsule_pointer(capsule, stream_name);
  if (!stream->release) return false;
  const bool done = read_stream(c, stream);
  stream->release(stream); /* what is left of it is not read as if it were all */
  return done;
}

void arrow_end(struct arrow_column *c) {
  if (c->chunk.release) c->chunk.release(&c->chunk);
  c->chunk.release = NULL;
}
