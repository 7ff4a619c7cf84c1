/* args.c - each word looked up in the table of options and stored at its offset
 *
 * Method  --name value, --name=value, -x value, -xvalue, letters without values joined (-qh); "--"
 *         ends the options, "-" is a file. What follows an option that wants a value is that
 *         value, so that negative numbers need no care.
 * Limits  Names are not abbreviated: a script would break when a new option is added. */
#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "synonyms.h"
#include "text/element.h"
#include "text/types.h"

struct parser {
  enum command_id command;
  int argc, at; /* argv[at] is the next word */
  char **argv;
  struct settings *s;
  struct failure *why;
};

void settings_init(struct settings *s) {
  memset(s, 0, sizeof *s);
  s->count = UINT64_MAX;
  s->header = -1;
  s->to = TO_DEFAULT;
  s->op = HEDDLE_SUM;
  s->head = UINT64_MAX;
  s->top = 10;
  s->shares[0] = 0.5;
  s->share_count = 1;
}

void settings_free(struct settings *s) {
  for (size_t i = 0; i < s->storage_count; i++) free(s->storage[i]);
  free(s->files);
}

static bool applies(const struct parser *p, const struct option_row *row) {
  return option_applies(row, p->command);
}

static const struct option_row *find(const struct parser *p, const char *name, size_t length) {
  for (size_t i = 0; i < option_count; i++) {
    const struct option_row *row = &option_table[i];
    if (applies(p, row) && strlen(row->name) == length && memcmp(row->name, name, length) == 0)
      return row;
  }
  return NULL;
}

static int unknown(struct parser *p, const char *name, size_t length) {
  char typed[128], hint[160];
  struct suggestion near;
  if (length >= sizeof typed) length = sizeof typed - 1;
  memcpy(typed, name, length);
  typed[length] = '\0';
  suggest_start(&near, typed);
  for (size_t i = 0; i < option_count; i++)
    if (applies(p, &option_table[i])) suggest_add(&near, option_table[i].name);
  return fail(p->why, EXIT_USAGE, "unknown option '--%s'%s --help lists the options", typed,
              near.best ? suggest_text(&near, "--", hint, sizeof hint) : ";");
}

static int store_choice(struct parser *p, const struct option_row *row, const char *value) {
  char list[160] = "", hint[160];
  const char *remedy = strcmp(row->name, "op") == 0 ? synonym_of_operator(value) : NULL;
  struct suggestion near;
  suggest_start(&near, value);
  for (const struct choice *c = row->choices; c->name; c++) {
    if (!choice_applies(c, p->command)) continue;
    if (strcmp(c->name, value) == 0) {
      memcpy((char *)p->s + row->offset, &c->code, sizeof c->code);
      return 0;
    }
    suggest_add(&near, c->name);
    (void)snprintf(list + strlen(list), sizeof list - strlen(list), " %s", c->name);
  }
  if (remedy)
    return fail(p->why, EXIT_USAGE, "--op has no '%s': %s; it is one of:%s", value, remedy, list);
  return fail(p->why, EXIT_USAGE, "--%s has no '%s'%s it is one of:%s", row->name, value,
              near.best ? suggest_text(&near, "", hint, sizeof hint) : ";", list);
}

static int store_type(struct parser *p, const struct option_row *row, const char *value) {
  char list[160] = "", hint[160];
  struct suggestion near;
  int type = (int)heddle_type_parse(value);
  suggest_start(&near, value);
  if (type != HEDDLE_TYPE_DEFAULT) {
    memcpy((char *)p->s + row->offset, &type, sizeof type);
    return 0;
  }
  for (size_t i = 0; i < type_count; i++) {
    const char *const name = heddle_type_name(type_list[i]);
    suggest_add(&near, name);
    (void)snprintf(list + strlen(list), sizeof list - strlen(list), " %s", name);
  }
  if (synonym_of_type(value))
    return fail(p->why, EXIT_USAGE, "--%s has no type '%s': %s; it is one of:%s", row->name, value,
                synonym_of_type(value), list);
  return fail(p->why, EXIT_USAGE, "--%s has no type '%s'%s it is one of:%s", row->name, value,
              near.best ? suggest_text(&near, "", hint, sizeof hint) : ";", list);
}

/* Ends the name that begins at *name; *next is the one behind its comma, or NULL. A name may stand
 * in double quotes, as in CSV: "" is one of them, and commas are its own. */
static bool cut_name(char **name, char **next) {
  char *from = *name + (**name == '"'), *to = from;
  const bool quoted = from != *name;
  bool closed = !quoted;
  *name = to;
  while (*from != '\0' && (quoted || *from != ',')) {
    if (quoted && *from == '"' && *++from != '"') {
      closed = *from == '\0' || *from == ',';
      break;
    }
    *to++ = *from++;
  }
  *next = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return closed;
}

/* A copy that names may be cut out of. */
static char *keep_copy(struct parser *p, const struct option_row *row, const char *value) {
  struct settings *s = p->s;
  size_t most = sizeof s->storage / sizeof *s->storage;
  char *copy = s->storage_count < most ? strdup(value) : NULL;
  if (!copy)
    (void)fail(p->why, EXIT_USAGE, "--%s was given too often", row->name);
  else
    s->storage[s->storage_count++] = copy;
  return copy;
}

/* Takes the reversal off a key: ":r" of any, which is behind its quotes if it has some, "r" of a
 * number. */
static bool cut_reversal(char *name) {
  const size_t length = strlen(name);
  const bool number = length > 1 && strspn(name, "0123456789") == length - 1;
  const size_t mark = number ? 1 : 2;
  if (length <= mark || strcmp(name + length - mark, number ? "r" : ":r") != 0) return false;
  name[length - mark] = '\0';
  return true;
}

/* The comma behind the first name of a list, or NULL. */
static char *list_comma(char *list) {
  bool quoted = false;
  for (char *p = list; *p != '\0'; p++) {
    if (*p == '"' && *list == '"') quoted = !quoted;
    if (*p == ',' && !quoted) return p;
  }
  return NULL;
}

static int store_columns(struct parser *p, const struct option_row *row, const char *value) {
  struct settings *s = p->s;
  const bool keys = row->kind == KIND_KEYS;
  const char **const names = keys ? s->keys : s->columns;
  size_t *const count = keys ? &s->key_count : &s->column_count;
  char *copy = keep_copy(p, row, value);
  if (!copy) return -1;
  for (char *name = copy, *next; name; name = next) {
    char *const comma = keys ? list_comma(name) : NULL;
    if (comma) *comma = '\0';
    const bool reversed = keys && cut_reversal(name);
    if (!cut_name(&name, &next))
      return fail(p->why, EXIT_USAGE,
                  "--%s '%s': a name in double quotes ends with one, before a comma or the end",
                  row->name, value);
    if (comma) next = comma + 1;
    if (*name == '\0')
      return fail(p->why, EXIT_USAGE, "--%s '%s' has an empty name in its list", row->name, value);
    if (*count == INPUT_MAX_COLUMNS)
      return fail(p->why, EXIT_USAGE, "--%s takes at most %d columns at once", row->name,
                  INPUT_MAX_COLUMNS);
    if (keys) s->key_reversed[*count] = reversed;
    names[(*count)++] = name;
  }
  return 0;
}

static int store(struct parser *p, const struct option_row *row, const char *value) {
  char *member = (char *)p->s + row->offset;
  uint64_t number;
  switch (row->kind) {
  case KIND_FLAG: memcpy(member, &row->flag_value, sizeof row->flag_value); return 0;
  case KIND_TEXT:
  case KIND_PAIR: memcpy(member, &value, sizeof value); return 0;
  case KIND_NUMBER:
    if (!parse_u64(value, &number))
      return fail(p->why, EXIT_USAGE, "--%s takes a whole number, not '%s'", row->name, value);
    memcpy(member, &number, sizeof number);
    return 0;
  case KIND_CHOICE: return store_choice(p, row, value);
  case KIND_TYPE: return store_type(p, row, value);
  case KIND_COLUMNS:
  case KIND_KEYS: return store_columns(p, row, value);
  }
  return 0;
}

/* `joined` is a value in the same word, or NULL. */
static int take(struct parser *p, const struct option_row *row, const char *joined) {
  if (row->kind == KIND_FLAG) {
    if (joined)
      return fail(p->why, EXIT_USAGE, "--%s takes no value, but was given '%s'", row->name, joined);
    return store(p, row, NULL);
  }
  if (!joined) {
    if (p->at == p->argc)
      return fail(p->why, EXIT_USAGE, "--%s needs a value: --%s %s", row->name, row->name,
                  row->values);
    joined = p->argv[p->at++];
  }
  if (store(p, row, joined) != 0) return -1;
  if (row->kind != KIND_PAIR) return 0;
  if (p->at == p->argc)
    return fail(p->why, EXIT_USAGE, "--%s needs two values: --%s %s", row->name, row->name,
                row->values);
  memcpy((char *)p->s + row->offset + sizeof joined, &p->argv[p->at], sizeof joined);
  p->at++;
  return 0;
}

static int take_letters(struct parser *p, const char *letters) {
  for (; *letters != '\0'; letters++) {
    const struct option_row *row = NULL;
    for (size_t i = 0; i < option_count && !row; i++)
      if (option_table[i].letter == *letters && applies(p, &option_table[i]))
        row = &option_table[i];
    if (!row)
      return fail(p->why, EXIT_USAGE, "unknown option '-%c'; --help lists the options", *letters);
    if (row->kind == KIND_FLAG) {
      if (take(p, row, NULL) != 0) return -1;
      continue;
    }
    return take(p, row, letters[1] == '\0' ? NULL : letters + 1);
  }
  return 0;
}

/* The first word of heddle quantile, which is no file. */
static int take_shares(struct settings *s, struct failure *why) {
  static const char remedy[] = "the first word is shares, 0 to 1, such as 0.5,0.99";
  if (s->file_count == 0) return fail(why, EXIT_USAGE, "heddle quantile: %s", remedy);
  const char *at = s->files[0];
  s->share_count = 0;
  s->shares_given = true;
  for (;;) {
    char text[64];
    const size_t length = strcspn(at, ",");
    double share;
    if (length >= sizeof text || s->share_count == SHARES_MOST)
      return fail(why, EXIT_USAGE, "heddle quantile takes up to %d shares", SHARES_MOST);
    memcpy(text, at, length);
    text[length] = '\0';
    if (!element_parse(text, HEDDLE_F64, &share) || !(share >= 0 && share <= 1))
      return fail(why, EXIT_USAGE, "heddle quantile: '%s' is no share; %s", text, remedy);
    s->shares[s->share_count++] = share;
    if (at[length] == '\0') break;
    at += length + 1;
  }
  s->file_count--;
  memmove(s->files, s->files + 1, s->file_count * sizeof *s->files);
  return 0;
}

/* The first word of heddle nth, which is no file. */
static int take_ranks(struct settings *s, struct failure *why) {
  static const char remedy[] = "the first word is ranks, from 0 on, such as 0,99";
  if (s->file_count == 0) return fail(why, EXIT_USAGE, "heddle nth: %s", remedy);
  for (const char *at = s->files[0];; at++) {
    char text[32];
    const size_t length = strcspn(at, ",");
    if (s->rank_count == SHARES_MOST)
      return fail(why, EXIT_USAGE, "heddle nth takes up to %d ranks", SHARES_MOST);
    if (length < sizeof text) memcpy(text, at, length);
    text[length < sizeof text ? length : 0] = '\0';
    if (strspn(text, "0123456789") != length ||
        !element_parse(text, HEDDLE_U64, &s->ranks[s->rank_count]))
      return fail(why, EXIT_USAGE, "heddle nth: '%.*s' is no rank; %s", (int)length, at, remedy);
    s->rank_count++;
    at += length;
    if (*at == '\0') break;
  }
  s->file_count--;
  memmove(s->files, s->files + 1, s->file_count * sizeof *s->files);
  return 0;
}

/* The first word of heddle select, unless --where has it. */
static int take_condition(struct settings *s, struct failure *why) {
  if (s->where) return 0;
  if (s->file_count == 0)
    return fail(why, EXIT_USAGE,
                "heddle select: the first word is a condition, such as '> 3' or 'price > 3'");
  s->where = s->files[0];
  s->file_count--;
  memmove(s->files, s->files + 1, s->file_count * sizeof *s->files);
  return 0;
}

int args_parse(enum command_id command, int argc, char **argv, struct settings *s,
               struct failure *why) {
  struct parser p = {command, argc, 0, argv, s, why};
  bool options = true;
  s->command = command;
  s->words = argv;
  s->word_count = argc > 0 ? (size_t)argc : 0;
  if (command == COMMAND_MIN) s->op = HEDDLE_MIN;
  if (command == COMMAND_MAX) s->op = HEDDLE_MAX;
  if (command == COMMAND_MEAN) s->op = OP_MEAN;
  if (command == COMMAND_COUNT) s->op = OP_COUNT;
  if (command == COMMAND_STD) s->op = OP_STD;
  if (command == COMMAND_VAR) s->op = OP_VAR;
  s->argsort = command == COMMAND_ARGSORT;
  s->files = calloc((size_t)argc + 1, sizeof *s->files);
  if (!s->files) return fail(why, EXIT_DATA, "out of memory for the list of files");
  while (p.at < argc) {
    const char *word = argv[p.at++];
    if (!options || word[0] != '-' || word[1] == '\0') {
      s->files[s->file_count++] = word;
    } else if (strcmp(word, "--") == 0) {
      options = false;
    } else if (word[1] == '-') {
      const char *name = word + 2, *equals = strchr(name, '=');
      size_t length = !equals ? strlen(name) : (size_t)(equals - name);
      const struct option_row *row = find(&p, name, length);
      if (!row) return unknown(&p, name, length);
      if (take(&p, row, equals ? equals + 1 : NULL) != 0) return -1;
    } else if (take_letters(&p, word + 1) != 0) {
      return -1;
    }
  }
  if (s->help || s->version) return 0;
  s->nan_error = s->nan == NAN_ERROR;
  if (s->nan_error) s->nan = HEDDLE_NAN_PROPAGATE;
  if (s->nan_error && s->axis) return fail(why, EXIT_USAGE, "--nan error does not go with --axis");
  if (s->style == STYLE_JSON_LINES && command != COMMAND_GROUP && !settings_group(s))
    return fail(why, EXIT_USAGE, "--json-lines writes a line a group, and goes with --by");
  if (command == COMMAND_SELECT) return take_condition(s, why);
  if (command == COMMAND_NTH) return take_ranks(s, why);
  return command == COMMAND_QUANTILE ? take_shares(s, why) : 0;
}
