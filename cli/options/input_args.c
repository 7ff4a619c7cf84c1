/* input_args.c - what the command line says of inputs, as options of input/input.h */
#include <string.h>

#include "args.h"
#include "text/number.h"

static int parse_delimiter(const char *text, char *delimiter, struct failure *why) {
  if (strcmp(text, "\\t") == 0) text = "tab";
  for (const struct choice *c = delimiter_names; c->name; c++) {
    if (strcmp(text, c->name) != 0) continue;
    *delimiter = (char)c->code;
    return 0;
  }
  if (strlen(text) != 1 || *text == '\n' || *text == '\r')
    return fail(why, EXIT_USAGE, "--delimiter takes one character, 'tab' or 'space', not '%s'",
                text);
  *delimiter = *text;
  return 0;
}

/* Words between commas, of which none is empty. */
static int parse_missing(const char *text, struct text_missing *missing, struct failure *why) {
  for (const char *at = text;; at++) {
    const size_t bytes = strcspn(at, ",");
    double value;
    if (bytes == 0)
      return fail(why, EXIT_USAGE, "--na takes words between commas, such as NA,null, not '%s'",
                  text);
    if (missing->count == TEXT_MISSING_MOST)
      return fail(why, EXIT_USAGE, "--na takes at most %d words", TEXT_MISSING_MOST);
    missing->word[missing->count] = at;
    missing->bytes[missing->count++] = bytes;
    missing->numbers |= number_parse(at, bytes, HEDDLE_F64, &value) == NUMBER_OK;
    at += bytes;
    if (*at == '\0') return 0;
  }
}

static int parse_comment(const char *text, struct input_options *options, struct failure *why) {
  const char c = *text;
  if (strcmp(text, "none") == 0) {
    options->comment = '\n';
    return 0;
  }
  if (c <= ' ' || c >= 0x7f || text[1] != '\0' || strchr("\"+-.,", c) || (c >= '0' && c <= '9') ||
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == options->delimiter)
    return fail(
        why, EXIT_USAGE,
        "--comment takes one ASCII character that begins no number and is no quote, no comma and "
        "not the delimiter, or 'none', not '%s'",
        text);
  options->comment = c;
  return 0;
}

/* One of the characters of `known`. */
static int parse_point(const char *name, const char *text, const char *known, char *out,
                       struct failure *why) {
  if (strcmp(text, "space") == 0) text = " ";
  if (text[0] == '\0' || text[1] != '\0' || !strchr(known, text[0]))
    return fail(why, EXIT_USAGE, "--%s takes one of the characters %s, not '%s'", name, known,
                text);
  *out = text[0];
  return 0;
}

static int parse_style(const struct settings *s, struct input_options *options,
                       struct failure *why) {
  struct number_style *const style = &options->style;
  style->decimal = '.';
  if (s->decimal && parse_point("decimal", s->decimal, ".,", &style->decimal, why) != 0) return -1;
  if (s->thousands && parse_point("thousands", s->thousands, ".,\'_ ", &style->thousands, why) != 0)
    return -1;
  if (style->thousands == style->decimal)
    return fail(why, EXIT_USAGE,
                "--thousands %s is the decimal point as well: say another one by --decimal",
                s->thousands);
  const char delimiter = options->delimiter;
  if (delimiter != '\0' && number_is_styled(style) &&
      (delimiter == style->thousands || delimiter == style->decimal))
    return fail(why, EXIT_USAGE, "the delimiter '%c' cannot stand in numbers as well", delimiter);
  return 0;
}

int args_input_options(const struct settings *s, const char *path, struct input_options *options,
                       struct failure *why) {
  input_options_init(options, path);
  if (s->bytes && (s->type != HEDDLE_TYPE_DEFAULT || s->format != INPUT_AUTO))
    return fail(why, EXIT_USAGE, "--bytes reads bytes as u8: leave out --type and --format");
  if (s->format == INPUT_RAW && s->type == HEDDLE_TYPE_DEFAULT)
    return fail(why, EXIT_USAGE, "--format raw needs the type of the elements, such as --type f32");
  if (s->threads > 1024)
    return fail(why, EXIT_USAGE, "--threads takes 1 to 1024, not %llu",
                (unsigned long long)s->threads);
  options->format = s->bytes ? INPUT_BYTES : (enum input_format)s->format;
  options->zeros = s->format == INPUT_TEXT;
  if (s->type != HEDDLE_TYPE_DEFAULT) options->type = (heddle_type)s->type;
  options->offset = s->offset;
  options->count = s->count;
  memcpy(options->columns, s->columns, sizeof options->columns);
  options->column_count = s->column_count;
  options->header = s->header;
  options->skip_bad = s->skip_bad != 0;
  options->member = s->member;
  options->big_endian = s->big_endian != 0;
  options->no_map = s->no_map != 0;
  options->as_is = s->as_is != 0;
  if (s->delimiter && parse_delimiter(s->delimiter, &options->delimiter, why) != 0) return -1;
  if (s->missing && parse_missing(s->missing, &options->missing, why) != 0) return -1;
  if (parse_style(s, options, why) != 0) return -1;
  return s->comment ? parse_comment(s->comment, options, why) : 0;
}
