/* help.c - lines made from the tables of commands and options, choices in place of marks */
#include "help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "programs.h"
#include "report/terminal.h"
#include "text/types.h"

enum { HELP_COLUMN = 24 };

static int written(FILE *out) {
  if (fflush(out) == 0 && !ferror(out)) return 0;
  fprintf(stderr, "heddle: standard output: %s\n", strerror(errno));
  return EXIT_DATA;
}

static void list_commands(FILE *out) {
  for (size_t i = 0; i < command_count; i++)
    fprintf(out, "  %-9s %s\n", command_table[i].name, command_table[i].summary);
  for (size_t i = 0; i < program_count; i++)
    if (program_is_there(program_table[i].name))
      fprintf(out, "  %-9s %s\n", program_table[i].name, program_table[i].summary);
}

int help_short(FILE *out) {
  fputs("usage: heddle COMMAND [OPTION...] [FILE...]\n\n", out);
  list_commands(out);
  fputs("\nexamples:\n"
        "  heddle hist --bytes /bin/sh              a histogram of a file's bytes\n"
        "  heddle sum data.npy                      the same bits on every machine\n"
        "\nheddle COMMAND --help tells more; man heddle tells all.\n",
        out);
  return written(out);
}

int help_all(void) {
  fputs("heddle - reduce, scan and histogram for files of any size: the same bits everywhere\n\n",
        stdout);
  return help_short(stdout);
}

int help_version(void) {
  printf("heddle %s\n", heddle_version_string());
  return written(stdout);
}

/* Text from column HELP_COLUMN on, broken at blanks before column 80. */
static void wrapped(FILE *out, const char *text) {
  size_t column = HELP_COLUMN;
  while (*text != '\0') {
    size_t word = strcspn(text, " ");
    if (column > HELP_COLUMN && column + 1 + word > 79) {
      fprintf(out, "\n%*s", HELP_COLUMN, "");
      column = HELP_COLUMN;
    } else if (column > HELP_COLUMN) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", (int)word, text);
    column += word;
    text += word + strspn(text + word, " ");
  }
  fputc('\n', out);
}

/* The names that a command has a choice of, with `between` them and `last` before the last. */
static void name_choices(const struct option_row *row, enum command_id command, const char *between,
                         const char *last, const char *first, struct text *to) {
  const struct choice *before = NULL;
  size_t count = 0;
  for (const struct choice *c = row->choices; c && c->name; c++) {
    if (!choice_applies(c, command)) continue;
    if (count > 1) text_add_string(to, between);
    if (before) text_add_string(to, before->name);
    if (count == 1) text_add_string(to, first);
    before = c;
    count++;
  }
  if (count > 1) text_add_string(to, last);
  if (before) text_add_string(to, before->name);
}

/* The row's help with the choices in place of its marks, to be freed. */
static char *option_help(const struct option_row *row, enum command_id command) {
  struct text text = {0};
  for (const char *p = row->help; *p != '\0'; p++) {
    if (*p != '%') {
      text_add(&text, p, 1);
      continue;
    }
    p++;
    name_choices(row, command, ", ", *p == ',' ? ", " : " or ", *p == '1' ? " (default)" : "",
                 &text);
  }
  return text.data;
}

static void list_option(FILE *out, const struct option_row *row, enum command_id command) {
  char left[64];
  int length = row->letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s", row->letter, row->name)
                                : snprintf(left, sizeof left, "      --%s", row->name);
  if (row->values && length > 0)
    length += snprintf(left + length, sizeof left - (size_t)length, " %s", row->values);
  if (length >= HELP_COLUMN)
    fprintf(out, "%s\n%*s", left, HELP_COLUMN, "");
  else
    fprintf(out, "%-*s", HELP_COLUMN, left);
  char *const help = option_help(row, command);
  wrapped(out, help);
  free(help);
}

int help_command(const struct command *command, FILE *out) {
  fprintf(out, "usage: heddle %s [OPTION...]%s%s\n\n%s\n", command->name,
          *command->operands == '\0' ? "" : " ", command->operands, command->details);
  fputs("\noptions:\n", out);
  for (size_t i = 0; i < option_count; i++)
    if (option_applies(&option_table[i], command->id))
      list_option(out, &option_table[i], command->id);
  fprintf(out, "\nexamples:\n%s", command->examples);
  return written(out);
}

/* The words that may follow the option, with blanks between them. */
static void print_words(const struct option_row *row, enum command_id command) {
  const char *blank = "";
  for (size_t i = 0; row->kind == KIND_TYPE && i < type_count; i++, blank = " ")
    printf("%s%s", blank, heddle_type_name(type_list[i]));
  for (const struct choice *c = row->choices; c && c->name; c++) {
    if (!choice_applies(c, command)) continue;
    printf("%s%s", blank, c->name);
    blank = " ";
  }
}

static void print_row(const struct command *command, const struct option_row *row) {
  char *const help = option_help(row, command->id);
  printf("option\t%s\t", command->name);
  if (row->letter != 0) printf("-%c", row->letter);
  printf("\t--%s\t%s\t", row->name, row->values ? row->values : "");
  print_words(row, command->id);
  printf("\t%s\t%s\n", row->kind == KIND_COLUMNS || row->kind == KIND_KEYS ? "repeats" : "once",
         help);
  free(help);
}

int help_table(void) {
  for (size_t i = 0; i < command_count; i++)
    printf("command\t%s\t%s\n", command_table[i].name, command_table[i].summary);
  for (size_t i = 0; i < program_count; i++)
    printf("program\t%s\t%s\n", program_table[i].name, program_table[i].summary);
  for (size_t c = 0; c < command_count; c++)
    for (size_t i = 0; i < option_count; i++)
      if (option_applies(&option_table[i], command_table[c].id))
        print_row(&command_table[c], &option_table[i]);
  return written(stdout);
}
