/* Words are parted as a shell parts them (words.h).
 *
 * Method  blanks part words, quotes keep them together, a backslash takes the next character as it
 *         is (within single quotes it is one itself); nothing is expanded
 * Limits  files may name files, DEPTH deep: one that names itself ends with a message
 */
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/options.h"
#include "base/text.h"

enum { DEPTH = 8 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The word at `from`; returns where the next one may begin, NULL: a quote is not closed. */
static const char *take_word(const char *from, struct text *word) {
  char quote = 0;
  text_add(word, "", 0);
  for (; *from && (quote || !is_blank(*from)); from++) {
    if (*from == '\\' && quote != '\'' && from[1]) {
      text_add(word, ++from, 1);
    } else if (quote ? *from == quote : (*from == '"' || *from == '\'')) {
      quote = quote ? 0 : *from;
    } else {
      text_add(word, from, 1);
    }
  }
  return quote ? NULL : from;
}

static bool split(const char *program, const char *where, const char *text,
                  struct string_list *to) {
  for (const char *at = text; at && *at;) {
    if (is_blank(*at)) {
      at++;
      continue;
    }
    struct text word = {0};
    at = take_word(at, &word);
    if (at) string_list_add(to, word.data);
    text_free(&word);
    if (!at) {
      fprintf(stderr, "%s: a quote in %s is not closed\n", program, where);
      return false;
    }
  }
  return true;
}

static bool add_words(const char *program, const struct string_list *words, int depth,
                      struct string_list *to);

static bool add_file(const char *program, const char *path, int depth, struct string_list *to) {
  struct text t = {0};
  struct string_list words = {0};
  bool fine = depth < DEPTH;
  if (!fine) {
    fprintf(stderr, "%s: %s: response files name each other more than %d deep\n", program, path,
            DEPTH);
  } else if (!files_read(path, &t)) {
    fine = false;
    fprintf(stderr, "%s: cannot read the response file %s: %s\n", program, path, strerror(errno));
  }
  fine = fine && split(program, path, t.data, &words) && add_words(program, &words, depth + 1, to);
  text_free(&t);
  string_list_free(&words);
  return fine;
}

/* One or several, parted by commas. */
static bool add_files(const char *program, const char *list, int depth, struct string_list *to) {
  bool fine = true;
  for (const char *at = list; fine && *at;) {
    const size_t length = strcspn(at, ",");
    char *path = text_copy(at, length);
    if (length) fine = add_file(program, path, depth, to);
    free(path);
    at += length + (at[length] == ',');
  }
  return fine;
}

static bool names_files(const char *word) {
  return option_is(word, "--options-file") || option_is(word, "-options-file") ||
         option_is(word, "-optf") || option_is(word, "--optf");
}

static bool add_words(const char *program, const struct string_list *words, int depth,
                      struct string_list *to) {
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->all[i];
    const char *list = word[0] == '@' && word[1] ? word + 1 : NULL;
    if (names_files(word)) {
      list = option_value(word);
      if (!list && i + 1 < words->count) list = words->all[++i];
      if (!list) {
        fprintf(stderr, "%s: option '%s' needs a value\n", program, word);
        return false;
      }
    }
    if (!list)
      string_list_add(to, word);
    else if (!add_files(program, list, depth, to))
      return false;
  }
  return true;
}

static bool add_variable(const char *program, const char *name, struct string_list *to) {
  const char *text = getenv(name);
  return !text || split(program, name, text, to);
}

bool nvcc_words(const char *program, int argc, char **argv, struct string_list *to) {
  struct string_list words = {0};
  bool fine = add_variable(program, "NVCC_PREPEND_FLAGS", &words) &&
              add_variable(program, "HEDDLE_NVCC_FLAGS", &words);
  for (int i = 1; i < argc; i++) string_list_add(&words, argv[i]);
  fine = fine && add_variable(program, "NVCC_APPEND_FLAGS", &words) &&
         add_words(program, &words, 0, to);
  string_list_free(&words);
  return fine;
}
